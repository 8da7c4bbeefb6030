#pragma once

/// Laws of the normal contact force, as plain parameters.
///
/// x <= 0 is compression and v = dx/dt its rate, so v < 0 goes deeper; f >= 0 pushes the robot away; m dv/dt = f.
/// An impact starts at x = 0 with v = v0 < 0. `validate` throws InputError, naming the field, for a value outside the
/// range given on the field's line. Infinity and NaN are outside every range.
///
/// Each law states its name and its parameters once, in its own `name` and `parameters`; files, command line, Python
/// and reports go through these tables.

#include <thud/export.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace THUD_EXPORT thud {

/// The finite values that a parameter may have.
enum class ParameterRange { positive, not_negative };

/// "must be finite and greater than 0" or "must be finite and at least 0".
std::string_view to_string(ParameterRange range) noexcept;

/// A row of a law's table.
template <class Law>
struct LawParameter {
  std::string_view name;    // of the field, in files and on the command line
  std::string_view symbol;  // in the equation
  std::string_view unit;
  ParameterRange range;
  double typical;  // of a stiff and lossy wall: what a campaign begins with
  double Law::*field;
};

/// Virtual spring with restitution: one stiffness while compressing, another while restoring.
///
///   f = -k x  while v <= 0,   f = -(k/e^2) x  while v > 0      [Wang22, (sec:virtual_spring_model)]
///
/// The force is continuous where v = 0: the spring then shortens at once from x to e^2 x and loses the fraction 1 - e^2
/// of its energy. An e > 1 creates energy. It is kept, since a record whose fall is slower than its rise requires it,
/// and it is what speaks against the law.
struct Spring {
  double stiffness = 0;    // k > 0 [N/m]
  double restitution = 0;  // e >= 0 [1]

  static constexpr std::string_view name = "spring";
  static constexpr LawParameter<Spring> parameters[] = {
      {"stiffness", "k", "N/m", ParameterRange::positive, 1e6, &Spring::stiffness},
      {"restitution", "e", "1", ParameterRange::not_negative, 0.627, &Spring::restitution}};
};

/// Spring and dashpot in series.
///
///   df/dt = -k v - (k/c) f      [Stronge00, (5.1.1)]
struct Maxwell {
  double stiffness = 0;  // k > 0 [N/m]
  double damping = 0;    // c > 0 [N s/m]

  static constexpr std::string_view name = "maxwell";
  static constexpr LawParameter<Maxwell> parameters[] = {
      {"stiffness", "k", "N/m", ParameterRange::positive, 1e6, &Maxwell::stiffness},
      {"damping", "c", "N s/m", ParameterRange::positive, 1e4, &Maxwell::damping}};
};

/// Spring and nonlinear dashpot in parallel.
///
///   f = c x v - k x      [Wang22, (normal_impact_force)]
struct Viscoelastic {
  double stiffness = 0;  // k > 0 [N/m]
  double damping = 0;    // c >= 0 [N s/m^2]

  static constexpr std::string_view name = "viscoelastic";
  static constexpr LawParameter<Viscoelastic> parameters[] = {
      {"stiffness", "k", "N/m", ParameterRange::positive, 1e6, &Viscoelastic::stiffness},
      {"damping", "c", "N s/m^2", ParameterRange::not_negative, 7.279e6, &Viscoelastic::damping}};
};

/// The general member of that family; exponent 1 is the viscoelastic law, 3/2 is Hertz's contact with damping.
///
///   f = (-x)^n (k - c v),   n = 1 in [Wang22, (normal_impact_force)]
struct HuntCrossley {
  double stiffness = 0;  // k > 0 [N/m^n]
  double damping = 0;    // c >= 0 [N s/m^(n+1)]
  double exponent = 1;   // n > 0 [1]

  static constexpr std::string_view name = "hunt_crossley";
  static constexpr LawParameter<HuntCrossley> parameters[] = {
      {"stiffness", "k", "N/m^n", ParameterRange::positive, 1e6, &HuntCrossley::stiffness},
      {"damping", "c", "N s/m^(n+1)", ParameterRange::not_negative, 7.279e6, &HuntCrossley::damping},
      {"exponent", "n", "1", ParameterRange::positive, 1, &HuntCrossley::exponent}};
};

using ContactLaw = std::variant<Spring, Maxwell, Viscoelastic, HuntCrossley>;

