#include <thud/error.hpp>
#include <thud/fit.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <boost/math/distributions/students_t.hpp>

#include "descent.hpp"
#include "fit_start.hpp"
#include "half_turn.hpp"
#include "maxwell.hpp"

namespace thud {
namespace {

using Eigen::Index;
using std::numbers::pi;

// Student's t at 97.5 %; for many degrees of freedom by the expansion of Cornish and Fisher, to 1e-7.
double student(double freedom) {
  if (freedom < 60) return boost::math::quantile(boost::math::students_t(freedom), 0.975);
  constexpr double z = 1.959963984540054, z2 = z * z;
  const double v = 1 / freedom;
  return z +
         v * z *
             ((z2 + 1) / 4 + v * ((5 * z2 + 16) * z2 + 3) / 96 + v * v * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384);
}

// The law at a point, and the gradients of its stiffness and damping by the slots.
struct Physical {
  ContactLaw law;
  Point stiffness = Point::Zero(), damping = Point::Zero();
};

Physical physical(LawKind kind, const Point& at, double speed) {
  const double m = std::exp(at[log_mass]), T = std::exp(at[log_time]), a = at[shape];
  const double n = kind == LawKind::hunt_crossley ? at[exponent] : 1;
  const double kappa = n == 1 ? m / (T * T) : m * speed * speed / std::pow(T * speed, n + 1);
  Physical out;
  Point slope = Point::Zero();  // of kappa, relative
  slope[log_mass] = 1;
  slope[log_time] = -(n + 1);
  slope[exponent] = -std::log(T * speed);
  out.stiffness = kappa * slope;
  switch (kind) {
    case LawKind::spring:
      out.law = Spring{kappa, a};
      break;
    case LawKind::maxwell: {
      const double c = m / (2 * a * T);
      out.law = Maxwell{kappa, c};
      out.damping[log_mass] = c;
      out.damping[log_time] = -c;
      out.damping[shape] = -c / a;
      break;
    }
    default: {  // kappa = k + c|v0|, a = k/kappa
      const double k = a * kappa, c = (1 - a) * kappa / speed;
      out.stiffness = k * slope;
      out.stiffness[shape] = kappa;
      out.damping = c * slope;
      out.damping[shape] = -kappa / speed;
      if (kind == LawKind::viscoelastic) {
        out.law = Viscoelastic{k, c};
      } else {
        out.law = HuntCrossley{k, c, n};
      }
    }
  }
  return out;
}

// What the law says: restitution, unit times of peak and of v = 0.
struct Verdict {
  double restitution, peak, compression;
};

Verdict verdict(LawKind kind, double a, double n) {
  switch (kind) {
    case LawKind::spring:
      return {a, pi / 2, pi / 2};
    case LawKind::maxwell: {
      if (a >= 1) return {0, maxwell::peak_time(a), FitResult::none};
      const double b = std::sqrt((1 - a) * (1 + a));
      return {std::exp(-a * pi / b), maxwell::peak_time(a), (pi - std::atan2(b, a)) / b};
    }
    default: {
      const double g = phase::clock(a).rate;
      const HalfTurn turn = half_turn(a / g, kind == LawKind::hunt_crossley ? n : 1);
      return {g / phase::clock(-a).rate, duration(turn, 0, peak_angle(turn)), duration(turn, 0, pi / 2)};
    }
  }
}

// Integral of the measured force less baseline from one time to another, linear between samples.
double measured_impulse(const Problem& p, const Point& at, double from, double to) {
  const VectorRef& t = p.times;
  double sum = 0;
  const Index first = std::upper_bound(t.data(), t.data() + t.size(), from) - t.data();
  for (Index i = std::max<Index>(first, 1); i < t.size() && t[i - 1] < to; ++i) {
    const auto value = [&](Index j) { return p.forces[j] - at[baseline] - at[drift] * (t[j] - p.middle); };
    const double h = t[i] - t[i - 1], low = std::max(from, t[i - 1]), high = std::min(to, t[i]);
    const double slope = (value(i) - value(i - 1)) / h;
    sum += (high - low) * (value(i - 1) + slope * ((low + high) / 2 - t[i - 1]));
  }
  return sum;
}

void check(const VectorRef& times, const VectorRef& forces, const FitOptions& options) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(-options.velocity))
    throw InputError("velocity", options.velocity, "must be finite and less than 0 (towards the environment)");
  if (options.mass && !positive(*options.mass))
    throw InputError("mass", *options.mass, "must be finite and greater than 0");
  if (options.start && !std::isfinite(*options.start)) throw InputError("start", *options.start, "must be finite");
  if (options.baseline && !std::isfinite(*options.baseline))
    throw InputError("baseline", *options.baseline, "must be finite");
  if (options.max_iterations < 1)
    throw InputError("max_iterations", std::to_string(options.max_iterations), "must be at least 1");
  if (times.size() != forces.size())
    throw InputError("forces", std::to_string(forces.size()) + " samples",
                     "must be as many as the times, " + std::to_string(times.size()));
  for (Index i = 0; i < times.size(); ++i) {
    const auto where = [i](const char* name) { return name + ("[" + std::to_string(i) + "]"); };
    if (!std::isfinite(times[i])) throw InputError(where("times"), times[i], "must be finite");
    if (!std::isfinite(forces[i])) throw InputError(where("forces"), forces[i], "must be finite");
    if (i > 0 && !(times[i] > times[i - 1])) throw InputError(where("times"), times[i], "must increase");
  }
}

