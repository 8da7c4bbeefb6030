#pragma once

/// Identification of a contact law from one force record.
///
/// A record is (t_i, f_i), i = 1..N, of one impact with a known velocity v0. The model, for each law of contact.hpp, is
///
///   f_i = b + r (t_i - t_mid) + f_law(t_i - t0; m, law's parameters) + noise
///
/// with start time t0, baseline b and drift r; noise is white and of one variance. The fit minimises the sum of squares
/// over the parameters that are free. It needs no starting guess: integrals of the record make the law linear in its
/// parameters; Gauss-Newton steps with analytic derivatives continue from there, damped where needed, and end at a
/// minimum of S to 0.02 standard errors: of 2400 random records of all laws, 3 end farther from one. Where the record
/// leaves the shape of the force loose, or its noise could imitate another one, the fit goes through all shapes, keeps
/// the best, and takes the intervals from the sums of squares along the way.
///
/// Limits of one record. Mass, stiffness and damping scale with v0: an error in v0 passes into m. As damping
/// vanishes all laws but Hunt-Crossley become one half sine, and their ranking is random. With d = c|v0|/k well above 1
/// the force ends before the contact does and k leaves little trace: its interval then reaches down to 0.
///
/// How far the intervals can be trusted. Over 2000 seeds they cover the truth in 93 to 97 % for every parameter of
/// spring, Maxwell, viscoelastic with d = 1, 3 and 5, and Hunt-Crossley with exponent 1.5, at 1 and at 5 % noise; the
/// start time with d = 5 is at the upper edge, 96 to 97.2 % by the set of seeds. In between, at 2 %, they cover 92 to
/// 97 %; with d = 10 and 5 % noise, 94 %; a record of d = 3 that ends before the contact does, at 1 %, 93 %. The record
/// must not be cut by its noise: where it ends with the first samples that show no force, intervals at 5 % noise cover
/// 91 to 99 %. Above d = 30 with noise below 1 % the lowest minimum may be missed.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/profile.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace THUD_EXPORT thud {

struct FitOptions {
  std::optional<double> mass = {};      // known effective mass m > 0 [kg]; fitted if absent
  std::optional<double> start = {};     // known time of first touch [s]; fitted if absent
  std::optional<double> baseline = {};  // known force without contact [N]; fitted if absent
  bool drift = false;  // fit a baseline that moves linearly in time. Without it, a drift is taken for contact
                       // force where there is contact, and shows in the residual elsewhere
  int max_iterations = 60;
};

/// Why a fit ended. S is the sum of squares, H the normal matrix J'J, p the step, N the samples, P the free parameters.
enum class FitStatus {
  not_run,
  converged,  // at a minimum of S: p'Hp <= 5e-5 V with V = S/(N - P), a last step of 0.007 standard errors, or p'Hp
              // <= 1e-20 times the sum of f^2. Where samples that enter or leave the contact make S rough, that
              // minimum may lie at a kink, and S is lower at no point 0.02 standard errors to its sides
  too_few_samples,  // N <= P, or fewer than P, or than 4, samples in contact
  no_contact,       // no force above the baseline, or no rise to it
  no_convergence,   // max_iterations reached, or no step lowers S
  undetermined,     // H is singular to working precision: the record does not fix all free parameters. Values as
                    // found; intervals NaN but of parameters that the rest does not affect
  at_limit,         // S falls up to a limit of the shape: d = 499, exponent outside (0.1, 10), e = 1e-3 (spring).
                    // Numbers, if any, as found there
  negative_damping  // as converged, but with c < 0: this law would have to create energy. Numbers as found
};

/// Whether a record tells a parameter and, if not, why. It does where the interval is narrower than a factor of 3; of a
/// damping, which may be none, also where it is narrower than 0.3 in d = c|v0|/k, or 0.05 in Maxwell's zeta; of an
/// exponent, than 0.5, of a restitution, than 0.2. Start, baseline and drift are told where they have an interval. With
/// an arm the rule is that of elastic_fit.hpp.
enum class Identifiability {
  unknown,           // there is no interval
  known,             // it was given and not fitted
  identified,        // the record tells it
  flat,              // the sum of squares hardly rises over a wide range of it
  correlated,        // another parameter makes up for it: a correlation above 0.99
  window_too_short,  // the record ends before it shows: before the law's end of compression
};

/// "unknown", "known", "identified", "flat", "correlated" or "window_too_short".
std::string_view to_string(Identifiability identifiability) noexcept;

