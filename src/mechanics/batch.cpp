#include <thud/batch.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/parallel_for.hpp"
#include "kernel/tree.hpp"
#include "mechanics/least_norm.hpp"

namespace THUD_EXPORT thud {
using namespace kernel;
using namespace mechanics;
namespace {

// Postures that a thread takes at once: enough that to take them, or to start a thread for them, costs little, few
// enough to keep all cores busy. A multiple of every pack, so that packs are the same whatever the number of threads.
constexpr Eigen::Index chunk = 1024;

std::string shape(const MatrixRef& matrix) {
  return std::to_string(matrix.cols()).append(" postures of ").append(std::to_string(matrix.rows())).append(" values");
}

// Sixteen at a time: a sum of products with zero is zero unless one of them is not finite.
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

void require_finite(const char* argument, const MatrixRef& matrix, const Robot& robot) {
  if (all_finite(matrix)) return;
  for (Eigen::Index i = 0; i < matrix.cols(); ++i)
    for (Eigen::Index j = 0; j < matrix.rows(); ++j)
      if (!std::isfinite(matrix(j, i)))
        throw InputError(argument, matrix(j, i),
                         "must be finite (" + robot.joints()[static_cast<std::size_t>(j)].name + " of posture " +
                             std::to_string(i) + ")");
}

void validate(const Robot& robot, const MatrixRef& q, const MatrixRef& dq, const BatchOptions& options) {
  if (q.rows() != robot.size())
    throw InputError("q", shape(q),
                     "each needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  if (dq.cols() != 0 && (dq.rows() != q.rows() || dq.cols() != q.cols()))
    throw InputError("dq", shape(dq), "must be as q, " + shape(q) + ", or no posture");
  require_finite("q", q, robot);
  require_finite("dq", dq, robot);
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InputError("restitution", options.restitution, "must be from 0 to 1");
  if (options.jobs < 0) throw InputError("jobs", std::to_string(options.jobs), "must be at least 0");
}

// The arrays that the options ask for.
void resize(Batch& batch, Eigen::Index n, Eigen::Index postures, bool everything, bool rates) {
  const auto size = [&](bool asked, Eigen::Index rows, auto&... arrays) {
    (arrays.resize(asked ? rows : 0, asked ? postures : 0), ...);
  };
  batch.mass.resize(4, postures);
  batch.status.resize(4 * static_cast<std::size_t>(postures));
  size(everything, 3, batch.p_WC, batch.com_W);
  size(everything, 9, batch.Ic_W);
  size(everything, 6 * n, batch.J, batch.A_G);
  size(everything, n * n, batch.M);
  size(everything, 36, batch.W);
  for (VectorX* each : {&batch.v_exact, &batch.v_approximate, &batch.ratio}) each->resize(rates ? postures : 0);
  size(rates, 4, batch.impulse_compression, batch.impulse_total);
  size(everything && rates, 4 * n, batch.joint_velocity_jump, batch.joint_velocity_jump_least_norm,
       batch.joint_impulse);
}

// What is the same for all threads.
struct Task {
  const Robot& robot;
  const ContactPoint& point;
  const MatrixRef& q;
  const MatrixRef& dq;
  const BatchOptions& options;
  const InstructionSet& set = instruction_set();
  KernelTree tree{robot, point};

  bool everything() const noexcept { return options.outputs == BatchOutputs::everything; }
  bool rates() const noexcept { return dq.cols() > 0; }
};

// Postures into their columns of the batch: packs of them through the kernel, and those that are not plainly regular
// one by one.
class Sweep {
 public:
  Sweep(const Task& task, Batch& batch)
      : task_(task),
        batch_(batch),
        scratch_(task.set, task.robot.size()),
        response_(3 * task.robot.size(), task.everything() && task.rates() ? chunk : 0) {}

  // Allocates for the first posture that is computed alone, and no more.
  void compute(Eigen::Index begin, Eigen::Index end) {
    const bool everything = task_.everything(), rates = task_.rates();
    const auto of = [&](bool asked, MatrixX& matrix) { return asked ? matrix.col(begin).data() : nullptr; };
    const auto at = [&](VectorX& vector) { return rates ? vector.data() + begin : nullptr; };
    const KernelBatch kernel{.q = task_.q.col(begin).data(),
                             .dq = rates ? task_.dq.col(begin).data() : nullptr,
                             .q_stride = task_.q.outerStride(),
                             .dq_stride = task_.dq.outerStride(),
                             .mass = batch_.mass.col(begin).data(),
                             .p_WC = of(everything, batch_.p_WC),
                             .com_W = of(everything, batch_.com_W),
                             .Ic_W = of(everything, batch_.Ic_W),
                             .J = of(everything, batch_.J),
                             .A_G = of(everything, batch_.A_G),
                             .M = of(everything, batch_.M),
                             .W = of(everything, batch_.W),
                             .response = everything && rates ? response_.data() : nullptr,
                             .v_exact = at(batch_.v_exact),
                             .v_approximate = at(batch_.v_approximate),
                             .ratio = at(batch_.ratio)};
    const bool actuated = task_.tree.arm.carriers >= 6, alone = task_.options.pseudo_inverse && !actuated;
    std::fill(batch_.status.begin() + 4 * begin, batch_.status.begin() + 4 * end, InertiaStatus::ok);
    for (Eigen::Index i = begin; i < end && !actuated; ++i)
      batch_.status[static_cast<std::size_t>(4 * i)] = InertiaStatus::underactuated;
    task_.set.batch(task_.tree.arm, kernel, end - begin, regular_.data(), scratch_.data());
    const Eigen::Index width = task_.set.width;
    for (Eigen::Index first = 0, pack = 0; first < end - begin; first += width, ++pack) {
      const Eigen::Index count = std::min(width, end - begin - first);
      const unsigned regular = alone ? 0 : regular_[static_cast<std::size_t>(pack)];
      if (!rates && regular == (1U << count) - 1) continue;
      for (Eigen::Index lane = 0; lane < count; ++lane) {
        if (!(regular >> lane & 1U))
          compute_alone(begin + first + lane);
        else if (rates)
          complete(begin + first + lane, first + lane);
      }
    }
  }

 private:
  // For one posture at a time.
  struct Single {
    Workspace workspace;
    Prediction prediction;

    explicit Single(const Task& task) : workspace(task.robot, task.point), prediction(task.robot.size()) {}
  };

  // What the kernel leaves to do: impulses, jumps.
  void complete(Eigen::Index i, Eigen::Index column) noexcept {
    for (Eigen::Index o = 0; o < 4; ++o) {
      const NormalImpulse impulse = normal_impulse(batch_.mass(o, i), batch_.v_exact[i], task_.options.restitution);
      batch_.impulse_compression(o, i) = impulse.compression;
      batch_.impulse_total(o, i) = impulse.total;
    }
    if (task_.everything()) write_jumps(i, response_.col(column));
  }

  // The jumps of predict, from the columns of the batch.
  void write_jumps(Eigen::Index i, const VectorRef& response) noexcept {
    const Eigen::Index n = task_.q.rows();
    const Eigen::Map<const Matrix6X> J(batch_.J.col(i).data(), 6, n);
    const Eigen::Map<const Eigen::MatrixXd> M_inv_JT(response.data(), n, 3);
    const Vector3 normal = Eigen::Map<const Vector3>(task_.tree.arm.normal_W);
    for (Eigen::Index o = 0; o < 4; ++o) {
      const Vector3 impulse_W = batch_.impulse_total(o, i) * normal;
      const Matrix3 W = Eigen::Map<const Matrix3>(batch_.W.col(i).data() + 9 * o);
      batch_.joint_velocity_jump.col(i).segment(n * o, n).noalias() = M_inv_JT.lazyProduct(impulse_W);
      batch_.joint_impulse.col(i).segment(n * o, n).noalias() = J.topRows<3>().transpose().lazyProduct(impulse_W);
      least_norm_jump(J, W * impulse_W, batch_.joint_velocity_jump_least_norm.col(i).segment(n * o, n));
    }
  }

  void compute_alone(Eigen::Index i) {
    if (!single_) single_.emplace(task_);
    const bool everything = task_.everything(), rates = task_.rates();
    const ContactDynamics& dynamics = contact_dynamics(single_->workspace, task_.q.col(i));
    Prediction& prediction = single_->prediction;
    if (everything && rates)
      predict(dynamics, task_.dq.col(i), {task_.options.restitution, task_.options.pseudo_inverse}, prediction);
    else
      predict_masses(dynamics, i, prediction);

    write_masses(i, prediction);
    if (everything) write_dynamics(i, dynamics, prediction);
    if (rates) write_impulses(i, prediction);
    if (everything && rates) write_jumps(i, prediction);
  }

  // What predict does, less the jumps.
  void predict_masses(const ContactDynamics& dynamics, Eigen::Index i, Prediction& prediction) noexcept {
    const InverseInertias inertias = inverse_inertias(dynamics, {.pseudo_inverse = task_.options.pseudo_inverse});
    for (const Option option : all_options)
      prediction.options[static_cast<std::size_t>(option)].inertia = of(inertias, option);
    if (!task_.rates()) return;
    prediction.v_exact = contact_velocity(dynamics, task_.dq.col(i));
    prediction.v_approximate = approximate_contact_velocity(dynamics, task_.dq.col(i));
    prediction.ratio = approximate_to_exact(dynamics, task_.dq.col(i));
    for (auto& option : prediction.options)
      option.impulse = normal_impulse(option.inertia.mass, prediction.v_exact, task_.options.restitution);
  }

  void write_masses(Eigen::Index i, const Prediction& prediction) noexcept {
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      const InverseInertia& inertia = prediction.options[o].inertia;
      batch_.mass(static_cast<Eigen::Index>(o), i) = inertia.mass;
      batch_.status[all_options.size() * static_cast<std::size_t>(i) + o] = inertia.status;
    }
  }

  void write_dynamics(Eigen::Index i, const ContactDynamics& dynamics, const Prediction& prediction) noexcept {
    batch_.p_WC.col(i) = dynamics.p_WC;
    batch_.com_W.col(i) = dynamics.com_W;
    batch_.Ic_W.col(i) = dynamics.Ic_W.reshaped();
    batch_.J.col(i) = dynamics.J.reshaped();
    batch_.A_G.col(i) = dynamics.A_G.reshaped();
    batch_.M.col(i) = dynamics.M.reshaped();
    for (std::size_t o = 0; o < all_options.size(); ++o)
      batch_.W.col(i).segment<9>(9 * static_cast<Eigen::Index>(o)) = prediction.options[o].inertia.W.reshaped();
  }

  void write_impulses(Eigen::Index i, const Prediction& prediction) noexcept {
    batch_.v_exact[i] = prediction.v_exact;
    batch_.v_approximate[i] = prediction.v_approximate;
    batch_.ratio[i] = prediction.ratio;
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      batch_.impulse_compression(static_cast<Eigen::Index>(o), i) = prediction.options[o].impulse.compression;
      batch_.impulse_total(static_cast<Eigen::Index>(o), i) = prediction.options[o].impulse.total;
    }
  }

