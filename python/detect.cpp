#include <thud/detect.hpp>
#include <thud/lagrange.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

using Gravity = std::optional<Three<"gravity_W">>;
Vector3 gravity_or_earth(const Gravity& gravity_W) {
  return gravity_W ? Vector3(*gravity_W) : earth_gravity_W;
}

/// The functions of one cycle take an entry for every joint that is watched.
void require_watched(std::span<const int> joints, const VectorRef& values, const char* name) {
  for (const int joint : joints)
    if (joint < 0 || joint >= values.size())
      throw InputError(name, std::to_string(values.size()) + " values",
                       "joint " + std::to_string(joint) + " is watched");
}

void bind_lagrange(nb::module_& m) {
  result<LagrangeTerms>(m, "LagrangeTerms", THUD_FIELD(LagrangeTerms, momentum), THUD_FIELD(LagrangeTerms, gradient));
  m.attr("earth_gravity_W") = nb::make_tuple(earth_gravity_W.x(), earth_gravity_W.y(), earth_gravity_W.z());
  nb::class_<LagrangeWorkspace>(m, "LagrangeWorkspace", doc("LagrangeWorkspace"))
      .def(
          "__init__",
          [](LagrangeWorkspace* self, const Robot& robot, const std::optional<Three<"gravity_W">>& gravity_W) {
            new (self) LagrangeWorkspace(robot, gravity_W ? Vector3(*gravity_W) : earth_gravity_W);
          },
          nb::arg("robot"), nb::arg("gravity_W") = nb::none(), doc("LagrangeWorkspace.__init__"))
      .def_prop_ro("size", &LagrangeWorkspace::size, doc("LagrangeWorkspace.size"))
      .def_prop_ro("terms", &LagrangeWorkspace::terms, nb::rv_policy::reference_internal,
                   doc("LagrangeWorkspace.terms"));
  m.def(
      "lagrange_terms",
      [](LagrangeWorkspace& workspace, const Vector<"q">& q, const Vector<"dq">& dq) -> const LagrangeTerms& {
        require_joints(q, workspace.size(), "q");
        require_joints(dq, workspace.size(), "dq");
        return lagrange_terms(workspace, q, dq);
      },
      nb::arg("workspace"), nb::arg("q"), nb::arg("dq"), nb::rv_policy::reference, nb::keep_alive<0, 1>(),
      doc("lagrange:lagrange_terms#2"));
  m.def(
      "lagrange_terms",
      [](const Robot& robot, const Vector<"q">& q, const Vector<"dq">& dq,
         const std::optional<Three<"gravity_W">>& gravity_W) {
        return lagrange_terms(robot, q, dq, gravity_W ? Vector3(*gravity_W) : earth_gravity_W);
      },
      nb::arg("robot"), nb::arg("q"), nb::arg("dq"), nb::arg("gravity_W") = nb::none(), doc("lagrange:lagrange_terms"));
}

void bind_detectors(nb::module_& m) {
  m.attr("usual_gain") = usual_gain;
  nb::class_<ThresholdDetector>(m, "ThresholdDetector", doc("ThresholdDetector"))
      .def(nb::init<std::vector<int>, double, int>(), nb::arg("joints"), nb::arg("threshold"),
           nb::arg("consecutive") = 1, doc("ThresholdDetector.__init__"))
      .def("update", nb::overload_cast<double>(&ThresholdDetector::update), nb::arg("residual"),
           doc("ThresholdDetector.update"))
      .def(
          "update",
          [](ThresholdDetector& self, const Vector<"torque">& torque, const Vector<"torque_reference">& reference) {
            require_watched(self.joints(), torque, "torque");
            require_watched(self.joints(), reference, "torque_reference");
            return self.update(torque, reference);
          },
          nb::arg("torque"), nb::arg("torque_reference"), doc("ThresholdDetector.update"))
      .def(
          "update",
          [](ThresholdDetector& self, const Vector<"external_torque">& external_torque) {
            require_watched(self.joints(), external_torque, "external_torque");
            return self.update(external_torque);
          },
          nb::arg("external_torque"), doc("ThresholdDetector.update"))
      .def("reset", &ThresholdDetector::reset, doc("ThresholdDetector.reset"))
      .def_prop_ro("alarm", &ThresholdDetector::alarm)
      .def_prop_ro("residual", &ThresholdDetector::residual, doc("ThresholdDetector.residual"))
      .def_prop_ro("threshold", &ThresholdDetector::threshold, doc("ThresholdDetector.threshold"))
      .def_prop_ro("consecutive", &ThresholdDetector::consecutive)
      .def_prop_ro("joints", [](const ThresholdDetector& self) {
        return std::vector<int>(self.joints().begin(), self.joints().end());
      });
  nb::class_<MomentumObserver>(m, "MomentumObserver", doc("MomentumObserver"))
      .def(
          "__init__",
          [](MomentumObserver* self, const Robot& robot, double gain, const Gravity& gravity_W) {
            new (self) MomentumObserver(robot, gain, gravity_or_earth(gravity_W));
          },
          nb::arg("robot"), nb::arg("gain") = usual_gain, nb::arg("gravity_W") = nb::none(),
          doc("MomentumObserver.__init__"))
      .def(
          "update",
          [](MomentumObserver& self, const Vector<"q">& q, const Vector<"dq">& dq, const Vector<"torque">& torque,
             double dt) -> VectorX {
            const VectorRef position = q, rate = dq, effort = torque;
            const auto joints = self.external_torque().size();
            require_joints(position, joints, "q");
            require_joints(rate, joints, "dq");
            require_joints(effort, joints, "torque");
            if (!(dt > 0)) throw InputError("dt", dt, "must be greater than 0");
            return self.update(position, rate, effort, dt);
          },
          nb::arg("q"), nb::arg("dq"), nb::arg("torque"), nb::arg("dt"), doc("MomentumObserver.update"))
      .def_prop_ro(
          "external_torque", [](const MomentumObserver& self) -> VectorX { return self.external_torque(); },
          doc("MomentumObserver.external_torque"))
      .def("reset", &MomentumObserver::reset, doc("MomentumObserver.reset"));
}

