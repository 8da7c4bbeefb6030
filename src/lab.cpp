#include <thud/detect.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/lab.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "controller.hpp"
#include "plant.hpp"
#include "sensor.hpp"
#include "wall.hpp"

namespace thud {
namespace {

// Energies of the plant before and after, and the work in between.
class Auditor {
 public:
  Auditor(Plant& plant, EnergyAudit& energy) : plant_(plant), energy_(energy) {
    kinetic_ = plant.kinetic_energy();
    elastic_ = plant.elastic_energy();
    gravity_ = plant.gravity_energy();
  }

  // Work of a force on a coordinate with these rates before and after the step: exact for the semi-implicit Euler step.
  static double work(const VectorX& force, const VectorX& before, const VectorX& after, double step) {
    return step * force.dot(before + after) / 2;
  }

  void close() {
    energy_.kinetic = plant_.kinetic_energy() - kinetic_;
    energy_.elastic = plant_.elastic_energy() - elastic_;
    energy_.gravity = plant_.gravity_energy() - gravity_;
  }

 private:
  Plant& plant_;
  EnergyAudit& energy_;
  double kinetic_, elastic_, gravity_;
};

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

VectorX friction(const Drives& drives, const VectorX& dtheta) {
  VectorX torque(dtheta.size());
  for (Eigen::Index i = 0; i < dtheta.size(); ++i) {
    const double a = drives.friction_level[i], s = drives.friction_slope[i], d = drives.friction_offset[i];
    torque[i] = a * (logistic(s * (dtheta[i] + d)) - logistic(s * d));
  }
  return torque;
}

ContactLaw varied(const ContactLaw& law, double spread, Draw& draw) {
  const auto factor = [&] { return std::exp(spread * draw.normal()); };
  return std::visit(
      [&](auto copy) -> ContactLaw {
        copy.stiffness *= factor();
        if constexpr (requires { copy.damping; })
          copy.damping *= factor();
        else
          copy.restitution *= factor();
        return copy;
      },
      law);
}

// Which trial of the plan: configurations, then speeds, then repeats.
struct Place {
  std::size_t configuration, speed;
  int repeat;  // from 1
};

Place place(const Campaign& campaign, std::size_t index) {
  const auto repeats = static_cast<std::size_t>(campaign.repeats);
  const std::size_t cell = index / repeats;
  return {cell / campaign.speeds.size(), cell % campaign.speeds.size(), static_cast<int>(index % repeats) + 1};
}

std::size_t trials(const Campaign& campaign) {
  return campaign.configurations.size() * campaign.speeds.size() * static_cast<std::size_t>(campaign.repeats);
}

// "one_0.08_03"
std::string name(const Campaign& campaign, const Place& at) {
  std::string text = campaign.configurations[at.configuration].name;
  text.append("_").append(to_text(campaign.speeds[at.speed])).append(at.repeat < 10 ? "_0" : "_");
  return text.append(std::to_string(at.repeat));
}

// Speed along the approach: a half cosine up to the reference, then constant.
double approach_speed(const Control& control, double speed, double t) {
  return t < control.ramp ? speed * (1 - std::cos(M_PI * t / control.ramp)) / 2 : speed;
}

// Everything of one trial that is drawn at random, in a fixed order.
struct Chances {
  Chances(const Campaign& campaign, const Place& at, Draw& draw)
      : touch(campaign.configurations[at.configuration].q), law(varied(campaign.law, campaign.variation.law, draw)) {
    wall = campaign.variation.wall * draw.normal();
    for (double& q : touch) q += campaign.variation.posture * draw.normal();
    baseline = campaign.variation.baseline * draw.normal();
    clock_offset = campaign.variation.clock_offset * (2 * draw.uniform() - 1);
  }
  VectorX touch;
  ContactLaw law;
  double wall, baseline, clock_offset;
};

// The force sensor: low-pass at every step of the plant, samples on its own clock.
class ForceSensor {
 public:
  ForceSensor(const Sensor& sensor, double step, double duration, const Chances& chances, Draw& draw)
      : sensor_(sensor),
        filter_(sensor.bandwidth, step),
        step_(step),
        baseline_(chances.baseline),
        draw_(draw),
        offset_(chances.clock_offset),
        samples_(static_cast<std::size_t>(duration * sensor.rate)) {
    while (due() < 0 && record_.time.size() < samples_) sample(0);  // clocks started before the run
  }

