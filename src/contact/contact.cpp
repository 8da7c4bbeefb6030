#include <thud/contact.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "contact/phase.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
using namespace contact;
using namespace foundation;
namespace {

// The rate s = w0/d cos(theta)/eta'(w) at the end of the half turn, where w = -w0; and w0/d = eta'(w0).
double restitution_of(double d) {
  const double w0 = phase::start(d);
  return phase::clock(w0).rate / phase::clock(-w0).rate;
}

}  // namespace

void refuse(const char* argument, double value, const char* rule) {
  throw InputError(argument, value, rule);
}

void Spring::validate() const {
  require_valid(*this);
}

void Maxwell::validate() const {
  require_valid(*this);
}

void Viscoelastic::validate() const {
  require_valid(*this);
}

void HuntCrossley::validate() const {
  require_valid(*this);
}

std::string_view law_name(LawKind kind) noexcept {
  constexpr std::string_view names[] = {"spring", "maxwell", "viscoelastic", "hunt_crossley"};
  return names[static_cast<int>(kind)];
}

std::string_view law_name(const ContactLaw& law) noexcept {
  return law_name(static_cast<LawKind>(law.index()));
}

std::optional<ContactLaw> law_named(std::string_view name) noexcept {
  for (const ContactLaw& law :
       {ContactLaw(Spring{}), ContactLaw(Maxwell{}), ContactLaw(Viscoelastic{}), ContactLaw(HuntCrossley{})})
    if (law_name(law) == name) return law;
  return std::nullopt;
}

std::vector<std::pair<std::string_view, double*>> law_parameters(ContactLaw& law) {
  std::vector<std::pair<std::string_view, double*>> parameters;
  std::visit(
      [&](auto& each) {
        parameters.emplace_back("stiffness", &each.stiffness);
        if constexpr (requires { each.damping; }) parameters.emplace_back("damping", &each.damping);
        if constexpr (requires { each.exponent; }) parameters.emplace_back("exponent", &each.exponent);
        if constexpr (requires { each.restitution; }) parameters.emplace_back("restitution", &each.restitution);
      },
      law);
  return parameters;
}

std::vector<std::pair<std::string_view, double>> law_parameters(const ContactLaw& law) {
  ContactLaw copy = law;
  std::vector<std::pair<std::string_view, double>> parameters;
  for (const auto& [name, value] : law_parameters(copy)) parameters.emplace_back(name, *value);
  return parameters;
}

void validate(const ContactLaw& law) {
  std::visit([](const auto& l) { require_valid(l); }, law);
}

double force(const Spring& law, double x, double v) noexcept {
  const double k = law.stiffness, e = law.restitution;
  if (x >= 0 || (v > 0 && e == 0)) return 0;
  return -x * (v > 0 ? k / (e * e) : k);
}

double force(const Viscoelastic& law, double x, double v) noexcept {
  return x < 0 ? -x * std::max(law.stiffness - law.damping * v, 0.0) : 0;
}

double force(const HuntCrossley& law, double x, double v) noexcept {
  return x < 0 ? std::pow(-x, law.exponent) * std::max(law.stiffness - law.damping * v, 0.0) : 0;
}

double force_rate(const Maxwell& law, double f, double v) noexcept {
  return -law.stiffness * (v + f / law.damping);
}

double restitution(const ContactLaw& law, double mass, double velocity) {
  validate(law);
  require_positive("mass", mass);
  require_approach(velocity);
  return std::visit(
      [&](const auto& l) {
        using Law = std::decay_t<decltype(l)>;
        if constexpr (std::is_same_v<Law, Spring>) {
          return l.restitution;
        } else if constexpr (std::is_same_v<Law, Maxwell>) {
          const double zeta = std::sqrt(l.stiffness) * std::sqrt(mass) / (2 * l.damping);
          return zeta < 1 ? std::exp(-std::numbers::pi * zeta / std::sqrt((1 - zeta) * (1 + zeta))) : 0.0;
        } else {
          return restitution_of(l.damping * -velocity / l.stiffness);
        }
      },
      law);
}

double restitution_asymptotic(const Viscoelastic& law, double velocity) {
  law.validate();
  require_approach(velocity);
  return law.stiffness / (law.damping * -velocity);
}

}  // namespace thud
