#include <thud/error.hpp>
#include <thud/identify.hpp>

#include <cmath>
#include <map>
#include <string>

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

TEST(Identify, IntervalsAreCalibratedInTheWindowThatIsFound) {
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
