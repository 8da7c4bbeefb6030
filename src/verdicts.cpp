#include "verdicts.hpp"

#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rank_tests.hpp"
#include "robust.hpp"

namespace thud {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Thresholds, with their reasons in docs/study.md.
constexpr std::size_t fewest_trials = 3;  // below which nothing is said
constexpr std::size_t fewest_speeds = 3;  // that make a trend
constexpr double nearly_all = 0.9;        // share that counts as "all", with room for odd trials
constexpr double certain = 0.95;          // share of intervals that chance alone lets miss
constexpr double good_fit = 0.9;          // R^2
constexpr double significant = 0.01;      // chance at which equal CORs would look as different
constexpr double visible_change = 0.1;    // of the COR over the speeds, relative to its mean
constexpr double standard_errors = 2;     // by which a prediction must miss a cell's mean to count as off it
constexpr double similar = 0.05;          // relative difference of two options that agree
constexpr double material_margin = 0.1;   // relative; the material's COR is not known better
constexpr double out_of_phase = 0.1;      // share of the compression that comes after the peak
constexpr double still_compressed = 0.1;  // share of the largest depth
constexpr double small_cor = 0.15;        // [Wang22, (Sec. VII-C)]

template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (out.append(std::string_view(parts)), ...);
  return out;
}

std::string number(double value) {
  return to_text(value, 3);
}

std::string count(std::size_t value, std::string_view what) {
  return text(std::to_string(value), " ", what, value == 1 ? "" : "s");
}

std::string percent(double share) {
  return to_text(100 * share, 3).append(" %");
}

// How a verdict is reached: a statistic against a threshold, or a reason why there is none.
Verdict not_testable(Verdict verdict, std::string why) {
  verdict.judgement = Judgement::not_testable;
  verdict.why = std::move(why);
  return verdict;
}

enum class Side { at_least, below };

Verdict decided(Verdict verdict, double statistic, Side side, double threshold, std::string unit, std::string why) {
  const bool holds = side == Side::at_least ? statistic >= threshold : statistic < threshold;
  verdict.judgement = holds ? Judgement::supported : Judgement::not_supported;
  verdict.statistic = statistic;
  verdict.threshold = threshold;
  verdict.unit = std::move(unit);
  verdict.why = std::move(why);
  return verdict;
}

Verdict claim(std::string name, std::string section, std::string statement) {
  Verdict verdict;
  verdict.claim = std::move(name);
  verdict.section = std::move(section);
  verdict.statement = std::move(statement);
  return verdict;
}

// A quantity of a trial; NaN where it does not exist.
using Quantity = std::function<double(const TrialStudy&)>;

Quantity restitution_by(LawKind kind) {
  return [kind](const TrialStudy& trial) {
    const FitResult* law = trial.law(kind);
    return law ? law->restitution : none;
  };
}

// Values of a quantity over a cell, as far as they exist.
std::vector<double> values(const Study& study, const CellStudy& cell, const Quantity& quantity) {
  std::vector<double> result;
  for (const std::size_t i : cell.trials)
    if (const double value = quantity(study.trials[i]); std::isfinite(value)) result.push_back(value);
  return result;
}

// The cells of one configuration that have values of a quantity.
struct Series {
  std::string configuration;
  std::vector<double> speed;                // |mean exact velocity|, one per cell [m/s]
  std::vector<std::vector<double>> values;  // one list per cell, none empty
};

std::vector<Series> series_of(const Study& study, const Quantity& quantity) {
  std::vector<Series> all;
  for (const auto& configuration : study.configurations) {
    Series series{configuration.name, {}, {}};
    for (const auto& cell : study.cells) {
      if (cell.configuration != configuration.name) continue;
      auto here = values(study, cell, quantity);
      if (here.empty()) continue;
      series.speed.push_back(std::abs(cell.velocity_exact.mean));
      series.values.push_back(std::move(here));
    }
    if (series.speed.size() >= fewest_speeds) all.push_back(std::move(series));
  }
  return all;
}

Verdict too_few_fits(const Verdict& verdict, std::size_t trials) {
  return not_testable(verdict,
                      text("The viscoelastic law could be fitted to ", count(trials, "trial"), "; three are needed."));
}

