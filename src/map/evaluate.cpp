#include "map/evaluate.hpp"

#include <thud/batch.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include <boost/math/tools/toms748_solve.hpp>

#include "foundation/require.hpp"
#include "limit/course.hpp"
#include "limit/numbers.hpp"
#include "map/directions.hpp"

namespace thud::map {
namespace {

using limit::never;
using limit::none;

bool has_value(const VectorX& values) {
  return values.size() != 0 && !values.array().isNaN().all();
}

void require_unit_interval(const char* argument, double value) {
  if (!(value >= 0 && value <= 1)) throw InputError(argument, value, "must be from 0 to 1");
}

// The least force that limits the contact [N]; NaN: none does.
double largest_force(const Limits& limits) {
  return std::fmin(limits.force, limits.collision_force);
}

// The speed at which a mass gives a law's contact that peak [m/s]: the peak grows with the speed.
double speed_of_peak(const ContactLaw& law, double mass, double peak) {
  const auto excess = [&](double speed) { return force_profile(law, mass, -speed).peak.force - peak; };
  if (excess(limit::highest_speed) < 0) return never;
  std::uintmax_t most = 200;
  return boost::math::tools::bracket_and_solve_root(excess, 1.0, 2.0, true,
                                                    boost::math::tools::eps_tolerance<double>(44), most)
      .first;
}

// The highest speed by limits that depend on the mass alone.
double contact_speed(const MapOptions& options, double mass) {
  double speed = never;
  if (options.body) {
    const BodySpeeds by = body_speeds(*options.body, mass);
    speed = std::fmin(by.force, by.pressure);  // of a number and NaN: the number
  }
  const double force = largest_force(options.limits);
  if (options.law && !std::isnan(force)) speed = std::min(speed, speed_of_peak(*options.law, mass, force));
  return speed > limit::highest_speed ? never : speed;
}

// Restitutions of the joints' jump of which the worse counts. In between, the joints' speeds after the hit are: they
// are convex in it.
std::vector<double> restitutions(const MapOptions& options) {
  if (options.restitution) return {*options.restitution};
  if (!options.law) return {0};
  if (const auto* spring = std::get_if<Spring>(&*options.law)) return {spring->restitution};
  return {0, 1};
}

template <class Masses>
double heaviest(const MapOptions& options, const Masses& mass) {
  if (options.model) return mass(*options.model);
  double greatest = none;
  for (const InertiaModel model : all_inertia_models) greatest = std::fmax(greatest, mass(model));
  return greatest;
}

// Masses along a normal that is fixed in the world.
class AlongNormal final : public Evaluator {
 public:
  AlongNormal(const Robot& robot, const ContactPoint& point, const MapOptions& options)
      : robot_(robot), point_(point), options_(options) {}

  void evaluate(const MatrixRef& q, std::vector<Outcome>& outcomes) override {
    predict_batch(robot_, point_, q, no_rates_, batch_options_, batch_);
    outcomes.clear();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const double mass = heaviest(options_, [&](InertiaModel model) { return batch_.effective_mass[model][i]; });
      outcomes.push_back({batch_.p_WC.col(i), mass, mass, mass});
    }
  }

 private:
  const Robot& robot_;
  const ContactPoint& point_;
  const MapOptions& options_;
  const BatchOptions batch_options_{.outputs = BatchOutputs::positions, .run = {.jobs = 1}};
  const MatrixX no_rates_{};
  Batch batch_;
};

// Masses from the matrices: along a direction of the frame, or over all.
class ByMatrix final : public Evaluator {
 public:
  ByMatrix(const Robot& robot, const ContactPoint& point, const MapOptions& options)
      : robot_(robot), point_(point), options_(options) {
    if (!options.direction_F) return;
    direction_.emplace(robot, point, *options.direction_F);
    workspace_.emplace(robot, point);
  }

