#include "lab/plant.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "robot/joint_tree.hpp"

namespace thud::lab {
namespace {

void copy(const Vector3& from, double (&to)[3]) {
  std::copy_n(from.data(), 3, to);
}

void copy(const Matrix3& rotation, double (&to)[4]) {
  const Eigen::Quaterniond q(rotation);
  to[0] = q.w();
  to[1] = q.x();
  to[2] = q.y();
  to[3] = q.z();
}

std::string body_name(std::size_t joint) {
  return "link " + std::to_string(joint);
}

// Principal axes and moments. MuJoCo's compiler rejects a moment above the sum of the others; its dynamics do not.
struct Principal {
  Matrix3 axes;
  Vector3 moments;
};

Principal principal(const Matrix3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia);
  Matrix3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  return {axes, solver.eigenvalues()};
}

void add_inertia(mjsBody* body, const BodyInertia& link) {
  const Principal of = principal(link.inertia);
  body->explicitinertial = 1;
  body->mass = link.mass;
  copy(link.com, body->ipos);
  copy(of.axes, body->iquat);
  copy(Vector3::Constant(std::max(of.moments.maxCoeff(), 1e-9)),
       body->inertia);  // the actual moments are set after compilation
}

mjsJoint* add_joint(mjsBody* body, const Joint& joint) {
  mjsJoint* added = mjs_addJoint(body, nullptr);
  added->type = joint.type == JointType::prismatic ? mjJNT_SLIDE : mjJNT_HINGE;
  copy(joint.axis, added->axis);
  return added;
}

// Pose of joint i's frame in its parent's at position q.
Eigen::Isometry3d pose(const Joint& joint, double q) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = joint.R_PJ;
  pose.translation() = joint.p_PJ;
  if (joint.type == JointType::prismatic)
    pose.translate(q * joint.axis);
  else
    pose.rotate(Eigen::AngleAxisd(q, joint.axis));
  return pose;
}

std::vector<mjsBody*> add_moving_bodies(mjSpec* spec, const Robot& robot, PlantJoints kind, const Drives& drives) {
  std::vector<mjsBody*> bodies;
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    const Joint& joint = robot.joints()[i];
    mjsBody* parent = joint.parent < 0 ? mjs_findBody(spec, "world") : bodies[static_cast<std::size_t>(joint.parent)];
    mjsBody* body = bodies.emplace_back(mjs_addBody(parent, nullptr));
    copy(joint.p_PJ, body->pos);
    copy(joint.R_PJ, body->quat);
    mjsJoint* motor = add_joint(body, joint);
    if (kind == PlantJoints::rigid) {
      motor->armature = joint.rotor_inertia;
      continue;
    }
    const auto k = static_cast<Eigen::Index>(i);
    motor->armature = drives.rotor_inertia[k];
    mjsJoint* transmission = add_joint(body, joint);
    transmission->stiffness[0] = drives.stiffness[k];
    transmission->damping[0] = drives.damping[k];
  }
  return bodies;
}

// The links of the composite body as one in the given posture, free of the base; null for the others. MuJoCo requires
// the free joint on a child of the world: it is on the first link, and links attached to the base are attached to the
// first link instead.
std::vector<mjsBody*> add_locked_bodies(mjSpec* spec, const Robot& robot, const ContactPoint& point,
                                        const VectorX& posture) {
  const std::vector<bool> counts = robot::composite_joints(robot, point);
  std::vector<mjsBody*> bodies;
  mjsBody* root = nullptr;
  Eigen::Isometry3d first = Eigen::Isometry3d::Identity();
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    bodies.push_back(nullptr);
    if (!counts[i]) continue;
    const Joint& joint = robot.joints()[i];
    Eigen::Isometry3d at = pose(joint, posture[static_cast<Eigen::Index>(i)]);
    mjsBody* parent = !root              ? mjs_findBody(spec, "world")
                      : joint.parent < 0 ? root
                                         : bodies[static_cast<std::size_t>(joint.parent)];
    if (!root) first = at;
    if (root && joint.parent < 0) at = first.inverse() * at;
    mjsBody* body = bodies.back() = mjs_addBody(parent, nullptr);
    copy(Vector3(at.translation()), body->pos);
    copy(Matrix3(at.linear()), body->quat);
    if (!root) mjs_addFreeJoint(body);
    if (!root) root = body;
  }
  return bodies;
}

