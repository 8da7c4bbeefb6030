#include <thud/dynamics.hpp>
#include <thud/inertia.hpp>
#include <thud/lagrange.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>
#include <thud/warning.hpp>

#include "bind.hpp"

namespace thud::python {

namespace {

void bind_robot(nb::module_& m) {
  nb::enum_<JointType>(m, "JointType", "How a joint moves: revolute and continuous turn, prismatic slides.")
      .value("revolute", JointType::revolute)
      .value("continuous", JointType::continuous)
      .value("prismatic", JointType::prismatic);
  value<Joint>(m, "Joint", THUD_FIELD(Joint, name), THUD_FIELD(Joint, type), THUD_FIELD(Joint, link),
               THUD_FIELD(Joint, parent), THUD_FIELD(Joint, R_PJ), THUD_FIELD(Joint, p_PJ), THUD_FIELD(Joint, axis),
               THUD_FIELD(Joint, lower), THUD_FIELD(Joint, upper), THUD_FIELD(Joint, velocity),
               THUD_FIELD(Joint, effort), THUD_FIELD(Joint, rotor_inertia));
  value<BodyInertia>(m, "BodyInertia", THUD_FIELD(BodyInertia, mass), THUD_FIELD(BodyInertia, com),
                     THUD_FIELD(BodyInertia, inertia));
  value<Frame>(m, "Frame", THUD_FIELD(Frame, name), THUD_FIELD(Frame, joint), THUD_FIELD(Frame, R_JF),
               THUD_FIELD(Frame, p_JF));

  using Joints = std::vector<Joint>;
  using Bodies = std::vector<BodyInertia>;
  using Frames = std::vector<Frame>;
  using Warnings = std::vector<Warning>;
  const auto built = [](Robot* self, std::string name, Joints joints, Bodies bodies, Frames frames, Warnings warnings) {
    new (self) Robot(std::move(name), std::move(joints), std::move(bodies), std::move(frames), std::move(warnings));
  };
  nb::class_<Robot>(m, "Robot", doc("Robot"))
      .def("__init__", built, nb::arg("name"), nb::arg("joints"), nb::arg("bodies"), nb::arg("frames"),
           nb::arg("warnings") = Warnings{}, doc("Robot.__init__"))
      .def_prop_ro("name", &Robot::name)
      .def_prop_ro("size", &Robot::size, "Number of moving joints.")
      .def("__len__", &Robot::size)
      .def_prop_ro("joints", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->joints()); })
      .def_prop_ro("bodies", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->bodies()); })
      .def_prop_ro("frames", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->frames()); })
      .def_prop_ro("warnings",
                   [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->warnings()); })
      .def_prop_ro("mass", &Robot::mass, doc("Robot.mass"))
      .def("frame", &Robot::frame, nb::arg("name"), nb::rv_policy::reference_internal, doc("Robot.frame"))
      .def("joint_index", &Robot::joint_index, nb::arg("name"), doc("Robot.joint_index"))
      .def(
          "with_rotor_inertia",
          [](const Robot& robot, const Vector<"rotor_inertia">& rotor_inertia) {
            return robot.with_rotor_inertia(rotor_inertia);
          },
          nb::arg("rotor_inertia"), doc("Robot.with_rotor_inertia"))
      .def("__repr__",
           [](const Robot& robot) {
             return "<Robot " + robot.name() + ", " + std::to_string(robot.size()) + " joints>";
           })
      .def("__getstate__",
           [](const Robot& robot) {
             return nb::make_tuple(robot.name(), robot.joints(), robot.bodies(), robot.frames(), robot.warnings());
           })
      .def("__setstate__", [built](Robot& self, const nb::tuple& s) {
        built(&self, nb::cast<std::string>(s[0]), nb::cast<Joints>(s[1]), nb::cast<Bodies>(s[2]),
              nb::cast<Frames>(s[3]), nb::cast<Warnings>(s[4]));
      });
  value<State>(m, "State", THUD_FIELD(State, q), THUD_FIELD(State, dq));
  value<ContactPoint>(m, "ContactPoint", THUD_FIELD(ContactPoint, frame), THUD_FIELD(ContactPoint, offset),
                      THUD_FIELD(ContactPoint, normal_W));

  m.def(
      "load_robot", [](const std::filesystem::path& name_or_path) { return load_robot(name_or_path.string()); },
      nb::arg("name_or_path"), doc("urdf:load_robot"));
  m.def(
      "urdf_text", [](const std::filesystem::path& name_or_path) { return urdf_text(name_or_path.string()); },
      nb::arg("name_or_path"), doc("urdf:urdf_text"));
  m.def("parse_urdf", &parse_urdf, nb::arg("text"), nb::arg("name") = "robot", doc("urdf:parse_urdf"));
  m.def(
      "validate",
      [](const Robot& robot, const ContactPoint& point, const std::string& prefix) { validate(robot, point, prefix); },
      nb::arg("robot"), nb::arg("point"), nb::arg("prefix") = "", doc("robot:validate"));
  m.def(
      "validate_positions", [](const Robot& robot, const Vector<"q">& q) { validate_positions(robot, q); },
      nb::arg("robot"), nb::arg("q"), doc("robot:validate_positions"));
  m.def(
      "validate_velocities", [](const Robot& robot, const Vector<"dq">& dq) { validate_velocities(robot, dq); },
      nb::arg("robot"), nb::arg("dq"), doc("robot:validate_velocities"));
  m.def("shipped_robots", &shipped_robots, doc("urdf:shipped_robots"));
  m.def("limit_warnings", &limit_warnings, nb::arg("robot"), nb::arg("state"), doc("robot:limit_warnings"));
}

