#include <thud/batch.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "crew.hpp"

namespace thud {
namespace {

// Postures that a thread takes at once: enough that taking them costs nothing, few enough to keep all cores busy.
constexpr Eigen::Index chunk = 256;

std::string shape(const MatrixRef& matrix) {
  return std::to_string(matrix.cols()).append(" postures of ").append(std::to_string(matrix.rows())).append(" values");
}

void require_finite(const char* argument, const MatrixRef& matrix, const Robot& robot) {
  if (matrix.allFinite()) return;
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
Batch sized(Eigen::Index n, Eigen::Index postures, bool everything, bool rates) {
  Batch batch;
  const auto resize = [&](Eigen::Index rows, auto&... arrays) { (arrays.resize(rows, postures), ...); };
  resize(4, batch.mass);
  batch.status.resize(4 * static_cast<std::size_t>(postures));
  if (everything) {
    resize(3, batch.p_WC, batch.com_W);
    resize(9, batch.Ic_W);
    resize(6 * n, batch.J, batch.A_G);
    resize(n * n, batch.M);
    resize(36, batch.W);
  }
  if (rates) {
    for (VectorX* each : {&batch.v_exact, &batch.v_approximate, &batch.ratio}) each->resize(postures);
    resize(4, batch.impulse_compression, batch.impulse_total);
  }
  if (everything && rates)
    resize(4 * n, batch.joint_velocity_jump, batch.joint_velocity_jump_least_norm, batch.joint_impulse);
  return batch;
}

// Postures one after another, into their columns of the batch.
class Sweep {
 public:
  Sweep(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
        const BatchOptions& options, Batch& batch)
      : q_(q), dq_(dq), options_(options), batch_(batch), workspace_(robot, point), prediction_(robot.size()) {}

  // Allocates nothing.
  void compute(Eigen::Index i) noexcept {
    const bool everything = options_.outputs == BatchOutputs::everything, rates = dq_.cols() > 0;
    const ContactDynamics& dynamics = contact_dynamics(workspace_, q_.col(i));
    if (everything && rates)
      predict(dynamics, dq_.col(i), {options_.restitution, options_.pseudo_inverse}, prediction_);
    else
      predict_masses(dynamics, i, rates);

    write_masses(i);
    if (everything) write_dynamics(dynamics, i);
    if (rates) write_impulses(i);
    if (everything && rates) write_jumps(i);
  }

 private:
  // What predict does, less the jumps.
  void predict_masses(const ContactDynamics& dynamics, Eigen::Index i, bool rates) noexcept {
    for (const Option option : all_options)
      prediction_.options[static_cast<std::size_t>(option)].inertia =
          inverse_inertia(option, dynamics, options_.pseudo_inverse);
    if (!rates) return;
    prediction_.v_exact = contact_velocity(dynamics, dq_.col(i));
    prediction_.v_approximate = approximate_contact_velocity(dynamics, dq_.col(i));
    prediction_.ratio = approximate_to_exact(dynamics, dq_.col(i));
    for (auto& option : prediction_.options)
      option.impulse = normal_impulse(option.inertia.mass, prediction_.v_exact, options_.restitution);
  }

  void write_masses(Eigen::Index i) noexcept {
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      const InverseInertia& inertia = prediction_.options[o].inertia;
      batch_.mass(static_cast<Eigen::Index>(o), i) = inertia.mass;
      batch_.status[all_options.size() * static_cast<std::size_t>(i) + o] = inertia.status;
    }
  }

  void write_dynamics(const ContactDynamics& dynamics, Eigen::Index i) noexcept {
    batch_.p_WC.col(i) = dynamics.p_WC;
    batch_.com_W.col(i) = dynamics.com_W;
    batch_.Ic_W.col(i) = dynamics.Ic_W.reshaped();
    batch_.J.col(i) = dynamics.J.reshaped();
    batch_.A_G.col(i) = dynamics.A_G.reshaped();
    batch_.M.col(i) = dynamics.M.reshaped();
    for (std::size_t o = 0; o < all_options.size(); ++o)
      batch_.W.col(i).segment<9>(9 * static_cast<Eigen::Index>(o)) = prediction_.options[o].inertia.W.reshaped();
  }

  void write_impulses(Eigen::Index i) noexcept {
    batch_.v_exact[i] = prediction_.v_exact;
    batch_.v_approximate[i] = prediction_.v_approximate;
    batch_.ratio[i] = prediction_.ratio;
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      batch_.impulse_compression(static_cast<Eigen::Index>(o), i) = prediction_.options[o].impulse.compression;
      batch_.impulse_total(static_cast<Eigen::Index>(o), i) = prediction_.options[o].impulse.total;
    }
  }

  void write_jumps(Eigen::Index i) noexcept {
    const Eigen::Index n = q_.rows();
    for (std::size_t o = 0; o < all_options.size(); ++o) {
      const OptionPrediction& option = prediction_.options[o];
      const Eigen::Index at = n * static_cast<Eigen::Index>(o);
      batch_.joint_velocity_jump.col(i).segment(at, n) = option.joint_velocity_jump;
      batch_.joint_velocity_jump_least_norm.col(i).segment(at, n) = option.joint_velocity_jump_least_norm;
      batch_.joint_impulse.col(i).segment(at, n) = option.joint_impulse;
    }
  }

  const MatrixRef& q_;
  const MatrixRef& dq_;
  const BatchOptions& options_;
  Batch& batch_;
  Workspace workspace_;
  Prediction prediction_;
};

}  // namespace

Batch predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                    const BatchOptions& options) {
  validate(robot, q, dq, options);
  static_cast<void>(Workspace(robot, point));  // throws for a point that is none, also without postures
  const Eigen::Index postures = q.cols();
  Batch batch = sized(robot.size(), postures, options.outputs == BatchOutputs::everything, dq.cols() > 0);
  std::size_t done = 0;
  share_parts(
      static_cast<std::size_t>((postures + chunk - 1) / chunk), options.jobs,
      [&](std::size_t part) {
        const Eigen::Index begin = chunk * static_cast<Eigen::Index>(part), end = std::min(begin + chunk, postures);
        Sweep sweep(robot, point, q, dq, options, batch);
        for (Eigen::Index i = begin; i < end; ++i) sweep.compute(i);
        return static_cast<std::size_t>(end - begin);
      },
      [&](std::size_t, std::size_t computed) {
        done += computed;
        if (options.progress) options.progress(done, static_cast<std::size_t>(postures));
      });
  return batch;
}

}  // namespace thud
