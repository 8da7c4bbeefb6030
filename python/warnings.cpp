#include <thud/warning.hpp>

#include "bind.hpp"

namespace thud::python {

void bind_warnings(nb::module_& m) {
  nb::enum_<WarningCode> codes(m, "WarningCode", doc("WarningCode"));
  for (int i = 0; i <= static_cast<int>(WarningCode::other); ++i) {
    const auto code = static_cast<WarningCode>(i);
    const std::string_view name = to_string(code);
    codes.value(name.data(), code, find_doc(std::string("WarningCode.").append(name)));
  }
  value<Warning>(m, "Warning", THUD_FIELD(Warning, code), THUD_FIELD(Warning, subject), THUD_FIELD(Warning, text))
      .def("__str__", [](const Warning& warning) { return warning.text; })
      .def("__eq__", [](const Warning& self, const Warning& other) { return self == other; })
      .def("__eq__", [](const Warning&, const nb::object&) { return false; });
}

}  // namespace thud::python
