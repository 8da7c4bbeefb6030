#include "fit/laws.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Cholesky>

#include "contact/half_cycle.hpp"
#include "contact/maxwell.hpp"
#include "contact/phase.hpp"

namespace thud::fitting {
namespace {

using std::numbers::pi;

Point unit_vector(ParameterIndex index) {
  return Point::Unit(index);
}

// The scale of the stiffness at a point, m/T^2 for exponent 1, with the derivatives of its logarithm by the parameters.
struct StiffnessScale {
  double value;
  Point slope = Point::Zero();
};

StiffnessScale stiffness_scale(const Point& at, double speed, double n) {
  const double m = std::exp(at[log_mass]), T = std::exp(at[log_time]);
  StiffnessScale out{n == 1 ? m / (T * T) : m * speed * speed / std::pow(T * speed, n + 1)};
  out.slope[log_mass] = 1;
  out.slope[log_time] = -(n + 1);
  out.slope[exponent] = -std::log(T * speed);
  return out;
}

// Takes the names from the law's table.
template <class Law>
void report_law(const Law& law, std::initializer_list<Quantity> quantities, Reported& out) {
  out.law = law;
  const auto* parameter = std::begin(Law::parameters);
  for (const Quantity& quantity : quantities) out.add((parameter++)->name, quantity);
}

// Laws whose time unit and shape are parameters themselves.
Unpacked unpack_direct(const Point& at) {
  return {at[log_time], at[shape]};
}

// Spring: T = sqrt(m/k), a = e

ShapeEnd evaluate_spring(const Shape& shape, const Eigen::ArrayXd& tau, CycleTable&, ShapeColumns& out) {
  const double e = shape.a;
  for (Eigen::Index i = 0; i < tau.size(); ++i) {
    const double t = tau[i], angle = (t - pi / 2) / e;
    out.value[i] = out.by_time[i] = out.by_shape[i] = 0;
    if (t > 0 && t <= pi / 2) {
      out.value[i] = std::sin(t);
      out.by_time[i] = std::cos(t);
    } else if (t > 0 && angle < pi / 2) {
      const double sine = std::sin(angle);
      out.value[i] = std::cos(angle);
      out.by_time[i] = -sine / e;
      out.by_shape[i] = sine * angle / e;
    }
  }
  return {pi / 2 * (1 + e), pi / 2};
}

StartingPoint spring_start(const Outline& out, double speed, std::optional<double> mass, std::optional<double>) {
  const double restitution = (out.impulse_total - out.impulse_peak) / out.impulse_peak;
  return {mass.value_or(out.impulse_peak / speed), (out.peak_time - out.start) * 2 / pi,
          std::clamp(restitution, 0.05, 5.0)};
}

ShapeEvents spring_events(double e, double) {
  return {e, pi / 2, pi / 2};
}

void report_spring(const Point& at, double speed, Reported& out) {
  const auto [k, slope] = stiffness_scale(at, speed, 1);
  report_law(Spring{k, at[shape]},
             {{k, k * slope, Scale::logarithm, true}, {at[shape], unit_vector(shape), Scale::plain}}, out);
}

// Maxwell: T = sqrt(m/k), a = zeta

ShapeEnd evaluate_maxwell(const Shape& shape, const Eigen::ArrayXd& tau, CycleTable&, ShapeColumns& out) {
  const double zeta = shape.a, b2 = (1 - zeta) * (1 + zeta);
  const double end = b2 > 0 ? pi / std::sqrt(b2) : std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < tau.size(); ++i) {
    const double t = tau[i];
    out.value[i] = out.by_time[i] = out.by_shape[i] = 0;
    if (!(t > 0 && t < end)) continue;
    const contact::maxwell::Oscillation w = contact::maxwell::oscillation(zeta, t);
    const double a2 = b2 * t * t;
    // (t C - S)/b^2, by its series where it cancels
    const double series =
        std::abs(a2) < 1e-4 ? -std::exp(-zeta * t) * t * t * t / 3 * (1 - a2 / 10) : (t * w.cosine - w.sine) / b2;
    out.value[i] = w.sine;
    out.by_time[i] = w.cosine - zeta * w.sine;
    out.by_shape[i] = -t * w.sine - zeta * series;
  }
  return {end, b2 > 0 ? end * zeta / b2 : 0};
}

StartingPoint maxwell_start(const Outline& out, double speed, std::optional<double> mass, std::optional<double>) {
  const double unit = out.peak_time - out.start;
  const int rows[] = {0, 1, 4};
  Eigen::Matrix3d h;
  Eigen::Vector3d g;
  for (int a = 0; a < 3; ++a) {
    g[a] = out.moments(rows[a], 5);
    for (int b = 0; b < 3; ++b) h(a, b) = out.moments(rows[a], rows[b]);
  }
  const Eigen::Vector3d x = h.ldlt().solve(g);
  if (x[0] > 0 && x[1] < 0 && x[2] < 0) {
    const double T = unit / std::sqrt(-x[1]);
    return {mass.value_or(x[0] * out.peak / (unit * speed) * T * T), T, -x[2] * T / (2 * unit)};
  }
  return {mass.value_or(out.impulse_peak / speed), unit / 1.2, 0.2};
}

ShapeEvents maxwell_events(double zeta, double) {
  if (zeta >= 1) return {0, contact::maxwell::peak_time(zeta), std::numeric_limits<double>::quiet_NaN()};
  const double b = std::sqrt((1 - zeta) * (1 + zeta));
  return {std::exp(-zeta * pi / b), contact::maxwell::peak_time(zeta), (pi - std::atan2(b, zeta)) / b};
}

void report_maxwell(const Point& at, double speed, Reported& out) {
  const auto [k, slope] = stiffness_scale(at, speed, 1);
  const double m = std::exp(at[log_mass]), T = std::exp(at[log_time]), c = m / (2 * at[shape] * T);
  report_law(
      Maxwell{k, c},
      {{k, k * slope, Scale::logarithm, true},
       {1 / c, (unit_vector(log_time) - unit_vector(log_mass)) / c + unit_vector(shape) * (2 * T / m), Scale::inverse}},
      out);
}

// Viscoelastic and Hunt-Crossley: a = w0 of phase.hpp, parametrized by u = k/(k + c|v0|) with the time unit of k/u

Unpacked unpack_damped(const Point& at) {
  const double u = at[shape], m = at[exponent] + 1, log_u = std::log(u), w0 = contact::phase::initial_w(1 / u - 1);
  return {.log_time = at[log_time] - log_u / m,
          .a = w0,
          .time_by_shape = -1 / (m * u),
          .time_by_exponent = log_u / (m * m),
          .a_by_shape = -1 / (u * contact::phase::eta(w0).d1)};
}

// For a given mass the law is linear in kappa and gamma. The mass follows from the impulse m|v0| (1 + e) with e between
// 0 and 1, and a margin for what the record does not contain; the one with the smallest residual is taken, or the one
// whose shape is closest to the desired one.
StartingPoint viscoelastic_start(const Outline& out, double speed, std::optional<double> mass,
                                 std::optional<double> desired) {
  const double unit = out.peak_time - out.start, scale = out.peak * unit / speed;  // [kg]
  const auto& m = out.moments;
  StartingPoint best{mass.value_or(out.impulse_total / (1.5 * speed)), unit / 1.2, 0.5};  // d = 1, if all fail
  double lowest_cost = std::numeric_limits<double>::infinity();
  const int masses = mass ? 1 : 30;
  for (int i = 0; i < masses; ++i) {
    const double guess = mass.value_or(out.impulse_total / speed * (0.47 + 0.02 * i)), beta = -scale / guess;
    // Moments of X = t + beta II, Y = X I and f
    const double xx = m(0, 0) + beta * (2 * m(1, 0) + beta * m(1, 1));
    const double xy = m(2, 0) + beta * (m(3, 0) + m(2, 1) + beta * m(3, 1));
    const double yy = m(2, 2) + beta * (2 * m(3, 2) + beta * m(3, 3));
    const double xf = m(5, 0) + beta * m(5, 1), yf = m(5, 2) + beta * m(5, 3), det = xx * yy - xy * xy;
    const double kappa = (yy * xf - xy * yf) / det, gamma = (xx * yf - xy * xf) / det;
    const double u = std::max(1 - gamma / (kappa * beta), 0.02);
    const double cost = desired ? std::abs(std::log(u / *desired)) : m(5, 5) - kappa * xf - gamma * yf;
    if (!(kappa > 0 && u < 1.5 && cost < lowest_cost)) continue;
    lowest_cost = cost;
    best = {guess, unit / std::sqrt(-kappa * beta), u};
  }
  if (desired) best.shape = *desired;
  return best;
}

ShapeEvents hunt_crossley_events(double w0, double n) {
  const double g = contact::phase::eta(w0).d1;
  const contact::HalfCycle cycle = contact::half_cycle(w0 / g, n);
  return {g / contact::phase::eta(-w0).d1, contact::duration(cycle, 0, contact::peak_angle(cycle)),
          contact::duration(cycle, 0, pi / 2)};
}

double damped_restitution(double u) {
  const double w0 = contact::phase::initial_w(1 / u - 1);
  return contact::phase::eta(w0).d1 / contact::phase::eta(-w0).d1;
}

// k = u kappa, c = (1 - u) kappa/|v0|
struct Damped {
  double k, c;
  Quantity stiffness, damping;
};

Damped damped_parameters(const Point& at, double speed, double n) {
  const auto [kappa, slope] = stiffness_scale(at, speed, n);
  const double u = at[shape], k = u * kappa, c = (1 - u) * kappa / speed;
  return {k,
          c,
          {k, k * slope + kappa * unit_vector(shape), Scale::logarithm, true},
          {c, c * slope - kappa / speed * unit_vector(shape), Scale::logarithm, false}};
}

void report_viscoelastic(const Point& at, double speed, Reported& out) {
  const auto [k, c, stiffness, damping] = damped_parameters(at, speed, 1);
  report_law(Viscoelastic{k, c}, {stiffness, damping}, out);
}

void report_hunt_crossley(const Point& at, double speed, Reported& out) {
  const double n = at[exponent];
  const auto [k, c, stiffness, damping] = damped_parameters(at, speed, n);
  report_law(HuntCrossley{k, c, n}, {stiffness, damping, {n, unit_vector(exponent), Scale::plain}}, out);
}

// With an arm. The stiffness is in units of the record's; that of Hunt and Crossley, whose unit depends on the
// exponent, is the force at the record's depth, k depth^n.

LawCoordinate logarithm(double low, double high) {
  return {std::log(low), std::log(high)};
}

LawCoordinate stiffness_coordinate(double unit) {
  return logarithm(1e-4 * unit, 1e3 * unit);
}

LawCoordinate damping_coordinate() {
  return {0, std::asinh(500 / vanishing_damping), true};
}

// c of a coordinate, and back.
double damping_at(double coordinate, double stiffness, double speed) {
  return vanishing_damping * std::sinh(coordinate) * stiffness / speed;
}

double damping_point(double damping, double stiffness, double speed) {
  return std::asinh(damping * speed / stiffness / vanishing_damping);
}

std::vector<LawCoordinate> spring_coordinates(const RecordScale& scale) {
  return {stiffness_coordinate(scale.slope), logarithm(1e-3, 10)};
}

ContactLaw spring_at(const double* at, const RecordScale&) {
  return Spring{std::exp(at[0]), std::exp(at[1])};
}

void spring_point(const ContactLaw& law, const RecordScale&, double* at) {
  const auto& [k, e] = std::get<Spring>(law);
  at[0] = std::log(k);
  at[1] = std::log(e);
}

std::vector<ContactLaw> spring_starts(double slope, const RecordScale&) {
  std::vector<ContactLaw> laws;
  for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) laws.push_back(Spring{slope, e});
  return laws;
}

