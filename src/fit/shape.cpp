#include "fit/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <boost/math/quadrature/gauss.hpp>

#include "contact/phase.hpp"

namespace thud::fitting {
namespace {

using std::numbers::pi;

// Nodes equally spaced in the phase angle theta, close enough for eta' to be smooth between them: the force is then
// accurate to 3e-8 of its peak for exponent 1, to 1e-6 for others.
int node_count(double w0, double n) {
  const double w = std::abs(w0);
  return 2 * static_cast<int>(std::max(n == 1 ? 9 + 2.7 * w : 18, 5 * w));
}

// Integrals over theta up to each node, for exponent 1: of eta', and of its derivative by w0. The integrands are
// even about both ends of the half cycle, so the centred eight-point rule applies in every interval.
void integrate_time(double w0, CycleTable& table) {
  const int n = static_cast<int>(table.nodes.size()) - 1;
  table.scratch.resize(2 * static_cast<std::size_t>(n + 7));
  double *d1 = table.scratch.data() + 3, *d2 = d1 + n + 7;
  const double step = pi / n, cos_step = std::cos(step), sin_step = std::sin(step);
  double c = 1, s = 0;
  for (int i = 0; i <= n; ++i) {
    if (2 * i == n) c = 0, s = 1;
    const contact::phase::EtaDerivatives at = contact::phase::eta_derivatives(w0 * c);
    d1[i] = at.d1;
    d2[i] = at.d2 * c;
    auto& node = table.nodes[static_cast<std::size_t>(i)];
    node.rate[0] = at.d1;
    node.rate[1] = at.d2;
    const double next = c * cos_step - s * sin_step;
    s = s * cos_step + c * sin_step;
    c = next;
  }
  for (double* f : {d1, d2}) {
    for (int i = 1; i <= 3; ++i) {
      f[-i] = f[i];
      f[n + i] = f[n - i];
    }
  }
  constexpr double rule[] = {68323 / 120960.0, -9531 / 120960.0, 1879 / 120960.0, -191 / 120960.0};
  double time = 0, time_a = 0;
  for (int i = 0; i <= n; ++i) {
    table.nodes[static_cast<std::size_t>(i)].time = time;
    table.nodes[static_cast<std::size_t>(i)].depth[1] = time_a;
    double sum = 0, sum_a = 0;
    if (i < n) {
      for (int k = 0; k < 4; ++k) {
        sum += rule[k] * (d1[i - k] + d1[i + 1 + k]);
        sum_a += rule[k] * (d2[i - k] + d2[i + 1 + k]);
      }
    }
    time += step * sum;
    time_a += step * sum_a;
  }
}

// The same for any exponent, with the weight sin(theta)^alpha, by a Gauss rule in each interval; at both ends of the
// half cycle theta = step y^power smooths the weight. Also the integral with ln(sin(theta)).
void integrate_time(double w0, double alpha, CycleTable& table) {
  using Rule = boost::math::quadrature::gauss<double, 7>;
  const int n = static_cast<int>(table.nodes.size()) - 1;
  const double step = pi / n;
  double sums[3] = {0, 0, 0};
  for (int i = 0; i <= n; ++i) {
    auto& node = table.nodes[static_cast<std::size_t>(i)];
    node.time = sums[0];
    node.depth[1] = sums[1];
    node.depth[2] = sums[2];
    if (i == n) break;
    const bool end = i == 0 || i == n - 1;
    const double power = end ? 4 / (1 + alpha) : 1;
    for (std::size_t j = 0; j < Rule::abscissa().size(); ++j) {
      for (double sign : {-1.0, 1.0}) {
        if (j == 0 && sign < 0) continue;  // the middle point, once
        const double y = (1 + sign * Rule::abscissa()[j]) / 2, fraction = end ? std::pow(y, power) : y;
        const double angle = step * fraction, theta = i == n - 1 ? pi - angle : i * step + angle;
        const double cosine = std::cos(theta), sine = std::sin(end ? angle : theta);
        const contact::phase::Eta eta = contact::phase::eta(w0 * cosine);
        const double weight = Rule::weights()[j] * step / 2 * (end ? power * fraction / y : 1) * std::pow(sine, alpha);
        sums[0] += weight * eta.d1;
        sums[1] += weight * eta.d2 * cosine;
        sums[2] += weight * eta.d1 * std::log(sine);
      }
    }
  }
}

void fill_table(double w0, double n, CycleTable& table) {
  const int last = node_count(w0, n);
  table.nodes.resize(static_cast<std::size_t>(last) + 1);
  const double alpha = (1 - n) / (1 + n);
  if (n == 1) {
    integrate_time(w0, table);
  } else {
    integrate_time(w0, alpha, table);
  }

  // Maximum depth (n = 1) is g = w0/d, which is eta' at first touch.
  const contact::phase::Eta touch = contact::phase::eta(w0);
  const double g = touch.d1, g_a = touch.d2, d = w0 / g, d_a = (1 + d) * g, m = n + 1;
  const double scale = n == 1 ? 1 : std::pow(g, alpha) * std::pow(m / 2, -n / m), scale_a = alpha * g_a / g;
  const double growth = 2 / m * g_a / g, scale_n = (-2 * std::log(g) - std::log(m / 2) - n) / (m * m);
  const double step = pi / last, cos_step = std::cos(step), sin_step = std::sin(step);
  double c = 1, s = 0;
  for (int i = 0; i <= last; ++i) {
    auto& node = table.nodes[static_cast<std::size_t>(i)];
    if (2 * i == last) c = 0, s = 1;
    if (i == last) c = -1, s = 0;
    const contact::phase::Eta eta =
        n == 1 ? contact::phase::Eta{0, node.rate[0], node.rate[1]} : contact::phase::eta(w0 * c);
    const double inverse = 1 / eta.d1, q = 1 + w0 * c * inverse;
    const double time = scale * node.time, time_a = scale * node.depth[1] + scale_a * time;
    const double time_n = n == 1 ? 0 : scale_n * time - 2 / (m * m) * scale * node.depth[2];
    const double depth = n == 1 ? g * s : std::pow(m / 2 * g * g * s * s, 1 / m);
    const double power = n == 1 ? depth : std::pow(depth, n);             // D^n
    const double slope = n == 1 ? 1 : depth > 0 ? n * power / depth : 0;  // n D^(n-1)
    const double rate = g * c * inverse, acceleration = -power * q;

    // Derivatives at a fixed time are those at a fixed angle, less the change due to the shift in time.
    const double depth_a = growth * depth - rate * time_a;
    const double rate_a = (g_a - rate * eta.d2) * c * inverse - acceleration * time_a;
    const double acceleration_a = -slope * depth_a * q - power * (d_a * rate + d * rate_a);
    const double log_depth = n == 1 || depth == 0 ? 0 : std::log(depth);
    const double depth_n = n == 1 ? 0 : depth * (1 / m - log_depth) / m - rate * time_n,
                 rate_n = -acceleration * time_n;
    const double acceleration_n = n == 1 ? 0 : -power * log_depth * q - slope * depth_n * q - power * d * rate_n;
    node = {time, {depth, depth_a, depth_n}, {rate, rate_a, rate_n}, {acceleration, acceleration_a, acceleration_n}};
    const double next = c * cos_step - s * sin_step;
    s = s * cos_step + c * sin_step;
    c = next;
  }
}

// Between two nodes, the polynomials of degree five in the fraction x of the interval that match the value, slope and
// curvature at both. Interleaved, so that compilers use vector instructions.
template <std::size_t lanes>
struct Piece {
  double start, inverse;             // time at its start, 1 / its duration
  std::array<double, lanes> c[6]{};  // by powers of x

