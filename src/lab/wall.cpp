#include "lab/wall.hpp"

#include <algorithm>
#include <variant>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace thud::lab {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // Clang 14 does not deduce it

}  // namespace

double Wall::push(double x, double v, double step) {
  if (x >= 0) {  // off the wall: the state is reset
    touching_ = restoring_ = spent_ = false;
    force_ = deepest_ = 0;
    return 0;
  }
  touching_ = !spent_;
  return std::visit(Overloaded{[&](const Spring& law) {
                                 if (!restoring_ && v > 0) {
                                   restoring_ = true;
                                   deepest_ = x;
                                 }
                                 if (!restoring_) return force(law, x, -1);
                                 // the second phase has its rest length at (1 - e^2) of the maximum compression
                                 return force(law, x - (1 - law.restitution * law.restitution) * deepest_, 1);
                               },
                               [&](const Maxwell& law) {
                                 if (spent_) return 0.0;
                                 const double now = force_;
                                 // trapezoidal rule for df/dt = -k v - (k/c) f with v held
                                 const double decay = law.stiffness / law.damping * step / 2;
                                 force_ = (force_ * (1 - decay) - law.stiffness * v * step) / (1 + decay);
                                 if (force_ < 0) {
                                   spent_ = true;
                                   force_ = 0;
                                 }
                                 return (now + force_) / 2;
                               },
                               [&](const auto& law) { return force(law, x, v); }},
                    law_);
}

Vector3 friction_force(double friction, double normal_force, const Vector3& normal, const Vector3& velocity,
                       const Matrix3& W, double step) {
  if (!(friction > 0 && normal_force > 0)) return Vector3::Zero();
  Eigen::Matrix<double, 3, 2> across;
  across.col(0) = normal.unitOrthogonal();
  across.col(1) = normal.cross(across.col(0));
  // the slip after the step if nothing held it
  const Eigen::Vector2d slip = across.transpose() * (velocity + step * normal_force * W * normal);
  const Eigen::Matrix2d W_tt = across.transpose() * W * across;
  const double most = friction * normal_force;
  Eigen::Vector2d force = -W_tt.inverse() * slip / step;
  if (!(force.norm() <= most)) force = slip.norm() > 0 ? Eigen::Vector2d(-most * slip.normalized()) : slip;
  return across * force;
}

void ContactHistory::add(double t, double x, double v, double force, double step) {
  if (ended_) return;
  Truth& truth = run_.truth;
  if (!touched_) {
    if (x >= 0) return;
    touched_ = true;
    truth.touch_time = v < 0 ? t - x / v : t;
    truth.velocity = v;
    truth.peak_force = truth.depth = 0;
  }
  const double since = t - truth.touch_time;
  if (previous_v_ < 0 && v >= 0 && -std::min(x, previous_x_) >= truth.depth) {  // the deepest turning point so far
    const double elapsed = step * v / (v - previous_v_);                        // since v = 0
    truth.compression_time = since - elapsed;
    truth.impulse_compression = impulse_ - elapsed * run_.force.back();
  }
  if (x >= 0) {
    ended_ = true;
    truth.contact_time = since - step * x / (x - previous_x_);
    truth.velocity_after = v;
    truth.impulse = impulse_;
    return;
  }
  if (force > truth.peak_force) {
    truth.peak_force = force;
    truth.peak_time = since;
  }
  truth.depth = std::max(truth.depth, -x);
  run_.time.push_back(since);
  run_.force.push_back(force);
  run_.depth.push_back(-x);
  impulse_ += force * step;
  previous_v_ = v;
  previous_x_ = x;
}

}  // namespace thud::lab
