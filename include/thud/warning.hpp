#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thud {

/// What a warning is about, for programs; people read its text.
enum class WarningCode {
  // robot
  non_physical_link_inertia,  ///< of a link as described
  non_physical_body_inertia,  ///< of all that a joint moves as one
  mimic_joint,                ///< taken as a joint of its own
  position_limit,             ///< a joint is outside its limits
  velocity_limit,             ///< a joint moves faster than its limit

  // prediction
  no_approach,           ///< the contact point stands or moves away
  sliding,               ///< it moves across the normal as well
  tool_turns,            ///< it cannot approach without turning the tool
  singular_model,        ///< a model does not exist at this posture
  underactuated_model,   ///< nor at any, with so few joints
  massless_model,        ///< nor with something that moves without inertia
  pseudo_inverse_model,  ///< a model's number depends on the unit of length

  // profile

  // record, window

  // fit

  // dataset, study

  other
};

/// "mimic_joint", "sliding", ...
std::string_view to_string(WarningCode code) noexcept;

/// Something a user should know about a result that stands all the same.
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