// Fills everything that follows from a descent that came to an end.
void conclude(const Problem& p, const Descent& descent, FitResult& out) {
  const Point& at = descent.at;
  const double n = static_cast<double>(p.times.size()), freedom = n - p.count,
               T = std::exp(unpack(p.kind, at).log_time);
  const Physical law = physical(p.kind, at, p.speed);
  out.law = law.law;
  out.mass = std::exp(at[log_mass]);
  out.start = at[start];
  out.baseline = at[baseline];
  out.drift = at[drift];

  out.rmse = std::sqrt(descent.squares / n);
  out.r_squared = 1 - descent.squares / (p.forces.array() - p.forces.mean()).square().sum();
  const double deviance = n * std::log(descent.squares / n);
  out.aic = deviance + 2 * (p.count + 1);
  out.bic = deviance + std::log(n) * (p.count + 1);

  const auto [restitution, peak, compression] = verdict(p.kind, unpack(p.kind, at).a, at[exponent]);
  out.restitution = restitution;
  out.time_of_peak = peak * T;
  out.time_of_compression = compression * T;
  out.impulse_compression = out.mass * p.speed;
  if (compression > 0)
    out.measured_impulse_compression = measured_impulse(p, at, at[start], at[start] + compression * T);

  // Intervals: the covariance of the free parameters, carried to each parameter by its gradient
  const Free scale = descent.normal.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Normal> factor(scale.asDiagonal() * descent.normal * scale.asDiagonal());
  if (factor.info() != Eigen::Success || !(factor.rcond() > 1e-14)) {
    out.status = FitStatus::undetermined;
    out.message = "the record does not fix all free parameters";
  }
  const double reach = student(freedom) * std::sqrt(descent.squares / freedom);
  const auto half_width = [&](const Point& gradient) {
    Free part(p.count);
    for (int i = 0; i < p.count; ++i) part[i] = gradient[p.free[i]] * scale[i];
    return out.status == FitStatus::undetermined ? FitResult::none : reach * factor.matrixL().solve(part).norm();
  };
  const auto linear = [&](std::string_view name, double value, const Point& gradient) {
    const double w = half_width(gradient);
    out.parameters.push_back({name, value, value - w, value + w});
  };
  const auto unit = [](Slot slot) { return Point(Point::Unit(slot)); };
  std::visit(
      [&](const auto& l) {
        using Law = std::decay_t<decltype(l)>;
        linear("stiffness", l.stiffness, law.stiffness);
        if constexpr (std::is_same_v<Law, Spring>) linear("restitution", l.restitution, unit(shape));
        if constexpr (!std::is_same_v<Law, Spring>) linear("damping", l.damping, law.damping);
        if constexpr (std::is_same_v<Law, HuntCrossley>) linear("exponent", l.exponent, unit(exponent));
        if constexpr (!std::is_same_v<Law, Spring>) {
          if (l.damping < 0 && out.status == FitStatus::converged) {
            out.status = FitStatus::negative_damping;
            out.message = "the record asks for a negative damping, " + to_text(l.damping);
          }
        }
      },
      out.law);
  linear("mass", out.mass, out.mass * unit(log_mass));
  linear("start", out.start, unit(start));
  linear("baseline", out.baseline, unit(baseline));
  if (p.free[p.count - 1] == drift) linear("drift", out.drift, unit(drift));
}

// Whether the record leaves the shape u = k/(k + c|v0|) loose: a standard error above 15 %. Then the sum of squares may
// have a second minimum, with another end of contact.
bool loose(const Problem& p, const Descent& descent) {
  if (descent.status != FitStatus::converged) return true;
  const int* found = std::find(p.free, p.free + p.count, static_cast<int>(shape));
  const Free unit = Free::Unit(p.count, found - p.free);
  const double freedom = static_cast<double>(p.times.size() - p.count);
  const double variance = descent.squares / freedom * unit.dot(descent.normal.ldlt().solve(unit));
  return !(std::sqrt(variance) < 0.15 * descent.at[shape]);
}

