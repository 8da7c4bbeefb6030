#include <thud/dynamics.hpp>
#include <thud/inertia.hpp>

#include "bind.hpp"

namespace thud::python {

namespace {

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
                   doc("DynamicsWorkspace.dynamics"))
      .def(
          "set_contact",
          [](DynamicsWorkspace& self, const Three<"offset">& offset, const Three<"normal_W">& normal_W) {
            self.set_contact(offset, normal_W);
          },
          nb::arg("offset"), nb::arg("normal_W"), doc("DynamicsWorkspace.set_contact"));
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
  bind_dynamics(m);
  bind_inertia(m);
}

}  // namespace thud::python
