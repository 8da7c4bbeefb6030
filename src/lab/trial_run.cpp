#include "lab/trial_run.hpp"

#include <thud/detect.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lab/controller.hpp"
#include "lab/floor_box.hpp"
#include "lab/plant.hpp"
#include "lab/sensor.hpp"
#include "lab/wall.hpp"

namespace thud::lab {
namespace {

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

VectorX friction(const MotorFriction& motor, const VectorX& dtheta) {
  VectorX torque(dtheta.size());
  for (Eigen::Index i = 0; i < dtheta.size(); ++i) {
    const double a = motor.level[i], s = motor.slope[i], d = motor.offset[i];
    torque[i] = a * (logistic(s * (dtheta[i] + d)) - logistic(s * d));
  }
  return torque;
}

// Varies every parameter but the exponent, which describes the shape.
ContactLaw varied(ContactLaw law, double spread, Draw& draw) {
  for (const auto& [name, value] : law_parameters(law))
    if (name != "exponent") *value *= std::exp(spread * draw.normal());
  return law;
}

// Speed along the approach: a half cosine up to the reference, then constant.
double approach_speed(const Control& control, double speed, double t) {
  return t < control.ramp ? speed * (1 - std::cos(M_PI * t / control.ramp)) / 2 : speed;
}

// The random quantities of one trial, drawn in a fixed order.
struct RandomDraws {
  RandomDraws(const Campaign& campaign, const PlanIndex& at, Draw& draw)
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

// The force sensor: a low-pass at every step of the plant, sampled by the sensor's clock.
class ForceSensor {
 public:
  ForceSensor(const Sensor& sensor, double step, double duration, const RandomDraws& drawn, Draw& draw)
      : sensor_(sensor),
        filter_(sensor.bandwidth, step),
        step_(step),
        baseline_(drawn.baseline),
        draw_(draw),
        offset_(drawn.clock_offset),
        samples_(static_cast<std::size_t>(duration * sensor.rate)) {
    while (due() < 0 && record_.time.size() < samples_) sample(0);  // the sensor's clock started before the run
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

// Writes one row of the joint log per cycle.
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

// The motor servo between two cycles: the commanded velocity continues, the command's feedforward is held.
struct Servo {
  const Campaign& campaign;
  const VectorX& damping;

  // Deflection of the transmissions under the reference torques.
  VectorX wind_up(const Command& command) const {
    return command.torque_reference.cwiseQuotient(campaign.drives.stiffness);
  }

  VectorX torque(const Command& command, const PlantState& state, double since) const {
    const Drives& drives = campaign.drives;
    const VectorX theta = command.q + since * command.dq + wind_up(command);
    const VectorX feedforward = command.torque_reference + drives.rotor_inertia.cwiseProduct(command.ddq);
    const VectorX torque_command = feedforward + drives.servo_stiffness.cwiseProduct(theta - state.theta) +
                                   damping.cwiseProduct(command.dq - state.dtheta);
    return torque_command.cwiseMax(-drives.effort).cwiseMin(drives.effort);
  }
};

// One trial: the arm starts at rest before the wall, its motors wound up against gravity, and runs cycle by cycle.
class TrialRun {
 public:
  TrialRun(const Campaign& campaign, const Robot& robot, std::size_t index, WallPresence wall)
      : campaign_(campaign),
        at_(plan_index(campaign, index)),
        robot_(robot),
        draw_(campaign.seed, index),
        drawn_(campaign, at_, draw_),
        wall_present_(wall == WallPresence::present),
        controller_(campaign, robot_, drawn_.touch),
        plant_(robot_, campaign.point, PlantJoints::flexible, campaign.drives, earth_gravity_W, campaign.step,
               drawn_.touch),
        servo_{campaign, controller_.servo_damping()},
        wall_(drawn_.law),
        history_(result_.run) {
    const Control& control = campaign.control;
    const double distance = speed() * (control.ramp / 2 + control.cruise);
    controller_.start(controller_.posture_before_touch(distance));
    const VectorX wind_up = servo_.wind_up(controller_.command());
    plant_.set_state(controller_.command().q + wind_up, -wind_up, VectorX::Zero(robot_.size()));
    normal_ = campaign.point.normal_W.normalized();
    wall_position_ = normal_.dot(plant_.contact_position()) - distance + drawn_.wall;
    for (const auto& joint : campaign.detection_joints) detection_joints_.push_back(robot_.joint_index(joint));
    if (campaign.kind == CampaignKind::box) {
      const Vector3 touch = plant_.contact_position() + (drawn_.wall - distance) * normal_;
      box_.emplace(campaign.box, mass(), campaign.box.offsets[at_.offset], touch, normal_, campaign.step);
    }

    result_.trial.name = trial_name(campaign, at_);
    result_.trial.configuration = configuration().name;
    result_.trial.speed = speed();
    result_.trial.repeat = at_.repeat;
    result_.trial.clock_offset = drawn_.clock_offset;
    result_.run.truth.law = drawn_.law;
  }

  LabTrial run() && {
    const Control& control = campaign_.control;
    const double duration = control.ramp + control.cruise + control.after;
    const auto cycles = static_cast<Eigen::Index>(std::round(duration / control.period));
    JointSensor joint_sensor(campaign_.sensor, cycles, robot_.size(), result_.trial.joints, draw_);
    std::optional<ForceSensor> force_sensor;
    std::optional<PoseSensor> pose_sensor;
    if (box_)
      pose_sensor.emplace(campaign_.box, *box_, mass(), static_cast<Eigen::Index>(duration * campaign_.box.rate),
                          result_.trial.object, draw_);
    else
      force_sensor.emplace(campaign_.sensor, campaign_.step, duration, drawn_, draw_);
    Auditor auditor(plant_, result_.run.energy);
    const double object_energy = box_ ? box_->energy() : 0;
    const auto steps = static_cast<int>(std::round(control.period / campaign_.step));
    for (Eigen::Index cycle = 0; cycle < cycles; ++cycle) {
      const double t = static_cast<double>(cycle) * control.period;
      const Command& command = decide(t);
      joint_sensor.sample(cycle, t, plant_, command.torque_reference);
      check_alarm(cycle, t);
      for (int i = 0; i < steps; ++i) {
        const double since = i * campaign_.step;
        if (pose_sensor) pose_sensor->sample(t + since, campaign_.step);
        const double force = step(command, t, since);
        if (force_sensor) force_sensor->add(t + since, force);
      }
    }
    auditor.close();
    if (box_) {
      result_.run.energy.object = box_->energy() - object_energy;
      result_.run.energy.floor = box_->given_to_floor();
    }
    if (force_sensor) result_.trial.force = std::move(*force_sensor).record();
    return std::move(result_);
  }

 private:
  const Configuration& configuration() const { return campaign_.configurations[at_.configuration]; }
  double speed() const { return campaign_.speeds[at_.speed]; }
  double mass() const { return campaign_.box.masses[at_.mass]; }
  bool alarmed() const { return std::isfinite(result_.trial.alarm_time); }

  // Whether a delay that began at `from` is over; cycles begin at multiples of the period, but for rounding.
  bool passed(double t, double from, double delay) const { return t >= from + delay - 1e-6 * campaign_.control.period; }

  // After an alarm, the first cycle that the delay of the command allows retreats.
  const Command& decide(double t) {
    const Control& control = campaign_.control;
    if (alarmed() && passed(t, result_.trial.alarm_time, control.command_delay))
      return controller_.next(control.retreat_speed, control.retreat_acceleration);
    return controller_.next(-approach_speed(control, speed(), t));
  }

  void check_alarm(Eigen::Index cycle, double t) {
    const VectorX torque = result_.trial.joints.torque.row(cycle).transpose();
    if (!detected_ &&
        torque_residual(detection_joints_, torque, controller_.command().torque_reference) > configuration().threshold)
      detected_ = t;
    if (!alarmed() && detected_ && passed(t, *detected_, campaign_.control.detection_delay))
      result_.trial.alarm_time = t;
  }

  // What there is to be hit, at the contact point: its normal, how far the point is before it, how fast it recedes.
  struct Gap {
    Vector3 normal;
    double x;          // [m]
    Vector3 velocity;  // of the point relative to it [m/s]
  };
  Gap gap() {
    const Vector3 p = plant_.contact_position(), v = plant_.contact_velocity();
    if (!box_) return {normal_, normal_.dot(p) - wall_position_, v};
    return {box_->normal(), box_->faces(p) ? box_->distance(p) : std::numeric_limits<double>::infinity(),
            v - box_->velocity_at(p)};
  }

  // Friction on the robot while a force acts along the normal.
  Vector3 friction_on_robot(const Gap& gap, double force) {
    if (!(campaign_.contact_friction > 0 && force > 0)) return Vector3::Zero();
    Matrix3 W = plant_.contact_inverse_inertia();
    if (box_) W += box_->inverse_inertia_at(plant_.contact_position());
    return friction_force(campaign_.contact_friction, force, gap.normal, gap.velocity, W, campaign_.step);
  }

  void note_parting() {
    if (!box_ || parted_ || !history_.ended()) return;
    parted_ = true;
    result_.run.truth.object_speed = -normal_.dot(box_->velocity());
    result_.run.truth.object_spin = box_->angular_velocity()[2];
  }

  // One step of the plant, `since` seconds into the cycle that began at t. Returns the force of the wall.
  double step(const Command& command, double t, double since) {
    const double h = campaign_.step;
    const Gap before_step = gap();
    const double x = before_step.x;
    const double v = before_step.normal.dot(before_step.velocity);
    const PlantState before = plant_.state();
    const double force = wall_present_ ? wall_.push(x, v, h) : 0;
    if (wall_present_) {
      const bool free_before = !history_.touched();
      history_.add(t + since, x, v, force, h);
      if (free_before && history_.touched()) {
        result_.run.truth.q = before.q;
        result_.run.truth.dq = before.dq;
      }
      note_parting();
    }
    const VectorX motor = servo_.torque(command, before, since);
    const VectorX friction_torque = friction(campaign_.friction, before.dtheta);
    const Vector3 across = friction_on_robot(before_step, force);
    const Vector3 push = force * before_step.normal + across, at = plant_.contact_position();
    plant_.step(motor - friction_torque, push);
    if (box_) box_->step(-push, at);

    const PlantState after = plant_.state();
    const VectorX strain = before.dq - before.dtheta, strain_after = after.dq - after.dtheta;
    EnergyAudit& energy = result_.run.energy;
    energy.motor += Auditor::work(motor, before.dtheta, after.dtheta, h);
    energy.friction += Auditor::work(friction_torque, before.dtheta, after.dtheta, h);
    // MuJoCo damps implicitly: the damper sees the rate after the step
    energy.transmission += Auditor::work(campaign_.drives.damping.cwiseProduct(strain_after), strain, strain_after, h);
    const Vector3 after_velocity =
        box_ ? Vector3(plant_.contact_velocity() - box_->velocity_at(plant_.contact_position()))
             : plant_.contact_velocity();
    energy.wall -= h * force * (v + before_step.normal.dot(after_velocity)) / 2;
    energy.wall -= h * across.dot(before_step.velocity + after_velocity) / 2;
    return force;
  }

  const Campaign& campaign_;
  PlanIndex at_;
  const Robot& robot_;
  Draw draw_;
  RandomDraws drawn_;
  bool wall_present_;
  Controller controller_;
  Plant plant_;
  Servo servo_;
  Wall wall_;
  LabTrial result_;
  ContactHistory history_;
  std::vector<int> detection_joints_;
  std::optional<FloorBox> box_;     // in the place of the wall
  bool parted_ = false;             // whether the point has left it
  std::optional<double> detected_;  // when the residual first exceeded the threshold [s]
  Vector3 normal_;
  double wall_position_ = 0;  // along the normal [m]
};

}  // namespace

PlanIndex plan_index(const Campaign& campaign, std::size_t index) {
  const auto next = [&index](std::size_t count) {
    const std::size_t at = index % count;
    index /= count;
    return at;
  };
  PlanIndex at{};
  at.repeat = static_cast<int>(next(static_cast<std::size_t>(campaign.repeats))) + 1;
  at.speed = next(campaign.speeds.size());
  if (campaign.kind == CampaignKind::box) {
    at.offset = next(campaign.box.offsets.size());
    at.mass = next(campaign.box.masses.size());
  }
  at.configuration = index;
  return at;
}

std::size_t trial_count(const Campaign& campaign) {
  const std::size_t boxes =
      campaign.kind == CampaignKind::box ? campaign.box.masses.size() * campaign.box.offsets.size() : 1;
  return campaign.configurations.size() * boxes * campaign.speeds.size() * static_cast<std::size_t>(campaign.repeats);
}

std::string trial_name(const Campaign& campaign, const PlanIndex& at) {
  std::string text = campaign.configurations[at.configuration].name;
  if (campaign.kind == CampaignKind::box)
    text.append("_m")
        .append(to_text(campaign.box.masses[at.mass]))
        .append("_o")
        .append(to_text(campaign.box.offsets[at.offset]));
  text.append("_").append(to_text(campaign.speeds[at.speed])).append(at.repeat < 10 ? "_0" : "_");
  return text.append(std::to_string(at.repeat));
}

LabTrial run_trial(const Campaign& campaign, const Robot& robot, std::size_t index, WallPresence wall) {
  return TrialRun(campaign, robot, index, wall).run();
}

}  // namespace thud::lab
