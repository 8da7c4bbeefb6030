#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include <Eigen/Eigenvalues>
#include <mujoco/mujoco.h>

#include "queries.hpp"
#include "query_tail.hpp"

namespace {

constexpr int n = 7;

struct Deleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

void copy(const Eigen::Vector3d& from, double (&to)[3]) {
  std::copy_n(from.data(), 3, to);
}

void copy(const Eigen::Matrix3d& rotation, double (&to)[4]) {
  const Eigen::Quaterniond q(rotation);
  to[0] = q.w();
  to[1] = q.x();
  to[2] = q.y();
  to[3] = q.z();
}

// Principal axes and moments.
void add_inertia(mjsBody* body, const thud::BodyInertia& link) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(link.inertia);
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  body->explicitinertial = 1;
  body->mass = link.mass;
  copy(link.com, body->ipos);
  copy(axes, body->iquat);
  copy(Eigen::Vector3d(principal.eigenvalues()), body->inertia);
}

std::unique_ptr<mjModel, Deleter> model(const thud::Robot& robot, const thud::ContactPoint& point) {
  const std::unique_ptr<mjSpec, Deleter> spec(mj_makeSpec());
  spec->compiler.degree = 0;
  mjsBody* body = mjs_findBody(spec.get(), "world");
  for (std::size_t i = 0; i < n; ++i) {
    const thud::Joint& joint = robot.joints().at(i);
    body = mjs_addBody(body, nullptr);
    copy(joint.p_PJ, body->pos);
    copy(joint.R_PJ, body->quat);
    add_inertia(body, robot.bodies()[i]);
    mjsJoint* hinge = mjs_addJoint(body, nullptr);
    copy(joint.axis, hinge->axis);
    hinge->armature = joint.rotor_inertia;
  }
  const thud::Frame& tool = robot.frame(point.frame);
  copy(tool.p_JF + tool.R_JF * point.offset, mjs_addSite(body, nullptr)->pos);
  std::unique_ptr<mjModel, Deleter> model(mj_compile(spec.get(), nullptr));
  if (!model) throw std::runtime_error(std::string("MuJoCo: ").append(mjs_getError(spec.get())));
  return model;
}

class Arm {
 public:
  Arm(const thud::Robot& robot, const thud::ContactPoint& point)
      : model_(model(robot, point)), data_(mj_makeData(model_.get())), normal_(point.normal_W.normalized()) {}

  // Body 0 is the world, body 1 carries all others; the contact point is the only site.
  void ask(const double* q, Answer& answer) {
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    std::copy_n(q, n, d->qpos);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_makeM(m, d);
    mj_fullM(m, d, M_.data());
    mj_jacSite(m, d, linear_.data(), angular_.data(), 0);
    mj_jacSubtreeCom(m, d, com_.data(), 1);
    mj_angmomMat(m, d, turning_.data(), 1);
    answer.M = M_;
    answer.J << linear_, angular_;
    answer.mass = m->body_subtreemass[1];
    answer.A_G << answer.mass * com_, turning_;
    answer.p_WC = Eigen::Map<const Eigen::Vector3d>(d->site_xpos);
    answer.com_W = Eigen::Map<const Eigen::Vector3d>(d->subtree_com + 3);
    const double* I = d->crb + 10;  // about the centre of mass of the whole: xx, yy, zz, xy, xz, yz
    answer.Ic_W << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    finish(answer, normal_);
  }

 private:
  template <int rows>
  using Rows = Eigen::Matrix<double, rows, n, Eigen::RowMajor>;

  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
  Eigen::Vector3d normal_;
  Rows<n> M_;
  Rows<3> linear_, angular_, com_, turning_;
};

}  // namespace

Query mujoco_query(const thud::Robot& robot, const thud::ContactPoint& point) {
  return [arm = std::make_shared<Arm>(robot, point)](const double* q, Answer& answer) { arm->ask(q, answer); };
}