std::vector<LawCoordinate> maxwell_coordinates(const RecordScale& scale) {
  const double impedance = std::sqrt(scale.slope * scale.mass);
  return {stiffness_coordinate(scale.slope), logarithm(1e-3 * impedance, 1e4 * impedance)};
}

ContactLaw maxwell_at(const double* at, const RecordScale&) {
  return Maxwell{std::exp(at[0]), std::exp(at[1])};
}

void maxwell_point(const ContactLaw& law, const RecordScale&, double* at) {
  const auto& [k, c] = std::get<Maxwell>(law);
  at[0] = std::log(k);
  at[1] = std::log(c);
}

std::vector<ContactLaw> maxwell_starts(double slope, const RecordScale& scale) {
  std::vector<ContactLaw> laws;
  for (const double zeta : {0.02, 0.1, 0.4}) laws.push_back(Maxwell{slope, std::sqrt(slope * scale.mass) / (2 * zeta)});
  return laws;
}

std::vector<LawCoordinate> viscoelastic_coordinates(const RecordScale& scale) {
  return {stiffness_coordinate(scale.slope), damping_coordinate()};
}

ContactLaw viscoelastic_at(const double* at, const RecordScale& scale) {
  const double k = std::exp(at[0]);
  return Viscoelastic{k, damping_at(at[1], k, scale.speed)};
}

