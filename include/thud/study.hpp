#pragma once

/// Evaluation of a set of impact trials: the models, and the claims of the paper.
///
///   dataset -> each trial by itself -> cells of equal configuration and speed -> verdicts
///
/// A dataset of a real robot and a simulated one go the same way. What a simulated contact really did enters one
/// section, which says how far the identified is from it, and of the rest the law of the wall alone, with which r1
/// compares. docs/study.md says how each number is
/// found, and the statistic and threshold of each verdict with its reason.

#include <thud/arm_fit.hpp>
#include <thud/conventions.hpp>
#include <thud/dataset.hpp>
#include <thud/drives.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/export.hpp>
#include <thud/identify.hpp>
#include <thud/impulse.hpp>
#include <thud/residuals.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>
#include <thud/spread.hpp>
#include <thud/warning.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Where the joint rates at a touch come from.
enum class VelocitySource {
  joints,    ///< the joint log just before the touch
  reference  ///< no such log: the nominal posture, and rates of least norm for the reference speed (approach)
};

/// "joints" or "reference".
std::string_view to_string(VelocitySource source) noexcept;

/// How the robot came to the wall.
struct Touch {
  VectorX q;                                                        ///< at the touch      [rad or m]
  VectorX dq;                                                       ///< just before it    [rad/s or m/s]
  double v_exact = std::numeric_limits<double>::quiet_NaN();        ///< n.J_v dq < 0      [m/s]
  double v_approximate = std::numeric_limits<double>::quiet_NaN();  ///< n.(X J_avg dq)    [m/s]
  double ratio = std::numeric_limits<double>::quiet_NaN();          ///< e_a               [1]
  VelocitySource source = VelocitySource::reference;
};

/// Whether a trial can be studied.
enum class TrialStatus {
  not_run,           ///< study was not called
  ok,                ///< there is an impact, and its velocity is known
  no_contact,        ///< the force record has no contact window that can be used
  no_approach,       ///< by the joint log the contact point does not approach the wall
  not_approachable,  ///< no joint log, and no motion along the normal alone in the nominal posture
  no_force           ///< there is no force record
};

/// The enumerator's name.
std::string_view to_string(TrialStatus status) noexcept;

/// One trial. Times count from the first touch; what could not be found is NaN.
struct TrialStudy {
  // which
  std::string name, configuration;
  double speed = std::numeric_limits<double>::quiet_NaN();  ///< reference                               [m/s]
  int repeat = 1;

  // what was found, in this order
  TrialStatus status = TrialStatus::not_run;
  std::string message = "study was not called";              ///< why the status is not ok; else empty
  double period = std::numeric_limits<double>::quiet_NaN();  ///< of the force samples                   [s]
  Touch touch;
  Identification found;  ///< window, samples, and every law with its mass free: no inertia model enters here
  std::vector<ResidualSummary> residuals;  ///< what each of found.laws leaves over; nothing of one that failed
  double peak_force = std::numeric_limits<double>::quiet_NaN();           ///< of the record             [N]
  double peak_time = std::numeric_limits<double>::quiet_NaN();            ///<                           [s]
  double contact_time = std::numeric_limits<double>::quiet_NaN();         ///< length of the window; NaN if cut    [s]
  double impulse_compression = std::numeric_limits<double>::quiet_NaN();  ///< measured, up to the viscoelastic v = 0
  double impulse_total = std::numeric_limits<double>::quiet_NaN();        ///< over the window; NaN if cut         [N s]
  double detection_delay = std::numeric_limits<double>::quiet_NaN();      ///< of the controller's alarm           [s]
  double observer_delay = std::numeric_limits<double>::quiet_NaN();       ///< of a momentum observer on the log   [s]
  std::optional<ElasticFit> alone;  ///< law and drives of the elastic arm from this record; none without drives
  std::optional<ElasticFit> arm;    ///< law of this trial by the arm of all trials (ArmStudy); its own velocity
  std::optional<ResidualSummary> arm_residuals;  ///< what that leaves over
  std::string best_model;  ///< what describes the record best: "elastic_arm", or the name of a law with a mass
  double impulse_compression_best = std::numeric_limits<double>::quiet_NaN();  ///< measured, up to its greatest depth
  double impulse_elastic = std::numeric_limits<double>::quiet_NaN();  ///< by arm and wall of the other cells   [N s]
  std::vector<Warning> warnings;                                      ///< beyond those of `found`
  std::optional<Truth> truth;                                         ///< passed through

  bool ok() const noexcept { return status == TrialStatus::ok; }

  /// The fit of one law if it has numbers to go by (FitResult::ok), else nullptr.
  const FitResult* law(LawKind kind) const noexcept;
};

/// Quantiles of a force band.
inline constexpr double band_levels[] = {0.05, 0.25, 0.5, 0.75, 0.95};

/// Force over time in the records of a cell, each from its own first touch: at each time the quantiles over all records
/// that reach there. Times that fewer than half of them reach are left out.
struct ForceBand {
  VectorX time;   ///< rising                                            [s]  (n)
  MatrixX force;  ///< a column for each of band_levels                  [N]  (n x 5)
};

