#pragma once

/// Private: rules for the parts of a robot, whatever their source.

#include <thud/robot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thud::robot {

/// Throws RobotError for what Robot's constructor rejects. An axis whose length differs from 1 by more than rounding is
/// normalized, and a matrix that differs so from a rotation becomes the nearest one: the one place for every robot,
/// since readers, tools, locked joints and Python all construct theirs.
void check_parts(std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies, std::vector<Frame>& frames,
                 std::vector<Follower>& followers);

/// What is non-physical about an inertia: the sentence "<owner> has a non-physical inertia: ..." where a principal
/// moment [kg m^2] is negative or above the sum of the other two, or where there are moments but no mass [kg].
std::optional<std::string> non_physical_inertia(const std::string& owner, double mass, const Matrix3& inertia);

/// What is implausible about an inertia: the sentence "<owner> has an implausible ..." where the mass is above
/// 1e6 kg, or the radius of gyration sqrt(I_max / m) above `reach`, how far the owner is known to extend from its
/// origin [m], and above 0.5 m.
std::optional<std::string> implausible_inertia(const std::string& owner, double mass, const Matrix3& inertia,
                                               double reach);

/// The warnings, plus one for each body with a non-physical or implausible inertia, unless they already contain it or
/// one about a link of that body, and one for each link of a joint that moves no inertia.
std::vector<Warning> with_inertia_warnings(std::vector<Warning> warnings, const std::vector<Joint>& joints,
                                           const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames,
                                           const std::vector<Follower>& followers);

/// A warning if the base may not be fixed to the world, by the rule of Base.
std::optional<Warning> base_warning(const Base& base, const std::vector<Joint>& joints,
                                    const std::vector<BodyInertia>& bodies, const std::vector<Follower>& followers);

/// The warnings without those that the constructor of Robot adds.
std::vector<Warning> without_own_warnings(std::vector<Warning> warnings);

/// A warning if a position [rad or m] is outside the limits of a joint.
std::optional<Warning> position_warning(const Joint& joint, double position);

}  // namespace thud::robot
