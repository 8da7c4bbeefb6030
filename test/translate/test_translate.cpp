// Contact laws as parameters of simulators: the models of their contacts against closed forms and against the laws.

#include <thud/error.hpp>
#include <thud/translate.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "impacts.hpp"
#include "translate/contact_model.hpp"

namespace thud {
namespace {

using std::numbers::pi;
using translating::ContactModel;

const Viscoelastic damped{3e5, 2.5e6};
constexpr double exact_enough = 1e-6;  // of an integration across the depth at which MuJoCo's impedance ends to grow

double value(const Translation& translation, const std::string& name, std::size_t i = 0) {
  for (const SimulatorParameter& each : translation.parameters)
    if (each.name == name) return each.values.at(i);
  ADD_FAILURE() << name;
  return NAN;
}

bool has(const Translation& translation, WarningCode code) {
  for (const Warning& each : translation.warnings)
    if (each.code == code) return true;
  return false;
}

bool is_matched(const Translation& translation, const std::string& name) {
  for (const std::string& each : translation.matched)
    if (each == name) return true;
  return false;
}

// Spring and dashpot in parallel that do not pull, f = k x + c v, m = k = 1, v(0) = 1: x = e^-zt sin(wt)/w.
TEST(ContactModel, OfGazeboIsTheDampedOscillator) {
  for (const double zeta : {0.05, 0.2, 0.4}) {
    const double w = std::sqrt(1 - zeta * zeta), angle = std::acos(zeta);
    const HitOutcome found = translating::outcome({Simulator::gazebo, 1, 2 * zeta}, 1, 1);
    // x' = e^-zt (cos wt - zeta sin(wt)/w); f = -x'' is zero where tan wt = 2 zeta w/(2 zeta^2 - 1), after x' = 0
    const double end = (pi - std::atan2(2 * zeta * w, 1 - 2 * zeta * zeta)) / w;
    const double rate = std::exp(-zeta * end) * (std::cos(w * end) - zeta * std::sin(w * end) / w);
    EXPECT_NEAR(found.restitution, -rate, 1e-9) << zeta;
    // f' = 0: the third derivative of x
    const double top = (3 * angle - pi) / w;
    const double peak =
        std::exp(-zeta * top) * ((1 - 2 * zeta * zeta) * std::sin(w * top) / w + 2 * zeta * std::cos(w * top));
    EXPECT_NEAR(found.peak, peak, 1e-6) << zeta;
    EXPECT_LT(found.duration, end);
  }
}

// MuJoCo's impedance, once it grows with the depth, makes of spring and dashpot a cubic spring and a dashpot of depth.
TEST(ContactModel, OfMujocoGrowsWithTheDepth) {
  const ContactModel model{Simulator::mujoco, 4e4, 30, 0.1, 1e-3};
  const auto by_hand = [&](double depth, double rate) {
    const double share = depth < 1e-3 ? 0.1 + 0.9 * depth / 1e-3 : 1;
    return 5 * (30 * share * rate + 4e4 * share * share * depth);
  };
  for (const double depth : {1e-5, 5e-4, 1e-3, 4e-3})
    EXPECT_DOUBLE_EQ(translating::force(model, 5, depth, 0.2), by_hand(depth, 0.2)) << depth;
  EXPECT_NEAR(translating::force(model, 5, 5e-4, 0.2), 5 * (30 * 0.55 * 0.2 + 4e4 * 0.55 * 0.55 * 5e-4), 1e-12);
}

// A step's force is what the velocity after it asks for: implicit in all but MuJoCo.
TEST(ContactModel, StepsAsItsSimulatorSays) {
  const double m = 4, h = 1e-3, x = 2e-4, v = 0.1;
  for (const Simulator each : {Simulator::gazebo, Simulator::bullet}) {
    const double f = translating::stepped_force({each, 2e5, 400}, m, x, v, h), after = v - h * f / m;
    EXPECT_NEAR(f, 2e5 * (x + h * after) + 400 * after, 1e-9);
    const double erp = h * 2e5 / (h * 2e5 + 400), cfm = 1 / (h * 2e5 + 400);
    EXPECT_NEAR((h / m + cfm) * f, erp * x / h + v, 1e-12);
  }
  const double f = translating::stepped_force({Simulator::drake, 2e5, 3}, m, x, v, h), after = v - h * f / m;
  EXPECT_NEAR(f, 2e5 * (x + h * after) * (1 + 3 * after), 1e-7);
  EXPECT_EQ(translating::stepped_force({Simulator::gazebo, 2e5, 400}, m, -1e-6, v, h), 0);
  EXPECT_GT(translating::stepped_force({Simulator::bullet, 2e5, 400}, m, -1e-6, v, h), 0);
  EXPECT_EQ(translating::stepped_force({Simulator::bullet, 2e5, 400}, m, -2e-4, v, h), 0);  // not within this step
}

TEST(ContactModel, SmallStepsTendToTheExactIntegration) {
  for (const ContactModel& model : {ContactModel{Simulator::mujoco, 5e4, 100},
                                    {Simulator::mujoco, 8e4, 120, 1e-4, 3e-4},
                                    {Simulator::drake, 3e5, 8},
                                    {Simulator::gazebo, 2e5, 400},
                                    {Simulator::bullet, 2e5, 400}}) {
    const HitOutcome exact = translating::outcome(model, 4, 0.12);
    double before = 1;
    for (const double step : {1e-4, 1e-5, 1e-6}) {
      const HitOutcome mean = translating::stepped_outcome(model, 4, 0.12, step).mean;
      const double error = std::abs(mean.peak / exact.peak - 1) + std::abs(mean.restitution - exact.restitution) +
                           std::abs(mean.duration / exact.duration - 1);
      EXPECT_LT(error, 0.2 * before) << to_string(model.simulator) << ' ' << step;
      before = error;
    }
  }
}

TEST(Translate, DrakeHasTheViscoelasticLawItself) {
  const Translation found = translate(damped, 4, 0.12, Simulator::drake);
  EXPECT_TRUE(found.exact);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(value(found, "point_contact_stiffness"), 3e5);
  EXPECT_EQ(value(found, "hunt_crossley_dissipation"), 2.5e6 / 3e5);
  EXPECT_EQ(value(translate(HuntCrossley{3e5, 2.5e6, 1}, 9, 2, Simulator::drake), "point_contact_stiffness"), 3e5);
  for (const double mass : {0.5, 20.0})
    for (const double speed : {0.03, 1.0})  // and stays it
      EXPECT_NEAR(simulated_outcome(found, mass, speed).peak / law_outcome(damped, mass, speed).peak, 1, 1e-6);
}

TEST(Translate, ASpringThatGivesAllBackIsEverybodys) {
  for (const Simulator to : all_simulators) {
    const Translation found = translate(Spring{2e5, 1}, 4, 0.12, to);
    EXPECT_TRUE(found.exact) << to_string(to);
    EXPECT_EQ(found.matched.size(), 3);
    EXPECT_NEAR(found.of_simulator.peak, 0.12 * std::sqrt(2e5 * 4), 1e-5);
    EXPECT_NEAR(found.of_simulator.restitution, 1, 1e-8);
  }
  EXPECT_EQ(value(translate(Spring{2e5, 1}, 4, 0.12, Simulator::mujoco), "solref"), -5e4);
  EXPECT_EQ(value(translate(Spring{2e5, 1}, 4, 0.12, Simulator::gazebo), "kp"), 2e5);
}

// Whatever the law: peak and restitution are its own, where they can be.
TEST(Translate, PeakAndRestitutionAreTheLaws) {
  for (const support::Impact& impact : support::impacts)
    for (const Simulator to : all_simulators) {
      const Translation found = translate(impact.law, impact.mass, -impact.velocity, to);
      SCOPED_TRACE(std::string(impact.name) + " " + std::string(to_string(to)));
      EXPECT_NEAR(found.of_simulator.peak / found.of_law.peak, 1, 1e-7);
      EXPECT_TRUE(is_matched(found, "peak"));
      const double e = found.of_law.restitution;
      if (found.exact || (e >= 0.01 && e <= 1)) {
        EXPECT_NEAR(found.of_simulator.restitution, e, exact_enough);
        EXPECT_TRUE(is_matched(found, "restitution"));
      } else {
        EXPECT_NEAR(found.of_simulator.restitution, e > 1 ? 1 : 0.01, exact_enough);
        EXPECT_FALSE(is_matched(found, "restitution"));
      }
      EXPECT_EQ(found.exact, !has(found, WarningCode::nearest_contact));
      EXPECT_EQ(has(found, WarningCode::energy_created), e > 1);
    }
}

TEST(Translate, GrowingImpedanceHasTheDurationToo) {
  for (const double d : {0.3, 1.0, 3.0, 10.0}) {
    const Viscoelastic law{3e5, d * 3e5 / 0.12};
    const Translation growing = translate(law, 4, 0.12, Simulator::mujoco);
    EXPECT_TRUE(is_matched(growing, "duration")) << d;
    EXPECT_NEAR(growing.of_simulator.duration / growing.of_law.duration, 1, 1e-6);
    const Translation constant = translate(law, 4, 0.12, Simulator::mujoco, {.constant_impedance = true});
    EXPECT_FALSE(is_matched(constant, "duration"));
    EXPECT_EQ(value(constant, "solimp", 0), value(constant, "solimp", 1));
    EXPECT_LT(value(growing, "solimp", 0), 0.001);
    // per mass, a spring and dashpot as Gazebo has them
    const Translation gazebo = translate(law, 4, 0.12, Simulator::gazebo);
    EXPECT_NEAR(-4 * value(constant, "solref", 0) / value(gazebo, "kp"), 1, 1e-9);
    EXPECT_NEAR(-4 * value(constant, "solref", 1) / value(gazebo, "kd"), 1, 1e-9);
  }
}

// Maxwell's force ends sooner than that of any spring and dashpot side by side: the nearest, and it is said.
TEST(Translate, ADurationOutOfReachIsApproached) {
  const Translation found = translate(Maxwell{3e5, 1500}, 4, 0.12, Simulator::mujoco);
  EXPECT_FALSE(is_matched(found, "duration"));
  EXPECT_GT(found.of_simulator.duration, 1.05 * found.of_law.duration);
  ASSERT_EQ(found.warnings.size(), 1);
  EXPECT_NE(found.warnings[0].text.find("; off by: duration +"), std::string::npos) << found.warnings[0].text;
}

TEST(Translate, AtAStepPeakAndRestitutionAreTheLawsOnAverage) {
  for (const Simulator to : all_simulators) {
    const Translation found = translate(damped, 4, 0.12, to, {.step = 5e-4});
    EXPECT_NEAR(found.of_simulator.peak / found.of_law.peak, 1, 1e-4) << to_string(to);
    EXPECT_NEAR(found.of_simulator.restitution / found.of_law.restitution, 1, 1e-4) << to_string(to);
    EXPECT_LE(found.lowest.peak, found.of_simulator.peak);
    EXPECT_GE(found.highest.peak, found.of_simulator.peak);
    EXPECT_FALSE(has(found, WarningCode::coarse_step));
    const Translation limit = translate(damped, 4, 0.12, to, {.constant_impedance = true});
    const HitOutcome naive =
        translating::stepped_outcome(
            ContactModel{to, value(limit, limit.parameters[0].name) * (to == Simulator::mujoco ? -1 : 1),
                         to == Simulator::mujoco ? -value(limit, "solref", 1) : limit.parameters[1].values[0]},
            4, 0.12, 5e-4)
            .mean;
    // their implicit steps damp; MuJoCo's explicit one does not
    EXPECT_EQ(naive.restitution < 0.95 * limit.of_law.restitution, to != Simulator::mujoco) << to_string(to);
  }
  const Translation gazebo = translate(damped, 4, 0.12, Simulator::gazebo, {.step = 1e-3});
  const double kp = value(gazebo, "kp"), kd = value(gazebo, "kd");
  EXPECT_DOUBLE_EQ(value(gazebo, "soft_erp"), 1e-3 * kp / (1e-3 * kp + kd));
  EXPECT_DOUBLE_EQ(value(gazebo, "soft_cfm"), 1 / (1e-3 * kp + kd));
}

TEST(Translate, ACoarseStepIsSaid) {
  EXPECT_TRUE(has(translate(damped, 4, 0.12, Simulator::mujoco, {.step = 2e-3}), WarningCode::coarse_step));
  // nearly elastic, and the implicit step damps more
  const Translation hard = translate(Spring{3e5, 0.99}, 4, 0.12, Simulator::gazebo, {.step = 1e-3});
  EXPECT_TRUE(has(hard, WarningCode::coarse_step));
  EXPECT_EQ(value(hard, "kd"), 0);
  EXPECT_LT(hard.of_simulator.restitution, 0.9);
  EXPECT_TRUE(is_matched(hard, "peak"));
}

TEST(Translate, SaysAllThatIsOff) {
  const Translation found = translate(Spring{1e5, 0}, 4, 0.1, Simulator::bullet);
  ASSERT_EQ(found.warnings.size(), 1);
  const std::string& text = found.warnings[0].text;
  EXPECT_NE(text.find("off by: duration +"), std::string::npos) << text;
  EXPECT_NE(text.find(" %, restitution 0.01 instead of 0"), std::string::npos) << text;
}

TEST(Translate, RefusesWhatIsNoHit) {
  const auto refused = [](auto call) {
    try {
      call();
    } catch (const InputError& error) {
      return error.argument();
    }
    return std::string("not refused");
  };
  EXPECT_EQ(refused([] { translate(damped, 4, 0, Simulator::drake); }), "speed");
  EXPECT_EQ(refused([] { translate(damped, 0, 1, Simulator::drake); }), "mass");
  EXPECT_EQ(refused([] { translate(Viscoelastic{0, 1}, 4, 1, Simulator::drake); }), "stiffness");
  EXPECT_EQ(refused([] { translate(damped, 4, 1, Simulator::drake, {.step = 0.0}); }), "step");
  EXPECT_EQ(refused([] { translate(damped, 4, 0.12, Simulator::drake, {.step = 1e-9}); }), "step");
  EXPECT_EQ(refused([] { simulated_outcome(Translation{}, 4, 0.12); }), "translation");
  EXPECT_FALSE(simulator_from_name("unity"));
  for (const Simulator each : all_simulators) EXPECT_EQ(simulator_from_name(to_string(each)), each);
  EXPECT_EQ(simulator_names(), "mujoco, drake, gazebo or bullet");
}

}  // namespace
}  // namespace thud