  // The force that acts from t to t + step.
  void add(double t, double force) {
    const double before = filtered_;
    filtered_ = filter_(force);
    for (double at = due(); at <= t + step_ && record_.time.size() < samples_; at = due())
      sample(before + (filtered_ - before) * std::clamp((at - t) / step_, 0.0, 1.0));
  }

  Record record() && { return std::move(record_); }

 private:
  double due() const { return static_cast<double>(record_.time.size()) / sensor_.rate + offset_; }  // robot's clock

  void sample(double force) {
    const double noisy = force + baseline_ + sensor_.noise * draw_.normal();
    record_.time.push_back(static_cast<double>(record_.time.size()) / sensor_.rate);
    record_.force.push_back(std::clamp(quantized(noisy, sensor_.resolution), -sensor_.range, sensor_.range));
  }

  const Sensor& sensor_;
  LowPass filter_;
  double step_, baseline_, filtered_ = 0;
  Draw& draw_;
  double offset_;
  std::size_t samples_;
  Record record_;
};

// One row of the joint log a cycle.
class JointSensor {
 public:
  JointSensor(const Sensor& sensor, Eigen::Index cycles, Eigen::Index joints, JointLog& log, Draw& draw)
      : sensor_(sensor), log_(log), draw_(draw) {
    log.time = VectorX::Zero(cycles);
    log.position = log.velocity = log.torque = log.torque_reference = MatrixX::Zero(cycles, joints);
  }

  void sample(Eigen::Index row, double time, Plant& plant, const VectorX& torque_reference) {
    const PlantState state = plant.state();
    const VectorX torque = plant.transmission_torque();
    log_.time[row] = time;
    log_.torque_reference.row(row) = torque_reference.transpose();
    for (Eigen::Index i = 0; i < torque.size(); ++i) {
      log_.position(row, i) = quantized(state.theta[i], sensor_.encoder_resolution);
      log_.velocity(row, i) = state.dtheta[i] + sensor_.velocity_noise * draw_.normal();
      log_.torque(row, i) = quantized(torque[i] + sensor_.torque_noise * draw_.normal(), sensor_.torque_resolution);
    }
  }

 private:
  const Sensor& sensor_;
  JointLog& log_;
  Draw& draw_;
};

// The motor servo between two cycles: the commanded velocity goes on, the command's feedforward is held.
struct Servo {
  const Campaign& campaign;
  const VectorX& damping;

  // Of the transmissions under the reference torques.
  VectorX wind_up(const Command& command) const {
    return command.torque_reference.cwiseQuotient(campaign.drives.stiffness);
  }

  VectorX torque(const Command& command, const PlantState& state, double since) const {
    const Drives& drives = campaign.drives;
    const VectorX theta = command.q + since * command.dq + wind_up(command);
    const VectorX feedforward = command.torque_reference + drives.rotor_inertia.cwiseProduct(command.ddq);
    const VectorX wanted = feedforward + campaign.control.stiffness.cwiseProduct(theta - state.theta) +
                           damping.cwiseProduct(command.dq - state.dtheta);
    return wanted.cwiseMax(-drives.effort).cwiseMin(drives.effort);
  }
};

// One trial: the arm starts at rest before the wall, its motors wound up against gravity, and runs cycle by cycle.
class TrialRun {
 public:
  TrialRun(const Campaign& campaign, std::size_t index, bool wall_there)
      : campaign_(campaign),
        at_(place(campaign, index)),
        robot_(parse_urdf(campaign.urdf, campaign.robot)),
        draw_(campaign.seed, index),
        chances_(campaign, at_, draw_),
        wall_there_(wall_there),
        controller_(campaign, robot_, chances_.touch),
        plant_(robot_, campaign.point, PlantJoints::flexible, campaign.drives, earth_gravity_W, campaign.step,
               chances_.touch),
        servo_{campaign, controller_.servo_damping()},
        wall_(chances_.law),
        history_(result_.run) {
    const Control& control = campaign.control;
    const double distance = speed() * (control.ramp / 2 + control.cruise);
    controller_.start(controller_.posture_before_touch(distance));
    const VectorX wind_up = servo_.wind_up(controller_.command());
    plant_.set_state(controller_.command().q + wind_up, -wind_up, VectorX::Zero(robot_.size()));
    normal_ = campaign.point.normal_W.normalized();
    wall_at_ = normal_.dot(plant_.contact_position()) - distance + chances_.wall;
    for (const auto& joint : campaign.detection_joints) watched_.push_back(robot_.joint_index(joint));

    result_.trial.name = name(campaign, at_);
    result_.trial.configuration = configuration().name;
    result_.trial.speed = speed();
    result_.trial.repeat = at_.repeat;
    result_.trial.clock_offset = chances_.clock_offset;
    result_.run.truth.law = chances_.law;
  }

