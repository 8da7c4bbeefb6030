#include <thud/aim.hpp>
#include <thud/reach.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {
namespace {

void bind_values(nb::module_& m) {
  enumeration<AimQuantity>(m, "AimQuantity",
                           {AimQuantity::effective_mass, AimQuantity::speed, AimQuantity::impulse,
                            AimQuantity::energy_loss, AimQuantity::object_speed});
  m.attr("all_aim_quantities") = nb::tuple(nb::cast(all_aim_quantities));
  enumeration<ToolOrientation>(m, "ToolOrientation",
                               {ToolOrientation::free, ToolOrientation::tool_along_normal, ToolOrientation::fixed});
  m.attr("all_tool_orientations") = nb::tuple(nb::cast(all_tool_orientations));
  enumeration<AimStatus>(m, "AimStatus",
                         {AimStatus::not_run, AimStatus::ok, AimStatus::unreachable, AimStatus::no_value});
  value<AimTarget>(m, "AimTarget", THUD_FIELD(AimTarget, p_W), THUD_FIELD(AimTarget, orientation),
                   THUD_FIELD(AimTarget, R_WF));
  result<Aim>(m, "Aim", THUD_FIELD(Aim, q), THUD_FIELD(Aim, value), THUD_FIELD(Aim, effective_mass),
              THUD_FIELD(Aim, limit_distance), THUD_FIELD(Aim, position_error), THUD_FIELD(Aim, angle_error),
              THUD_FIELD(Aim, speed), THUD_FIELD(Aim, dq), THUD_FIELD(Aim, allowed), THUD_FIELD(Aim, object),
              THUD_FIELD(Aim, warnings));
  result<AimResult>(m, "AimResult", THUD_FIELD(AimResult, status), THUD_FIELD(AimResult, aims),
                    THUD_FIELD(AimResult, reached), THUD_FIELD(AimResult, nearest),
                    THUD_FIELD(AimResult, nearest_angle), THUD_FIELD(AimResult, warnings));
  enumeration<ReachStatus>(m, "ReachStatus", {ReachStatus::not_run, ReachStatus::reached, ReachStatus::nearest});
  result<ReachResult>(m, "ReachResult", THUD_FIELD(ReachResult, status), THUD_FIELD(ReachResult, q),
                      THUD_FIELD(ReachResult, p_W), THUD_FIELD(ReachResult, R_WF),
                      THUD_FIELD(ReachResult, position_error), THUD_FIELD(ReachResult, angle_error));
}

}  // namespace

void bind_aim(nb::module_& m) {
  bind_values(m);
  m.def(
      "inverse_mass_gradient",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q, InertiaModel model) {
        return inverse_mass_gradient(robot, point, q, model);
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("model"), doc("aim:inverse_mass_gradient"));
  m.def(
      "aim",
      [](const Robot& robot, const ContactPoint& point, const AimTarget& target, AimQuantity quantity, bool maximize,
         std::optional<InertiaModel> model, double speed, std::optional<double> restitution, double friction,
         const std::optional<Object>& object, double object_speed, const std::optional<Limits>& limits,
         const std::optional<ContactLaw>& law, const std::optional<Drives>& drives,
         const std::optional<BodyContact>& body, int starts, int count, double distinct, std::uint64_t seed, int jobs,
         const Progress& progress) {
        LongWork work(progress);
        const AimOptions options{.quantity = quantity,
                                 .maximize = maximize,
                                 .model = model,
                                 .speed = speed,
                                 .restitution = restitution,
                                 .friction = friction,
                                 .object = object,
                                 .object_speed = object_speed,
                                 .limits = limits,
                                 .law = law,
                                 .drives = drives,
                                 .body = body,
                                 .starts = starts,
                                 .count = count,
                                 .distinct = distinct,
                                 .seed = seed,
                                 .run = {.jobs = jobs, .progress = work.progress(), .stop = &work.stop()}};
        return work.run([&] { return aim(robot, point, target, options); });
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("target"), nb::kw_only(), nb::arg("quantity") = AimOptions{}.quantity,
      nb::arg("maximize") = AimOptions{}.maximize, nb::arg("model") = nb::none(), nb::arg("speed") = AimOptions{}.speed,
      nb::arg("restitution") = nb::none(), nb::arg("friction") = AimOptions{}.friction, nb::arg("object") = nb::none(),
      nb::arg("object_speed").sig("float('nan')") = AimOptions{}.object_speed, nb::arg("limits") = nb::none(),
      nb::arg("law") = nb::none(), nb::arg("drives") = nb::none(), nb::arg("body") = nb::none(),
      nb::arg("starts") = AimOptions{}.starts, nb::arg("count") = AimOptions{}.count,
      nb::arg("distinct") = AimOptions{}.distinct, nb::arg("seed") = AimOptions{}.seed, nb::arg("jobs") = 0,
      nb::arg("progress") = nb::none(), doc("aim:aim"));
  m.def(
      "reach",
      [](const Robot& robot, const ContactPoint& point, const AimTarget& target, const Vector<"q">& q, int steps) {
        return reach(robot, point, target, q, {.steps = steps});
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("target"), nb::arg("q"), nb::kw_only(),
      nb::arg("steps") = ReachOptions{}.steps, doc("reach:reach"));
}

}  // namespace thud::python
