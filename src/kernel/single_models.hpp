#pragma once

/// The four inverse inertia models of one posture, from the contact dynamics. Private to the library.

#include "kernel/kernel.hpp"
#include "kernel/models.hpp"
#include "kernel/simd.hpp"

namespace thud::kernel {
namespace {

// A x for a column x of M^-1 J^T; A is J or A_G. Its six rows are taken four at a time, the middle two twice.
template <int width>
[[gnu::always_inline]] inline Spatial<double> times_response(long n, const double* A, const double* x) {
  Vector4<width> first{}, last{};
  for (long i = 0; i < n; ++i) {
    first = first + Vector4<width>::load(A + 6 * i) * x[i];
    last = last + Vector4<width>::load(A + 6 * i + 2) * x[i];
  }
  double low[4], high[4];
  first.store(low);
  last.store(high);
  return {{low[0], low[1], low[2]}, {low[3], high[2], high[3]}};
}

template <int N, int width>
void models_of(const ModelInputs& inputs, Models& out) {
  const long n = N > 0 ? N : inputs.joints;
  const V3<double> normal{inputs.normal_W[0], inputs.normal_W[1], inputs.normal_W[2]};
  Spatial<double> linear[3], angular[3], momenta[3];
  for (long k = 0; k < 3; ++k) {
    linear[k] = times_response<width>(n, inputs.J, inputs.M_inv_JT + n * k);
    angular[k] = times_response<width>(n, inputs.J, inputs.M_inv_JT + n * (k + 3));
    momenta[k] = times_response<width>(n, inputs.A_G, inputs.M_inv_JT + n * k);
  }
  const Mobility<double> A{{linear[0].linear.x, linear[1].linear.y, linear[2].linear.z, linear[0].linear.y,
                            linear[0].linear.z, linear[1].linear.z},
                           {angular[0].angular.x, angular[1].angular.y, angular[2].angular.z, angular[0].angular.y,
                            angular[0].angular.z, angular[1].angular.z},
                           {angular[0].linear, angular[1].linear, angular[2].linear}};
  const auto algebraic = algebraic_model(A, normal, smallest_mobility);
  const auto momentum = generalized_momentum_model(A, normal, smallest_mobility);

  const double* I = inputs.Ic_W;
  const S3<double> Ic{I[0], I[4], I[8], I[1], I[2], I[5]};
  const V3<double> r{inputs.p_WC[0] - inputs.com_W[0], inputs.p_WC[1] - inputs.com_W[1],
                     inputs.p_WC[2] - inputs.com_W[2]};
  const auto rotational = inverse_inertia(Ic, smallest_mobility);
  const double inverse_mass = 1 / inputs.mass;
  const Composite<double> body = composite_model(inverse_mass, rotational.matrix, r);
  const V3<double> x = flexible_column<0>(inverse_mass, body, A.vv, momenta[0]);
  const V3<double> y = flexible_column<1>(inverse_mass, body, A.vv, momenta[1]);
  const V3<double> z = flexible_column<2>(inverse_mass, body, A.vv, momenta[2]);
  const double normal_mobility = quadratic_form(normal, body.W), flexible_trace = x.x + y.y + z.z;
  const double flexible_mobility = dot(x, normal) * normal.x + dot(y, normal) * normal.y + dot(z, normal) * normal.z;

  write(algebraic.W, out.W[0]);
  write(momentum.W, out.W[1]);
  write(body.W, out.W[2]);
  write(x, out.W[3]);
  write(y, out.W[3] + 3);
  write(z, out.W[3] + 6);
  out.mass[0] = algebraic.mass, out.mass[1] = momentum.mass, out.mass[2] = 1 / normal_mobility,
  out.mass[3] = 1 / flexible_mobility;
  out.has_composite = inputs.mass > 0 && rotational.positive;
  out.exists[0] = algebraic.exists, out.exists[1] = momentum.exists;
  out.exists[2] = normal_mobility > trace(body.W) * smallest_mobility,
  out.exists[3] = flexible_mobility > flexible_trace * smallest_mobility;
}

template <int width>
void models(const ModelInputs& inputs, Models& out) {
  if (inputs.joints == 7) return models_of<7, width>(inputs, out);
  if (inputs.joints == 6) return models_of<6, width>(inputs, out);
  models_of<0, width>(inputs, out);
}

}  // namespace
}  // namespace thud::kernel