Point first_point(const Outline& seen, const StartingPoint& begin) {
  Point at;
  at << std::log(begin.mass), std::log(begin.time_unit), begin.shape, 1, seen.start, seen.baseline, 0;
  return at;
}

void keep_lower(Descent& best, Descent&& other) {
  const bool converged = other.status == FitStatus::converged, lower = other.squares < best.squares;
  other.evaluations += best.evaluations;
  best.evaluations = other.evaluations;
  if (converged && (lower || best.status != FitStatus::converged)) best = std::move(other);
}

Descent descend_shape(Problem& p, const Outline& seen, const FitOptions& options) {
  const auto from = [&](std::optional<double> u) {
    return descend(p, first_point(seen, starting_point(p.kind, seen, p.speed, options.mass, u)),
                   options.max_iterations);
  };
  Descent best = from({});
  if (p.kind != LawKind::viscoelastic || !loose(p, best)) return best;
  for (double u : {0.6, 0.25, 0.08}) keep_lower(best, from(u));
  return best;
}

// A free exponent begins from the viscoelastic fit, which is exponent 1, and from its shape with Hertz's exponent.
Descent descend_exponent(Problem& p, const Outline& seen, const FitOptions& options) {
  Problem one{p.times, p.forces, LawKind::viscoelastic, p.speed, p.middle};
  one.count =
      static_cast<int>(std::remove_copy(p.free, p.free + p.count, one.free, static_cast<int>(exponent)) - one.free);
  Point at = descend_shape(one, seen, options).at;
  Descent best = descend(p, at, options.max_iterations);
  at[exponent] = 1.5;
  keep_lower(best, descend(p, at, options.max_iterations));
  return best;
}

}  // namespace

FitResult fit(const VectorRef& times, const VectorRef& forces, LawKind kind, const FitOptions& options) {
  check(times, forces, options);
  FitResult out;
  out.kind = kind;
  out.samples = static_cast<int>(times.size());
  const auto fail = [&](FitStatus status, std::string message) {
    out.status = status;
    out.message = std::move(message);
    return out;
  };

  Problem problem{times, forces, kind, -options.velocity, 0};
  const bool free[slots] = {!options.mass,     true,         true, kind == LawKind::hunt_crossley, !options.start,
                            !options.baseline, options.drift};
  for (int slot = 0; slot < slots; ++slot)
    if (free[slot]) problem.free[problem.count++] = slot;
  if (times.size() <= std::max(problem.count, 7))
    return fail(FitStatus::too_few_samples,
                std::to_string(times.size()) + " samples for " + std::to_string(problem.count) + " free parameters");
  problem.middle = (times[0] + times[times.size() - 1]) / 2;

  const auto seen = outline(times, forces, options.baseline, options.start);
  if (!seen) return fail(FitStatus::no_contact, "no force stands out from the baseline");
  const Descent descent = kind == LawKind::hunt_crossley ? descend_exponent(problem, *seen, options)
                                                         : descend_shape(problem, *seen, options);
  out.iterations = descent.evaluations;
  if (descent.status != FitStatus::converged)
    return fail(descent.status, descent.status == FitStatus::at_limit
                                    ? "the shape left its range"
                                    : "no minimum after " + std::to_string(out.iterations) + " evaluations");
  out.status = FitStatus::converged;
  out.message = "converged after " + std::to_string(out.iterations) + " evaluations";
  if ((problem.columns.value > 0).count() < problem.count)
    return fail(FitStatus::too_few_samples, "fewer samples in contact than free parameters");
  conclude(problem, descent, out);
  return out;
}

Identification fit_all(const VectorRef& times, const VectorRef& forces, const FitOptions& options) {
  Identification out;
  for (LawKind kind : {LawKind::spring, LawKind::maxwell, LawKind::viscoelastic, LawKind::hunt_crossley}) {
    out.laws.push_back(fit(times, forces, kind, options));
    const FitResult& result = out.laws.back();
    if (result.status == FitStatus::converged && (!out.best || result.bic < out[*out.best].bic)) out.best = kind;
  }
  return out;
}

std::string_view status_name(FitStatus status) noexcept {
  constexpr std::string_view names[] = {"not_run",        "converged",    "too_few_samples", "no_contact",
                                        "no_convergence", "undetermined", "at_limit",        "negative_damping"};
  return names[static_cast<int>(status)];
}

}  // namespace thud
