#pragma once

/// When an impact ends. Private to the library.

#include <thud/impact.hpp>

#include <cmath>
#include <optional>

#include "impact/instant.hpp"

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

  /// Where on a piece compression first ended, if it did on the last one.
  std::optional<double> turned() const noexcept { return turned_; }

  /// The t at which the impact ends, if it does on this piece before t = end. `from` and `to` are where it begins and
  /// where it would be at the end.
  template <class Piece>
  std::optional<double> follow(const Piece& piece, Instant from, double end, const Instant& to) noexcept {
    turned_.reset();
    double t = 0;
    for (int i = 0; i < max_changes; ++i) {
      if (compressing_) {
        const std::optional<double> stop = rise(piece, 0, {t, from}, {end, to});
        if (!stop) {
          add(from, to);
          return std::nullopt;
        }
        const Instant stopped = piece.at(*stop);
        add(from, stopped);
        t = *stop;
        from = stopped;
        compressing_ = false;
        if (!(compression_ >= 0)) {
          compression_ = stopped.p;
          turned_ = t;
        }
        if (e_ == 0) return t;
      } else {
        const std::optional<double> back = fall(piece, {t, from}, {end, to});
        const Instant high = back ? piece.at(*back) : to;
        if (const auto over = finish(piece, {t, from}, {back.value_or(end), high})) return over;
        add(from, high);
        if (!back) return std::nullopt;
        t = *back;
        from = high;
        compressing_ = true;
      }
    }
    return std::nullopt;
  }

 private:
  // On one piece the velocity changes its sign three times at most: its rate changes sign twice.
  static constexpr int max_changes = 4;

  // A restitution with less curvature than 1e-10 of the impulse.
  static constexpr double nearly_plastic = 1e-5;

  // What the impact began with, in the units of problem.hpp
  static constexpr double v_before = -1;

  struct Bound {
    double t;
    Instant at;
  };

  // The first t in [low, high] at which the velocity has risen to the value.
  template <class Piece>
  static std::optional<double> rise(const Piece& piece, double value, const Bound& low, const Bound& high) noexcept {
    if (high.at.v >= value) return piece.when_velocity(value, low.t, high.t);
    if (!(piece.rate(low.at) > 0) || piece.rate(high.at) > 0) return std::nullopt;
    const double top = piece.turn(low.t, high.t);
    if (piece.at(top).v < value) return std::nullopt;
    return piece.when_velocity(value, low.t, top);
  }

  // The first t in [low, high] at which a velocity of 0 or more has fallen to 0.
  template <class Piece>
  static std::optional<double> fall(const Piece& piece, const Bound& low, const Bound& high) noexcept {
    if (!(high.at.v < 0)) return std::nullopt;
    return piece.when_velocity(0, piece.rate(low.at) > 0 ? piece.turn(low.t, high.t) : low.t, high.t);
  }

  // Where restitution is complete, with v >= 0 in [low, high].
  template <class Piece>
  std::optional<double> finish(const Piece& piece, const Bound& low, const Bound& high) const noexcept {
    switch (kind_) {
      case RestitutionKind::energetic: {
        if (e_ < nearly_plastic && restored_impulse_ == 0) {  // v is linear in p, work too small for a difference
          const double value = low.at.p + e_ * std::sqrt(2 * compressed_work_ / piece.rate(low.at));
          return high.at.p < value ? std::nullopt : std::optional(piece.when_impulse(value, low.t, high.t));
        }
        const double value = low.at.work + e_ * e_ * compressed_work_ - restored_work_;
        if (high.at.work < value) return std::nullopt;
        return piece.when_work(value, low.t, high.t);
      }
      case RestitutionKind::poisson: {
        const double value = low.at.p + e_ * compressed_impulse_ - restored_impulse_;
        if (high.at.p < value) return std::nullopt;
        return piece.when_impulse(value, low.t, high.t);
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
  std::optional<double> turned_;
};

}  // namespace thud::impacting
