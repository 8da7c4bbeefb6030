#pragma once

/// Private: rules for the parts of a robot, whatever their source.

#include <thud/robot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thud::robot {

/// Throws RobotError for what Robot's constructor rejects. An axis whose length differs from 1 by more than rounding is
/// normalized.
void check_parts(std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames);

/// What is non-physical about an inertia: the sentence "<owner> has a non-physical inertia: ..." where a principal
/// moment [kg m^2] is negative or above the sum of the other two, or where there are moments but no mass [kg].
std::optional<std::string> non_physical_inertia(const std::string& owner, double mass, const Matrix3& inertia);

/// The warnings, plus one for each body with a non-physical inertia, unless they already contain it or one about a link
/// of that body.
std::vector<Warning> with_inertia_warnings(std::vector<Warning> warnings, const std::vector<Joint>& joints,
                                           const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames);

}  // namespace thud::robot
