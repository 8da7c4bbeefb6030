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
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/parallel_for.hpp"
#include "lab/plant.hpp"
#include "lab/trial_run.hpp"
#include "lab/wall.hpp"

namespace THUD_EXPORT thud {
using namespace lab;
namespace {

LabTrial run_one(const Campaign& campaign, std::size_t index, WallPresence wall) {
  validate(campaign);
  const auto count = trial_count(campaign);
  if (index >= count)
    throw InputError("index", std::to_string(index), "the plan has " + std::to_string(count) + " trials");
  return run_trial(campaign, parse_urdf(campaign.urdf, campaign.robot), index, wall);
}

// Collects the trials of one cell.
class CellCollector {
 public:
  void add(const DatasetHeader& common, const Robot& robot, const Trial& trial, const Truth& truth) {
    ++trials_;
    if (std::isfinite(truth.touch_time)) {
      velocity_.push_back(-truth.velocity);
      if (std::isfinite(truth.contact_time)) contact_time_.push_back(truth.contact_time);
      peak_force_.push_back(truth.peak_force);
      impulse_compression_.push_back(truth.impulse_compression);
      if (std::isfinite(truth.object_speed)) object_speed_.push_back(truth.object_speed);
    }
    const auto configuration = std::find_if(common.configurations.begin(), common.configurations.end(),
                                            [&](const auto& each) { return each.name == trial.configuration; });
    const auto& log = trial.joints;
    const MatrixX external = external_torques(robot, log.time, log.position, log.velocity, log.torque, usual_gain);
    const auto alarm =
        find_alarm(log.time, external, ThresholdDetector(common.detection_joints, configuration->threshold));
    threshold_.add(trial.alarm_time, truth.touch_time);
    observer_.add(alarm ? alarm->time : std::numeric_limits<double>::quiet_NaN(), truth.touch_time);
  }

  void summarize(SimulatedCell& cell) const {
    cell.trials = trials_;
    cell.touched = velocity_.size();
    cell.velocity = spread_of(velocity_);
    cell.contact_time = spread_of(contact_time_);
    cell.peak_force = spread_of(peak_force_);
    cell.impulse_compression = spread_of(impulse_compression_);
    cell.object_speed = spread_of(object_speed_);
    cell.threshold = threshold_.summary();
    cell.observer = observer_.summary();
  }

 private:
  /// With the mean summed in Eigen's order, on which the last digits of the summary depend.
  static Spread spread_of(const std::vector<double>& values) {
    Spread result = spread(values);
    if (result.count > 0 && result.count == values.size())
      result.mean = Eigen::Map<const VectorX>(values.data(), static_cast<Eigen::Index>(values.size())).mean();
    return result;
  }

  struct Alarms {
    void add(double alarm, double touch) {
      const bool touched = std::isfinite(touch), alarmed = std::isfinite(alarm);
      if (touched && !alarmed) ++missed;
      if (alarmed && !(alarm >= touch)) ++early;  // before the touch, or without one
      if (alarmed && alarm >= touch) delays.push_back(alarm - touch);
    }
    DetectionSummary summary() const { return {spread_of(delays), early, missed}; }
    std::vector<double> delays;
    std::size_t early = 0, missed = 0;
  };