const char* const too_few_speeds = "No configuration has fits at three speeds or more.";

// c1.spring: trials whose spring fit has its whole 95 % interval above 1.   [Wang22, (sec:virtual_spring_model)]
Verdict judge_spring(const Study& study) {
  const Verdict verdict =
      claim("c1.spring", "VII-A1", "The virtual spring fits the measured force only with a COR above 1.");
  std::size_t fitted = 0, above = 0;
  for (const auto& trial : study.trials) {
    const FitResult* law = trial.law(LawKind::spring);
    if (!law) continue;
    ++fitted;
    const auto e = std::ranges::find(law->parameters, std::string_view("restitution"), &FitParameter::name);
    if (e != law->parameters.end() && e->low > 1) ++above;
  }
  if (fitted < fewest_trials)
    return not_testable(verdict, text("The spring could be fitted to ", count(fitted, "trial"), "; three are needed."));
  const double share = static_cast<double>(above) / static_cast<double>(fitted);
  return decided(verdict, share, Side::at_least, certain, "1",
                 text("In ", std::to_string(above), " of ", count(fitted, "trial"),
                      " the 95 % interval of the spring's COR lies above 1; ", percent(certain),
                      " must for the law to be out of place."));
}

// A COR over the speeds: its cells' medians, and whether they may differ by chance.
struct Change {
  double low = none, high = none;  // medians
  double relative = 0;             // high - low over the mean of the medians
  double p = 1;
};

Change change(const Series& series, double p) {
  std::vector<double> medians;
  for (const auto& each : series.values) medians.push_back(robust::median(each));
  double sum = 0;
  for (const double median : medians) sum += median;
  const auto [low, high] = std::ranges::minmax(medians);
  return {low, high, sum > 0 ? (high - low) * static_cast<double>(medians.size()) / sum : 0, p};
}

// c1.maxwell: the fitted COR differs between speeds, by Kruskal and Wallis, and visibly so, in every configuration.
//                                                                             [Wang22, (sec:maxwell_model)]
Verdict judge_maxwell(const Study& study) {
  const Verdict verdict =
      claim("c1.maxwell", "VII-A2",
            "The COR fitted by Maxwell's law varies with the contact velocity, which that law excludes.");
  const auto all = series_of(study, restitution_by(LawKind::maxwell));
  if (all.empty()) return not_testable(verdict, too_few_speeds);
  double least = std::numeric_limits<double>::infinity();
  std::string why;
  for (const auto& series : all) {
    const auto difference = ranks::kruskal_wallis(series.values);
    if (!(difference.p_smallest < significant)) continue;
    const Change here = change(series, difference.p);
    least = std::min(least, here.p < significant ? here.relative : 0);
    why.append(text(why.empty() ? "" : ", ", series.configuration, " ", number(here.low), " to ", number(here.high),
                    " (", percent(here.relative), " of its mean, p = ", number(here.p), ")"));
  }
  if (why.empty())
    return not_testable(verdict, "There are too few repeats to tell a change of the COR from its scatter.");
  return decided(verdict, least, Side::at_least, visible_change, "1",
                 text("Cells' median COR over the speeds: ", why, ". Every configuration must change by ",
                      percent(visible_change), "; with p above ", number(significant), " the change counts as 0."));
}

