#include <thud/batch.hpp>
#include <thud/dynamics.hpp>
#include <thud/impulse.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {

template <>
Prediction blank() {
  return Prediction(0);
}

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
  using Strings = std::vector<std::string>;
  const auto built = [](Robot* self, std::string name, Joints joints, Bodies bodies, Frames frames, Strings warnings) {
    new (self) Robot(std::move(name), std::move(joints), std::move(bodies), std::move(frames), std::move(warnings));
  };
  nb::class_<Robot>(m, "Robot", doc("Robot"))
      .def("__init__", built, nb::arg("name"), nb::arg("joints"), nb::arg("bodies"), nb::arg("frames"),
           nb::arg("warnings") = Strings{}, doc("Robot.__init__"))
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
              nb::cast<Frames>(s[3]), nb::cast<Strings>(s[4]));
      });
  value<State>(m, "State", THUD_FIELD(State, q), THUD_FIELD(State, dq));
  value<ContactPoint>(m, "ContactPoint", THUD_FIELD(ContactPoint, frame), THUD_FIELD(ContactPoint, offset),
                      THUD_FIELD(ContactPoint, normal_W));

  m.def(
      "load_robot", [](const std::filesystem::path& name_or_path) { return load_robot(name_or_path.string()); },
      nb::arg("name_or_path"), doc("robot:load_robot"));
  m.def(
      "urdf_text", [](const std::filesystem::path& name_or_path) { return urdf_text(name_or_path.string()); },
      nb::arg("name_or_path"), doc("robot:urdf_text"));
  m.def("parse_urdf", &parse_urdf, nb::arg("text"), nb::arg("name") = "robot", doc("robot:parse_urdf"));
  m.def(
      "validate_positions", [](const Robot& robot, const Vector<"q">& q) { validate_positions(robot, q); },
      nb::arg("robot"), nb::arg("q"), doc("robot:validate_positions"));
  m.def(
      "validate_velocities", [](const Robot& robot, const Vector<"dq">& dq) { validate_velocities(robot, dq); },
      nb::arg("robot"), nb::arg("dq"), doc("robot:validate_velocities"));
  m.def("shipped_robots", &shipped_robots, doc("robot:shipped_robots"));
  m.def("limit_warnings", &limit_warnings, nb::arg("robot"), nb::arg("state"), doc("robot:limit_warnings"));
}

/// A workspace's query takes values known to be good: judged here, where they come from anywhere.
void require_joints(const VectorRef& values, int size, const char* name) {
  if (values.size() != size)
    throw InputError(name, std::to_string(values.size()) + " values",
                     "needs " + std::to_string(size) + ", one per joint");
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) throw InputError(name, values[i], "must be finite");
}

VectorRef rates(const Vector<"dq">& dq, const ContactDynamics& dynamics) {
  require_joints(dq, static_cast<int>(dynamics.J.cols()), "dq");
  return dq;
}

