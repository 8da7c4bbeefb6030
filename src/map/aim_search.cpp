#include "map/aim_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Dense>

namespace thud::map {
namespace {

constexpr double rank_rounding = 1e-9;  // of a row of the constraint against the largest
constexpr int correction_steps = 8;     // back to the target, after a step along its tangent
constexpr double longest_move = 0.4;    // of a joint in one step [rad or m]
constexpr double flat = 1e-7;           // gradient of an optimum [1/rad or 1/m], of a logarithm
constexpr double sufficient = 1e-4;     // Armijo's
constexpr double shortest_move = 1e-4;  // of a poll [rad or m]
constexpr int most_polls = 300;

std::uint64_t splitmix64(std::uint64_t value) noexcept {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

// The constraint of a target with some joints held at their limits: its null space, and the multipliers of a gradient.
class Tangent {
 public:
  Tangent(const Eigen::MatrixXd& jacobian, const std::vector<bool>& held) : rows_(jacobian.rows()) {
    const Eigen::Index n = jacobian.cols();
    Eigen::Index count = rows_;
    for (Eigen::Index i = 0; i < n; ++i) count += held[static_cast<std::size_t>(i)];
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(n, count);
    C.leftCols(rows_) = jacobian.transpose();
    Eigen::Index at = rows_;
    for (Eigen::Index i = 0; i < n; ++i)
      if (held[static_cast<std::size_t>(i)]) C(i, at++) = 1;
    qr_.setThreshold(rank_rounding);
    qr_.compute(C);
    const Eigen::MatrixXd Q = qr_.householderQ();
    basis_ = Q.rightCols(n - qr_.rank());
  }

  const Eigen::MatrixXd& basis() const noexcept { return basis_; }

  // Of the gradient as a combination of the rows: those of the target, then of the joints held.
  Eigen::VectorXd multipliers(const VectorX& gradient) const { return qr_.solve(Eigen::VectorXd(gradient)); }

  Eigen::Index rows() const noexcept { return rows_; }

 private:
  Eigen::Index rows_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd basis_;
};

class Descent {
 public:
  Descent(Reach& reach, const Objective& objective, VectorX& q)
      : reach_(reach), box_(reach.box()), objective_(objective), q_(q), held_(static_cast<std::size_t>(q.size())) {}

  Found run(int steps) {
    value_ = objective_(q_, &gradient_);
    if (!std::isfinite(value_)) return {value_, false};
    for (int k = 0; k < steps; ++k) {
      reach_.place(q_);
      const Eigen::VectorXd d = direction();
      if (d.size() == 0 || !step(d)) return {value_, true};
    }
    return {value_, false};
  }

 private:
  bool outward(Eigen::Index i, double rate) const {
    return (rate < 0 && box_.at_lower(q_, i)) || (rate > 0 && box_.at_upper(q_, i));
  }

  // Chooses the limits that hold, and a direction along which the objective falls; empty at an optimum.
  Eigen::VectorXd direction() {
    const Eigen::Index n = q_.size();
    for (Eigen::Index i = 0; i < n; ++i)
      held_[static_cast<std::size_t>(i)] = box_.at_lower(q_, i) || box_.at_upper(q_, i);
    Tangent tangent(reach_.jacobian(), held_);
    Eigen::VectorXd reduced = tangent.basis().transpose() * gradient_;
    // the limit whose release gains most
    const Eigen::VectorXd multipliers = tangent.multipliers(gradient_);
    Eigen::Index worst = -1, at = tangent.rows();
    double gain = std::max(flat, reduced.size() != 0 ? reduced.norm() : 0);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!held_[static_cast<std::size_t>(i)]) continue;
      const double inward = multipliers[at++];
      const double falls = box_.at_lower(q_, i) ? -inward : inward;
      if (falls > gain && box_.lower[i] < box_.upper[i]) {
        gain = falls;
        worst = i;
      }
    }
    if (worst >= 0) {
      held_[static_cast<std::size_t>(worst)] = false;
      hessian_.resize(0, 0);
    }
    for (Eigen::Index tries = 0; tries <= n; ++tries) {
      if (worst >= 0 || tries > 0) {
        tangent = Tangent(reach_.jacobian(), held_);
        reduced = tangent.basis().transpose() * gradient_;
      }
      const Eigen::MatrixXd& Z = tangent.basis();
      if (Z.cols() == 0 || reduced.norm() < flat) return {};
      if (hessian_.size() == 0) hessian_ = Eigen::MatrixXd::Identity(n, n) * (reduced.norm() / (longest_move / 2));
      const Eigen::MatrixXd H = Z.transpose() * hessian_ * Z;
      Eigen::VectorXd d = -Z * Eigen::LDLT<Eigen::MatrixXd>(H).solve(reduced);
      if (!(gradient_.dot(d) < 0)) {
        hessian_.resize(0, 0);
        d = -Z * reduced;
      }
      bool leaves = false;
      for (Eigen::Index i = 0; i < n; ++i)
        if (!held_[static_cast<std::size_t>(i)] && outward(i, d[i])) {
          held_[static_cast<std::size_t>(i)] = true;
          leaves = true;
        }
      if (!leaves) return d;
    }
    return {};
  }

