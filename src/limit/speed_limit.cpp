#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/lagrange.hpp>
#include <thud/limit.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foundation/require.hpp"
#include "limit/course.hpp"
#include "limit/jump.hpp"
#include "limit/linear_programme.hpp"
#include "limit/numbers.hpp"

namespace THUD_EXPORT thud {
namespace {

using limit::never;
using limit::none;
constexpr double horizon = 0.05;  // of an elastic arm's contact: within it a controller notices [s]
constexpr double ringing = 0.1;   // for which its torques are followed after the contact [s]
constexpr double rebound_time =
    0.1;  // for which joints are carried on after the hit, to see whether they meet a stop [s]

using Rows = std::vector<SpeedLimitRow>;

bool limited(const VectorX& values, Eigen::Index joint) {
  return values.size() != 0 && !std::isnan(values[joint]);
}

bool limited_somewhere(const VectorX& values) {
  return values.size() != 0 && !values.array().isNaN().all();
}

// What a law makes of a hit of a mass.
struct LawHit {
  double restitution;
  double mean_peak;  // mean force over the contact, times pi/2 [N]; NaN of a contact that never parts
  double peak;       // [N]
};

// `restitution`: in the place of the law's own.
LawHit law_hit(const ContactLaw& law, double mass, double speed, std::optional<double> restitution) {
  const ForceProfile profile = force_profile(law, mass, -speed);
  const double e = restitution.value_or(profile.restitution);
  const double mean = profile.end_of_contact ? (1 + e) * mass * speed / profile.end_of_contact->time : none;
  return {e, limit::half_sine * mean, profile.peak.force};
}

// What an elastic arm does.
struct ElasticHit {
  double peak = none;     // [N]
  VectorX torque, added;  // largest of each joint, with gravity's and without [N m or N]; NaN: rigid transmission
};

// One arm at one contact with all that limits its approach.
class Judge {
 public:
  Judge(const Robot& robot, const ContactPoint& point, const VectorRef& q, const Limits& limits,
        const SpeedLimitOptions& options, const RunOptions& run)
      : robot_(robot),
        limits_(limits),
        options_(options),
        stop_(run.stop),
        q_(q),
        dynamics_(contact_dynamics(robot, point, q)),
        inertias_(inverse_inertias(dynamics_)),
        gravity_(-lagrange_terms(robot, q, VectorX::Zero(robot.size())).gradient) {
    validate(limits, robot.size());
    if (options.law) {
      validate(*options.law);
      if (const auto* spring = std::get_if<Spring>(&*options.law); spring && spring->restitution > 1)
        throw InputError("restitution", spring->restitution, "must be from 0 to 1");
    }
    if (options.restitution && !(*options.restitution >= 0 && *options.restitution <= 1))
      throw InputError("restitution", *options.restitution, "must be from 0 to 1");
    if (options.drives && !options.law) throw InputError("drives", "given", "need a law: what the elastic arm hits");
    if (options.body) {
      validate(options.body->region);
      if (options.law) throw InputError("body", options.body->region.name, "is given beside a law: one of them is hit");
      if (!std::isnan(options.body->area)) foundation::require_positive("area", options.body->area);
    }
    if (options.drives) follow(elastic_arm(robot, point, q, *options.drives));
  }

  // Joint rates per approach speed.
  VectorX unit(const VectorRef& direction) const {
    if (direction.size() != robot_.size() || !direction.allFinite())
      throw InputError("direction", std::to_string(direction.size()) + " values",
                       "must have a finite one for each of the " + std::to_string(robot_.size()) + " joints");
    const double approach = -contact_velocity(dynamics_, direction);
    if (!(approach > 0))
      throw InputError("direction", -approach, "must approach: its velocity along the normal must be less than 0");
    return direction / approach;
  }

