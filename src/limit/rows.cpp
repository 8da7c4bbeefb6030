#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/limit.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "foundation/require.hpp"
#include "limit/jump.hpp"
#include "limit/numbers.hpp"

namespace THUD_EXPORT thud {
namespace {

using limit::never;
using limit::none;

double bound(const VectorX& values, Eigen::Index joint) noexcept {
  return values.size() == 0 || std::isnan(values[joint]) ? never : values[joint];
}

// Torque of a joint per lever arm |j_i| and approach speed [N s/m]; 0 without a contact time.
double force_per_speed(const InverseInertia& inertia, const ExpectedHit& hit) noexcept {
  return std::isnan(hit.contact_time)
             ? 0
             : limit::half_sine * (1 + hit.restitution) * inertia.effective_mass() / hit.contact_time;
}

}  // namespace

double joint_speed_limit(const ContactDynamics& dynamics, const VectorRef& direction, const Limits& limits,
                         const VectorRef& gravity, const ExpectedHit& hit) noexcept {
  const InverseInertia inertia = inverse_inertia(dynamics, hit.model);
  const limit::UnitJump jump(dynamics, hit.model, inertia);
  if (!jump.exists()) return none;
  const double approach = -contact_velocity(dynamics, direction);  // per unit of the direction
  if (!(approach > 0)) return never;
  const double force = force_per_speed(inertia, hit);
  double speed = never;
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    const double rate = direction[i] / approach, after = rate + (1 + hit.restitution) * jump[i];
    const double fastest = bound(limits.speed, i), torque = bound(limits.torque, i);
    if (fastest < never) speed = std::min(speed, fastest / std::max(std::abs(rate), std::abs(after)));
    const double lever = force * std::abs(limit::along_normal(dynamics, i));
    if (torque < never && lever > 0) speed = std::min(speed, std::max(torque - std::abs(gravity[i]), 0.0) / lever);
  }
  return speed;
}

ImpactRows::ImpactRows(int joints)
    : A(MatrixX::Zero(Eigen::Index{2} * joints, joints)),
      lower(VectorX::Constant(Eigen::Index{2} * joints, -never)),
      upper(VectorX::Constant(Eigen::Index{2} * joints, never)) {}

void impact_rows(const ContactDynamics& dynamics, const VectorRef& dq, double period, const Limits& limits,
                 const VectorRef& gravity, const ExpectedHit& hit, ImpactRows& rows) noexcept {
  const Eigen::Index n = dq.size();
  const InverseInertia inertia = inverse_inertia(dynamics, hit.model);
  const limit::UnitJump jump(dynamics, hit.model, inertia);
  const double v = contact_velocity(dynamics, dq);
  const double force = force_per_speed(inertia, hit);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double turned = (1 + hit.restitution) * jump[i];
    const double lever = force * std::abs(limit::along_normal(dynamics, i));
    for (Eigen::Index k = 0; k < n; ++k) {
      const double j = limit::along_normal(dynamics, k);
      rows.A(i, k) = period * ((i == k) - turned * j);
      rows.A(n + i, k) = -period * lever * j;
    }
    const double after = dq[i] - turned * v, fastest = bound(limits.speed, i);
    rows.lower[i] = -fastest - after;
    rows.upper[i] = fastest - after;
    rows.lower[n + i] = -never;
    rows.upper[n + i] = lever > 0 ? bound(limits.torque, i) - std::abs(gravity[i]) + lever * v : never;
  }
}

ImpactRows impact_rows(const ContactDynamics& dynamics, const VectorRef& dq, double period, const Limits& limits,
                       const VectorRef& gravity, const ExpectedHit& hit) {
  const auto joints = static_cast<int>(dynamics.J.cols());
  foundation::require_positive("period", period);
  validate(limits, joints);
  for (const auto& [name, values] : {std::pair{"dq", &dq}, {"gravity", &gravity}})
    if (values->size() != joints || !values->allFinite())
      throw InputError(name, std::to_string(values->size()) + " values",
                       "must have a finite one for each of the " + std::to_string(joints) + " joints");
  if (!(hit.restitution >= 0 && hit.restitution <= 1))
    throw InputError("restitution", hit.restitution, "must be from 0 to 1");
  if (!std::isnan(hit.contact_time)) foundation::require_positive("contact_time", hit.contact_time);
  ImpactRows rows(joints);
  impact_rows(dynamics, dq, period, limits, gravity, hit, rows);
  return rows;
}

}  // namespace thud
