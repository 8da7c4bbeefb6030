#pragma once

#include <thud/batch.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/impact.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>

#include <string>
#include <vector>

namespace THUD_EXPORT thud {

/// Rules that all rows of a batch of impacts share, and what each of them hits, and where. Of the latter each has a
/// column (frame: an entry) per row, or one for all of them, or none.
struct ImpactBatchOptions {
  // for all rows
  double friction = 0;                                // mu of Coulomb, >= 0
  double restitution = 0;                             // e, 0 to 1
  RestitutionKind kind = RestitutionKind::energetic;  // what e is a ratio of
  bool pseudo_inverse = false;                        // as in PredictOptions
  bool jumps = false;                                 // joint jumps and impulses as well

  // where: none as in the point that is given
  std::vector<std::string> frame{};  // the link
  MatrixX offset{};                  // of the point, in that link's frame [m]                               (3 x N)
  MatrixX normal_W{};                // out of what is hit; any length but zero                              (3 x N)

  // what, as in Object; without masses a wall that stands still, without the others zero
  VectorX object_mass{};              // [kg]                                                                (N)
  MatrixX object_inertia_W{};         // about its centre of mass [kg m^2]; zero: a point mass               (9 x N)
  MatrixX object_com_W{};             // [m]                                                                 (3 x N)
  MatrixX object_velocity{};          // of its centre of mass [m/s]                                         (3 x N)
  MatrixX object_angular_velocity{};  // [rad/s]                                                             (3 x N)

  RunOptions run{};  // progress counts rows
};

/// A row of a batch that has no answer, and why: what a single query says when it refuses.
struct RefusedRow {
  Eigen::Index row = 0;
  std::string reason;
};

/// Many impacts of one robot. N rows, n joints; arrays as those of Batch, with the meaning of ImpactPrediction's
/// fields.
struct ImpactBatch {
  std::vector<RefusedRow> refused;  // in order; their numbers are NaN, their statuses not_run

  MatrixX p_WC;          // contact point [m]                                                        (3 x N)
  MatrixX velocity;      // u before, relative [m/s]                                                 (3 x N)
  VectorX v_normal;      // n.u [m/s]                                                                (N)
  VectorX v_tangential;  // speed across the normal [m/s]                                            (N)

  ModelArray<InertiaStatus, 1> inertia;   // whether the arm's model exists                           (N for each model)
  ModelArray<ImpactStatus, 1> status;     // and its impact; not_run where friction needs another     (N for each model)
  ModelArray<double, 3> impulse;          // on the robot [N s]                                       (3 x N for each)
  ModelArray<double, 3> velocity_after;   // of the robot's point [m/s]                               (3 x N for each)
  ModelArray<double, 1> compression;      // normal impulse when the approach first stops [N s]       (N for each)
  ModelArray<double, 1> energy_lost;      // [J]                                                      (N for each)
  ModelArray<ContactMode, 2> phase_mode;  // of the phases that have an impulse                      (2 x N for each)
  ModelArray<double, 2> phase_impulse;    // along the normal, NaN where there is no such phase [N s]  (2 x N for each)

  // with objects: their motion after it
  ModelArray<double, 3> object_velocity;          // of the centre of mass [m/s]                     (3 x N for each)
  ModelArray<double, 3> object_angular_velocity;  // [rad/s]                                         (3 x N for each)

  // with jumps
  ModelArray<double, Eigen::Dynamic> joint_velocity_jump;             // [Zheng85]              (n x N for each model)
  ModelArray<double, Eigen::Dynamic> joint_velocity_jump_least_norm;  // [Wang22b]              (n x N for each model)
  ModelArray<double, Eigen::Dynamic> joint_impulse;                   // J_v^T iota             (n x N for each model)
};

/// predict_impact for many hits, on all cores: the same numbers to the last bit, however many those are.
///
/// q   joint positions, one column per row, or one column for all [rad or m]                                   (n x N)
/// dq  joint rates, likewise [rad/s or m/s]                                                                    (n x N)
///
/// A row with a q, dq, point or object that a single query refuses is among those refused; the others stand.
/// Throws InputError for shapes that do not fit, options that impact refuses, objects' values without masses, jobs < 0.
/// An exception of `progress` ends the work and comes out; so does Interrupted, if `stop` became true before the end.
ImpactBatch predict_impact_batch(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                                 const ImpactBatchOptions& options = {});

}  // namespace thud
