#include "fit/residual_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace thud::fitting {

double second_difference_noise(const Eigen::VectorXd& residual) {
  const Eigen::Index n = residual.size() - 2;
  if (n < 1) return std::numeric_limits<double>::quiet_NaN();
  const double squares = (residual.head(n) - 2 * residual.segment(1, n) + residual.tail(n)).squaredNorm();
  return std::sqrt(squares / (6 * static_cast<double>(n)));
}

Eigen::VectorXd autocovariance(const Eigen::VectorXd& residual, const Eigen::VectorXd& weight) {
  const Eigen::Index n = residual.size();
  const auto covariance = [&](Eigen::Index lag) {
    double sum = 0, count = 0;
    for (Eigen::Index i = lag; i < n; ++i) {
      const double both = weight[i] * weight[i - lag];
      sum += both * residual[i] * residual[i - lag];
      count += both;
    }
    return count > 0 ? sum / count : 0;
  };
  const double total = std::max(weight.sum(), 1.0), variance = covariance(0);
  const double chance = 3 * variance / std::sqrt(total);  // three deviations of white noise
  Eigen::Index lags = 0;
  std::vector<double> values{variance};
  while (lags < n / 4) {
    const double next = covariance(lags + 1);
    if (next < chance) break;
    values.push_back(next);
    ++lags;
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double inflation(const Eigen::VectorXd& a, const Eigen::VectorXd& covariance, double variance) {
  double sum = covariance[0] * a.squaredNorm();
  for (Eigen::Index lag = 1; lag < covariance.size(); ++lag)
    sum += 2 * covariance[lag] * a.tail(a.size() - lag).dot(a.head(a.size() - lag));
  return sum / (variance * a.squaredNorm());
}

}  // namespace thud::fitting
