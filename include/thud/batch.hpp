#pragma once

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/impulse.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace THUD_EXPORT thud {

namespace mechanics {
struct BatchMemory;  // by which predict_batch writes
}

/// What a batch computes.
enum class BatchOutputs {
  masses,
  positions,  ///< masses, and where the contact point is
  everything
};

/// "masses", "positions", "everything".
std::string_view to_string(BatchOutputs outputs) noexcept;

struct BatchOptions {
  BatchOutputs outputs = BatchOutputs::masses;
  double restitution = 0;       // e, 0 to 1
  bool pseudo_inverse = false;  // as in PredictOptions
  RunOptions run{};             // progress counts postures
};

/// Results of each of the four models at each posture: `rows` values per model and posture (Eigen::Dynamic: as many as
/// there are joints), N postures. Empty if not requested.
template <class T, int rows>
class ModelArray {
 public:
  using All = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::DontAlign>;
  using View = std::conditional_t<
      rows == 1, Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>, Eigen::Unaligned, Eigen::InnerStride<>>,
      Eigen::Map<const Eigen::Matrix<T, rows, Eigen::Dynamic>, Eigen::Unaligned, Eigen::OuterStride<>>>;

  ModelArray() = default;

  /// From what all() gives.
  explicit ModelArray(All values) : values_(std::move(values)) {}

  /// One model at all postures: a vector of N where there is one value each, else a column per posture (rows x N).
  View operator[](InertiaModel model) const noexcept {
    const Eigen::Index each = rows_per_model();
    const T* first = postures() == 0 ? nullptr : values_.data() + static_cast<Eigen::Index>(model) * each;
    if constexpr (rows == 1)
      return View(first, postures(), Eigen::InnerStride<>(values_.rows()));
    else
      return View(first, each, postures(), Eigen::OuterStride<>(values_.rows()));
  }

  Eigen::Index postures() const noexcept { return values_.cols(); }
  Eigen::Index rows_per_model() const noexcept { return values_.rows() / models; }

  /// The whole array in its memory layout, for other languages: a column per posture, in which the models follow each
  /// other in the order of all_inertia_models (4 rows x N).
  const All& all() const noexcept { return values_; }

 private:
  friend struct mechanics::BatchMemory;
  static constexpr auto models = static_cast<Eigen::Index>(all_inertia_models.size());
  All values_;
};

/// Many postures of one robot at one contact point. N postures, n joints.
///
/// Arrays, not structures: each posture is a column, and its matrices are stored column by column, so that all of
/// it is one array to another language. What depends on the model is read by it: effective_mass[model][i].
/// NaN marks what does not exist; arrays that were not requested are empty.
struct Batch {
  ModelArray<double, 1> effective_mass;  // along the normal [kg]                               (N for each model)
  ModelArray<InertiaStatus, 1> status;   // whether it exists                                   (N for each model)

  // with BatchOutputs::positions and everything
  MatrixX p_WC;  // contact point [m]                                                           (3 x N)

  // with BatchOutputs::everything: ContactDynamics and the inverse inertias
  MatrixX com_W;            // [m]                                                              (3 x N)
  MatrixX Ic_W;             // [kg m^2]                                                         (9 x N)
  MatrixX J, A_G;           //                                                                  (6n x N each)
  MatrixX M;                // [kg m^2, kg m, kg]                                               (n^2 x N)
  ModelArray<double, 9> W;  // [1/kg]                                                           (9 x N for each model)

  // with joint rates
  VectorX v_exact, v_approximate;                            // v_n and v_n~ [m/s]              (N each)
  VectorX ratio;                                             // e_a                             (N)
  ModelArray<double, 1> impulse_compression, impulse_total;  // with v_n [N s]                  (N each for each model)

  // with both: of the total impulse
  ModelArray<double, Eigen::Dynamic> joint_velocity_jump;             // [Zheng85]              (n x N for each model)
  ModelArray<double, Eigen::Dynamic> joint_velocity_jump_least_norm;  // [Wang22b]              (n x N for each model)
  ModelArray<double, Eigen::Dynamic> joint_impulse;                   // J_v^T iota             (n x N for each model)
};

/// contact_dynamics and predict for many postures, on all cores. The result does not depend on how many those are;
/// last digits of large arms may depend on how many postures are asked for.
///
/// q   joint positions, one column per posture [rad or m]                                                   (n x N)
/// dq  joint rates, one column per posture [rad/s or m/s], or no columns: then no velocities and impulses   (n x N)
///
/// A posture whose q is not finite has no answer: NaN, and the status not_run. Where dq is not, what follows from it is
/// NaN. The other postures stand.
///
/// Throws what DynamicsWorkspace throws for the point, and InputError for a shape that does not fit, an e outside 0 to
/// 1, jobs < 0. An exception of `progress` ends the work and comes out; so does Interrupted, if `stop` became true
/// before the last posture.
Batch predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                    const BatchOptions& options = {});

/// The same into a batch, which keeps its memory where the shapes are as before: new memory costs more than what is
/// written to it. After an exception the numbers in it mean nothing.
void predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                   const BatchOptions& options, Batch& batch);

}  // namespace thud
