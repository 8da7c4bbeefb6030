#include "lab/floor_box.hpp"

#include <thud/error.hpp>
#include <thud/lagrange.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace thud::lab {
namespace {

constexpr double floor_time = 2e-3;  // of the floor's own contact: well below the time for which the box slides [s]
constexpr double stick_ratio = 10;   // how much stiffer friction is than the floor: what sticks hardly creeps

// Axes of the box: along the hit, to the left, up.
Matrix3 axes(const Vector3& normal_W) {
  Matrix3 R;
  R.col(0) = -normal_W;
  R.col(2) = Vector3::UnitZ();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Matrix3 uniform_inertia(double mass, const Vector3& size) {
  const Vector3 squares = size.cwiseAbs2();
  return (mass / 12 * (Vector3::Constant(squares.sum()) - squares)).asDiagonal();
}

Matrix3 cross_matrix(const Vector3& r) {
  Matrix3 m;
  m << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
  return m;
}

void add_geom(mjsBody* body, mjtGeom type, const Vector3& size, const Vector3& position, double friction) {
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->type = type;
  std::copy_n(size.data(), 3, geom->size);
  std::copy_n(position.data(), 3, geom->pos);
  geom->friction[0] = friction;
  geom->condim = 3;
  geom->solref[0] = floor_time;
  geom->solref[1] = 1;
}

}  // namespace

FloorBox::FloorBox(const Box& box, double mass, double offset, const Vector3& touch_W, const Vector3& normal_W,
                   double step)
    : size_(box.size), mass_(mass), inertia_(uniform_inertia(mass, box.size)), step_(step) {
  const Matrix3 R = axes(normal_W);
  const Vector3 centre = touch_W - R * Vector3(-size_[0] / 2, offset, 0);
  const std::unique_ptr<mjSpec, MujocoDeleter> spec(mj_makeSpec());
  spec->option.timestep = step;
  spec->option.cone = mjCONE_ELLIPTIC;
  spec->option.impratio = stick_ratio;
  std::copy_n(earth_gravity_W.data(), 3, spec->option.gravity);
  mjsBody* world = mjs_findBody(spec.get(), "world");
  add_geom(world, mjGEOM_PLANE, Vector3(1, 1, 1), centre - Vector3(0, 0, size_[2] / 2), box.floor_friction);
  mjsBody* body = mjs_addBody(world, nullptr);
  std::copy_n(centre.data(), 3, body->pos);
  const Eigen::Quaterniond q(R);
  const double quaternion[4] = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(quaternion, 4, body->quat);
  body->explicitinertial = 1;
  body->mass = mass;
  const Vector3 moments = inertia_.diagonal();
  const double own_axes[4] = {1, 0, 0, 0};
  std::copy_n(moments.data(), 3, body->inertia);
  std::fill_n(body->ipos, 3, 0.0);
  std::copy_n(own_axes, 4, body->iquat);
  mjs_addFreeJoint(body);
  add_geom(body, mjGEOM_BOX, size_ / 2, Vector3::Zero(), box.floor_friction);
  model_.reset(mj_compile(spec.get(), nullptr));
  if (!model_) throw InputError("box", mass, std::string("MuJoCo refuses it: ") + mjs_getError(spec.get()));
  data_.reset(mj_makeData(model_.get()));
  mj_step1(model_.get(), data_.get());
}

Vector3 FloorBox::position() const {
  return Eigen::Map<const Vector3>(data_->xpos + 3);
}

Matrix3 FloorBox::orientation() const {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9);
}

Vector3 FloorBox::velocity() const {
  return Eigen::Map<const Vector3>(data_->qvel);
}

Vector3 FloorBox::angular_velocity() const {
  return orientation() * Eigen::Map<const Vector3>(data_->qvel + 3);  // a free joint turns in its own axes
}

Vector3 FloorBox::velocity_at(const Vector3& p_W) const {
  return velocity() + angular_velocity().cross(p_W - position());
}

Matrix3 FloorBox::inverse_inertia_at(const Vector3& p_W) const {
  const Matrix3 R = orientation(), r = cross_matrix(p_W - position());
  const Matrix3 turning = R * inertia_.diagonal().cwiseInverse().asDiagonal() * R.transpose();
  return Matrix3::Identity() / mass_ - r * turning * r;
}

double FloorBox::distance(const Vector3& p_W) const {
  return normal().dot(p_W - position()) - size_[0] / 2;
}

bool FloorBox::faces(const Vector3& p_W) const {
  const Vector3 p_B = orientation().transpose() * (p_W - position());
  return std::abs(p_B[1]) <= size_[1] / 2 && std::abs(p_B[2]) <= size_[2] / 2 && p_B[0] <= 0;
}

double FloorBox::energy() const {
  const Vector3 w = Eigen::Map<const Vector3>(data_->qvel + 3);
  return mass_ * velocity().squaredNorm() / 2 + w.dot(inertia_ * w) / 2 - mass_ * earth_gravity_W.dot(position());
}

void FloorBox::step(const Vector3& force_W, const Vector3& p_W) {
  std::fill_n(data_->qfrc_applied, model_->nv, 0.0);
  const Vector3 none = Vector3::Zero();
  if (!force_W.isZero(0))
    mj_applyFT(model_.get(), data_.get(), force_W.data(), none.data(), p_W.data(), 1, data_->qfrc_applied);
  const VectorX before = Eigen::Map<const VectorX>(data_->qvel, model_->nv);
  mj_step2(model_.get(), data_.get());
  const Eigen::Map<const VectorX> after(data_->qvel, model_->nv), push(data_->qfrc_constraint, model_->nv);
  if (!after.allFinite()) throw PlantError("step", step_, "the box became unstable: take a smaller step");
  floor_ -= step_ * push.dot(before + after) / 2;
  mj_step1(model_.get(), data_.get());
}

PoseSensor::PoseSensor(const Box& box, const FloorBox& seen, double mass, Eigen::Index samples, ObjectLog& log,
                       Draw& draw)
    : box_(box), seen_(seen), log_(log), draw_(draw) {
  log.mass = mass;
  log.inertia = seen.inertia();
  log.time = VectorX::Zero(samples);
  log.position = MatrixX::Zero(samples, 3);
  log.orientation = MatrixX::Zero(samples, 4);
}

void PoseSensor::sample(double t, double step) {
  const double due = static_cast<double>(count_) / box_.rate;
  if (count_ == log_.time.size() || t + step / 2 < due) return;
  const auto noise = [&](double deviation) {
    Vector3 v;
    for (double& value : v) value = deviation * draw_.normal();
    return v;
  };
  log_.time[count_] = due;
  log_.position.row(count_) = (seen_.position() + noise(box_.position_noise)).transpose();
  const Vector3 turn = noise(box_.orientation_noise);
  const Eigen::Quaterniond q = Eigen::Quaterniond(seen_.orientation()) *
                               Eigen::Quaterniond(1, turn[0] / 2, turn[1] / 2, turn[2] / 2).normalized();
  log_.orientation.row(count_) << q.w(), q.x(), q.y(), q.z();
  ++count_;
}

}  // namespace thud::lab