  LabTrial run() && {
    const Control& control = campaign_.control;
    const double duration = control.ramp + control.cruise + control.after;
    const auto cycles = static_cast<Eigen::Index>(std::round(duration / control.period));
    JointSensor joint_sensor(campaign_.sensor, cycles, robot_.size(), result_.trial.joints, draw_);
    ForceSensor force_sensor(campaign_.sensor, campaign_.step, duration, chances_, draw_);
    Auditor auditor(plant_, result_.run.energy);
    const auto steps = static_cast<int>(std::round(control.period / campaign_.step));
    for (Eigen::Index cycle = 0; cycle < cycles; ++cycle) {
      const double t = static_cast<double>(cycle) * control.period;
      const Command& command = decide(t);
      joint_sensor.sample(cycle, t, plant_, command.torque_reference);
      watch(cycle, t);
      for (int i = 0; i < steps; ++i) {
        const double since = i * campaign_.step;
        force_sensor.add(t + since, step(command, t, since));
      }
    }
    auditor.close();
    result_.trial.force = std::move(force_sensor).record();
    return std::move(result_);
  }

 private:
  const Configuration& configuration() const { return campaign_.configurations[at_.configuration]; }
  double speed() const { return campaign_.speeds[at_.speed]; }
  bool alarmed() const { return std::isfinite(result_.trial.alarm_time); }

  // An alarm turns the command of the next cycle.
  const Command& decide(double t) {
    const Control& control = campaign_.control;
    if (alarmed()) return controller_.next(control.retreat_speed, control.retreat_acceleration);
    return controller_.next(-approach_speed(control, speed(), t));
  }

  void watch(Eigen::Index cycle, double t) {
    const VectorX torque = result_.trial.joints.torque.row(cycle).transpose();
    if (!alarmed() &&
        torque_residual(watched_, torque, controller_.command().torque_reference) > configuration().threshold)
      result_.trial.alarm_time = t;
  }

  // One step of the plant, `since` seconds into the cycle that began at t. Returns the force of the wall.
  double step(const Command& command, double t, double since) {
    const double h = campaign_.step;
    const double x = normal_.dot(plant_.contact_position()) - wall_at_;
    const double v = normal_.dot(plant_.contact_velocity());
    const PlantState before = plant_.state();
    const double force = wall_there_ ? wall_.push(x, v, h) : 0;
    if (wall_there_) {
      const bool untouched = !history_.touched();
      history_.add(t + since, x, v, force, h);
      if (untouched && history_.touched()) {
        result_.run.truth.q = before.q;
        result_.run.truth.dq = before.dq;
      }
    }
    const VectorX motor = servo_.torque(command, before, since);
    const VectorX rubbing = friction(campaign_.drives, before.dtheta);
    plant_.step(motor - rubbing, force * normal_);

    const PlantState after = plant_.state();
    const VectorX strain = before.dq - before.dtheta, strain_after = after.dq - after.dtheta;
    EnergyAudit& energy = result_.run.energy;
    energy.motor += Auditor::work(motor, before.dtheta, after.dtheta, h);
    energy.friction += Auditor::work(rubbing, before.dtheta, after.dtheta, h);
    // MuJoCo damps implicitly: the damper sees the rate after the step
    energy.transmission += Auditor::work(campaign_.drives.damping.cwiseProduct(strain_after), strain, strain_after, h);
    energy.wall -= h * force * (v + normal_.dot(plant_.contact_velocity())) / 2;
    return force;
  }

