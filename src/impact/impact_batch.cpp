#include <thud/error.hpp>
#include <thud/impact_batch.hpp>
#include <thud/impact_prediction.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "foundation/chunks.hpp"
#include "impact/problem.hpp"
#include "impact/rigid_body.hpp"
#include "mechanics/batch_memory.hpp"

namespace THUD_EXPORT thud {
using namespace impacting;
namespace {

using mechanics::BatchMemory;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr Eigen::Index rows_per_chunk = 256;

// An input of which each row has a column, or all rows the same.
struct RowInput {
  const char* name;
  MatrixRef values;
  Eigen::Index size;  // of a column
  bool required = false;

  bool empty() const noexcept { return values.cols() == 0; }
  auto of(Eigen::Index row) const noexcept { return values.col(values.cols() == 1 ? 0 : row); }
};

// The inputs of all rows, with shapes that fit.
struct Inputs {
  RowInput q, dq, offset, normal, mass, inertia, com, velocity, angular_velocity;
  const std::vector<std::string>& frame;
  Eigen::Index rows = 0;

  Inputs(const Robot& robot, const MatrixRef& q_given, const MatrixRef& dq_given, const ImpactBatchOptions& options)
      : q{"q", q_given, robot.size(), true},
        dq{"dq", dq_given, robot.size(), true},
        offset{"offset", options.offset, 3},
        normal{"normal_W", options.normal_W, 3},
        mass{"object_mass", options.object_mass.transpose(), 1},
        inertia{"object_inertia_W", options.object_inertia_W, 9},
        com{"object_com_W", options.object_com_W, 3},
        velocity{"object_velocity", options.object_velocity, 3},
        angular_velocity{"object_angular_velocity", options.object_angular_velocity, 3},
        frame(options.frame) {
    const RowInput* const all[] = {&q, &dq, &offset, &normal, &mass, &inertia, &com, &velocity, &angular_velocity};
    rows = static_cast<Eigen::Index>(frame.size());
    for (const RowInput* input : all) rows = std::max(rows, input->values.cols());
    if (q.empty() || dq.empty()) rows = 0;
    for (const RowInput* input : all) check(*input);
    check_count("frame", static_cast<Eigen::Index>(frame.size()), false);
    for (const RowInput* input : {&inertia, &com, &velocity, &angular_velocity})
      if (!input->empty() && mass.empty())
        throw InputError(input->name, std::to_string(input->values.cols()) + " rows",
                         "is of an object: it needs object_mass");
  }

  std::optional<Object> object(Eigen::Index row) const {
    if (mass.empty()) return std::nullopt;
    Object object{.mass = mass.of(row)[0]};
    if (!inertia.empty()) object.inertia_W = inertia.of(row).reshaped(3, 3);
    if (!com.empty()) object.com_W = com.of(row);
    if (!velocity.empty()) object.velocity = velocity.of(row);
    if (!angular_velocity.empty()) object.angular_velocity = angular_velocity.of(row);
    return object;
  }

 private:
  void check(const RowInput& input) const {
    check_count(input.name, input.values.cols(), input.required);
    if (input.values.cols() > 0 && input.values.rows() != input.size)
      throw InputError(input.name, std::to_string(input.values.rows()) + " values per row",
                       "each needs " + std::to_string(input.size));
  }
  void check_count(const char* name, Eigen::Index count, bool required) const {
    const bool fits = count == rows || count == 1 || (count == 0 && !required);
    if (!fits)
      throw InputError(name, std::to_string(count) + " rows",
                       "needs " + std::to_string(rows) + ", as others have, or one for all of them");
  }
};

// What all threads share.
struct ImpactTask {
  const Robot& robot;
  const ContactPoint& point;
  const ImpactBatchOptions& options;
  Inputs inputs;
  std::vector<std::string>& reasons;  // of each row; empty: it is not refused
};

// Sizes the arrays, for numbers that do not exist.
void clear(ImpactBatch& batch, Eigen::Index joints, Eigen::Index rows, bool objects, bool jumps) {
  const auto size = [&](bool requested, Eigen::Index each, auto&... arrays) {
    (BatchMemory::of(arrays).setConstant(requested ? BatchMemory::models * each : 0, requested ? rows : 0, no_number),
     ...);
  };
  batch.p_WC.setConstant(3, rows, no_number);
  batch.velocity.setConstant(3, rows, no_number);
  batch.v_normal.setConstant(rows, no_number);
  batch.v_tangential.setConstant(rows, no_number);
  BatchMemory::of(batch.inertia).setConstant(BatchMemory::models, rows, InertiaStatus::not_run);
  BatchMemory::of(batch.status).setConstant(BatchMemory::models, rows, ImpactStatus::not_run);
  BatchMemory::of(batch.phase_mode).setConstant(2 * BatchMemory::models, rows, ContactMode::slip);
  size(true, 3, batch.impulse, batch.velocity_after);
  size(true, 1, batch.compression, batch.energy_lost);
  size(true, 2, batch.phase_impulse);
  size(objects, 3, batch.object_velocity, batch.object_angular_velocity);
  size(jumps, joints, batch.joint_velocity_jump, batch.joint_velocity_jump_least_norm, batch.joint_impulse);
}

// Computes rows into their columns of the batch. For one thread.
class ImpactWorker {
 public:
  ImpactWorker(const ImpactTask& task, ImpactBatch& batch)
      : task_(task),
        batch_(batch),
        options_{.friction = task.options.friction,
                 .restitution = task.options.restitution,
                 .kind = task.options.kind,
                 .pseudo_inverse = task.options.pseudo_inverse},
        prediction_(task.robot.size()) {}

