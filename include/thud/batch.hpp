#pragma once

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/impulse.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace THUD_EXPORT thud {

/// What a batch computes.
enum class BatchOutputs { masses, everything };

struct BatchOptions {
  BatchOutputs outputs = BatchOutputs::masses;
  double restitution = 0;                                             // e, 0 to 1
  bool pseudo_inverse = false;                                        // as in PredictOptions
  int jobs = 0;                                                       // threads; 0: one per core
  std::function<void(std::size_t done, std::size_t all)> progress{};  // postures, now and then; by one thread at a time
};

/// Many postures of one robot at one contact point. N postures, n joints.
///
/// Arrays, not structures: each posture is a column, and a matrix of it stands there column by column, so that all of
/// it is one array to another language. Rows that belong to options follow each other in the order of all_options.
/// NaN stands for what does not exist; what was not asked for is empty.
struct Batch {
  MatrixX mass;                       // effective masses along the normal [kg]                                (4 x N)
  std::vector<InertiaStatus> status;  // of option o at posture i: status[4 i + o]                               (4 N)

  // with BatchOutputs::everything: ContactDynamics and the inverse inertias
  MatrixX p_WC, com_W;  // [m]                                                                            (3 x N each)
  MatrixX Ic_W;         // [kg m^2]                                                                            (9 x N)
  MatrixX J, A_G;       //                                                                               (6n x N each)
  MatrixX M;            // [kg m^2, kg m, kg]                                                                (n^2 x N)
  MatrixX W;            // [1/kg]                                                                             (36 x N)

  // with joint rates
  VectorX v_exact, v_approximate;              // v_n and v_n~ [m/s]                                          (N each)
  VectorX ratio;                               // e_a                                                              (N)
  MatrixX impulse_compression, impulse_total;  // with v_n [N s]                                          (4 x N each)

  // with both: of the total impulse
  MatrixX joint_velocity_jump;             // [Zheng85]                                                       (4n x N)
  MatrixX joint_velocity_jump_least_norm;  // [Wang22b]                                                       (4n x N)
  MatrixX joint_impulse;                   // J_v^T iota                                                      (4n x N)
};

/// contact_dynamics and predict for many postures, on all cores. The result does not depend on how many those are.
///
/// q   joint positions, one column per posture [rad or m]                                                   (n x N)
/// dq  joint rates, one column per posture [rad/s or m/s], or no columns: then no velocities and impulses   (n x N)
///
/// Throws what Workspace throws for the point, and InputError for a shape that does not fit, an entry that is not
/// finite (postures count from 0), an e outside 0 to 1, jobs < 0. An exception of `progress` ends the work and comes
/// out.
Batch predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                    const BatchOptions& options = {});

/// The same into a batch, which keeps its memory where the shapes are as before: new memory costs more than what is
/// written to it.
void predict_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                   const BatchOptions& options, Batch& batch);

}  // namespace thud
