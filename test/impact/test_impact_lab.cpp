// Impacts against MuJoCo's bodies in stiff contact, with small steps: nothing of the library's mechanics is in them.

#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/object.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "lab/plant.hpp"
#include "support.hpp"

namespace thud {
namespace {

// A wall's, or a point's, force on the first of two bodies while they touch: a spring that unloads with k/e^2, which
// gives e^2 of the work back, and Coulomb friction.
class StiffContact {
 public:
  StiffContact(const Vector3& normal, const ImpactOptions& options) : n_(normal), options_(options) {}

  bool over() const { return over_; }

  Vector3 force(const Vector3& gap, const Vector3& velocity) {
    const double depth = -gap.dot(n_);
    double f = 0;
    if (!unloading_ && velocity.dot(n_) > 0) {
      unloading_ = true;
      deepest_ = depth;
    }
    const double e2 = options_.restitution * options_.restitution;
    f = unloading_ ? stiffness / e2 * (depth - (1 - e2) * deepest_) : stiffness * depth;
    over_ = unloading_ && f <= 0;
    f = std::max(f, 0.0);
    const Vector3 slip = velocity - velocity.dot(n_) * n_;
    return f * (n_ - options_.friction * slip / std::max(slip.norm(), smooth));
  }

  static constexpr double stiffness = 1e9;  // [N/m]: a contact of some 0.1 ms
  static constexpr double smooth = 1e-4;    // slip below which friction is viscous [m/s]
  static constexpr double step = 2e-8;      // [s]

 private:
  Vector3 n_;
  ImpactOptions options_;
  double deepest_ = 0;
  bool unloading_ = false, over_ = false;
};

// A free body of MuJoCo.
class FreeBody {
 public:
  FreeBody(const Object& object, const Vector3& p_WC) {
    const std::unique_ptr<mjSpec, lab::MujocoDeleter> spec(mj_makeSpec());
    spec->option.timestep = StiffContact::step;
    std::fill_n(spec->option.gravity, 3, 0.0);
    mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
    std::copy_n(object.com_W.data(), 3, body->pos);
    mjs_addFreeJoint(body);
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(object.inertia_W);
    Matrix3 axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Eigen::Quaterniond q(axes);
    body->explicitinertial = 1;
    body->mass = object.mass;
    std::fill_n(body->ipos, 3, 0.0);
    const double quaternion[4] = {q.w(), q.x(), q.y(), q.z()};
    std::copy_n(quaternion, 4, body->iquat);
    std::copy_n(solver.eigenvalues().data(), 3, body->inertia);
    model_.reset(mj_compile(spec.get(), nullptr));
    data_.reset(mj_makeData(model_.get()));
    mj_kinematics(model_.get(), data_.get());
    // its own axes are the principal ones
    const Vector3 spin = orientation().transpose() * object.angular_velocity;
    std::copy_n(object.velocity.data(), 3, data_->qvel);
    std::copy_n(spin.data(), 3, data_->qvel + 3);
    offset_ = orientation().transpose() * (p_WC - object.com_W);
  }

  Matrix3 orientation() const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9);
  }
  Vector3 velocity() const { return Eigen::Map<const Vector3>(data_->qvel); }
  Vector3 angular_velocity() const { return orientation() * Eigen::Map<const Vector3>(data_->qvel + 3); }
  Vector3 contact_position() const { return Eigen::Map<const Vector3>(data_->xpos + 3) + orientation() * offset_; }
  Vector3 contact_velocity() const { return velocity() + angular_velocity().cross(orientation() * offset_); }

  void step(const Vector3& force) {
    std::fill_n(data_->qfrc_applied, 6, 0.0);
    const Vector3 at = contact_position(), none = Vector3::Zero();
    mj_fwdPosition(model_.get(), data_.get());
    mj_applyFT(model_.get(), data_.get(), force.data(), none.data(), at.data(), 1, data_->qfrc_applied);
    mj_step(model_.get(), data_.get());
    mj_kinematics(model_.get(), data_.get());
  }

 private:
  std::unique_ptr<mjModel, lab::MujocoDeleter> model_;
  std::unique_ptr<mjData, lab::MujocoDeleter> data_;
  Vector3 offset_;
};

lab::Plant plant_of(const Robot& robot, const ContactPoint& point, const VectorX& q, const VectorX& dq) {
  lab::Plant plant(robot, point, PlantJoints::rigid, Drives{}, Vector3::Zero(), StiffContact::step, q);
  plant.set_state(q, VectorX::Zero(q.size()), dq);
  return plant;
}

