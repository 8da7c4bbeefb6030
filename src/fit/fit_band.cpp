#include <thud/fit_band.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <string_view>
#include <vector>

#include <Eigen/QR>

#include "fit/reported.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

constexpr double step = 1e-5;  // of a central difference, relative to the parameter or to the time of the peak
constexpr double least_rank =
    1e-6;  // of a pivot against the largest, columns of unit length: differences are no better

// The force of the fitted law at every sample, with one of its parameters changed.
VectorX force(const Record& contact, const FitResult& fit, std::string_view name, double value) {
  ContactLaw law = fit.law;
  for (const auto& [each, field] : law_parameters(law))
    if (each == name) *field = value;
  const ForceProfile profile = force_profile(law, name == "mass" ? value : fit.mass, fit.velocity);
  const double start = name == "start" ? value : fit.start;
  VectorX out(std::ssize(contact.time));
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out[i] = state(profile, contact.time[static_cast<std::size_t>(i)] - start).force;
  return out;
}

// Derivative of the curve by a parameter, at every sample.
VectorX derivative(const Record& contact, const FitResult& fit, const FitParameter& parameter) {
  const Eigen::Map<const VectorX> time(contact.time.data(), std::ssize(contact.time));
  if (parameter.name == "baseline") return VectorX::Ones(time.size());
  if (parameter.name == "drift") return time.array() - (time[0] + time[time.size() - 1]) / 2;
  const double h = step * (parameter.name == "start" ? fit.time_of_peak : std::abs(parameter.value));
  return (force(contact, fit, parameter.name, parameter.value + h) -
          force(contact, fit, parameter.name, parameter.value - h)) /
         (2 * h);
}

}  // namespace

VectorX fitted_band(const Record& contact, const FitResult& law) {
  if (!fitted_profile(law) || contact.time.empty()) return {};
  std::vector<VectorX> columns;
  for (const FitParameter& parameter : law.parameters)
    if (parameter.identifiability != Identifiability::known) columns.push_back(derivative(contact, law, parameter));
  const auto n = std::ssize(contact.time), p = std::ssize(columns);
  if (n <= p) return {};
  MatrixX G(n, p);
  for (Eigen::Index j = 0; j < p; ++j) G.col(j) = columns[static_cast<std::size_t>(j)].normalized();
  Eigen::ColPivHouseholderQR<MatrixX> qr(G);
  qr.setThreshold(least_rank);
  if (!G.allFinite() || qr.rank() < p) return {};
  // with G = Q R, g_i'(G'G)^-1 g_i is the square of the i-th row of Q
  const MatrixX Q = qr.householderQ() * MatrixX::Identity(n, p);
  const auto degrees_of_freedom = static_cast<double>(n - p);
  const double deviation = law.rmse * std::sqrt(static_cast<double>(n) / degrees_of_freedom);
  return student_t(degrees_of_freedom) * deviation * Q.rowwise().norm();
}

}  // namespace thud
