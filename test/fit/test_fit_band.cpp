// How well a fit knows its own curve.

#include <thud/fit_band.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include "signals.hpp"

namespace thud {
namespace {

constexpr double speed = 0.12;  // that of signals::impacts [m/s]
constexpr LawKind kinds[] = {LawKind::spring, LawKind::maxwell, LawKind::viscoelastic, LawKind::viscoelastic,
                             LawKind::hunt_crossley};

Record record_of(std::size_t impact, std::uint64_t seed) {
  return signals::make_record(signals::impacts()[impact], {.noise = 0.01, .seed = seed});
}

FitResult fitted(const Record& record, LawKind kind, const FitOptions& options = {}) {
  return fit(Eigen::Map<const VectorX>(record.time.data(), std::ssize(record.time)),
             Eigen::Map<const VectorX>(record.force.data(), std::ssize(record.force)), kind, -speed, options);
}

int free_parameters(const FitResult& law) {
  int count = 0;
  for (const FitParameter& each : law.parameters) count += each.identifiability != Identifiability::known;
  return count;
}

// Of a linear model the squares of the half widths, in units of t s, sum to the number of parameters: the trace of the
// hat matrix.
TEST(FitBand, SumsToTheNumberOfParameters) {
  for (std::size_t impact = 0; impact < std::size(kinds); ++impact)
    for (const auto& options : {FitOptions{}, FitOptions{.mass = 4}, FitOptions{.baseline = 0, .drift = true}}) {
      const Record record = record_of(impact, 1);
      const FitResult law = fitted(record, kinds[impact], options);
      const VectorX band = fitted_band(record, law);
      ASSERT_EQ(band.size(), std::ssize(record.time)) << signals::impacts()[impact].name;
      const double n = static_cast<double>(band.size()), p = free_parameters(law);
      const double t = boost::math::quantile(boost::math::students_t(n - p), 0.975);
      const double s = law.rmse * std::sqrt(n / (n - p));
      EXPECT_NEAR((band / (t * s)).squaredNorm(), p, 1e-6 * p) << signals::impacts()[impact].name;
    }
}

TEST(FitBand, HoldsTheTrueCurve) {
  constexpr int seeds = 60;
  for (std::size_t impact = 0; impact < std::size(kinds); ++impact) {
    double inside = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Record record = record_of(impact, seed);
      const FitResult law = fitted(record, kinds[impact]);
      const VectorX band = fitted_band(record, law);
      ASSERT_EQ(band.size(), std::ssize(record.time)) << law.message;
      const ForceProfile profile = *fitted_profile(law);
      for (Eigen::Index i = 0; i < band.size(); ++i) {
        const double time = record.time[static_cast<std::size_t>(i)];
        const double curve = law.baseline + state(profile, time - law.start).force;
        inside += std::abs(curve - signals::impacts()[impact].force(time - signals::Scene{}.before)) <= band[i];
        ++all;
      }
    }
    // a record is worth about as many independent samples as there are parameters: 0.012 is one standard deviation
    EXPECT_NEAR(inside / all, 0.95, 0.03) << signals::impacts()[impact].name;
  }
}

TEST(FitBand, IsNarrowerWhereMoreIsKnown) {
  const Record record = record_of(2, 1);
  const VectorX free = fitted_band(record, fitted(record, LawKind::viscoelastic));
  const VectorX known = fitted_band(record, fitted(record, LawKind::viscoelastic, {.mass = 4}));
  EXPECT_LT(known.sum(), free.sum());
}

TEST(FitBand, IsEmptyWhereThereIsNoCurve) {
  const Record record = record_of(2, 1);
  EXPECT_EQ(fitted_band(record, FitResult{}).size(), 0);
  const FitResult law = fitted(record, LawKind::viscoelastic);
  EXPECT_EQ(fitted_band(Record{}, law).size(), 0);
}

}  // namespace
}  // namespace thud
