#pragma once

/// How each contact law is fitted: one entry per law, all of them in fit/laws.cpp. Private to the library.

#include <thud/contact.hpp>

#include <optional>
#include <span>

#include "fit/outline.hpp"
#include "fit/reported.hpp"

namespace thud::fitting {

/// Restitution, and the unit times of the peak and of v = 0; NaN if v = 0 is never reached.
struct ShapeEvents {
  double restitution, peak, compression;
};

struct FitLaw {
  // The shape as a free parameter
  ShapeRange range;
  bool logarithmic = true;  // its likelihood profile is traced over ln(shape), else over the shape itself
  double least_scale = 0;   // a step moves the shape by at most half of its magnitude, or half of this if larger
  bool stiffness_vanishes = false;  // k = 0 at the lower end of the range
  bool free_exponent = false;       // the exponent is a parameter; its fit starts from the viscoelastic one

  // Shapes for further descents: where the first minimum is strongly damped, and where S is not parabolic
  std::span<const double> damped_starts = {}, other_starts = {};

  /// Fills the columns for increasing times tau, in unit time since first touch; zero outside the contact.
  ShapeEnd (*evaluate)(const Shape& shape, const Eigen::ArrayXd& tau, CycleTable& table, ShapeColumns& columns);

  /// ln T and a at a point.
  Unpacked (*unpack)(const Point& at);

  /// Where a descent starts, from the record's outline.
  ///
  /// shape  the desired one, for laws with further starts; without it, the one that fits the moments best
  StartingPoint (*start)(const Outline& outline, double speed, std::optional<double> mass, std::optional<double> shape);

  ShapeEvents (*events)(double a, double n);

  /// The law at a point, and its parameters in the order of its table, with their gradients.
  void (*report)(const Point& at, double speed, Reported& out);
};

const FitLaw& fit_law(LawKind kind) noexcept;

}  // namespace thud::fitting
