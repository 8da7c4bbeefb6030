#pragma once

/// The course of an impact, piece by piece. Private to the library.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "impact/arc.hpp"
#include "impact/line.hpp"
#include "impact/problem.hpp"
#include "impact/restitution.hpp"
#include "impact/stop.hpp"

namespace thud::impacting {

/// An impact solved, in the units of problem.hpp.
struct Course {
  ImpactStatus status = ImpactStatus::wedged;
  Instant end;
  double compression = 0;
  bool jam = false;
  ImpactPhases phases;
};

/// Follows an impact to its end. observe(mode, piece, t) is called for each piece: it was followed from 0 to t.
template <class Observer>
class CourseSolver {
 public:
  CourseSolver(const Problem& problem, const ImpactOptions& options, Observer& observe) noexcept
      : q_(problem), restitution_(options.kind, options.restitution), observe_(observe) {}

  Course follow() noexcept {
    const double r = q_.slip.norm();
    if (q_.mu == 0) {
      frictionless(r > rounding || q_.d.norm() > rounding ? ContactMode::slip : ContactMode::stick);
    } else if (r > rounding) {
      state_.r = r;
      state_.s = 1 / r * q_.slip;
      slip();
    }
    if (!over_) rest();
    course_.end = state_;
    course_.compression = restitution_.compression();
    return course_;
  }

 private:
  // Slip that turns by less than this, in units of its rates, goes straight.
  static constexpr double straight = 1e-14;
  // Slip that has fallen to this part of what it was has stopped.
  static constexpr double stopped = 1e-16;
  // What the end of a slip may add to the error of an impulse of order 1.
  static constexpr double stop_error = 1e-13;
  // Arcs of one slip. In 1e8 random impacts and in those that are hardest, just under the friction that sticks, none
  // has more than a quarter of this.
  static constexpr int max_arcs = 400;

  static constexpr double endless = std::numeric_limits<double>::infinity();

  // The slip may turn, but nothing depends on it.
  void frictionless(ContactMode mode) noexcept {
    const Instant start = state_;
    take(mode, Line(state_, {}, 1, 0), endless);
    close(mode, start);
  }

  // Slides until the point stops or the impact ends.
  void slip() noexcept {
    const Instant start = state_;
    const double size = q_.d.norm() + q_.mu * std::max(q_.b.x, q_.b.y);
    for (int i = 0; i < max_arcs && !over_ && state_.r > stopped * start.r; ++i) {
      const SlipRates rates(q_, state_.s);
      course_.jam |= rates.H < 0 && restitution_.compressing();
      const bool settled = rates.dG < 0 && std::abs(rates.G) <= rounding * -rates.dG;
      if (settled || std::abs(rates.G) <= straight * size) {
        if (settled) settle(rates);
        const SlipRates along(q_, state_.s);
        slide(along.F, along.H);
        break;
      }
      if (const auto stop = Stop::from(q_, state_, stop_error)) {
        course_.jam |= SlipRates(q_, stop->at(1).s).H < 0 && restitution_.compressing();
        take(ContactMode::slip, *stop, 1);
        break;
      }
      const Arc arc(q_, state_);
      take(ContactMode::slip, arc, arc.length());
    }
    if (!over_) state_.r = 0;
    close(ContactMode::slip, start);
  }

  // Turns the slip to where it tends, by Newton's method.
  void settle(const SlipRates& rates) noexcept {
    const double turn = -rates.G / rates.dG;
    state_.s = {state_.s.x - turn * state_.s.y, state_.s.y + turn * state_.s.x};
  }

  // Slides straight on.
  void slide(double F, double H) noexcept {
    const double end = F < 0 ? state_.r / -F : endless;
    if (end == endless && !(H > rounding)) {
      over_ = true;  // it would never part
      course_.status = ImpactStatus::wedged;
      return;
    }
    take(ContactMode::slip, Line(state_, -q_.mu * state_.s, H, F), end);
  }

  // From no slip to the end.
  void rest() noexcept {
    const Instant start = state_;
    const Tangent stick = sticking(q_);
    if (stick.norm() <= q_.mu) {
      const double H = 1 - q_.d.dot(stick);
      if (!(H > rounding)) {
        course_.status = ImpactStatus::wedged;
        return;
      }
      take(ContactMode::stick, Line(state_, -1 * stick, H, 0), endless);
      return close(ContactMode::stick, start);
    }
    const Leaving away = leaving(q_);
    state_.s = away.s;
    slide(away.lambda, 1 - q_.mu * q_.d.dot(away.s));
    close(ContactMode::slip, start);
  }

  // A piece up to t = end, or to the end of the impact on it.
  template <class Piece>
  void take(ContactMode mode, const Piece& piece, double end) noexcept {
    const Bound from{0, state_};
    Bound to{end, piece.at(end)};
    std::optional<double> over;
    if (const auto t = piece.extreme(from, to)) {
      const Bound middle{*t, piece.at(*t)};
      over = restitution_.follow(piece, from, middle);
      if (!over) over = restitution_.follow(piece, middle, to);
    } else {
      over = restitution_.follow(piece, from, to);
    }
    if (over) {
      to = {*over, piece.at(*over)};
      over_ = true;
      course_.status = ImpactStatus::ok;
    }
    observe_(mode, piece, to.t);
    state_ = to.at;
  }

  // A phase from `start` to now. Its whole work is impulse.(u + u_start)/2.
  void close(ContactMode mode, const Instant& start) noexcept {
    ImpactPhase phase{mode, state_.p - start.p, state_.work - start.work, 0};
    if (!(phase.normal_impulse > 0)) return;
    const Tangent impulse = state_.impulse - start.impulse;
    const double work = ((state_.v + start.v) * phase.normal_impulse + (state_.slip() + start.slip()).dot(impulse)) / 2;
    if (mode == ContactMode::slip) phase.friction_work = std::min(0.0, work - phase.normal_work);
    course_.phases.push_back(phase);
  }

  const Problem& q_;
  Restitution restitution_;
  Observer& observe_;
  Instant state_;
  Course course_;
  bool over_ = false;
};

}  // namespace thud::impacting