/// A parameter and its 95 % interval. Where the record fixes the shape well: value -+ t_0.975(N - P) standard errors;
/// for stiffness and mass of the logarithm, for Maxwell's damping of the inverse. Elsewhere by profile likelihood: the
/// values at which S, minimised over all else, is below S (1 + q^2/(N - P)), q being t less the mean that noise gives
/// to the signed root of the rise of S (with a free exponent, t); and all between them. An end that does not exist is
/// said so: low = 0 for a stiffness that the record cannot distinguish from 0, +-infinity for what nothing bounds. A
/// known parameter has low = value = high. An interval holds noise, and not what a wrong law does to a parameter, which
/// mostly hides in the parameter itself: where misfit is above 1.5 it is too narrow. (Widening it by the residuals'
/// autocovariance does not mend that: with a hum of 5 N the mass came out as 3.54 to 3.79 kg, where it was 4.)
struct FitParameter {
  std::string_view name;  // "stiffness", "damping", "restitution", "exponent", "mass", "start", "baseline", "drift"
  double value = std::numeric_limits<double>::quiet_NaN();  // in the unit of the law's field; kg, s, N, N/s
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  Identifiability identifiability = Identifiability::unknown;
};

/// Born as a failure; a number that does not exist is NaN.
struct FitResult {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  // How it went
  LawKind kind = LawKind::viscoelastic;
  FitStatus status = FitStatus::not_run;
  std::string message = "fit was not called";
  int samples = 0;     // N
  int iterations = 0;  // evaluations of the model

  // What came out
  ContactLaw law;
  double velocity = none;                // v0 as given [m/s]
  std::vector<FitParameter> parameters;  // the law's own, then mass, start, baseline, and drift when fitted
  double mass = none;                    // [kg]
  double start = none;                   // t0 [s]
  double baseline = none;                // b [N]
  double drift = 0;                      // r [N/s]

  // How well
  double rmse = none;       // sqrt(S/N) [N]
  double r_squared = none;  // 1 - S/sum (f - mean f)^2 [1]
  double aic = none;        // N ln(S/N) + 2 (P + 1), with S/N at least 1e-12 of the mean square of the force
  double bic = none;        // N ln(S/N) + (P + 1) ln N, likewise
  double noise = none;      // of the samples: root mean square of the residuals' second differences over sqrt(6) [N]
  double misfit = none;     // sqrt(S/(N - P)) over that: 1 where white noise is all that is left over, above 1.5 where
                            // the law does not describe the record. White noise alone gets there in 1 of 10 000 records

  // The impact according to the law; times from first touch
  double restitution = none;       // e [1]
  double restitution_low = none;   // what the record cannot tell from it: an interval that holds noise, as
  double restitution_high = none;  // those of parameters do, and 0.5 % of the peak as error of the law
  Identifiability restitution_identifiability = Identifiability::unknown;
  double time_of_peak = none;                  // [s]
  double time_of_compression = none;           // of v = 0 [s]; none for Maxwell with zeta >= 1
  double impulse_compression = none;           // m |v0| [N s]
  double measured_impulse_compression = none;  // integral of the measured force, less baseline, up to the law's v = 0

  bool ok() const noexcept { return status == FitStatus::converged || status == FitStatus::negative_damping; }
};

/// The numbers of a result by the names they have in files and on the command line.
inline constexpr std::pair<std::string_view, double FitResult::*> fit_numbers[] = {
    {"rmse", &FitResult::rmse},
    {"r_squared", &FitResult::r_squared},
    {"aic", &FitResult::aic},
    {"bic", &FitResult::bic},
    {"restitution", &FitResult::restitution},
    {"impulse_compression", &FitResult::impulse_compression},
    {"measured_impulse_compression", &FitResult::measured_impulse_compression},
    {"time_of_compression", &FitResult::time_of_compression},
    {"time_of_peak", &FitResult::time_of_peak},
};

/// Fits one law      [Wang22, (sec:validate-contact-force-model)]
///
/// times     increasing, evenly spaced or not [s]
/// forces    push on the robot, positive in contact [N]; the record may begin before the touch and end after the
/// contact velocity  v0 < 0 [m/s] Throws InputError for sizes that differ, times that do not increase, numbers that are
/// not finite, and a velocity or options outside their ranges. Everything else is a status.
FitResult fit(const VectorRef& times, const VectorRef& forces, LawKind kind, double velocity,
              const FitOptions& options = {});

/// The impact by the fitted law, its time counted from the law's own touch; none unless the fit converged: a law with
/// negative damping has none, nor has one of an elastic arm.
std::optional<ForceProfile> fitted_profile(const FitResult& result);

/// Every law on one record.
struct FittedLaws {
  std::vector<FitResult> laws;  // in the order of LawKind
  std::optional<LawKind> best;  // lowest BIC among those that converged; none if none did

  const FitResult& operator[](LawKind kind) const { return laws[static_cast<std::size_t>(kind)]; }
};

/// Fits all laws and ranks them. BIC charges a free exponent ln N: a viscoelastic record takes Hunt-Crossley for better
/// only when its exponent differs from 1 by more than 2.3 standard errors (N = 250).
FittedLaws fit_all(const VectorRef& times, const VectorRef& forces, double velocity, const FitOptions& options = {});

/// "converged", "too_few_samples", ...
std::string_view to_string(FitStatus status) noexcept;

}  // namespace thud