  std::vector<InertiaModel> models() const {
    std::vector<InertiaModel> list;
    for (const InertiaModel model : all_inertia_models)
      if (inertias_[model].exists() && (!options_.model || *options_.model == model)) list.push_back(model);
    if (list.empty())
      throw InputError("model", options_.model ? std::string(to_string(*options_.model)) : "cautious",
                       "does not exist at this posture");
    return list;
  }

  SpeedLimit along(InertiaModel model, const VectorX& d) const {
    SpeedLimit out;
    out.model = model;
    out.rows = joint_rows(model, d);
    const Rows others = contact_rows(model);
    out.rows.insert(out.rows.end(), others.begin(), others.end());
    std::stable_sort(out.rows.begin(), out.rows.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    if (std::erase_if(out.rows, [](const auto& row) { return std::isnan(row.speed); }) > 0)
      out.warnings.push_back(
          {WarningCode::not_judged, "", "some limits are not judged: the elastic arm's motion cannot be followed"});
    for (auto& row : out.rows)
      if (row.speed > limit::highest_speed) row.speed = never;
    out.speed = never;
    for (std::size_t i = 0; i < out.rows.size(); ++i)
      if (out.rows[i].speed < out.speed) {
        out.speed = out.rows[i].speed;
        out.binding = i;
      }
    out.dq = out.speed < never ? VectorX(out.speed * d) : d;
    return out;
  }

  // The approach of a model that is fastest.
  SpeedLimit over_all(InertiaModel model) const {
    const auto slow = nearest_approach(dynamics_, 1);
    if (!slow)
      throw InputError("normal", "given", "no motion of the joints moves the contact point along it at this posture");
    double cap = limit::highest_speed;
    for (const auto& row : contact_rows(model))
      if (!std::isnan(row.speed)) cap = std::min(cap, row.speed);
    if (cap == 0) return along(model, unit(slow->dq));
    const auto fastest = [&](double e) { return programme(model, e, cap); };
    VectorX best;
    if (restitution_varies()) {
      // the speed that the programme gives with the restitution of that speed
      const auto excess = [&](double s) { return speed_of(fastest(restitution(model, s))) - s; };
      double speed = cap;
      if (!(excess(1e-6 * cap) > 0)) {
        speed = 1e-6 * cap;
      } else if (excess(cap) < 0) {
        std::uintmax_t most = 100;
        speed = boost::math::tools::toms748_solve(excess, 1e-6 * cap, cap,
                                                  boost::math::tools::eps_tolerance<double>(46), most)
                    .first;
      }
      best = fastest(restitution(model, speed));
    } else {
      best = fastest(restitution(model, 1));
    }
    const double speed = speed_of(best);
    // where nothing binds, the slow approach is as good as any
    return along(model, speed < limit::highest_speed * (1 - 1e-9) ? VectorX(best / speed) : unit(slow->dq));
  }

  // The cautious one of several models: the lowest speed, where equal the next lowest limit.
  template <class Of>
  SpeedLimit most_cautious(Of&& of) const {
    std::optional<SpeedLimit> lowest;
    std::vector<double> order;
    for (const InertiaModel model : models()) {
      SpeedLimit each = of(model);
      std::vector<double> found;
      for (const auto& row : each.rows) found.push_back(row.speed);
      std::sort(found.begin(), found.end());
      if (lowest && !(found < order)) continue;
      lowest = std::move(each);
      order = std::move(found);
    }
    warn(*lowest);
    return *lowest;
  }

  // Models by which the approach that was found is not the fastest, and breaks a limit.
  void warn_of_other_models(SpeedLimit& out) const {
    for (const InertiaModel model : models()) {
      const SpeedLimit other = along(model, out.dq / out.speed);
      if (other.speed < out.speed * (1 - 1e-9))
        out.warnings.push_back({WarningCode::other_model, std::string(to_string(model)),
                                "by " + std::string(to_string(model)) + " this approach keeps the limits only up to " +
                                    to_text(other.speed, 4) + " m/s"});
    }
  }

 private:
  double mass(InertiaModel model) const { return inertias_[model].effective_mass(); }

  bool restitution_varies() const { return options_.law && !options_.restitution; }

  double restitution(InertiaModel model, double speed) const {
    if (options_.restitution) return *options_.restitution;
    return options_.law ? law_hit(*options_.law, mass(model), speed, options_.restitution).restitution : 0;
  }

  double speed_of(const VectorX& dq) const { return -contact_velocity(dynamics_, dq); }

  // Follows an elastic arm at all speeds of the grid.
  void follow(const ElasticArm& arm) {
    arm_ = arm;
    assumed_ = arm.warnings;
    for (std::size_t i = 0; i < limit::speeds; ++i) arm_hits_[i] = arm_hit(limit::grid_speed(i));
  }

  ElasticHit arm_hit(double speed) const {
    if (stop_ && stop_->load()) throw Interrupted();
    ElasticOptions options;
    options.horizon = horizon;
    options.ringing = ringing;
    ElasticProfile profile(robot_.size());
    elastic_profile(*arm_, *options_.law, -speed, options, profile);
    if (!profile.end_of_contact && profile.end < horizon) {  // cannot be followed
      const VectorX unknown = VectorX::Constant(robot_.size(), none);
      return {none, unknown, unknown};
    }
    return {profile.peak().force, largest_torques(profile, arm_->holding),
            largest_torques(profile, VectorX::Zero(robot_.size()))};
  }

  Rows joint_rows(InertiaModel model, const VectorX& d) const {
    Rows rows;
    const limit::UnitJump jump(dynamics_, model, inertias_[model]);
    std::vector<double> restitutions;
    if (restitution_varies())
      for (std::size_t i = 0; i < limit::speeds; ++i) restitutions.push_back(restitution(model, limit::grid_speed(i)));
    for (int i = 0; i < robot_.size(); ++i) {
      if (!limited(limits_.speed, i)) continue;
      const double bound = limits_.speed[i];
      rows.push_back({LimitKind::joint_speed_before, i, bound, bound / std::abs(d[i])});
      if (!jump.exists()) continue;
      const auto after = [&](double s, double e) { return s * std::abs(d[i] + (1 + e) * jump[i]); };
      const double speed = restitution_varies()
                               ? limit::first_crossing(
                                     bound, [&](std::size_t k) { return after(limit::grid_speed(k), restitutions[k]); },
                                     [&](double s) { return after(s, restitution(model, s)); })
                               : bound / after(1, restitution(model, 1));
      rows.push_back({LimitKind::joint_speed_after, i, bound, speed});
    }
    return rows;
  }

  // Limits that depend on the speed along the normal alone.
  Rows contact_rows(InertiaModel model) const {
    Rows rows;
    if (options_.law) law_rows(model, rows);
    if (options_.body) {
      const BodyContact& body = *options_.body;
      const double times = body.clamped ? 1 : body.region.transient;
      const BodySpeeds speeds = body_speeds(body, mass(model));
      rows.push_back({LimitKind::body_force, -1, times * body.region.force, speeds.force});
      if (!std::isnan(body.area))
        rows.push_back({LimitKind::body_pressure, -1, times * body.region.pressure, speeds.pressure});
    }
    return rows;
  }

  void law_rows(InertiaModel model, Rows& rows) const {
    std::vector<LawHit> hits;
    for (std::size_t i = 0; i < limit::speeds; ++i)
      hits.push_back(law_hit(*options_.law, mass(model), limit::grid_speed(i), options_.restitution));
    const auto by_law = [&](double bound, double LawHit::*field) {
      return limit::first_crossing(
          bound, [&](std::size_t k) { return hits[k].*field; },
          [&](double s) { return law_hit(*options_.law, mass(model), s, options_.restitution).*field; });
    };
    const auto torque_rows = [&](LimitKind kind, const VectorX& bounds, VectorX ElasticHit::*field,
                                 const VectorX& held) {
      for (int i = 0; i < robot_.size(); ++i) {
        if (!limited(bounds, i)) continue;
        if (arm_ && std::isfinite((arm_hits_[0].*field)[i])) {
          const double speed = held[i] >= bounds[i]
                                   ? 0
                                   : limit::first_crossing(
                                         bounds[i], [&](std::size_t k) { return (arm_hits_[k].*field)[i]; },
                                         [&](double s) { return (arm_hit(s).*field)[i]; });
          rows.push_back({kind, i, bounds[i], speed});
        } else if (!std::isnan(hits[0].mean_peak)) {
          const double lever = std::abs(limit::along_normal(dynamics_, i)), left = bounds[i] - held[i];
          rows.push_back(
              {kind, i, bounds[i], left <= 0 ? 0 : (lever > 0 ? by_law(left / lever, &LawHit::mean_peak) : never)});
        }
      }
    };
    torque_rows(LimitKind::joint_torque, limits_.torque, &ElasticHit::torque, gravity_.cwiseAbs());
    torque_rows(LimitKind::collision_torque, limits_.collision_torque, &ElasticHit::added,
                VectorX::Zero(robot_.size()));
    const auto force_row = [&](LimitKind kind, double bound) {
      if (std::isnan(bound)) return;
      rows.push_back({kind, -1, bound,
                      arm_ ? limit::first_crossing(
                                 bound, [&](std::size_t k) { return arm_hits_[k].peak; },
                                 [&](double s) { return arm_hit(s).peak; })
                           : by_law(bound, &LawHit::peak)});
    };
    force_row(LimitKind::collision_force, limits_.collision_force);
    force_row(LimitKind::peak_force, limits_.force);
  }

  // max -j dq subject to the joints' speeds before, and after with a restitution, and to a cap of -j dq.
  VectorX programme(InertiaModel model, double restitution, double cap) const {
    const Eigen::Index n = robot_.size();
    const limit::UnitJump jump(dynamics_, model, inertias_[model]);
    Eigen::VectorXd c(n), b = Eigen::VectorXd::Constant(2 * n + 1, never);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + 1, n);
    for (Eigen::Index i = 0; i < n; ++i) c[i] = -limit::along_normal(dynamics_, i);
    for (Eigen::Index i = 0; i < n; ++i) {
      A(i, i) = A(n + i, i) = 1;
      if (limited(limits_.speed, i)) b[i] = b[n + i] = limits_.speed[i];
      if (jump.exists()) A.row(n + i) += (1 + restitution) * jump[i] * c.transpose();
    }
    A.row(2 * n) = c.transpose();
    b[2 * n] = cap;
    return limit::maximize(c, A, b).x;
  }

