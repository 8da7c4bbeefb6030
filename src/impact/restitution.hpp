#pragma once

/// When an impact ends. Private to the library.

#include <thud/impact.hpp>

#include <cmath>
#include <optional>

#include "impact/curve.hpp"

namespace thud::impacting {

/// Follows an impact piece by piece through compression (v < 0) and restitution (v > 0) to its end. Friction that
/// changes may turn restitution into compression once more; what each adds to work and impulse is then counted
/// together.
class Restitution {
 public:
  Restitution(RestitutionKind kind, double e) noexcept : kind_(kind), e_(e) {}

  bool compressing() const noexcept { return compressing_; }

  /// Normal impulse at the first end of compression, once that has come.
  double compression() const noexcept { return compression_; }

  /// The t at which the impact ends, if it does between two bounds of a piece. dv/dp is monotone between them.
  template <class Piece>
  std::optional<double> follow(const Piece& piece, Bound from, const Bound& to) noexcept {
    for (int i = 0; i < max_changes; ++i) {
      if (compressing_) {
        const std::optional<double> stop = rise(piece, 0, from, to);
        if (!stop) {
          add(from.at, to.at);
          return std::nullopt;
        }
        const Bound stopped{*stop, piece.at(*stop)};
        add(from.at, stopped.at);
        from = stopped;
        compressing_ = false;
        if (!(compression_ >= 0)) compression_ = stopped.at.p;
        if (e_ == 0) return stop;
      } else {
        const std::optional<double> back = fall(piece, from, to);
        const Bound high = back ? Bound{*back, piece.at(*back)} : to;
        if (const auto over = finish(piece, from, high)) return over;
        add(from.at, high.at);
        if (!back) return std::nullopt;
        from = high;
        compressing_ = true;
      }
    }
    return std::nullopt;
  }

 private:
  // The velocity turns once at most, so that it changes its sign twice.
  static constexpr int max_changes = 3;

  // A restitution with less curvature than 1e-10 of the impulse.
  static constexpr double nearly_plastic = 1e-5;

  // What the impact began with, in the units of problem.hpp
  static constexpr double v_before = -1;

  // Where the velocity turns between two bounds, if it falls at one of them and rises at the other.
  template <class Piece>
  static std::optional<Bound> turn(const Piece& piece, const Bound& low, const Bound& high) noexcept {
    if ((piece.rate(low.at) > 0) == (piece.rate(high.at) > 0)) return std::nullopt;
    const double t = piece.turn(low, high);
    return Bound{t, piece.at(t)};
  }

  // The first t between two bounds at which a velocity below the value, or about to fall below it, has risen to it.
  template <class Piece>
  static std::optional<double> rise(const Piece& piece, double value, const Bound& low, const Bound& high) noexcept {
    const std::optional<Bound> turned = turn(piece, low, high);
    const bool first_falls = !(piece.rate(low.at) > 0);
    if (high.at.v >= value) return piece.when_velocity(value, turned && first_falls ? *turned : low, high);
    if (!turned || first_falls || turned->at.v < value) return std::nullopt;
    return piece.when_velocity(value, low, *turned);
  }

  // The first t between two bounds at which a velocity of 0 or more has fallen to 0.
  template <class Piece>
  static std::optional<double> fall(const Piece& piece, const Bound& low, const Bound& high) noexcept {
    const std::optional<Bound> turned = turn(piece, low, high);
    const bool first_rises = piece.rate(low.at) > 0;
    if (high.at.v < 0) return piece.when_velocity(0, turned && first_rises ? *turned : low, high);
    if (!turned || first_rises || !(turned->at.v < 0)) return std::nullopt;
    return piece.when_velocity(0, low, *turned);
  }

  // Where restitution is complete, with v >= 0 in [low, high].
  template <class Piece>
  std::optional<double> finish(const Piece& piece, const Bound& low, const Bound& high) const noexcept {
    switch (kind_) {
      case RestitutionKind::energetic: {
        if (e_ < nearly_plastic && restored_impulse_ == 0) {  // v is linear in p, work too small for a difference
          const double value = low.at.p + e_ * std::sqrt(2 * compressed_work_ / piece.rate(low.at));
          return high.at.p < value ? std::nullopt : std::optional(piece.when_impulse(value, low, high));
        }
        const double value = low.at.work + e_ * e_ * compressed_work_ - restored_work_;
        if (high.at.work < value) return std::nullopt;
        return piece.when_work(value, low, high);
      }
      case RestitutionKind::poisson: {
        const double value = low.at.p + e_ * compressed_impulse_ - restored_impulse_;
        if (high.at.p < value) return std::nullopt;
        return piece.when_impulse(value, low, high);
      }
      case RestitutionKind::newton:
        break;
    }
    return rise(piece, -e_ * v_before, low, high);
  }

  void add(const Instant& low, const Instant& high) noexcept {
    if (compressing_) {
      compressed_work_ += low.work - high.work;
      compressed_impulse_ += high.p - low.p;
    } else {
      restored_work_ += high.work - low.work;
      restored_impulse_ += high.p - low.p;
    }
  }

  RestitutionKind kind_;
  double e_;
  bool compressing_ = true;
  double compressed_work_ = 0, compressed_impulse_ = 0;  // work against the normal force, >= 0
  double restored_work_ = 0, restored_impulse_ = 0;
  double compression_ = -1;
};

}  // namespace thud::impacting
