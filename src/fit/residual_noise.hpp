#pragma once

/// What residuals tell: the noise of single samples, and whether they are correlated. Private to the library.

#include <Eigen/Core>

namespace thud::fitting {

/// Standard deviation of white noise from second differences, in which a slow residual vanishes; their variance is
/// (1 + 4 + 1) times that of a sample. NaN for fewer than three.
double second_difference_noise(const Eigen::VectorXd& residual);

/// Autocovariance of weighted residuals up to the lag where it is noise; one entry where they are white.
Eigen::VectorXd autocovariance(const Eigen::VectorXd& residual, const Eigen::VectorXd& weight);

/// Variance of an estimate a.r over that by white noise, V a.a.
double inflation(const Eigen::VectorXd& a, const Eigen::VectorXd& covariance, double variance);

}  // namespace thud::fitting
