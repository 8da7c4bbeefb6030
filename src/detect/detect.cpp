#include <thud/detect.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
namespace {

void require_joints(std::span<const int> joints) {
  if (joints.empty()) throw InputError("joints", "none", "at least one joint must be watched");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i] < 0) throw InputError("joints", std::to_string(joints[i]), "a joint's index must be at least 0");
    if (std::ranges::count(joints, joints[i]) > 1)
      throw InputError("joints", std::to_string(joints[i]), "must not be listed twice");
  }
}

void require_time(const VectorRef& time) {
  if (time.size() == 0) throw InputError("time", "0 samples", "a log needs at least one");
  for (Eigen::Index i = 0; i < time.size(); ++i) {
    const auto name = [&] { return std::string("time[").append(std::to_string(i)).append("]"); };
    if (!std::isfinite(time[i])) throw InputError(name(), time[i], "must be finite");
    if (i > 0 && !(time[i] > time[i - 1]))
      throw InputError(name(), time[i], "time must increase from sample to sample");
  }
}

// A signal of the log: one row per sample, one column per joint, every number finite.
void require_signal(const char* name, const MatrixRef& signal, Eigen::Index samples, Eigen::Index joints) {
  if (signal.rows() != samples || signal.cols() != joints)
    throw InputError(name, std::to_string(signal.rows()) + " x " + std::to_string(signal.cols()),
                     "must be " + std::to_string(samples) + " x " + std::to_string(joints) +
                         ", a row per sample and a column per joint");
  for (Eigen::Index j = 0; j < joints; ++j)
    for (Eigen::Index i = 0; i < samples; ++i)
      if (!std::isfinite(signal(i, j)))
        throw InputError(name, signal(i, j),
                         "must be finite (sample " + std::to_string(i) + ", joint " + std::to_string(j) + ")");
}

// The residual of each sample of a validated log.
template <typename Deviation>
Eigen::VectorXd residuals(std::span<const int> joints, const Deviation& deviation) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(deviation.rows());
  for (const int joint : joints) sum += deviation.col(joint).cwiseAbs();
  return sum;
}

Eigen::VectorXd checked_residuals(const VectorRef& time, const char* name, const MatrixRef& torque,
                                  const MatrixRef* reference, std::span<const int> joints) {
  require_time(time);
  require_joints(joints);
  require_signal(name, torque, time.size(), torque.cols());
  if (reference) require_signal("torque_reference", *reference, time.size(), torque.cols());
  if (const int last = std::ranges::max(joints); last >= torque.cols())
    throw InputError("joints", std::to_string(last), "the log has " + std::to_string(torque.cols()) + ", from 0");
  return reference ? residuals(joints, torque - *reference) : residuals(joints, torque);
}

std::optional<Alarm> first_alarm(const VectorRef& time, const Eigen::VectorXd& residual, ThresholdDetector& detector,
                                 double start) {
  if (std::isnan(start)) throw InputError("start", start, "must be a time");
  detector.reset();
  const auto* const from = std::lower_bound(time.data(), time.data() + time.size(), start);
  for (Eigen::Index i = from - time.data(); i < time.size(); ++i)
    if (detector.update(residual[i])) return Alarm{static_cast<std::size_t>(i), time[i], residual[i]};
  return {};
}

double largest_within(const VectorRef& time, const Eigen::VectorXd& residual, double from, double to) {
  const auto* const end = time.data() + time.size();
  const auto* const first = std::lower_bound(time.data(), end, from);
  const auto* const last = std::upper_bound(time.data(), end, to);
  if (!(from <= to) || first >= last)
    throw InputError("span", to_text(from) + " to " + to_text(to),
                     "must hold a sample (the log is from " + to_text(time[0]) + " to " + to_text(*(end - 1)) + " s)");
  return residual.segment(first - time.data(), last - first).maxCoeff();
}

}  // namespace

double torque_residual(std::span<const int> joints, const VectorRef& torque,
                       const VectorRef& torque_reference) noexcept {
  double sum = 0;
  for (const int joint : joints) sum += std::abs(torque[joint] - torque_reference[joint]);
  return sum;
}

double torque_residual(std::span<const int> joints, const VectorRef& external_torque) noexcept {
  double sum = 0;
  for (const int joint : joints) sum += std::abs(external_torque[joint]);
  return sum;
}

