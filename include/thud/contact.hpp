#pragma once

/// Laws of the normal contact force, as plain parameters.
///
/// x <= 0 is compression and v = dx/dt its rate, so v < 0 goes deeper; f >= 0 pushes the robot away; m dv/dt = f.
/// An impact starts at x = 0 with v = v0 < 0. `validate` throws InputError, naming the field, for a value outside the
/// range given on the field's line. Infinity and NaN are outside every range.

#include <thud/export.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace THUD_EXPORT thud {

/// Virtual spring with restitution: one stiffness while compressing, another while restoring.
///
///   f = -k x  while v <= 0,   f = -(k/e^2) x  while v > 0      [Wang22, (sec:virtual_spring_model)]
///
/// The force is continuous where v = 0: the spring then shortens at once from x to e^2 x and loses the share 1 - e^2
/// of its energy. An e > 1 creates energy. It is kept, since a record whose fall is slower than its rise asks for it,
/// and it is what speaks against the law.
struct Spring {
  double stiffness = 0;    // k > 0 [N/m]
  double restitution = 0;  // e >= 0 [1]

  void validate() const;
};

/// Spring and dashpot in series.
///
///   df/dt = -k v - (k/c) f      [Stronge00, (5.1.1)]
struct Maxwell {
  double stiffness = 0;  // k > 0 [N/m]
  double damping = 0;    // c > 0 [N s/m]

  void validate() const;
};

/// Spring and nonlinear dashpot in parallel.
///
///   f = c x v - k x      [Wang22, (normal_impact_force)]
struct Viscoelastic {
  double stiffness = 0;  // k > 0 [N/m]
  double damping = 0;    // c >= 0 [N s/m^2]

  void validate() const;
};

/// The general member of that family; exponent 1 is the viscoelastic law, 3/2 is Hertz's contact with damping.
///
///   f = (-x)^n (k - c v),   n = 1 in [Wang22, (normal_impact_force)]
struct HuntCrossley {
  double stiffness = 0;  // k > 0 [N/m^n]
  double damping = 0;    // c >= 0 [N s/m^(n+1)]
  double exponent = 1;   // n > 0 [1]

  void validate() const;
};

using ContactLaw = std::variant<Spring, Maxwell, Viscoelastic, HuntCrossley>;

/// Which law, without its parameters; in the order of ContactLaw.
enum class LawKind { spring, maxwell, viscoelastic, hunt_crossley };

/// "spring", "maxwell", "viscoelastic" or "hunt_crossley".
std::string_view law_name(LawKind kind) noexcept;
std::string_view law_name(const ContactLaw& law) noexcept;

/// A law of that name with its parameters as the structs have them; none for another name.
std::optional<ContactLaw> law_named(std::string_view name) noexcept;

/// The parameters of a law by the names they have in files and on the command line, in the order of its fields.
std::vector<std::pair<std::string_view, double>> law_parameters(const ContactLaw& law);
std::vector<std::pair<std::string_view, double*>> law_parameters(ContactLaw& law);

/// Throws what the law's own validate throws.
void validate(const ContactLaw& law);

/// Contact force on the robot, from the equation above the law.
///
/// x  compression, 0 or less in contact [m]. For the spring: counted from the rest length of the phase it is in.
/// v  dx/dt [m/s]
/// Returns f [N]. For x >= 0: f = 0. Real-time, for validated laws.
/// At e = 0 the spring does not restore: f = 0 for v > 0.
/// Departs from the paper: clamped at 0 where v > k/c, so the contact never pulls.
double force(const Spring& law, double x, double v) noexcept;
double force(const Viscoelastic& law, double x, double v) noexcept;
double force(const HuntCrossley& law, double x, double v) noexcept;

/// Rate of the Maxwell force, df/dt = -k v - (k/c) f [N/s], in contact. This law has a memory: its force depends on the
/// dashpot's travel, not on x and v alone, so the force is a state of its own. f in N, v in m/s. Real-time.
double force_rate(const Maxwell& law, double f, double v) noexcept;

/// Coefficient of restitution e = -v_after/v0, exact.
///
///   spring                       e
///   Maxwell                      exp(-pi zeta/sqrt(1 - zeta^2)), zeta = sqrt(k m)/(2 c);  0 for zeta >= 1
///                                                                                   [Stronge00, (5.7)]
///   viscoelastic, Hunt-Crossley  (1 + W0(-(1+d) e^-(1+d)))/d, d = c|v0|/k, for every exponent; W0 is Lambert's
///                                function. From the law, [Wang22, (normal_impact_force)]: see src/phase.hpp
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
