#include <thud/batch.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/chunks.hpp"
#include "kernel/tree.hpp"
#include "kernel/tree_walk.hpp"
#include "mechanics/batch_memory.hpp"
#include "mechanics/contact_velocities.hpp"
#include "mechanics/least_norm.hpp"

namespace THUD_EXPORT thud {
using namespace mechanics;

namespace {

constexpr auto models = BatchMemory::models;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Postures per chunk of work: enough to make the cost of scheduling them negligible, and few enough to keep all cores
// busy. A multiple of every pack width, so that packs are the same whatever the number of threads.
constexpr Eigen::Index chunk = 1024;

std::string shape(const MatrixRef& matrix) {
  return std::to_string(matrix.cols()).append(" postures of ").append(std::to_string(matrix.rows())).append(" values");
}

// Sixteen at a time: a sum of values times zero is zero unless one of them is not finite.
bool all_finite(const MatrixRef& matrix) {
  constexpr Eigen::Index block = 16;
  if (matrix.outerStride() != matrix.rows()) return matrix.allFinite();
  const double* values = matrix.data();
  const Eigen::Index blocks = matrix.size() / block * block;
  Eigen::Array<double, block, 1> sum = Eigen::Array<double, block, 1>::Zero();
  for (Eigen::Index i = 0; i < blocks; i += block)
    sum += 0 * Eigen::Map<const Eigen::Array<double, block, 1>>(values + i);
  return (sum == 0).all() && matrix.reshaped().tail(matrix.size() - blocks).allFinite();
}

void validate(const Robot& robot, const MatrixRef& q, const MatrixRef& dq, const BatchOptions& options) {
  if (q.rows() != robot.size())
    throw InputError("q", shape(q),
                     "each needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  if (dq.cols() != 0 && (dq.rows() != q.rows() || dq.cols() != q.cols()))
    throw InputError("dq", shape(dq), "must have the shape of q, " + shape(q) + ", or no posture");
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InputError("restitution", options.restitution, "must be from 0 to 1");
  if (options.run.jobs < 0) throw InputError("jobs", std::to_string(options.run.jobs), "must be at least 0");
}

// Sizes the arrays that the options request.
void resize(Batch& batch, Eigen::Index n, Eigen::Index postures, BatchOutputs outputs, bool rates) {
  const bool everything = outputs == BatchOutputs::everything;
  const auto size = [&](bool requested, Eigen::Index rows, auto&... arrays) {
    (arrays.resize(requested ? rows : 0, requested ? postures : 0), ...);
  };
  const auto size_models = [&](bool requested, Eigen::Index rows, auto&... arrays) {
    size(requested, models * rows, BatchMemory::of(arrays)...);
  };
  size_models(true, 1, batch.effective_mass, batch.status);
  size(outputs != BatchOutputs::masses, 3, batch.p_WC);
  size(everything, 3, batch.com_W);
  size(everything, 9, batch.Ic_W);
  size(everything, 6 * n, batch.J, batch.A_G);
  size(everything, n * n, batch.M);
  size_models(everything, 9, batch.W);
  for (VectorX* array : {&batch.v_exact, &batch.v_approximate, &batch.ratio}) array->resize(rates ? postures : 0);
  size_models(rates, 1, batch.impulse_compression, batch.impulse_total);
  size_models(everything && rates, n, batch.joint_velocity_jump, batch.joint_velocity_jump_least_norm,
              batch.joint_impulse);
}

// What all threads share.
struct Task {
  const Robot& robot;
  const ContactPoint& point;
  const MatrixRef& q;
  const MatrixRef& dq;
  const BatchOptions& options;
  const kernel::InstructionSet& set = kernel::instruction_set();
  kernel::Tree tree{robot, point};
  const std::unique_ptr<const kernel::Walk> walk =
      is_walked() ? std::make_unique<kernel::Walk>(kernel::Frames(tree.arm).arm(), everything()) : nullptr;

  bool everything() const noexcept { return options.outputs == BatchOutputs::everything; }
  bool positions() const noexcept { return options.outputs != BatchOutputs::masses; }
  bool rates() const noexcept { return dq.cols() > 0; }

 private:
  // Where packs are walked, and that is faster. Jumps need a response that only the passes have. By the whole batch,
  // so that chunks are computed alike whatever the number of threads.
  bool is_walked() const noexcept {
    if (!tree.coordinates.empty() || (everything() && rates())) return false;
    return kernel::is_walked(set, tree.arm.size, q.cols(), everything());
  }
};

// Computes postures into their columns of the batch: packs of them by the kernel, and those near a singularity one by
// one. For one thread.
class BatchWorker {
 public:
  BatchWorker(const Task& task, Batch& batch)
      : task_(task),
        batch_(batch),
        scratch_(task.set, task.tree.arm.size),
        response_(3 * task.robot.size(), task.everything() && task.rates() ? chunk : 0) {}

  // Allocates only for the first posture that is computed on its own. Robots with followers are left to that: packs
  // know no projection.
  void compute(Eigen::Index begin, Eigen::Index end) {
    if (!task_.tree.coordinates.empty()) {
      for (Eigen::Index i = begin; i < end; ++i) compute_single(i);
      return;
    }
    const bool everything = task_.everything(), rates = task_.rates();
    const auto of = [&](bool requested, MatrixX& matrix) { return requested ? matrix.col(begin).data() : nullptr; };
    const auto at = [&](VectorX& vector) { return rates ? vector.data() + begin : nullptr; };
    const kernel::PostureBatch kernel{.q = task_.q.col(begin).data(),
                                      .dq = rates ? task_.dq.col(begin).data() : nullptr,
                                      .q_stride = task_.q.outerStride(),
                                      .dq_stride = task_.dq.outerStride(),
                                      .mass = of(true, BatchMemory::of(batch_.effective_mass)),
                                      .p_WC = of(task_.positions(), batch_.p_WC),
                                      .com_W = of(everything, batch_.com_W),
                                      .Ic_W = of(everything, batch_.Ic_W),
                                      .J = of(everything, batch_.J),
                                      .A_G = of(everything, batch_.A_G),
                                      .M = of(everything, batch_.M),
                                      .W = of(everything, BatchMemory::of(batch_.W)),
                                      .response = everything && rates ? response_.data() : nullptr,
                                      .v_exact = at(batch_.v_exact),
                                      .v_approximate = at(batch_.v_approximate),
                                      .ratio = at(batch_.ratio)};
    const bool actuated = task_.tree.arm.contact_chain >= 6, one_by_one = task_.options.pseudo_inverse && !actuated;
    std::fill_n(BatchMemory::of(batch_.status).col(begin).data(), models * (end - begin), InertiaStatus::ok);
    for (Eigen::Index i = begin; i < end && !actuated; ++i)
      BatchMemory::entry(batch_.status, InertiaModel::algebraic, i) = InertiaStatus::underactuated;
    task_.set.batch(task_.tree.arm, task_.walk ? &task_.walk->arm() : nullptr, kernel, end - begin, regular_.data(),
                    scratch_.data());
    const Eigen::Index width = task_.set.width;
    for (Eigen::Index first = 0, pack = 0; first < end - begin; first += width, ++pack) {
      const Eigen::Index count = std::min(width, end - begin - first);
      const unsigned regular = one_by_one ? 0 : regular_[static_cast<std::size_t>(pack)];
      if (!rates && regular == (1U << count) - 1) continue;
      for (Eigen::Index lane = 0; lane < count; ++lane) {
        if (!(regular >> lane & 1U))
          compute_single(begin + first + lane);
        else if (rates)
          complete(begin + first + lane, first + lane);
      }
    }
  }

 private:
  // Computes one posture at a time.
  struct Single {
    DynamicsWorkspace workspace;
    Prediction prediction;

    explicit Single(const Task& task) : workspace(task.robot, task.point), prediction(task.robot.size()) {}
  };

  // What the kernel leaves to the caller: impulses and velocity jumps.
  void complete(Eigen::Index i, Eigen::Index column) noexcept {
    for (const InertiaModel model : all_inertia_models)
      write_impulse(i, model,
                    normal_impulse(BatchMemory::entry(batch_.effective_mass, model, i), batch_.v_exact[i],
                                   task_.options.restitution));
    if (task_.everything()) write_jumps(i, response_.col(column));
  }

  void write_impulse(Eigen::Index i, InertiaModel model, const NormalImpulse& impulse) noexcept {
    BatchMemory::entry(batch_.impulse_compression, model, i) = impulse.compression;
    BatchMemory::entry(batch_.impulse_total, model, i) = impulse.total;
  }

  // The same jumps as predict, from the columns of the batch.
  void write_jumps(Eigen::Index i, const VectorRef& response) noexcept {
    const Eigen::Index n = task_.q.rows();
    const Eigen::Map<const Matrix6X> J(batch_.J.col(i).data(), 6, n);
    const Eigen::Map<const Eigen::MatrixXd> M_inv_JT(response.data(), n, 3);
    const Vector3 normal = Eigen::Map<const Vector3>(task_.tree.arm.normal_W);
    for (const InertiaModel model : all_inertia_models) {
      const Vector3 impulse_W = BatchMemory::entry(batch_.impulse_total, model, i) * normal;
      const Matrix3 W = Eigen::Map<const Matrix3>(BatchMemory::entries(batch_.W, model, i).data());
      BatchMemory::entries(batch_.joint_velocity_jump, model, i).noalias() = M_inv_JT.lazyProduct(impulse_W);
      BatchMemory::entries(batch_.joint_impulse, model, i).noalias() =
          J.topRows<3>().transpose().lazyProduct(impulse_W);
      least_norm_jump(J, W * impulse_W, BatchMemory::entries(batch_.joint_velocity_jump_least_norm, model, i));
    }
  }

  void compute_single(Eigen::Index i) {
    if (!single_) single_.emplace(task_);
    const bool everything = task_.everything(), rates = task_.rates();
    const ContactDynamics& dynamics = contact_dynamics(single_->workspace, task_.q.col(i));
    Prediction& prediction = single_->prediction;
    if (everything && rates)
      predict(dynamics, task_.dq.col(i), {task_.options.restitution, task_.options.pseudo_inverse}, prediction);
    else
      predict_masses(dynamics, i, prediction);

    write_masses(i, prediction);
    if (task_.positions()) batch_.p_WC.col(i) = dynamics.p_WC;
    if (everything) write_dynamics(i, dynamics, prediction);
    if (rates) write_impulses(i, prediction);
    if (everything && rates) write_jumps(i, prediction);
  }

  // As predict, without the jumps.
  void predict_masses(const ContactDynamics& dynamics, Eigen::Index i, Prediction& prediction) noexcept {
    const auto inertias = inverse_inertias(dynamics, {.pseudo_inverse = task_.options.pseudo_inverse});
    for (const InertiaModel model : all_inertia_models) prediction.models[model].inertia = inertias[model];
    if (!task_.rates()) return;
    const ContactVelocities velocities =
        contact_velocities(dynamics, task_.dq.col(i), inertias[InertiaModel::composite_rigid_body].exists());
    prediction.v_exact = velocities.exact;
    prediction.v_approximate = velocities.approximate;
    prediction.ratio = velocities.ratio;
    for (auto& model : prediction.models)
      model.impulse = normal_impulse(model.inertia.effective_mass(), velocities.exact, task_.options.restitution);
  }

  void write_masses(Eigen::Index i, const Prediction& prediction) noexcept {
    for (const InertiaModel model : all_inertia_models) {
      BatchMemory::entry(batch_.effective_mass, model, i) = prediction[model].inertia.effective_mass();
      BatchMemory::entry(batch_.status, model, i) = prediction[model].inertia.status;
    }
  }

  void write_dynamics(Eigen::Index i, const ContactDynamics& dynamics, const Prediction& prediction) noexcept {
    batch_.com_W.col(i) = dynamics.com_W;
    batch_.Ic_W.col(i) = dynamics.Ic_W.reshaped();
    batch_.J.col(i) = dynamics.J.reshaped();
    batch_.A_G.col(i) = dynamics.A_G.reshaped();
    batch_.M.col(i) = dynamics.M.reshaped();
    for (const InertiaModel model : all_inertia_models)
      BatchMemory::entries(batch_.W, model, i) = prediction[model].inertia.W.reshaped();
  }

  void write_impulses(Eigen::Index i, const Prediction& prediction) noexcept {
    batch_.v_exact[i] = prediction.v_exact;
    batch_.v_approximate[i] = prediction.v_approximate;
    batch_.ratio[i] = prediction.ratio;
    for (const InertiaModel model : all_inertia_models) write_impulse(i, model, prediction[model].impulse);
  }

  void write_jumps(Eigen::Index i, const Prediction& prediction) noexcept {
    for (const InertiaModel model : all_inertia_models) {
      const ModelPrediction& model_prediction = prediction[model];
      BatchMemory::entries(batch_.joint_velocity_jump, model, i) = model_prediction.joint_velocity_jump;
      BatchMemory::entries(batch_.joint_velocity_jump_least_norm, model, i) =
          model_prediction.joint_velocity_jump_least_norm;
      BatchMemory::entries(batch_.joint_impulse, model, i) = model_prediction.joint_impulse;
    }
  }

  const Task& task_;
  Batch& batch_;
  kernel::Scratch scratch_;
  MatrixX response_;                              // linear columns of M^-1 J^T of the postures of one chunk
  std::array<unsigned char, chunk / 2> regular_;  // bit masks of its packs, from the kernel
  std::optional<Single> single_;
};

// The postures into the batch, on the threads of the options.
void compute(const Task& task, Batch& batch) {
  foundation::compute_in_chunks(task.q.cols(), chunk, task.options.run,
                                [&] { return std::make_unique<BatchWorker>(task, batch); });
}

// Columns of a matrix with an entry that is not finite. They are zero from now on.
std::vector<Eigen::Index> take_out_unknown(MatrixX& matrix) {
  std::vector<Eigen::Index> unknown;
  for (Eigen::Index i = 0; i < matrix.cols(); ++i)
    if (!matrix.col(i).allFinite()) {
      matrix.col(i).setZero();
      unknown.push_back(i);
    }
  return unknown;
}

// NaN in column i of those that were requested.
template <class... Array>
void clear(Eigen::Index i, Array&... arrays) {
  ((arrays.cols() > 0 ? void(arrays.col(i).setConstant(missing)) : void()), ...);
}

// What follows from joint rates that are not known.
void clear_rates(Batch& batch, Eigen::Index i) {
  batch.v_exact[i] = batch.v_approximate[i] = batch.ratio[i] = missing;
  clear(i, BatchMemory::of(batch.impulse_compression), BatchMemory::of(batch.impulse_total),
        BatchMemory::of(batch.joint_velocity_jump), BatchMemory::of(batch.joint_velocity_jump_least_norm),
        BatchMemory::of(batch.joint_impulse));
}

// And from a posture.
void clear_posture(Batch& batch, Eigen::Index i) {
  BatchMemory::of(batch.status).col(i).setConstant(InertiaStatus::not_run);
  clear(i, BatchMemory::of(batch.effective_mass), batch.p_WC, batch.com_W, batch.Ic_W, batch.J, batch.A_G, batch.M,
        BatchMemory::of(batch.W));
  if (batch.v_exact.size() > 0) clear_rates(batch, i);
}

}  // namespace

std::string_view to_string(BatchOutputs outputs) noexcept {
  switch (outputs) {
    case BatchOutputs::masses:
      return "masses";
    case BatchOutputs::positions:
      return "positions";
    case BatchOutputs::everything:
      return "everything";
  }
  return "";
}

Batch predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                    const BatchOptions& options) {
  Batch batch;
  predict_batch(robot, point, q, dq, options, batch);
  return batch;
}

void predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                   const BatchOptions& options, Batch& batch) {
  validate(robot, q, dq, options);
  const Task task{robot, point, q, dq, options};  // rejects a bad contact point even without postures
  resize(batch, robot.size(), q.cols(), options.outputs, task.rates());
  if (all_finite(q) && all_finite(dq)) {
    compute(task, batch);
    return;
  }
  MatrixX known_q = q, known_dq = dq;
  const auto without_q = take_out_unknown(known_q), without_dq = take_out_unknown(known_dq);
  compute(Task{robot, point, known_q, known_dq, options}, batch);
  for (const Eigen::Index i : without_dq) clear_rates(batch, i);
  for (const Eigen::Index i : without_q) clear_posture(batch, i);
}

}  // namespace thud
