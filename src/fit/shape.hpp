#pragma once

/// The force of each law in dimensionless form, with its derivatives by the parameters. Private to the library.
///
/// Every law's force is f(t) = m|v0|/T Phi((t - t0)/T; a, n): a scale, a time unit and a shape.
///
///   law            time unit T              shape a
///   spring         sqrt(m/k)                e
///   Maxwell        sqrt(m/k)                zeta = sqrt(k m)/(2 c)
///   viscoelastic   sqrt(m/k)                w0 of phase.hpp: d = w0/eta'(w0), any real number; w0 < 0 is d < 0
///   Hunt-Crossley  (m v0^2/k)^(1/(n+1))/|v0|  w0, and the exponent n

#include <array>
#include <vector>

#include <Eigen/Core>

namespace thud::fitting {

struct Shape {
  double a = 0;
  double n = 1;  // Hunt-Crossley only
};

/// Columns of a Jacobian, one row per time.
struct ShapeColumns {
  Eigen::ArrayXd value;        // Phi
  Eigen::ArrayXd by_time;      // dPhi/dtau
  Eigen::ArrayXd by_shape;     // dPhi/da
  Eigen::ArrayXd by_exponent;  // dPhi/dn; Hunt-Crossley only

  void resize(Eigen::Index size);
};

/// The half cycle at nodes in time, and the polynomials between them.
struct CycleTable {
  // Of the depth D, and of its derivatives by a and n at a fixed time.
  struct Node {
    double time;                                      // tau
    std::array<double, 3> depth, rate, acceleration;  // value, first and second derivative by time; s = D', s' = -D^n q
  };
  std::vector<Node> nodes;
  std::vector<double> scratch;
};

/// The end of the contact in unit time, infinite if it never ends, and its derivatives.
struct ShapeEnd {
  double time, by_shape, by_exponent = 0;
};

/// Fill the columns for increasing times tau, in unit time since first touch; zero outside the contact. The laws
/// without a half cycle of phase.hpp are in laws.cpp.
ShapeEnd evaluate_viscoelastic(double w0, const Eigen::ArrayXd& tau, CycleTable& table, ShapeColumns& columns);
ShapeEnd evaluate_hunt_crossley(double w0, double n, const Eigen::ArrayXd& tau, CycleTable& table,
                                ShapeColumns& columns);

}  // namespace thud::fitting