  void evaluate(const MatrixRef& q, std::vector<Outcome>& outcomes) override {
    predict_batch(robot_, point_, q, no_rates_, {.outputs = BatchOutputs::everything, .run = {.jobs = 1}}, batch_);
    if (direction_)
      predict_batch(robot_, direction_->ahead(), q, no_rates_, {.outputs = BatchOutputs::positions, .run = {.jobs = 1}},
                    ahead_);
    outcomes.clear();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      if (direction_) {
        const Vector3 normal = (ahead_.p_WC.col(i) - batch_.p_WC.col(i)).normalized();
        const double mass = heaviest(options_, [&](InertiaModel model) { return along(q, i, model, normal); });
        outcomes.push_back({batch_.p_WC.col(i), mass, mass, mass});
      } else {
        const DirectionMasses masses = directions_of(matrix(i, *options_.model), *options_.model);
        outcomes.push_back({batch_.p_WC.col(i), masses.least, masses.mean, masses.greatest});
      }
    }
  }

 private:
  Matrix3 matrix(Eigen::Index i, InertiaModel model) const { return batch_.W[model].col(i).reshaped(3, 3); }

  // Where the batch has no matrix, it may be for want of motion along its own normal alone.
  double along(const MatrixRef& q, Eigen::Index i, InertiaModel model, const Vector3& normal) {
    const Matrix3 W = matrix(i, model);
    if (W.allFinite()) return mass_along(W, model, normal);
    workspace_->set_contact(point_.offset, normal);
    return inverse_inertia(contact_dynamics(*workspace_, q.col(i)), model).effective_mass();
  }

  const Robot& robot_;
  const ContactPoint& point_;
  const MapOptions& options_;
  const MatrixX no_rates_{};
  std::optional<FrameDirection> direction_;
  std::optional<DynamicsWorkspace> workspace_;
  Batch batch_, ahead_;
};

// Speeds that joints limit too.
class BySpeed final : public Evaluator {
 public:
  BySpeed(const Robot& robot, const ContactPoint& point, const MapOptions& options)
      : point_(point),
        options_(options),
        workspace_(robot, point),
        restitutions_(restitutions(options)),
        gravity_(VectorX::Zero(robot.size())) {
    joints_.speed = options.limits.speed;
    if (options.direction_F) direction_.emplace(robot, point, *options.direction_F);
  }

  void evaluate(const MatrixRef& q, std::vector<Outcome>& outcomes) override {
    outcomes.clear();
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      if (direction_) workspace_.set_contact(point_.offset, direction_->at(q.col(i)));
      const ContactDynamics& dynamics = contact_dynamics(workspace_, q.col(i));
      const double speed = speed_of(dynamics);
      outcomes.push_back({dynamics.p_WC, speed, speed, speed});
    }
  }

 private:
  double speed_of(const ContactDynamics& dynamics) const {
    const auto towards = nearest(dynamics);
    if (!towards) return none;
    const VectorX direction = towards->dq;
    const auto inertias = inverse_inertias(dynamics);
    double speed = none;
    for (const InertiaModel model : all_inertia_models) {
      if ((options_.model && *options_.model != model) || !inertias[model].exists()) continue;
      speed = std::fmin(speed, contact_speed(options_, inertias[model].effective_mass()));
      for (const double restitution : restitutions_) {
        const double by_joints =
            joint_speed_limit(dynamics, direction, joints_, gravity_, {.model = model, .restitution = restitution});
        // where joints cannot give the point the jump, their speeds after the hit are not known
        speed = std::min(speed, std::isnan(by_joints) ? speed_before(direction) : by_joints);
      }
    }
    return speed > limit::highest_speed ? never : speed;
  }

  // Joint rates per m/s. What is mostly motion across the normal is no approach.
  static std::optional<Approach> nearest(const ContactDynamics& dynamics) {
    try {
      return nearest_approach(dynamics, 1);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  double speed_before(const VectorX& direction) const noexcept {
    double speed = never;
    for (Eigen::Index i = 0; i < direction.size(); ++i)
      speed = std::fmin(speed, joints_.speed[i] / std::abs(direction[i]));
    return speed;
  }

  const ContactPoint& point_;
  const MapOptions& options_;
  DynamicsWorkspace workspace_;
  std::optional<FrameDirection> direction_;
  std::vector<double> restitutions_;
  Limits joints_;
  VectorX gravity_;
};

ContactPoint moved(const ContactPoint& point, const Vector3& by) {
  ContactPoint other = point;
  other.offset += by.normalized();
  return other;
}

}  // namespace

