#include <thud/error.hpp>
#include <thud/impact.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "impact/course.hpp"

namespace thud::impacting {

void validate(const ImpactOptions& options) {
  if (!(options.friction >= 0) || !std::isfinite(options.friction))
    throw InputError("friction", options.friction, "must be finite and >= 0");
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InputError("restitution", options.restitution, "must be from 0 to 1");
}

}  // namespace thud::impacting

namespace THUD_EXPORT thud {
using namespace impacting;
namespace {

// W and its transpose may differ by this part of the largest entry.
constexpr double max_asymmetry = 1e-9;

// Energy that is gained by rounding is not worth a warning.
constexpr double energy_rounding = 1e-9;

// States that a path shows of each piece.
constexpr int path_states = 24;

void validate(const Matrix3& W, const Vector3& velocity, const Vector3& normal) {
  if (!W.allFinite()) throw InputError("W", W.sum(), "must be finite");
  if (!velocity.allFinite()) throw InputError("velocity", velocity.sum(), "must be finite");
  if (!normal.allFinite() || !(normal.norm() > 0))
    throw InputError("normal", normal.norm(), "must be finite and not zero");
  const double asymmetry = (W - W.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > max_asymmetry * W.cwiseAbs().maxCoeff())
    throw InputError("W", "asymmetric by " + to_text(asymmetry, 6),
                     "must be symmetric (that of flexible joints is not)");
}

// A valid problem in its own units.
Problem checked_problem(const Matrix3& W, const Vector3& velocity, const Vector3& normal,
                        const ImpactOptions& options) {
  impacting::validate(options);
  validate(W, velocity, normal);
  const Vector3 n = normal.normalized();
  const double along = n.dot(W * n);
  if (!(along > rounding * W.cwiseAbs().maxCoeff()))
    throw InputError("W", "n.W n = " + to_text(along, 6), "must be > 0: something must move along the normal");
  Problem q = problem(W, velocity, n, options.friction);
  if (q.smallest_pivot < -rounding)
    throw InputError("W", "indefinite by " + to_text(-q.smallest_pivot, 6), "must be positive semidefinite");
  return q;
}

struct NoObserver {
  template <class Piece>
  void operator()(ContactMode /*mode*/, const Piece& /*piece*/, double /*t*/) const {}
};

// Collects states of each piece, in the units of the problem.
struct PathObserver {
  struct Point {
    ContactMode mode;
    Instant state;
  };
  std::vector<Point> points{};

  template <class Piece>
  void operator()(ContactMode mode, const Piece& piece, double t) {
    for (int i = points.empty() ? 0 : 1; i <= path_states; ++i) {
      const Bound last{points.empty() ? 0 : t * (i - 1) / path_states,
                       points.empty() ? Instant{} : points.back().state};
      const Bound next{t * i / path_states, piece.at(t * i / path_states)};
      if (last.at.v < 0 && next.at.v > 0) points.push_back({mode, piece.at(piece.when_velocity(0, last, next))});
      points.push_back({mode, next.at});
    }
  }
};

// An impulse [N s] in world axes.
Vector3 world_impulse(const Problem& q, double p, const Tangent& t) noexcept {
  return q.speed / q.inverse_mass * (p * q.normal + t.x * q.axis_x + t.y * q.axis_y);
}

}  // namespace

std::string_view to_string(RestitutionKind kind) noexcept {
  switch (kind) {
    case RestitutionKind::energetic:
      return "energetic";
    case RestitutionKind::newton:
      return "newton";
    case RestitutionKind::poisson:
      return "poisson";
  }
  return "";
}

std::string_view to_string(ContactMode mode) noexcept {
  return mode == ContactMode::slip ? "slip" : "stick";
}

std::string_view to_string(ImpactStatus status) noexcept {
  switch (status) {
    case ImpactStatus::not_run:
      return "not_run";
    case ImpactStatus::ok:
      return "ok";
    case ImpactStatus::no_approach:
      return "no_approach";
    case ImpactStatus::wedged:
      return "wedged";
  }
  return "";
}

void impact(const Matrix3& W, const Vector3& velocity, const Vector3& normal, const ImpactOptions& options,
            Impact& result) noexcept {
  result = Impact{};
  const Problem q = problem(W, velocity, normal, options.friction);
  if (!(q.speed > 0)) {
    result.status = ImpactStatus::no_approach;
    result.impulse.setZero();
    result.velocity_after = velocity;
    result.compression = result.energy_lost = 0;
    return;
  }
  const NoObserver observe;
  const Course course = CourseSolver(q, options, observe).follow();
  result.status = course.status;
  result.jam = course.jam;
  if (course.status != ImpactStatus::ok) return;
  const double impulse_unit = q.speed / q.inverse_mass, energy_unit = impulse_unit * q.speed;
  result.impulse = world_impulse(q, course.end.p, course.end.impulse);
  result.velocity_after = velocity + W * result.impulse;
  result.compression = impulse_unit * course.compression;
  result.energy_lost = -result.impulse.dot(velocity + result.velocity_after) / 2;
  if (options.kind == RestitutionKind::energetic) result.energy_lost = std::max(0.0, result.energy_lost);
  for (const ImpactPhase& phase : course.phases)
    result.phases.push_back({phase.mode, impulse_unit * phase.normal_impulse, energy_unit * phase.normal_work,
                             energy_unit * phase.friction_work});
}

Impact impact(const Matrix3& W, const Vector3& velocity, const Vector3& normal, const ImpactOptions& options) {
  checked_problem(W, velocity, normal, options);
  Impact result;
  impact(W, velocity, normal.normalized(), options, result);
  return result;
}

std::vector<ImpactState> impact_path(const Matrix3& W, const Vector3& velocity, const Vector3& normal,
                                     const ImpactOptions& options) {
  const Problem q = checked_problem(W, velocity, normal, options);
  if (!(q.speed > 0)) return {};
  PathObserver observe;
  if (CourseSolver(q, options, observe).follow().status != ImpactStatus::ok) return {};
  std::vector<ImpactState> path;
  path.reserve(observe.points.size());
  for (const auto& [mode, state] : observe.points) {
    const Vector3 impulse = world_impulse(q, state.p, state.impulse);
    path.push_back({mode, impulse, velocity + W * impulse});
  }
  return path;
}

std::vector<Warning> warnings(const Impact& impact) {
  std::vector<Warning> found;
  if (impact.status == ImpactStatus::wedged)
    found.push_back(
        {WarningCode::wedged, "",
         "friction holds the point before its approach has stopped, and nothing gives way: rigid bodies have "
         "no answer"});
  if (impact.jam)
    found.push_back({WarningCode::jam, "",
                     "jam: while the point slips, friction drives the two sides into each other faster than the normal "
                     "force parts them; the approach ends only after the slip"});
  const double given = impact.phases.empty() ? 0 : std::abs(impact.phases[0].normal_work);
  if (impact.energy_lost < -energy_rounding * given)
    found.push_back({WarningCode::energy_created, "",
                     "this impact gains " + to_text(-impact.energy_lost, 6) +
                         " J: with friction, that kind of restitution does not conserve energy"});
  return found;
}

double sticking_friction(const Matrix3& W, const Vector3& normal) {
  return sticking(checked_problem(W, -normal, normal, {})).norm();
}

}  // namespace thud