  void compute(Eigen::Index begin, Eigen::Index end) {
    for (Eigen::Index row = begin; row < end; ++row) try {
        const ContactDynamics& dynamics = valid_dynamics(row);
        predict_impact(dynamics, task_.inputs.dq.of(row), options_, prediction_);
        write(row, dynamics);
      } catch (const InputError& error) {
        task_.reasons[static_cast<std::size_t>(row)] = error.what();
      } catch (const RobotError& error) {
        task_.reasons[static_cast<std::size_t>(row)] = error.what();
      }
  }

 private:
  // Throws what single queries throw.
  const ContactDynamics& valid_dynamics(Eigen::Index row) {
    const Inputs& inputs = task_.inputs;
    const auto q = inputs.q.of(row), dq = inputs.dq.of(row);
    if (!q.allFinite()) validate_positions(task_.robot, q);
    DynamicsWorkspace& workspace = workspace_at(row);
    const Vector3 offset = inputs.offset.empty() ? task_.point.offset : Vector3(inputs.offset.of(row));
    const Vector3 normal = inputs.normal.empty() ? task_.point.normal_W : Vector3(inputs.normal.of(row));
    workspace.set_contact(offset, normal);
    if (!dq.allFinite()) validate_velocities(task_.robot, dq);
    options_.object = inputs.object(row);
    if (options_.object) impacting::validate(*options_.object);
    return contact_dynamics(workspace, q);
  }

  // That of the link which a row hits.
  DynamicsWorkspace& workspace_at(Eigen::Index row) {
    const std::vector<std::string>& frame = task_.inputs.frame;
    const std::string& name =
        frame.empty() ? task_.point.frame : frame[frame.size() == 1 ? 0 : static_cast<std::size_t>(row)];
    const auto found = workspaces_.find(name);
    if (found != workspaces_.end()) return found->second;
    ContactPoint point{.frame = name, .whole = task_.point.whole};
    return workspaces_.emplace(name, DynamicsWorkspace(task_.robot, point)).first->second;
  }

  void write(Eigen::Index row, const ContactDynamics& dynamics) noexcept {
    batch_.p_WC.col(row) = dynamics.p_WC;
    batch_.velocity.col(row) = prediction_.velocity;
    batch_.v_normal[row] = prediction_.v_normal;
    batch_.v_tangential[row] = prediction_.v_tangential;
    for (const InertiaModel model : all_inertia_models) {
      const ModelImpact& result = prediction_[model];
      BatchMemory::entry(batch_.inertia, model, row) = result.inertia;
      BatchMemory::entry(batch_.status, model, row) = result.impact.status;
      BatchMemory::entries(batch_.impulse, model, row) = result.impact.impulse;
      BatchMemory::entries(batch_.velocity_after, model, row) = result.velocity_after;
      BatchMemory::entry(batch_.compression, model, row) = result.impact.compression;
      BatchMemory::entry(batch_.energy_lost, model, row) = result.impact.energy_lost;
      for (std::size_t i = 0; i < result.impact.phases.size(); ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        BatchMemory::entries(batch_.phase_mode, model, row)[at] = result.impact.phases[i].mode;
        BatchMemory::entries(batch_.phase_impulse, model, row)[at] = result.impact.phases[i].normal_impulse;
      }
      if (options_.object) {
        BatchMemory::entries(batch_.object_velocity, model, row) = result.object.velocity;
        BatchMemory::entries(batch_.object_angular_velocity, model, row) = result.object.angular_velocity;
      }
      if (task_.options.jumps) {
        BatchMemory::entries(batch_.joint_velocity_jump, model, row) = result.joint_velocity_jump;
        BatchMemory::entries(batch_.joint_velocity_jump_least_norm, model, row) = result.joint_velocity_jump_least_norm;
        BatchMemory::entries(batch_.joint_impulse, model, row) = result.joint_impulse;
      }
    }
  }

  const ImpactTask& task_;
  ImpactBatch& batch_;
  ImpactPredictionOptions options_;  // with the object of the present row
  ImpactPrediction prediction_;
  std::map<std::string, DynamicsWorkspace> workspaces_;
};

}  // namespace

ImpactBatch predict_impact_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                                 const ImpactBatchOptions& options) {
  validate(ImpactOptions{options.friction, options.restitution, options.kind});
  if (options.run.jobs < 0) throw InputError("jobs", std::to_string(options.run.jobs), "must be at least 0");
  std::vector<std::string> reasons;
  const ImpactTask task{robot, point, options, Inputs(robot, q, dq, options), reasons};
  const Eigen::Index rows = task.inputs.rows;
  reasons.resize(static_cast<std::size_t>(rows));
  ImpactBatch batch;
  clear(batch, robot.size(), rows, options.object_mass.size() > 0, options.jumps);
  foundation::compute_in_chunks(rows, rows_per_chunk, options.run,
                                [&] { return std::make_unique<ImpactWorker>(task, batch); });
  for (Eigen::Index row = 0; row < rows; ++row)
    if (std::string& reason = reasons[static_cast<std::size_t>(row)]; !reason.empty())
      batch.refused.push_back({row, std::move(reason)});
  return batch;
}

}  // namespace thud
