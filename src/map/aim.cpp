#include <thud/aim.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "foundation/chunks.hpp"
#include "foundation/require.hpp"
#include "limit/numbers.hpp"
#include "map/aim_judge.hpp"
#include "map/aim_reach.hpp"
#include "map/aim_search.hpp"

namespace THUD_EXPORT thud {
using namespace map;
namespace {

constexpr double as_good = 1e-6;  // of a logarithm of two values that are equal [1], of a place [m], of an angle [rad]
constexpr int reach_steps = 60;   // of a random posture to the target
constexpr double half_metre = 0.5;  // within which sliding joints without limits start [m]
constexpr double unbounded = 100;   // a mass that is so many times the moving one only grows near a singularity
constexpr int most_steps = 80;      // of a descent

// Of quantities that limits bound: all starts go some steps down a smooth function, one in eight, the best, further.
constexpr double coarse_norm = 8;
constexpr double fine_norms[] = {16, 128};
constexpr int coarse_steps = 10, fine_steps = 20;
constexpr double first_poll = 0.02;  // [rad or m]
constexpr std::size_t starts_per_search = 8;

std::string triple(const Vector3& v) {
  return to_text(v[0]) + "," + to_text(v[1]) + "," + to_text(v[2]);
}

bool limits_speed(const Limits& limits) {
  return limits.speed.size() != 0 && !limits.speed.array().isNaN().all() && limits.speed.array().isFinite().any();
}

void validate_hit(const AimOptions& options, const Vector3& p_WC) {
  foundation::require_positive("speed", options.speed);
  if (options.restitution && !(*options.restitution >= 0 && *options.restitution <= 1))
    throw InputError("restitution", *options.restitution, "must be from 0 to 1");
  if (!(options.friction >= 0) || !std::isfinite(options.friction))
    throw InputError("friction", options.friction, "must be finite and >= 0");
  if (options.friction > 0 && options.model == InertiaModel::flexible_joints)
    throw InputError("model", "flexible_joints", "cannot be used with friction: its W is not symmetric");
  if (options.quantity == AimQuantity::energy_loss && options.restitution == 1.0)
    throw InputError("restitution", 1, "loses no energy: one posture is as good as another");
  if (options.object) {
    static_cast<void>(contact_response(*options.object, p_WC));
    if (!options.object->velocity.isZero(0) || !options.object->angular_velocity.isZero(0))
      throw InputError("object.velocity", triple(options.object->velocity), "must be zero: the object is hit at rest");
  }
  if (!std::isnan(options.object_speed)) {
    foundation::require_positive("object_speed", options.object_speed);
    if (!options.object) throw InputError("object_speed", options.object_speed, "needs an object");
  }
}

void validate_options(const AimOptions& options, const Limits& limits) {
  if (options.starts <= 0) throw InputError("starts", options.starts, "must be greater than 0");
  if (options.count <= 0) throw InputError("count", options.count, "must be greater than 0");
  foundation::require_positive("distinct", options.distinct);
  if (options.quantity == AimQuantity::object_speed) {
    if (!options.object) throw InputError("quantity", "object_speed", "needs an object");
    if (!limits_speed(limits))
      throw InputError("quantity", "object_speed", "needs a limit of joint speed: nothing else limits it");
  }
  if (options.quantity == AimQuantity::speed) return;
  for (const auto& [name, given] : {std::pair{"law", options.law.has_value()},
                                    {"drives", options.drives.has_value()},
                                    {"body", options.body.has_value()}})
    if (given) throw InputError(name, "given", "is of the quantity speed alone");
}

// What came of one start.
struct Candidate {
  VectorX q;
  Reach::Distance distance{limit::never, limit::never};
  bool reached = false, converged = false;
  double objective = limit::never;
};

class Search {
 public:
  Search(const Robot& robot, const ContactPoint& point, const AimTarget& target, const AimOptions& options,
         const Limits& limits)
      : robot_(robot),
        point_(point),
        target_(target),
        options_(options),
        limits_(limits),
        judge_(robot, point, target, options, limits),
        matters_(judge_.reach().tree().matters(robot.size())),
        turns_(static_cast<std::size_t>(robot.size())),
        round_(turns_),
        candidates_(static_cast<std::size_t>(options.starts)) {
    const Box& box = judge_.reach().box();
    for (int i = 0; i < robot.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      round_[at] = robot.joints()[at].type != JointType::prismatic;
      turns_[at] = round_[at] && std::isinf(box.lower[i]) && std::isinf(box.upper[i]);
    }
    for (const Follower& follower : robot.followers())
      turns_[static_cast<std::size_t>(follower.leader)] = round_[static_cast<std::size_t>(follower.leader)] = false;
  }