void viscoelastic_point(const ContactLaw& law, const RecordScale& scale, double* at) {
  const auto& [k, c] = std::get<Viscoelastic>(law);
  at[0] = std::log(k);
  at[1] = damping_point(c, k, scale.speed);
}

std::vector<ContactLaw> viscoelastic_starts(double slope, const RecordScale& scale) {
  std::vector<ContactLaw> laws;
  for (const double d : {0.03, 0.3, 1.0, 3.0})
    laws.push_back(Viscoelastic{slope / (1 + d), d * slope / (1 + d) / scale.speed});
  return laws;
}

std::vector<LawCoordinate> hunt_crossley_coordinates(const RecordScale& scale) {
  return {stiffness_coordinate(scale.slope * scale.depth), damping_coordinate(), logarithm(0.1, 10)};
}

ContactLaw hunt_crossley_at(const double* at, const RecordScale& scale) {
  const double n = std::exp(at[2]), k = std::exp(at[0]) / std::pow(scale.depth, n);
  return HuntCrossley{k, damping_at(at[1], k, scale.speed), n};
}

void hunt_crossley_point(const ContactLaw& law, const RecordScale& scale, double* at) {
  const auto& [k, c, n] = std::get<HuntCrossley>(law);
  at[0] = std::log(k) + n * std::log(scale.depth);
  at[1] = damping_point(c, k, scale.speed);
  at[2] = std::log(n);
}

