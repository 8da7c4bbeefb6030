#include "translate/matched.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <boost/math/tools/toms748_solve.hpp>

namespace thud::translating {
namespace {

/// The root of a function with a sign change, to `bits` bits. Throws InputError where it has none: a law so extreme
/// that its numbers leave the range of double precision.
template <class Function>
double root(const Function& function, double low, double high, unsigned bits) {
  const double at_low = function(low), at_high = function(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if (!(at_low < 0) == !(at_high < 0) || !std::isfinite(at_low) || !std::isfinite(at_high))
    throw InputError("law", "given", "is too extreme at this mass and speed: no simulator's contact comes near it");
  std::uintmax_t iterations = 100;
  const auto found = boost::math::tools::toms748_solve(function, low, high, at_low, at_high,
                                                       boost::math::tools::eps_tolerance<double>(bits), iterations);
  return found.first + (found.second - found.first) / 2;
}

/// A model by pure numbers: w [rad/s], the frequency of mass and spring; damping and width in its units, over those of
/// mass, speed and w.
struct Shape {
  double damping = 0;
  double width = 0;
  double power = 1;
};
ContactModel model_of(Simulator simulator, double mass, double speed, double w, const Shape& shape) {
  switch (simulator) {
    case Simulator::mujoco: {
      const double first = shape.width > 0 ? least_impedance / full_impedance : 1;
      return {simulator, w * w, shape.damping * w, first, shape.width * speed / w, shape.power};
    }
    case Simulator::drake:
      return {simulator, mass * w * w, shape.damping / speed};
    case Simulator::gazebo:
    case Simulator::bullet:
      break;
  }
  return {simulator, mass * w * w, shape.damping * mass * w};
}

Shape shape_of(const ContactModel& model, double mass, double speed) {
  switch (model.simulator) {
    case Simulator::mujoco: {
      const double w = std::sqrt(model.stiffness);
      return {model.damping / w, model.width * w / speed, model.power};
    }
    case Simulator::drake:
      return {model.damping * speed};
    case Simulator::gazebo:
    case Simulator::bullet:
      break;
  }
  return {model.damping / std::sqrt(model.stiffness * mass)};
}

double frequency_of(const ContactModel& model, double mass) {
  return std::sqrt(model.simulator == Simulator::mujoco ? model.stiffness : model.stiffness / mass);
}

HitOutcome outcome_of(Simulator simulator, const Shape& shape) {
  return outcome(model_of(simulator, 1, 1, 1, shape), 1, 1);
}

/// The shape with this restitution, by its damping; none for 1.
Shape with_restitution(Simulator simulator, double restitution, double width = 0, double power = 1) {
  const auto excess = [&](double damping) {
    return outcome_of(simulator, {damping, width, power}).restitution - restitution;
  };
  if (restitution >= 1 || excess(0) <= 0) return {0, width, power};
  double high = 1;
  while (excess(high) > 0) high *= 2;
  return {root(excess, 0, high, 40), width, power};
}

}  // namespace

ContactModel matched(Simulator simulator, const HitOutcome& target, double mass, double speed, Impedance impedance) {
  const double restitution = std::clamp(target.restitution, least_restitution, 1.0);
  // Forces scale with the frequency at a shape, durations with its inverse.
  const auto frequency_for = [&](const Shape& shape) {
    return target.peak / (mass * speed * outcome_of(simulator, shape).peak);
  };
  const auto too_long = [&](const Shape& shape) {
    return outcome_of(simulator, shape).duration / frequency_for(shape) / target.duration - 1;
  };
  Shape nearest = with_restitution(simulator, restitution);
  if (simulator == Simulator::mujoco && impedance == Impedance::growing) {
    // Up to where no hit comes to the full impedance: from there on the shape is the same.
    constexpr double near = 1e-7, widths[] = {1e-3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2};
    double off = std::abs(too_long(nearest));
    for (const double power : {1.0, 2.0, 4.0, 8.0}) {
      const auto at = [&](double width) { return with_restitution(simulator, restitution, width, power); };
      const auto too_long_at = [&](double width) { return too_long(at(width)); };
      double before = std::numeric_limits<double>::quiet_NaN(), last = 0;
      for (const double width : widths) {
        if (off < near) break;
        const Shape shape = at(width);
        const double here = too_long(shape);
        if (std::abs(here) < off) nearest = shape;
        if (before * here < 0) nearest = at(root(too_long_at, last, width, 30));
        off = std::abs(too_long(nearest));
        before = here;
        last = width;
      }
    }
  }
  return model_of(simulator, mass, speed, frequency_for(nearest), nearest);
}

std::optional<ContactModel> matched_at_step(const ContactModel& model, const HitOutcome& target, double mass,
                                            double speed, double step) {
  constexpr unsigned bits = 20;
  const Shape shape = shape_of(model, mass, speed);
  const double w = frequency_of(model, mass);
  const auto with = [&](double damping, double frequency) {
    return model_of(model.simulator, mass, speed, frequency, {damping, shape.width * frequency / w, shape.power});
  };
  const auto mean = [&](const ContactModel& each) { return stepped_outcome(each, mass, speed, step).mean; };
  // The frequency with the peak at a damping; 0: none is near.
  const auto frequency_for = [&](double damping) {
    const auto excess = [&](double frequency) { return mean(with(damping, frequency)).peak / target.peak - 1; };
    const double low = w / 4, high = w * 4;
    return excess(low) < 0 && excess(high) > 0 ? root(excess, low, high, bits) : 0.0;
  };
  const double restitution = std::clamp(target.restitution, least_restitution, 1.0);
  const auto excess = [&](double damping) {
    const double frequency = frequency_for(damping);
    return frequency > 0 ? mean(with(damping, frequency)).restitution - restitution : -restitution;
  };
  double damping = 0;
  if (excess(0) > 0) {
    const double most = 2 * shape.damping + 0.5;
    if (excess(most) > 0) return std::nullopt;
    damping = root(excess, 0, most, bits);
  }
  const double frequency = frequency_for(damping);
  if (frequency == 0) return std::nullopt;
  return with(damping, frequency);
}

}  // namespace thud::translating