void bind_dynamics(nb::module_& m) {
  result<ContactDynamics>(
      m, "ContactDynamics", THUD_FIELD(ContactDynamics, p_WC), THUD_FIELD(ContactDynamics, normal_W),
      THUD_FIELD(ContactDynamics, J), THUD_FIELD(ContactDynamics, M), THUD_FIELD(ContactDynamics, A_G),
      THUD_FIELD(ContactDynamics, mass), THUD_FIELD(ContactDynamics, com_W), THUD_FIELD(ContactDynamics, Ic_W),
      THUD_FIELD(ContactDynamics, M_inv_JT), THUD_FIELD(ContactDynamics, M_is_positive));
  value<CompositeBody>(m, "CompositeBody", THUD_FIELD(CompositeBody, mass), THUD_FIELD(CompositeBody, com_W),
                       THUD_FIELD(CompositeBody, Ic_W));
  value<ContactGeometry>(m, "ContactGeometry", THUD_FIELD(ContactGeometry, p_WC),
                         THUD_FIELD(ContactGeometry, normal_W));
  nb::class_<DynamicsWorkspace>(m, "DynamicsWorkspace", doc("DynamicsWorkspace"))
      .def(nb::init<const Robot&, const ContactPoint&>(), nb::arg("robot"), nb::arg("point"),
           doc("DynamicsWorkspace.__init__"))
      .def_prop_ro("size", &DynamicsWorkspace::size, doc("DynamicsWorkspace.size"))
      .def_prop_ro("dynamics", &DynamicsWorkspace::dynamics, nb::rv_policy::reference_internal,
                   doc("DynamicsWorkspace.dynamics"));
  m.def(
      "contact_dynamics",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q) {
        return contact_dynamics(robot, point, q);
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), doc("dynamics:contact_dynamics"));
  m.def(
      "contact_dynamics",
      [](DynamicsWorkspace& workspace, const Vector<"q">& q) -> const ContactDynamics& {
        require_joints(q, workspace.size(), "q");
        return contact_dynamics(workspace, q);
      },
      nb::arg("workspace"), nb::arg("q"), nb::rv_policy::reference, nb::keep_alive<0, 1>(),
      doc("dynamics:contact_dynamics#2"));
  m.def(
      "contact_dynamics",
      [](const Matrix<"M">& M, const Matrix<"J">& J, const Matrix<"A_G">& A_G, const CompositeBody& body,
         const ContactGeometry& contact) { return contact_dynamics(M, J, A_G, body, contact); },
      nb::arg("M"), nb::arg("J"), nb::arg("A_G"), nb::arg("body"), nb::arg("contact"),
      doc("dynamics:contact_dynamics#3"));
  m.def(
      "link_inertias",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q) {
        return link_inertias(robot, point, q);
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), doc("dynamics:link_inertias"));
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

