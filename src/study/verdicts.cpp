#include "study/verdicts.hpp"

#include <thud/error.hpp>

#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "study/claims.hpp"
#include "study/untold.hpp"

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

// The verdict that holds whatever the CORs are that no record tells, or else why there is none.
Verdict judged_throughout(const Study& study, const std::vector<Untold>& untold, const verdicts::Claim& claim,
                          const Verdict& texts) {
  Verdict verdict = claim.judge(study, texts);
  if (verdict.judgement == Judgement::not_testable) return verdict;
  for (const Untold& other : untold) {
    const Judgement judgement = claim.judge(other.study, texts).judgement;
    if (judgement == verdict.judgement) continue;
    const std::size_t trials = untold_trials(study, claim.law);
    return verdicts::not_testable(
        texts, verdicts::text("It rests on the COR of the ", to_string(claim.law), " law, which ",
                              verdicts::count(trials, "record"), trials == 1 ? " does" : " do",
                              " not tell: with these ", other.where, " the claim would be ", to_string(judgement),
                              ", as fitted it is ", to_string(verdict.judgement), ". ", verdict.why));
  }
  return verdict;
}

std::vector<Verdict> judged(const Study& study, std::initializer_list<std::span<const verdicts::Claim>> tables) {
  std::map<LawKind, std::vector<Untold>> untold;
  std::vector<Verdict> all;
  for (const auto& claims : tables)
    for (const auto& claim : claims) {
      Verdict verdict;
      verdict.claim = claim.name;
      verdict.section = claim.section;
      verdict.statement = claim.statement;
      if (!untold.contains(claim.law)) untold[claim.law] = untold_studies(study, claim.law);
      all.push_back(judged_throughout(study, untold[claim.law], claim, verdict));
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
