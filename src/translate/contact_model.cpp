#include "translate/contact_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace thud::translating {
namespace {

using State = std::array<double, 2>;  // depth [m], rate [m/s]

constexpr double end_fraction = 0.01;  // of the peak, as force_profile has it
constexpr int phases = 16;             // of the touch in a step
constexpr std::size_t most_steps = 1000000;

/// MuJoCo's impedance at a depth, over that at `width` and beyond.
double impedance(const ContactModel& model, double depth) {
  if (depth >= model.width || model.width == 0) return 1;
  const double x = std::max(depth, 0.0) / model.width, p = model.power;
  const double grown = p == 1          ? x
                       : x <= midpoint ? std::pow(x, p) / std::pow(midpoint, p - 1)
                                       : 1 - std::pow(1 - x, p) / std::pow(1 - midpoint, p - 1);
  return model.first + (1 - model.first) * grown;
}

/// Drake's rate after a step: the root of m (v' - v)/h + f(v'), which increases.
double implicit_force(const ContactModel& model, double mass, double depth, double rate, double step) {
  const double k = model.stiffness, d = model.damping;
  const auto pressed = [&](double after) {
    return k * std::max(depth + step * after, 0.0) * std::max(1 + d * after, 0.0);
  };
  double low = -depth / step, high = rate;  // no force at the first, no change at the second
  if (d > 0) low = std::max(low, -1 / d);
  if (low >= high) return 0;
  for (int i = 0; i < 200 && high - low > 1e-15 * std::max(std::abs(low), std::abs(high)); ++i) {
    const double after = low + (high - low) / 2;
    (mass * (after - rate) / step + pressed(after) > 0 ? high : low) = after;
  }
  return mass * (rate - low) / step;
}

/// The motion of a unit mass, at unit speed, under a force that is affine in the rate.
template <class Force>
struct Motion {
  Force pressed;

  State rate(const State& at) const { return {at[1], -pressed(at)}; }

  /// Runge and Kutta.
  State after(const State& at, double time) const {
    const auto moved = [&](const State& by, double share) {
      return State{at[0] + share * time * by[0], at[1] + share * time * by[1]};
    };
    const State a = rate(at), b = rate(moved(a, 0.5)), c = rate(moved(b, 0.5)), d = rate(moved(c, 1));
    State next = at;
    for (std::size_t i = 0; i < 2; ++i) next[i] += time / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    return next;
  }

  /// The part of a step after which the force is down to a level that lies between those before and after it.
  double part_until(const State& from, double time, double level) const {
    double low = 0, high = 1;
    while (high - low > 1e-12) {
      const double middle = (low + high) / 2;
      (pressed(after(from, middle * time)) > level ? low : high) = middle;
    }
    return high;
  }
};

/// The top of a parabola through three points, of which the middle one is the highest.
double top(const std::array<double, 3>& times, const std::array<double, 3>& forces) {
  const double a = times[0] - times[1], b = times[2] - times[1];
  const double to_a = (forces[0] - forces[1]) / a, to_b = (forces[2] - forces[1]) / b;
  const double curvature = (to_b - to_a) / (b - a), slope = to_a - curvature * a;
  return curvature < 0 ? forces[1] - slope * slope / (4 * curvature) : forces[1];
}

}  // namespace

double force(const ContactModel& model, double mass, double depth, double rate) {
  switch (model.simulator) {
    case Simulator::mujoco: {
      const double share = impedance(model, depth);
      return mass * share * (model.damping * rate + model.stiffness * share * depth);
    }
    case Simulator::drake:
      return model.stiffness * depth * (1 + model.damping * rate);
    case Simulator::gazebo:
    case Simulator::bullet:
      break;
  }
  return model.stiffness * depth + model.damping * rate;
}

