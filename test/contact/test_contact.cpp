#include <thud/contact.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "impacts.hpp"

namespace {

using namespace thud;
using support::agree;
using Wide = boost::multiprecision::cpp_bin_float_100;

constexpr double digits = 4e-15;  // the closed form, evaluated in double: some 20 roundings
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

double exact(double d) {
  return restitution(Viscoelastic{.stiffness = 1, .damping = d}, 1, -1);
}

// Restitution from its definition: the other root of h(eta) = h(ln(1 + d)), in 100 digits, by bisection.
double restitution_wide(double d) {
  const Wide start = Wide(d) - log(1 + Wide(d));
  Wide low = -start - 2, high = 0;
  for (int i = 0; i < 400; ++i) {
    const Wide eta = (low + high) / 2;
    (exp(eta) - 1 - eta > start ? low : high) = eta;
  }
  return static_cast<double>((1 - exp(low)) / Wide(d));
}

TEST(Restitution, TableOfSection5) {
  const double table[][2] = {{0.1, 0.937476}, {1, 0.593624}, {3, 0.306897}, {5, 0.196980}, {10, 0.099982}};
  for (const auto& [d, e] : table) {
    const Viscoelastic law{.stiffness = 3e5, .damping = d * 3e5 / 0.12};
    EXPECT_NEAR(restitution(law, 4, -0.12), e, 5e-7) << "d = " << d;
    EXPECT_TRUE(agree(restitution_asymptotic(law, -0.12), 1 / d, digits));
  }
}

TEST(Restitution, FullPrecisionOverEighteenDecades) {
  for (double d = 1e-9; d < 2e9; d *= 1.7) EXPECT_TRUE(agree(exact(d), restitution_wide(d), digits)) << "d = " << d;
}

TEST(Restitution, LambertsFunctionWhereItIsWellConditioned) {
  for (double d = 1; d < 700; d *= 1.1) {
    const double w = boost::math::lambert_w0(-(1 + d) * std::exp(-(1 + d)));
    EXPECT_TRUE(agree(exact(d), (1 + w) / d, 1e-14)) << "d = " << d;
  }
}

TEST(Restitution, Limits) {
  EXPECT_EQ(exact(0), 1);
  for (double d : {1e-12, 1e-9, 1e-6, 1e-4}) EXPECT_NEAR(exact(d), 1 - 2 * d / 3, d * d + digits) << "d = " << d;
  for (double d : {40.0, 1e3, 1e6, 1e9}) EXPECT_TRUE(agree(exact(d), 1 / d, digits));
  EXPECT_EQ(restitution_asymptotic(Viscoelastic{1, 0}, -1), inf);
}

TEST(Restitution, FallsWithDampingAndIsTheSameForEveryExponent) {
  double last = 1;
  for (double d = 1e-6; d < 1e6; d *= 1.3) {
    EXPECT_LT(exact(d), last);
    last = exact(d);
    for (double n : {0.5, 1.0, 1.5, 3.0}) EXPECT_EQ(restitution(HuntCrossley{2, 2 * d, n}, 7, -1), exact(d));
  }
}

TEST(Restitution, MaxwellDoesNotDependOnVelocity) {
  const Maxwell law{.stiffness = 3e5, .damping = 2e3};
  const double zeta = std::sqrt(3e5 * 4) / 4e3;
  EXPECT_TRUE(agree(restitution(law, 4, -0.1), std::exp(-M_PI * zeta / std::sqrt(1 - zeta * zeta)), digits));
  for (double v : {-1e-6, -0.01, -5.0}) EXPECT_EQ(restitution(law, 4, v), restitution(law, 4, -0.1));
  EXPECT_EQ(restitution(Maxwell{3e5, 500}, 4, -0.1), 0) << "zeta >= 1: no rebound";
}

TEST(Force, EquationsAtAPoint) {
  EXPECT_DOUBLE_EQ(force(Viscoelastic{3e5, 2.5e6}, -1e-4, -0.1), 2.5e6 * 1e-4 * 0.1 + 3e5 * 1e-4);
  EXPECT_DOUBLE_EQ(force(Viscoelastic{3e5, 2.5e6}, -1e-4, 0.1), -2.5e6 * 1e-4 * 0.1 + 3e5 * 1e-4);
  EXPECT_DOUBLE_EQ(force(HuntCrossley{1e8, 1e9, 1.5}, -4e-4, -0.1), 8e-6 * (1e8 + 1e8));
  EXPECT_DOUBLE_EQ(force(Spring{100, 0.5}, -0.1, -1), 10);
  EXPECT_DOUBLE_EQ(force(Spring{100, 0.5}, -0.025, 1), 10) << "continuous from x to e^2 x";
  EXPECT_DOUBLE_EQ(force_rate(Maxwell{100, 50}, 10, -1), 100 - 20);
}

TEST(Force, NeverPulls) {
  EXPECT_EQ(force(Viscoelastic{1, 1}, -1, 2), 0);
  EXPECT_EQ(force(HuntCrossley{1, 1, 1.5}, -1, 2), 0);
  EXPECT_EQ(force(Viscoelastic{1, 1}, 1e-3, -1), 0);
  EXPECT_EQ(force(HuntCrossley{1, 1, 1.5}, 1e-3, -1), 0);
  EXPECT_EQ(force(Spring{1, 0.5}, 1e-3, -1), 0);
  EXPECT_EQ(force(Spring{1, 0}, -1e-3, 1), 0);
}

TEST(Force, ExponentOneIsViscoelastic) {
  std::mt19937_64 generator(support::seed());
  for (int i = 0; i < 1000; ++i) {
    const double k = support::log_uniform(generator, 1e2, 1e8), c = support::log_uniform(generator, 1e2, 1e9);
    const double x = -support::log_uniform(generator, 1e-6, 1e-2),
                 v = std::uniform_real_distribution(-1.0, 1.0)(generator);
    EXPECT_DOUBLE_EQ(force(HuntCrossley{k, c, 1}, x, v), force(Viscoelastic{k, c}, x, v));
  }
}

TEST(ContactLaw, Names) {
  EXPECT_EQ(to_string(LawKind::spring), "spring");
  EXPECT_EQ(to_string(kind_of(Maxwell{})), "maxwell");
  EXPECT_EQ(to_string(kind_of(Viscoelastic{})), "viscoelastic");
  EXPECT_EQ(to_string(LawKind::hunt_crossley), "hunt_crossley");
  for (const LawKind kind : all_laws) EXPECT_EQ(kind_of(law_from_name(to_string(kind)).value()), kind);
  for (const char* unknown : {"", "Spring", "springs", "hunt-crossley"})
    EXPECT_FALSE(law_from_name(unknown)) << unknown;
  const std::string names = law_names();
  EXPECT_TRUE(names.starts_with("spring, maxwell, ")) << names;
  EXPECT_TRUE(names.ends_with(std::string(" or ").append(to_string(all_laws.back())))) << names;
}

TEST(ContactLaw, EveryLawHasAnImpactAndATableOfItsParameters) {
  for (const LawKind kind : all_laws) {
    EXPECT_TRUE(std::any_of(std::begin(support::impacts), std::end(support::impacts),
                            [&](const support::Impact& impact) { return kind_of(impact.law) == kind; }))
        << to_string(kind) << ": no line in impacts.hpp";
    EXPECT_TRUE(std::any_of(std::begin(support::recorded), std::end(support::recorded),
                            [&](const ContactLaw& law) { return kind_of(law) == kind; }))
        << to_string(kind) << ": no record in impacts.hpp";
    ContactLaw law = typical_law(kind);
    EXPECT_NO_THROW(validate(law));
    for (const auto& [name, value] : law_parameters(law)) {
      EXPECT_FALSE(parameter_unit(kind, name).empty()) << name;
      const double typical = std::exchange(*value, -1);
      EXPECT_THROW(validate(law), InputError) << to_string(kind) << ", " << name;
      *value = typical;
    }
    EXPECT_EQ(parameter_unit(kind, "mass"), "");
  }
  EXPECT_EQ(parameter_names(), (std::vector<std::string_view>{"stiffness", "damping", "exponent", "restitution"}));
}

TEST(ContactLaw, ParametersAreTheFieldsInTheirOrder) {
  using Parameters = std::vector<std::pair<std::string_view, double>>;
  EXPECT_EQ(law_parameters(ContactLaw(Spring{1, 2})), (Parameters{{"stiffness", 1}, {"restitution", 2}}));
  EXPECT_EQ(law_parameters(ContactLaw(Maxwell{1, 2})), (Parameters{{"stiffness", 1}, {"damping", 2}}));
  EXPECT_EQ(law_parameters(ContactLaw(Viscoelastic{1, 2})), (Parameters{{"stiffness", 1}, {"damping", 2}}));
  EXPECT_EQ(law_parameters(ContactLaw(HuntCrossley{1, 2, 3})),
            (Parameters{{"stiffness", 1}, {"damping", 2}, {"exponent", 3}}));

  ContactLaw law = HuntCrossley{1, 2, 3};
  for (const auto& [name, value] : law_parameters(law)) *value *= 10;
  EXPECT_EQ(std::get<HuntCrossley>(law).exponent, 30);
  EXPECT_EQ(std::get<HuntCrossley>(law).stiffness, 10);
}

void expect_refused(const ContactLaw& law, const std::string& message) {
  try {
    validate(law);
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, message.size()), message);
  }
}

