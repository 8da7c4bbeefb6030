#include "map/gradient.hpp"

#include <thud/aim.hpp>

#include <algorithm>
#include <limits>

#include <Eigen/Dense>

namespace thud::map {
namespace {

double dot(const Spatial& a, const Spatial& b) noexcept {
  return a.linear.dot(b.linear) + a.angular.dot(b.angular);
}

// The rate of change of the motion b when it moves with the motion a.
Spatial cross(const Spatial& a, const Spatial& b) noexcept {
  return {a.angular.cross(b.linear) + a.linear.cross(b.angular), a.angular.cross(b.angular)};
}

void add(Spatial& to, const Spatial& what, double factor = 1) noexcept {
  to.linear += factor * what.linear;
  to.angular += factor * what.angular;
}

}  // namespace

ContactTree::ContactTree(const Robot& robot, const ContactPoint& point)
    : all_(robot::expanded(robot)), joints_(robot::joint_tree(all_.robot)), axes_(joints_.size()) {
  validate(robot, point);
  in_composite_ = robot::composite_joints(all_.robot, point);
  const Frame& frame = all_.robot.frame(point.frame);
  for (int i = frame.joint; i >= 0; i = joints_[static_cast<std::size_t>(i)].parent)
    chain_.push_back(static_cast<std::size_t>(i));
  std::reverse(chain_.begin(), chain_.end());
  p_JC_ = frame.p_JF + frame.R_JF * point.offset;
  R_JF_ = frame.R_JF;
  q_.resize(all_.robot.size());
  gradient_.resize(all_.robot.size());
}

std::vector<bool> ContactTree::matters(int joints) const {
  std::vector<bool> list(static_cast<std::size_t>(joints));
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (in_composite_[i]) list[static_cast<std::size_t>(all_.coordinates[i].joint)] = true;
  return list;
}

void ContactTree::place(const VectorRef& q) noexcept {
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    const auto& [joint, multiplier, offset] = all_.coordinates[static_cast<std::size_t>(i)];
    q_[i] = multiplier * q[joint] + offset;
  }
  robot::forward_kinematics(joints_, q_);
  const robot::TreeJoint& last = joints_[chain_.back()];
  p_WC_ = last.p_WJ + last.R_WJ * p_JC_;
  R_WF_ = last.R_WJ * R_JF_;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const robot::TreeJoint& joint = joints_[i];
    axes_[i] =
        joint.is_revolute ? Spatial{joint.axis_W.cross(p_WC_ - joint.p_WJ), joint.axis_W} : Spatial{joint.axis_W};
  }
}

void ContactTree::jacobian(Matrix6X& J) const noexcept {
  J.setZero();
  for (const std::size_t i : chain_) {
    const robot::Coordinate& coordinate = all_.coordinates[i];
    J.col(coordinate.joint).head<3>() += coordinate.multiplier * axes_[i].linear;
    J.col(coordinate.joint).tail<3>() += coordinate.multiplier * axes_[i].angular;
  }
}

VectorX ContactTree::all_rates(const VectorRef& rates) const {
  VectorX all(q_.size());
  for (Eigen::Index i = 0; i < all.size(); ++i) {
    const robot::Coordinate& coordinate = all_.coordinates[static_cast<std::size_t>(i)];
    all[i] = coordinate.multiplier * rates[coordinate.joint];
  }
  return all;
}

void ContactTree::place_bodies() noexcept {
  bodies_.resize(joints_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const robot::TreeJoint& joint = joints_[i];
    bodies_[i] = {joint.body.mass, joint.p_WJ + joint.R_WJ * joint.body.com - p_WC_,
                  joint.R_WJ * joint.body.inertia * joint.R_WJ.transpose()};
  }
}

// Twist of each body, and the momentum of all that each joint moves.
void ContactTree::move(Motion& motion, bool composite_only) const noexcept {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Spatial& twist = motion.twists[i];
    const int parent = joints_[i].parent;
    twist = parent < 0 ? motion.whole : motion.twists[static_cast<std::size_t>(parent)];
    if (motion.rates.size() != 0) add(twist, axes_[i], motion.rates[static_cast<Eigen::Index>(i)]);
    Spatial& momentum = motion.momenta[i];
    if (composite_only && !in_composite_[i]) {
      momentum = {};
      continue;
    }
    const Body& body = bodies_[i];
    momentum.linear = body.mass * (twist.linear + twist.angular.cross(body.com));
    momentum.angular = body.inertia * twist.angular + body.com.cross(momentum.linear);
  }
  for (std::size_t i = joints_.size(); i-- > 0;)
    if (joints_[i].parent >= 0) add(motion.momenta[static_cast<std::size_t>(joints_[i].parent)], motion.momenta[i]);
}

