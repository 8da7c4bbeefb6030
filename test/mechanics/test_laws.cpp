// Laws of mechanics over random robots, states and contacts. RapidCheck draws them and, when a law breaks, looks for
// the smallest robot that still breaks it. Set RC_PARAMS="seed=N max_success=K" for other or more cases.

#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

// Rounding over some dozens of links, against the size of the result.
constexpr double tight = 1e-11;

// What one case is made of: shrinks in its number of joints.
struct Case {
  Robot robot;
  State state;
  ContactPoint point;
  ContactDynamics dynamics;
};

Case any_case() {
  const int joints = *rc::gen::inRange(1, 25).as("joints");
  const auto seed = *rc::gen::noShrink(rc::gen::inRange<std::uint64_t>(0, 1ULL << 40)).as("seed");
  const bool serial = *rc::gen::arbitrary<bool>().as("serial");
  Robot robot = parse_urdf(test::random_urdf(seed, joints, serial), "random");
  test::Random random(seed + 1);
  auto [state, point] = test::random_sample(random, robot);
  point.whole = *rc::gen::arbitrary<bool>().as("whole");
  ContactDynamics dynamics = contact_dynamics(robot, point, state.q);
  return {std::move(robot), std::move(state), std::move(point), std::move(dynamics)};
}

