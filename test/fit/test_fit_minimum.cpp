// Where a fit ends, by a second road: the sum of squares from force_profile, which shares nothing with the fit but the
// laws, and no derivatives but differences.

#include <thud/fit.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "impacts.hpp"

namespace {

using namespace thud;

constexpr double velocity = -0.12;  // [m/s]

struct Record {
  Eigen::VectorXd times, forces;
};

/// Logarithms of the law's parameters and the mass, start [ms], baseline [N].
Eigen::VectorXd coordinates(const FitResult& result) {
  std::vector<double> x;
  for (const auto& [name, value] : law_parameters(result.law)) x.push_back(std::log(value));
  x.insert(x.end(), {std::log(result.mass), 1e3 * result.start, result.baseline});
  return Eigen::Map<Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

ContactLaw law_at(LawKind kind, const Eigen::VectorXd& x) {
  const double k = std::exp(x[0]), second = std::exp(x[1]);
  if (kind == LawKind::spring) return Spring{k, second};
  if (kind == LawKind::maxwell) return Maxwell{k, second};
  if (kind == LawKind::viscoelastic) return Viscoelastic{k, second};
  return HuntCrossley{k, second, std::exp(x[2])};
}

Eigen::VectorXd model(LawKind kind, const Eigen::VectorXd& x, const Eigen::VectorXd& times) {
  const Eigen::Index n = x.size();
  const ForceProfile profile = force_profile(law_at(kind, x), std::exp(x[n - 3]), velocity);
  const auto along = states(profile, (times.array() - 1e-3 * x[n - 2]).matrix());
  return Eigen::VectorXd::NullaryExpr(
      times.size(), [&](Eigen::Index i) { return along[static_cast<std::size_t>(i)].force + x[n - 1]; });
}

/// The largest fall of S, in noise variances, to points a distance in standard errors away: along the axes of the
/// ellipsoid S <= S* and in random directions, both ways.
double largest_fall(const Record& record, LawKind kind, const Eigen::VectorXd& at, double distance,
                    std::mt19937_64& generator) {
  const Eigen::Index count = at.size();
  const auto squares = [&](const Eigen::VectorXd& x) {
    // A parameter that the record does not tell may leave the range of numbers within a fiftieth of its standard error
    if (x.head(count - 2).cwiseAbs().maxCoeff() > 100) return std::numeric_limits<double>::infinity();
    return (record.forces - model(kind, x, record.times)).squaredNorm();
  };
  Eigen::MatrixXd jacobian(record.times.size(), count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::VectorXd step = 1e-4 * Eigen::VectorXd::Unit(count, j);
    jacobian.col(j) = (model(kind, at + step, record.times) - model(kind, at - step, record.times)) / 2e-4;
  }
  const double least = squares(at), noise = std::sqrt(least / static_cast<double>(record.times.size() - count));
  const Eigen::MatrixXd root = Eigen::MatrixXd((jacobian.transpose() * jacobian).llt().matrixU()).inverse() * noise;
  std::normal_distribution<double> normal;
  double fall = 0;
  for (Eigen::Index i = 0; i < count + 4; ++i) {
    Eigen::VectorXd direction = Eigen::VectorXd::Unit(count, i % count);
    if (i >= count) direction = Eigen::VectorXd::NullaryExpr(count, [&] { return normal(generator); }).normalized();
    for (const double side : {-distance, distance})
      fall = std::max(fall, (least - squares(at + side * root * direction)) / (noise * noise));
  }
  return fall;
}

// A parabola whose minimum is `distance` away falls by its square up to there.
TEST(FitMinimum, IsWithinAFiftiethOfAStandardError) {
  constexpr double distance = 0.02;
  constexpr int records = 160, samples = 300;
  const std::uint64_t seed = support::seed();
  int fits = 0;
  for (int i = 0; i < records; ++i) {
    std::mt19937_64 generator(seed + static_cast<std::uint64_t>(i));
    const auto between = [&](double low, double high) {
      return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(generator));
    };
    const double k = between(1e5, 1e6), m = between(2, 10), d = between(0.1, 8);
    const ContactLaw laws[] = {Spring{k, between(0.2, 0.95)}, Maxwell{k, std::sqrt(k * m) / (2 * between(0.05, 0.5))},
                               Viscoelastic{k, d * k / -velocity}, HuntCrossley{2e7, 5e8 * between(0.3, 3), 1.5}};
    const ContactLaw& law = laws[i % 4];
    const ForceProfile profile = force_profile(law, m, velocity);
    std::normal_distribution<double> normal(0, between(1e-3, 0.05) * profile.peak.force);
    const double before = between(0.1e-3, 5e-3), length = before + between(0.8, 2) * profile.end_of_contact->time;
    Record record{Eigen::VectorXd::LinSpaced(samples, 0, length), {}};
    const auto clean = states(profile, (record.times.array() - before).matrix());
    record.forces = Eigen::VectorXd::NullaryExpr(
        samples, [&](Eigen::Index j) { return clean[static_cast<std::size_t>(j)].force + normal(generator); });

    const LawKind kind = kind_of(law);
    const FitResult result = fit(record.times, record.forces, kind, velocity);
    if (result.status != FitStatus::converged) continue;
    ++fits;
    EXPECT_LE(largest_fall(record, kind, coordinates(result), distance, generator), distance * distance)
        << to_string(kind) << ", record " << i;
  }
  EXPECT_GE(fits, 0.95 * records);
}

// Before the peak a spring's force does not depend on its restitution, noise or not, and whatever else is known.
TEST(FitMinimum, ASpringCutBeforeItsPeakHasNoRestitution) {
  for (const double e : {0.3, 0.6, 0.95})
    for (const double share : {0.5, 0.7, 0.9, 0.97, 1.0})
      for (const bool known : {false, true}) {
        const ForceProfile profile = force_profile(Spring{3e5, e}, 4, velocity);
        constexpr double rate = 25e3, before = 2.01e-3;
        const auto n = static_cast<Eigen::Index>((before + share * profile.peak.time) * rate);
        const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(n, 0, static_cast<double>(n - 1) / rate);
        const auto clean = states(profile, (times.array() - before).matrix());
        const Eigen::VectorXd forces =
            Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return clean[static_cast<std::size_t>(i)].force; });
        FitOptions options;
        if (known) options.mass = 4;
        const FitResult result = fit(times, forces, LawKind::spring, velocity, options);
        EXPECT_EQ(result.status, FitStatus::undetermined) << e << ", " << share << ", " << known;
      }
}

}  // namespace
