#include "fit/identifiability.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Cholesky>

namespace thud::fitting {
namespace {

// What is told: an interval up to this factor wide, or, of what may be none, this wide.
constexpr double widest_factor = 3, widest_d = 0.3, widest_zeta = 0.05, widest_exponent = 0.5, widest_restitution = 0.2;
constexpr double most_correlation = 0.99;

const FitParameter* named(const FitResult& result, std::string_view name) {
  const auto found = std::find_if(result.parameters.begin(), result.parameters.end(),
                                  [&](const FitParameter& each) { return each.name == name; });
  return found == result.parameters.end() ? nullptr : &*found;
}

// Whether an interval is narrow.
bool is_narrow(const FitParameter& p, const FitResult& result) {
  const double width = p.high - p.low;
  const bool by_factor = p.low > 0 && p.high < widest_factor * p.low;
  const double k = named(result, "stiffness")->value, speed = -result.velocity;
  if (p.name == "stiffness" || p.name == "mass") return by_factor;
  if (p.name == "restitution") return width < widest_restitution;
  if (p.name == "exponent") return width < widest_exponent;
  if (p.name == "damping" && result.kind == LawKind::maxwell)
    return by_factor || (1 / p.low - 1 / p.high) * std::sqrt(k * result.mass) / 2 < widest_zeta;
  if (p.name == "damping") return by_factor || width * speed / k < widest_d;
  return std::isfinite(width);
}

// The largest correlation of each quantity with another one of the law or the mass.
std::vector<double> largest_correlations(const Problem& p, const NormalMatrix& h, const Reported& reported,
                                         std::size_t count) {
  const FreeVector scale = h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::LLT<NormalMatrix> factor(scale.asDiagonal() * h * scale.asDiagonal());
  std::vector<FreeVector> parts;
  for (std::size_t i = 0; i < count; ++i) {
    FreeVector part(p.count);
    for (int j = 0; j < p.count; ++j) part[j] = reported.quantities[i].gradient[p.free[j]] * scale[j];
    parts.emplace_back(factor.matrixL().solve(part));
  }
  std::vector<double> out(count, 0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k)
      if (k != i) out[i] = std::max(out[i], std::abs(parts[i].normalized().dot(parts[k].normalized())));
  return out;
}

}  // namespace

void judge_identifiability(const Problem& p, const NormalMatrix& h, const Reported& reported, FitResult& out) {
  const auto is_free = [&](ParameterIndex index) {
    return std::find(p.free, p.free + p.count, index) != p.free + p.count;
  };
  const bool too_short = !(p.times[p.times.size() - 1] >= out.start + out.time_of_compression);
  const std::size_t physical =
      static_cast<std::size_t>(std::find(reported.names.begin(), reported.names.end(), "mass") -
                               reported.names.begin()) +
      1;
  const auto reason = [&](double correlation) {
    return too_short                        ? Identifiability::window_too_short
           : correlation > most_correlation ? Identifiability::correlated
                                            : Identifiability::flat;
  };
  std::vector<double> correlation;  // only where a reason is needed
  for (std::size_t i = 0; i < out.parameters.size(); ++i) {
    FitParameter& each = out.parameters[i];
    const bool known = (each.name == "mass" && !is_free(log_mass)) || (each.name == "start" && !is_free(start)) ||
                       (each.name == "baseline" && !is_free(baseline));
    if (known || is_narrow(each, out)) {
      each.identifiability = known ? Identifiability::known : Identifiability::identified;
      continue;
    }
    if (correlation.empty()) correlation = largest_correlations(p, h, reported, physical);
    each.identifiability = reason(i < physical ? correlation[i] : 0);
  }
  const double width = out.restitution_high - out.restitution_low;
  out.restitution_identifiability = width < widest_restitution ? Identifiability::identified
                                    : std::isfinite(width)     ? reason(0)
                                    : too_short                ? Identifiability::window_too_short
                                                               : Identifiability::unknown;
}

void warn_of_unidentified(const FitResult& best, bool mass_free, std::vector<Warning>& warnings) {
  const std::string name(to_string(best.kind));
  if (best.restitution_identifiability == Identifiability::flat)
    warnings.push_back({WarningCode::not_identifiable, "restitution",
                        name + ": a restitution of " + to_text(best.restitution, 2) + " cannot be told from " +
                            to_text(best.restitution_low, 2) + " to " + to_text(best.restitution_high, 2) + ": " +
                            (mass_free ? "with the mass free, " : "") +
                            "noise and an error of the law of 0.5 % of the peak hide the difference"});
  for (const FitParameter& each : best.parameters) {
    const std::string text = name + ": " + std::string(each.name) + " is not identifiable: ";
    if (each.identifiability == Identifiability::window_too_short)
      warnings.push_back({WarningCode::not_identifiable, std::string(each.name),
                          text + "the record ends before the compression does"});
    if (each.identifiability == Identifiability::correlated)
      warnings.push_back(
          {WarningCode::not_identifiable, std::string(each.name),
           text + "another parameter makes up for it, from " + to_text(each.low, 3) + " to " + to_text(each.high, 3)});
    if (each.identifiability == Identifiability::flat)
      warnings.push_back({WarningCode::not_identifiable, std::string(each.name),
                          text + "the record fits as well with any value from " + to_text(each.low, 3) + " to " +
                              to_text(each.high, 3)});
  }
}

}  // namespace thud::fitting
