// What a fit says about itself: whether the law describes the record, and which parameters the record tells.

#include <thud/error.hpp>
#include <thud/identify.hpp>
#include <thud/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "signals.hpp"

namespace thud {
namespace {

constexpr double mass = 4, speed = 0.12;  // [kg], [m/s]; those of signals::impacts

bool warned(const Identification& found, WarningCode code, std::string_view subject = {}) {
  return std::any_of(found.warnings.begin(), found.warnings.end(), [&](const Warning& each) {
    return each.code == code && (subject.empty() || each.subject == subject);
  });
}

const FitParameter& parameter(const FitResult& law, std::string_view name) {
  return *std::find_if(law.parameters.begin(), law.parameters.end(),
                       [&](const FitParameter& each) { return each.name == name; });
}

/// A record whose noise, 0.25 N, is that of a good sensor.
Record quiet_record(std::size_t impact, std::uint64_t seed = 1) {
  const auto& all = signals::impacts();
  return signals::make_record(all[impact], {.noise = 0.25 / all[impact].peak, .seed = seed});
}

/// Viscoelastic, with d = c|v0|/k.
signals::Impact damped(double d) {
  return signals::hunt_crossley("damped", mass, speed, 3e5, d * 3e5 / speed, 1);
}

// Goodness of fit

// As many false alarms as one in a hundred honest records would be told as often as the truth is missed.
TEST(Goodness, HonestRecordsAreNotCalledMisfits) {
  int warnings = 0, records = 0;
  double largest = 0;
  for (std::size_t impact = 0; impact < signals::impacts().size(); ++impact)
    for (const double noise : {0.002, 0.01, 0.05})
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto record = signals::make_record(signals::impacts()[impact], {.noise = noise, .seed = seed});
        const auto kind = impact < 2   ? static_cast<LawKind>(impact)
                          : impact < 4 ? LawKind::viscoelastic
                                       : LawKind::hunt_crossley;
        const Identification found = identify(record, -speed, {}, kind);
        ASSERT_EQ(found.laws.size(), 1U);
        warnings += warned(found, WarningCode::above_noise) || warned(found, WarningCode::clipped_peak);
        largest = std::max(largest, found.laws.front().misfit);
        ++records;
      }
  std::cout << warnings << " of " << records << " honest records warned of; largest misfit " << largest << "\n";
  EXPECT_EQ(warnings, 0);
}

TEST(Goodness, HumIsTold) {
  Record record = quiet_record(2);
  for (std::size_t i = 0; i < record.time.size(); ++i)
    record.force[i] += 5 * std::sin(2 * std::numbers::pi * 50 * record.time[i] + 1);
  const Identification found = identify(record, -speed, {}, LawKind::viscoelastic);
  const FitResult& law = found.laws.front();
  EXPECT_TRUE(warned(found, WarningCode::above_noise, "viscoelastic"));
  EXPECT_GT(law.misfit, 5);
  EXPECT_NEAR(law.noise, 0.25, 0.05) << "differences do not see the hum";
}

TEST(Goodness, AWrongMassIsTold) {
  for (const double factor : {0.6, 1.5}) {
    const Identification found = identify(quiet_record(2), -speed, {.mass = factor * mass}, LawKind::viscoelastic);
    EXPECT_TRUE(warned(found, WarningCode::above_noise)) << factor;
  }
  EXPECT_FALSE(
      warned(identify(quiet_record(2), -speed, {.mass = mass}, LawKind::viscoelastic), WarningCode::above_noise));
}

TEST(Goodness, AClippedPeakIsTold) {
  for (const double noise : {0.0, 0.25, 3.0})
    for (const double limit : {0.7, 0.9}) {
      const auto& impact = signals::impacts()[2];
      Record record = signals::make_record(impact, {.noise = noise / impact.peak});
      for (double& force : record.force) force = std::min(force, limit * impact.peak);
      const Identification found = identify(record, -speed);
      EXPECT_TRUE(warned(found, WarningCode::clipped_peak)) << noise << ", " << limit;
      if (noise < 1) {
        EXPECT_TRUE(warned(found, WarningCode::above_noise)) << noise << ", " << limit;
      }
    }
}

// What a record tells

TEST(Identifiability, ARestitutionBelowAThirdIsNotToldWithTheMassFree) {
  const auto fitted = [](double d, std::optional<double> known) {
    const auto impact = damped(d);
    return identify(signals::make_record(impact, {.noise = 0.25 / impact.peak}), -speed, {.mass = known},
                    LawKind::viscoelastic);
  };
  const Identification low = fitted(10, {});  // e = 0.1
  EXPECT_EQ(low.laws.front().restitution_identifiability, Identifiability::flat);
  EXPECT_LT(low.laws.front().restitution_low, 0.1);
  EXPECT_GT(low.laws.front().restitution_high, 0.25);
  EXPECT_TRUE(warned(low, WarningCode::not_identifiable, "restitution"));
  for (const double d : {0.1, 0.5, 1.0}) {  // e = 0.94, 0.75, 0.59
    const Identification high = fitted(d, {});
    EXPECT_EQ(high.laws.front().restitution_identifiability, Identifiability::identified) << d;
    EXPECT_FALSE(warned(high, WarningCode::not_identifiable)) << d;
  }
  const Identification known = fitted(10, mass);
  EXPECT_EQ(known.laws.front().restitution_identifiability, Identifiability::identified);
  EXPECT_FALSE(warned(known, WarningCode::not_identifiable, "restitution"));
}

TEST(Identifiability, EveryParameterHasAReason) {
  const Identification whole = identify(quiet_record(2), -speed, {.mass = mass}, LawKind::viscoelastic);
  for (const FitParameter& each : whole.laws.front().parameters)
    EXPECT_EQ(each.identifiability, each.name == "mass" ? Identifiability::known : Identifiability::identified)
        << each.name;

  // a spring before its peak: everything but the restitution
  const auto& spring = signals::impacts()[0];
  Eigen::VectorXd times(150), forces(150);
  for (int i = 0; i < 150; ++i) {
    times[i] = i / 25e3;
    forces[i] = spring.force(times[i] - 2.01e-3);
  }
  const FitResult cut = fit(times, forces, LawKind::spring, -speed);
  EXPECT_EQ(cut.status, FitStatus::undetermined);
  EXPECT_EQ(parameter(cut, "restitution").identifiability, Identifiability::window_too_short);
  EXPECT_TRUE(std::isnan(parameter(cut, "restitution").low));
  EXPECT_EQ(parameter(cut, "stiffness").identifiability, Identifiability::identified);
  EXPECT_NEAR(parameter(cut, "stiffness").high, 3e5, 30);
  EXPECT_EQ(cut.restitution_identifiability, Identifiability::window_too_short);

  // with d = 30 the stiffness leaves no trace
  const auto impact = damped(30);
  const FitResult strong =
      identify(signals::make_record(impact, {.noise = 0.02}), -speed, {}, LawKind::viscoelastic).laws.front();
  const Identifiability told = parameter(strong, "stiffness").identifiability;
  EXPECT_TRUE(told == Identifiability::flat || told == Identifiability::correlated) << to_string(told);

  for (const auto& [value, name] : {std::pair(Identifiability::unknown, "unknown"),
                                    {Identifiability::known, "known"},
                                    {Identifiability::identified, "identified"},
                                    {Identifiability::flat, "flat"},
                                    {Identifiability::correlated, "correlated"},
                                    {Identifiability::window_too_short, "window_too_short"}})
    EXPECT_EQ(to_string(value), name);
}

// Residuals

TEST(Residuals, RunsOfWhiteNoiseAreAsProbableAsTheySay) {
  signals::Normal normal(7);
  constexpr int records = 1000, n = 150;
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(n, 0, 1e-2);
  int below_tenth = 0;
  double share = 0;
  for (int i = 0; i < records; ++i) {
    const Eigen::VectorXd noise = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(); });
    const ResidualSummary found = summarize_residuals(times, noise);
    below_tenth += found.runs_p < 0.1;
    share += found.frequency_share / records;
    if (i >= 100) continue;
    EXPECT_NEAR(found.noise, 1, 0.45);
  }
  EXPECT_NEAR(below_tenth, 0.1 * records, 4 * std::sqrt(0.09 * records));
  EXPECT_LT(share, 0.1);
}

