#pragma once

#include <thud/batch.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace THUD_EXPORT thud {

/// Why nothing can be computed on a GPU here, in a sentence: thud was built without CUDA, or there is no driver or no
/// device. Empty if there is one.
std::string gpu_missing();

/// Which GPU is used, where a machine has several: the number of CUDA's current device of this thread. Throws
/// InputError if there is none.
int current_gpu();

/// Memory on the current GPU, until its last owner is gone. Throws InputError if there is none to use, or not enough.
std::shared_ptr<void> gpu_memory(std::size_t bytes);

/// The arrays of a batch where they lie, in the memory of the host or all of them on the current GPU: one column per
/// posture, as in Batch. Null: not requested. N postures, n joints.
struct BatchArrays {
  Eigen::Index postures = 0;   // N
  const double* q = nullptr;   // joint positions [rad or m]                                           (n x N)
  const double* dq = nullptr;  // joint rates [rad/s or m/s], or null: then no velocities and impulses (n x N)
  Eigen::Index q_stride = 0;   // from one posture to the next; 0: n
  Eigen::Index dq_stride = 0;  //

  double* effective_mass = nullptr;  // along the normal, of the four models [kg]                       (4 x N)
  InertiaStatus* status = nullptr;   // whether it exists                                               (4 x N)
  double* p_WC = nullptr;            // contact point [m]                                               (3 x N)

  // all of them or none, with p_WC
  double* com_W = nullptr;  // [m]                                                                      (3 x N)
  double* Ic_W = nullptr;   // [kg m^2]                                                                 (9 x N)
  double* J = nullptr;      //                                                                          (6n x N)
  double* A_G = nullptr;    //                                                                          (6n x N)
  double* M = nullptr;      // [kg m^2, kg m, kg]                                                       (n^2 x N)
  double* W = nullptr;      // of the four models [1/kg]                                                (36 x N)

  // with dq
  double* v_exact = nullptr;              // v_n [m/s]                                                  (N)
  double* v_approximate = nullptr;        // v_n~ [m/s]                                                 (N)
  double* ratio = nullptr;                // e_a                                                        (N)
  double* impulse_compression = nullptr;  // with v_n, of the four models [N s]                         (4 x N)
  double* impulse_total = nullptr;        //                                                            (4 x N)

  std::vector<void*> after = {};  // other streams that write to these arrays: what is in them now comes before
};

/// predict_batch on a GPU: the same arrays, statuses and refusals, and numbers that differ by rounding.
///
/// The postures are computed there one per thread, those near a singularity then by the processor, and by the text that
/// computes them here: chains of 6 and 7 joints by passes over the joints, other arms by a walk, which the processor
/// takes for larger ones. `jobs` threads copy plain arrays, each with two parts of them on their way.
///
/// Throws what predict_batch throws, and InputError if there is no GPU to use (gpu_missing), for arrays on another GPU
/// than the current one, for a robot with joints that follow others, for the pseudo-inverse of an arm that is
/// underactuated everywhere, and for everything with joint rates: the processor computes these.
Batch predict_batch_gpu(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                        const BatchOptions& options = {});

/// The same into a batch, which keeps its memory where the shapes are as before.
void predict_batch_gpu(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                       const BatchOptions& options, Batch& batch);

/// The same into arrays where they lie. Arrays on the GPU are neither copied nor moved: what the caller has put into
/// `stream`, a cudaStream_t of the current device, comes before, and so does what is in the streams `arrays.after`; the
/// results are there when the function returns. Host memory that is page-locked is used where it lies, over the bus.
/// `options.outputs` must fit the arrays.
void predict_batch_gpu(const Robot& robot, const ContactPoint& point, const BatchArrays& arrays,
                       const BatchOptions& options = {}, void* stream = nullptr);

}  // namespace thud
