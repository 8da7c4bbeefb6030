#include <thud/elastic_fit.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "fit/elastic_intervals.hpp"
#include "fit/elastic_problem.hpp"
#include "fit/laws.hpp"
#include "fit/outline.hpp"
#include "fit/reported.hpp"
#include "fit/residual_noise.hpp"
#include "foundation/require.hpp"
#include "statistics/robust.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

constexpr double most_correlation = 0.99;
constexpr std::size_t most_descents = 10;  // from the best starting points, until one comes down to what is expected
constexpr double as_expected = 1.2;        // mean square over that of noise and the model's error
constexpr double likely = 9;               // the same from a guess, over what is expected: thrice the root
constexpr double hopeless = 3;  // what is left of a longer window over what is allowed: no other start is tried

void require_valid(const ElasticArm& arm, double velocity, const ElasticFitOptions& options) {
  foundation::require_approach(velocity);
  if (options.start && !std::isfinite(*options.start)) throw InputError("start", *options.start, "must be finite");
  if (options.baseline && !std::isfinite(*options.baseline))
    throw InputError("baseline", *options.baseline, "must be finite");
  if (!(options.model_error >= 0 && std::isfinite(options.model_error)))
    throw InputError("model_error", options.model_error, "must be finite and at least 0");
  if (options.max_iterations < 1)
    throw InputError("max_iterations", std::to_string(options.max_iterations), "must be at least 1");
  const auto has = [](const VectorX& values) { return (values.array() > 0).any(); };
  const Drives& drives = arm.drives;
  for (auto each = options.free.begin(); each != options.free.end(); ++each) {
    const std::string name(to_string(*each));
    if (std::find(options.free.begin(), each, *each) != each) throw InputError("free", name, "is named twice");
    const bool known = *each == DriveParameter::stiffness ? has(drives.stiffness)
                       : *each == DriveParameter::damping ? has(drives.damping)
                       : *each == DriveParameter::rotor_inertia
                           ? has(drives.rotor_inertia)
                           : has(drives.servo_stiffness) || has(drives.servo_damping);
    if (!known) throw InputError("free", name, "the drives have none above 0 that a factor could multiply");
  }
  validate(ElasticOptions{.command = options.command}, static_cast<int>(arm.j.size()));
}

// The lowest minimum of descents from the best starting points.
ElasticDescent lowest(ElasticProblem& problem, LawKind kind, const ElasticFitOptions& options) {
  const auto factors = [&](DriveParameter drive) {
    const bool free = std::find(options.free.begin(), options.free.end(), drive) != options.free.end();
    return free ? std::vector<double>{1, 1.0 / 3, 3} : std::vector<double>{1};
  };
  const double noise = statistics::difference_noise({problem.forces().begin(), problem.forces().end()});
  const double enough = as_expected * static_cast<double>(problem.samples()) *
                        (noise * noise + problem.model_error() * problem.model_error());
  if (options.guess && kind_of(*options.guess) == kind) {
    ElasticDescent found = descend(problem, problem.point(*options.guess, 1, 1), options.max_iterations);
    if (found.converged && found.squares <= likely * enough) return found;
  }
  std::vector<std::pair<double, Eigen::VectorXd>> starts;
  for (const double share : {0.5, 1.0, 2.0})
    for (const ContactLaw& law : fit_law(kind).starting_laws(share * problem.scale().slope, problem.scale()))
      for (const double stiffness : factors(DriveParameter::stiffness))
        for (const double rotors : factors(DriveParameter::rotor_inertia)) {
          Eigen::VectorXd at = problem.point(law, stiffness, rotors);
          const double squares = problem.squares(at);
          starts.emplace_back(squares, std::move(at));
        }
  std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ElasticDescent best{starts.front().second, std::numeric_limits<double>::infinity(), false};
  for (std::size_t i = 0; i < std::min(most_descents, starts.size()) && best.squares > enough; ++i) {
    ElasticDescent found = descend(problem, starts[i].second, options.max_iterations);
    if (found.converged && found.squares < best.squares) best = std::move(found);
  }
  return best;
}