TEST(Residuals, SeveralTogetherAreAsEachByItself) {
  signals::Normal normal(8);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(211, 0, 1e-2);
  std::vector<VectorX> all(4);
  for (std::size_t i = 0; i < 3; ++i) all[i] = VectorX::NullaryExpr(211, [&] { return normal(); });
  all[2].setZero();
  const auto together = summarize_residuals(times, all);
  ASSERT_EQ(together.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    const ResidualSummary alone = summarize_residuals(times, all[i]);
    EXPECT_EQ(together[i].rmse, alone.rmse);
    EXPECT_EQ(together[i].runs, alone.runs);
    EXPECT_EQ(together[i].spectrum, alone.spectrum);
    if (i < 2) {
      EXPECT_EQ(together[i].frequency, alone.frequency);
    }
  }
  EXPECT_TRUE(std::isnan(together[3].rmse));
  EXPECT_THROW(summarize_residuals(times, std::vector<VectorX>{all[0], all[1].head(5)}), InputError);
}

TEST(Residuals, TwoRunsOfSixHaveTheirExactProbability) {
  // 6 of either sign: 924 orders, 2 of which have two runs; the normal approximation is off by less than 0.005
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(12, 0, 11);
  Eigen::VectorXd signs = Eigen::VectorXd::Ones(12);
  signs.head(6) *= -1;
  const ResidualSummary two = summarize_residuals(times, signs);
  EXPECT_EQ(two.runs, 2);
  EXPECT_DOUBLE_EQ(two.expected_runs, 7);
  EXPECT_NEAR(two.runs_p, 2.0 / 924, 0.005);
  for (Eigen::Index i = 0; i < 12; ++i) signs[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_EQ(summarize_residuals(times, signs).runs, 12);
  EXPECT_GT(summarize_residuals(times, signs).runs_p, 0.99);
}

// Each line of the spectrum by least squares, at uneven times too; the highest is the frequency that is told.
TEST(Residuals, TheSpectrumByASecondRoad) {
  signals::Normal normal(10);
  constexpr Eigen::Index n = 60;
  Eigen::VectorXd times(n), values(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    times[i] = 1e-3 * (static_cast<double>(i) + 0.3 * std::sin(static_cast<double>(i)));
    values[i] = normal() + std::sin(300 * times[i]);
  }
  const ResidualSummary found = summarize_residuals(times, values);
  EXPECT_DOUBLE_EQ(found.resolution, 1 / (2 * (times[n - 1] - times[0])));
  ASSERT_EQ(found.spectrum.size(), n - 1);
  for (Eigen::Index k = 1; k < n - 1; ++k) {
    Eigen::MatrixXd a(n, 2);
    const Eigen::VectorXd angle =
        2 * std::numbers::pi * static_cast<double>(k) * found.resolution * (times.array() - times[0]).matrix();
    a << angle.array().sin().matrix(), angle.array().cos().matrix();
    const Eigen::VectorXd explained = a * a.colPivHouseholderQr().solve(values);
    EXPECT_NEAR(found.spectrum[k - 1], explained.squaredNorm() / values.squaredNorm(), 1e-9) << k;
  }
  Eigen::Index highest = 0;
  EXPECT_EQ(found.spectrum.maxCoeff(&highest), found.frequency_share);
  EXPECT_DOUBLE_EQ(found.frequency, static_cast<double>(highest + 1) * found.resolution);
}

// What a law leaves over is what the fit made smallest; a fit that failed leaves nothing to look at.
TEST(Residuals, OfAFitAreThoseOfItsRmse) {
  signals::Normal normal(11);
  const ForceProfile profile = force_profile(Viscoelastic{3e5, 3e6}, 4, -0.2);
  Record contact;
  for (int i = 0; i < 400; ++i) {
    const double t = 0.5 + i / 25e3;
    contact.time.push_back(t);
    contact.force.push_back(state(profile, t - 0.503).force + 1.5 + 200 * (t - 0.5) + 0.3 * normal());
  }
  const auto n = static_cast<Eigen::Index>(contact.time.size());
  const Eigen::Map<const Eigen::VectorXd> times(contact.time.data(), n), forces(contact.force.data(), n);
  FitResult found = fit(times, forces, LawKind::viscoelastic, -0.2, {.drift = true});
  ASSERT_EQ(found.status, FitStatus::converged);
  const VectorX left = residuals(contact, found);
  ASSERT_EQ(left.size(), n);
  // the fit knows the force to 1e-6 of some 100 N, against 0.3 N of noise
  EXPECT_NEAR(std::sqrt(left.squaredNorm() / static_cast<double>(n)) / found.rmse, 1, 3e-4);
  EXPECT_NEAR(left.mean(), 0, 1e-4);
  EXPECT_EQ(residuals({}, found).size(), 0);
  found.status = FitStatus::no_convergence;
  EXPECT_EQ(residuals(contact, found).size(), 0);
}

TEST(Residuals, HumHasItsFrequency) {
  signals::Normal normal(9);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(500, 0, 0.04);
  for (const double frequency : {50.0, 100.0, 1000.0}) {
    const Eigen::VectorXd hum = times.unaryExpr(
        [&](double t) { return 5 * std::sin(2 * std::numbers::pi * frequency * t + 0.3) + 0.5 * normal(); });
    const ResidualSummary found = summarize_residuals(times, hum);
    EXPECT_NEAR(found.frequency, frequency, 1 / (4 * 0.04) + 1e-9);
    EXPECT_GT(found.frequency_share, 0.9);
    EXPECT_LT(found.runs_p, 1e-6);
  }
  EXPECT_TRUE(std::isnan(summarize_residuals(times.head(5), times.head(5)).frequency));
  EXPECT_EQ(summarize_residuals(times.head(5), times.head(5)).spectrum.size(), 0);
  EXPECT_THROW(summarize_residuals(times, times.head(5)), InputError);
}

}  // namespace
}  // namespace thud