// c1.viscoelastic: R^2 of the median trial, and the slope of the COR over |v|, by Theil and Sen.
//                                                                             [Wang22, (sec:nonlinear_model)]
Verdict judge_viscoelastic(const Study& study) {
  const Verdict verdict =
      claim("c1.viscoelastic", "VII-A3",
            "The viscoelastic law fits the measured force, and its COR falls as the contact velocity grows.");
  std::vector<double> fits;  // a law that does not fit at all explains nothing
  for (const auto& trial : study.trials)
    if (trial.ok()) fits.push_back(trial.law(LawKind::viscoelastic) ? trial.law(LawKind::viscoelastic)->r_squared : 0);
  if (fits.size() < fewest_trials)
    return not_testable(verdict, text("There is a contact in ", count(fits.size(), "trial"), "; three are needed."));
  const double r_squared = robust::median(fits);
  if (!(r_squared >= good_fit))
    return decided(verdict, r_squared, Side::at_least, good_fit, "1",
                   text("The median R^2 of the law is ", number(r_squared), ", below ", number(good_fit), "."));
  double highest = -std::numeric_limits<double>::infinity();
  std::string why;
  for (const auto& series : series_of(study, restitution_by(LawKind::viscoelastic))) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < series.speed.size(); ++i)
      for (const double e : series.values[i]) {
        x.push_back(series.speed[i]);
        y.push_back(e);
      }
    const auto trend = ranks::theil_sen(x, y);
    if (!trend) continue;
    highest = std::max(highest, trend->high);
    why.append(text(why.empty() ? "" : ", ", series.configuration, " ", number(trend->slope), " (", number(trend->low),
                    " to ", number(trend->high), ")"));
  }
  if (why.empty())
    return not_testable(verdict, "No configuration has enough trials at three speeds or more for a trend.");
  return decided(verdict, highest, Side::below, 0, "s/m",
                 text("Median R^2 ", number(r_squared),
                      "; slope of the COR over |v| with its 95 % interval [s/m]: ", why, "; all must lie below 0."));
}

// Cells with a measured impulse and a prediction of one option, by the robot that is judged.
struct Comparison {
  double measured, error, predicted;  // mean, its standard error (0 for one trial) [N s]
};

std::vector<Comparison> comparisons(const Study& study, InertiaModel option) {
  std::vector<Comparison> all;
  for (const auto& cell : study.cells) {
    const Spread& measured = cell.impulse_compression;
    const double predicted = cell.predictions.front()[option].impulse.compression;
    if (measured.count == 0 || !std::isfinite(predicted)) continue;
    const double error = measured.count > 1 ? measured.std / std::sqrt(static_cast<double>(measured.count)) : 0;
    all.push_back({measured.mean, error, predicted});
  }
  return all;
}

double mean_error(const std::vector<Comparison>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += std::abs(cell.predicted / cell.measured - 1);
  return sum / static_cast<double>(cells.size());
}

double mean_ratio(const std::vector<Comparison>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += cell.predicted / cell.measured;
  return sum / static_cast<double>(cells.size());
}

enum class Miss { over, under };

// An option that is off to one side in every cell.                              [Wang22, (sec:validate_iim)]
Verdict judge_side(const Study& study, Verdict verdict, InertiaModel option, Miss miss) {
  const auto cells = comparisons(study, option);
  if (cells.empty())
    return not_testable(std::move(verdict), "No cell has both a measured impulse and a prediction of this option.");
  const auto off = static_cast<std::size_t>(std::ranges::count_if(cells, [&](const Comparison& cell) {
    const double above = miss == Miss::over ? cell.predicted - cell.measured : cell.measured - cell.predicted;
    return above > standard_errors * cell.error;
  }));
  const double share = static_cast<double>(off) / static_cast<double>(cells.size());
  return decided(std::move(verdict), share, Side::at_least, 1, "1",
                 text("The prediction is ", miss == Miss::over ? "above" : "below",
                      " the measured mean by more than two standard errors in ", std::to_string(off), " of ",
                      count(cells.size(), "cell"), ", all of which it must; on average it is ",
                      number(mean_ratio(cells)), " of the measured impulse (", study.robots.front(), ")."));
}

Verdict judge_algebraic(const Study& study) {
  return judge_side(
      study, claim("c2.algebraic", "VII-B", "The algebraic equation overestimates the impulse in all situations."),
      InertiaModel::algebraic, Miss::over);
}

Verdict judge_generalized_momentum(const Study& study) {
  return judge_side(study,
                    claim("c2.generalized_momentum", "VII-B", "The generalized momentum underestimates the impulse."),
                    InertiaModel::generalized_momentum, Miss::under);
}