// 1 %, of the fastest that moves.
constexpr double tolerance = 0.01;

TEST(ImpactLab, AnArmHitsABox) {
  const Robot panda = load_robot("panda");
  const ContactPoint point = test::paper_contact();
  const VectorX q = test::paper_configuration(0);
  const ContactDynamics dynamics = contact_dynamics(panda, point, q);
  Object box{.mass = 1.5};
  box.inertia_W << 0.006, 0.001, 0, 0.001, 0.004, 0.0005, 0, 0.0005, 0.008;
  box.com_W = dynamics.p_WC + Vector3(0.08, 0.03, -0.04);  // hit off its centre
  box.velocity = {-0.1, 0.05, 0};
  box.angular_velocity = {0.5, -0.2, 0.3};
  for (const double mu : {0.0, 0.15, 0.8}) {
    SCOPED_TRACE(mu);
    const ImpactOptions options{.friction = mu, .restitution = 0.6};
    VectorX dq = approach(dynamics, 0.3).dq;
    dq[0] += 0.3;
    const ImpactPrediction predicted =
        predict_impact(dynamics, dq, {.friction = mu, .restitution = options.restitution, .object = box});
    const ModelImpact& free = predicted[InertiaModel::generalized_momentum];

    lab::Plant arm = plant_of(panda, point, q, dq);
    FreeBody body(box, dynamics.p_WC);
    StiffContact contact(dynamics.normal_W, options);
    const VectorX none = VectorX::Zero(7);
    for (int i = 0; i < 100000 && !contact.over(); ++i) {
      const Vector3 f = contact.force(arm.contact_position() - body.contact_position(),
                                      arm.contact_velocity() - body.contact_velocity());
      arm.step(none, f);
      body.step(-f);
    }
    ASSERT_TRUE(contact.over());
    const double fastest = free.velocity_after.norm() + free.object.velocity.norm();
    EXPECT_LT((arm.contact_velocity() - free.velocity_after).norm(), tolerance * fastest);
    EXPECT_LT((body.velocity() - free.object.velocity).norm(), tolerance * fastest);
    EXPECT_LT((body.angular_velocity() - free.object.angular_velocity).norm(),
              tolerance * free.object.angular_velocity.norm());
    EXPECT_LT((arm.state().dq - dq - free.joint_velocity_jump).norm(), tolerance * free.joint_velocity_jump.norm());
  }
}

TEST(ImpactLab, TwoArmsHitEachOther) {
  const Robot panda = load_robot("panda"), small = load_robot("spatial_3r");
  const ContactPoint point = test::paper_contact();
  const ContactPoint other_point{small.joints().back().link, {0.1, 0.05, 0.1}, {1, 0, 0}};
  const VectorX q = test::paper_configuration(1), other_q = Eigen::Vector3d(0.3, 0.8, -0.7);
  const ContactDynamics one = contact_dynamics(panda, point, q), two = contact_dynamics(small, other_point, other_q);
  VectorX dq = approach(one, 0.3).dq;
  dq[0] += 0.2;
  const VectorX other_dq = Eigen::Vector3d(0.2, -0.4, 0.6);
  const ImpactOptions options{.friction = 0.3, .restitution = 0.5};
  const PairImpact predicted =
      impact(contact_response(one, dq, generalized_momentum(one)),
             contact_response(two, other_dq, generalized_momentum(two)), one.normal_W, options);
  ASSERT_EQ(predicted.impact.status, ImpactStatus::ok);
  lab::Plant arm = plant_of(panda, point, q, dq), other = plant_of(small, other_point, other_q, other_dq);
  const Vector3 apart = arm.contact_position() - other.contact_position();  // they stand somewhere else
  StiffContact contact(one.normal_W, options);
  const VectorX none = VectorX::Zero(7), none_other = VectorX::Zero(3);
  for (int i = 0; i < 100000 && !contact.over(); ++i) {
    const Vector3 f = contact.force(arm.contact_position() - other.contact_position() - apart,
                                    arm.contact_velocity() - other.contact_velocity());
    arm.step(none, f);
    other.step(none_other, -f);
  }
  ASSERT_TRUE(contact.over());
  const double fastest = predicted.velocity_after.norm() + predicted.other_velocity_after.norm();
  EXPECT_LT((arm.contact_velocity() - predicted.velocity_after).norm(), tolerance * fastest);
  EXPECT_LT((other.contact_velocity() - predicted.other_velocity_after).norm(), tolerance * fastest);
}

}  // namespace
}  // namespace thud
