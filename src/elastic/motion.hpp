#pragma once

/// The motion of a hit as a chain of power series in time. Private to the library.

#include <thud/elastic_arm.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "elastic/series.hpp"

namespace thud::elastic {

/// Numbers of one joint each, padded with zeros to whole groups of `width`.
using Lanes = std::vector<double>;

/// Power series in the time since the start of a piece. Those of a block have the coefficients of one power side by
/// side, one for each joint.
struct Piece {
  double start;    // since first touch [s]
  double length;   // [s]
  double impulse;  // up to the start [N s]

  // The force of a piece at a touch without power series: scale t^exponent, and the series of f are zero.
  double exponent = 0, scale = 0;

  // where in the chain's memory
  double *q, *dq;    // q~, q~'
  double *th, *dth;  // th~, th~'
  double* servo;     // sat(u)
  double *x, *v, *f;
};

/// The force at an instant of a piece [N], and its impulse since the start of the piece [N s].
inline double force(const Piece& piece, double t) noexcept {
  return piece.exponent > 0 ? piece.scale * std::pow(t, piece.exponent) : sum(piece.f, t);
}
inline double impulse(const Piece& piece, double t) noexcept {
  return piece.exponent > 0 ? piece.scale * std::pow(t, piece.exponent + 1) / (piece.exponent + 1)
                            : integral(piece.f, t);
}

/// The arm's numbers as the series need them, the servo's split by what it acts on: a motor behind an elastic
/// transmission, or the link itself behind a rigid one.
struct Coefficients {
  explicit Coefficients(int joints);
  void set(const ElasticArm& arm) noexcept;

  std::size_t joints, lanes;
  Lanes M_inv;                      // by columns, lanes rows each
  Lanes j, M_inv_j;                 // j, M^-1 j^T
  Lanes stiffness, damping, B_inv;  // of elastic joints; 0 of rigid ones; B_inv 0 of motors that do not move
  Lanes servo_stiffness, servo_damping, link_stiffness, link_damping;
  Lanes rigid;        // 1 for a joint whose servo acts on the link, or 0
  Lanes rigid_rotor;  // B of its motor, which moves with the link
  Lanes effort, holding;
  bool limited = false;  // some motor has an effort
};

/// The pieces of a record, and memory for them that is kept from one record to the next.
struct Motion {
  explicit Motion(int joints);

  void clear() noexcept {
    pieces.clear();
    ringing.clear();
  }
  /// Memory for the next piece of the record or of the ringing; its pointers.
  Piece& append(std::vector<Piece>& list);
  /// The piece at an instant of the record.
  const Piece& at(double time) const noexcept;

  Coefficients arm;
  std::vector<Piece> pieces, ringing;       // of the record, and after it
  std::vector<std::vector<double>> memory;  // one for each piece
  Lanes command, command_rate, feedforward;
  Lanes torque;                          // on the links, but for the contact's
  Lanes u;                               // the servo's torque without a limit, a block
  Lanes q, dq, th, dth;                  // at the start of the next piece
  Eigen::MatrixXd M;                     // of what moves with the links
  std::vector<int> limit;                // 1, -1: a motor is at its upper, lower limit
  double wall_stored = 0, wall_max = 0;  // [J]
};

}  // namespace thud::elastic
