#pragma once

/// Private: the claims of the paper, and what all of their judges need. A claim stands in the table of one of the files
/// verdicts_*.cpp, beside the function that judges it, and nowhere else.

#include <thud/study.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thud::studying::verdicts {

/// A claim, and what the trials and cells of a study say to it.
struct Claim {
  const char *name, *section, *statement;
  Verdict (*judge)(const Study& study, const Verdict& verdict);  ///< completes the verdict, which has the three texts
};

std::span<const Claim> law_claims();
std::span<const Claim> impulse_claims();
std::span<const Claim> rebound_claims();

/// A verdict is reached by a statistic against a threshold, or there is a reason why there is none.
Verdict not_testable(Verdict verdict, std::string why);

enum class Side { at_least, below };
Verdict decided(Verdict verdict, double statistic, Side side, double threshold, std::string unit, std::string why);

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t fewest_trials = 3;  ///< below which nothing is said

/// A quantity of a trial; NaN where it does not exist.
using Quantity = std::function<double(const TrialStudy&)>;

/// The coefficient of restitution that the fit of a law gives.
Quantity restitution_by(LawKind kind);

/// Values of a quantity over a cell, as far as they exist.
std::vector<double> values(const Study& study, const CellStudy& cell, const Quantity& quantity);

/// Parts of a sentence put together, numbers of three digits, a count with its noun, and a share in per cent.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (out.append(std::string_view(parts)), ...);
  return out;
}
std::string number(double value);
std::string count(std::size_t value, std::string_view what);
std::string percent(double share);

}  // namespace thud::studying::verdicts