// Events of the hit, with the arm as fitted.
void report_hit(const VectorRef& times, const VectorRef& forces, ElasticFit& out) {
  FitResult& result = out.result;
  const ElasticOptions usual{.horizon = std::max(ElasticOptions{}.horizon, times[times.size() - 1] - result.start),
                             .command = out.command};
  ElasticProfile profile(static_cast<int>(out.arm.j.size()));
  elastic_profile(out.arm, result.law, result.velocity, usual, profile);
  if (profile.end_of_contact) result.restitution = profile.end_of_contact->velocity / -result.velocity;
  result.time_of_peak = profile.peak().time;
  if (profile.turns.empty()) return;
  const VectorX contact = forces.array() - result.baseline;
  const auto measured = [&](const Turn& turn) {
    return measured_impulse(times, contact, result.start, result.start + turn.time);
  };
  const Turn& first = profile.turns.front();
  result.time_of_compression = first.time;
  result.impulse_compression = first.impulse;
  result.measured_impulse_compression = measured(first);
  out.deepest_turn = profile.deepest_turn();
  out.measured_impulse_deepest = measured(*out.deepest_turn);
}

// What the record does not fix.
void report_identifiability(const ElasticProblem& problem, const ElasticIntervals& found, Eigen::Index parameters,
                            ElasticFit& out) {
  for (std::size_t i = 0; i < out.free.size(); ++i)
    out.result.parameters[i].identifiability = Identifiability::identified;
  const auto tell = [&](std::size_t at, Identifiability reason, const std::string& why) {
    const std::string_view name = out.free[at];
    if (auto& told = out.result.parameters[at].identifiability; told == Identifiability::identified) told = reason;
    if (std::find(out.not_identifiable.begin(), out.not_identifiable.end(), name) == out.not_identifiable.end())
      out.not_identifiable.emplace_back(name);
    out.warnings.push_back(
        {WarningCode::not_identifiable, std::string(name),
         std::string(to_string(out.result.kind)) + ": " + std::string(name) + " is not identifiable: " + why});
  };
  for (Eigen::Index i = 0; i < parameters; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string_view name = out.free[at];
    // no damping at all is an answer too
    const bool may_be_none = problem.may_vanish(i) || name == factor_name(DriveParameter::damping);
    const bool high = found.open_high[at], low = found.open_low[at] && (!may_be_none || high);
    if (low || high)
      tell(at, Identifiability::flat,
           std::string("the record fits as well with a value 30 times ") + (low && high ? "smaller or larger"
                                                                            : low       ? "smaller"
                                                                                        : "larger"));
  }
  for (Eigen::Index i = 0; i < parameters; ++i)
    for (Eigen::Index k = 0; k < i; ++k) {
      const double correlation = out.correlation(i, k);
      if (!(std::abs(correlation) > most_correlation)) continue;
      tell(static_cast<std::size_t>(i), Identifiability::correlated,
           "its correlation with " + std::string(out.free[static_cast<std::size_t>(k)]) + " is " +
               to_text(correlation, 4));
    }
}

}  // namespace

std::string_view to_string(DriveParameter parameter) noexcept {
  constexpr std::string_view names[] = {"stiffness", "damping", "rotor_inertia", "servo"};
  return names[static_cast<int>(parameter)];
}

std::string_view factor_name(DriveParameter parameter) noexcept {
  constexpr std::string_view names[] = {"joints.stiffness", "joints.damping", "joints.rotor_inertia", "servo"};
  return names[static_cast<int>(parameter)];
}