  const Campaign& campaign_;
  Place at_;
  Robot robot_;
  Draw draw_;
  Chances chances_;
  bool wall_there_;
  Controller controller_;
  Plant plant_;
  Servo servo_;
  Wall wall_;
  LabTrial result_;
  ContactHistory history_;
  std::vector<int> watched_;
  Vector3 normal_;
  double wall_at_ = 0;  // of the wall's surface along the normal [m]
};

LabTrial run_trial(const Campaign& campaign, std::size_t index, bool wall_there) {
  validate(campaign);
  if (index >= trials(campaign))
    throw InputError("index", std::to_string(index), "the plan has " + std::to_string(trials(campaign)) + " trials");
  return TrialRun(campaign, index, wall_there).run();
}

// The threads of a campaign. Each takes the next trial, runs it and hands it to the writer.
class Crew {
 public:
  Crew(const Campaign& campaign, const DatasetHeader& common, DatasetWriter& writer, const SimulateOptions& options)
      : campaign_(campaign), common_(common), writer_(writer), options_(options) {
    for (const auto& missing : writer.missing())
      todo_.push_back(
          static_cast<std::size_t>(std::find(common.plan.begin(), common.plan.end(), missing) - common.plan.begin()));
    done_ = common.plan.size() - todo_.size();
  }

  void run() {
    const auto cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const auto jobs = std::min(options_.jobs > 0 ? static_cast<std::size_t>(options_.jobs) : cores, todo_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < jobs; ++i) threads.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    while (const auto mine = next()) try {
        const LabTrial trial = simulate_trial(campaign_, *mine);
        const std::scoped_lock lock(mutex_);
        writer_.store(trial.trial, trial.run.truth);
        if (options_.progress) options_.progress(++done_, common_.plan.size());
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
  }

  std::optional<std::size_t> next() {
    const std::scoped_lock lock(mutex_);
    const bool stopped = failure_ || (options_.stop && *options_.stop);
    if (stopped || next_ == todo_.size()) return std::nullopt;
    return todo_[next_++];
  }

  const Campaign& campaign_;
  const DatasetHeader& common_;
  DatasetWriter& writer_;
  const SimulateOptions& options_;
  std::mutex mutex_;  // guards everything below, the writer and the progress
  std::vector<std::size_t> todo_;
  std::size_t next_ = 0, done_ = 0;
  std::exception_ptr failure_;
};

// What a summary is made of.
class CellAccount {
 public:
  void add(const DatasetHeader& common, const Robot& robot, const Trial& trial, const Truth& truth) {
    ++trials_;
    velocity_.push_back(-truth.velocity);
    if (std::isfinite(truth.contact_time)) contact_time_.push_back(truth.contact_time);
    peak_force_.push_back(truth.peak_force);
    impulse_compression_.push_back(truth.impulse_compression);
    const auto configuration = std::find_if(common.configurations.begin(), common.configurations.end(),
                                            [&](const auto& each) { return each.name == trial.configuration; });
    const auto& log = trial.joints;
    const MatrixX external = external_torques(robot, log.time, log.position, log.velocity, log.torque, observer_gain);
    const auto alarm =
        find_alarm(log.time, external, ThresholdDetector(common.detection_joints, configuration->threshold));
    threshold_.add(trial.alarm_time, truth.touch_time);
    observer_.add(alarm ? alarm->time : std::numeric_limits<double>::quiet_NaN(), truth.touch_time);
  }

  void close(CellSummary& cell) const {
    cell.trials = trials_;
    cell.velocity = range(velocity_);
    cell.contact_time = range(contact_time_);
    cell.peak_force = range(peak_force_);
    cell.impulse_compression = range(impulse_compression_);
    cell.threshold = threshold_.summary();
    cell.observer = observer_.summary();
  }

 private:
  static Range range(const std::vector<double>& values) {
    if (values.empty()) return {};
    const Eigen::Map<const VectorX> all(values.data(), static_cast<Eigen::Index>(values.size()));
    return {all.minCoeff(), all.mean(), all.maxCoeff()};
  }

  struct Alarms {
    void add(double alarm, double touch) {
      if (std::isnan(alarm))
        ++missed;
      else if (alarm < touch)
        ++early;
      else
        delays.push_back(alarm - touch);
    }
    DetectionSummary summary() const { return {range(delays), early, missed}; }
    std::vector<double> delays;
    std::size_t early = 0, missed = 0;
  };