// d/dq_i of the sum of U.I V over the bodies, with the twist `whole` and the rates of both motions held.
void ContactTree::add_energy_gradient(Motion& U, Motion& V, bool composite_only, double factor) noexcept {
  for (Motion* motion : {&U, &V}) {
    motion->twists.resize(joints_.size());
    motion->momenta.resize(joints_.size());
    move(*motion, composite_only);
  }
  for (std::size_t i = 0; i < joints_.size(); ++i)
    gradient_[static_cast<Eigen::Index>(i)] +=
        factor * (dot(U.momenta[i], cross(V.twists[i], axes_[i])) + dot(V.momenta[i], cross(U.twists[i], axes_[i])));
}

// d/dq_i of u.J rates, with u and the rates held: a joint turns the motions behind it, and carries the contact point
// through those before it.
void ContactTree::add_jacobian_gradient(const Spatial& u, const VectorX& rates, double factor) noexcept {
  Spatial behind;
  for (const std::size_t k : chain_) add(behind, axes_[k], rates[static_cast<Eigen::Index>(k)]);
  Vector3 turning_before = Vector3::Zero();
  for (const std::size_t i : chain_) {
    const Spatial& axis = axes_[i];
    const double rate = rates[static_cast<Eigen::Index>(i)];
    gradient_[static_cast<Eigen::Index>(i)] +=
        factor * (u.linear.dot(axis.angular.cross(behind.linear) + turning_before.cross(axis.linear)) +
                  u.angular.dot(axis.angular.cross(behind.angular)));
    add(behind, axis, -rate);
    turning_before += rate * axis.angular;
  }
}

// d/dq_i of force.c, c the centre of mass of the composite body.
void ContactTree::add_center_gradient(const Vector3& force, double mass, double factor) noexcept {
  VectorX moved = VectorX::Zero(q_.size());  // mass that each joint moves, and its first moment
  Eigen::Matrix3Xd moment = Eigen::Matrix3Xd::Zero(3, q_.size());
  for (std::size_t at = joints_.size(); at-- > 0;) {
    if (!in_composite_[at]) continue;
    const auto i = static_cast<Eigen::Index>(at);
    moved[i] += bodies_[at].mass;
    moment.col(i) += bodies_[at].mass * bodies_[at].com;
    const Vector3 first = moment.col(i);
    gradient_[i] += factor / mass * force.dot(moved[i] * axes_[at].linear + axes_[at].angular.cross(first));
    if (joints_[at].parent < 0) continue;
    moved[joints_[at].parent] += moved[i];
    moment.col(joints_[at].parent) += first;
  }
}

// d/dq_i of force.p
void ContactTree::add_point_gradient(const Vector3& force, double factor) noexcept {
  for (const std::size_t i : chain_) gradient_[static_cast<Eigen::Index>(i)] += factor * force.dot(axes_[i].linear);
}

// 2 u.dJ y - y^T dM y, for y = M^-1 J^T u
void ContactTree::add_generalized_momentum(const Spatial& u, const VectorX& y, double factor) {
  add_jacobian_gradient(u, y, 2 * factor);
  Motion first{{}, y, {}, {}}, second = first;
  add_energy_gradient(first, second, false, -factor);
}

// 2 ((dp - dc) x n).z - z^T dIc z
void ContactTree::add_composite(const ContactDynamics& dynamics, const Vector3& z) {
  const Vector3 force = dynamics.normal_W.cross(z), r = dynamics.p_WC - dynamics.com_W;
  add_point_gradient(force, 2);
  add_center_gradient(force, dynamics.mass, -2);
  // turning about the centre of mass: where that moves, Ic does not change in first order
  Motion first{{z.cross(r), z}, {}, {}, {}}, second = first;
  add_energy_gradient(first, second, true, -1);
}

