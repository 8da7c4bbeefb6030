// Functions marked "Real-time." allocate nothing: every way to the heap is counted while they run.

#include <thud/batch.hpp>
#include <thud/detect.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/limit.hpp>
#include <thud/urdf.hpp>

#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace thud {
namespace {

TEST(Realtime, TheCounterCounts) {
  // By pointers that the compiler does not see through: it may move or leave out an allocation that it knows.
  void* (*const volatile by_malloc)(std::size_t) = std::malloc;
  void* (*const volatile by_new)(std::size_t) = operator new;
  const long before = allocations();
  void* const one = by_malloc(100);
  void* const other = by_new(100);
  EXPECT_EQ(allocations() - before, 2);
  std::free(one);
  operator delete(other);
}

TEST(Realtime, LoopAllocatesNothing) {
  static_assert(noexcept(contact_dynamics(std::declval<DynamicsWorkspace&>(), std::declval<const VectorRef&>())));
  static_assert(noexcept(predict(std::declval<const ContactDynamics&>(), std::declval<const VectorRef&>(),
                                 std::declval<const PredictOptions&>(), std::declval<Prediction&>())));
  static_assert(
      noexcept(algebraic(std::declval<const ContactDynamics&>()))&& noexcept(generalized_momentum(std::declval<const ContactDynamics&>()))&& noexcept(
          composite_rigid_body(
              std::declval<
                  const ContactDynamics&>()))&& noexcept(flexible_joints(std::
                                                                             declval<
                                                                                 const ContactDynamics&>()))&& noexcept(equivalent_inertia(std::
                                                                                                                                               declval<
                                                                                                                                                   const ContactDynamics&>())));
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    DynamicsWorkspace workspace(robot, sample.point);
    Prediction prediction(robot.size());
    VectorX q = sample.state.q;
    const long before = allocations();
    double sum = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
      q[0] += 0.01;
      const ContactDynamics& dynamics = contact_dynamics(workspace, q);
      for (const bool pseudo_inverse : {false, true}) {
        predict(dynamics, sample.state.dq, {.restitution = 0.2, .pseudo_inverse = pseudo_inverse}, prediction);
        sum += prediction[InertiaModel::composite_rigid_body].impulse.total;
      }
      sum += equivalent_inertia(dynamics)(0, 0);
    }
    EXPECT_EQ(allocations() - before, 0) << robot.name() << " " << sum;
  }
}

TEST(Realtime, AnImpactWithFrictionAllocatesNothing) {
  static_assert(
      noexcept(impact(std::declval<const Matrix3&>(), std::declval<const Vector3&>(), std::declval<const Vector3&>(),
                      std::declval<const ImpactOptions&>(), std::declval<Impact&>())));
  static_assert(
      noexcept(predict_impact(std::declval<const ContactDynamics&>(), std::declval<const VectorRef&>(),
                              std::declval<const ImpactPredictionOptions&>(), std::declval<ImpactPrediction&>())));
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    DynamicsWorkspace workspace(robot, sample.point);
    ImpactPrediction prediction(robot.size());
    const ImpactPredictionOptions options{.friction = 0.3, .restitution = 0.2, .object = Object{.mass = 2}};
    VectorX q = sample.state.q;
    const long before = allocations();
    double sum = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
      q[0] += 0.01;
      predict_impact(contact_dynamics(workspace, q), sample.state.dq, options, prediction);
      sum += prediction[InertiaModel::composite_rigid_body].impact.compression;
    }
    EXPECT_EQ(allocations() - before, 0) << robot.name() << " " << sum;
  }
}

TEST(Realtime, FollowersAllocateNothing) {
  // The Panda with its last joint following the first: the index of its frames counts the follower.
  const Robot panda = load_robot("panda");
  std::vector<Joint> joints = panda.joints();
  std::vector<BodyInertia> bodies = panda.bodies();
  const Robot robot("follows", {joints.begin(), joints.end() - 1}, {bodies.begin(), bodies.end() - 1}, panda.frames(),
                    {}, {{joints.back(), bodies.back(), 0, 0.5, 0.1}});
  DynamicsWorkspace workspace(robot, test::paper_contact());
  MomentumObserver observer(robot, 100);
  VectorX q = VectorX::Constant(6, 0.3);
  const VectorX dq = VectorX::Ones(6);
  const long before = allocations();
  double sum = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    q[0] += 0.01;
    sum += contact_dynamics(workspace, q).mass + observer.update(q, dq, dq, 1e-3)[0];
  }
  EXPECT_EQ(allocations() - before, 0) << sum;
}