  AimResult run() {
    for_each(candidates_.size(), [&](Judge& judge, std::size_t i) { begin(judge, i); });
    AimResult result;
    for (const Candidate& each : candidates_) {
      result.reached += each.reached;
      const double far = each.distance.position + each.distance.angle;
      if (!(far >= result.nearest + result.nearest_angle)) {
        result.nearest = each.distance.position;
        result.nearest_angle = each.distance.angle;
      }
    }
    std::vector<std::size_t> order = distinct(candidates_.size());
    if (!by_mass(options_.quantity)) {
      order.resize(std::min(order.size(), std::max<std::size_t>(candidates_.size() / starts_per_search,
                                                                static_cast<std::size_t>(options_.count))));
      for_each(order.size(), [&](Judge& judge, std::size_t k) { refine(judge, order[k]); });
      for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (std::ranges::find(order, i) == order.end()) candidates_[i].objective = limit::never;
      order = distinct(static_cast<std::size_t>(options_.count));
    }
    order.resize(std::min(order.size(), static_cast<std::size_t>(options_.count)));
    for (const std::size_t i : order) result.aims.push_back(described(candidates_[i]));
    result.status = result.reached == 0   ? AimStatus::unreachable
                    : result.aims.empty() ? AimStatus::no_value
                                          : AimStatus::ok;
    return result;
  }

 private:
  template <class Work>
  struct Worker {
    Judge judge;
    const Work& work;
    void compute(Eigen::Index from, Eigen::Index to) {
      for (Eigen::Index i = from; i < to; ++i) work(judge, static_cast<std::size_t>(i));
    }
  };

  template <class Work>
  void for_each(std::size_t count, const Work& work) {
    foundation::compute_in_chunks(static_cast<Eigen::Index>(count), 1, options_.run, [&] {
      return std::unique_ptr<Worker<Work>>(new Worker<Work>{Judge(robot_, point_, target_, options_, limits_), work});
    });
  }

  static Objective smoothed(Judge& judge, double p) {
    return [&judge, p](const VectorX& q, VectorX* gradient) { return judge.limits_objective(q, p, gradient); };
  }

  VectorX random_posture(StartNumbers& numbers) const {
    const Box& box = judge_.box();
    VectorX q = VectorX::Zero(robot_.size());
    for (int i = 0; i < robot_.size(); ++i) {
      if (!matters_[static_cast<std::size_t>(i)]) continue;
      const bool slides = robot_.joints()[static_cast<std::size_t>(i)].type == JointType::prismatic;
      const double half = slides ? half_metre : std::numbers::pi;
      double low = box.lower[i], high = box.upper[i];
      if (std::isinf(low)) low = std::isinf(high) ? -half : high - 2 * half;
      if (std::isinf(high)) high = low + 2 * half;
      q[i] = low + (high - low) * numbers.uniform();
    }
    box.clamp(q);
    return q;
  }

  void begin(Judge& judge, std::size_t start) {
    Candidate& candidate = candidates_[start];
    StartNumbers numbers(options_.seed, 2 * start);
    candidate.q = random_posture(numbers);
    const std::vector<bool> none(static_cast<std::size_t>(robot_.size()));
    candidate.reached = judge.reach().solve(candidate.q, reach_steps, none);
    candidate.distance = judge.reach().distance();
    if (!candidate.reached) return;
    if (by_mass(options_.quantity)) {
      const auto mass = [&](const VectorX& q, VectorX* gradient) { return judge.mass_objective(q, gradient); };
      const Found found = descend(judge.reach(), mass, most_steps, candidate.q);
      candidate.objective = found.value;
      candidate.converged = found.converged;
    } else {
      descend(judge.reach(), smoothed(judge, coarse_norm), coarse_steps, candidate.q);
      candidate.objective = judge.limits_objective(candidate.q, limit::never, nullptr);
      candidate.converged = true;
    }
    within_a_turn(candidate.q);
  }

