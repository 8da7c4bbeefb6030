#include <thud/spread.hpp>
#include <thud/warning.hpp>

#include "bind.hpp"

namespace thud::python {

void bind_foundation(nb::module_& m) {
  nb::enum_<WarningCode>(m, "WarningCode", doc("WarningCode"))
      .value("dataset_unfinished", WarningCode::dataset_unfinished, doc("WarningCode.dataset_unfinished"))
      .value("robot_left_out", WarningCode::robot_left_out, doc("WarningCode.robot_left_out"))
      .value("trials_left_out", WarningCode::trials_left_out, doc("WarningCode.trials_left_out"))
      .value("reference_velocity", WarningCode::reference_velocity, doc("WarningCode.reference_velocity"))
      .value("early_alarm", WarningCode::early_alarm, doc("WarningCode.early_alarm"))
      .value("other", WarningCode::other);
  value<Warning>(m, "Warning", THUD_FIELD(Warning, code), THUD_FIELD(Warning, subject), THUD_FIELD(Warning, text));
  m.def("texts", &texts, nb::arg("warnings"), doc("warning:texts"));
  result<Spread>(m, "Spread", THUD_FIELD(Spread, count), THUD_FIELD(Spread, mean), THUD_FIELD(Spread, std),
                 THUD_FIELD(Spread, min), THUD_FIELD(Spread, max));
  m.def("spread", &spread, nb::arg("values"), doc("spread:spread"));
}

}  // namespace thud::python
