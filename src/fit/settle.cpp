#include "fit/settle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Cholesky>

namespace thud::fitting {
namespace {

using Eigen::Index;

// In standard errors: the last step, and how far from it the sides of kinks are tried.
constexpr double last_step = 0.007, aside[] = {0.02, 0.005, 0.06};
constexpr int most_evaluations = 60;

enum Edge { touch, parting };  // of the contact
constexpr Edge edges[] = {touch, parting};

// Where an edge of the contact is at a sample, S has a kink: on one side the sample is in contact, on the other not. A
// minimum may lie on it. The edge then stays with the sample.
using Kinks = std::optional<Index>[2];  // the sample, for each edge

// An edge at the last evaluation, which was at a point.
double edge_time(const Problem& p, const Point& at, Edge edge) {
  return edge == touch ? at[start] : p.end_time;
}

FreeVector edge_gradient(const Problem& p, Edge edge) {
  FreeVector out(p.count);
  for (int i = 0; i < p.count; ++i) out[i] = edge == parting ? p.end[p.free[i]] : p.free[i] == start ? 1 : 0;
  return out;
}

// The sample at which an edge that moves from one time to another arrives first.
std::optional<Index> first_crossed(const Problem& p, double from, double to) {
  const double *begin = p.times.data(), *end = begin + p.times.size();
  const Index next =
      to > from ? std::upper_bound(begin, end, from) - begin : std::lower_bound(begin, end, from) - begin - 1;
  if (next < 0 || next == p.times.size() || std::abs(p.times[next] - from) >= std::abs(to - from)) return std::nullopt;
  return next;
}

// A step from the last evaluation that takes every kink's edge to its sample.
struct Step {
  FreeVector p;
  double size;         // p'Bp: in noise variances, the square of its length in standard errors
  double fall;         // of S, as it predicts
  FreeVector away[2];  // for each edge, the step of one standard error per unit of noise that moves it and no kink
  double error[2];     // by how much
};

class Settling {
 public:
  Settling(Problem& problem, const Point& from) : p_(problem), at_(from), squares_(evaluate(p_, at_)) {}

  void run() {
    while (evaluations_ < most_evaluations) {
      const Step step = next_step();
      if (!step.p.allFinite()) return;
      near_ = true;
      if (!(is_last(step) ? leave_kink(step, std::sqrt(variance())) : advance(step))) return;
    }
  }

  Point at() const { return at_; }
  double squares() const { return squares_; }
  const NormalMatrix& normal() const { return normal_; }
  int evaluations() const { return evaluations_; }
  bool near() const { return near_; }  // whether the last evaluation was at the point or a last step from it

 private:
  double variance() const { return squares_ / static_cast<double>(p_.times.size() - p_.count); }
  bool is_last(const Step& step) const {
    return step.size <= std::max(last_step * last_step * variance(), 1e-20 * p_.forces.squaredNorm());
  }

  // Half of the Hessian of S is B = J'J + A. Gauss and Newton leave A out; with noise and a shape that the record
  // leaves loose it is as large as J'J in one direction, and their steps overshoot without end. One direction is what a
  // symmetric update of rank one gives: A p = y - J'J p, with y the change of J'r over the step p, as in NL2SOL
  // (Dennis, Gay and Welsch, 1981).
  NormalMatrix curvature(const NormalMatrix& h, const FreeVector& g) {
    if (known_) {
      const FreeVector missed = change_from_ - g - h * change_, rest = missed - correction_ * change_;
      const double product = rest.dot(change_);
      if (std::abs(product) > 1e-8 * rest.norm() * change_.norm()) correction_ += rest * rest.transpose() / product;
    }
    return h + correction_;
  }

  Step next_step() {
    // The force at a kink's sample is 0, and it pulls to neither side
    for (const Edge edge : edges)
      for (int j = 0; j < p_.count && kinks_[edge]; ++j)
        if (p_.free[j] != baseline && p_.free[j] != drift) p_.jacobian(*kinks_[edge], j) = 0;
    NormalMatrix h(p_.count, p_.count);
    FreeVector g(p_.count);
    normal_equations(p_, h, g);
    const FreeVector scale = h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const auto factor_of = [&](const NormalMatrix& matrix) {
      NormalMatrix scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
      scaled.diagonal().array() += 1e-12;
      return Eigen::LLT<NormalMatrix>(scaled);
    };
    NormalMatrix b = curvature(h, g);
    Eigen::LLT<NormalMatrix> factor = factor_of(b);
    if (factor.info() != Eigen::Success) {
      correction_.setZero(p_.count, p_.count);
      b = h;
      factor = factor_of(h);
    }
    known_ = false;
    last_g_ = g;
    normal_ = h;
    const auto solve = [&](const FreeVector& x) {
      return FreeVector(scale.cwiseProduct(factor.solve(scale.cwiseProduct(x))));
    };

    Step out{solve(g), 0, 0, {}, {}};
    const auto measure = [&] {
      out.size = out.p.dot(b * out.p);
      out.fall = 2 * out.p.dot(g) - out.size;
    };
    measure();
    if (!kinks_[touch] && !kinks_[parting] && !is_last(out)) return out;  // edges do not matter yet
    const FreeVector gradient[] = {edge_gradient(p_, touch), edge_gradient(p_, parting)};
    const FreeVector solved[] = {solve(gradient[touch]), solve(gradient[parting])};
    double wanted[2] = {};
    for (const Edge edge : edges) {
      const Edge other = edge == touch ? parting : touch;
      FreeVector along = solved[edge];
      if (kinks_[other]) along -= gradient[other].dot(along) / gradient[other].dot(solved[other]) * solved[other];
      out.away[edge] = along / std::sqrt(along.dot(h * along));
      out.error[edge] = gradient[edge].dot(out.away[edge]);
      if (kinks_[edge]) wanted[edge] = p_.times[*kinks_[edge]] - edge_time(p_, at_, edge) - gradient[edge].dot(out.p);
    }
    for (const Edge edge : edges)  // Lagrange's multipliers
      if (kinks_[edge]) out.p += wanted[edge] / out.error[edge] * out.away[edge];
    measure();
    return out;
  }

