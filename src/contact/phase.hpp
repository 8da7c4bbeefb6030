#pragma once

/// An impact of the viscoelastic or Hunt-Crossley law as one half cycle of a phase angle. Private to the library.
///
/// With d = c|v0|/k, s = -v/|v0| and eta = ln(1 + d s), the laws f = depth^n (k + c rate) conserve
///
///   depth^(n+1)/(n+1) * k d^2/(m v0^2) + h(eta) = h(ln(1 + d)),      h(eta) = e^eta - 1 - eta.
///
/// Let w = sign(eta) sqrt(2 h(eta)), an analytic and increasing function of eta, and w = w0 cos(theta). Then
///
///   depth^(n+1) = (n+1)/2 (m v0^2/k) (w0/d)^2 sin^2(theta),          theta from 0 (touch) to pi (x = 0),
///
/// compression ends at theta = pi/2, and for n = 1 dt = sqrt(m/k) eta'(w) dtheta: over theta the depth is a half sine
/// for every d, and damping only changes the rate of time. That rate, eta'(w), is one smooth function for all impacts:
/// with e^eta - 1 = w/eta', d = w0/eta'(w0), the rate s = eta'(w0) cos(theta)/eta'(w), and e = eta'(w0)/eta'(-w0). Its
/// nearest singularities, eta = +-2 pi i, lie at w = -2.51 +- 2.51 i.

#include <cmath>
#include <initializer_list>

namespace thud::contact::phase {

/// The solution of e^eta - 1 - eta = w^2/2 that has the sign of w, and its derivatives by w.
struct Eta {
  double value;  // eta [1]
  double d1;     // eta': 1 at w = 0, 2/w for large w, -w for large -w [1]
  double d2;     // eta'' [1]
};

namespace table {

// Taylor polynomials about the multiples of 1/4 in [-8, 16], from eta' = w/(e^eta - 1). At most 1/8 from a centre, with
// singularities 2.5 away, the truncated terms are below 1e-16.
inline constexpr int terms = 12, order = 16, first = -32, last = 64;
inline constexpr long double spacing = 0.25L;

struct Series {
  long double eta[order]{}, exp[order]{};
};

// Equates powers of w in (exp - 1) eta' = w, with exp' = exp eta'. Given: eta[0], exp[0].
constexpr Series expand(long double w, Series s) {
  for (int k = 0; k + 1 < order; ++k) {
    long double right = k == 0 ? w : k == 1 ? 1 : 0;
    for (int j = 1; j <= k; ++j) right -= s.exp[j] * (k + 1 - j) * s.eta[k + 1 - j];
    s.eta[k + 1] = right / ((s.exp[0] - 1) * (k + 1));
    long double sum = 0;
    for (int j = 0; j <= k; ++j) sum += (j + 1) * s.eta[j + 1] * s.exp[k - j];
    s.exp[k + 1] = sum / (k + 1);
  }
  return s;
}

// The same at w = 0, where exp - 1 vanishes and each equation gives the coefficient one power lower.
constexpr Series expand_at_zero() {
  Series s;
  s.exp[0] = s.exp[1] = s.eta[1] = 1;
  for (int k = 2; k < order; ++k) {
    long double known = 0, partial = 0;  // exp[k] = eta[k] + partial
    for (int j = 0; j + 1 < k; ++j) partial += (j + 1) * s.eta[j + 1] * s.exp[k - 1 - j];
    partial /= k;
    for (int j = 2; j < k; ++j) known += s.exp[j] * (k + 1 - j) * s.eta[k + 1 - j];
    s.eta[k] = -(known + partial) / (k + 1);
    s.exp[k] = s.eta[k] + partial;
  }
  return s;
}

constexpr long double value(const long double (&c)[order], long double x) {
  long double sum = 0;
  for (int k = order - 1; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

struct Cells {
  double eta[last - first + 1][terms], rate[last - first + 1][terms - 1];
};

constexpr Cells make_cells() {
  Cells cells{};
  for (int way : {1, -1}) {
    Series s = expand_at_zero();
    for (int i = 0; first <= i && i <= last; i += way) {
      for (int k = 0; k < terms; ++k) cells.eta[i - first][k] = static_cast<double>(s.eta[k]);
      for (int k = 1; k < terms; ++k) cells.rate[i - first][k - 1] = static_cast<double>(k * s.eta[k]);
      Series next;
      next.eta[0] = value(s.eta, way * spacing);
      next.exp[0] = value(s.exp, way * spacing);
      s = expand((i + way) * spacing, next);
    }
  }
  return cells;
}

inline constexpr Cells cells = make_cells();

}  // namespace table

/// eta outside the table: e^eta is either negligible or large enough for Newton's method on q - ln q = 1 + w^2/2.
inline Eta eta_outside_table(double w) {
  const double b = 1 + w * w / 2;
  if (w < 0) {
    const double q = std::exp(-b), g = -w / (1 - q);
    return {q - b, g, g / w * (1 - g * g * q)};
  }
  double q = b + std::log(b);
  for (int i = 0; i < 2; ++i) q *= (b - 1 + std::log(q)) / (q - 1);
  const double g = w / (q - 1);
  return {std::log(q), g, g / w * (1 - g * g * q)};
}

inline Eta eta(double w) {
  if (!(w > -8 && w < 16)) return eta_outside_table(w);
  const int i = static_cast<int>(4 * (w + 8) + 0.5);
  const double x = w - (0.25 * i - 8);
  const auto& c = table::cells.eta[i];
  double value = c[table::terms - 1], d1 = 0, d2 = 0;
  for (int k = table::terms - 2; k >= 0; --k) {
    d2 = d2 * x + d1;
    d1 = d1 * x + value;
    value = value * x + c[k];
  }
  return {value, d1, 2 * d2};
}

/// The two derivatives alone.
struct EtaDerivatives {
  double d1, d2;
};

inline EtaDerivatives eta_derivatives(double w) {
  if (!(w > -8 && w < 16)) {
    const Eta far = eta_outside_table(w);
    return {far.d1, far.d2};
  }
  const int i = static_cast<int>(4 * (w + 8) + 0.5);
  const double x = w - (0.25 * i - 8);
  const auto& c = table::cells.rate[i];
  double d1 = c[table::terms - 2], d2 = 0;
  for (int k = table::terms - 3; k >= 0; --k) {
    d2 = d2 * x + d1;
    d1 = d1 * x + c[k];
  }
  return {d1, d2};
}

/// w0 = sign(d) sqrt(2 (d - ln(1 + d))), w at first touch. For d -> 0, w0 -> d; d > -1.
inline double initial_w(double d) {
  if (d < -0.25 || d > 0.5) return std::copysign(std::sqrt(2 * (d - std::log1p(d))), d);
  // With z = d/(2 + d), ln(1 + d) = 2 atanh(z) and d - 2 z = d z: nothing cancels, and nothing underflows.
  const double z = d / (2 + d), z2 = z * z;
  double sum = 0;
  for (int k = 25; k >= 3; k -= 2) sum = sum * z2 + 1.0 / k;
  return z * std::sqrt(2 * (2 + d - 2 * z * sum));
}

}  // namespace thud::contact::phase