TEST(Realtime, LimitsAllocateNothing) {
  static_assert(noexcept(impact_rows(std::declval<const ContactDynamics&>(), std::declval<const VectorRef&>(), 1e-3,
                                     std::declval<const Limits&>(), std::declval<const VectorRef&>(),
                                     std::declval<const ExpectedHit&>(), std::declval<ImpactRows&>())));
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    DynamicsWorkspace workspace(robot, sample.point);
    const Limits limits = robot_limits(robot);
    const VectorX gravity = VectorX::Zero(robot.size());
    ImpactRows rows(robot.size());
    VectorX q = sample.state.q;
    const long before = allocations();
    double sum = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
      q[0] += 0.01;
      const ContactDynamics& dynamics = contact_dynamics(workspace, q);
      for (const InertiaModel model : all_inertia_models) {
        const ExpectedHit hit{model, 0.3, 5e-3};
        impact_rows(dynamics, sample.state.dq, 1e-3, limits, gravity, hit, rows);
        sum += rows.A(0, 0) + joint_speed_limit(dynamics, sample.state.dq, limits, gravity, hit);
      }
    }
    EXPECT_EQ(allocations() - before, 0) << robot.name() << " " << sum;
  }
}

TEST(Realtime, BatchAllocatesNothingPerPosture) {
  const Robot panda = load_robot("panda");
  for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::positions, BatchOutputs::everything}) {
    const BatchOptions options{.outputs = outputs, .pseudo_inverse = true, .run = {.jobs = 1}};
    const auto count = [&](Eigen::Index postures) {
      const Eigen::MatrixXd q = Eigen::MatrixXd::Constant(7, postures, 0.3);
      const long before = allocations();
      predict_batch(panda, test::paper_contact(), q, q, options);
      return allocations() - before;
    };
    EXPECT_EQ(count(200), count(100));
  }
}

TEST(Realtime, DetectionAllocatesNothing) {
  static_assert(noexcept(
      std::declval<ThresholdDetector&>().update(std::declval<const VectorRef&>(), std::declval<const VectorRef&>())));
  static_assert(noexcept(std::declval<MomentumObserver&>().update(
      std::declval<const VectorRef&>(), std::declval<const VectorRef&>(), std::declval<const VectorRef&>(), 1e-3)));
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const State state = test::random_sample(random, robot).state;
    const VectorX reference = VectorX::Ones(robot.size());
    VectorX q = state.q, torque = VectorX::Zero(robot.size());
    MomentumObserver observer(robot, 100);
    ThresholdDetector detector({0}, 1.8);
    const long before = allocations();
    for (int cycle = 0; cycle < 100; ++cycle) {
      q[0] += 0.01;
      torque[0] += 0.1;
      detector.update(torque, reference);
      if (detector.update(observer.update(q, state.dq, torque, 1e-3))) detector.reset();
    }
    observer.reset();
    EXPECT_EQ(allocations() - before, 0) << robot.name() << " " << detector.residual();
  }
}

TEST(Realtime, AnElasticHitAllocatesNothingOnceItHasHeldOne) {
  const Robot panda = load_robot("panda");
  Drives drives;
  drives.rotor_inertia = VectorX::Constant(7, 0.2);
  drives.stiffness = VectorX::Constant(7, 1e4);
  drives.damping = VectorX::Constant(7, 1);
  drives.effort = VectorX::Constant(7, 12);
  drives.servo_stiffness = VectorX::Constant(7, 2500);
  drives.servo_damping_ratio = 1;
  const ElasticArm arm = elastic_arm(panda, test::paper_contact(), test::paper_configuration(0), drives);
  ElasticProfile profile(panda.size());
  const ElasticOptions wall{.horizon = 0.02}, object{.horizon = 0.02, .object_inverse_mass = 0.5};
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(300, 0, 0.02);
  Eigen::VectorXd force(times.size());
  static_assert(noexcept(elastic_profile(arm, std::declval<const ContactLaw&>(), -0.1, wall, profile)));
  void (*const filled)(const ElasticProfile&, const VectorRef&, Eigen::Ref<Eigen::VectorXd>) noexcept = &forces;
  for (const LawKind kind : all_laws) {
    const ContactLaw law = typical_law(kind);
    for (const ElasticOptions* options : {&wall, &object})
      for (const double velocity : {-0.2, -0.15, -0.1}) elastic_profile(arm, law, velocity, *options, profile);
    const long before = allocations();
    for (const ElasticOptions* options : {&wall, &object})
      for (const double velocity : {-0.2, -0.15, -0.1}) {
        elastic_profile(arm, law, velocity, *options, profile);
        filled(profile, times, force);
      }
    EXPECT_EQ(allocations() - before, 0) << to_string(kind);
    EXPECT_GT(force.maxCoeff(), 0);
  }
}

}  // namespace
}  // namespace thud