  // Along d as far as the limits allow, back to the target, shorter until the objective falls.
  bool step(const Eigen::VectorXd& d) {
    const Eigen::Index n = q_.size();
    const double slope = gradient_.dot(d);
    double length = std::min(1.0, longest_move / d.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < n; ++i) {
      if (d[i] > 0) length = std::min(length, (box_.upper[i] - q_[i]) / d[i]);
      if (d[i] < 0) length = std::min(length, (box_.lower[i] - q_[i]) / d[i]);
    }
    const Eigen::MatrixXd jacobian = reach_.jacobian();
    for (int tries = 0; tries < 20; ++tries, length /= 2) {
      VectorX q = q_ + length * d;
      box_.clamp(q);
      if (!reach_.solve(q, correction_steps, held_)) continue;
      VectorX gradient;
      const double value = objective_(q, &gradient);
      if (!(value <= value_ + sufficient * length * slope)) continue;
      update(q - q_, gradient, jacobian);
      const bool still = value_ - value < 1e-13 * std::max(1.0, std::abs(value_));
      q_ = q;
      gradient_ = gradient;
      value_ = value;
      return !still;
    }
    if (fresh_) return false;
    hessian_.resize(0, 0);  // once more by steepest descent
    fresh_ = true;
    return true;
  }

  // BFGS of the Lagrangian, damped as Powell does so that the Hessian stays positive.
  void update(const VectorX& s, const VectorX& gradient, const Eigen::MatrixXd& jacobian) {
    fresh_ = false;
    if (hessian_.size() == 0) return;
    const Tangent tangent(reach_.jacobian(), held_);
    const Eigen::VectorXd lambda = tangent.multipliers(gradient).head(tangent.rows());
    Eigen::VectorXd y =
        (gradient - reach_.jacobian().transpose() * lambda) - (gradient_ - jacobian.transpose() * lambda);
    const Eigen::VectorXd Hs = hessian_ * s;
    const double sHs = s.dot(Hs), sy = s.dot(y);
    if (!(sHs > 0)) return;
    if (sy < 0.2 * sHs) {
      const double share = 0.8 * sHs / (sHs - sy);
      y = share * y + (1 - share) * Hs;
    }
    hessian_ += y * y.transpose() / s.dot(y) - Hs * Hs.transpose() / sHs;
  }

  Reach& reach_;
  const Box& box_;
  const Objective& objective_;
  VectorX& q_;
  std::vector<bool> held_;
  double value_ = std::numeric_limits<double>::infinity();
  VectorX gradient_;
  Eigen::MatrixXd hessian_;  // empty: not known yet
  bool fresh_ = false;       // steepest descent was tried
};

}  // namespace

StartNumbers::StartNumbers(std::uint64_t seed, std::uint64_t start)
    : state_(splitmix64(splitmix64(seed + 0x9e3779b97f4a7c15U) + start)) {}

// SplitMix64 (Steele, Lea, Flood 2014)
std::uint64_t StartNumbers::next() noexcept {
  state_ += 0x9e3779b97f4a7c15U;
  return splitmix64(state_);
}

double StartNumbers::uniform() noexcept {
  return (static_cast<double>(next() >> 11U) + 0.5) * 0x1p-53;
}

double StartNumbers::normal() noexcept {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& jacobian) {
  return Tangent(jacobian, std::vector<bool>(static_cast<std::size_t>(jacobian.cols()))).basis();
}

Found descend(Reach& reach, const Objective& objective, int steps, VectorX& q) {
  return Descent(reach, objective, q).run(steps);
}

double poll(Reach& reach, const Objective& objective, StartNumbers& numbers, double length, VectorX& q) {
  const std::vector<bool> none(static_cast<std::size_t>(q.size()));
  double value = objective(q, nullptr);
  int polls = 0;
  while (length > shortest_move && polls < most_polls) {
    reach.place(q);
    const Eigen::MatrixXd Z = null_space(reach.jacobian());
    if (Z.cols() == 0) break;
    Eigen::MatrixXd random(Z.cols(), Z.cols());
    for (Eigen::Index i = 0; i < random.size(); ++i) random.data()[i] = numbers.normal();
    const Eigen::MatrixXd directions =
        Z * Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ());
    bool lower = false;
    for (Eigen::Index k = 0; k < 2 * directions.cols() && !lower; ++k) {
      VectorX trial = q + (k % 2 == 0 ? length : -length) * directions.col(k / 2);
      reach.box().clamp(trial);
      ++polls;
      if (!reach.solve(trial, correction_steps, none)) continue;
      const double there = objective(trial, nullptr);
      if (!(there < value)) continue;
      value = there;
      q = trial;
      lower = true;
    }
    length = lower ? std::min(2 * length, longest_move) : length / 2;
  }
  return value;
}

}  // namespace thud::map