  void refine(Judge& judge, std::size_t start) {
    Candidate& candidate = candidates_[start];
    StartNumbers numbers(options_.seed, 2 * start + 1);
    for (const double p : fine_norms) descend(judge.reach(), smoothed(judge, p), fine_steps, candidate.q);
    const Objective exact = smoothed(judge, limit::never);
    candidate.objective = poll(judge.reach(), exact, numbers, first_poll, candidate.q);
    within_a_turn(candidate.q);
  }

  void within_a_turn(VectorX& q) const {
    for (Eigen::Index i = 0; i < q.size(); ++i)
      if (turns_[static_cast<std::size_t>(i)]) q[i] = std::remainder(q[i], 2 * std::numbers::pi);
  }

  // From one posture to another, full turns aside [rad or m].
  VectorX way(const VectorX& from, const VectorX& to) const {
    VectorX difference = to - from;
    for (Eigen::Index i = 0; i < difference.size(); ++i)
      if (round_[static_cast<std::size_t>(i)]) difference[i] = std::remainder(difference[i], 2 * std::numbers::pi);
    return difference;
  }

  double objective(const VectorX& q) {
    return by_mass(options_.quantity) ? judge_.mass_objective(q, nullptr)
                                      : judge_.limits_objective(q, limit::never, nullptr);
  }

  // Whether two postures are one hit: near each other, or apart in joints that the hit does not feel, so that all
  // between them are at the target and worth the same.
  bool same(const Candidate& a, const Candidate& b) {
    const VectorX between = way(a.q, b.q);
    if (between.cwiseAbs().maxCoeff() <= options_.distinct) return true;
    if (std::abs(a.objective - b.objective) > as_good) return false;
    for (const double t : {0.25, 0.5, 0.75}) {
      const VectorX q = a.q + t * between;
      judge_.reach().place(q);
      const Reach::Distance off = judge_.reach().distance();
      if (off.position > as_good || off.angle > as_good || !(std::abs(objective(q) - a.objective) <= as_good))
        return false;
    }
    return true;
  }

  // The best candidates, at most `count`, each far from the others. Those that ran out of steps are no optima, but the
  // best may be one of them.
  std::vector<std::size_t> distinct(std::size_t count) {
    std::vector<std::size_t> order(candidates_.size()), kept;
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return candidates_[i].objective; });
    for (const std::size_t i : order) {
      const Candidate& each = candidates_[i];
      if (!std::isfinite(each.objective) || kept.size() == count) break;
      if (!each.converged && !kept.empty()) continue;
      if (std::ranges::none_of(kept, [&](std::size_t k) { return same(candidates_[k], each); })) kept.push_back(i);
    }
    return kept;
  }

  Aim described(const Candidate& candidate) {
    Aim aim;
    aim.q = candidate.q;
    aim.value = judge_.value(aim.q);
    const ContactDynamics& d = judge_.dynamics(aim.q);
    const auto inertias = inverse_inertias(d);
    aim.effective_mass = PerModel<double>([&](InertiaModel model) { return inertias[model].effective_mass(); });
    const Box& box = judge_.box();
    aim.limit_distance = limit::never;
    for (int i = 0; i < robot_.size(); ++i)
      if (matters_[static_cast<std::size_t>(i)])
        aim.limit_distance = std::min({aim.limit_distance, aim.q[i] - box.lower[i], box.upper[i] - aim.q[i]});
    judge_.reach().place(aim.q);
    aim.position_error = judge_.reach().distance().position;
    aim.angle_error = judge_.reach().distance().angle;
    aim.dq = VectorX::Constant(robot_.size(), limit::none);
    describe_hit(d, aim);
    const double mass = aim.effective_mass[judge_.model()];
    if (options_.maximize && by_mass(options_.quantity) && mass > unbounded * d.mass)
      aim.warnings.push_back({WarningCode::singular_model, std::string(to_string(judge_.model())),
                              "the mass of " + std::string(to_string(judge_.model())) +
                                  " grows without bound towards a singular posture near this one"});
    return aim;
  }

