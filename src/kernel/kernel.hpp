#pragma once

/// Interface of the rigid-body kernel, in plain numbers: what dynamics.cpp and batch.cpp call, one table of functions
/// per instruction set. No Eigen or standard library type crosses this interface: the files behind it are compiled for
/// other processors, and the linker must not merge their inline code with the rest. Private to the library.

namespace thud::kernel {

/// A joint that rotates about, or slides along, the z axis of its own frame.
struct ArmJoint {
  long parent;
  bool is_revolute;      // else prismatic
  bool moves_contact;    // lies between the base and the contact point
  bool in_composite;     // its body is part of the composite body
  bool is_dh;            // its frame follows the Denavit-Hartenberg convention: fewer multiplications
  double R[3][3], p[3];  // columns and origin of its frame in that of its parent, at q = 0
  double dh_offset;      // if is_dh: R rotates about x alone, and p is p[0] along x and dh_offset along its own z
  double mass, com[3];   // of its body, in its frame
  double inertia[6];     // about the centre of mass: isotropic, u, w_y, w_z of Body in kernel/mechanics.hpp
  double rotor;          // reflected rotor inertia
  double subtree_mass;   // of every body it moves
};

/// One whose frame is turned about its axis: a constant is added to its position, if it is revolute.
struct TurnedJoint : ArmJoint {
  double turn_sine, turn_cosine;
};

struct TreeInMemory;  // kernel/walked_arm.hpp

struct Arm {
  static constexpr bool always_dh = false;  // that all joints but the first are
  const ArmJoint* joints;
  long size;
  bool serial;  // each joint moves the next
  long contact_joint;
  long contact_chain;  // number of joints that move the contact point
  double mass;         // of the composite body
  double offset[3], normal_W[3];

  // The same joints as a structure of arrays: a row per field, of `stride` entries (size rounded up to 8)
  const double* rows;
  const double* in_subtree;  // [j * stride + i]: 1 if joint j is joint i or one of its ancestors, else 0
};

/// Rows of Arm::rows.
enum JointRow : long {
  row_R = 0,  // 9, by columns
  row_p = 9,
  row_com = 12,
  row_inertia = 15,  // 6
  row_mass = 21,
  row_rotor,
  row_subtree_mass,
  row_is_revolute,  // 1 or 0
  row_count,
};

/// Where the results of one posture are written: matrices in column-major order.
struct DynamicsResult {
  double *p_WC, *J, *M, *A_G, *com_W, *Ic_W, *scale, *M_inv_JT;
};

/// What the four inertia models are computed from: ContactDynamics in plain numbers.
struct ModelInputs {
  long joints;
  const double *J, *A_G, *M_inv_JT, *p_WC, *com_W, *Ic_W, *normal_W;
  double mass;
};

/// The four inertia models, in the order of all_inertia_models. A matrix and a mass are meaningful only where `exists`
/// is set, and the last two only if there is a composite body.
struct Models {
  double W[4][9], mass[4];
  bool exists[4], has_composite;
};

/// Many postures, and where their results are written, one column each: the arrays of Batch. Null: not requested.
struct PostureBatch {
  const double *q, *dq;
  long q_stride, dq_stride;
  double* mass;                             // 4
  double* p_WC;                             // 3
  double *com_W, *Ic_W, *J, *A_G, *M;       // 3, 9, 6 n, 6 n, n^2; all of them with p_WC, or none
  double* W;                                // 36, with those
  double* response;                         // 3 n, with those: linear columns of M^-1 J^T
  double *v_exact, *v_approximate, *ratio;  // 1 each, with dq
};

/// A pivot of M below this fraction of the terms summed in its diagonal entry is rounding, not inertia: the joint moves
/// no mass independently of the others.
inline constexpr double smallest_pivot = 1e-13;

/// A mobility below this fraction of the trace is rounding. Products of inverses lose more digits than M itself: at a
/// condition number of 1e12 no more than four digits are left, and no arm is built for that.
inline constexpr double smallest_mobility = 1e-12;

/// A sum below this fraction of the magnitudes of its terms is cancellation error.
inline constexpr double cancellation_limit = 1e-12;

/// What a walk saves of a posture grows with the joints from the first number on with which it takes no more time than
/// the passes, its set-up hardly: it pays if postures times these joints are at least so many. For masses with AVX-512,
/// first 10: the set-up is 1.7 us and saves 14 ns a posture of 11 joints, so that it takes 125 of them; it takes 40 of
/// 16 joints, 18 of 24 and 7 of 40 (bench_walk).
inline constexpr long least_walked = 256;

/// The kernel compiled for one instruction set. Every function is real-time.
struct InstructionSet {
  const char* name;
  long width;                                     // postures in a pack
  long walked_for_masses, walked_for_everything;  // from how many joints on a walk takes no more time than the passes
  long (*scratch_bytes)(long joints);

  /// The dynamics of one posture. False if M is not positive definite: then M_inv_JT is not written.
  bool (*dynamics)(const Arm& arm, const double* q, const DynamicsResult& out, void* scratch);

  /// M_inv_JT for a given M and J. `scale` is the magnitude of the terms summed in each diagonal entry of M.
  bool (*solve_response)(long joints, const double* M, const double* J, const double* scale, double* M_inv_JT,
                         void* scratch);

  /// The four inertia models of one posture.
  void (*models)(const ModelInputs& inputs, Models& out);

  /// `count` postures, by `walk` unless it is null; everything with rates not. With batch.M, walk must have been built
  /// with `everything`. Bit k of regular[i]: posture i * width + k is well away from singularities, and all its results
  /// are written. The caller computes the others one by one.
  void (*batch)(const Arm& arm, const TreeInMemory* walk, const PostureBatch& batch, long count, unsigned char* regular,
                void* scratch);
};

/// The best one this machine supports, or the one chosen by a test.
const InstructionSet& instruction_set() noexcept;

/// Whether it takes less time to walk so many postures: for masses alone, or for everything at rest. (Everything with
/// rates is not walked, nor are arms with followers.)
bool is_walked(const InstructionSet& set, long joints, long postures, bool everything) noexcept;

/// For tests and benchmarks: the names of the sets this machine supports, terminated by null, and the choice of one.
/// Null: the best. Not while another thread is computing.
const char* const* instruction_set_names() noexcept;
void choose_instruction_set(const char* name) noexcept;

}  // namespace thud::kernel
