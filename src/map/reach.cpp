#include <thud/error.hpp>
#include <thud/reach.hpp>

#include <cstddef>
#include <vector>

#include "map/aim_reach.hpp"

namespace THUD_EXPORT thud {

std::string_view to_string(ReachStatus status) noexcept {
  switch (status) {
    case ReachStatus::not_run:
      return "not_run";
    case ReachStatus::reached:
      return "reached";
    case ReachStatus::nearest:
      return "nearest";
  }
  return "";
}

ReachResult reach(const Robot& robot, const ContactPoint& point, const AimTarget& target, const VectorRef& q,
                  const ReachOptions& options) {
  validate(robot, point);
  validate_positions(robot, q);
  map::validate_target(target);
  if (options.steps <= 0) throw InputError("steps", options.steps, "must be greater than 0");
  map::Reach constraint(robot, point, target);
  ReachResult result;
  result.q = q;
  constraint.box().clamp(result.q);
  const std::vector<bool> none(static_cast<std::size_t>(robot.size()));
  result.status = constraint.solve(result.q, options.steps, none) ? ReachStatus::reached : ReachStatus::nearest;
  result.p_W = constraint.tree().p_WC();
  result.R_WF = constraint.tree().R_WF();
  result.position_error = constraint.distance().position;
  result.angle_error = constraint.distance().angle;
  return result;
}

}  // namespace thud