/// Which law, without its parameters; in the order of ContactLaw.
enum class LawKind { spring, maxwell, viscoelastic, hunt_crossley };

inline constexpr auto all_laws = [] {
  std::array<LawKind, std::variant_size_v<ContactLaw>> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<LawKind>(i);
  return kinds;
}();

/// The kind of a law.
inline LawKind kind_of(const ContactLaw& law) noexcept {
  return static_cast<LawKind>(law.index());
}

/// "spring", "maxwell", "viscoelastic" or "hunt_crossley".
std::string_view to_string(LawKind kind) noexcept;

/// A law of that name with its parameters as the structs have them; none for another name.
std::optional<ContactLaw> law_from_name(std::string_view name) noexcept;

/// The names of all laws, for people: "spring, maxwell, viscoelastic or hunt_crossley".
std::string law_names();

/// A law of that kind with the typical parameters of its table.
ContactLaw typical_law(LawKind kind);

/// The parameters of a law by the names they have in files and on the command line, in the order of its fields.
std::vector<std::pair<std::string_view, double>> law_parameters(const ContactLaw& law);
std::vector<std::pair<std::string_view, double*>> law_parameters(ContactLaw& law);

/// The unit of a law's parameter; empty for another name.
std::string_view parameter_unit(LawKind kind, std::string_view parameter);

/// The names of the parameters of all laws, each once: those of the most general law first.
const std::vector<std::string_view>& parameter_names();

/// Throws InputError for the first parameter outside its range, by name.
void validate(const ContactLaw& law);

/// Contact force on the robot, from the equation above the law.
///
/// x  compression, 0 or less in contact [m]. For the spring: counted from the rest length of the phase it is in.
/// v  dx/dt [m/s]
/// Returns f [N]. For x >= 0: f = 0. Real-time, for validated laws.
/// At e = 0 the spring does not restore: f = 0 for v > 0.
/// Departs from the paper: clamped at 0 where v > k/c, so the contact never pulls.
inline double force(const Spring& law, double x, double v) noexcept {
  const double k = law.stiffness, e = law.restitution;
  if (x >= 0 || (v > 0 && e == 0)) return 0;
  return -x * (v > 0 ? k / (e * e) : k);
}
inline double force(const Viscoelastic& law, double x, double v) noexcept {
  return x < 0 ? -x * std::max(law.stiffness - law.damping * v, 0.0) : 0;
}
inline double force(const HuntCrossley& law, double x, double v) noexcept {
  return x < 0 ? std::pow(-x, law.exponent) * std::max(law.stiffness - law.damping * v, 0.0) : 0;
}

/// Rate of the Maxwell force, df/dt = -k v - (k/c) f [N/s], in contact. This law has a memory: its force depends on the
/// dashpot's travel, not on x and v alone, so the force is itself a state. f in N, v in m/s. Real-time.
inline double force_rate(const Maxwell& law, double f, double v) noexcept {
  return -law.stiffness * (v + f / law.damping);
}

/// Coefficient of restitution e = -v_after/v0, exact.
///
///   spring                       e
///   Maxwell                      exp(-pi zeta/sqrt(1 - zeta^2)), zeta = sqrt(k m)/(2 c);  0 for zeta >= 1
///                                                                                   [Stronge00, (5.7)]
///   viscoelastic, Hunt-Crossley  (1 + W0(-(1+d) e^-(1+d)))/d, d = c|v0|/k, for every exponent; W0 is Lambert's
///                                function. From the law, [Wang22, (normal_impact_force)]: see src/contact/phase.hpp
///
/// mass      effective mass m > 0 [kg]; only Maxwell's value depends on it
/// velocity  v0 < 0 [m/s]; only the last two depend on it
/// For d -> 0: e = 1 - 2d/3; for d -> infinity: e = 1/d. Full precision for every d. Throws InputError.
double restitution(const ContactLaw& law, double mass, double velocity);

/// The paper's coefficient of restitution, e = k/(c|v0|) = 1/d      [Wang22, (coe_property)]
///
/// velocity  v0 < 0 [m/s]
/// The limit of the exact value for large d, and nothing else: it is 1 at d = 1, where the law gives 0.594, exceeds 1
/// below, and is infinite for c = 0. Throws InputError.
double restitution_asymptotic(const Viscoelastic& law, double velocity);

}  // namespace thud