// Motion of each body by recursion over velocities: no Jacobian, no composite inertia.
struct Motion {
  Matrix3 R;
  Vector3 p, v, w;  // joint origin, its velocity, angular velocity
};
std::vector<Motion> motions(const Robot& robot, const State& state) {
  std::vector<Motion> result;
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    Motion parent{Matrix3::Identity(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
    if (joint.parent >= 0) parent = result[static_cast<std::size_t>(joint.parent)];
    Motion motion = parent;
    motion.R = parent.R * joint.R_PJ;
    motion.p = parent.p + parent.R * joint.p_PJ;
    if (joint.type == JointType::prismatic)
      motion.p += motion.R * joint.axis * state.q[i];
    else
      motion.R = motion.R * Eigen::AngleAxisd(state.q[i], joint.axis);
    motion.v = parent.v + parent.w.cross(motion.p - parent.p);
    const Vector3 rate = motion.R * joint.axis * state.dq[i];
    (joint.type == JointType::prismatic ? motion.v : motion.w) += rate;
    result.push_back(motion);
  }
  return result;
}

RC_GTEST_PROP(Laws, InertiaIsSymmetricAndPositive, ()) {
  const auto [robot, state, point, d] = any_case();
  RC_ASSERT((d.M - d.M.transpose()).norm() == 0);
  RC_ASSERT(Eigen::LLT<Eigen::MatrixXd>(Eigen::MatrixXd(d.M)).info() == Eigen::Success);
  const InverseInertia gm = generalized_momentum(d), composite = composite_rigid_body(d);
  RC_ASSERT(composite.status == InertiaStatus::ok);
  RC_ASSERT((composite.W - composite.W.transpose()).norm() < tight * composite.W.norm());
  RC_ASSERT(Eigen::SelfAdjointEigenSolver<Matrix3>(composite.W).eigenvalues()[0] > 0);
  if (gm.status == InertiaStatus::ok) {
    RC_ASSERT((gm.W - gm.W.transpose()).norm() < tight * gm.W.norm());
    RC_ASSERT(Eigen::SelfAdjointEigenSolver<Matrix3>(gm.W).eigenvalues()[0] > -tight * gm.W.norm());
  }
  const Matrix6 I_eq = equivalent_inertia(d);
  RC_ASSERT((I_eq - I_eq.transpose()).norm() < tight * I_eq.norm());
}

RC_GTEST_PROP(Laws, KineticEnergyByInertiaAndByLinks, ()) {
  const auto [robot, state, point, d] = any_case();
  const auto moving = motions(robot, state);
  double energy = 0;
  for (int i = 0; i < robot.size(); ++i) {
    const auto& [R, p, v, w] = moving[static_cast<std::size_t>(i)];
    const BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    const Vector3 v_com = v + w.cross(R * body.com), w_body = R.transpose() * w;
    energy += body.mass * v_com.squaredNorm() / 2 + w_body.dot(body.inertia * w_body) / 2;
  }
  const double terms = state.dq.cwiseAbs().dot(d.M.cwiseAbs() * state.dq.cwiseAbs());  // which may cancel
  RC_ASSERT(std::abs(state.dq.dot(d.M * state.dq) / 2 - energy) < tight * terms);
}

// The joint on the base by which another hangs on it.
int root(const Robot& robot, int joint) {
  while (robot.joints()[static_cast<std::size_t>(joint)].parent >= 0)
    joint = robot.joints()[static_cast<std::size_t>(joint)].parent;
  return joint;
}

RC_GTEST_PROP(Laws, MomentumByMapAndByLinks, ()) {
  const Case given = any_case();
  const auto& [robot, state, point, d] = given;
  const int hit = root(robot, robot.frame(point.frame).joint);
  const auto counts = [&](int joint) { return given.point.whole || root(given.robot, joint) == hit; };
  const auto moving = motions(robot, state);
  Vector3 first = Vector3::Zero(), linear = Vector3::Zero(), angular = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  double mass = 0, size = 0;
  for (int i = 0; i < robot.size(); ++i) {
    if (!counts(i)) continue;
    const BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    first += body.mass * (moving[static_cast<std::size_t>(i)].p + moving[static_cast<std::size_t>(i)].R * body.com);
    mass += body.mass;
  }
  const Vector3 com = first / mass;
  for (int i = 0; i < robot.size(); ++i) {
    if (!counts(i)) continue;
    const auto& [R, p, v, w] = moving[static_cast<std::size_t>(i)];
    const BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    const Vector3 r = p + R * body.com - com, momentum = body.mass * (v + w.cross(R * body.com));
    const Matrix3 inertia = R * body.inertia * R.transpose();
    linear += momentum;
    angular += inertia * w + r.cross(momentum);
    second += inertia + body.mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
    size += momentum.norm() * (1 + r.norm()) + inertia.norm() * w.norm();
  }
  RC_ASSERT(std::abs(d.mass - mass) < tight * mass);
  RC_ASSERT((d.com_W - com).norm() < tight * (1 + com.norm()));
  RC_ASSERT((d.Ic_W - second).norm() < tight * second.norm() * 10);
  const Vector6 h = d.A_G * state.dq;
  RC_ASSERT((h.head<3>() - linear).norm() < tight * size);
  RC_ASSERT((h.tail<3>() - angular).norm() < tight * size * 10);
}

RC_GTEST_PROP(Laws, JacobianIsTheRateOfTheContactPoint, ()) {
  const auto [robot, state, point, d] = any_case();
  constexpr double h = 1e-6;  // central difference: error h^2 from the cut, 1e-16/h from rounding
  const auto ahead = contact_dynamics(robot, point, state.q + h * state.dq);
  const auto behind = contact_dynamics(robot, point, state.q - h * state.dq);
  const Vector6 twist = d.J * state.dq;
  const double size = 1 + d.J.norm() * state.dq.norm() * (1 + state.dq.squaredNorm());
  RC_ASSERT(((ahead.p_WC - behind.p_WC) / (2 * h) - twist.head<3>()).norm() < 1e-8 * size);
  // angular rows: the velocity of a point shifted along the link by the offset e is v + w x e
  ContactPoint shifted = point;
  shifted.offset += Vector3(0.3, -0.2, 0.5);
  const auto other = contact_dynamics(robot, shifted, state.q);
  const Vector3 v_other = other.J.topRows<3>() * state.dq, w = twist.tail<3>();
  RC_ASSERT((v_other - twist.head<3>() - w.cross(other.p_WC - d.p_WC)).norm() < tight * size);
}

RC_GTEST_PROP(Laws, TheWorldMayBeTurnedAndMoved, ()) {
  const auto [robot, state, point, d] = any_case();
  test::Random random(*rc::gen::arbitrary<std::uint32_t>());
  const Matrix3 R = test::random_rotation(random);
  const Vector3 t = test::random_vector(random);
  auto joints = robot.joints();
  for (auto& joint : joints) {
    if (joint.parent >= 0) continue;
    joint.R_PJ = R * joint.R_PJ;
    joint.p_PJ = R * joint.p_PJ + t;
  }
  const Robot moved(robot.name(), joints, robot.bodies(), robot.frames(), {});
  ContactPoint there = point;
  there.normal_W = R * point.normal_W;
  const ContactDynamics e = contact_dynamics(moved, there, state.q);
  const auto close = [](const auto& a, const auto& b) { return test::relative_error(a, b) < tight; };
  RC_ASSERT(close(e.M, d.M));
  RC_ASSERT(close(e.p_WC, R * d.p_WC + t));
  RC_ASSERT(close(e.com_W, R * d.com_W + t));
  RC_ASSERT(close(e.Ic_W, R * d.Ic_W * R.transpose()));
  Eigen::Matrix<double, 6, 6> turn = Eigen::Matrix<double, 6, 6>::Zero();
  turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = R;
  RC_ASSERT(close(e.J, turn * d.J));
  RC_ASSERT(close(e.A_G, turn * d.A_G));
  const Prediction here = predict(d, state.dq), moved_there = predict(e, state.dq);
  for (const InertiaModel model : all_inertia_models) {
    const auto& a = here[model].inertia;
    const auto& b = moved_there[model].inertia;
    RC_ASSERT(a.status == b.status);
    // J M^-1 J^T may have any condition at a random posture: compare where digits are left
    if (a.status == InertiaStatus::ok && model != InertiaModel::algebraic)
      RC_ASSERT(std::abs(a.effective_mass() / b.effective_mass() - 1) < 1e-8);
  }
  RC_ASSERT(std::abs(here.v_exact - moved_there.v_exact) < tight * (1 + d.J.norm() * state.dq.norm()));
}

RC_GTEST_PROP(Laws, SchurOrder, ()) {
  const auto [robot, state, point, d] = any_case();
  const InverseInertia em = algebraic(d), gm = generalized_momentum(d);
  if (em.status != InertiaStatus::ok) return;
  RC_ASSERT(gm.status == InertiaStatus::ok);
  RC_ASSERT(em.effective_mass() >= gm.effective_mass() * (1 - 1e-9));
}

RC_GTEST_PROP(Laws, LinkInertiasSumToTheWhole, ()) {
  const auto [robot, state, point, d] = any_case();
  const auto inertias = link_inertias(robot, point, state.q);
  Matrix6 sum = Matrix6::Zero();
  for (const auto& inertia : inertias) sum += inertia;
  RC_ASSERT(test::relative_error(sum, equivalent_inertia(d)) < tight);
  const auto shares = link_shares(d, inertias);
  double total = 0;
  for (const double share : shares) {
    RC_ASSERT(share >= 0);
    total += share;
  }
  RC_ASSERT(std::abs(total - 1) < 1e-9);
  // the composite mobility is the linear block of the inverse of the whole
  const Eigen::Matrix<double, 6, 6> inverse = Eigen::Matrix<double, 6, 6>(sum).inverse();
  RC_ASSERT(test::relative_error(composite_rigid_body(d).W, inverse.topLeftCorner<3, 3>()) < 1e-8);
}

RC_GTEST_PROP(Laws, ImpactKeepsMomentumRestitutionAndEnergy, ()) {
  const auto [robot, state, point, d] = any_case();
  const InverseInertia gm = generalized_momentum(d);
  const double e = *rc::gen::inRange(0, 101) / 100.0;
  const double v_before = contact_velocity(d, state.dq);
  if (gm.status != InertiaStatus::ok || v_before >= 0) return;
  const Vector3 impulse_W = normal_impulse(gm, v_before, {.restitution = e}).total * d.normal_W;
  const VectorX after = state.dq + joint_velocity_jump(d, impulse_W);
  const double size = (d.M.cwiseAbs() * (state.dq.cwiseAbs() + after.cwiseAbs())).norm();
  RC_ASSERT((d.M * (after - state.dq) - d.J.topRows<3>().transpose() * impulse_W).norm() < tight * size);
  RC_ASSERT(std::abs(contact_velocity(d, after) + e * v_before) <
            1e-8 * (std::abs(v_before) + d.J.norm() * after.norm()));
  const double energy_before = state.dq.dot(d.M * state.dq), energy_after = after.dot(d.M * after);
  RC_ASSERT(energy_after <= energy_before * (1 + 1e-9));
}

RC_GTEST_PROP(Laws, FreeJointsAreTheUnitImpulseResponse, ()) {
  const auto [robot, state, point, d] = any_case();
  const InverseInertia gm = generalized_momentum(d);
  if (gm.status != InertiaStatus::ok) return;
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd jump = Eigen::MatrixXd(d.M).ldlt().solve(Eigen::VectorXd(d.J.row(k).transpose()));
    RC_ASSERT((d.J.topRows<3>() * jump - gm.W.col(k)).norm() < 1e-8 * gm.W.norm());
  }
}

}  // namespace
}  // namespace thud
