#include <thud/error.hpp>
#include <thud/fit.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "fit/descent.hpp"
#include "fit/identifiability.hpp"
#include "fit/laws.hpp"
#include "fit/likelihood.hpp"
#include "fit/outline.hpp"
#include "fit/reported.hpp"
#include "fit/residual_noise.hpp"
#include "fit/settle.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

void validate(const VectorRef& times, const VectorRef& forces, double velocity, const FitOptions& options) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  foundation::require_approach(velocity);
  if (options.mass && !positive(*options.mass))
    throw InputError("mass", *options.mass, "must be finite and greater than 0");
  if (options.start && !std::isfinite(*options.start)) throw InputError("start", *options.start, "must be finite");
  if (options.baseline && !std::isfinite(*options.baseline))
    throw InputError("baseline", *options.baseline, "must be finite");
  if (options.max_iterations < 1)
    throw InputError("max_iterations", std::to_string(options.max_iterations), "must be at least 1");
  require_samples(times, forces);
}

// The interval of the restitution, from that of the shape: with an error of the law beside the noise, which changes the
// force like the shape does and is as large as such laws are wrong at best.
void report_restitution(const Problem& p, const Descent& descent, Interval interval, double shape_error,
                        FitResult& out) {
  constexpr double law_error = 0.005;  // root mean square over the peak force
  const FitLaw& law = fit_law(p.kind);
  const double centre = descent.at[shape], peak = p.forces.maxCoeff() - descent.at[baseline];
  const double wrong = law_error * peak * shape_error * std::sqrt(static_cast<double>(descent.in_contact));
  const auto at = [&](double side, double end) {
    const double x = centre + side * std::hypot(end - centre, wrong);
    return law.restitution(std::clamp(x, law.range.low, law.range.high));
  };
  const double first = at(-1, interval.low), second = at(1, interval.high);
  if (std::isnan(interval.low + interval.high + wrong)) return;
  out.restitution_low = std::min({first, second, out.restitution});
  out.restitution_high = std::max({first, second, out.restitution});
}

// Fills everything that follows from a completed descent.
//
// settled  J'J at the point without a taper; empty unless the descent converged
void fill_result(Problem& p, const Descent& descent, const NormalMatrix& settled, const LikelihoodProfile& profile,
                 FitResult& out) {
  const Point& at = descent.at;
  const FitLaw& law = fit_law(p.kind);
  const Unpacked unpacked = law.unpack(at);
  const double n = static_cast<double>(p.times.size()), degrees_of_freedom = n - p.count,
               T = std::exp(unpacked.log_time), variance = descent.squares / degrees_of_freedom;
  const Reported reported = report(p, at);
  out.law = reported.law;
  out.mass = std::exp(at[log_mass]);
  out.start = at[start];
  out.baseline = at[baseline];
  out.drift = at[drift];

  report_criteria(p.forces, descent.squares, p.count, out);
  out.noise = second_difference_noise(p.residual);
  out.misfit = std::sqrt(variance) / out.noise;

  const auto [restitution, peak, compression] = law.events(unpacked.a, at[exponent]);
  out.restitution = restitution;
  out.time_of_peak = peak * T;
  out.time_of_compression = compression * T;
  out.impulse_compression = out.mass * p.speed;
  if (compression > 0)
    out.measured_impulse_compression =
        measured_impulse(p.times, (p.forces.array() - at[baseline] - at[drift] * (p.times.array() - p.middle)).matrix(),
                         at[start], at[start] + compression * T);

  const bool undetermined = out.status == FitStatus::undetermined;
  const double margin = student_t(degrees_of_freedom) * std::sqrt(variance);
  const std::vector<Interval> intervals = undetermined ? remaining_intervals(p, settled, margin, reported)
                                          : profile.minima.empty()
                                              ? linear_intervals(p, descent.normal, margin, reported)
                                              : profile_intervals(p, profile);
  report_restitution(p, descent, intervals.back(), undetermined ? FitResult::none : shape_error(p, descent.normal),
                     out);
  for (std::size_t i = 0; i + 1 < reported.count; ++i) {
    const auto& quantity = reported.quantities[i];
    auto [low, high] = intervals[i];
    if (low > quantity.value) low = quantity.value;  // between two shapes
    if (high < quantity.value) high = quantity.value;
    if (quantity.scale == Scale::inverse) {
      const auto inverse = [&](double x) {
        return x * quantity.value > 0 ? 1 / x : std::copysign(std::numeric_limits<double>::infinity(), quantity.value);
      };
      out.parameters.push_back({reported.names[i], 1 / quantity.value, inverse(high), inverse(low)});
    } else {
      out.parameters.push_back({reported.names[i], quantity.value, low, high});
    }
  }
  judge_identifiability(p, undetermined ? settled : descent.normal, reported, out);
  const auto damping = std::find_if(out.parameters.begin(), out.parameters.end(),
                                    [](const FitParameter& each) { return each.name == "damping"; });
  if (damping != out.parameters.end() && damping->value < 0 && out.status == FitStatus::converged) {
    out.status = FitStatus::negative_damping;
    out.message = "the record asks for a negative damping, " + to_text(damping->value);
  }
}

Point starting_point(const Outline& outline, const StartingPoint& start_from) {
  Point at;
  at << std::log(start_from.mass), std::log(start_from.time_unit), start_from.shape, 1, outline.start, outline.baseline,
      0;
  return at;
}

void keep_lower(Descent& best, Descent&& other) {
  const bool converged = other.status == FitStatus::converged, lower = other.squares < best.squares;
  other.evaluations += best.evaluations;
  best.evaluations = other.evaluations;
  if (converged && (lower || best.status != FitStatus::converged)) best = std::move(other);
}

