#pragma once

/// The virtual lab: a stiffly velocity-controlled arm hits a sensorised wall.
///
/// Plant       MuJoCo, built in memory from the Robot. It shares no dynamics code with dynamics.hpp, so it is
///             an independent check of a prediction. Each joint is rotor, transmission (spring and damper),
///             link; the wall pushes the contact point along its normal with the force of a contact law, and holds it
///             across by Coulomb's friction. In the wall's place there may be a free box on a floor with friction.
/// Controller  once a period: a QP in joint velocities moves the commanded posture along the normal under the limits of
///             position, velocity and acceleration; inverse dynamics of the commanded motion gives the reference
///             torques tau*; both are held until the next cycle. A motor-side servo realises them at every step.
/// Detection   torque_residual of the measured torques against tau*; the command is reversed in the cycle after it.
/// Sensors     force at its own rate and on its own clock, joint signals once a period, with noise and resolution.

#include <thud/campaign.hpp>
#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/dataset.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>
#include <thud/spread.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// How the joints of the plant are built.
enum class PlantJoints {
  flexible,  ///< rotor, transmission, link
  rigid,     ///< links and rotors move as one
  locked     ///< all joints frozen and the base let go: the composite body of the contact, flying free
};

/// "flexible", "rigid" or "locked".
std::string_view to_string(PlantJoints joints) noexcept;

/// Where the energy of a run went [J]. Work of the motors = rise of kinetic, elastic and gravity energy + dissipated
/// + given to wall, object and floor; what is left over is the integrator's.
struct EnergyAudit {
  double motor = 0;         ///< work of the motors
  double kinetic = 0;       ///< rise of the kinetic energy
  double elastic = 0;       ///< rise of the energy in the transmissions
  double gravity = 0;       ///< rise of the energy of height
  double transmission = 0;  ///< dissipated in the transmissions
  double friction = 0;      ///< dissipated by the motors' friction
  double wall = 0;          ///< given to the contact, stored or dissipated
  double object = 0;        ///< rise of the kinetic energy, and that of height, of what is hit
  double floor = 0;         ///< given to the floor on which that slides

  /// motor - all the others.
  double remainder() const noexcept;
};

/// What happened in one run of the plant, exactly.
struct PlantRun {
  Truth truth;
  EnergyAudit energy;
  std::vector<double> time{};   ///< of every step from the touch on, from the touch  [s]
  std::vector<double> force{};  ///< of the wall                                      [N]
  std::vector<double> depth{};  ///< of the contact point in the wall                 [m]
};

/// How an uncontrolled impact is run.
struct FreeImpactOptions {
  PlantJoints joints = PlantJoints::rigid;
  Drives drives{};                      ///< needed for flexible joints only; effort and servo play no part
  Vector3 gravity_W = Vector3::Zero();  ///< [m/s^2]
  double step = 2e-5;                   ///< [s]
  double duration = 0.1;                ///< longest run; it ends with the contact [s]
};

/// An uncontrolled arm hits a wall: the contact point touches it at time 0 in the given state.
///
/// With rigid joints the impulse must equal the generalized-momentum prediction [Wang22, (option_gm_iim)], with locked
/// joints that of the composite rigid body [Wang22, (iim_inertia_def)]: two limits that tie plant and predictor.
/// For locked joints `state.dq` only gives the velocity of the contact point, which the whole body then has.
/// Throws InputError and RobotError as contact_dynamics does, and PlantError for a plant that becomes unstable.
PlantRun free_impact(const Robot& robot, const State& state, const ContactPoint& point, const ContactLaw& law,
                     const FreeImpactOptions& options = {});

/// What all trials of a campaign have in common, with the plan of their names.
DatasetHeader header(const Campaign& campaign);

/// One trial of the plan as the sensors saw it, and what really happened.
struct LabTrial {
  Trial trial;
  PlantRun run;
};

/// Runs one trial of the plan. The same campaign and index give the same numbers. Throws InputError for an index
/// outside the plan, a campaign that validate rejects, a posture the robot cannot reach; PlantError for a plant that
/// becomes unstable.
LabTrial simulate_trial(const Campaign& campaign, std::size_t index);

/// The same motion with no wall in the way, for false alarms. Its run has no contact.
LabTrial simulate_free_motion(const Campaign& campaign, std::size_t index);

/// How a run of a campaign ended.
enum class SimulateStatus {
  complete,      ///< all trials are in the file
  was_complete,  ///< they were before; nothing was changed
  interrupted    ///< stopped before the end; the same call continues
};

/// "complete", "was_complete" or "interrupted".
std::string_view to_string(SimulateStatus status) noexcept;

/// The dataset of a campaign, which grows by one trial at a time, in any order, for one writer. Who makes a trial need
/// not be who keeps it: simulate_trial needs the campaign alone. Not for use by two threads at once.
///
/// The constructor starts the file, or goes on where another writer stopped. Throws InputError as validate does, and
/// FileError for a file of another campaign or seed, or one that is being written by another process.
class CampaignWriter {
 public:
  CampaignWriter(const std::string& path, const Campaign& campaign);
  ~CampaignWriter();
  CampaignWriter(const CampaignWriter&) = delete;
  CampaignWriter& operator=(const CampaignWriter&) = delete;

  /// Whether the file has everything already. Then there is nothing to do, and finish does nothing.
  bool complete() const noexcept;

  /// Trials of the plan, and the indices of those that are missing.
  std::size_t size() const noexcept;
  std::vector<std::size_t> missing() const;

  /// Puts a trial on the disk. Throws InputError for one that is not of the plan.
  void store(const Trial& trial, const Truth& truth);

  /// Joins the trials into the file. Throws InputError if one is missing.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs all trials that the file does not have yet, and completes it. On one machine the bytes of a complete file
/// depend on the campaign alone; other instructions may round otherwise. Throws what simulate_trial and CampaignWriter
/// throw.
SimulateStatus simulate(const Campaign& campaign, const std::string& path, const RunOptions& run = {});

/// How one detector did in a cell.
struct DetectionSummary {
  Spread delay;                  ///< of the alarm after the first touch             [s]
  std::size_t false_alarms = 0;  ///< before the first touch                         [1]
  std::size_t missed = 0;        ///< no alarm                                       [1]
};

/// One configuration and speed of a simulated dataset, and one box hit in one place, by the truth. CellStudy is what
/// the measured signals say.
struct SimulatedCell {
  std::string configuration;
  std::string object;          ///< box and place as in the trials' names, "m0.4_o0.03"; empty for a wall
  double speed = 0;            ///< reference                                        [m/s]
  std::size_t trials = 0;      ///< that are in the file                             [1]
  std::size_t touched = 0;     ///< that met the wall; the spreads are over these     [1]
  Spread velocity;             ///< approach speed at the touch                      [m/s]
  Spread contact_time;         ///< of those that leave the wall                     [s]
  Spread peak_force;           ///<                                                  [N]
  Spread impulse_compression;  ///<                                                  [N s]
  Spread object_speed;         ///< of a box when the point leaves it                [m/s]
  DetectionSummary threshold;  ///< of the controller: |tau - tau*| of the watched joints
  DetectionSummary observer;   ///< of a momentum observer of usual_gain, same joints and threshold, on the same log
};

/// The cells of a simulated dataset, finished or not, in the order of its plan. Throws FileError as read_dataset does,
/// and for a dataset without truth.
std::vector<SimulatedCell> summarize_cells(const std::string& path);

}  // namespace thud
