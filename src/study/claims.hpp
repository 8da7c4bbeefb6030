#pragma once

/// Private: the claims of the paper and beyond it, and what all functions that judge them share. Each claim is an entry
/// in the table of one of the files verdicts_*.cpp, beside the function that judges it.

#include <thud/study.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thud::studying::verdicts {

/// A claim, and the function that judges it by the trials and cells of a study.
struct Claim {
  const char *name, *section, *statement;
  LawKind law;  ///< the claim rests on the COR by this law, or on what follows from it: end of compression, impulse
  Verdict (*judge)(const Study& study, const Verdict& verdict);  ///< completes the verdict, which holds the three texts
};

std::span<const Claim> law_claims();
std::span<const Claim> impulse_claims();
std::span<const Claim> rebound_claims();
std::span<const Claim> beyond_claims();

/// A verdict compares a statistic with a threshold, or states why it cannot.
Verdict not_testable(Verdict verdict, std::string why);

enum class Side { at_least, below };
Verdict decided(Verdict verdict, double statistic, Side side, double threshold, std::string unit, std::string why);

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t min_trials = 3;  ///< with fewer, a claim is not testable

/// A quantity of a trial; NaN where it does not exist.
using Quantity = std::function<double(const TrialStudy&)>;

/// The coefficient of restitution from the fit of a law.
Quantity restitution_by(LawKind kind);

/// The finite values of a quantity over a cell.
std::vector<double> values(const Study& study, const CellStudy& cell, const Quantity& quantity);

/// Concatenated parts of a sentence, a number with three digits, a count with its noun, and a fraction in per cent.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (out.append(std::string_view(parts)), ...);
  return out;
}
std::string number(double value);
std::string count(std::size_t value, std::string_view what);
std::string percent(double fraction);

}  // namespace thud::studying::verdicts
