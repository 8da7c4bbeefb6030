#pragma once

/// Private: what the parts of a robot must keep to, whoever made them.

#include <thud/robot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thud::robot {

/// Throws RobotError for what Robot's constructor refuses. An axis that is off unit length by more than rounding is
/// brought to it.
void check_parts(std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames);

/// The sentence "<subject> has a non-physical inertia: ..." where a principal moment [kg m^2] is negative or above the
/// sum of the other two, or where there are moments but no mass [kg].
std::optional<std::string> inertia_warning(const std::string& subject, double mass, const Matrix3& inertia);

/// The warnings with a sentence more for each body with a non-physical inertia, but for those that they already name,
/// or a link of.
std::vector<std::string> with_inertia_warnings(std::vector<std::string> warnings, const std::vector<Joint>& joints,
                                               const std::vector<BodyInertia>& bodies,
                                               const std::vector<Frame>& frames);

}  // namespace thud::robot
