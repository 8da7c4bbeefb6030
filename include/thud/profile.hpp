#pragma once

/// The force of one impact over time: events, impulse, energies, and the state at any instant.
///
/// A mass m meets the contact at t = 0, x = 0 with v = v0 < 0 and nothing else acts on it: m dv/dt = f. Every number
/// comes from a closed form, a quadrature, or a table which the library fills by that quadrature; no differential
/// equation is stepped.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/warning.hpp>

#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

/// df/dt = 0. For the viscoelastic law it comes before the end of compression whenever c > 0.
struct Peak {
  double time;   // [s]
  double force;  // [N]
};

/// v = 0, the deepest point. Maxwell with zeta >= 1 only tends to it.
struct EndOfCompression {
  double time;   // [s]
  double depth;  // -x, > 0 [m]
  double force;  // [N]
};

/// The contact parts. Viscoelastic, Hunt-Crossley: x = 0. Spring, Maxwell: f = 0, which leaves the permanent set
/// -x = (1 - e^2) x_max of the spring's shift, -x = (1 + e) m |v0|/c of the dashpot's travel.
/// Maxwell with zeta >= 1 never parts.
struct EndOfContact {
  double time;      // [s]
  double velocity;  // -e v0 >= 0 [m/s]
};

/// After the peak, the force has fallen to a stated fraction of it: what a record can show. In a strongly damped
/// contact this comes long before x = 0.
struct EndOfForce {
  double time;      // [s]
  double fraction;  // of the peak force [1]
};

/// Integral of the force from t = 0 up to an event [N s].
struct Impulses {
  double peak;
  std::optional<double> compression;  // m |v0|
  double total;                       // (1 + e) m |v0|; for a contact that never parts, the limit
};

/// [J]
struct Energies {
  double initial;     // m v0^2/2
  double stored_max;  // largest potential energy
  double dissipated;  // over the whole contact; negative for a spring with e > 1
  double final;       // m v^2/2 after it; initial = dissipated + final
};

/// One impact: its inputs and its outcome.
struct ForceProfile {
  // The impact
  ContactLaw law;
  double mass;      // m [kg]
  double velocity;  // v0 < 0 [m/s]

  // Its outcome, by force_profile
  double restitution;  // e [1]
  Peak peak;
  std::optional<EndOfCompression> end_of_compression;
  std::optional<EndOfContact> end_of_contact;
  EndOfForce end_of_force;
  Impulses impulse;
  Energies energy;
};

/// One instant of an impact. The three energies sum to m v0^2/2      [Wang22, (energy_balance)]
struct ContactState {
  double time;         // from first touch [s]
  double force;        // f >= 0 [N]
  double compression;  // x, negative in contact [m]
  double velocity;     // v = dx/dt [m/s]
  double impulse;      // integral of f up to now, m (v - v0) [N s]
  double kinetic;      // m v^2/2 [J]
  double potential;    // stored: k x^2/2 for the viscoelastic law [Wang22, (potential_energy)]; k depth^(n+1)/(n+1); in
                       // the spring of the other two f^2/(2 k), times e^2 while the virtual spring restores [J]
  double dissipated;   // integral of the dashpot's -c x v^2 [Wang22, (dissipated_energy)], of Maxwell's f^2/c; for the
                       // spring (1 - e^2) m v0^2/2, all of it at v = 0 [J]
};

/// Solves an impact.
///
///   viscoelastic  phase plane and d = c|v0|/k, from [Wang22, (normal_impact_force)]; see src/contact/phase.hpp
///   Maxwell       f = (m|v0| w0/b) e^(-zeta w0 t) sin(b w0 t), w0^2 = k/m, zeta = sqrt(k m)/(2 c), b^2 = 1 - zeta^2
///                                                                                              [Stronge00, (5.1.1)]
///   spring        f = |v0| sqrt(k m) sin(w0 t), then cos(w0 (t - t_c)/e) from t_c = pi/(2 w0)
///                                                                          [Wang22, (sec:virtual_spring_model)]
///
/// mass          effective mass m > 0 [kg]
/// velocity      v0 < 0 [m/s]
/// end_fraction  of the peak force, in (0, 1), at which the force counts as ended
/// Event times hold to 1e-10 relative for d from 1e-9 to 1e9 (exponent 1). For d -> 0 and exponent 1 the force is a
/// half sine of duration pi sqrt(m/k). Throws InputError.
/// The viscoelastic law with the default fraction is looked up: some 20 ns, but tens of microseconds the first time
/// that 1 + d comes into one of the 64 equal parts between two powers of 2, when that part of the table is filled. Any
/// number of threads may call.
ForceProfile force_profile(const ContactLaw& law, double mass, double velocity, double end_fraction = 0.01);

/// The impact at an instant: before touch and after parting, a free flight without force. time in s, finite.
/// Many times of a viscoelastic contact cost least when they increase; the force then holds to 1e-10 of its peak.
ContactState state(const ForceProfile& profile, double time);
std::vector<ContactState> states(const ForceProfile& profile, const VectorRef& times);

/// What a user should know: exact and asymptotic restitution of the viscoelastic law differ by more than
/// 5 % of the exact one; a spring with e > 1 creates energy; a Maxwell contact with zeta >= 1 never parts.
std::vector<Warning> warnings(const ForceProfile& profile);

}  // namespace thud