ThresholdDetector::ThresholdDetector(std::vector<int> joints, double threshold, int consecutive)
    : joints_(std::move(joints)), threshold_(threshold), consecutive_(consecutive) {
  require_joints(joints_);
  foundation::require_positive("threshold", threshold);
  if (consecutive < 1) throw InputError("consecutive", std::to_string(consecutive), "must be at least 1");
}

bool ThresholdDetector::update(const VectorRef& torque, const VectorRef& torque_reference) noexcept {
  return update(torque_residual(joints_, torque, torque_reference));
}

bool ThresholdDetector::update(const VectorRef& external_torque) noexcept {
  return update(torque_residual(joints_, external_torque));
}

bool ThresholdDetector::update(double residual) noexcept {
  residual_ = residual;
  if (alarm()) return true;
  above_ = residual <= threshold_ ? 0 : above_ + 1;  // NaN counts as above
  return alarm();
}

void ThresholdDetector::reset() noexcept {
  above_ = 0;
  residual_ = std::numeric_limits<double>::quiet_NaN();
}

MomentumObserver::MomentumObserver(const Robot& robot, double gain, const Vector3& gravity_W)
    : workspace_(robot, gravity_W),
      gain_(gain),
      momentum_(VectorX::Zero(robot.size())),
      momentum_rate_(VectorX::Zero(robot.size())),
      external_torque_(VectorX::Zero(robot.size())) {
  foundation::require_positive("gain", gain);
}

const VectorX& MomentumObserver::update(const VectorRef& q, const VectorRef& dq, const VectorRef& torque,
                                        double dt) noexcept {
  assert(torque.size() == workspace_.size());
  const auto& [momentum, gradient] = lagrange_terms(workspace_, q, dq);
  const double smoothing = running_ ? -std::expm1(-gain_ * dt) : 0;  // factor of the low-pass
  for (Eigen::Index i = 0; i < torque.size(); ++i) {
    const double rate = torque[i] + gradient[i];
    if (running_) {
      const double unexplained = (momentum[i] - momentum_[i]) / dt - (rate + momentum_rate_[i]) / 2;
      external_torque_[i] += smoothing * (unexplained - external_torque_[i]);
    }
    momentum_[i] = momentum[i];
    momentum_rate_[i] = rate;
  }
  running_ = true;
  return external_torque_;
}

void MomentumObserver::reset() noexcept {
  running_ = false;
  external_torque_.setZero();
}

std::optional<Alarm> find_alarm(const VectorRef& time, const MatrixRef& torque, const MatrixRef& torque_reference,
                                ThresholdDetector detector, double start) {
  const auto residual = checked_residuals(time, "torque", torque, &torque_reference, detector.joints());
  return first_alarm(time, residual, detector, start);
}

std::optional<Alarm> find_alarm(const VectorRef& time, const MatrixRef& external_torque, ThresholdDetector detector,
                                double start) {
  const auto residual = checked_residuals(time, "external_torque", external_torque, nullptr, detector.joints());
  return first_alarm(time, residual, detector, start);
}

double quiet_level(const VectorRef& time, const MatrixRef& torque, const MatrixRef& torque_reference,
                   std::span<const int> joints, double from, double to) {
  return largest_within(time, checked_residuals(time, "torque", torque, &torque_reference, joints), from, to);
}

double quiet_level(const VectorRef& time, const MatrixRef& external_torque, std::span<const int> joints, double from,
                   double to) {
  return largest_within(time, checked_residuals(time, "external_torque", external_torque, nullptr, joints), from, to);
}

MatrixX external_torques(const Robot& robot, const VectorRef& time, const MatrixRef& position,
                         const MatrixRef& velocity, const MatrixRef& torque, double gain, const Vector3& gravity_W) {
  require_time(time);
  require_signal("position", position, time.size(), robot.size());
  require_signal("velocity", velocity, time.size(), robot.size());
  require_signal("torque", torque, time.size(), robot.size());
  MomentumObserver observer(robot, gain, gravity_W);
  MatrixX external(time.size(), robot.size());
  VectorX q(robot.size()), dq(robot.size()), tau(robot.size());
  for (Eigen::Index i = 0; i < time.size(); ++i) {
    q = position.row(i);
    dq = velocity.row(i);
    tau = torque.row(i);
    external.row(i) = observer.update(q, dq, tau, i > 0 ? time[i] - time[i - 1] : 0);
  }
  return external;
}

}  // namespace thud