Drives with_factors(const Drives& drives, const std::vector<DriveParameter>& free, const VectorRef& factors) {
  if (factors.size() != static_cast<Eigen::Index>(free.size()))
    throw InputError("factors", std::to_string(factors.size()) + " values",
                     "must be one for each of " + std::to_string(free.size()));
  Drives scaled = drives;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const double factor = factors[static_cast<Eigen::Index>(i)];
    switch (free[i]) {
      case DriveParameter::stiffness:
        scaled.stiffness *= factor;
        break;
      case DriveParameter::damping:
        scaled.damping *= factor;
        break;
      case DriveParameter::rotor_inertia:
        scaled.rotor_inertia *= factor;
        break;
      case DriveParameter::servo:
        scaled.servo_stiffness *= factor;
        scaled.servo_damping *= factor;
    }
  }
  return scaled;
}

ElasticFit elastic_fit(const VectorRef& times, const VectorRef& forces, const ElasticArm& arm, LawKind kind,
                       double velocity, const ElasticFitOptions& options) {
  require_valid(arm, velocity, options);
  require_samples(times, forces);
  ElasticFit out;
  FitResult& result = out.result;
  result.kind = kind;
  result.velocity = velocity;
  result.samples = static_cast<int>(times.size());
  out.arm = arm;
  out.command = options.command;
  const auto fail = [&](FitStatus status, std::string message) {
    result.status = status;
    result.message = std::move(message);
    return out;
  };
  const auto outlined =
      times.size() < 8 ? NoOutline::few_samples : outline(times, forces, options.baseline, options.start);
  if (const auto* none = std::get_if<NoOutline>(&outlined))
    return *none == NoOutline::no_rise
               ? fail(FitStatus::no_contact, "no force rises above the baseline")
               : fail(FitStatus::too_few_samples, "too few samples in the contact: the rate is too low for it");
  ElasticProblem problem(times, forces, arm, kind, velocity, options, std::get<Outline>(outlined));
  const Eigen::Index n = problem.count();
  if (times.size() <= n)
    return fail(FitStatus::too_few_samples,
                std::to_string(times.size()) + " samples for " + std::to_string(n) + " free parameters");
  ElasticDescent best = lowest(problem, kind, options);
  if (!best.converged) {
    result.iterations = problem.evaluations;
    return fail(FitStatus::no_convergence, "no minimum after " + std::to_string(result.iterations) + " evaluations");
  }
  const auto left_range = [&](Eigen::Index i) {
    const Coordinate& coordinate = problem.coordinates()[static_cast<std::size_t>(i)];
    return !problem.may_vanish(i) && (best.at[i] <= coordinate.low || best.at[i] >= coordinate.high);
  };
  result.status = FitStatus::converged;
  for (Eigen::Index i = 0; i < problem.law_count(); ++i)
    if (left_range(i)) {
      result.status = FitStatus::at_limit;
      result.message = std::string(problem.coordinates()[static_cast<std::size_t>(i)].name) + " left its range";
    }
  std::optional<ElasticIntervals> intervals;
  if (result.ok() && options.intervals) intervals = elastic_intervals(problem, best, options.max_iterations);
  result.iterations = problem.evaluations;
  if (result.ok()) result.message = "converged after " + std::to_string(result.iterations) + " evaluations";
  result.law = problem.law(best.at);
  result.start = problem.start(best.at);
  result.baseline = problem.baseline(best.at);
  out.arm = elastic_arm(arm.M, arm.j, problem.drives(best.at), arm.holding);
  out.arm.warnings = arm.warnings;
  report_criteria(forces, best.squares, static_cast<int>(n), result);
  problem.squares(best.at);
  result.noise = second_difference_noise(problem.forces() - problem.model());
  result.misfit = std::sqrt(best.squares / static_cast<double>(times.size() - n)) / result.noise;
  report_hit(times, forces, out);

  const double reference = law_parameters(std::as_const(result.law)).front().second / -velocity;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double value = problem.unscaled(i, problem.scaled(best.at, i, reference), reference);
    const Interval interval = intervals ? intervals->intervals[at] : Interval{FitResult::none, FitResult::none};
    result.parameters.push_back({problem.coordinates()[at].name, value, interval.low, interval.high});
    out.free.emplace_back(problem.coordinates()[at].name);
  }
  if (options.start)
    result.parameters.push_back({"start", result.start, result.start, result.start, Identifiability::known});
  if (options.baseline)
    result.parameters.push_back(
        {"baseline", result.baseline, result.baseline, result.baseline, Identifiability::known});
  if (!intervals) return out;
  out.correlation = intervals->correlation;
  report_identifiability(problem, *intervals, n - !options.start - !options.baseline, out);
  return out;
}

