#include <thud/regime.hpp>

#include <cmath>

#include <Eigen/Cholesky>

namespace THUD_EXPORT thud {

std::optional<Regime> regime(const ElasticArm& arm, const ElasticProfile& profile) {
  const auto turn = profile.deepest_turn();
  const VectorX& stiffness = arm.drives.stiffness;
  if (!turn || stiffness.size() != arm.j.size() || !stiffness.allFinite()) return std::nullopt;
  const VectorX pushed = arm.M.ldlt().solve(arm.j);
  Regime found;
  found.frequency = std::sqrt(pushed.dot(stiffness.cwiseProduct(pushed)) / arm.j.dot(pushed));
  found.time = turn->time;
  found.x = found.frequency * found.time;
  found.by_rule = found.x < regime_bounds[0]   ? InertiaModel::generalized_momentum
                  : found.x < regime_bounds[1] ? InertiaModel::composite_rigid_body
                                               : InertiaModel::algebraic;
  found.impulse = turn->impulse;
  found.effective_mass = turn->impulse / (-profile.velocity - profile.object_inverse_mass * turn->impulse);
  return found;
}

}  // namespace thud