void bind_inertia(nb::module_& m) {
  nb::enum_<InertiaModel>(m, "InertiaModel", doc("InertiaModel"))
      .value("algebraic", InertiaModel::algebraic)
      .value("generalized_momentum", InertiaModel::generalized_momentum)
      .value("composite_rigid_body", InertiaModel::composite_rigid_body)
      .value("flexible_joints", InertiaModel::flexible_joints);
  m.attr("all_inertia_models") = nb::tuple(nb::cast(all_inertia_models));
  nb::enum_<InertiaStatus>(m, "InertiaStatus", nb::is_arithmetic(), doc("InertiaStatus"))
      .value("not_run", InertiaStatus::not_run, doc("InertiaStatus.not_run"))
      .value("ok", InertiaStatus::ok, doc("InertiaStatus.ok"))
      .value("singular", InertiaStatus::singular, doc("InertiaStatus.singular"))
      .value("underactuated", InertiaStatus::underactuated, doc("InertiaStatus.underactuated"))
      .value("massless", InertiaStatus::massless, doc("InertiaStatus.massless"))
      .value("pseudo_inverse", InertiaStatus::pseudo_inverse, doc("InertiaStatus.pseudo_inverse"));
  nb::class_<InverseInertia> inertia(m, "InverseInertia", doc("InverseInertia"));
  define_property(inertia, "InverseInertia", THUD_FIELD(InverseInertia, status));
  define_property(inertia, "InverseInertia", THUD_FIELD(InverseInertia, W));
  inertia.def_prop_ro("exists", &InverseInertia::exists, doc("InverseInertia.exists"))
      .def_prop_ro("effective_mass", &InverseInertia::effective_mass, doc("InverseInertia.effective_mass"))
      .def("__repr__",
           [](nb::handle_t<InverseInertia> self) {
             return describe(self, {"status", "W", "effective_mass"});
           })
      .def("__getstate__",
           [](nb::handle_t<InverseInertia> self) {
             return nb::make_tuple(self.attr("status"), self.attr("W"), self.attr("effective_mass"));
           })
      .def("__setstate__", [](InverseInertia& self, const nb::tuple& state) {
        const MatrixArgument W({state[1]}, "W");
        new (&self) InverseInertia(nb::cast<InertiaStatus>(state[0]), W.three_by_three(), nb::cast<double>(state[2]));
      });

  const auto options = [](bool pseudo_inverse) { return AlgebraicOptions{.pseudo_inverse = pseudo_inverse}; };
  m.def(
      "algebraic",
      [options](const ContactDynamics& dynamics, bool pseudo_inverse) {
        return algebraic(dynamics, options(pseudo_inverse));
      },
      nb::arg("dynamics"), nb::arg("pseudo_inverse") = false, doc("inertia:algebraic"));
  m.def(
      "algebraic",
      [options](const Matrix<"M">& M, const Matrix<"J">& J, const Three<"normal_W">& normal_W, bool pseudo_inverse) {
        return algebraic(M, J, normal_W, options(pseudo_inverse));
      },
      nb::arg("M"), nb::arg("J"), nb::arg("normal_W"), nb::arg("pseudo_inverse") = false,
      doc("inertia:generalized_momentum#2"));
  m.def("generalized_momentum", nb::overload_cast<const ContactDynamics&>(&generalized_momentum), nb::arg("dynamics"),
        doc("inertia:generalized_momentum"));
  m.def(
      "generalized_momentum",
      [](const Matrix<"M">& M, const Matrix<"J">& J, const Three<"normal_W">& normal_W) {
        return generalized_momentum(M, J, normal_W);
      },
      nb::arg("M"), nb::arg("J"), nb::arg("normal_W"), doc("inertia:generalized_momentum#2"));
  m.def("composite_rigid_body", nb::overload_cast<const ContactDynamics&>(&composite_rigid_body), nb::arg("dynamics"),
        doc("inertia:composite_rigid_body"));
  m.def(
      "composite_rigid_body",
      [](const CompositeBody& body, const ContactGeometry& contact) { return composite_rigid_body(body, contact); },
      nb::arg("body"), nb::arg("contact"), doc("inertia:generalized_momentum#2"));
  m.def("flexible_joints", nb::overload_cast<const ContactDynamics&>(&flexible_joints), nb::arg("dynamics"),
        doc("inertia:flexible_joints"));
  m.def(
      "flexible_joints",
      [](const Matrix<"M">& M, const Matrix<"J">& J, const Matrix<"A_G">& A_G, const CompositeBody& body,
         const ContactGeometry& contact) { return flexible_joints(M, J, A_G, body, contact); },
      nb::arg("M"), nb::arg("J"), nb::arg("A_G"), nb::arg("body"), nb::arg("contact"),
      doc("inertia:generalized_momentum#2"));
  m.def(
      "inverse_inertias",
      [options](const ContactDynamics& dynamics, bool pseudo_inverse) {
        return inverse_inertias(dynamics, options(pseudo_inverse));
      },
      nb::arg("dynamics"), nb::arg("pseudo_inverse") = false, doc("inertia:inverse_inertias"));
  m.def(
      "inverse_inertia",
      [options](const ContactDynamics& dynamics, InertiaModel model, bool pseudo_inverse) {
        return inverse_inertia(dynamics, model, options(pseudo_inverse));
      },
      nb::arg("dynamics"), nb::arg("model"), nb::arg("pseudo_inverse") = false, doc("inertia:inverse_inertia"));
  m.def("equivalent_inertia", &equivalent_inertia, nb::arg("dynamics"), doc("inertia:equivalent_inertia"));
  m.def("link_shares", &link_shares, nb::arg("dynamics"), nb::arg("inertias"), doc("inertia:link_shares"));
}

}  // namespace

void bind_mechanics(nb::module_& m) {
  bind_robot(m);
  bind_dynamics(m);
  bind_lagrange(m);
  bind_inertia(m);
}

}  // namespace thud::python