std::optional<ElasticProfile> fitted_profile(const ElasticFit& fit, double horizon) {
  foundation::require_positive("horizon", horizon);
  if (fit.result.status != FitStatus::converged) return std::nullopt;
  ElasticProfile profile(static_cast<int>(fit.arm.j.size()));
  elastic_profile(fit.arm, fit.result.law, fit.result.velocity, {.horizon = horizon, .command = fit.command}, profile);
  if (!profile.end_of_contact && profile.end < horizon) return std::nullopt;
  return profile;
}

namespace {

std::size_t samples_until(const Record& record, double time) {
  const auto past = std::upper_bound(record.time.begin(), record.time.end(), time);
  return static_cast<std::size_t>(past - record.time.begin());
}

// Where the contact may end: after each of its humps.
struct Hump {
  std::size_t first, last;
};

// Humps among the first n samples from the window's start on: stretches above the floor of find_contact that rise well
// above it. One that begins after a pause as long as all before belongs to another contact.
std::vector<Hump> humps(const Record& record, const ContactWindow& window, std::size_t n) {
  const auto height = [&](std::size_t i) {
    return window.sign * (record.force[i] - window.baseline - window.drift * (record.time[i] - window.start));
  };
  const auto rise =
      static_cast<std::size_t>(std::lower_bound(record.time.begin(), record.time.end(), window.peak_time) -
                               record.time.begin() - static_cast<std::ptrdiff_t>(window.first));
  const std::size_t width = std::clamp<std::size_t>(rise / 4, 1, 25);
  const double floor = std::max(3 * window.noise / std::sqrt(static_cast<double>(width)), 0.01 * window.peak);
  const double high = std::max(0.05 * window.peak, 2 * floor);
  std::vector<Hump> found;
  double sum = 0, top = 0;
  std::size_t begin = window.first;
  bool inside = true;
  for (std::size_t i = window.first; i < std::min(window.first + width, n); ++i) sum += height(i);
  for (std::size_t i = window.first; i + width <= n; ++i) {
    const double mean = sum / static_cast<double>(width);
    if (!inside && !found.empty() && i - found.back().last > found.back().last - window.first) break;
    if (!inside && mean >= floor) {
      inside = true;
      begin = i;
      top = 0;
    }
    if (inside) top = std::max(top, mean);
    if (inside && mean < floor && i > window.first + rise) {
      inside = false;
      if (top > high) found.push_back({begin, i});
    }
    if (i + width < n) sum += height(i + width) - height(i);
  }
  if (inside && top > high) found.push_back({begin, n - 1});
  if (found.empty()) found.push_back({window.first, window.last});
  return found;
}

// Whether a descent from a fit of the same hit leaves more than `most` of these samples, root mean square [N].
bool leaves_more(double most, const ElasticFit& from, const Record& contact, const ElasticArm& arm,
                 const ElasticFitOptions& options) {
  const auto n = static_cast<Eigen::Index>(contact.time.size());
  const VectorRef times = Eigen::Map<const Eigen::VectorXd>(contact.time.data(), n),
                  forces = Eigen::Map<const Eigen::VectorXd>(contact.force.data(), n);
  const auto outlined = outline(times, forces, options.baseline, options.start);
  if (!std::holds_alternative<Outline>(outlined)) return false;
  ElasticProblem problem(times, forces, arm, from.result.kind, from.result.velocity, options,
                         std::get<Outline>(outlined));
  const ElasticDescent found = descend(problem, problem.point(from.result), options.max_iterations);
  return found.converged && found.squares > most * most * static_cast<double>(n);
}

}  // namespace

