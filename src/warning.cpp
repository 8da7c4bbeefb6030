#include <thud/warning.hpp>

#include <iterator>

namespace thud {

std::string_view to_string(WarningCode code) noexcept {
  // in the order of the enumeration
  constexpr std::string_view names[] = {
      // robot
      "non_physical_link_inertia",
      "non_physical_body_inertia",
      "mimic_joint",
      "position_limit",
      "velocity_limit",

      // prediction
      "no_approach",
      "sliding",
      "tool_turns",
      "singular_model",
      "underactuated_model",
      "massless_model",
      "pseudo_inverse_model",

      "other",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(WarningCode::other) + 1);
  return names[static_cast<int>(code)];
}

}  // namespace thud
