#pragma once

/// How each contact law is fitted: one entry per law, all of them in fit/laws.cpp. Private to the library.

#include <thud/contact.hpp>

#include <optional>
#include <span>
#include <vector>

#include "fit/outline.hpp"
#include "fit/reported.hpp"

namespace thud::fitting {

/// Restitution, and the unit times of the peak and of v = 0; NaN if v = 0 is never reached.
struct ShapeEvents {
  double restitution, peak, compression;
};

/// What a record says at first sight, for coordinates and starting points of a fit with an arm.
struct RecordScale {
  double speed;  // |v0| [m/s]
  double depth;  // |v0| times the rise [m]
  double slope;  // of the force at first touch, per depth [N/m]
  double mass;   // of the arm's links [kg]
};

/// A parameter of a law as a coordinate of that fit: its logarithm, or asinh(d/vanishing_damping), d = c|v0|/k, of a
/// damping that may be 0.
struct LawCoordinate {
  double low, high;
  bool may_vanish = false;
};

/// d below which the coordinate of a damping is linear in it.
inline constexpr double vanishing_damping = 0.1;

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

  /// The restitution alone, from the shape as a parameter.
  double (*restitution)(double shape);

  /// The law at a point, and its parameters in the order of its table, with their gradients.
  void (*report)(const Point& at, double speed, Reported& out);

  // With an arm behind the contact: coordinates in the order of the law's table

  /// Their ranges.
  std::vector<LawCoordinate> (*coordinates)(const RecordScale& scale);

  /// The law at a point, and the point of a law.
  ContactLaw (*law_at)(const double* at, const RecordScale& scale);
  void (*point_of)(const ContactLaw& law, const RecordScale& scale, double* at);

  /// Laws from elastic to damped whose force begins with this slope [N/m].
  std::vector<ContactLaw> (*starting_laws)(double slope, const RecordScale& scale);
};

const FitLaw& fit_law(LawKind kind) noexcept;

}  // namespace thud::fitting