  void warn(SpeedLimit& out) const {
    auto& notes = out.warnings;
    const auto note = [&](WarningCode code, std::string subject, std::string text) {
      notes.push_back({code, std::move(subject), std::move(text)});
    };
    for (const Warning& warning : assumed_) notes.push_back(warning);
    const bool torques = limited_somewhere(limits_.torque) || limited_somewhere(limits_.collision_torque);
    if (!options_.law) {
      if (torques)
        note(WarningCode::not_judged, "", "torques during the hit are not judged: no contact time without a law");
      if (!std::isnan(limits_.force) || !std::isnan(limits_.collision_force))
        note(WarningCode::not_judged, "", "the contact's force is not judged: it needs a law");
    } else if (torques) {
      const LawHit hit = law_hit(*options_.law, mass(out.model), out.speed > 0 && out.speed < never ? out.speed : 1,
                                 options_.restitution);
      if (arm_)
        note(WarningCode::peak_torque, "",
             "torques are the peaks of the elastic arm, and of its ringing for " + to_text(ringing) +
                 " s after the hit");
      else if (std::isnan(hit.mean_peak))
        note(WarningCode::not_judged, "", "torques during the hit are not judged: the contact never parts");
      else
        note(WarningCode::peak_torque, "",
             "torques are mean over the contact time times pi/2, a force of " + to_text(hit.mean_peak, 4) +
                 " N where the law's own peak is " + to_text(hit.peak, 4) + " N; drives would give the peak itself");
    }
    if (!limit::UnitJump(dynamics_, out.model, inertias_[out.model]).exists())
      note(WarningCode::not_judged, std::string(to_string(out.model)),
           "joint speeds after the hit are not judged: no motion of the joints gives the contact point the jump of " +
               std::string(to_string(out.model)));
    if (options_.body) {
      if (!options_.body->clamped && options_.body->region.transient == 0)
        note(WarningCode::not_permitted, options_.body->region.name,
             "no hit is permitted on the " + options_.body->region.name + ": transient contact is not allowed there");
      note(WarningCode::not_certified, options_.body->region.name,
           "an engineering aid, no certified safety function: check the limits against your own copy of the standard");
    }
    for (int i = 0; i < robot_.size(); ++i)
      if (options_.law && limited(limits_.torque, i) && std::abs(gravity_[i]) >= limits_.torque[i])
        note(WarningCode::not_permitted, robot_.joints()[static_cast<std::size_t>(i)].name,
             "gravity alone takes " + to_text(std::abs(gravity_[i]), 4) + " of " + to_text(limits_.torque[i], 4) +
                 " N m or N at joint " + robot_.joints()[static_cast<std::size_t>(i)].name);
    if (!out.binding) note(WarningCode::no_limit, "", "no limit binds at any speed");
    if (out.speed < never && out.speed > 0) warn_of_stops(out);
  }