Descent descend_shape(Problem& p, const Outline& outline, const FitOptions& options, std::optional<double> u = {}) {
  return descend(p, starting_point(outline, fit_law(p.kind).start(outline, p.speed, options.mass, u)),
                 options.max_iterations);
}

// A free exponent starts from the viscoelastic fit, which has exponent 1, and from its shape with Hertz's exponent.
Descent descend_exponent(Problem& p, const Outline& outline, const FitOptions& options) {
  Problem exponent_one{p.times, p.forces, LawKind::viscoelastic, p.speed, p.middle};
  exponent_one.count = static_cast<int>(
      std::remove_copy(p.free, p.free + p.count, exponent_one.free, static_cast<int>(exponent)) - exponent_one.free);
  Point at = descend_shape(exponent_one, outline, options).at;
  Descent best = descend(p, at, options.max_iterations);
  at[exponent] = 1.5;
  keep_lower(best, descend(p, at, options.max_iterations));
  return best;
}

}  // namespace

FitResult fit(const VectorRef& times, const VectorRef& forces, LawKind kind, double velocity,
              const FitOptions& options) {
  validate(times, forces, velocity, options);
  const FitLaw& law = fit_law(kind);
  FitResult out;
  out.kind = kind;
  out.velocity = velocity;
  out.samples = static_cast<int>(times.size());
  const auto fail = [&](FitStatus status, std::string message) {
    out.status = status;
    out.message = std::move(message);
    return out;
  };

  Problem problem{times, forces, kind, -velocity, 0};
  const bool free[parameter_count] = {!options.mass,     true,         true, law.free_exponent, !options.start,
                                      !options.baseline, options.drift};
  for (int index = 0; index < parameter_count; ++index)
    if (free[index]) problem.free[problem.count++] = index;
  if (times.size() <= std::max(problem.count, 7))
    return fail(FitStatus::too_few_samples,
                std::to_string(times.size()) + " samples for " + std::to_string(problem.count) + " free parameters");
  problem.middle = (times[0] + times[times.size() - 1]) / 2;

  const auto outlined = outline(times, forces, options.baseline, options.start);
  if (const auto* none = std::get_if<NoOutline>(&outlined))
    return *none == NoOutline::no_rise
               ? fail(FitStatus::no_contact, "no force rises above the baseline")
               : fail(FitStatus::too_few_samples, "fewer than " + std::to_string(fewest_in_contact) +
                                                      " samples in the contact: the rate is too low for it");
  const Outline& estimate = std::get<Outline>(outlined);
  Descent descent =
      law.free_exponent ? descend_exponent(problem, estimate, options) : descend_shape(problem, estimate, options);
  const auto try_shapes = [&](std::span<const double> shapes) {
    for (double u : shapes) keep_lower(descent, descend_shape(problem, estimate, options, u));
  };
  if (descent.at[shape] < 0.06) try_shapes(law.damped_starts);  // d > 16: minima lie close together
  const double t = student_t(static_cast<double>(times.size() - problem.count));
  const bool converged = descent.status == FitStatus::converged,
             is_parabola = converged && parabolic(problem, descent, t);
  bool is_determined = is_parabola || !converged || determined(descent.normal);
  LikelihoodProfile profile;
  if (!is_parabola && is_determined) {
    try_shapes(law.other_starts);
    profile = trace_profile(problem, descent, t, options.max_iterations);
  }
  NormalMatrix settled;
  if (descent.status == FitStatus::converged) {
    settled = settle(problem, descent);
    is_determined = determined(settled) && is_determined;
  } else {
    evaluate(problem, descent.at);
  }
  out.iterations = descent.evaluations;
  if (profile.minima.empty() && !converged)
    return fail(descent.status, descent.status == FitStatus::at_limit
                                    ? "the shape left its range"
                                    : "no minimum after " + std::to_string(out.iterations) + " evaluations");
  if (descent.in_contact < problem.count)
    return fail(FitStatus::too_few_samples, "fewer samples in contact than free parameters");
  out.status = is_determined ? descent.status : FitStatus::undetermined;
  out.message = !is_determined ? "the record does not fix all free parameters"
                : out.status == FitStatus::at_limit
                    ? "the sum of squares falls up to the limit of the shape"
                    : "converged after " + std::to_string(out.iterations) + " evaluations";
  fill_result(problem, descent, settled, profile, out);
  return out;
}

FittedLaws fit_all(const VectorRef& times, const VectorRef& forces, double velocity, const FitOptions& options) {
  FittedLaws out;
  for (const LawKind kind : all_laws) {
    out.laws.push_back(fit(times, forces, kind, velocity, options));
    const FitResult& result = out.laws.back();
    if (result.status == FitStatus::converged && (!out.best || result.bic < out[*out.best].bic)) out.best = kind;
  }
  return out;
}

std::optional<ForceProfile> fitted_profile(const FitResult& result) {
  if (result.status != FitStatus::converged || !std::isfinite(result.mass)) return std::nullopt;
  return force_profile(result.law, result.mass, result.velocity);
}

std::string_view to_string(Identifiability identifiability) noexcept {
  constexpr std::string_view names[] = {"unknown", "known", "identified", "flat", "correlated", "window_too_short"};
  return names[static_cast<int>(identifiability)];
}

std::string_view to_string(FitStatus status) noexcept {
  constexpr std::string_view names[] = {"not_run",        "converged",    "too_few_samples", "no_contact",
                                        "no_convergence", "undetermined", "at_limit",        "negative_damping"};
  return names[static_cast<int>(status)];
}

}  // namespace thud
