#pragma once

/// When an impact ends. Private to the library.

#include <thud/impact.hpp>

#include <optional>

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

  /// The t at which the impact ends, if it does on this piece before t = end.
  template <class Piece>
  std::optional<double> follow(const Piece& piece, double end) noexcept {
    turned_.reset();
    double t = 0;
    for (int i = 0; i < max_changes; ++i) {
      if (compressing_) {
        const std::optional<double> stop = rise(piece, 0, t, end);
        add(piece, t, stop.value_or(end));
        if (!stop) return std::nullopt;
        t = *stop;
        compressing_ = false;
        if (!(compression_ >= 0)) {
          compression_ = compressed_impulse_;
          turned_ = t;
        }
        if (e_ == 0) return t;
      } else {
        const std::optional<double> back = fall(piece, t, end);
        const double high = back.value_or(end);
        if (const auto over = finish(piece, t, high)) return over;
        add(piece, t, high);
        if (!back) return std::nullopt;
        t = high;
        compressing_ = true;
      }
    }
    return std::nullopt;
  }

 private:
  // On one piece the velocity changes its sign three times at most: its rate changes sign twice.
  static constexpr int max_changes = 4;

  // What the impact began with, in the units of problem.hpp
  static constexpr double v_before = -1;

  // The first t in [low, high] at which the velocity has risen to the value.
  template <class Piece>
  static std::optional<double> rise(const Piece& piece, double value, double low, double high) noexcept {
    if (piece.velocity(high) < value) {
      if (!(piece.acceleration(low) > 0 && piece.acceleration(high) < 0)) return std::nullopt;
      high = piece.turn(low, high);
      if (piece.velocity(high) < value) return std::nullopt;
    }
    return piece.when_velocity(value, low, high);
  }

  // The first t in [low, high] at which a velocity of 0 or more has fallen to 0.
  template <class Piece>
  static std::optional<double> fall(const Piece& piece, double low, double high) noexcept {
    if (!(piece.velocity(high) < 0)) return std::nullopt;
    if (piece.acceleration(low) > 0) low = piece.turn(low, high);
    return piece.when_velocity(0, low, high);
  }

  // Where restitution is complete, with v >= 0 in [low, high].
  template <class Piece>
  std::optional<double> finish(const Piece& piece, double low, double high) const noexcept {
    switch (kind_) {
      case RestitutionKind::energetic: {
        const double value = piece.work(low) + e_ * e_ * compressed_work_ - restored_work_;
        if (piece.work(high) < value) return std::nullopt;
        return piece.when_work(value, low, high);
      }
      case RestitutionKind::poisson: {
        const double value = piece.impulse(low) + e_ * compressed_impulse_ - restored_impulse_;
        if (piece.impulse(high) < value) return std::nullopt;
        return piece.when_impulse(value, low, high);
      }
      case RestitutionKind::newton:
        break;
    }
    return rise(piece, -e_ * v_before, low, high);
  }

  template <class Piece>
  void add(const Piece& piece, double low, double high) noexcept {
    const double work = piece.work(high) - piece.work(low), impulse = piece.impulse(high) - piece.impulse(low);
    if (compressing_) {
      compressed_work_ -= work;
      compressed_impulse_ += impulse;
    } else {
      restored_work_ += work;
      restored_impulse_ += impulse;
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