  std::size_t trials_ = 0;
  std::vector<double> velocity_, contact_time_, peak_force_, impulse_compression_;
  Alarms threshold_, observer_;
};

}  // namespace

double EnergyAudit::remainder() const noexcept {
  return motor - kinetic - elastic - gravity - transmission - friction - wall;
}

PlantRun free_impact(const Robot& robot, const State& state, const ContactPoint& point, const ContactLaw& law,
                     const FreeImpactOptions& options) {
  validate(law);
  validate_velocities(robot, state.dq);
  const ContactDynamics dynamics = contact_dynamics(robot, state.q, point);  // checks q and the point
  const Vector3 normal = dynamics.normal_W;
  Plant plant(robot, point, options.joints, options.drives, options.gravity_W, options.step, state.q);
  const VectorX none = VectorX::Zero(robot.size());
  if (options.joints == PlantJoints::locked)
    plant.set_velocity(dynamics.J.topRows<3>() * state.dq);
  else
    plant.set_state(state.q, none, state.dq);

  PlantRun run;
  run.truth.law = law;
  run.truth.q = state.q;
  run.truth.dq = state.dq;
  Wall wall(law);
  ContactHistory history(run);
  Auditor auditor(plant, run.energy);
  const double wall_at = normal.dot(plant.contact_position());
  for (double t = 0; t < options.duration && !history.ended(); t = plant.time()) {
    const double x = normal.dot(plant.contact_position()) - wall_at;
    const double v = normal.dot(plant.contact_velocity());
    const double force = wall.push(x, v, options.step);
    history.add(t, x, v, force, options.step);
    plant.step(options.joints == PlantJoints::locked ? VectorX() : none, force * normal);
    run.energy.wall += -options.step * force * (v + normal.dot(plant.contact_velocity())) / 2;
  }
  auditor.close();
  return run;
}

DatasetHeader header(const Campaign& campaign) {
  validate(campaign);
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  DatasetHeader header;
  header.source = "simulated";
  header.robot = campaign.robot;
  header.urdf = campaign.urdf;
  header.point = campaign.point;
  for (const auto& joint : campaign.detection_joints) header.detection_joints.push_back(robot.joint_index(joint));
  header.configurations = campaign.configurations;
  for (std::size_t i = 0; i < trials(campaign); ++i) header.plan.push_back(name(campaign, place(campaign, i)));
  header.campaign = format_campaign(campaign);
  header.seed = campaign.seed;
  header.versions["thud"] = THUD_VERSION;
  header.versions["mujoco"] = mj_versionString();
  return header;
}

LabTrial simulate_trial(const Campaign& campaign, std::size_t index) {
  return run_trial(campaign, index, true);
}

LabTrial simulate_free_motion(const Campaign& campaign, std::size_t index) {
  return run_trial(campaign, index, false);
}

SimulateStatus simulate(const Campaign& campaign, const std::string& path, const SimulateOptions& options) {
  const DatasetHeader common = header(campaign);
  if (std::filesystem::exists(path)) {
    if (const auto other = difference(read_header(path), common))
      throw FileError(path, *other, "the file is of another campaign; choose another name");
    if (finished_trials(path).size() == common.plan.size()) return SimulateStatus::was_complete;
  }
  DatasetWriter writer(path, common);
  Crew crew(campaign, common, writer, options);
  crew.run();
  if (!writer.missing().empty()) return SimulateStatus::interrupted;
  writer.finish();
  return SimulateStatus::complete;
}

std::vector<CellSummary> summarize_cells(const std::string& path) {
  const DatasetHeader common = read_header(path);
  const Robot robot = parse_urdf(common.urdf, common.robot);
  std::vector<CellSummary> cells;
  std::vector<CellAccount> accounts;
  for (const auto& each : finished_trials(path)) {
    const Trial trial = read_trial(path, each);
    const auto truth = read_truth(path, each);
    if (!truth) throw FileError(path, each, "has no truth: only simulated trials can be judged by it");
    if (cells.empty() || cells.back().configuration != trial.configuration || cells.back().speed != trial.speed) {
      cells.emplace_back();
      cells.back().configuration = trial.configuration;
      cells.back().speed = trial.speed;
      accounts.emplace_back();
    }
    accounts.back().add(common, robot, trial, *truth);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) accounts[i].close(cells[i]);
  return cells;
}

}  // namespace thud
