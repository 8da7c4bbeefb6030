#include "study/trial.hpp"

#include <thud/detect.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "study/joint_log.hpp"

namespace thud::studying {
namespace {

constexpr double quiet_time = 50e-3;  // of free motion before the touch, in which no alarm may occur       [s]

void set_velocities(const StudySetup& setup, Touch& touch) {
  const ContactDynamics dynamics = contact_dynamics(setup.robot, setup.header.point, touch.q);
  touch.v_exact = contact_velocity(dynamics, touch.dq);
  touch.v_approximate = approximate_contact_velocity(dynamics, touch.dq);
  touch.ratio = approximate_to_exact(dynamics, touch.dq);
}

// Integral of the contact force over the window, which begins at zero force.
double window_impulse(const Record& record, const ContactWindow& window) {
  const Record contact = contact_samples(record, window);
  double impulse = contact.force.front() * (contact.time.front() - window.start) / 2;
  for (std::size_t i = 1; i < contact.time.size(); ++i)
    impulse += (contact.force[i] + contact.force[i - 1]) * (contact.time[i] - contact.time[i - 1]) / 2;
  return impulse;
}

// Whether a log has samples of the free motion before the touch.
bool has_quiet_part(const VectorX& time, double touch) {
  return std::any_of(time.begin(), time.end(), [&](double t) { return t >= touch - quiet_time && t <= touch; });
}

// Delay of the alarm on residuals that are quiet before the touch; NaN if they are not, or without an alarm.
template <class... Residuals>
double delay_on_log(const ThresholdDetector& detector, const VectorX& time, double touch,
                    const Residuals&... residuals) {
  if (!has_quiet_part(time, touch)) return std::numeric_limits<double>::quiet_NaN();
  if (quiet_level(time, residuals..., detector.joints(), touch - quiet_time, touch) > detector.threshold())
    return std::numeric_limits<double>::quiet_NaN();
  const auto alarm = find_alarm(time, residuals..., detector, touch);
  return alarm ? alarm->time - touch : std::numeric_limits<double>::quiet_NaN();
}

void find_delays(const StudySetup& setup, const Trial& trial, double touch, TrialStudy& result) {
  if (std::isfinite(trial.alarm_time)) {
    if (trial.alarm_time >= touch)
      result.detection_delay = trial.alarm_time - touch;
    else
      result.warnings.push_back({WarningCode::early_alarm, trial.name, "the controller's alarm came before the touch"});
  }
  const double threshold = configuration_of(setup.header, trial.configuration).threshold;
  const JointLog& joints = trial.joints;
  if (setup.header.detection_joints.empty() || std::isnan(threshold) || joints.torque.size() == 0) return;
  const ThresholdDetector detector(setup.header.detection_joints, threshold);
  if (std::isnan(trial.alarm_time) && joints.torque_reference.size() > 0)
    result.detection_delay =
        delay_on_log(detector, joints.time, touch, MatrixRef(joints.torque), MatrixRef(joints.torque_reference));
  if (joints.position.size() > 0 && joints.velocity.size() > 0) {
    const MatrixX external =
        external_torques(setup.robot, joints.time, joints.position, joints.velocity, joints.torque, usual_gain);
    result.observer_delay = delay_on_log(detector, joints.time, touch, MatrixRef(external));
  }
}

// Quantities from the record alone.
void read_window(const Trial& trial, const ContactWindow& window, TrialStudy& result) {
  result.peak_force = window.peak;
  result.peak_time = window.peak_time - window.start;
  if (window.status == ContactStatus::cut_at_end) return;  // neither its length nor its whole impulse is known
  result.contact_time = window.end - window.start;
  result.impulse_total = window_impulse(trial.force, window);
}

}  // namespace

ResidualSummary summary_of(const Record& contact, const VectorX& residuals) {
  if (residuals.size() == 0) return {};
  return summarize_residuals(Eigen::Map<const Eigen::VectorXd>(contact.time.data(), residuals.size()), residuals);
}

std::optional<Touch> logged_touch(const StudySetup& setup, const JointLog& joints, double touch_time) {
  if (joints.position.size() == 0) return std::nullopt;
  const Rows rows = rows_before(joints.time, touch_time);
  const bool rates = joints.velocity.size() > 0;
  if (rows.count() < (rates ? 1 : 2)) return std::nullopt;
  const VectorX time = joints.time.segment(rows.first, rows.count());
  const MatrixX position = joints.position.middleRows(rows.first, rows.count());
  Touch touch;
  touch.source = VelocitySource::joints;
  if (rates)
    touch.dq = joints.velocity.middleRows(rows.first, rows.count()).colwise().mean().transpose();
  else
    touch.dq = slopes(time, position);
  touch.q = position.colwise().mean().transpose() + touch.dq * (touch_time - time.mean());
  set_velocities(setup, touch);
  return touch;
}

const Configuration& configuration_of(const DatasetHeader& header, const std::string& name) {
  return *std::ranges::find(header.configurations, name, &Configuration::name);
}

Touch reference_touch(const StudySetup& setup, const Configuration& configuration, double speed) {
  Touch touch;
  touch.q = configuration.q;
  touch.dq = VectorX::Constant(setup.robot.size(), std::numeric_limits<double>::quiet_NaN());
  if (const auto motion = find_approach(contact_dynamics(setup.robot, setup.header.point, touch.q), speed)) {
    touch.dq = motion->dq;
    set_velocities(setup, touch);
  }
  return touch;
}

TrialStudy study_trial(const StudySetup& setup, const Trial& trial) {
  TrialStudy result;
  result.name = trial.name;
  result.configuration = trial.configuration;
  result.speed = trial.speed;
  result.repeat = trial.repeat;
  if (trial.force.time.empty()) {
    result.status = TrialStatus::no_force;
    result.message = "it has no force record";
    return result;
  }
  result.period = sampling(trial.force).period;
  const ContactWindow window = find_contact(trial.force);
  result.found.window = window;
  if (!usable(window)) {
    result.status = TrialStatus::no_contact;
    result.message = window.message;
    return result;
  }

  const double touch_time = window.start + trial.clock_offset;
  const auto logged = logged_touch(setup, trial.joints, touch_time);
  result.touch =
      logged ? *logged : reference_touch(setup, configuration_of(setup.header, trial.configuration), trial.speed);
  if (!(result.touch.v_exact < 0)) {
    result.status = logged ? TrialStatus::no_approach : TrialStatus::not_approachable;
    result.message = logged ? "the joint log says that the contact point does not approach"
                            : "the contact point cannot move along the normal alone in the nominal posture";
    return result;
  }

  result.status = TrialStatus::ok;
  result.message.clear();
  result.found = identify(trial.force, window, result.touch.v_exact);
  const Record& contact = result.found.contact;
  std::vector<VectorX> left;
  for (const FitResult& law : result.found.laws) left.push_back(residuals(contact, law));
  const auto samples = static_cast<Eigen::Index>(contact.time.size());
  result.residuals = summarize_residuals(Eigen::Map<const Eigen::VectorXd>(contact.time.data(), samples), left);
  read_window(trial, result.found.window, result);
  if (const FitResult* law = result.law(LawKind::viscoelastic))
    result.impulse_compression = law->measured_impulse_compression;
  find_delays(setup, trial, touch_time, result);
  return result;
}

}  // namespace thud::studying
