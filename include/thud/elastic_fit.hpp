#pragma once

/// Identification of a contact law and of the arm's drives from one force record.
///
/// A record is (t_i, f_i), i = 1..N, of one hit of an arm with elastic joints at a known velocity v0. The model is
///
///   f_i = b + f_arm(t_i - t0; law's parameters, factors of the drives) + noise
///
/// with the force of elastic_arm.hpp, start time t0 and baseline b. A factor multiplies a quantity of all joints alike:
/// 1 is as the drives say. The sum of squares is minimised over everything that is free by Levenberg-Marquardt steps,
/// in the logarithms of what is positive, from the best of a grid of starting points: no guess is needed. Of 480 random
/// records of a Panda with 0.25 N of noise and drives told wrong by up to a factor of three either way, transmissions
/// or all of them free, the lowest minimum was found in all but one of Maxwell's, viscoelastic and 3/2-power walls; of
/// a spring, whose force has a kink at every turn, it was missed in one of ten, with a residual far above the noise.
///
/// Intervals are at 95 % and by profile likelihood, as those of fit.hpp. They hold noise and the error of the model: no
/// arm is this model, and what it gets wrong moves the parameters without showing in the residual. A parameter that the
/// record does not fix is said to be so.
///
/// How far they can be trusted. Without an error of the model, over 300 records of the model itself at 0.08 m/s with
/// 0.25 N of noise, they cover the truth in 93 to 98 % for every parameter of spring and viscoelastic law and every
/// drive. Over 150 records of the virtual lab (default campaign, no pull-back, 12 ms), whose plant has friction, moves
/// its posture and is not this model, the wall's stiffness and damping and the transmissions' are off by 0.3, 1.6, 0.8
/// and 2 % in the median, which is little, and far more than noise: intervals of noise alone cover 45, 13, 13 and 74 %.
/// With an error of 0.5 % of the peak, which is what the model has there, they cover 100, 87, 100 and 100 %; what they
/// miss is the damping of the wall at the highest speeds.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/export.hpp>
#include <thud/fit.hpp>
#include <thud/record.hpp>
#include <thud/warning.hpp>
#include <thud/window.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What of the drives a record may tell: a factor common to all joints.
enum class DriveParameter {
  stiffness,      ///< of the transmissions' K: "joints.stiffness"
  damping,        ///< of the transmissions' D: "joints.damping"
  rotor_inertia,  ///< of the rotors' B: "joints.rotor_inertia"
  servo           ///< of the servo's Kp and Kd alike, however Kd was found: "servo"
};

inline constexpr DriveParameter all_drive_parameters[] = {DriveParameter::stiffness, DriveParameter::damping,
                                                          DriveParameter::rotor_inertia, DriveParameter::servo};

/// "stiffness", "damping", "rotor_inertia" or "servo".
std::string_view to_string(DriveParameter parameter) noexcept;

/// Its name among the parameters of a fit, where a law has a stiffness and a damping too: "joints.stiffness",
/// "joints.damping", "joints.rotor_inertia" or "servo".
std::string_view factor_name(DriveParameter parameter) noexcept;

/// The drives with factors, one for each parameter that is named. Throws InputError for another number of them.
Drives with_factors(const Drives& drives, const std::vector<DriveParameter>& free, const VectorRef& factors);

struct ElasticFitOptions {
  std::vector<DriveParameter> free{};    // what is fitted of the drives; each once
  std::optional<double> start{};         // known time of first touch [s]; fitted if absent
  std::optional<double> baseline{};      // known force without contact [N]; fitted if absent
  std::vector<CommandChange> command{};  // a known change of the command, since first touch
  std::optional<ContactLaw> guess{};     // a likely law: where a descent from it leaves at most thrice noise and the
                                         // model's error, no others are tried; of its kind alone
  double model_error = 0.005;            // of the model against the arm, root mean square over the peak force; >= 0
  bool intervals = true;                 // without them, and what is not identifiable, it takes a third of the time
  int max_iterations = 60;               // of each descent
};

/// A contact law and factors of the drives from one record.
struct ElasticFit {
  /// As that of a lumped mass, with these differences. Its mass is none. Its parameters are the law's, then the
  /// factors, start and baseline. It has converged where the last step is of 0.01 standard errors. restitution is
  /// v_end/|v0|, none where the contact lasts; impulse_compression and both times are of the arm, up to the first v = 0
  /// and to the highest peak. at_limit: a parameter of the law left its range; there are no intervals.
  FitResult result;
  ElasticArm arm;                      // with its factors
  std::vector<CommandChange> command;  // as given
  std::vector<std::string> free;       // names of the parameters that were fitted
  MatrixX correlation;                 // of their estimates; of a Hunt-Crossley law's k, taken at the depth
                                       // |v0| times the rise, where it does not depend on the unit
  std::optional<Turn> deepest_turn;    // the largest depth
  double measured_impulse_deepest = FitResult::none;  // integral of the measured force, less baseline, up to then [N s]
  std::vector<std::string> not_identifiable;          // the sum of squares does not rise to the limit of the interval
                                                      // within a factor of 30, or a correlation is above 0.99
  std::vector<Warning> warnings;                      // a sentence for each of these
};

/// Fits one law and the factors that are free.
///
/// times, forces  as for fit
/// arm            with the drives as far as they are known: a factor multiplies what it has
/// velocity       v0 < 0 [m/s]
/// Throws InputError for what fit rejects, for a drive that is named twice, and for one of which the arm has nothing to
/// multiply. Everything else is a status.
ElasticFit elastic_fit(const VectorRef& times, const VectorRef& forces, const ElasticArm& arm, LawKind kind,
                       double velocity, const ElasticFitOptions& options = {});

/// The hit by the fitted law and arm, its time counted from the fitted start; none unless the fit converged and the
/// motion can be followed to the horizon [s]. Throws InputError for a horizon that is not positive.
std::optional<ElasticProfile> fitted_profile(const ElasticFit& fit, double horizon = ElasticOptions{}.horizon);

/// What the fitted arm leaves over: force less that of the arm, baseline and drift, at every sample [N]. Empty unless
/// the fit converged and the motion can be followed to the last of them.
///
/// contact  the samples that it was fitted to
VectorX residuals(const Record& contact, const ElasticFit& fit);

/// The result for one record. Filled in this order; what could not be found stays empty.
struct ElasticIdentification {
  ContactWindow window;           // the whole contact, over humps between which the force is zero
  Record contact;                 // what the laws are fitted to: sign, baseline and drift taken out [s, N]
  std::vector<ElasticFit> laws;   // one, or every one in the order of LawKind
  std::optional<LawKind> best;    // lowest BIC among those that converged
  std::vector<Warning> warnings;  // of reader, window, arm and fits
};

/// Finds the contact of a record, takes the sensor's sign, baseline and drift out, and fits the laws with the arm.
///
/// An arm of several links pushes in several humps, between which the force may be zero though the contact lasts. The
/// window begins as find_contact finds it. It ends where the force has returned to the baseline and the fitted arm has
/// left the wall, or else after the next hump, unless the arm cannot explain that one: then it is another contact.
/// Where the force never returns, it ends with the record or at `where.to`.
///
/// velocity  v0 < 0 [m/s]
/// kind      one law; without it, every one
/// where     which contact, and in which part of the record
/// Throws InputError for what elastic_fit and find_contact reject. What is in the record never throws.
ElasticIdentification identify(const Record& record, const ElasticArm& arm, double velocity,
                               const ElasticFitOptions& options = {}, std::optional<LawKind> kind = {},
                               const ContactOptions& where = {});

}  // namespace thud
