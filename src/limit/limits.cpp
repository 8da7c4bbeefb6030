#include <thud/error.hpp>
#include <thud/limit.hpp>

#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "foundation/require.hpp"
#include "limit/numbers.hpp"

namespace THUD_EXPORT thud {
namespace {

using limit::none;

// NaN is no limit, and neither is an infinite one of a description.
double limit_or_none(double value) {
  return std::isfinite(value) && value > 0 ? value : none;
}

VectorX merged_values(const VectorX& values, const VectorX& over) {
  if (values.size() == 0) return over;
  if (over.size() == 0) return values;
  return over.array().isNaN().select(values, over);
}

}  // namespace

std::string_view to_string(LimitKind kind) noexcept {
  constexpr std::string_view names[] = {"joint_speed_before", "joint_speed_after", "joint_torque", "collision_torque",
                                        "collision_force",    "peak_force",        "body_force",   "body_pressure"};
  static_assert(std::size(names) == static_cast<std::size_t>(LimitKind::body_pressure) + 1);
  return names[static_cast<std::size_t>(kind)];
}

void validate(const Limits& limits, int joints) {
  const std::pair<const char*, const VectorX*> vectors[] = {
      {"speed", &limits.speed}, {"torque", &limits.torque}, {"collision_torque", &limits.collision_torque}};
  for (const auto& [name, values] : vectors) {
    if (values->size() != 0 && values->size() != joints)
      throw InputError(name, std::to_string(values->size()) + " values",
                       "must have one for each of the " + std::to_string(joints) + " joints, or none");
    for (Eigen::Index i = 0; i < values->size(); ++i)
      if (!std::isnan((*values)[i]))
        foundation::require_positive((std::string(name) + "[" + std::to_string(i) + "]").c_str(), (*values)[i]);
  }
  if (!std::isnan(limits.force)) foundation::require_positive("force", limits.force);
  if (!std::isnan(limits.collision_force)) foundation::require_positive("collision_force", limits.collision_force);
}

Limits robot_limits(const Robot& robot) {
  Limits limits;
  limits.speed.resize(robot.size());
  limits.torque.resize(robot.size());
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    limits.speed[i] = limit_or_none(joint.velocity);
    limits.torque[i] = limit_or_none(joint.effort);
  }
  return limits;
}

Limits with_limits(const Limits& limits, const Limits& over) {
  return {merged_values(limits.speed, over.speed), merged_values(limits.torque, over.torque),
          merged_values(limits.collision_torque, over.collision_torque),
          std::isnan(over.collision_force) ? limits.collision_force : over.collision_force,
          std::isnan(over.force) ? limits.force : over.force};
}

void validate(const BodyRegion& region) {
  foundation::require_positive("force", region.force);
  foundation::require_positive("pressure", region.pressure);
  foundation::require_positive("stiffness", region.stiffness);
  foundation::require_positive("mass", region.mass);
  if (!(region.transient >= 0 && std::isfinite(region.transient)))
    throw InputError("transient", region.transient, "must be finite and at least 0");
}

BodySpeeds body_speeds(const BodyContact& contact, double mass) noexcept {
  const BodyRegion& region = contact.region;
  const double reduced = 1 / (1 / mass + (contact.clamped ? 0 : 1 / region.mass));
  const double per_newton = (contact.clamped ? 1 : region.transient) / std::sqrt(region.stiffness * reduced);
  return {region.force * per_newton, region.pressure * contact.area * per_newton};
}

}  // namespace thud
