#include <thud/warning.hpp>

#include <iterator>

namespace THUD_EXPORT thud {

std::string_view to_string(WarningCode code) noexcept {
  // in the order of the enumeration
  constexpr std::string_view names[] = {
      // robot
      "non_physical_link_inertia",
      "non_physical_body_inertia",
      "implausible_link_inertia",
      "implausible_body_inertia",
      "massless_link",
      "fixed_base",
      "mimic_joint",
      "part_left_out",
      "position_limit",
      "velocity_limit",

      // prediction
      "no_approach",
      "sliding",
      "tool_turns",
      "nearest_approach",
      "singular_model",
      "underactuated_model",
      "massless_model",
      "pseudo_inverse_model",
      "asymmetric_model",
      "jam",
      "wedged",

      // profile
      "asymptotic_restitution",
      "energy_created",
      "endless_contact",
      "assumed_drive",
      "assumed_wall",

      // limit
      "not_judged",
      "peak_torque",
      "not_permitted",
      "not_certified",
      "no_limit",
      "other_model",

      // translate
      "nearest_contact",
      "coarse_step",

      // record, window
      "no_header",
      "header_in_comment",
      "unused_columns",
      "missing_numbers",
      "gaps_in_time",
      "uneven_sampling",
      "low_rate",
      "stored_note",
      "negative_force",
      "no_quiet_samples",
      "touch_before_record",
      "several_contacts",
      "clipped_peak",
      "incomplete_contact",
      "index_column",
      "units_row",
      "unit_replaced",
      "decimal_comma",
      "missing_peak",

      // fit
      "no_contact",
      "no_fit",
      "poor_fit",
      "above_noise",
      "not_identifiable",

      // dataset, study
      "dataset_unfinished",
      "robot_left_out",
      "trials_left_out",
      "reference_velocity",
      "early_alarm",

      "other",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(WarningCode::other) + 1);
  return names[static_cast<int>(code)];
}

}  // namespace thud