/// The trials of one configuration and reference speed whose status is ok, by their measured signals.
struct CellStudy {
  std::string configuration;
  double speed = std::numeric_limits<double>::quiet_NaN();  ///< [m/s]
  std::vector<std::size_t> trials;                          ///< indices into Study::trials

  Spread velocity_exact, velocity_approximate, ratio;                // [m/s], [m/s], [1]; [Wang22, (tab:relative_vels)]
  Spread impulse_compression, impulse_compression_best;              // [N s]
  Spread impulse_total;                                              // [N s]
  Spread peak_force, contact_time, detection_delay, observer_delay;  // [N], [s]
  Spread restitution_spring, restitution_maxwell, restitution_viscoelastic, restitution_asymptotic;  // [1]
  ForceBand band;                                                                                    ///< of the records

  VectorX q;   ///< mean posture at the touch                                                      [rad or m]
  VectorX dq;  ///< mean rates, scaled so that n.J_v(q) dq is the mean exact velocity              [rad/s or m/s]
  std::vector<Prediction> predictions;  ///< predict() at q, dq, for each of Study::robots

  // Beyond the paper's four, by the evaluating robot and the drives; NaN without these
  double mass_rotors = std::numeric_limits<double>::quiet_NaN();     ///< 1/(j (M + B)^-1 j^T) at q           [kg]
  double impulse_rotors = std::numeric_limits<double>::quiet_NaN();  ///< of that mass at the mean velocity   [N s]
  Spread impulse_elastic;  ///< of the elastic arm, trial by trial: drives and wall from the other cells      [N s]
};

enum class Judgement { supported, not_supported, not_testable };

/// "supported", "not supported" or "not testable".
std::string_view to_string(Judgement judgement) noexcept;

/// The verdict of the data on one claim of the paper.
struct Verdict {
  std::string claim;      ///< "c1.spring", ...
  std::string statement;  ///< in a sentence
  Judgement judgement = Judgement::not_testable;
  double statistic = std::numeric_limits<double>::quiet_NaN();  ///< NaN when not testable, as the threshold
  double threshold = std::numeric_limits<double>::quiet_NaN();
  std::string unit;     ///< of both
  std::string why;      ///< one or two sentences with the numbers
  std::string section;  ///< of the paper
};

/// The verdict on one claim by the paper's own procedure: k and c are fitted, the mass is the composite rigid body's in
/// the cell. Beside it, where the claim rests on the viscoelastic COR, the verdict by the paper's reading of that.
struct PaperVerdict {
  Verdict exact;                      ///< by the law's exact COR, or none at all
  std::optional<Verdict> asymptotic;  ///< by k/(c|v0|)                             [Wang22, (coe_property)]
};

/// How far one identified quantity is from the simulated one.
struct TruthQuantity {
  std::string quantity, unit;
  std::size_t trials = 0;  ///< that have both; of transmissions, that the arm rests on
  double identified = std::numeric_limits<double>::quiet_NaN();     ///< median
  double simulated = std::numeric_limits<double>::quiet_NaN();      ///< median
  double median_error = std::numeric_limits<double>::quiet_NaN();   ///< of |identified/simulated - 1|
  double largest_error = std::numeric_limits<double>::quiet_NaN();  ///< likewise
};

/// The arm with elastic joints, from all trials.
struct ArmStudy {
  Drives given;                         ///< of which a factor of 1 stands
  std::string origin;                   ///< of these
  LawKind law = LawKind::viscoelastic;  ///< of the wall, from a few trials
  std::size_t trials = 0;               ///< that the arm rests on
  FitStatus status = FitStatus::not_run;
  std::string message;
  std::vector<FitParameter> factors;  ///< of transmission stiffness and damping, with intervals (ArmFit)
  Drives found;                       ///< the given ones with these factors
};

/// How an object leaves a hit, by one model of the arm or as measured; NaN where that has no answer.
struct ObjectPrediction {
  std::string model;                                        ///< "algebraic", ..., "generalized_momentum_with_rotors"
  double speed = std::numeric_limits<double>::quiet_NaN();  ///< of its centre of mass, against the normal   [m/s]
  double spin = std::numeric_limits<double>::quiet_NaN();   ///< about the upward vertical                   [rad/s]
  double angle = std::numeric_limits<double>::quiet_NaN();  ///< of departure, to the left of the hit        [rad]
};

