#include <thud/limits_file.hpp>

#include "bind.hpp"

namespace thud::python {

template <>
ImpactRows blank() {
  return ImpactRows(0);
}

namespace {

using Model = std::optional<InertiaModel>;

SpeedLimitOptions options_of(Model model, const std::optional<ContactLaw>& law, std::optional<double> restitution,
                             const std::optional<Drives>& drives, const std::optional<BodyContact>& body) {
  return {.model = model, .law = law, .restitution = restitution, .drives = drives, .body = body};
}

void bind_values(nb::module_& m) {
  enumeration<LimitKind>(m, "LimitKind",
                         {LimitKind::joint_speed_before, LimitKind::joint_speed_after, LimitKind::joint_torque,
                          LimitKind::collision_torque, LimitKind::collision_force, LimitKind::peak_force,
                          LimitKind::body_force, LimitKind::body_pressure});
  value<Limits>(m, "Limits", THUD_FIELD(Limits, speed), THUD_FIELD(Limits, torque),
                THUD_FIELD(Limits, collision_torque), THUD_FIELD(Limits, collision_force), THUD_FIELD(Limits, force));
  value<BodyRegion>(m, "BodyRegion", THUD_FIELD(BodyRegion, name), THUD_FIELD(BodyRegion, force),
                    THUD_FIELD(BodyRegion, pressure), THUD_FIELD(BodyRegion, stiffness), THUD_FIELD(BodyRegion, mass),
                    THUD_FIELD(BodyRegion, transient));
  value<BodyContact>(m, "BodyContact", THUD_FIELD(BodyContact, region), THUD_FIELD(BodyContact, clamped),
                     THUD_FIELD(BodyContact, area));
  result<BodySpeeds>(m, "BodySpeeds", THUD_FIELD(BodySpeeds, force), THUD_FIELD(BodySpeeds, pressure));
  result<SpeedLimitRow>(m, "SpeedLimitRow", THUD_FIELD(SpeedLimitRow, kind), THUD_FIELD(SpeedLimitRow, joint),
                        THUD_FIELD(SpeedLimitRow, bound), THUD_FIELD(SpeedLimitRow, speed));
  result<SpeedLimit>(m, "SpeedLimit", THUD_FIELD(SpeedLimit, speed), THUD_FIELD(SpeedLimit, binding),
                     THUD_FIELD(SpeedLimit, model), THUD_FIELD(SpeedLimit, dq), THUD_FIELD(SpeedLimit, rows),
                     THUD_FIELD(SpeedLimit, warnings));
  result<ImpactRows>(m, "ImpactRows", THUD_FIELD(ImpactRows, A), THUD_FIELD(ImpactRows, lower),
                     THUD_FIELD(ImpactRows, upper));
  result<LimitsFile>(m, "LimitsFile", THUD_FIELD(LimitsFile, limits), THUD_FIELD(LimitsFile, bodies));
}

void bind_files(nb::module_& m) {
  m.def("validate", nb::overload_cast<const Limits&, int>(&validate), nb::arg("limits"), nb::arg("joints"),
        doc("limit:validate"));
  m.def("validate", nb::overload_cast<const BodyRegion&>(&validate), nb::arg("region"), doc("limit:validate#2"));
  m.def("robot_limits", &robot_limits, nb::arg("robot"), doc("limit:robot_limits"));
  m.def("with_limits", &with_limits, nb::arg("limits"), nb::arg("over"), doc("limit:with_limits"));
  m.def(
      "parse_limits",
      [](std::string_view text, int joints, const std::string& name) { return parse_limits(text, name, joints); },
      nb::arg("text"), nb::arg("joints"), nb::arg("name") = "limits", doc("limits_file:parse_limits"));
  m.def("shipped_limits", &shipped_limits, doc("limits_file:shipped_limits"));
  using Path = std::filesystem::path;
  m.def(
      "load_limits", [](const Path& name_or_path, int joints) { return load_limits(name_or_path.string(), joints); },
      nb::arg("name_or_path"), nb::arg("joints"), doc("limits_file:load_limits"));
  m.def(
      "limits_text", [](const Path& name_or_path) { return limits_text(name_or_path.string()); },
      nb::arg("name_or_path"), doc("limits_file:limits_text"));
  m.def("body_regions", &body_regions, doc("limits_file:body_regions"));
}

void bind_speeds(nb::module_& m) {
  m.def(
      "body_speeds",
      [](const BodyContact& contact, double mass) {
        validate(contact.region);
        if (!(mass > 0)) throw InputError("mass", mass, "must be greater than 0");
        return body_speeds(contact, mass);
      },
      nb::arg("contact"), nb::arg("mass"), doc("limit:body_speeds"));
  m.def(
      "speed_limit",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q, const Vector<"direction">& direction,
         const Limits& limits, Model model, const std::optional<ContactLaw>& law, std::optional<double> restitution,
         const std::optional<Drives>& drives, const std::optional<BodyContact>& body) {
        return speed_limit(robot, point, q, direction, limits, options_of(model, law, restitution, drives, body));
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("direction"), nb::arg("limits"), nb::kw_only(),
      nb::arg("model") = nb::none(), nb::arg("law") = nb::none(), nb::arg("restitution") = nb::none(),
      nb::arg("drives") = nb::none(), nb::arg("body") = nb::none(), doc("limit:speed_limit"));
  m.def(
      "fastest_approach",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q, const Limits& limits, Model model,
         const std::optional<ContactLaw>& law, std::optional<double> restitution, const std::optional<Drives>& drives,
         const std::optional<BodyContact>& body) {
        return fastest_approach(robot, point, q, limits, options_of(model, law, restitution, drives, body));
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("limits"), nb::kw_only(), nb::arg("model") = nb::none(),
      nb::arg("law") = nb::none(), nb::arg("restitution") = nb::none(), nb::arg("drives") = nb::none(),
      nb::arg("body") = nb::none(), doc("limit:fastest_approach"));
  m.def(
      "impact_rows",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, double period, const Limits& limits,
         const Vector<"gravity">& gravity, InertiaModel model, double restitution, double contact_time) {
        return impact_rows(dynamics, dq, period, limits, gravity, {model, restitution, contact_time});
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("period"), nb::arg("limits"), nb::arg("gravity"), nb::kw_only(),
      nb::arg("model") = ExpectedHit{}.model, nb::arg("restitution") = ExpectedHit{}.restitution,
      nb::arg("contact_time").sig("float('nan')") = ExpectedHit{}.contact_time, doc("limit:impact_rows#2"));
  m.def(
      "joint_speed_limit",
      [](const ContactDynamics& dynamics, const Vector<"direction">& direction, const Limits& limits,
         const Vector<"gravity">& gravity, InertiaModel model, double restitution, double contact_time) {
        require_joints(direction, dynamics.J.cols(), "direction");
        require_joints(gravity, dynamics.J.cols(), "gravity");
        validate(limits, static_cast<int>(dynamics.J.cols()));
        return joint_speed_limit(dynamics, direction, limits, gravity, {model, restitution, contact_time});
      },
      nb::arg("dynamics"), nb::arg("direction"), nb::arg("limits"), nb::arg("gravity"), nb::kw_only(),
      nb::arg("model") = ExpectedHit{}.model, nb::arg("restitution") = ExpectedHit{}.restitution,
      nb::arg("contact_time").sig("float('nan')") = ExpectedHit{}.contact_time, doc("limit:joint_speed_limit"));
}

}  // namespace

void bind_limit(nb::module_& m) {
  bind_values(m);
  bind_files(m);
  bind_speeds(m);
}

}  // namespace thud::python
