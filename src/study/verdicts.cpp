#include "study/verdicts.hpp"

#include <thud/error.hpp>

#include <cmath>
#include <initializer_list>
#include <utility>

#include "study/claims.hpp"

namespace thud::studying {
namespace verdicts {

std::string number(double value) {
  return to_text(value, 3);
}

std::string count(std::size_t value, std::string_view what) {
  return text(std::to_string(value), " ", what, value == 1 ? "" : "s");
}

std::string percent(double fraction) {
  return to_text(100 * fraction, 3).append(" %");
}

Verdict not_testable(Verdict verdict, std::string why) {
  verdict.judgement = Judgement::not_testable;
  verdict.why = std::move(why);
  return verdict;
}

Verdict decided(Verdict verdict, double statistic, Side side, double threshold, std::string unit, std::string why) {
  const bool holds = side == Side::at_least ? statistic >= threshold : statistic < threshold;
  verdict.judgement = holds ? Judgement::supported : Judgement::not_supported;
  verdict.statistic = statistic;
  verdict.threshold = threshold;
  verdict.unit = std::move(unit);
  verdict.why = std::move(why);
  return verdict;
}

Quantity restitution_by(LawKind kind) {
  return [kind](const TrialStudy& trial) {
    const FitResult* law = trial.law(kind);
    return law ? law->restitution : none;
  };
}

std::vector<double> values(const Study& study, const CellStudy& cell, const Quantity& quantity) {
  std::vector<double> result;
  for (const std::size_t i : cell.trials)
    if (const double value = quantity(study.trials[i]); std::isfinite(value)) result.push_back(value);
  return result;
}

}  // namespace verdicts

namespace {

std::vector<Verdict> judged(const Study& study, std::initializer_list<std::span<const verdicts::Claim>> tables) {
  std::vector<Verdict> all;
  for (const auto& claims : tables)
    for (const auto& claim : claims) {
      Verdict verdict;
      verdict.claim = claim.name;
      verdict.section = claim.section;
      verdict.statement = claim.statement;
      all.push_back(claim.judge(study, verdict));
    }
  return all;
}

}  // namespace

std::vector<Verdict> judge(const Study& study) {
  return judged(study, {verdicts::law_claims(), verdicts::impulse_claims(), verdicts::rebound_claims()});
}

std::vector<Verdict> judge_beyond(const Study& study) {
  return judged(study, {verdicts::beyond_claims()});
}

}  // namespace thud::studying
