#include "elastic/motion.hpp"

#include <algorithm>
#include <limits>

#include "elastic/known.hpp"

namespace thud::elastic {
namespace {

std::size_t padded(std::size_t joints) {
  return (joints + width - 1) / width * width;
}

}  // namespace

Coefficients::Coefficients(int size)
    : joints(static_cast<std::size_t>(size)), lanes(padded(joints)), M_inv(joints * lanes) {
  for (Lanes* values : {&j, &M_inv_j, &stiffness, &damping, &B_inv, &servo_stiffness, &servo_damping, &link_stiffness,
                        &link_damping, &rigid, &rigid_rotor, &effort, &holding})
    values->resize(lanes);
}

void Coefficients::set(const ElasticArm& arm) noexcept {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Drives& drives = arm.drives;
  limited = false;
  for (std::size_t i = 0; i < joints; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    j[i] = arm.j[at];
    holding[i] = arm.holding[at];
    for (std::size_t row = 0; row < joints; ++row)
      M_inv[i * lanes + row] = arm.M_inv(static_cast<Eigen::Index>(row), at);

    stiffness[i] = known(drives.stiffness, at, 0);
    const bool one = stiffness[i] == 0;  // motor and link move as one
    rigid[i] = one ? 1 : 0;
    rigid_rotor[i] = one ? known(drives.rotor_inertia, at, 0) : 0;
    damping[i] = one ? 0 : known(drives.damping, at, 0);
    B_inv[i] = one ? 0 : 1 / known(drives.rotor_inertia, at, infinity);
    const double Kp = known(drives.servo_stiffness, at, 0), Kd = known(drives.servo_damping, at, 0);
    servo_stiffness[i] = one ? 0 : Kp;
    servo_damping[i] = one ? 0 : Kd;
    link_stiffness[i] = one ? Kp : 0;
    link_damping[i] = one ? Kd : 0;
    effort[i] = known(drives.effort, at, infinity);
    limited = limited || effort[i] < infinity;
  }
  std::fill(M_inv_j.begin(), M_inv_j.end(), 0.0);
  for (std::size_t column = 0; column < joints; ++column)
    for (std::size_t row = 0; row < joints; ++row) M_inv_j[row] += M_inv[column * lanes + row] * j[column];
}

Motion::Motion(int joints) : arm(joints) {
  const std::size_t lanes = arm.lanes;
  for (Lanes* values : {&command, &command_rate, &feedforward, &torque, &q, &dq, &th, &dth}) values->resize(lanes);
  u.resize(lanes * terms);
  limit.resize(lanes);
}

Piece& Motion::append(std::vector<Piece>& list) {
  const std::size_t block = arm.lanes * terms, used = pieces.size() + ringing.size();
  if (used == memory.size()) memory.emplace_back(5 * block + std::size_t{3} * terms);
  double* at = memory[used].data();
  Piece& piece = list.emplace_back();
  for (double** series : {&piece.q, &piece.dq, &piece.th, &piece.dth, &piece.servo}) {
    *series = at;
    at += block;
  }
  piece.x = at;
  piece.v = at + terms;
  piece.f = piece.v + terms;
  return piece;
}

const Piece& Motion::at(double time) const noexcept {
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), time,
                                      [](double t, const Piece& piece) { return t < piece.start; });
  return after == pieces.begin() ? *after : *(after - 1);
}

}  // namespace thud::elastic