  std::size_t trials_ = 0;
  std::vector<double> velocity_, contact_time_, peak_force_, impulse_compression_, object_speed_;
  Alarms threshold_, observer_;
};

// Box and place in a trial's name, between its configuration and its speed.
std::string object_of(const Trial& trial) {
  if (trial.object.time.size() == 0) return "";
  const std::size_t start = trial.configuration.size() + 1;
  std::string speed = to_text(trial.speed);
  const std::size_t end = trial.name.rfind(speed.insert(0, 1, '_').append("_"));
  return end == std::string::npos || end < start ? "" : trial.name.substr(start, end - start);
}

}  // namespace

std::string_view to_string(PlantJoints joints) noexcept {
  switch (joints) {
    case PlantJoints::flexible:
      return "flexible";
    case PlantJoints::rigid:
      return "rigid";
    case PlantJoints::locked:
      break;
  }
  return "locked";
}

std::string_view to_string(SimulateStatus status) noexcept {
  switch (status) {
    case SimulateStatus::complete:
      return "complete";
    case SimulateStatus::was_complete:
      return "was_complete";
    case SimulateStatus::interrupted:
      break;
  }
  return "interrupted";
}

double EnergyAudit::remainder() const noexcept {
  return motor - kinetic - elastic - gravity - transmission - friction - wall - object - floor;
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
  const double wall_position = normal.dot(plant.contact_position());
  for (double t = 0; t < options.duration && !history.ended(); t = plant.time()) {
    const double x = normal.dot(plant.contact_position()) - wall_position;
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
  header.source = DataSource::simulated;
  header.robot = campaign.robot;
  header.urdf = campaign.urdf;
  header.point = campaign.point;
  for (const auto& joint : campaign.detection_joints) header.detection_joints.push_back(robot.joint_index(joint));
  header.configurations = campaign.configurations;
  for (std::size_t i = 0; i < trial_count(campaign); ++i)
    header.plan.push_back(trial_name(campaign, plan_index(campaign, i)));
  header.campaign = format_campaign(campaign);
  header.seed = campaign.seed;
  header.versions["thud"] = THUD_VERSION;
  header.versions["mujoco"] = mj_versionString();
  return header;
}

LabTrial simulate_trial(const Campaign& campaign, std::size_t index) {
  return run_one(campaign, index, WallPresence::present);
}

LabTrial simulate_free_motion(const Campaign& campaign, std::size_t index) {
  return run_one(campaign, index, WallPresence::absent);
}

struct CampaignWriter::State {
  DatasetHeader header;
  std::optional<DatasetWriter> writer{};  ///< none for a file that was complete
};

CampaignWriter::CampaignWriter(const std::string& path, const Campaign& campaign) : state_(std::make_unique<State>()) {
  state_->header = header(campaign);
  const DatasetHeader& common = state_->header;
  if (std::filesystem::exists(path)) {
    const DatasetReader old(path);
    if (const auto other = difference(old.header(), common))
      throw FileError(path, *other, "the file is of another campaign; choose another name");
    if (old.finished().size() == common.plan.size()) return;
  }
  state_->writer.emplace(path, common);
}

CampaignWriter::~CampaignWriter() = default;

bool CampaignWriter::complete() const noexcept {
  return !state_->writer;
}

std::size_t CampaignWriter::size() const noexcept {
  return state_->header.plan.size();
}

std::vector<std::size_t> CampaignWriter::missing() const {
  std::vector<std::size_t> indices;
  if (complete()) return indices;
  std::size_t index = 0;
  for (const auto& name : state_->writer->missing()) {  // in the order of the plan
    while (state_->header.plan[index] != name) ++index;
    indices.push_back(index);
  }
  return indices;
}

void CampaignWriter::store(const Trial& trial, const Truth& truth) {
  if (complete()) throw InputError("trial", trial.name, "the campaign is complete");
  state_->writer->store(trial, truth);
}

void CampaignWriter::finish() {
  if (complete()) return;
  state_->writer->finish();
  state_->writer.reset();
}

SimulateStatus simulate(const Campaign& campaign, const std::string& path, const RunOptions& run) {
  CampaignWriter writer(path, campaign);
  if (writer.complete()) return SimulateStatus::was_complete;
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  const auto missing = writer.missing();
  std::size_t done = writer.size() - missing.size();
  foundation::parallel_for(
      missing.size(), run.jobs,
      [&](std::size_t i) { return run_trial(campaign, robot, missing[i], WallPresence::present); },
      [&](std::size_t, const LabTrial& trial) {
        writer.store(trial.trial, trial.run.truth);
        if (run.progress) run.progress(++done, writer.size());
      },
      run.stop);
  if (!writer.missing().empty()) return SimulateStatus::interrupted;
  writer.finish();
  return SimulateStatus::complete;
}

std::vector<SimulatedCell> summarize_cells(const std::string& path) {
  const DatasetReader reader(path);
  std::vector<SimulatedCell> cells;
  std::vector<CellCollector> collectors;
  for (const auto& each : reader.finished()) {
    const Trial trial = reader.trial(each);
    const auto truth = reader.truth(each);
    if (!truth) throw FileError(path, each, "has no truth: only simulated trials can be judged by it");
    const std::string object = object_of(trial);
    if (cells.empty() || cells.back().configuration != trial.configuration || cells.back().speed != trial.speed ||
        cells.back().object != object) {
      cells.emplace_back();
      cells.back().configuration = trial.configuration;
      cells.back().object = object;
      cells.back().speed = trial.speed;
      collectors.emplace_back();
    }
    collectors.back().add(reader.header(), reader.robot(), trial, *truth);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) collectors[i].summarize(cells[i]);
  return cells;
}

}  // namespace thud
