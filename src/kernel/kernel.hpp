#pragma once

/// The rigid-body kernel in plain numbers: what dynamics.cpp and batch.cpp ask of it, one table of functions for each
/// instruction set. No type of Eigen or of the standard library crosses this border: the files behind it are compiled
/// for other processors, and inline code of theirs must not be merged with that of the rest. Private to the library.

namespace thud::kernel {

/// A joint that turns about, or slides along, the z axis of its own frame.
struct ArmJoint {
  long parent;
  bool turns;
  bool carries;          // the contact point
  bool rolls;            // as in tables of Denavit and Hartenberg: less to multiply
  double R[3][3], p[3];  // columns and origin of its frame in that of its parent, at q = 0
  double offset;         // if it rolls: R turns about x alone, and p is p[0] along that and this along its own z
  double mass, com[3];   // of its body, in its frame
  double inertia[6];     // about the centre of mass: even, u, w_y, w_z of Body in kernel_mechanics.hpp
  double rotor;
  double subtree_mass;  // of all that it moves
};

struct Arm {
  const ArmJoint* joints;
  long size;
  bool serial;  // each joint moves the next
  long contact_joint;
  long carriers;  // joints that carry the contact point
  double mass;    // of the moving bodies
  double offset[3], normal_W[3];

  // The same joints side by side: a row for each field, of `stride` entries, size rounded up to 8
  const double* rows;
  const double* in_subtree;  // [j * stride + i]: 1 if joint j moves joint i or is it, else 0
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
  row_turns,    // 1 or 0
  row_carries,  // 1 or 0
  row_count,
};

/// Where the results of one posture go: matrices column by column.
struct DynamicsResult {
  double *p_WC, *J, *M, *A_G, *com_W, *Ic_W, *scale, *M_inv_JT;
};

/// What the four options are made of: ContactDynamics as plain numbers.
struct Response {
  long joints;
  const double *J, *A_G, *M_inv_JT, *p_WC, *com_W, *Ic_W, *normal_W;
  double mass;
};

/// The four options in the order of all_options. A matrix and a mass mean nothing unless they exist, and the last two
/// nothing without a composite body.
struct Models {
  double W[4][9], mass[4];
  bool exists[4], has_composite;
};

/// Postures side by side, and where their results go, one column each: the arrays of Batch. Null: not asked for.
struct PostureBatch {
  const double *q, *dq;
  long q_stride, dq_stride;
  double* mass;                               // 4
  double *p_WC, *com_W, *Ic_W, *J, *A_G, *M;  // 3, 3, 9, 6 n, 6 n, n^2; all or none
  double* W;                                  // 36, with those
  double* response;                           // 3 n, with those: linear columns of M^-1 J^T
  double *v_exact, *v_approximate, *ratio;    // 1 each, with dq
};

/// A pivot of M below this share of the terms that made its diagonal is rounding, not inertia: a joint moves nothing on
/// its own.
inline constexpr double smallest_pivot = 1e-13;

/// Rounding of a pivot against its diagonal. Products of inverses lose more digits than M itself: a matrix with a
/// condition of 1e12 has no more than four digits left, and no arm is built for that.
inline constexpr double smallest_mobility = 1e-12;

/// A sum below this share of the sizes of its terms is what cancellation left over.
inline constexpr double cancelled = 1e-12;

/// The kernel compiled for one instruction set. All of it is real-time.
struct InstructionSet {
  const char* name;
  long width;  // postures in a pack
  long (*scratch_bytes)(long joints);

  /// Everything of one posture. False if M is not positive definite: then M_inv_JT is not written.
  bool (*dynamics)(const Arm& arm, const double* q, const DynamicsResult& out, void* scratch);

  /// M_inv_JT of given matrices, with the size of what each diagonal entry of M is a sum of.
  bool (*respond)(long joints, const double* M, const double* J, const double* scale, double* M_inv_JT, void* scratch);

  void (*options)(const Response& of, Models& out);

  /// So many postures. Bit k of regular[i]: posture i * width + k is clearly regular, and all of it is written. The
  /// others are for somebody who looks at them one by one.
  void (*batch)(const Arm& arm, const PostureBatch& batch, long count, unsigned char* regular, void* scratch);
};

/// The best that this machine has, or the one that a test asked for.
const InstructionSet& instruction_set() noexcept;

/// For tests and benchmarks: names of those that this machine has, ended by null, and the choice of one. Null: the
/// best. Not while another thread computes.
const char* const* instruction_set_names() noexcept;
void choose_instruction_set(const char* name) noexcept;

}  // namespace thud::kernel
