#pragma once

/// What a posture is worth. Private to the library.

#include <thud/map.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace thud::map {

/// Throws InputError for options outside their ranges, and for a quantity without what it needs.
void validate_options(const Robot& robot, const MapOptions& options);

/// Whether the quantity is a speed that joints limit too, posture by posture. Any other is a function of the effective
/// mass alone.
bool is_limited_by_joints(const MapOptions& options) noexcept;

/// The quantity of a mass, monotone in it: a speed falls, all others grow.
double quantity_of(const MapOptions& options, double mass);

/// One posture: an effective mass [kg], or the speed itself [m/s] where joints limit it. NaN: there is none.
struct Outcome {
  Vector3 p_WC;
  double low, middle, high;  ///< over all directions: least, mean, greatest; else all the same
};

/// Looks at many postures. For one thread.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// q  one column per posture (n x N).
  virtual void evaluate(const MatrixRef& q, std::vector<Outcome>& outcomes) = 0;
};

/// Throws what DynamicsWorkspace throws for the point.
std::unique_ptr<Evaluator> make_evaluator(const Robot& robot, const ContactPoint& point, const MapOptions& options);

/// The contact point, and a second one a metre along a direction of the frame: what lies between them is that direction
/// in the world.
class FrameDirection {
 public:
  FrameDirection(const Robot& robot, const ContactPoint& point, const Vector3& direction_F);

  const ContactPoint& ahead() const noexcept { return ahead_; }

  /// In the world, of unit length. Real-time.
  Vector3 at(const VectorRef& q) noexcept;

 private:
  ContactPoint ahead_;
  DynamicsWorkspace here_, there_;
};

}  // namespace thud::map