// Underestimates as the generalized momentum does, and by the same.
Verdict judge_flexible_joints(const Study& study) {
  Verdict verdict =
      judge_side(study,
                 claim("c2.flexible_joints", "VII-B",
                       "Flexible joints underestimate the impulse, and agree with the generalized momentum."),
                 InertiaModel::flexible_joints, Miss::under);
  if (verdict.judgement != Judgement::supported) return verdict;
  double largest = none;
  for (const auto& cell : study.cells) {
    const Prediction& prediction = cell.predictions.front();
    const double difference = std::abs(prediction[InertiaModel::flexible_joints].inertia.effective_mass() /
                                           prediction[InertiaModel::generalized_momentum].inertia.effective_mass() -
                                       1);
    if (std::isfinite(difference) && !(difference <= largest)) largest = difference;
  }
  if (std::isnan(largest)) return not_testable(verdict, "There is no generalized-momentum prediction to agree with.");
  return decided(verdict, largest, Side::below, similar, "1",
                 text(verdict.why, " It differs from the generalized momentum by at most ", percent(largest),
                      "; similar means below ", percent(similar), "."));
}

// The composite body has the smallest mean error of all options.
Verdict judge_composite(const Study& study) {
  const Verdict verdict =
      claim("c2.composite_rigid_body", "VII-B", "The composite rigid body predicts the impulse most accurately.");
  const auto own = comparisons(study, InertiaModel::composite_rigid_body);
  if (own.empty()) return not_testable(verdict, "No cell has both a measured impulse and a prediction of this option.");
  double rival = std::numeric_limits<double>::infinity();
  std::string why;
  for (const InertiaModel option :
       {InertiaModel::algebraic, InertiaModel::generalized_momentum, InertiaModel::flexible_joints}) {
    const auto cells = comparisons(study, option);
    if (cells.size() != own.size()) continue;  // an option that does not exist everywhere is not comparable
    rival = std::min(rival, mean_error(cells));
    why.append(text(why.empty() ? "" : ", ", to_string(option), " ", percent(mean_error(cells))));
  }
  if (why.empty()) return not_testable(verdict, "No other option exists in the same cells to compare with.");
  return decided(verdict, mean_error(own) / rival, Side::below, 1, "1",
                 text("Mean error over ", count(own.size(), "cell"), ": ", percent(mean_error(own)), " against ", why,
                      " (", study.robots.front(), "); the ratio to the best of those must be below 1."));
}

// r1: the cells' median CORs against the material's.                              [Wang22, (sec:validation)]
Verdict judge_material(const Study& study) {
  const Verdict verdict =
      claim("r1", "VII", "The COR of the materials alone does not apply: a stiffly controlled arm rebounds less.");
  double largest = none;
  std::size_t cells = 0, trials = 0;
  std::string where;
  for (const auto& cell : study.cells) {
    const auto here = values(study, cell, restitution_by(LawKind::viscoelastic));
    if (here.empty()) continue;
    ++cells;
    trials += here.size();
    const double median = robust::median(here);
    if (median <= largest) continue;
    largest = median;
    where = text(cell.configuration, " at ", to_text(cell.speed), " m/s");
  }
  if (trials < fewest_trials) return too_few_fits(verdict, trials);
  const double limit = (1 - material_margin) * study.material_restitution;
  return decided(verdict, largest, Side::below, limit, "1",
                 text("The largest median COR of ", count(cells, "cell"), " is ", number(largest), " (", where,
                      "); the material's is ", number(study.material_restitution),
                      ", and a tenth less is required of every cell."));
}

// Share of the compression phase that is left when the measured force peaks, by the viscoelastic v = 0. A law that asks
// for negative damping, or a lead below the sampling period, is in phase as far as can be seen.
double phase_lead(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  if (!law) return none;
  const double compression = law->start - trial.found.window.start + law->time_of_compression;
  const double lead = compression - trial.peak_time;
  if (law->status != FitStatus::converged || !(lead > trial.period)) return 0;
  return lead / compression;
}

// Depth over its maximum when the force is down to 1 % of its peak, by the viscoelastic law.
double residual_depth(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  if (!law) return none;
  if (law->status != FitStatus::converged) return 0;
  const ForceProfile profile = force_profile(law->law, law->mass, trial.touch.v_exact);
  return -state(profile, profile.end_of_force.time).compression / profile.end_of_compression->depth;
}

