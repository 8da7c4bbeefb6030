#include "study/joint_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "elastic/known.hpp"

namespace thud::studying {
namespace {

constexpr double averaging_time = 5e-3;     // of the joint log before the touch: about five control cycles       [s]
constexpr double max_log_age = 50e-3;       // a log that ends earlier before the touch is not used               [s]
constexpr Eigen::Index cycles_before = 10;  // of tau*, on a line up to the alarm
constexpr double followed = 0.05;           // time after the touch for which the command is followed             [s]

// Compliance of the transmissions; none where they are taken for rigid.
VectorX compliance(const Drives& drives, Eigen::Index n) {
  return elastic::known_or(drives.stiffness, n, std::numeric_limits<double>::infinity()).cwiseInverse();
}

}  // namespace

Rows rows_before(const VectorX& time, double touch) {
  const auto index = [&](double t) {
    return static_cast<Eigen::Index>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  };
  Rows rows{index(touch - averaging_time), index(touch)};
  if (rows.count() < 2) rows.first = std::max<Eigen::Index>(0, rows.last - 2);
  if (rows.last == 0 || time[rows.last - 1] < touch - max_log_age) return {};
  return rows;
}

VectorX slopes(const VectorX& time, const MatrixX& values) {
  const VectorX centred = time.array() - time.mean();
  return values.transpose() * centred / centred.squaredNorm();
}

VectorX link_positions(const Drives& drives, const JointLog& joints, const VectorX& motors, double touch) {
  const Rows rows = rows_before(joints.time, touch);
  if (joints.torque.size() == 0 || rows.count() == 0) return motors;
  const VectorX torque = joints.torque.middleRows(rows.first, rows.count()).colwise().mean().transpose();
  return motors - torque.cwiseProduct(compliance(drives, motors.size()));
}

std::vector<CommandChange> command_changes(const ElasticArm& arm, const Trial& trial, double touch) {
  const VectorX& time = trial.joints.time;
  const MatrixX& reference = trial.joints.torque_reference;
  if (!std::isfinite(trial.alarm_time) || reference.size() == 0) return {};
  const auto after =
      static_cast<Eigen::Index>(std::upper_bound(time.begin(), time.end(), trial.alarm_time) - time.begin());
  if (after < 2 || after >= time.size()) return {};
  const Eigen::Index rows = std::min(after, cycles_before), n = arm.j.size();
  const VectorX before = time.segment(after - rows, rows);
  const MatrixX known = reference.middleRows(after - rows, rows);
  const VectorX level = known.colwise().mean().transpose(), slope = slopes(before, known);
  const VectorX rotors = elastic::known_or(arm.drives.rotor_inertia, n, 0), give = compliance(arm.drives, n);
  const Eigen::LDLT<Eigen::MatrixXd> inertia(arm.M);

  std::vector<CommandChange> changes;
  VectorX position = VectorX::Zero(n), rate = VectorX::Zero(n);
  for (Eigen::Index i = after; i < time.size() && time[i] < touch + followed; ++i) {
    const double cycle = time[i] - time[i - 1];
    const VectorX torque = reference.row(i).transpose() - level - slope * (time[i] - before.mean());
    const VectorX acceleration = inertia.solve(torque);
    position += cycle * rate;
    rate += cycle * acceleration;
    if (time[i] < touch) changes.clear();
    changes.push_back({std::max(time[i] - touch, 0.0), position + torque.cwiseProduct(give), rate,
                       torque + rotors.cwiseProduct(acceleration)});
  }
  return changes;
}

}  // namespace thud::studying
