#pragma once

/// What an arm can do where: over its reachable workspace, how heavy it is to what it hits, how fast it may hit, how
/// hard.
///
/// Postures are drawn uniformly within the joints' limits. Space is a lattice of cubes whose centres are the multiples
/// of the cell's edge; a cell shows the least, the median and the greatest value of the postures that bring the contact
/// point into it, and the postures of the extremes. An arm with more joints than the point has coordinates reaches a
/// place in many postures: the spread within a cell is what its null space is worth.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>
#include <thud/limit.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>
#include <thud/warning.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What a capability map shows.
enum class MapQuantity {
  effective_mass,  ///< m_n [kg]
  speed,           ///< the highest that limits allow [m/s]
  peak_force,      ///< of a contact law at a given speed [N]
  impulse          ///< (1 + e) m_n s at a given speed s [N s]
};

inline constexpr std::array all_map_quantities = {MapQuantity::effective_mass, MapQuantity::speed,
                                                  MapQuantity::peak_force, MapQuantity::impulse};

/// The words of the command line: "effective_mass", ...
std::string_view to_string(MapQuantity quantity) noexcept;

/// "kg", "m/s", "N", "N s".
std::string_view unit_of(MapQuantity quantity) noexcept;

/// Effective masses of one posture over all directions of the normal, and the directions of the extremes.
struct DirectionMasses {
  double least = std::numeric_limits<double>::quiet_NaN();     // [kg]
  double mean = std::numeric_limits<double>::quiet_NaN();      // over the sphere, each direction as likely [kg]
  double greatest = std::numeric_limits<double>::quiet_NaN();  // [kg]
  Vector3 normal_least = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // unit length, world axes
  Vector3 normal_greatest = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
};

/// The masses over all normals n of a model with the inverse inertia W, of eigenvalues w_1, w_2, w_3:
///
///   m_n = 1/(n.W n)      least and greatest 1/w, mean R_F(w_2 w_3, w_3 w_1, w_1 w_2)                [Carlson95]
///   m_n = n.W^-1 n       of the algebraic model: the same extremes, mean (1/w_1 + 1/w_2 + 1/w_3)/3
///
/// R_F is Carlson's symmetric elliptic integral. Of a W that is not symmetric its symmetric part counts. NaN where W
/// does not exist, or some direction has no finite mass.
DirectionMasses direction_masses(const InverseInertia& inertia, InertiaModel model);

/// A box in the world [m].
struct WorkspaceBox {
  Vector3 lower = Vector3::Constant(-std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(std::numeric_limits<double>::infinity());
};

struct MapOptions {
  MapQuantity quantity = MapQuantity::effective_mass;

  /// None: the cautious one, with the greatest mass of those that exist, or the lowest speed.
  std::optional<InertiaModel> model = InertiaModel::composite_rigid_body;

  // from which side: the point's normal, fixed in the world, unless one of these is set
  std::optional<Vector3> direction_F{};  ///< out of the environment, in the axes of the point's frame
  bool all_directions = false;  ///< least and greatest over all of them; the median is that of the mean over directions

  double cell = 0.05;                  ///< edge of a cell, > 0 [m]
  std::uint64_t samples = 10'000'000;  ///< postures, >= 2
  std::uint64_t seed = 1;
  WorkspaceBox within{};  ///< what lies outside does not count

  double approach_speed = std::numeric_limits<double>::quiet_NaN();  ///< of peak_force and impulse, > 0 [m/s]
  std::optional<ContactLaw> law{};                                   ///< of peak_force, and of limits of force
  std::optional<double> restitution{};                               ///< e, 0 to 1; none: see capability_map

  // of the quantity speed
  Limits limits{};                    ///< speeds of the joints, forces of the contact; torques are not judged
  std::optional<BodyContact> body{};  ///< a person is hit
};

/// How far a map is settled: relative changes of its cells from half of the samples to all of them, each as median and
/// 95 % quantile over the cells that both halves reach.
struct MapConvergence {
  double volume_half = 0;  // reached by the first half [m^3]
  double volume = 0;       // reached by all [m^3]
  double least_median = std::numeric_limits<double>::quiet_NaN();
  double least_95 = std::numeric_limits<double>::quiet_NaN();
  double median_median = std::numeric_limits<double>::quiet_NaN();
  double median_95 = std::numeric_limits<double>::quiet_NaN();
  double greatest_median = std::numeric_limits<double>::quiet_NaN();
  double greatest_95 = std::numeric_limits<double>::quiet_NaN();
};

/// A map: C cells that were reached, by x, then y, then z. n joints.
struct CapabilityMap {
  MapQuantity quantity = MapQuantity::effective_mass;
  std::optional<InertiaModel> model{};                                                // none: the cautious one
  Vector3 direction_F = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // as in MapOptions, or NaN
  bool all_directions = false;
  double cell = 0;  // [m]
  std::uint64_t samples = 0, seed = 0;

  MatrixX centre{};                       // of the cells [m]                                               (3 x C)
  VectorX postures{};                     // how many of the samples are in the cell                        (C)
  VectorX least{}, median{}, greatest{};  // in unit_of(quantity); NaN where no posture has a value      (C each)
  MatrixX q_least{}, q_greatest{};        // postures of the extremes [rad or m]                            (n x C each)
  MatrixX normal_least{}, normal_greatest{};  // and their normals, world axes                           (3 x C each)

  double resolution = 0;  // relative width of the bins of which the median is taken [1]
  MapConvergence convergence{};
  std::vector<Warning> warnings{};
};

/// The map of a robot's contact point.
///
/// Speeds are those of speed_limit along nearest_approach: a person's body and forces of a contact depend on the
/// effective mass alone, the joints' speeds before and after the hit on the posture. The restitution of the joints'
/// jump is that of the options, else the law's own where it is a spring's, else 0 without a law; with any other law,
/// whose restitution changes with speed, the worse of 0 and 1 counts. With all directions joints are not judged; a
/// warning says so. The restitution of the impulse is that of the options, else 0.
///
/// Medians are those of 256 bins in equal ratios, which the first 16384 samples set, interpolated. Memory depends on
/// the cells that are reached, not on the samples, and the result on neither the number of threads nor their order.
/// Postures are drawn by a counter: sample k is the same whatever was drawn before.
///
/// Throws InputError for options outside the ranges of their lines, for a quantity without what it needs, for a
/// prismatic joint without limits and for more than 1e8 cells, or 1e6 that are reached; what DynamicsWorkspace throws
/// for the point; Interrupted, if `stop` became true before the last sample. Progress counts samples.
CapabilityMap capability_map(const Robot& robot, const ContactPoint& point, const MapOptions& options = {},
                             const RunOptions& run = {});

}  // namespace thud