  Piece(const CycleTable::Node& from, const CycleTable::Node& to)
      : start(from.time), inverse(1 / (to.time - from.time)) {
    const double h = to.time - from.time, h2 = h * h;
    for (std::size_t i = 0; i < lanes; ++i) {
      const double y0 = from.depth[i], v0 = h * from.rate[i], a0 = h2 * from.acceleration[i];
      const double y = to.depth[i] - (y0 + v0 + a0 / 2), v = h * to.rate[i] - (v0 + a0),
                   a = h2 * to.acceleration[i] - a0;
      c[0][i] = y0, c[1][i] = v0, c[2][i] = a0 / 2;
      c[3][i] = 10 * y - 4 * v + a / 2, c[4][i] = -15 * y + 7 * v - a, c[5][i] = 6 * y - 3 * v + a / 2;
    }
  }

  // Value and derivative by time.
  std::pair<double, double> at(double t, std::size_t i) const {
    const double x = (t - start) * inverse;
    double slope = c[5][i], value = slope * x + c[4][i];
    for (std::size_t k = 4; k-- > 0;) {
      slope = slope * x + value;
      value = value * x + c[k][i];
    }
    return {value, slope * inverse};
  }
};

// The columns between two nodes for exponent 1. The arrays do not alias, so that compilers vectorize over the times.
void sample(const Piece<2>& piece, double d, double d_a, const double* __restrict tau, Eigen::Index count,
            double* __restrict value, double* __restrict by_time, double* __restrict by_shape) {
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [D, s] = piece.at(tau[i], 0);
    const auto [D_a, s_a] = piece.at(tau[i], 1);
    const double q = 1 + d * s;
    value[i] = D * q;
    by_time[i] = q * (s - d * D * D);
    by_shape[i] = D_a * q + D * (d_a * s + d * s_a);
  }
}

template <bool general>
ShapeEnd evaluate_cycle(double w0, double n, const Eigen::ArrayXd& tau, const CycleTable& table, ShapeColumns& out) {
  const contact::phase::Eta touch = contact::phase::eta(w0);
  const double d = w0 / touch.d1, d_a = (1 + d) * touch.d1;
  const auto& end = table.nodes.back();
  const double *first = tau.data(), *last = first + tau.size();
  const auto from = std::upper_bound(first, last, 0.0) - first, to = std::lower_bound(first, last, end.time) - first;
  for (auto* column : {&out.value, &out.by_time, &out.by_shape, &out.by_exponent}) {
    column->head(from).setZero();
    column->tail(tau.size() - to).setZero();
  }
  const auto* node = table.nodes.data();
  for (Eigen::Index i = from, next = from; i < to; i = next, ++node) {
    while (next < to && tau[next] <= node[1].time) ++next;
    if (next == i) continue;
    const Piece<general ? 3 : 2> piece(node[0], node[1]);
    if constexpr (general) {
      for (; i < next; ++i) {
        const auto [D, s] = piece.at(tau[i], 0);
        const auto [D_a, s_a] = piece.at(tau[i], 1);
        const auto [D_n, s_n] = piece.at(tau[i], 2);
        const double deep = std::max(D, 1e-300), power = std::pow(deep, n), slope = n * power / deep, q = 1 + d * s;
        out.value[i] = power * q;
        out.by_time[i] = slope * s * q - d * power * power * q;
        out.by_shape[i] = slope * D_a * q + power * (d_a * s + d * s_a);
        out.by_exponent[i] = power * std::log(deep) * q + slope * D_n * q + power * d * s_n;
      }
    } else {
      sample(piece, d, d_a, &tau[i], next - i, &out.value[i], &out.by_time[i], &out.by_shape[i]);
    }
  }
  return {end.time, -end.depth[1] / end.rate[0], -end.depth[2] / end.rate[0]};
}

}  // namespace

void ShapeColumns::resize(Eigen::Index size) {
  for (auto* column : {&value, &by_time, &by_shape, &by_exponent}) column->resize(size);
}

ShapeEnd evaluate_viscoelastic(double w0, const Eigen::ArrayXd& tau, CycleTable& table, ShapeColumns& columns) {
  fill_table(w0, 1, table);
  return evaluate_cycle<false>(w0, 1, tau, table, columns);
}

ShapeEnd evaluate_hunt_crossley(double w0, double n, const Eigen::ArrayXd& tau, CycleTable& table,
                                ShapeColumns& columns) {
  fill_table(w0, n, table);
  return evaluate_cycle<true>(w0, n, tau, table, columns);
}

}  // namespace thud::fitting
