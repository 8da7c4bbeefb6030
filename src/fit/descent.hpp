#pragma once

/// Nonlinear least squares of a shape to a record. Private to the library.

#include <thud/conventions.hpp>
#include <thud/fit.hpp>

#include "fit/shape.hpp"

namespace thud::fitting {

/// The model's parameters, of which some are free: f = b + r (t - t_mid) + m|v0|/T Phi((t - t0)/T; a, n).
///
/// For the viscoelastic and Hunt-Crossley laws the shape parameter is u = 1/(1 + d) = k/(k + c|v0|), and the time unit
/// that of k/u, T u^(1/(n+1)): mass and time then determine the rise, u the fall, and the sum of squares is nearly
/// quadratic. For the other laws they are a and T.
enum ParameterIndex { log_mass, log_time, shape, exponent, start, baseline, drift, parameter_count };
using Point = Eigen::Matrix<double, parameter_count, 1>;

/// ln T and a at a point, with their derivatives by the parameters.
struct Unpacked {
  double log_time, a;
  double time_by_shape = 0, time_by_exponent = 0, a_by_shape = 1;
};

using NormalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, parameter_count, parameter_count>;
using FreeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, parameter_count, 1>;

struct Problem {
  const VectorRef& times;
  const VectorRef& forces;
  LawKind kind;
  double speed;                    // |v0| [m/s]
  double middle;                   // t_mid [s]
  int free[parameter_count] = {};  // indices of the free parameters
  int count = 0;

  // Scratch memory, resized by descend
  Eigen::ArrayXd tau = {};
  CycleTable table = {};
  ShapeColumns columns = {};
  Eigen::MatrixXd jacobian = {};  // (samples x free)
  Eigen::VectorXd residual = {};
  double end_time = 0;     // end of the contact [s]
  Point end = {};          // its gradient
  bool tapered = true;     // whether the derivatives are tapered there
  double taper_width = 0;  // width of the taper [s]
};

struct Descent {
  FitStatus status = FitStatus::no_convergence;
  Point at;
  double squares = 0;   // sum of squared residuals
  NormalMatrix normal;  // J'J at the last evaluation
  double end = 0;       // end of the contact at that point [s]
  int in_contact = 0;   // samples in contact at that point
  int evaluations = 0;
};

/// The range of the shape parameter.
struct ShapeRange {
  double low, high;
};

/// Residual, Jacobian and end of the contact at a point; returns the sum of squares.
double evaluate(Problem& problem, const Point& at);

/// H = J'J and g = J'r at the last evaluation.
void normal_equations(const Problem& problem, NormalMatrix& h, FreeVector& g);

/// Whether the model can be evaluated at a point.
bool in_range(LawKind kind, const Point& at);

/// Levenberg-Marquardt with Marquardt's scaling, from a point inside the range of the shape. Ends where J'r = 0 with
/// derivatives that are tapered at the ends of the contact: near a minimum of S, and past those that single samples
/// make there.
Descent descend(Problem& problem, Point at, int max_evaluations);

}  // namespace thud::fitting