std::unique_ptr<mjModel, MujocoDeleter> build(const Robot& robot, const ContactPoint& point, PlantJoints kind,
                                              const Drives& drives, const VectorX& posture) {
  silence_mujoco_warnings();  // the conditions they report are checked at every step
  const std::unique_ptr<mjSpec, MujocoDeleter> spec(mj_makeSpec());
  spec->compiler.degree = 0;
  const auto bodies = kind == PlantJoints::locked ? add_locked_bodies(spec.get(), robot, point, posture)
                                                  : add_moving_bodies(spec.get(), robot, kind, drives);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i]) continue;
    mjs_setName(bodies[i]->element, body_name(i).c_str());
    add_inertia(bodies[i], robot.bodies()[i]);
  }
  std::unique_ptr<mjModel, MujocoDeleter> model(mj_compile(spec.get(), nullptr));
  if (!model) throw RobotError("robot", robot.name(), std::string("MuJoCo refuses it: ") + mjs_getError(spec.get()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i]) continue;
    const int id = mj_name2id(model.get(), mjOBJ_BODY, body_name(i).c_str());
    const Vector3 moments = principal(robot.bodies()[i].inertia).moments;
    std::copy_n(moments.data(), 3, model->body_inertia + 3 * static_cast<std::ptrdiff_t>(id));
  }
  return model;
}

}  // namespace

void silence_mujoco_warnings() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (!mju_user_warning) mju_user_warning = [](const char*) {};
  });
}

Plant::Plant(const Robot& robot, const ContactPoint& point, PlantJoints joints, const Drives& drives,
             const Vector3& gravity_W, double step, const VectorX& posture)
    : joints_(robot.size()), kind_(joints), drives_(drives), step_(step) {
  validate(robot, point);
  if (!robot.followers().empty())
    throw RobotError("robot", robot.name(),
                     "joint " + robot.followers().front().joint.name +
                         " mimics another, which the virtual lab does not simulate: lock its leader (Robot::reduced)");
  const Frame& frame = robot.frame(point.frame);
  model_ = build(robot, point, joints, drives, posture);
  const auto body = [&](std::size_t i) { return mj_name2id(model_.get(), mjOBJ_BODY, body_name(i).c_str()); };
  body_ = body(static_cast<std::size_t>(frame.joint));
  if (joints != PlantJoints::locked)
    for (std::size_t i = 0; i < robot.joints().size(); ++i)
      motor_.push_back(model_->jnt_dofadr[model_->body_jntadr[body(i)]]);
  offset_ = frame.p_JF + frame.R_JF * point.offset;
  R_BF_ = frame.R_JF;
  model_->opt.timestep = step;
  std::copy_n(gravity_W.data(), 3, model_->opt.gravity);
  model_->opt.integrator = mjINT_EULER;
  model_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_AUTORESET;
  data_.reset(mj_makeData(model_.get()));
  mj_setConst(model_.get(), data_.get());  // the principal moments have changed
  mj_resetData(model_.get(), data_.get());
  update_kinematics();
}

void Plant::set_state(const VectorX& theta, const VectorX& delta, const VectorX& rate) {
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t motor = motor_[static_cast<std::size_t>(i)];
    data_->qpos[motor] = theta[i];
    data_->qvel[motor] = rate[i];
    if (kind_ == PlantJoints::rigid) continue;
    data_->qpos[motor + 1] = delta[i];
    data_->qvel[motor + 1] = 0;
  }
  update_kinematics();
}

void Plant::set_velocity(const Vector3& velocity_W) {
  std::fill_n(data_->qvel, model_->nv, 0.0);
  std::copy_n(velocity_W.data(), 3, data_->qvel);  // a free joint's linear velocity is in world axes
  update_kinematics();
}

void Plant::update_kinematics() {
  mj_step1(model_.get(), data_.get());
}

PlantState Plant::state() const {
  PlantState state{VectorX::Zero(joints_), VectorX::Zero(joints_), VectorX::Zero(joints_), VectorX::Zero(joints_)};
  if (kind_ == PlantJoints::locked) return state;
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t motor = motor_[static_cast<std::size_t>(i)];
    state.theta[i] = state.q[i] = data_->qpos[motor];
    state.dtheta[i] = state.dq[i] = data_->qvel[motor];
    if (kind_ == PlantJoints::rigid) continue;
    state.q[i] += data_->qpos[motor + 1];
    state.dq[i] += data_->qvel[motor + 1];
  }
  return state;
}

Vector3 Plant::contact_position() const {
  const auto at = static_cast<std::ptrdiff_t>(body_);
  const Eigen::Map<const Vector3> position(data_->xpos + 3 * at);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(data_->xmat + 9 * at);
  return position + rotation * offset_;
}

Eigen::Quaterniond Plant::contact_orientation() const {
  const double* q = data_->xquat + 4 * static_cast<std::ptrdiff_t>(body_);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Eigen::Quaterniond(R_BF_);
}