std::vector<ContactLaw> hunt_crossley_starts(double slope, const RecordScale& scale) {
  std::vector<ContactLaw> laws;
  for (const double n : {1.0, 1.5})
    for (const double d : {0.1, 1.0, 3.0}) {
      const double k = slope / (1 + d) * std::pow(scale.depth, 1 - n);
      laws.push_back(HuntCrossley{k, d * k / scale.speed, n});
    }
  return laws;
}

constexpr ShapeRange damped_range = {2e-3, 10};  // of u
constexpr double strongly_damped[] = {0.03, 0.01, 0.003}, other_shapes[] = {0.6, 0.25, 0.08};

// In the order of LawKind.
constexpr FitLaw fit_laws[] = {
    {.range = {1e-3, 1e3},
     .evaluate = evaluate_spring,
     .unpack = unpack_direct,
     .start = spring_start,
     .events = spring_events,
     .restitution = [](double e) { return e; },
     .report = report_spring,
     .coordinates = spring_coordinates,
     .law_at = spring_at,
     .point_of = spring_point,
     .starting_laws = spring_starts},
    {.range = {-1e3, 1e3},
     .logarithmic = false,
     .least_scale = 0.2,
     .evaluate = evaluate_maxwell,
     .unpack = unpack_direct,
     .start = maxwell_start,
     .events = maxwell_events,
     .restitution = [](double zeta) { return maxwell_events(zeta, 1).restitution; },
     .report = report_maxwell,
     .coordinates = maxwell_coordinates,
     .law_at = maxwell_at,
     .point_of = maxwell_point,
     .starting_laws = maxwell_starts},
    {.range = damped_range,
     .stiffness_vanishes = true,
     .damped_starts = strongly_damped,
     .other_starts = other_shapes,
     .evaluate = [](const Shape& shape, const Eigen::ArrayXd& tau, CycleTable& table,
                    ShapeColumns& columns) { return evaluate_viscoelastic(shape.a, tau, table, columns); },
     .unpack = unpack_damped,
     .start = viscoelastic_start,
     .events = [](double w0, double) { return hunt_crossley_events(w0, 1); },
     .restitution = damped_restitution,
     .report = report_viscoelastic,
     .coordinates = viscoelastic_coordinates,
     .law_at = viscoelastic_at,
     .point_of = viscoelastic_point,
     .starting_laws = viscoelastic_starts},
    {.range = damped_range,
     .stiffness_vanishes = true,
     .free_exponent = true,
     .evaluate = [](const Shape& shape, const Eigen::ArrayXd& tau, CycleTable& table,
                    ShapeColumns& columns) { return evaluate_hunt_crossley(shape.a, shape.n, tau, table, columns); },
     .unpack = unpack_damped,
     .start = viscoelastic_start,
     .events = hunt_crossley_events,
     .restitution = damped_restitution,
     .report = report_hunt_crossley,
     .coordinates = hunt_crossley_coordinates,
     .law_at = hunt_crossley_at,
     .point_of = hunt_crossley_point,
     .starting_laws = hunt_crossley_starts},
};
static_assert(std::size(fit_laws) == all_laws.size(), "each law is fitted");

}  // namespace

const FitLaw& fit_law(LawKind kind) noexcept {
  return fit_laws[static_cast<std::size_t>(kind)];
}

}  // namespace thud::fitting