// The gradient of g = (n/m, z).A_G y, y = M^-1 J_v^T n.
void ContactTree::subtract_flexible(const ContactDynamics& dynamics, const Vector3& z, const VectorX& y) {
  const Vector3 &n = dynamics.normal_W, r = dynamics.p_WC - dynamics.com_W;
  const VectorX rates = all_rates(y);
  Vector6 K;
  K << n / dynamics.mass, z;
  // by M^-1 and J: x.da - x^T dM y, x = M^-1 A_G^T K
  const VectorX b = dynamics.A_G.transpose() * K;
  const VectorX x = all_rates(Eigen::LDLT<Eigen::MatrixXd>(dynamics.M).solve(b));
  add_jacobian_gradient({n, Vector3::Zero()}, x, -1);
  Motion by_x{{}, x, {}, {}}, by_y{{}, rates, {}, {}};
  add_energy_gradient(by_x, by_y, false, 1);
  // by A_G, K held in space
  Motion rigid{{n / dynamics.mass + z.cross(r), z}, {}, {}, {}};
  add_energy_gradient(rigid, by_y, true, -1);
  // by K, the velocity n/m at the centre of mass and Ic dz = (dp - dc) x n - dIc z: -l.(z x dc) + h.dz
  const Vector6 h = dynamics.A_G * y;
  const Vector3 l = h.head<3>(), w = dynamics.Ic_W.ldlt().solve(h.tail<3>());
  add_center_gradient(l.cross(z), dynamics.mass, 1);
  add_point_gradient(n.cross(w), -1);
  add_center_gradient(n.cross(w), dynamics.mass, 1);
  Motion by_z{{z.cross(r), z}, {}, {}, {}}, by_w{{w.cross(r), w}, {}, {}, {}};
  add_energy_gradient(by_z, by_w, true, 1);
}

void ContactTree::inverse_mass_gradient(const ContactDynamics& dynamics, InertiaModel model, VectorX& gradient) {
  const Vector3 &n = dynamics.normal_W, r = dynamics.p_WC - dynamics.com_W;
  place_bodies();
  gradient_.setZero();
  Vector3 z = Vector3::Zero();
  VectorX y;
  if (model == InertiaModel::composite_rigid_body || model == InertiaModel::flexible_joints) {
    z = dynamics.Ic_W.ldlt().solve(r.cross(n));
    add_composite(dynamics, z);
  }
  if (model == InertiaModel::generalized_momentum || model == InertiaModel::flexible_joints) {
    y = dynamics.M_inv_JT.leftCols<3>() * n;
    add_generalized_momentum({n, Vector3::Zero()}, all_rates(y), 1);
  }
  if (model == InertiaModel::flexible_joints) subtract_flexible(dynamics, z, y);
  if (model == InertiaModel::algebraic) {
    const Eigen::Matrix<double, 6, 6> A = dynamics.J * dynamics.M_inv_JT;
    Eigen::Matrix<double, 6, 1> e = Eigen::Matrix<double, 6, 1>::Zero();
    e.head<3>() = n;
    const Eigen::Matrix<double, 6, 1> u = A.ldlt().solve(e);
    const double mass = e.dot(u);
    y = dynamics.M_inv_JT * u;
    add_generalized_momentum({u.head<3>(), u.tail<3>()}, all_rates(y), 1 / (mass * mass));
  }
  gradient.setZero(dynamics.J.cols());
  for (Eigen::Index i = 0; i < gradient_.size(); ++i) {
    const robot::Coordinate& coordinate = all_.coordinates[static_cast<std::size_t>(i)];
    gradient[coordinate.joint] += coordinate.multiplier * gradient_[i];
  }
}

}  // namespace thud::map

namespace THUD_EXPORT thud {

VectorX inverse_mass_gradient(const Robot& robot, const ContactPoint& point, const VectorRef& q, InertiaModel model) {
  const ContactDynamics dynamics = contact_dynamics(robot, point, q);
  VectorX gradient = VectorX::Constant(robot.size(), std::numeric_limits<double>::quiet_NaN());
  if (!inverse_inertia(dynamics, model).exists()) return gradient;
  map::ContactTree tree(robot, point);
  tree.place(q);
  tree.inverse_mass_gradient(dynamics, model, gradient);
  return gradient;
}

}  // namespace thud
