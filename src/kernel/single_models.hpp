#pragma once

/// The four inverse inertias of one posture, from the contact dynamics. Private to the library.

#include "kernel/kernel.hpp"
#include "kernel/models.hpp"
#include "kernel/simd.hpp"

namespace thud::kernel {
namespace {

// A x for a column x of M^-1 J^T; A is J or A_G. Rows in fours, the middle two of the six twice.
template <int width>
[[gnu::always_inline]] inline Spatial<double> per_impulse(long n, const double* A, const double* x) {
  Four<width> first{}, last{};
  for (long i = 0; i < n; ++i) {
    first = first + Four<width>::load(A + 6 * i) * x[i];
    last = last + Four<width>::load(A + 6 * i + 2) * x[i];
  }
  double low[4], high[4];
  first.store(low);
  last.store(high);
  return {{low[0], low[1], low[2]}, {low[3], high[2], high[3]}};
}

template <int N, int width>
void options_of(const Response& of, Models& out) {
  const long n = N > 0 ? N : of.joints;
  const V3<double> normal{of.normal_W[0], of.normal_W[1], of.normal_W[2]};
  Spatial<double> linear[3], angular[3], momenta[3];
  for (long k = 0; k < 3; ++k) {
    linear[k] = per_impulse<width>(n, of.J, of.M_inv_JT + n * k);
    angular[k] = per_impulse<width>(n, of.J, of.M_inv_JT + n * (k + 3));
    momenta[k] = per_impulse<width>(n, of.A_G, of.M_inv_JT + n * k);
  }
  const Mobility<double> A{{linear[0].linear.x, linear[1].linear.y, linear[2].linear.z, linear[0].linear.y,
                            linear[0].linear.z, linear[1].linear.z},
                           {angular[0].angular.x, angular[1].angular.y, angular[2].angular.z, angular[0].angular.y,
                            angular[0].angular.z, angular[1].angular.z},
                           {angular[0].linear, angular[1].linear, angular[2].linear}};
  const auto algebraic = algebraic_option(A, normal, smallest_mobility);
  const auto momentum = generalized_momentum_option(A, normal, smallest_mobility);

  const double* I = of.Ic_W;
  const S3<double> Ic{I[0], I[4], I[8], I[1], I[2], I[5]};
  const V3<double> r{of.p_WC[0] - of.com_W[0], of.p_WC[1] - of.com_W[1], of.p_WC[2] - of.com_W[2]};
  const auto turning = inverse(Ic, largest_diagonal(Ic), smallest_mobility);
  const double inverse_mass = 1 / of.mass;
  const Composite<double> body = composite_option(inverse_mass, turning.matrix(), r);
  const V3<double> x = flexible_column<0>(inverse_mass, body, A.vv, momenta[0]);
  const V3<double> y = flexible_column<1>(inverse_mass, body, A.vv, momenta[1]);
  const V3<double> z = flexible_column<2>(inverse_mass, body, A.vv, momenta[2]);
  const double moves = along(normal, body.W), flexible_trace = x.x + y.y + z.z;
  const double flexes = dot(x, normal) * normal.x + dot(y, normal) * normal.y + dot(z, normal) * normal.z;

  write(algebraic.W, out.W[0]);
  write(momentum.W, out.W[1]);
  write(body.W, out.W[2]);
  write(x, out.W[3]);
  write(y, out.W[3] + 3);
  write(z, out.W[3] + 6);
  out.mass[0] = algebraic.mass, out.mass[1] = momentum.mass, out.mass[2] = 1 / moves, out.mass[3] = 1 / flexes;
  out.has_composite = of.mass > 0 && turning.positive;
  out.exists[0] = algebraic.exists, out.exists[1] = momentum.exists;
  out.exists[2] = moves > trace(body.W) * smallest_mobility,
  out.exists[3] = flexes > flexible_trace * smallest_mobility;
}

template <int width>
void options(const Response& of, Models& out) {
  if (of.joints == 7) return options_of<7, width>(of, out);
  if (of.joints == 6) return options_of<6, width>(of, out);
  options_of<0, width>(of, out);
}

}  // namespace
}  // namespace thud::kernel
