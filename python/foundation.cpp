#include <thud/spread.hpp>
#include <thud/warning.hpp>

#include "bind.hpp"

namespace thud::python {

void bind_foundation(nb::module_& m) {
  nb::enum_<WarningCode> codes(m, "WarningCode", doc("WarningCode"));
  for (int i = 0; i <= static_cast<int>(WarningCode::other); ++i) {
    const auto code = static_cast<WarningCode>(i);
    const std::string_view name = to_string(code);
    codes.value(name.data(), code, find_doc(std::string("WarningCode.").append(name)));
  }
  value<Warning>(m, "Warning", THUD_FIELD(Warning, code), THUD_FIELD(Warning, subject), THUD_FIELD(Warning, text))
      .def("__str__", [](const Warning& warning) { return warning.text; });
  m.def("texts", &texts, nb::arg("warnings"), doc("warning:texts"));
  result<Spread>(m, "Spread", THUD_FIELD(Spread, count), THUD_FIELD(Spread, mean), THUD_FIELD(Spread, std),
                 THUD_FIELD(Spread, min), THUD_FIELD(Spread, max));
  m.def("spread", &spread, nb::arg("values"), doc("spread:spread"));
}

}  // namespace thud::python
