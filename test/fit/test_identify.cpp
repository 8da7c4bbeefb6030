#include <thud/error.hpp>
#include <thud/identify.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "signals.hpp"

namespace thud {
namespace {

const FitParameter& parameter(const FitResult& law, std::string_view name) {
  for (const auto& each : law.parameters)
    if (each.name == name) return each;
  throw std::out_of_range(std::string(name));
}

const FitResult& law_of(const Identification& found, LawKind kind) {
  return found.laws.at(static_cast<std::size_t>(kind));
}

TEST(Identify, TrueLawAndItsParametersFromRawRecords) {
  // offsets, a sensor of the other sign, quiet samples before and after: the truth lies within three half-widths
  struct Case {
    LawKind kind;
    signals::Impact impact;
    std::map<std::string, double> truth;
  };
  const Case cases[] = {
      {LawKind::spring, signals::spring(4, 0.12, 3e5, 0.6), {{"stiffness", 3e5}, {"restitution", 0.6}, {"mass", 4}}},
      {LawKind::maxwell, signals::maxwell(4, 0.12, 3e5, 1200), {{"stiffness", 3e5}, {"damping", 1200}, {"mass", 4}}},
      {LawKind::viscoelastic,
       signals::hunt_crossley("viscoelastic", 4, 0.12, 3e5, 7.5e6, 1),
       {{"stiffness", 3e5}, {"damping", 7.5e6}, {"mass", 4}}},
      {LawKind::hunt_crossley,
       signals::hunt_crossley("hertz", 4, 0.12, 1e7, 5e7, 1.5),
       {{"exponent", 1.5}, {"mass", 4}}},
  };
  for (const auto& [kind, impact, truth] : cases) {
    for (const double sign : {1.0, -1.0}) {
      for (const double rate : {5e3, 25e3, 50e3}) {
        const Record record =
            signals::make_record(impact, {.rate = rate, .noise = 0.01, .offset = 20, .sign = sign, .seed = 7});
        const Identification found = identify(record, -0.12);
        ASSERT_TRUE(found.best) << impact.name;
        EXPECT_EQ(*found.best, kind) << impact.name << " at " << rate;
        EXPECT_EQ(found.window.sign, sign);
        for (const auto& [name, value] : truth) {
          const FitParameter& fitted = parameter(law_of(found, kind), name);
          EXPECT_NEAR(fitted.value, value, 3 * (fitted.high - fitted.low) / 2) << impact.name << " " << name;
        }
        EXPECT_NEAR(law_of(found, kind).start, 4e-3, 1e-4) << impact.name;
      }
    }
  }
}

TEST(Identify, IntervalsAreCalibratedInTheWindowThatIsFound) {  // make test-long
  // The window ends where the force meets the noise, so the noise of a record chooses its own data.
  constexpr int seeds = 2000;
  for (const double d : {1.0, 5.0}) {
    const auto impact = signals::hunt_crossley("viscoelastic", 4, 0.12, 3e5, d * 3e5 / 0.12, 1);
    const std::map<std::string, double> truth{{"stiffness", 3e5}, {"damping", d * 3e5 / 0.12}, {"mass", 4}};
    for (const double noise : {0.01, 0.05}) {
      std::map<std::string, int> covered;
      int fits = 0;
      for (int i = 0; i < seeds; ++i) {
        const auto seed = static_cast<std::uint64_t>(10000 + i);
        const Record record = signals::make_record(impact, {.noise = noise, .offset = 2, .seed = seed});
        const Identification found = identify(record, -0.12, {}, LawKind::viscoelastic);
        ASSERT_EQ(found.laws.size(), 1U) << i;
        if (!found.laws[0].ok()) continue;
        ++fits;
        for (const auto& [name, value] : truth) {
          const FitParameter& fitted = parameter(found.laws[0], name);
          covered[name] += fitted.low <= value && value <= fitted.high;
        }
      }
      EXPECT_GT(fits, 0.98 * seeds);
      for (const auto& [name, count] : covered) {
        const double percent = 100.0 * count / fits;
        EXPECT_GE(percent, 93) << "d " << d << ", noise " << noise << ", " << name;
        EXPECT_LE(percent, 97) << "d " << d << ", noise " << noise << ", " << name;
      }
    }
  }
}

TEST(Identify, AnExactRecordIsRankedByParsimony) {
  for (const double d : {0.5, 1.0, 3.0, 5.0, 10.0}) {
    const auto impact = signals::hunt_crossley("viscoelastic", 4, 0.12, 3e5, d * 3e5 / 0.12, 1);
    for (const double before : {0.0, 4e-3})
      EXPECT_EQ(identify(signals::make_record(impact, {.before = before}), -0.12).best, LawKind::viscoelastic)
          << "d " << d << ", quiet for " << before << " s";
  }
}

TEST(Identify, SpringNeedsMoreThanItMay) {
  const Record record = signals::make_record(signals::impacts()[3], {.noise = 0.01});
  const Identification found = identify(record, -0.12);
  EXPECT_GT(law_of(found, LawKind::spring).restitution, 1);
  bool told = false;
  for (const auto& [code, subject, text] : found.warnings)
    told |=
        code == WarningCode::energy_created && subject == "spring" && text.starts_with("spring needs a restitution");
  EXPECT_TRUE(told);
}

TEST(Identify, OneLawAndAKnownMass) {
  const Record record = signals::make_record(signals::impacts()[2], {.noise = 0.01});
  const Identification found = identify(record, -0.12, {.mass = 4}, LawKind::viscoelastic);
  ASSERT_EQ(found.laws.size(), 1U);
  EXPECT_EQ(found.best, LawKind::viscoelastic);
  EXPECT_EQ(parameter(found.laws[0], "mass").low, 4);
  EXPECT_EQ(parameter(found.laws[0], "mass").high, 4);
}

TEST(Identify, AWindowThatIsKnownIsNotSearchedAgain) {
  const Record record = signals::make_record(signals::impacts()[2], {.noise = 0.01});
  ContactWindow window = find_contact(record);
  const Identification found = identify(record, -0.12), again = identify(record, window, -0.12);
  EXPECT_EQ(again.best, found.best);
  EXPECT_EQ(again.warnings, found.warnings);
  EXPECT_EQ(again.laws.back().bic, found.laws.back().bic);
  window.last -= 20;
  EXPECT_EQ(identify(record, window, -0.12).contact.time.back(),
            contact_samples(record, window, 0, (window.last - window.first + 1) / 2).time.back());
  window.last = record.time.size();
  EXPECT_THROW(identify(record, window, -0.12), InputError);
}

TEST(Identify, ARecordThatBeginsAtTheTouchGivesItsParametersToo) {
  // also where the force is not over when the record ends, and the sensor has an offset that nothing shows at rest
  for (const double after : {0.0, 3e-3}) {
    for (const double offset : {0.0, 5.0}) {
      const auto impact = signals::hunt_crossley("viscoelastic", 4, 0.12, 3e5, 7.5e6, 1);
      const Record record = signals::make_record(impact, {.before = 0, .after = after, .offset = offset});
      const Identification found = identify(record, -0.12, {}, LawKind::viscoelastic);
      ASSERT_EQ(found.window.quiet, 0U);
      ASSERT_TRUE(found.best);
      EXPECT_NEAR(found.laws[0].mass, 4, 0.01);
      EXPECT_NEAR(parameter(found.laws[0], "stiffness").value, 3e5, 3e3);
      EXPECT_NEAR(parameter(found.laws[0], "damping").value, 7.5e6, 5e4);
    }
  }
}

bool told(const Identification& found, std::string_view words) {
  return std::any_of(found.warnings.begin(), found.warnings.end(),
                     [&](const Warning& warning) { return warning.text.find(words) != std::string::npos; });
}

TEST(Identify, MissingSamplesLeaveTheParametersWhereTheyAre) {
  // a third of the samples lost at random, and a hole of 1.5 ms on the way down
  const auto impact = signals::hunt_crossley("viscoelastic", 4, 0.12, 3e5, 2.5e6, 1);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Record whole = signals::make_record(impact, {.noise = 0.01, .offset = 5, .seed = seed});
    signals::Normal random(seed + 50);
    Record record;
    for (std::size_t i = 0; i < whole.time.size(); ++i) {
      if (random.uniform() < 0.33 || (whole.time[i] > 9e-3 && whole.time[i] < 10.5e-3)) continue;
      record.time.push_back(whole.time[i]);
      record.force.push_back(whole.force[i]);
    }
    const Identification found = identify(record, -0.12);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(*found.best, LawKind::viscoelastic);
    EXPECT_TRUE(told(found, "samples are missing in the contact, from t = 0.00"));
    for (const auto& [name, value] :
         {std::pair("stiffness", 3e5), std::pair("damping", 2.5e6), std::pair("mass", 4.0)}) {
      const FitParameter& fitted = parameter(law_of(found, LawKind::viscoelastic), name);
      EXPECT_NEAR(fitted.value, value, 3 * (fitted.high - fitted.low) / 2) << name << ", seed " << seed;
      EXPECT_LT(fitted.high - fitted.low, 0.2 * value) << name;
    }
  }
}

TEST(Identify, EveryContactOfARecordGivesItsOwnMass) {
  // 4 kg, and 6 ms after its end 6 kg: closer than the quiet samples that a fit would like after a contact
  const auto first = signals::hunt_crossley("light", 4, 0.12, 3e5, 2.5e6, 1);
  const auto second = signals::hunt_crossley("heavy", 6, 0.12, 3e5, 2.5e6, 1);
  const double touch = 4e-3 + first.duration + 4e-3;
  Record record = signals::make_record(first, {.after = 30e-3, .noise = 0.005});
  for (std::size_t i = 0; i < record.time.size(); ++i) record.force[i] += second.force(record.time[i] - touch);
  const LawKind kind = LawKind::viscoelastic;
  EXPECT_NEAR(identify(record, -0.12, {}, kind).laws.at(0).mass, 4, 0.1);
  const auto heavy = identify(record, -0.12, {}, kind, {.contact = 2});
  EXPECT_NEAR(heavy.laws.at(0).mass, 6, 0.15);
  EXPECT_NEAR(heavy.laws.at(0).start, touch, 1e-4);
  EXPECT_NEAR(identify(record, -0.12, {}, kind, {.from = touch - 3e-3}).laws.at(0).mass, 6, 0.15);
  EXPECT_THROW(identify(record, -0.12, {}, kind, {.contact = 3}), InputError);
}

/// Samples of a force at a rate, with noise of 0.5 N.
template <class Force>
Record sampled(double rate, int samples, const Force& force) {
  signals::Normal normal(5);
  Record record;
  for (int i = 0; i < samples; ++i) {
    record.time.push_back(i / rate);
    record.force.push_back(force(i / rate) + 0.5 * normal());
  }
  return record;
}

TEST(Identify, TooFewSamplesInContactAreNotCalledNoContact) {
  // a half sine of 12 ms and 100 N at 200 Hz: the force does rise above the baseline
  const auto found = identify(
      sampled(200, 100,
              [](double t) { return t > 0.101 && t < 0.113 ? 100 * std::sin(M_PI * (t - 0.101) / 0.012) : 0; }),
      -0.1);
  ASSERT_FALSE(found.laws.empty());
  for (const auto& law : found.laws) EXPECT_EQ(law.status, FitStatus::too_few_samples) << law.message;
  EXPECT_TRUE(told(found, "no law converged: fewer than 4 samples in the contact: the rate is too low for it"));
}

TEST(Identify, ALawIsNotBlamedForWhatTheRecordDoesNotTell) {
  // a half sine has restitution 1 and no damping: the fits come out on either side
  const auto half_sine = [](double t) {
    return t > 0.101 && t < 0.161 ? 100 * std::sin(M_PI * (t - 0.101) / 0.06) : 0;
  };
  int above = 0;
  for (const double rate : {200.0, 500.0, 1000.0, 2000.0, 5000.0}) {
    const auto found = identify(sampled(rate, static_cast<int>(0.3 * rate), half_sine), -0.1);
    const auto& spring = law_of(found, LawKind::spring);
    above += spring.restitution > 1;
    EXPECT_EQ(told(found, "which this law cannot explain"), parameter(spring, "restitution").low > 1) << rate;
    EXPECT_FALSE(told(found, "needs a negative damping")) << rate;
  }
  EXPECT_GT(above, 0);
}

TEST(Identify, AForceThatNoLawDescribesIsSaidToBeOne) {
  const auto square = sampled(1000, 200, [](double t) { return t > 0.05 && t < 0.07 ? 100.0 : 0.0; });
  EXPECT_TRUE(told(identify(square, -0.1, {}, LawKind::viscoelastic),
                   "viscoelastic, the best law, leaves 1"));  // 15 %
  EXPECT_FALSE(told(identify(signals::make_record(signals::impacts()[2], {.noise = 0.05}), -0.12), "unexplained"));
}

TEST(Identify, NothingToFindIsSaid) {
  signals::Normal normal(3);
  Record flat;
  for (int i = 0; i < 300; ++i) {
    flat.time.push_back(i / 25e3);
    flat.force.push_back(normal());
  }
  const Identification found = identify(flat, -0.12);
  EXPECT_TRUE(found.laws.empty());
  EXPECT_FALSE(found.best);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings.back().code, WarningCode::no_contact);
  EXPECT_TRUE(found.warnings.back().text.starts_with("no contact to fit"));
}

TEST(Identify, Refuses) {
  const Record record = signals::make_record(signals::impacts()[2], {});
  EXPECT_THROW(identify(record, NAN), InputError);
  EXPECT_THROW(identify(record, 0.12), InputError);  // away from the environment
  EXPECT_THROW(identify({}, -0.12), InputError);     // no samples
}

}  // namespace
}  // namespace thud