ElasticIdentification identify(const Record& record, const ElasticArm& arm, double velocity,
                               const ElasticFitOptions& options, std::optional<LawKind> kind,
                               const ContactOptions& where) {
  require_valid(arm, velocity, options);
  ElasticIdentification found;
  found.window = find_contact(record, where);
  found.warnings = record.notes;
  found.warnings.insert(found.warnings.end(), arm.warnings.begin(), arm.warnings.end());
  ContactWindow& window = found.window;
  const auto note_window = [&] {
    found.warnings.insert(found.warnings.end(), window.notes.begin(), window.notes.end());
  };
  if (!usable(window)) {
    note_window();
    found.warnings.push_back({WarningCode::no_contact, {}, "no contact to fit: " + window.message});
    return found;
  }

  const auto fitted = [&](LawKind law) {
    const auto n = static_cast<Eigen::Index>(found.contact.time.size());
    const Eigen::Map<const Eigen::VectorXd> time(found.contact.time.data(), n), force(found.contact.force.data(), n);
    return elastic_fit(time, force, arm, law, velocity, options);
  };
  const LawKind judge = kind.value_or(LawKind::viscoelastic);
  const std::size_t past = samples_until(record, where.to);
  const std::vector<Hump> all = humps(record, window, past);
  // Window and samples up to the end of a hump.
  const auto take = [&](std::size_t i) {
    const bool more = i + 1 < all.size(), returns = all[i].last + 1 < past;
    window.last = all[i].last;
    window.end = record.time[window.last];
    window.status = returns ? ContactStatus::found : ContactStatus::cut_at_end;
    window.message = returns ? "the force returns to the baseline" : "the record ends in the contact";
    window.quiet_after = (more ? all[i + 1].first : past) - window.last - 1;
    const std::size_t half = (window.last - window.first + 1) / 2;
    found.contact = contact_samples(record, window, std::min(window.quiet, half), std::min(window.quiet_after, half));
  };
  take(0);
  ElasticFit judged = fitted(judge);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double left = judged.result.rmse;
    // enough, if the arm has left the wall before the next hump and the record agrees
    const auto profile = fitted_profile(judged);
    if (profile && profile->end_of_contact && left < 3 * window.noise &&
        judged.result.start + profile->end < record.time[all[i].first])
      break;
    // a hump that the arm cannot explain is another contact
    const double allowed = std::max(2 * left, 3 * window.noise + options.model_error * window.peak);
    take(i);
    const bool known = judged.result.ok();
    ElasticFit longer;
    if (!known || !leaves_more(hopeless * allowed, judged, found.contact, arm, options)) longer = fitted(judge);
    if (known && !(longer.result.ok() && longer.result.rmse <= allowed)) {
      take(i - 1);
      break;
    }
    judged = std::move(longer);
  }
  std::erase_if(window.notes, [](const Warning& note) { return note.code == WarningCode::several_contacts; });
  note_window();
  if (window.status != ContactStatus::found)
    found.warnings.push_back({WarningCode::incomplete_contact, {}, window.message});

  for (const LawKind law : kind ? std::vector<LawKind>{*kind} : std::vector<LawKind>(all_laws.begin(), all_laws.end()))
    found.laws.push_back(law == judge ? judged : fitted(law));
  const ElasticFit* best = nullptr;
  for (const ElasticFit& each : found.laws)
    if (each.result.status == FitStatus::converged && (!best || each.result.bic < best->result.bic)) best = &each;
  if (!best) {
    found.warnings.push_back({WarningCode::no_fit, {}, "no law converged: " + found.laws.front().result.message});
    return found;
  }
  found.best = best->result.kind;
  found.warnings.insert(found.warnings.end(), best->warnings.begin(), best->warnings.end());
  warn_of_poor_fit(best->result, found.warnings);
  return found;
}

}  // namespace thud