TEST(ContactLaw, Refusals) {
  for (double bad : {0.0, -1.0, nan, inf, -inf}) {
    const std::string text = to_text(bad);
    for (const ContactLaw& law : {ContactLaw(Spring{bad, 0.5}), ContactLaw(Maxwell{bad, 1}),
                                  ContactLaw(Viscoelastic{bad, 1}), ContactLaw(HuntCrossley{bad, 1, 1})})
      expect_refused(law, "stiffness: " + text + ": must be");
    expect_refused(Maxwell{1, bad}, "damping: " + text + ": must be");
    expect_refused(HuntCrossley{1, 1, bad}, "exponent: " + text + ": must be");
    EXPECT_THROW(restitution(Viscoelastic{1, 1}, bad, -1), InputError);
  }
  for (double bad : {-1.0, nan, inf}) {
    expect_refused(Spring{1, bad}, "restitution: " + to_text(bad) + ": must be");
    expect_refused(Viscoelastic{1, bad}, "damping: " + to_text(bad) + ": must be");
    expect_refused(HuntCrossley{1, bad, 1}, "damping: " + to_text(bad) + ": must be");
  }
  for (double bad : {0.0, 0.1, nan, -inf}) {
    EXPECT_THROW(restitution(Viscoelastic{1, 1}, 1, bad), InputError);
    EXPECT_THROW(restitution_asymptotic(Viscoelastic{1, 1}, bad), InputError);
  }
  EXPECT_NO_THROW(validate(Spring{1, 1.2})) << "an e above 1 is a finding, not a mistake";
}

}  // namespace