// r2.phase: trials whose force peaks well before the end of compression.            [Wang22, (sec:validation)]
Verdict judge_phase(const Study& study) {
  const Verdict verdict =
      claim("r2.phase", "VII", "The potential energy does not peak with the contact force: the force peaks first.");
  std::vector<double> leads;
  for (const auto& trial : study.trials)
    if (const double lead = phase_lead(trial); std::isfinite(lead)) leads.push_back(lead);
  if (leads.size() < fewest_trials) return too_few_fits(verdict, leads.size());
  const auto ahead =
      static_cast<std::size_t>(std::ranges::count_if(leads, [](double lead) { return lead > out_of_phase; }));
  const double share = static_cast<double>(ahead) / static_cast<double>(leads.size());
  return decided(verdict, share, Side::at_least, nearly_all, "1",
                 text("In ", std::to_string(ahead), " of ", count(leads.size(), "trial"), " more than ",
                      percent(out_of_phase), " of the compression phase is left when the force peaks (median ",
                      percent(robust::median(leads)), "); ", percent(nearly_all), " are required."));
}

// r2.residual_compression: cells whose median trial is still compressed when the force has gone.
Verdict judge_residual(const Study& study) {
  const Verdict verdict =
      claim("r2.residual_compression", "VII", "The contact force is back at zero before the compression is.");
  std::size_t above = 0, trials = 0;
  std::vector<double> medians;
  for (const auto& cell : study.cells) {
    const auto here = values(study, cell, residual_depth);
    if (here.empty()) continue;
    trials += here.size();
    medians.push_back(robust::median(here));
    if (medians.back() > still_compressed) ++above;
  }
  if (trials < fewest_trials) return too_few_fits(verdict, trials);
  const auto [low, high] = std::ranges::minmax(medians);
  const double share = static_cast<double>(above) / static_cast<double>(medians.size());
  return decided(
      verdict, share, Side::at_least, nearly_all, "1",
      text("In ", std::to_string(above), " of ", count(medians.size(), "cell"), " more than ",
           percent(still_compressed), " of the largest depth is left at 1 % of the peak force (cell medians ",
           percent(low), " to ", percent(high), "); ", percent(nearly_all), " are required."));
}

// small_restitution: trials to which the rule of [Wang22, (Sec. VII-C)] applies.
Verdict judge_small_restitution(const Study& study) {
  const Verdict verdict =
      claim("small_restitution", "VII-C",
            "COR < 0.15 may be assumed where e_a > 0.85 and the contact velocity is above 0.1 m/s.");
  std::size_t trials = 0, small = 0;
  double largest = 0;
  for (const auto& trial : study.trials) {
    const FitResult* law = trial.law(LawKind::viscoelastic);
    if (!law || !small_restitution(trial.touch.ratio, trial.touch.v_exact)) continue;
    ++trials;
    if (law->restitution < small_cor) ++small;
    largest = std::max(largest, law->restitution);
  }
  if (trials < fewest_trials)
    return not_testable(verdict,
                        text("The rule applies to ", count(trials, "trial"), " with a fit; three are needed."));
  const double share = static_cast<double>(small) / static_cast<double>(trials);
  return decided(verdict, share, Side::at_least, nearly_all, "1",
                 text("The rule applies to ", count(trials, "trial"), ", and in ", std::to_string(small),
                      " of them the viscoelastic COR is below 0.15 (largest ", number(largest), "); ",
                      percent(nearly_all), " are required."));
}

}  // namespace

std::string_view to_text(Judgement judgement) noexcept {
  switch (judgement) {
    case Judgement::supported:
      return "supported";
    case Judgement::not_supported:
      return "not supported";
    case Judgement::not_testable:
      break;
  }
  return "not testable";
}

std::vector<Verdict> judge(const Study& study) {
  return {judge_spring(study),
          judge_maxwell(study),
          judge_viscoelastic(study),
          judge_algebraic(study),
          judge_generalized_momentum(study),
          judge_flexible_joints(study),
          judge_composite(study),
          judge_material(study),
          judge_phase(study),
          judge_residual(study),
          judge_small_restitution(study)};
}

}  // namespace thud