double stepped_force(const ContactModel& model, double mass, double depth, double rate, double step) {
  switch (model.simulator) {
    case Simulator::mujoco:
      return depth > 0 ? std::max(force(model, mass, depth, rate), 0.0) : 0;
    case Simulator::drake:
      return depth > 0 ? implicit_force(model, mass, depth, rate, step) : 0;
    case Simulator::gazebo:
      if (depth <= 0) return 0;
      break;
    case Simulator::bullet:
      break;
  }
  const double yielding = step * model.stiffness + model.damping;  // 1/cfm [N s/m]
  const double target = depth > 0 ? model.stiffness * depth : yielding * depth / step;
  return std::max((target + yielding * rate) / (1 + yielding * step / mass), 0.0);
}

HitOutcome outcome(const ContactModel& model, double mass, double speed) {
  if (model.simulator == Simulator::drake)
    return law_outcome(Viscoelastic{model.stiffness, model.stiffness * model.damping}, mass, speed);
  constexpr double fineness = 0.01;  // of a step, of the time in which mass, spring and dashpot answer each other
  const double pace = std::sqrt(model.stiffness / (model.simulator == Simulator::mujoco ? 1 : mass));
  const double length = speed / pace, unit = mass * speed * pace;
  const auto pressed = [&](const State& at) { return force(model, mass, length * at[0], speed * at[1]) / unit; };
  const Motion<decltype(pressed)> motion{pressed};

  std::vector<State> states{{0, 1}};
  std::vector<double> times{0}, forces{pressed(states[0])};
  // It ends, restoring, where the force is gone; a strongly damped one takes long about it.
  while (states.size() < most_steps && !(states.back()[1] < 0 && forces.back() <= 0)) {
    const State& from = states.back();
    const double resistance = pressed({from[0], from[1] + 1}) - pressed(from);
    const double step = fineness / (1 + std::abs(resistance));
    states.push_back(motion.after(from, step));
    times.push_back(times.back() + step);
    forces.push_back(pressed(states.back()));
  }
  const std::size_t last = states.size() - 1;
  const double whole = times[last] - times[last - 1];
  const State end = motion.after(states[last - 1], whole * motion.part_until(states[last - 1], whole, 0));

  const auto highest = static_cast<std::size_t>(std::max_element(forces.begin(), forces.end()) - forces.begin());
  double peak = forces[highest];
  if (highest > 0 && highest < last)
    peak = top({times[highest - 1], times[highest], times[highest + 1]},
               {forces[highest - 1], forces[highest], forces[highest + 1]});
  std::size_t low = std::min(highest + 1, last);
  while (low < last && forces[low] > end_fraction * peak) ++low;
  const double step = times[low] - times[low - 1];
  const double gone = times[low - 1] + step * motion.part_until(states[low - 1], step, end_fraction * peak);
  return {unit * peak, gone / pace, -end[1]};
}

SteppedOutcome stepped_outcome(const ContactModel& model, double mass, double speed, double step) {
  SteppedOutcome all;
  all.mean = {0, 0, 0};
  std::vector<double> forces;
  for (int phase = 0; phase < phases; ++phase) {
    const double touch = (phase + 0.5) / phases * step;  // after the first instant
    double depth = -touch * speed, rate = speed;
    forces.clear();
    while (forces.size() < most_steps && !(rate < 0 && forces.back() == 0)) {
      forces.push_back(stepped_force(model, mass, depth, rate, step));
      rate -= step * forces.back() / mass;
      depth += step * rate;
    }
    const double peak = *std::max_element(forces.begin(), forces.end());
    const auto last =
        std::find_if(forces.rbegin(), forces.rend(), [&](double each) { return each > end_fraction * peak; });
    const HitOutcome one{peak, step * static_cast<double>(last.base() - forces.begin()) - touch, -rate / speed};
    for (double HitOutcome::*each : {&HitOutcome::peak, &HitOutcome::duration, &HitOutcome::restitution}) {
      all.mean.*each += one.*each / phases;
      all.lowest.*each = phase == 0 ? one.*each : std::min(all.lowest.*each, one.*each);
      all.highest.*each = phase == 0 ? one.*each : std::max(all.highest.*each, one.*each);
    }
  }
  return all;
}

}  // namespace thud::translating