void bind_dynamics(nb::module_& m) {
  result<ContactDynamics>(
      m, "ContactDynamics", THUD_FIELD(ContactDynamics, p_WC), THUD_FIELD(ContactDynamics, normal_W),
      THUD_FIELD(ContactDynamics, J), THUD_FIELD(ContactDynamics, M), THUD_FIELD(ContactDynamics, A_G),
      THUD_FIELD(ContactDynamics, mass), THUD_FIELD(ContactDynamics, com_W), THUD_FIELD(ContactDynamics, Ic_W),
      THUD_FIELD(ContactDynamics, M_inv_JT), THUD_FIELD(ContactDynamics, M_is_positive));
  nb::class_<Workspace>(m, "Workspace", doc("Workspace"))
      .def(nb::init<const Robot&, const ContactPoint&>(), nb::arg("robot"), nb::arg("point"), doc("Workspace.__init__"))
      .def_prop_ro("size", &Workspace::size, doc("Workspace.size"))
      .def_prop_ro("dynamics", &Workspace::dynamics, nb::rv_policy::reference_internal, doc("Workspace.dynamics"));
  m.def(
      "contact_dynamics",
      [](const Robot& robot, const Vector<"q">& q, const ContactPoint& point) {
        return contact_dynamics(robot, q, point);
      },
      nb::arg("robot"), nb::arg("q"), nb::arg("point"), doc("dynamics:contact_dynamics"));
  m.def(
      "contact_dynamics",
      [](Workspace& workspace, const Vector<"q">& q) -> const ContactDynamics& {
        require_joints(q, workspace.size(), "q");
        return contact_dynamics(workspace, q);
      },
      nb::arg("workspace"), nb::arg("q"), nb::rv_policy::reference, nb::keep_alive<0, 1>(),
      doc("dynamics:contact_dynamics#2"));
  m.def(
      "contact_dynamics",
      [](const Matrix<"M">& M, const Matrix<"J">& J, const Matrix<"A_G">& A_G, double mass, const Three<"com_W">& com_W,
         const ThreeByThree<"Ic_W">& Ic_W, const Three<"p_WC">& p_WC,
         const Three<"normal_W">& normal_W) { return contact_dynamics(M, J, A_G, mass, com_W, Ic_W, p_WC, normal_W); },
      nb::arg("M"), nb::arg("J"), nb::arg("A_G"), nb::arg("mass"), nb::arg("com_W"), nb::arg("Ic_W"), nb::arg("p_WC"),
      nb::arg("normal_W"), doc("dynamics:contact_dynamics#3"));
  m.def(
      "link_inertias",
      [](const Robot& robot, const Vector<"q">& q, const ContactPoint& point) {
        return link_inertias(robot, q, point);
      },
      nb::arg("robot"), nb::arg("q"), nb::arg("point"), doc("dynamics:link_inertias"));

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
      doc("dynamics:lagrange_terms#2"));
  m.def(
      "lagrange_terms",
      [](const Robot& robot, const Vector<"q">& q, const Vector<"dq">& dq,
         const std::optional<Three<"gravity_W">>& gravity_W) {
        return lagrange_terms(robot, q, dq, gravity_W ? Vector3(*gravity_W) : earth_gravity_W);
      },
      nb::arg("robot"), nb::arg("q"), nb::arg("dq"), nb::arg("gravity_W") = nb::none(), doc("dynamics:lagrange_terms"));
}

void bind_inertia(nb::module_& m) {
  nb::enum_<InertiaStatus>(m, "InertiaStatus", nb::is_arithmetic(), doc("InertiaStatus"))
      .value("not_run", InertiaStatus::not_run, doc("InertiaStatus.not_run"))
      .value("ok", InertiaStatus::ok, doc("InertiaStatus.ok"))
      .value("singular", InertiaStatus::singular, doc("InertiaStatus.singular"))
      .value("underactuated", InertiaStatus::underactuated, doc("InertiaStatus.underactuated"))
      .value("massless", InertiaStatus::massless, doc("InertiaStatus.massless"))
      .value("pseudo_inverse", InertiaStatus::pseudo_inverse, doc("InertiaStatus.pseudo_inverse"));
  m.def("to_text", nb::overload_cast<InertiaStatus>(&to_text), nb::arg("status"), doc("inertia:to_text"));
  result<InverseInertia>(m, "InverseInertia", THUD_FIELD(InverseInertia, status), THUD_FIELD(InverseInertia, W),
                         THUD_FIELD(InverseInertia, mass))
      .def_prop_ro("exists", &InverseInertia::exists, doc("InverseInertia.exists"))
      .def_prop_ro("effective_mass", &InverseInertia::effective_mass, doc("InverseInertia.effective_mass"));

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
      [](double mass, const Three<"com_W">& com_W, const ThreeByThree<"Ic_W">& Ic_W, const Three<"p_WC">& p_WC,
         const Three<"normal_W">& normal_W) { return composite_rigid_body(mass, com_W, Ic_W, p_WC, normal_W); },
      nb::arg("mass"), nb::arg("com_W"), nb::arg("Ic_W"), nb::arg("p_WC"), nb::arg("normal_W"),
      doc("inertia:generalized_momentum#2"));
  m.def("flexible_joints", nb::overload_cast<const ContactDynamics&>(&flexible_joints), nb::arg("dynamics"),
        doc("inertia:flexible_joints"));
  m.def(
      "flexible_joints",
      [](const Matrix<"M">& M, const Matrix<"J">& J, const Matrix<"A_G">& A_G, double mass, const Three<"com_W">& com_W,
         const ThreeByThree<"Ic_W">& Ic_W, const Three<"p_WC">& p_WC,
         const Three<"normal_W">& normal_W) { return flexible_joints(M, J, A_G, mass, com_W, Ic_W, p_WC, normal_W); },
      nb::arg("M"), nb::arg("J"), nb::arg("A_G"), nb::arg("mass"), nb::arg("com_W"), nb::arg("Ic_W"), nb::arg("p_WC"),
      nb::arg("normal_W"), doc("inertia:generalized_momentum#2"));
  m.def("equivalent_inertia", &equivalent_inertia, nb::arg("dynamics"), doc("inertia:equivalent_inertia"));
  m.def("link_shares", &link_shares, nb::arg("dynamics"), nb::arg("inertias"), doc("inertia:link_shares"));
}

