#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "statistics/robust.hpp"
#include "study/claims.hpp"
#include "study/rank_tests.hpp"

// Claims about the contact laws: which of them fits the measured force, and what coefficient of restitution it gives.

namespace thud::studying::verdicts {
namespace {

// Thresholds, with their reasons in docs/study.md.
constexpr std::size_t min_speeds = 3;       // for a trend
constexpr double required_fraction = 0.95;  // of intervals; chance alone lets the rest miss
constexpr double good_fit = 0.9;            // R^2
constexpr double significant = 0.01;        // probability that equal CORs would differ as much
constexpr double visible_change = 0.1;      // of the COR over the speeds, relative to its mean
constexpr double told_factor = 3;           // between the ends of an interval, as of every quantity that is positive

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
    if (series.speed.size() >= min_speeds) all.push_back(std::move(series));
  }
  return all;
}

const char* const too_few_speeds = "No configuration has fits at three speeds or more.";

// c1.spring: trials whose spring fit has its whole 95 % interval above 1.   [Wang22, (sec:virtual_spring_model)]
Verdict judge_spring(const Study& study, const Verdict& verdict) {
  std::size_t fitted = 0, above = 0;
  for (const auto& trial : study.trials) {
    const FitResult* law = trial.law(LawKind::spring);
    if (!law) continue;
    ++fitted;
    const auto e = std::ranges::find(law->parameters, std::string_view("restitution"), &FitParameter::name);
    if (e != law->parameters.end() && e->low > 1) ++above;
  }
  if (fitted < min_trials)
    return not_testable(verdict, text("The spring could be fitted to ", count(fitted, "trial"), "; three are needed."));
  const double fraction = static_cast<double>(above) / static_cast<double>(fitted);
  return decided(verdict, fraction, Side::at_least, required_fraction, "1",
                 text("In ", std::to_string(above), " of ", count(fitted, "trial"),
                      " the 95 % interval of the spring's COR lies above 1; ", percent(required_fraction),
                      " must for the law to be out of place."));
}

// COR over the speeds: medians of the cells, and whether they may differ by chance.
struct Change {
  double low = none, high = none;  // medians
  double relative = 0;             // high - low over the mean of the medians
  double p = 1;
};

Change change(const Series& series, double p) {
  std::vector<double> medians;
  for (const auto& each : series.values) medians.push_back(statistics::median(each));
  double sum = 0;
  for (const double median : medians) sum += median;
  const auto [low, high] = std::ranges::minmax(medians);
  return {low, high, sum > 0 ? (high - low) * static_cast<double>(medians.size()) / sum : 0, p};
}

// Whether the largest of Maxwell's CORs of a configuration is told to a factor: a change in proportion of what cannot
// be told from zero is none. The larger, the narrower in proportion.
bool is_told_from_zero(const Study& study, const std::string& configuration) {
  const auto end = [](double FitResult::*bound) {
    return [bound](const TrialStudy& trial) {
      const FitResult* law = trial.law(LawKind::maxwell);
      return law ? law->*bound : none;
    };
  };
  return std::ranges::any_of(study.cells, [&](const CellStudy& cell) {
    if (cell.configuration != configuration) return false;
    const auto low = values(study, cell, end(&FitResult::restitution_low));
    const auto high = values(study, cell, end(&FitResult::restitution_high));
    return !low.empty() && !high.empty() && statistics::median(high) < told_factor * statistics::median(low);
  });
}

// c1.maxwell: the fitted COR differs between speeds, by the Kruskal-Wallis test, and visibly so, in every
// configuration that tells it from zero.
//                                                                             [Wang22, (sec:maxwell_model)]
Verdict judge_maxwell(const Study& study, const Verdict& verdict) {
  const auto all = series_of(study, restitution_by(LawKind::maxwell));
  if (all.empty()) return not_testable(verdict, too_few_speeds);
  double least = std::numeric_limits<double>::infinity();
  std::string why, near_zero;
  for (const auto& series : all) {
    const auto difference = ranks::kruskal_wallis(series.values);
    if (!(difference.p_smallest < significant)) continue;
    const Change here = change(series, difference.p);
    if (!is_told_from_zero(study, series.configuration)) {
      near_zero.append(text(near_zero.empty() ? "" : ", ", series.configuration, " (at most ", number(here.high), ")"));
      continue;
    }
    least = std::min(least, here.p < significant ? here.relative : 0);
    why.append(text(why.empty() ? "" : ", ", series.configuration, " ", number(here.low), " to ", number(here.high),
                    " (", percent(here.relative), " of its mean, p = ", number(here.p), ")"));
  }
  if (!near_zero.empty())
    near_zero = text(" The COR cannot be told from zero, nor a change of it in proportion: ", near_zero, ".");
  if (why.empty() && near_zero.empty())
    return not_testable(verdict, "There are too few repeats to tell a change of the COR from its scatter.");
  if (why.empty()) return not_testable(verdict, near_zero.substr(1));
  return decided(
      verdict, least, Side::at_least, visible_change, "1",
      text("Cells' median COR over the speeds: ", why, ". Every configuration must change by ", percent(visible_change),
           "; with p above ", number(significant), " the change counts as 0.", near_zero));
}

// c1.viscoelastic: R^2 of the median trial, and the slope of the COR over |v|, by the Theil-Sen estimator.
//                                                                             [Wang22, (sec:nonlinear_model)]
Verdict judge_viscoelastic(const Study& study, const Verdict& verdict) {
  std::vector<double> fits;  // a law that does not fit at all explains nothing
  for (const auto& trial : study.trials)
    if (trial.ok()) fits.push_back(trial.law(LawKind::viscoelastic) ? trial.law(LawKind::viscoelastic)->r_squared : 0);
  if (fits.size() < min_trials)
    return not_testable(verdict, text("There is a contact in ", count(fits.size(), "trial"), "; three are needed."));
  const double r_squared = statistics::median(fits);
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

constexpr Claim law_table[] = {
    {"c1.spring", "VII-A1", "The virtual spring fits the measured force only with a COR above 1.", LawKind::spring,
     judge_spring},
    {"c1.maxwell", "VII-A2",
     "The COR fitted by Maxwell's law varies with the contact velocity, which that law excludes.", LawKind::maxwell,
     judge_maxwell},
    {"c1.viscoelastic", "VII-A3",
     "The viscoelastic law fits the measured force, and its COR falls as the contact velocity grows.",
     LawKind::viscoelastic, judge_viscoelastic},
};

}  // namespace

std::span<const Claim> law_claims() {
  return law_table;
}

}  // namespace thud::studying::verdicts