  void write_jumps(Eigen::Index i, const Prediction& prediction) noexcept {
    const Eigen::Index n = task_.q.rows();
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      const OptionPrediction& option = prediction.options[o];
      const Eigen::Index at = n * static_cast<Eigen::Index>(o);
      batch_.joint_velocity_jump.col(i).segment(at, n) = option.joint_velocity_jump;
      batch_.joint_velocity_jump_least_norm.col(i).segment(at, n) = option.joint_velocity_jump_least_norm;
      batch_.joint_impulse.col(i).segment(at, n) = option.joint_impulse;
    }
  }

  const Task& task_;
  Batch& batch_;
  KernelScratch scratch_;
  MatrixX response_;                              // linear columns of M^-1 J^T of the postures of one chunk
  std::array<unsigned char, chunk / 2> regular_;  // of its packs, as the kernel has it
  std::optional<Single> single_;
};

// A sweep for each thread, kept for its next postures.
class Sweeps {
 public:
  Sweeps(const Task& task, Batch& batch) : task_(task), batch_(batch) {}

  void compute(Eigen::Index begin, Eigen::Index end) {
    std::unique_ptr<Sweep> sweep = take();
    if (!sweep) sweep = std::make_unique<Sweep>(task_, batch_);
    sweep->compute(begin, end);
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(sweep));
  }

 private:
  std::unique_ptr<Sweep> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<Sweep> sweep = std::move(idle_.back());
    idle_.pop_back();
    return sweep;
  }

  const Task& task_;
  Batch& batch_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<Sweep>> idle_;
};

}  // namespace

Batch predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                    const BatchOptions& options) {
  Batch batch;
  predict_batch(robot, point, q, dq, options, batch);
  return batch;
}

void predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                   const BatchOptions& options, Batch& batch) {
  validate(robot, q, dq, options);
  const Task task{robot, point, q, dq, options};  // throws for a point that is none, also without postures
  const Eigen::Index postures = q.cols();
  resize(batch, robot.size(), postures, task.everything(), task.rates());
  Sweeps sweeps(task, batch);
  std::size_t done = 0;
  foundation::share_parts(
      static_cast<std::size_t>((postures + chunk - 1) / chunk), options.jobs,
      [&](std::size_t part) {
        const Eigen::Index begin = chunk * static_cast<Eigen::Index>(part), end = std::min(begin + chunk, postures);
        sweeps.compute(begin, end);
        return static_cast<std::size_t>(end - begin);
      },
      [&](std::size_t, std::size_t computed) {
        done += computed;
        if (options.progress) options.progress(done, static_cast<std::size_t>(postures));
      });
}

}  // namespace thud
