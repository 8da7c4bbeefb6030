#include "map/directions.hpp"

#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <boost/math/special_functions/ellint_rf.hpp>

namespace thud::map {
namespace {

constexpr double rounding = 1e-12;  // of an eigenvalue of W and of n.W n, relative to the trace

}  // namespace

DirectionMasses directions_of(const Matrix3& W, InertiaModel model) {
  DirectionMasses masses;
  if (!W.allFinite()) return masses;
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(Matrix3((W + W.transpose()) / 2));
  const Vector3& w = eigen.eigenvalues();  // the least first
  if (!(w[0] > rounding * w.sum())) return masses;
  masses.least = 1 / w[2];
  masses.greatest = 1 / w[0];
  masses.mean = model == InertiaModel::algebraic ? (1 / w[0] + 1 / w[1] + 1 / w[2]) / 3
                                                 : boost::math::ellint_rf(w[1] * w[2], w[2] * w[0], w[0] * w[1]);
  masses.normal_least = eigen.eigenvectors().col(2);
  masses.normal_greatest = eigen.eigenvectors().col(0);
  return masses;
}

double mass_along(const Matrix3& W, InertiaModel model, const Vector3& normal) {
  if (model == InertiaModel::algebraic) return normal.dot(W.inverse() * normal);
  const double mobility = normal.dot(W * normal);
  return mobility > rounding * W.trace() ? 1 / mobility : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace thud::map

namespace THUD_EXPORT thud {

DirectionMasses direction_masses(const InverseInertia& inertia, InertiaModel model) {
  return inertia.exists() ? map::directions_of(inertia.W, model) : DirectionMasses{};
}

}  // namespace thud
