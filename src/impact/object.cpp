#include <thud/error.hpp>
#include <thud/object.hpp>

#include <cmath>

#include "impact/problem.hpp"
#include "impact/rigid_body.hpp"

namespace thud::impacting {

void validate(const Object& object) {
  if (!(object.mass > 0) || !std::isfinite(object.mass))
    throw InputError("object mass", object.mass, "must be finite and > 0");
  const auto require_finite = [](const char* what, const auto& value) {
    if (!value.allFinite()) throw InputError(what, value.sum(), "must be finite");
  };
  require_finite("object inertia", object.inertia_W);
  require_finite("object centre of mass", object.com_W);
  require_finite("object velocity", object.velocity);
  require_finite("object angular velocity", object.angular_velocity);
  if (is_point_mass(object)) return;
  const Matrix3& I = object.inertia_W;
  const double asymmetry = (I - I.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > rounding * I.cwiseAbs().maxCoeff())
    throw InputError("object inertia", "asymmetric by " + to_text(asymmetry, 6), "must be symmetric");
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments[0] > rounding * moments[2]))
    throw InputError("object inertia", moments[0], "the least principal moment must be > 0");
  if (moments[2] > (1 + rounding) * (moments[0] + moments[1]))
    throw InputError("object inertia", moments[2], "a principal moment must not exceed the sum of the other two");
}

}  // namespace thud::impacting

namespace THUD_EXPORT thud {
using namespace impacting;

ContactResponse contact_response(const Object& object, const Vector3& p_WC) {
  validate(object);
  if (!p_WC.allFinite()) throw InputError("p_WC", p_WC.sum(), "must be finite");
  return response(object, p_WC);
}

ContactResponse contact_response(const ContactDynamics& dynamics, const VectorRef& dq,
                                 const InverseInertia& inertia) noexcept {
  ContactResponse side{inertia.W, Vector3::Zero()};
  for (Eigen::Index i = 0; i < dq.size(); ++i) side.velocity += dynamics.J.col(i).head<3>() * dq[i];
  return side;
}

double reduced_mass(const ContactResponse& side, const ContactResponse& other, const Vector3& normal) {
  if (!normal.allFinite() || !(normal.norm() > 0))
    throw InputError("normal", normal.norm(), "must be finite and not zero");
  const Vector3 n = normal.normalized();
  const double along = n.dot((side.W + other.W) * n);
  if (!(along > 0) || !std::isfinite(along))
    throw InputError("W", "n.W n = " + to_text(along, 6), "must be > 0: something must move along the normal");
  return 1 / along;
}

PairImpact impact(const ContactResponse& side, const ContactResponse& other, const Vector3& normal,
                  const ImpactOptions& options) {
  PairImpact pair{impact(side.W + other.W, side.velocity - other.velocity, normal, options)};
  pair.velocity_after = side.velocity + side.W * pair.impact.impulse;
  pair.other_velocity_after = other.velocity - other.W * pair.impact.impulse;
  return pair;
}

ObjectMotion motion_after(const Object& object, const Vector3& p_WC, const Vector3& impulse_W) {
  validate(object);
  if (!p_WC.allFinite()) throw InputError("p_WC", p_WC.sum(), "must be finite");
  if (!impulse_W.allFinite()) throw InputError("impulse_W", impulse_W.sum(), "must be finite");
  return motion(object, p_WC, impulse_W);
}

}  // namespace thud
