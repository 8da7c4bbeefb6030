#include <thud/detect.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/lab.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "crew.hpp"
#include "plant.hpp"
#include "trial_run.hpp"
#include "wall.hpp"

namespace thud {
namespace {

LabTrial run(const Campaign& campaign, std::size_t index, bool wall_there) {
  validate(campaign);
  if (index >= trials(campaign))
    throw InputError("index", std::to_string(index), "the plan has " + std::to_string(trials(campaign)) + " trials");
  return run_trial(campaign, index, wall_there);
}

// Runs the trials that the writer does not have yet.
void run_missing(const Campaign& campaign, const DatasetHeader& common, DatasetWriter& writer,
                 const SimulateOptions& options) {
  std::vector<std::size_t> left;
  for (const auto& missing : writer.missing())
    left.push_back(
        static_cast<std::size_t>(std::find(common.plan.begin(), common.plan.end(), missing) - common.plan.begin()));
  std::size_t done = common.plan.size() - left.size();
  parallel_for(
      left.size(), options.jobs, [&](std::size_t i) { return simulate_trial(campaign, left[i]); },
      [&](std::size_t, const LabTrial& trial) {
        writer.store(trial.trial, trial.run.truth);
        if (options.progress) options.progress(++done, common.plan.size());
      },
      options.stop);
}

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
    const MatrixX external = external_torques(robot, log.time, log.position, log.velocity, log.torque, usual_gain);
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
  const ContactDynamics dynamics = contact_dynamics(robot, point, state.q);  // checks q and the point
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
  return run(campaign, index, true);
}

LabTrial simulate_free_motion(const Campaign& campaign, std::size_t index) {
  return run(campaign, index, false);
}

SimulateStatus simulate(const Campaign& campaign, const std::string& path, const SimulateOptions& options) {
  const DatasetHeader common = header(campaign);
  if (std::filesystem::exists(path)) {
    if (const auto other = difference(read_header(path), common))
      throw FileError(path, *other, "the file is of another campaign; choose another name");
    if (finished_trials(path).size() == common.plan.size()) return SimulateStatus::was_complete;
  }
  DatasetWriter writer(path, common);
  run_missing(campaign, common, writer, options);
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
