#pragma once

#include <thud/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What a warning is about, for programs; people read its text.
enum class WarningCode {
  // robot
  non_physical_link_inertia,  ///< of a link as described
  non_physical_body_inertia,  ///< of all that a joint moves as one
  implausible_link_inertia,   ///< of a link as described: too large for its mass or reach
  implausible_body_inertia,   ///< of all that a joint moves as one
  massless_link,              ///< nothing that its joint moves has inertia
  fixed_base,                 ///< a base with mass, or one with legs, is taken as fixed to the world
  mimic_joint,                ///< treated as an independent joint: what it mimics does not move
  part_left_out,              ///< a part of a description that an arm of rigid links has no place for
  position_limit,             ///< a joint is outside its limits
  velocity_limit,             ///< a joint moves faster than its limit

  // prediction
  no_approach,           ///< the contact point is at rest or moves away
  sliding,               ///< it moves across the normal as well
  tool_turns,            ///< it cannot approach without turning the tool
  nearest_approach,      ///< nor along the normal alone
  singular_model,        ///< a model does not exist at this posture
  underactuated_model,   ///< nor at any, with so few joints
  massless_model,        ///< nor with something that moves without inertia
  pseudo_inverse_model,  ///< a model's number depends on the unit of length
  asymmetric_model,      ///< a model cannot be used with friction
  jam,                   ///< friction drives the two sides of an impact into each other for a while
  wedged,                ///< no finite impulse ends an approach with friction

  // profile
  asymptotic_restitution,  ///< the asymptotic coefficient of restitution is far from the exact one
  energy_created,          ///< a restitution above 1 or a negative damping, Newton's restitution with friction
  endless_contact,         ///< the contact never parts
  assumed_drive,           ///< something about motors, transmissions or servo is not known
  assumed_wall,            ///< no contact law was given

  // limit
  not_judged,     ///< a limit without what it takes to judge it
  peak_torque,    ///< how the largest torque of a joint was found
  not_permitted,  ///< no hit is permitted there
  not_certified,  ///< limits of contact with people are an engineering aid
  no_limit,       ///< nothing limits the speed
  other_model,    ///< another model allows less

  // translate
  nearest_contact,  ///< a simulator cannot express the law: what is off, and by how much
  coarse_step,      ///< a simulator's step leaves few samples of a contact, or damps it

  // record, window
  no_header,            ///< columns were taken by their order
  header_in_comment,    ///< column names were taken from a comment
  unused_columns,       ///< columns beside time and force
  missing_numbers,      ///< rows without a number were left out
  gaps_in_time,         ///< steps much longer than the others
  uneven_sampling,      ///< steps of different length
  low_rate,             ///< too few samples per second for an impact
  stored_note,          ///< as a dataset keeps it: text alone
  negative_force,       ///< the sensor reads less force in contact; its sign was changed
  no_quiet_samples,     ///< the baseline is not from samples before the contact
  touch_before_record,  ///< the first touch is extrapolated
  several_contacts,     ///< the record has another contact after this one
  clipped_peak,         ///< the sensor may have reached the end of its range
  incomplete_contact,   ///< the window is not of status found
  index_column,         ///< the first column was taken for a number of the row
  units_row,            ///< units were taken from the row under the header
  unit_replaced,        ///< a unit was told that is not the one in the file
  decimal_comma,        ///< commas inside numbers were taken as decimal commas
  missing_peak,         ///< samples are missing at the peak

  // fit
  no_contact,        ///< nothing to fit
  no_fit,            ///< no law converged
  poor_fit,          ///< the best law leaves much of the force over
  above_noise,       ///< the best law leaves far more over than the record's noise
  not_identifiable,  ///< the record does not fix a parameter

  // dataset, study
  dataset_unfinished,  ///< trials of the plan are missing
  robot_left_out,      ///< a robot without the contact's link predicts nothing
  trials_left_out,     ///< trials whose status is not ok
  reference_velocity,  ///< no joint log: the reference speed and the nominal posture are used instead
  early_alarm,         ///< the controller's alarm came before the touch

  other
};

/// "mimic_joint", "gaps_in_time", ...
std::string_view to_string(WarningCode code) noexcept;

/// Something a user should know about a result that is valid nonetheless.
struct Warning {
  WarningCode code = WarningCode::other;
  std::string subject{};  ///< the joint, link, model, law, column or trial it is about; empty: the whole
  std::string text{};     ///< a sentence

  bool operator==(const Warning&) const = default;
};

/// The sentences alone.
inline std::vector<std::string> texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> list;
  list.reserve(warnings.size());
  for (const Warning& warning : warnings) list.push_back(warning.text);
  return list;
}

}  // namespace thud