  Point moved(const FreeVector& by, double fraction = 1) const {
    Point next = at_;
    for (int i = 0; i < p_.count; ++i) next[p_.free[i]] += fraction * by[i];
    return next;
  }

  // S there, infinite out of range.
  double squares_at(const Point& there) {
    ++evaluations_;
    near_ = false;
    return in_range(p_.kind, there) ? evaluate(p_, there) : std::numeric_limits<double>::infinity();
  }

  // Goes to where S was evaluated last.
  void accept(const Point& there, double squares) {
    at_ = there;
    squares_ = squares;
  }

  // The same, along a step on which S is smooth.
  void accept(const Point& there, double squares, const FreeVector& step) {
    accept(there, squares);
    known_ = true;
    change_ = step;
    change_from_ = last_g_;
  }

  // A full step, or to the first kink on its way, or a part of it.
  bool advance(const Step& step) {
    const Point whole = moved(step.p);
    const double from[] = {edge_time(p_, at_, touch), edge_time(p_, at_, parting)};
    const double there = squares_at(whole);
    if ((kinks_[touch] || kinks_[parting]) && there < squares_ + 2 * std::max(-step.fall, 0.0)) {
      accept(whole, there, step.p);  // the way back to a kink may lead up
      return true;
    }
    Edge edge = touch;
    double fraction = 1;
    std::optional<Index> sample;
    for (const Edge each : edges) {
      const double to = edge_time(p_, whole, each);
      if (kinks_[each] || !std::isfinite(there) || !std::isfinite(from[each]) || !std::isfinite(to)) continue;
      const auto crossed = first_crossed(p_, from[each], to);
      const double where = crossed ? (p_.times[*crossed] - from[each]) / (to - from[each]) : 1;
      if (where < fraction) fraction = where, edge = each, sample = crossed;
    }
    if (there < squares_ && !sample) {
      accept(whole, there, step.p);
      return true;
    }
    if (there < squares_ && squares_ - there > 0.75 * step.fall) {
      accept(whole, there);
      return true;
    }
    if (sample) {
      const Point next = moved(step.p, fraction);
      const double at_kink = squares_at(next);
      if (at_kink < std::min(squares_, there) || (fraction < 1e-6 && std::isfinite(at_kink))) {
        kinks_[edge] = sample;
        accept(next, at_kink);
        return true;
      }
      if (there < squares_) {
        accept(whole, squares_at(whole));
        return true;
      }
    }
    for (int tries = 0; tries < 4; ++tries) {
      fraction /= 3;
      const Point next = moved(step.p, fraction);
      if (const double lower = squares_at(next); lower < squares_) {
        accept(next, lower, fraction * step.p);
        return true;
      }
    }
    return false;
  }

  // Takes the last step. Where a kink is near, goes on to a side of it on which S is lower, if there is one.
  bool leave_kink(const Step& step, double noise) {
    const double now[] = {edge_time(p_, at_, touch), edge_time(p_, at_, parting)};
    if (const Point last = moved(step.p); in_range(p_.kind, last)) accept(last, std::max(squares_ - step.fall, 0.0));
    for (const Edge edge : edges) {
      const double reach = aside[0] * noise * step.error[edge];
      const auto first = std::lower_bound(p_.times.begin(), p_.times.end(), now[edge] - reach);
      const bool near = first != p_.times.end() && *first < now[edge] + reach;
      if (!near && !kinks_[edge]) continue;
      for (const double distance : aside)
        for (const double side : {-distance, distance}) {
          const Point next = moved(step.away[edge], side * noise);
          if (const double lower = squares_at(next); lower < squares_) {
            kinks_[edge].reset();
            accept(next, lower);
            return true;
          }
        }
    }
    return false;
  }

  Problem& p_;
  Point at_;
  double squares_;
  int evaluations_ = 1;
  bool near_ = true;
  Kinks kinks_;
  NormalMatrix normal_;                                               // J'J where the last step began
  NormalMatrix correction_ = NormalMatrix::Zero(p_.count, p_.count);  // A
  bool known_ = false;                                                // whether the last step tells more of it
  FreeVector change_, change_from_, last_g_;                          // that step, J'r before it; J'r
};

}  // namespace

NormalMatrix settle(Problem& p, Descent& descent) {
  p.tapered = false;
  Settling settling(p, descent.at);
  settling.run();
  if (!settling.near()) evaluate(p, settling.at());
  p.tapered = true;
  descent.at = settling.at();
  descent.squares = settling.squares();
  descent.evaluations += settling.evaluations();
  return settling.normal();
}

}  // namespace thud::fitting