/// An object that was hit, by its motion: what was measured just after the hit, and what each model predicts from the
/// motion before it (predict_impact).
struct ObjectStudy {
  std::string trial;
  std::string message;                                            ///< why something below is missing; else empty
  double mass = std::numeric_limits<double>::quiet_NaN();         ///<                                             [kg]
  double touch_time = std::numeric_limits<double>::quiet_NaN();   ///< by its motion, robot's clock                [s]
  double approach = std::numeric_limits<double>::quiet_NaN();     ///< speed of the contact point before the hit  [m/s]
  double restitution = std::numeric_limits<double>::quiet_NaN();  ///< that the predictions go by                  [1]
  double friction = std::numeric_limits<double>::quiet_NaN();     ///< likewise                                    [1]
  double speed = std::numeric_limits<double>::quiet_NaN();        ///< as ObjectPrediction's, measured             [m/s]
  double spin = std::numeric_limits<double>::quiet_NaN();   ///< likewise; NaN without orientations          [rad/s]
  double angle = std::numeric_limits<double>::quiet_NaN();  ///< likewise                                    [rad]
  std::vector<ObjectPrediction> predictions;
};

/// How far one model is from the objects that it has an answer for.
struct ObjectModelStudy {
  std::string model;
  std::size_t trials = 0;
  double median_ratio = std::numeric_limits<double>::quiet_NaN();        ///< of predicted over measured speed
  double median_error = std::numeric_limits<double>::quiet_NaN();        ///< of |predicted/measured - 1|, of the speed
  double largest_error = std::numeric_limits<double>::quiet_NaN();       ///< likewise
  double median_spin_error = std::numeric_limits<double>::quiet_NaN();   ///< of |predicted - measured|     [rad/s]
  double median_angle_error = std::numeric_limits<double>::quiet_NaN();  ///< likewise                      [rad]
};

/// All objects of a dataset.
struct ObjectsStudy {
  std::string contact_origin;  ///< of restitution and friction, in words
  std::vector<ObjectStudy> trials;
  std::vector<ObjectModelStudy> models;
};

/// All of it, in the order in which it is found.
struct Study {
  DataSource source = DataSource::measured;  ///< of the dataset
  std::string robot;                         ///< of the dataset
  std::optional<std::uint64_t> seed;         ///< of a simulated one
  std::size_t planned = 0;                   ///< trials of the plan
  double material_restitution = std::numeric_limits<double>::quiet_NaN();
  std::vector<Configuration> configurations;
  std::vector<double> speeds;       ///< rising  [m/s]
  std::vector<std::string> robots;  ///< inertia sets of the predictions; the first is the one that is judged
  std::vector<TrialStudy> trials;   ///< in the order of the plan
  std::vector<std::size_t> sample;  ///< of these, all or StudyOptions::sample, spread over the plan: those that the arm
                                    ///< rests on and a report draws. Of the others there are no spectra, and no `alone`
  std::vector<CellStudy> cells;     ///< by configuration, then by speed
  std::vector<Verdict> verdicts;    ///< c1.spring, c1.maxwell, c1.viscoelastic, c2.algebraic, c2.generalized_momentum,
                                    ///< c2.flexible_joints, c2.composite_rigid_body, r1, r2.phase,
                                    ///< r2.residual_compression, small_restitution
  std::vector<PaperVerdict> verdicts_as_in_paper;   ///< on the same claims, by the paper's own procedure
  std::optional<ArmStudy> arm;                      ///< none without drives
  std::vector<Verdict> beyond;                      ///< beyond.rotors, beyond.elastic_arm
  std::optional<ObjectsStudy> objects;              ///< none without objects
  std::optional<std::vector<TruthQuantity>> truth;  ///< none without simulated trials
  std::vector<Warning> warnings;
};

/// What the user decides.
///
/// Without drives, those of the campaign stand in if the dataset is simulated: rotors, motors and servo are what an
/// experimentalist knows of the arm. Transmissions are identified whatever they say.
struct StudyOptions {
  std::optional<Robot> robot = {};      ///< instead of the dataset's own; must have its joints and the contact's link
  std::optional<Drives> drives = {};    ///< of the evaluating robot
  std::string drives_origin = {};       ///< of these, in words
  double material_restitution = 0.627;  ///< e of the materials alone, where a trial's wall is not known  [1]
                                        ///< [Wang22, (sec:robot_configuration)]
  std::optional<double> friction = {};  ///< of the contact point and an object; none: the campaign's, or 0   [1]
  std::optional<double> object_restitution = {};  ///< of a hit on one; none: the campaign's law, or the materials' [1]
  std::size_t sample = 300;  ///< most trials that the arm rests on and a report draws; others are fitted with that arm
};

/// Studies a dataset.
///
/// truth  what really happened, one entry per trial of the dataset, or none at all
/// Throws InputError for a dataset that validate rejects, a truth of another length, options outside their ranges;
/// RobotError for a robot without the contact's link; Interrupted if it is stopped before all trials are studied. What
/// is in the records never throws: it sets a trial's status.
Study study(const Dataset& dataset, const std::vector<std::optional<Truth>>& truth = {},
            const StudyOptions& options = {}, const RunOptions& run = {});

/// Studies a dataset on the disk with its truth, the same as in memory. Of its trials, those of the sample and one per
/// thread are in memory at a time. Throws FileError beside.
Study study(const DatasetReader& reader, const StudyOptions& options = {}, const RunOptions& run = {});

}  // namespace thud
