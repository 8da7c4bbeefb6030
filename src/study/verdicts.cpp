#include "study/verdicts.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
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

// A claim and its verdict so far.
struct Judged {
  const verdicts::Claim* claim;
  Verdict texts, verdict;
  bool decided = false;  // and the same whatever the CORs are that no record tells, as far as these were tried
};

// Judges the claims by other CORs that no record tells. A verdict that changes is none: then it says why.
void try_other_restitutions(const Study& study, LawKind kind, std::vector<Judged>& all) {
  const auto open = [&](const Judged& each) { return each.decided && each.claim->law == kind; };
  const std::size_t trials = std::ranges::any_of(all, open) ? untold_trials(study, kind) : 0;
  for (std::size_t which = 0; trials > 0 && which < untold_studies && std::ranges::any_of(all, open); ++which) {
    const Untold other = untold_study(study, kind, which);
    for (Judged& each : all) {
      if (!open(each)) continue;
      const Judgement judgement = each.claim->judge(other.study, each.texts).judgement;
      if (judgement == each.verdict.judgement) continue;
      each.decided = false;
      each.verdict = verdicts::not_testable(
          each.texts,
          verdicts::text("It rests on the COR of the ", to_string(kind), " law, which ",
                         verdicts::count(trials, "record"), trials == 1 ? " does" : " do", " not tell: with these ",
                         other.where, " the claim would be ", to_string(judgement), ", as fitted it is ",
                         to_string(each.verdict.judgement), ". ", each.verdict.why));
    }
  }
}

std::vector<Verdict> judged(const Study& study, std::initializer_list<std::span<const verdicts::Claim>> tables) {
  std::vector<Judged> all;
  for (const auto& claims : tables)
    for (const auto& claim : claims) {
      Judged& each = all.emplace_back(Judged{&claim, {}, {}});
      each.texts.claim = claim.name;
      each.texts.section = claim.section;
      each.texts.statement = claim.statement;
      each.verdict = claim.judge(study, each.texts);
      each.decided = each.verdict.judgement != Judgement::not_testable;
    }
  for (const LawKind kind : all_laws) try_other_restitutions(study, kind, all);
  std::vector<Verdict> out;
  out.reserve(all.size());
  for (Judged& each : all) out.push_back(std::move(each.verdict));
  return out;
}

}  // namespace

std::vector<Verdict> judge(const Study& study) {
  return judged(study, {verdicts::law_claims(), verdicts::impulse_claims(), verdicts::rebound_claims()});
}

std::vector<Verdict> judge_beyond(const Study& study) {
  return judged(study, {verdicts::beyond_claims()});
}

}  // namespace thud::studying