FrameDirection::FrameDirection(const Robot& robot, const ContactPoint& point, const Vector3& direction_F)
    : ahead_(moved(point, direction_F)), here_(robot, point), there_(robot, ahead_) {}

Vector3 FrameDirection::at(const VectorRef& q) noexcept {
  return (contact_dynamics(there_, q).p_WC - contact_dynamics(here_, q).p_WC).normalized();
}

void validate_options(const Robot& robot, const MapOptions& options) {
  foundation::require_positive("cell", options.cell);
  if (options.samples < 2 || options.samples > std::numeric_limits<std::uint32_t>::max())
    throw InputError("samples", std::to_string(options.samples), "must be from 2 to 4294967295");
  if (!(options.within.lower.array() < options.within.upper.array()).all())
    throw InputError("within", "given", "must have a lower corner below the upper one on each axis");
  if (options.direction_F && !(options.direction_F->norm() > 0 && options.direction_F->allFinite()))
    throw InputError("direction", "given", "must be finite and have a length");
  if (options.all_directions) {
    if (options.direction_F) throw InputError("direction", "given", "is one of all directions: one of them is shown");
    if (!options.model)
      throw InputError("model", "cautious", "differs from direction to direction: all of them need one model");
  }
  if (options.law) {
    validate(*options.law);
    if (const auto* spring = std::get_if<Spring>(&*options.law))
      require_unit_interval("restitution", spring->restitution);
  }
  if (options.restitution) require_unit_interval("restitution", *options.restitution);
  if (options.body) {
    validate(options.body->region);
    if (options.law) throw InputError("body", options.body->region.name, "is given beside a law: one of them is hit");
    if (!std::isnan(options.body->area)) foundation::require_positive("area", options.body->area);
  }
  validate(options.limits, robot.size());
  const bool at_a_speed = options.quantity == MapQuantity::peak_force || options.quantity == MapQuantity::impulse;
  if (at_a_speed) foundation::require_positive("approach_speed", options.approach_speed);
  if (options.quantity == MapQuantity::peak_force && !options.law)
    throw InputError("law", "none", "is needed for the peak of the force");
  if (options.quantity == MapQuantity::speed && !options.body && !is_limited_by_joints(options) &&
      (!options.law || std::isnan(largest_force(options.limits))))
    throw InputError("limits", "none", "are needed for a highest speed: of the joints, of a body, or of a law's force");
}

bool is_limited_by_joints(const MapOptions& options) noexcept {
  return options.quantity == MapQuantity::speed && !options.all_directions && has_value(options.limits.speed);
}

double quantity_of(const MapOptions& options, double mass) {
  if (std::isnan(mass)) return none;
  switch (options.quantity) {
    case MapQuantity::effective_mass:
      return mass;
    case MapQuantity::speed:
      return contact_speed(options, mass);
    case MapQuantity::peak_force:
      return force_profile(*options.law, mass, -options.approach_speed).peak.force;
    case MapQuantity::impulse:
      return (1 + options.restitution.value_or(0)) * mass * options.approach_speed;
  }
  return none;
}

std::unique_ptr<Evaluator> make_evaluator(const Robot& robot, const ContactPoint& point, const MapOptions& options) {
  if (is_limited_by_joints(options)) return std::make_unique<BySpeed>(robot, point, options);
  if (options.direction_F || options.all_directions) return std::make_unique<ByMatrix>(robot, point, options);
  return std::make_unique<AlongNormal>(robot, point, options);
}

}  // namespace thud::map