void bind_impulse(nb::module_& m) {
  m.def(
      "contact_velocity",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return contact_velocity(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:contact_velocity"));
  m.def(
      "approximate_contact_velocity",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return approximate_contact_velocity(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:approximate_contact_velocity"));
  m.def(
      "approximate_to_exact",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return approximate_to_exact(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:approximate_to_exact"));
  m.def("small_restitution", &small_restitution, nb::arg("ratio"), nb::arg("v_before"),
        doc("impulse:small_restitution"));

  result<NormalImpulse>(m, "NormalImpulse", THUD_FIELD(NormalImpulse, compression), THUD_FIELD(NormalImpulse, total));
  m.def(
      "normal_impulse",
      [](const InverseInertia& inertia, double v_before, double restitution) {
        return normal_impulse(inertia, v_before, {.restitution = restitution});
      },
      nb::arg("inertia"), nb::arg("v_before"), nb::arg("restitution") = 0.0, doc("impulse:normal_impulse"));
  m.def("normal_impulse", nb::overload_cast<double, double, double>(&normal_impulse), nb::arg("mass"),
        nb::arg("v_before"), nb::arg("restitution"), doc("impulse:normal_impulse#2"));
  m.def(
      "joint_velocity_jump",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W) {
        return joint_velocity_jump(dynamics, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), doc("impulse:joint_velocity_jump"));
  m.def(
      "joint_velocity_jump_least_norm",
      [](const ContactDynamics& dynamics, const InverseInertia& inertia, const Three<"impulse_W">& impulse_W) {
        return joint_velocity_jump_least_norm(dynamics, inertia, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("inertia"), nb::arg("impulse_W"), doc("impulse:joint_velocity_jump_least_norm"));
  m.def(
      "joint_impulse",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W) {
        return joint_impulse(dynamics, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), doc("impulse:joint_impulse"));
  m.def(
      "joint_torque_jump",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W, double duration) {
        return joint_torque_jump(dynamics, impulse_W, duration);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), nb::arg("duration"), doc("impulse:joint_torque_jump"));
  result<Approach>(m, "Approach", THUD_FIELD(Approach, dq), THUD_FIELD(Approach, turns));
  m.def("approach", &approach, nb::arg("dynamics"), nb::arg("speed"), doc("impulse:approach"));
}

void bind_prediction(nb::module_& m) {
  nb::enum_<Option>(m, "Option", doc("Option"))
      .value("algebraic", Option::algebraic)
      .value("generalized_momentum", Option::generalized_momentum)
      .value("composite_rigid_body", Option::composite_rigid_body)
      .value("flexible_joints", Option::flexible_joints);
  m.def("to_text", nb::overload_cast<Option>(&to_text), nb::arg("option"), doc("impulse:to_text"));
  m.def("inverse_inertia", &inverse_inertia, nb::arg("option"), nb::arg("dynamics"), nb::arg("pseudo_inverse") = false,
        doc("impulse:inverse_inertia"));
  m.attr("all_options") = nb::tuple(nb::cast(all_options));
  result<OptionPrediction>(
      m, "OptionPrediction", THUD_FIELD(OptionPrediction, inertia), THUD_FIELD(OptionPrediction, impulse),
      THUD_FIELD(OptionPrediction, impulse_approximate), THUD_FIELD(OptionPrediction, joint_velocity_jump),
      THUD_FIELD(OptionPrediction, joint_velocity_jump_least_norm), THUD_FIELD(OptionPrediction, joint_impulse));
  result<Prediction>(m, "Prediction", THUD_FIELD(Prediction, v_exact), THUD_FIELD(Prediction, v_approximate),
                     THUD_FIELD(Prediction, ratio), THUD_FIELD(Prediction, v_tangential),
                     THUD_FIELD(Prediction, small_restitution), THUD_FIELD(Prediction, options))
      .def(
          "__init__",
          [](Prediction* self, int joints) {
            if (joints < 1) throw InputError("joints", std::to_string(joints), "must be at least 1");
            new (self) Prediction(joints);
          },
          nb::arg("joints"), "Room for a robot of so many joints; NaN until predict fills it.")
      .def("__getitem__", &Prediction::operator[], nb::arg("option"), nb::rv_policy::reference_internal);
  m.def(
      "predict",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, double restitution, bool pseudo_inverse) {
        return predict(dynamics, dq, {.restitution = restitution, .pseudo_inverse = pseudo_inverse});
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("restitution") = 0.0, nb::arg("pseudo_inverse") = false,
      doc("impulse:predict"));
  m.def(
      "predict",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, Prediction& prediction, double restitution,
         bool pseudo_inverse) {
        const auto joints = prediction.options.front().joint_impulse.size();
        if (joints != dynamics.J.cols())
          throw InputError("prediction", std::to_string(joints) + " joints",
                           "the dynamics have " + std::to_string(dynamics.J.cols()));
        if (!(restitution >= 0 && restitution <= 1))
          throw InputError("restitution", restitution, "must be from 0 to 1");
        predict(dynamics, rates(dq, dynamics), {.restitution = restitution, .pseudo_inverse = pseudo_inverse},
                prediction);
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("prediction"), nb::arg("restitution") = 0.0,
      nb::arg("pseudo_inverse") = false, doc("impulse:predict#2"));
  m.def("warnings", nb::overload_cast<const Prediction&>(&warnings), nb::arg("prediction"), doc("impulse:warnings"));
}

/// Numbers of a batch with the posture as first index. `steps` is how far apart the numbers of one posture are.
template <std::size_t inner>
auto postures(nb::handle owner, const MatrixX& columns, const std::array<Eigen::Index, inner>& sizes,
              const std::array<Eigen::Index, inner>& steps) {
  std::size_t shape[1 + inner] = {static_cast<std::size_t>(columns.cols())};
  std::int64_t strides[1 + inner] = {columns.rows()};
  for (std::size_t i = 0; i < inner; ++i) {
    shape[i + 1] = static_cast<std::size_t>(sizes[i]);
    strides[i + 1] = steps[i];
  }
  return nb::ndarray<nb::numpy, const double, nb::ndim<1 + inner>>(columns.data(), 1 + inner, shape, owner, strides);
}

void bind_batch(nb::module_& m) {
  nb::enum_<BatchOutputs>(m, "BatchOutputs", doc("BatchOutputs"))
      .value("masses", BatchOutputs::masses)
      .value("everything", BatchOutputs::everything);

  nb::class_<Batch> batch(m, "Batch", doc("Batch"));
  const auto define = [&]<class View>(const char* name, View view) {
    batch.def_prop_ro(
        name, [view](nb::handle_t<Batch> self) { return view(self, *nb::inst_ptr<Batch>(self)); },
        find_doc(std::string("Batch.") + name));
  };
  const auto vector_per_posture = [&](const char* name, MatrixX Batch::*member) {  // (N, size)
    define(name, [member](nb::handle self, const Batch& b) {
      return postures<1>(self, b.*member, {(b.*member).rows()}, {1});
    });
  };
  const auto matrix_per_posture = [&](const char* name, MatrixX Batch::*member, Eigen::Index rows) {  // (N, rows, cols)
    define(name, [member, rows](nb::handle self, const Batch& b) {
      return postures<2>(self, b.*member, {rows, (b.*member).rows() / rows}, {1, rows});
    });
  };
  const auto joints_per_option = [&](const char* name, MatrixX Batch::*member) {  // (N, 4, joints)
    define(name, [member](nb::handle self, const Batch& b) {
      const auto joints = (b.*member).rows() / 4;
      return postures<2>(self, b.*member, {4, joints}, {joints, 1});
    });
  };
  vector_per_posture("mass", &Batch::mass);
  define("status", [](nb::handle self, const Batch& b) {
    static_assert(sizeof(InertiaStatus) == sizeof(int));
    return nb::ndarray<nb::numpy, const int, nb::shape<-1, 4>>(reinterpret_cast<const int*>(b.status.data()),
                                                               {b.status.size() / 4, 4}, self);
  });
  vector_per_posture("p_WC", &Batch::p_WC);
  vector_per_posture("com_W", &Batch::com_W);
  matrix_per_posture("Ic_W", &Batch::Ic_W, 3);
  matrix_per_posture("J", &Batch::J, 6);
  matrix_per_posture("A_G", &Batch::A_G, 6);
  define("M", [](nb::handle self, const Batch& b) {
    const auto joints = b.J.rows() / 6;
    return postures<2>(self, b.M, {joints, joints}, {1, joints});
  });
  define("W", [](nb::handle self, const Batch& b) {
    const Eigen::Index options = b.W.rows() / 9;
    return postures<3>(self, b.W, {options, 3, 3}, {9, 1, 3});
  });
  define("v_exact", [](nb::handle self, const Batch& b) { return view(self, b.v_exact); });
  define("v_approximate", [](nb::handle self, const Batch& b) { return view(self, b.v_approximate); });
  define("ratio", [](nb::handle self, const Batch& b) { return view(self, b.ratio); });
  vector_per_posture("impulse_compression", &Batch::impulse_compression);
  vector_per_posture("impulse_total", &Batch::impulse_total);
  joints_per_option("joint_velocity_jump", &Batch::joint_velocity_jump);
  joints_per_option("joint_velocity_jump_least_norm", &Batch::joint_velocity_jump_least_norm);
  joints_per_option("joint_impulse", &Batch::joint_impulse);

  static const std::string text = std::string(doc("batch:predict_batch")) +
                                  "\n\nHere a posture is a row of q and dq, and the first index of every array of the "
                                  "result. Row-major arrays of float64 are used as they lie.";
  m.def(
      "predict_batch",
      [](const Robot& robot, const ContactPoint& point, const Rows<"q">& q, const std::optional<Rows<"dq">>& dq,
         BatchOutputs outputs, double restitution, bool pseudo_inverse, int jobs, const Progress& progress) {
        const MatrixRef positions = q;
        const MatrixX none(robot.size(), 0);
        const MatrixRef rates = dq ? static_cast<MatrixRef>(*dq) : MatrixRef(none);
        LongWork work(progress);
        const BatchOptions options{.outputs = outputs,
                                   .restitution = restitution,
                                   .pseudo_inverse = pseudo_inverse,
                                   .jobs = jobs,
                                   .progress = work.progress()};
        return work.run([&] { return predict_batch(robot, point, positions, rates, options); });
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("dq") = nb::none(),
      nb::arg("outputs") = BatchOutputs::masses, nb::arg("restitution") = 0.0, nb::arg("pseudo_inverse") = false,
      nb::arg("jobs") = 0, nb::arg("progress") = nb::none(), text.c_str());
}

}  // namespace

void bind_mechanics(nb::module_& m) {
  bind_robot(m);
  bind_dynamics(m);
  bind_inertia(m);
  bind_impulse(m);
  bind_prediction(m);
  bind_batch(m);
}

}  // namespace thud::python