void bind_logs(nb::module_& m) {
  constexpr double always = -std::numeric_limits<double>::infinity();
  m.def(
      "torque_residual",
      [](const std::vector<int>& joints, const Vector<"torque">& torque, const Vector<"torque_reference">& reference) {
        require_watched(joints, torque, "torque");
        require_watched(joints, reference, "torque_reference");
        return torque_residual(joints, torque, reference);
      },
      nb::arg("joints"), nb::arg("torque"), nb::arg("torque_reference"), doc("detect:torque_residual"));
  m.def(
      "torque_residual",
      [](const std::vector<int>& joints, const Vector<"external_torque">& external_torque) {
        require_watched(joints, external_torque, "external_torque");
        return torque_residual(joints, external_torque);
      },
      nb::arg("joints"), nb::arg("external_torque"), doc("detect:torque_residual#2"));
  result<Alarm>(m, "Alarm", THUD_FIELD(Alarm, sample), THUD_FIELD(Alarm, time), THUD_FIELD(Alarm, residual));
  m.def(
      "find_alarm",
      [](const Vector<"time">& time, const Matrix<"torque">& torque, const Matrix<"torque_reference">& reference,
         const ThresholdDetector& detector, double start) {
        const VectorRef t = time;
        const MatrixRef measured = torque, expected = reference;
        const nb::gil_scoped_release free;
        return find_alarm(t, measured, expected, detector, start);
      },
      nb::arg("time"), nb::arg("torque"), nb::arg("torque_reference"), nb::arg("detector"),
      nb::arg("start").sig("float('-inf')") = always, doc("detect:find_alarm"));
  m.def(
      "find_alarm",
      [](const Vector<"time">& time, const Matrix<"external_torque">& external_torque,
         const ThresholdDetector& detector, double start) {
        const VectorRef t = time;
        const MatrixRef external = external_torque;
        const nb::gil_scoped_release free;
        return find_alarm(t, external, detector, start);
      },
      nb::arg("time"), nb::arg("external_torque"), nb::arg("detector"), nb::arg("start").sig("float('-inf')") = always,
      doc("detect:find_alarm"));
  m.def(
      "quiet_level",
      [](const Vector<"time">& time, const Matrix<"torque">& torque, const Matrix<"torque_reference">& reference,
         const std::vector<int>& joints, double from,
         double to) { return quiet_level(time, torque, reference, joints, from, to); },
      nb::arg("time"), nb::arg("torque"), nb::arg("torque_reference"), nb::arg("joints"), nb::arg("from_"),
      nb::arg("to"), doc("detect:quiet_level"));
  m.def(
      "quiet_level",
      [](const Vector<"time">& time, const Matrix<"external_torque">& external_torque, const std::vector<int>& joints,
         double from, double to) { return quiet_level(time, external_torque, joints, from, to); },
      nb::arg("time"), nb::arg("external_torque"), nb::arg("joints"), nb::arg("from_"), nb::arg("to"),
      doc("detect:quiet_level"));
  m.def(
      "external_torques",
      [](const Robot& robot, const Vector<"time">& time, const Matrix<"position">& position,
         const Matrix<"velocity">& velocity, const Matrix<"torque">& torque, double gain, const Gravity& gravity_W) {
        const VectorRef t = time;
        const MatrixRef q = position, dq = velocity, tau = torque;
        const Vector3 gravity = gravity_or_earth(gravity_W);
        const nb::gil_scoped_release free;
        return external_torques(robot, t, q, dq, tau, gain, gravity);
      },
      nb::arg("robot"), nb::arg("time"), nb::arg("position"), nb::arg("velocity"), nb::arg("torque"),
      nb::arg("gain") = usual_gain, nb::arg("gravity_W") = nb::none(), doc("detect:external_torques"));
}

}  // namespace

void bind_detect(nb::module_& m) {
  bind_lagrange(m);
  bind_detectors(m);
  bind_logs(m);
}

}  // namespace thud::python