  // Joints that the rebound carries into a stop.
  void warn_of_stops(SpeedLimit& out) const {
    const limit::UnitJump jump(dynamics_, out.model, inertias_[out.model]);
    if (!jump.exists()) return;
    const double e = restitution(out.model, out.speed);
    for (int i = 0; i < robot_.size(); ++i) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
      const double after = out.dq[i] + (1 + e) * out.speed * jump[i], reached = q_[i] + rebound_time * after;
      if ((after > 0 && reached > joint.upper) || (after < 0 && reached < joint.lower))
        out.warnings.push_back({WarningCode::position_limit, joint.name,
                                "joint " + joint.name + " rebounds at " + to_text(after, 3) +
                                    " rad/s or m/s and meets its position limit within " + to_text(rebound_time) +
                                    " s"});
    }
  }

  const Robot& robot_;
  const Limits& limits_;
  const SpeedLimitOptions& options_;
  const std::atomic<bool>* stop_;
  VectorX q_;
  ContactDynamics dynamics_;
  PerModel<InverseInertia> inertias_;
  VectorX gravity_;
  std::optional<ElasticArm> arm_;
  std::array<ElasticHit, limit::speeds> arm_hits_;
  std::vector<Warning> assumed_;
};

}  // namespace

SpeedLimit speed_limit(const Robot& robot, const ContactPoint& point, const VectorRef& q, const VectorRef& direction,
                       const Limits& limits, const SpeedLimitOptions& options, const RunOptions& run) {
  const Judge judge(robot, point, q, limits, options, run);
  const VectorX unit = judge.unit(direction);
  return judge.most_cautious([&](InertiaModel model) { return judge.along(model, unit); });
}

SpeedLimit fastest_approach(const Robot& robot, const ContactPoint& point, const VectorRef& q, const Limits& limits,
                            const SpeedLimitOptions& options, const RunOptions& run) {
  const Judge judge(robot, point, q, limits, options, run);
  SpeedLimit fastest = judge.most_cautious([&](InertiaModel model) { return judge.over_all(model); });
  if (!options.model && fastest.speed > 0 && fastest.speed < never) judge.warn_of_other_models(fastest);
  return fastest;
}

}  // namespace thud