Matrix6X Plant::model_jacobian() const {
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> linear(3, model_->nv), angular(3, model_->nv);
  const Vector3 p = contact_position();
  mj_jac(model_.get(), data_.get(), linear.data(), angular.data(), p.data(), body_);
  Matrix6X J(6, model_->nv);
  J << linear, angular;
  return J;
}

Matrix6X Plant::jacobian() const {
  return model_jacobian()(Eigen::all, motor_);
}

Vector3 Plant::contact_velocity() {
  const Eigen::Map<const VectorX> rates(data_->qvel, model_->nv);
  return model_jacobian().topRows<3>() * rates;
}

VectorX Plant::transmission_torque() const {
  VectorX torque(joints_);
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t transmission = motor_[static_cast<std::size_t>(i)] + 1;
    torque[i] = -drives_.stiffness[i] * data_->qpos[transmission] - drives_.damping[i] * data_->qvel[transmission];
  }
  return torque;
}

double Plant::kinetic_energy() {
  mj_energyVel(model_.get(), data_.get());
  return data_->energy[1];
}

double Plant::elastic_energy() const {
  double energy = 0;
  if (kind_ == PlantJoints::flexible)
    for (Eigen::Index i = 0; i < joints_; ++i)
      energy += drives_.stiffness[i] * std::pow(data_->qpos[motor_[static_cast<std::size_t>(i)] + 1], 2) / 2;
  return energy;
}

double Plant::gravity_energy() const {
  const Eigen::Map<const Vector3> gravity(model_->opt.gravity);
  double energy = 0;
  for (int body = 1; body < model_->nbody; ++body)
    energy -= model_->body_mass[body] *
              gravity.dot(Eigen::Map<const Vector3>(data_->xipos + 3 * static_cast<std::ptrdiff_t>(body)));
  return energy;
}

void Plant::step(const VectorX& motor_torque, const Vector3& force_W) {
  std::fill_n(data_->qfrc_applied, model_->nv, 0.0);
  for (Eigen::Index i = 0; i < motor_torque.size(); ++i)
    data_->qfrc_applied[motor_[static_cast<std::size_t>(i)]] = motor_torque[i];
  const Vector3 p = contact_position();
  const Vector3 none = Vector3::Zero();
  if (!force_W.isZero(0))
    mj_applyFT(model_.get(), data_.get(), force_W.data(), none.data(), p.data(), body_, data_->qfrc_applied);
  mj_step2(model_.get(), data_.get());
  if (!Eigen::Map<const VectorX>(data_->qvel, model_->nv).allFinite() ||
      !Eigen::Map<const VectorX>(data_->qpos, model_->nq).allFinite())
    throw PlantError("step", step_, "the plant became unstable: take a smaller step, or softer springs and gains");
  update_kinematics();
}

VectorX Plant::inverse_dynamics(const VectorX& q, const VectorX& dq, const VectorX& ddq) {
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t motor = motor_[static_cast<std::size_t>(i)];
    data_->qpos[motor] = q[i];
    data_->qvel[motor] = dq[i];
    data_->qacc[motor] = ddq[i];
  }
  mj_inverse(model_.get(), data_.get());
  VectorX torque(joints_);
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t motor = motor_[static_cast<std::size_t>(i)];
    torque[i] = data_->qfrc_inverse[motor] - model_->dof_armature[motor] * ddq[i];
  }
  return torque;
}

Matrix3 Plant::contact_inverse_inertia() {
  const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> J = model_jacobian().topRows<3>();
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> solved(3, model_->nv);
  mj_solveM(model_.get(), data_.get(), solved.data(), J.data(), 3);
  return J * solved.transpose();
}

VectorX Plant::inertia_diagonal() const {
  VectorX diagonal(joints_);
  for (Eigen::Index i = 0; i < joints_; ++i) {
    const std::ptrdiff_t motor = motor_[static_cast<std::size_t>(i)];
    diagonal[i] = data_->M[model_->M_rowadr[motor] + model_->M_rownnz[motor] - 1];
  }
  return diagonal;
}

Auditor::Auditor(Plant& plant, EnergyAudit& energy)
    : plant_(plant),
      energy_(energy),
      kinetic_(plant.kinetic_energy()),
      elastic_(plant.elastic_energy()),
      gravity_(plant.gravity_energy()) {}

double Auditor::work(const VectorX& force, const VectorX& before, const VectorX& after, double step) {
  return step * force.dot(before + after) / 2;
}

void Auditor::close() {
  energy_.kinetic = plant_.kinetic_energy() - kinetic_;
  energy_.elastic = plant_.elastic_energy() - elastic_;
  energy_.gravity = plant_.gravity_energy() - gravity_;
}

}  // namespace thud::lab
