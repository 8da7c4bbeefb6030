#include <thud/contact.hpp>

#include <algorithm>
#include <cmath>

#include "contact/laws.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
using namespace contact;
namespace {

// An example of each law, in the order of LawKind.
constexpr auto examples = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array{ContactLaw(std::in_place_index<i>)...};
}
(std::make_index_sequence<all_laws.size()>());

const ContactLaw& example(LawKind kind) {
  return examples[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view to_string(ParameterRange range) noexcept {
  return range == ParameterRange::positive ? "must be finite and greater than 0" : "must be finite and at least 0";
}

std::string_view to_string(LawKind kind) noexcept {
  constexpr auto names = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{std::variant_alternative_t<i, ContactLaw>::name...};
  }
  (std::make_index_sequence<all_laws.size()>());
  return names[static_cast<std::size_t>(kind)];
}

std::optional<ContactLaw> law_from_name(std::string_view name) noexcept {
  for (const LawKind kind : all_laws)
    if (to_string(kind) == name) return example(kind);
  return std::nullopt;
}

std::string law_names() {
  std::string text;
  for (const LawKind kind : all_laws) {
    if (kind != all_laws.front()) text += kind == all_laws.back() ? " or " : ", ";
    text += to_string(kind);
  }
  return text;
}

ContactLaw typical_law(LawKind kind) {
  ContactLaw typical = example(kind);
  std::visit(
      [](auto& law) {
        for (const auto& parameter : law.parameters) law.*parameter.field = parameter.typical;
      },
      typical);
  return typical;
}

std::vector<std::pair<std::string_view, double*>> law_parameters(ContactLaw& law) {
  std::vector<std::pair<std::string_view, double*>> parameters;
  std::visit(
      [&](auto& each) {
        for (const auto& parameter : each.parameters) parameters.emplace_back(parameter.name, &(each.*parameter.field));
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

std::string_view parameter_unit(LawKind kind, std::string_view name) {
  return std::visit(
      [&](const auto& law) {
        for (const auto& parameter : law.parameters)
          if (parameter.name == name) return parameter.unit;
        return std::string_view();
      },
      example(kind));
}

const std::vector<std::string_view>& parameter_names() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    for (auto law = examples.rbegin(); law != examples.rend(); ++law)
      for (const auto& [name, value] : law_parameters(*law))
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
  }();
  return all;
}

void validate(const ContactLaw& law) {
  std::visit([](const auto& concrete) { laws::require_valid(concrete); }, law);
}

double restitution(const ContactLaw& law, double mass, double velocity) {
  validate(law);
  foundation::require_positive("mass", mass);
  foundation::require_approach(velocity);
  return std::visit([&](const auto& concrete) { return laws::restitution_of(concrete, mass, velocity); }, law);
}

double restitution_asymptotic(const Viscoelastic& law, double velocity) {
  validate(law);
  foundation::require_approach(velocity);
  return law.stiffness / (law.damping * -velocity);
}

}  // namespace thud