  void describe_hit(const ContactDynamics& d, Aim& aim) {
    const auto hit = judge_.hit(d);
    if (!hit) {
      aim.warnings.push_back({WarningCode::no_approach, "", "the contact point cannot approach at this posture"});
      return;
    }
    aim.allowed = judge_.allowed(*hit);
    aim.speed = options_.speed;
    if (options_.quantity == AimQuantity::speed) {
      aim.speed = aim.allowed = aim.value;
      if (const auto limit = judge_.highest_speed(d, aim.q)) aim.warnings = limit->warnings;
    }
    if (!std::isnan(options_.object_speed)) aim.speed = options_.object_speed / hit->object_speed;
    aim.dq = aim.speed * hit->approach.dq;
    aim.object = {aim.speed * hit->object.velocity, aim.speed * hit->object.angular_velocity};
    const auto warn = [&](WarningCode code, const std::string& sentence) {
      aim.warnings.push_back({code, "", sentence});
    };
    if (hit->approach.sideways > 0)
      warn(WarningCode::nearest_approach,
           "the contact point cannot move along the normal alone; the nearest motion is taken");
    if (hit->approach.turns)
      warn(WarningCode::tool_turns, "the arm cannot approach without turning the tool; it turns");
    if (hit->after.hasNaN() && limits_speed(limits_) && options_.quantity != AimQuantity::speed)
      warn(WarningCode::not_judged,
           "joint speeds after the hit are not judged: no motion of the joints gives the contact point the jump of " +
               std::string(to_string(judge_.model())));
    const bool told = options_.quantity == AimQuantity::impulse || options_.quantity == AimQuantity::energy_loss ||
                      !std::isnan(options_.object_speed);
    if (told && aim.speed > aim.allowed)
      warn(WarningCode::velocity_limit, "the hit takes " + to_text(aim.speed, 4) +
                                            " m/s, and the joints' speed limits allow " + to_text(aim.allowed, 4) +
                                            " m/s at this posture");
  }

  const Robot& robot_;
  const ContactPoint& point_;
  const AimTarget& target_;
  const AimOptions& options_;
  const Limits& limits_;
  Judge judge_;
  std::vector<bool> matters_;
  std::vector<bool> turns_;  // joints that may turn for ever
  std::vector<bool> round_;  // joints that are where they were after a full turn
  std::vector<Candidate> candidates_;
};

}  // namespace

std::string_view to_string(AimQuantity quantity) noexcept {
  switch (quantity) {
    case AimQuantity::effective_mass:
      return "effective_mass";
    case AimQuantity::speed:
      return "speed";
    case AimQuantity::impulse:
      return "impulse";
    case AimQuantity::energy_loss:
      return "energy_loss";
    case AimQuantity::object_speed:
      return "object_speed";
  }
  return "";
}

std::string_view to_string(ToolOrientation orientation) noexcept {
  switch (orientation) {
    case ToolOrientation::free:
      return "free";
    case ToolOrientation::tool_along_normal:
      return "tool_along_normal";
    case ToolOrientation::fixed:
      return "fixed";
  }
  return "";
}

std::string_view to_string(AimStatus status) noexcept {
  switch (status) {
    case AimStatus::not_run:
      return "not_run";
    case AimStatus::ok:
      return "ok";
    case AimStatus::unreachable:
      return "unreachable";
    case AimStatus::no_value:
      return "no_value";
  }
  return "";
}

AimResult aim(const Robot& robot, const ContactPoint& point, const AimTarget& target, const AimOptions& options) {
  validate(robot, point);
  validate_target(target);
  const Limits limits = options.limits.value_or(robot_limits(robot));
  validate(limits, robot.size());
  validate_hit(options, target.p_W);
  validate_options(options, limits);
  return Search(robot, point, target, options, limits).run();
}

}  // namespace thud
