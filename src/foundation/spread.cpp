#include <thud/spread.hpp>

#include <algorithm>
#include <cmath>

namespace THUD_EXPORT thud {

Spread spread(const std::vector<double>& values) {
  Spread result;
  double sum = 0, squares = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    result.min = result.count ? std::min(result.min, value) : value;
    result.max = result.count ? std::max(result.max, value) : value;
    ++result.count;
    sum += value;
  }
  if (result.count == 0) return result;
  const auto n = static_cast<double>(result.count);
  result.mean = sum / n;
  for (const double value : values)
    if (std::isfinite(value)) squares += (value - result.mean) * (value - result.mean);
  if (result.count > 1) result.std = std::sqrt(squares / (n - 1));
  return result;
}

}  // namespace thud
