#include <thud/mjcf.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>
#include <thud/warning.hpp>

#include "bind.hpp"

namespace thud::python {

namespace {

/// Documentation of the limits, appended to that of the functions that take them.
std::string with_limits(const char* function) {
  return std::string(doc(function)) + "\n\nmax_joints  most joints that move\nmax_bytes  longest text [bytes]\n";
}

}  // namespace

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
  value<Follower>(m, "Follower", THUD_FIELD(Follower, joint), THUD_FIELD(Follower, body), THUD_FIELD(Follower, leader),
                  THUD_FIELD(Follower, multiplier), THUD_FIELD(Follower, offset));
  value<Base>(m, "Base", THUD_FIELD(Base, link), THUD_FIELD(Base, mass), THUD_FIELD(Base, root_has_mass));
  value<Frame>(m, "Frame", THUD_FIELD(Frame, name), THUD_FIELD(Frame, joint), THUD_FIELD(Frame, R_JF),
               THUD_FIELD(Frame, p_JF));

  using Joints = std::vector<Joint>;
  using Bodies = std::vector<BodyInertia>;
  using Frames = std::vector<Frame>;
  using Warnings = std::vector<Warning>;
  using Followers = std::vector<Follower>;
  using Positions = std::map<std::string, double>;
  const auto built = [](Robot* self, std::string name, Joints joints, Bodies bodies, Frames frames, Warnings warnings,
                        Followers followers, Base base) {
    new (self) Robot(std::move(name), std::move(joints), std::move(bodies), std::move(frames), std::move(warnings),
                     std::move(followers), std::move(base));
  };
  nb::class_<Robot>(m, "Robot", doc("Robot"))
      .def("__init__", built, nb::arg("name"), nb::arg("joints"), nb::arg("bodies"), nb::arg("frames"),
           nb::arg("warnings") = Warnings{}, nb::arg("followers") = Followers{}, nb::arg("base") = Base{},
           doc("Robot.__init__"))
      .def_prop_ro("name", &Robot::name)
      .def_prop_ro("size", &Robot::size, "Number of moving joints.")
      .def("__len__", &Robot::size)
      .def_prop_ro("joints", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->joints()); })
      .def_prop_ro("bodies", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->bodies()); })
      .def_prop_ro("frames", [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->frames()); })
      .def_prop_ro("warnings",
                   [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->warnings()); })
      .def_prop_ro("followers",
                   [](nb::handle_t<Robot> self) { return view(self, nb::inst_ptr<Robot>(self)->followers()); })
      .def_prop_ro("base", &Robot::base, nb::rv_policy::reference_internal, "What stands still.")
      .def_prop_ro("mass", &Robot::mass, doc("Robot.mass"))
      .def("frame", &Robot::frame, nb::arg("name"), nb::rv_policy::reference_internal, doc("Robot.frame"))
      .def("joint_index", &Robot::joint_index, nb::arg("name"), doc("Robot.joint_index"))
      .def(
          "with_rotor_inertia",
          [](const Robot& robot, const Vector<"rotor_inertia">& rotor_inertia) {
            return robot.with_rotor_inertia(rotor_inertia);
          },
          nb::arg("rotor_inertia"), doc("Robot.with_rotor_inertia"))
      .def(
          "with_tool",
          [](const Robot& robot, const std::string& frame, double mass, const std::optional<Three<"com">>& com,
             const std::optional<ThreeByThree<"inertia">>& inertia) {
            BodyInertia tool{.mass = mass};
            if (com) tool.com = *com;
            if (inertia) tool.inertia = *inertia;
            return robot.with_tool(frame, tool);
          },
          nb::arg("frame"), nb::arg("mass"), nb::arg("com") = nb::none(), nb::arg("inertia") = nb::none(),
          doc("Robot.with_tool"))
      .def("reduced", &Robot::reduced, nb::arg("locked"), doc("Robot.reduced"))
      .def("chain_to", &Robot::chain_to, nb::arg("frame"), nb::arg("locked") = Positions{}, doc("Robot.chain_to"))
      .def("__repr__",
           [](const Robot& robot) {
             return "<Robot " + robot.name() + ", " + std::to_string(robot.size()) + " joints>";
           })
      .def("__getstate__",
           [](const Robot& robot) {
             return nb::make_tuple(robot.name(), robot.joints(), robot.bodies(), robot.frames(), robot.warnings(),
                                   robot.followers(), robot.base());
           })
      .def("__setstate__", [built](Robot& self, const nb::tuple& s) {
        built(&self, nb::cast<std::string>(s[0]), nb::cast<Joints>(s[1]), nb::cast<Bodies>(s[2]),
              nb::cast<Frames>(s[3]), nb::cast<Warnings>(s[4]), nb::cast<Followers>(s[5]), nb::cast<Base>(s[6]));
      });
  value<State>(m, "State", THUD_FIELD(State, q), THUD_FIELD(State, dq));
  value<ContactPoint>(m, "ContactPoint", THUD_FIELD(ContactPoint, frame), THUD_FIELD(ContactPoint, offset),
                      THUD_FIELD(ContactPoint, normal_W), THUD_FIELD(ContactPoint, whole));

  constexpr UrdfLimits limits;
  m.def(
      "load_robot",
      [](const std::filesystem::path& name_or_path, std::size_t max_joints, std::size_t max_bytes) {
        return load_any_robot(name_or_path.string(), {max_joints, max_bytes});
      },
      nb::arg("name_or_path"), nb::arg("max_joints") = limits.joints, nb::arg("max_bytes") = limits.bytes,
      with_limits("mjcf:load_any_robot").c_str());
  m.def(
      "urdf_text",
      [](const std::filesystem::path& name_or_path, std::size_t max_bytes) {
        return urdf_text(name_or_path.string(), max_bytes);
      },
      nb::arg("name_or_path"), nb::arg("max_bytes") = limits.bytes, doc("urdf:urdf_text"));
  m.def(
      "parse_urdf",
      [](const std::string& text, const std::string& name, std::size_t max_joints, std::size_t max_bytes) {
        return parse_urdf(text, name, {max_joints, max_bytes});
      },
      nb::arg("text"), nb::arg("name") = "robot", nb::arg("max_joints") = limits.joints,
      nb::arg("max_bytes") = limits.bytes, with_limits("urdf:parse_urdf").c_str());
  m.def("is_mjcf", &is_mjcf, nb::arg("text"), doc("mjcf:is_mjcf"));
  m.def(
      "parse_mjcf",
      [](const std::string& text, const std::filesystem::path& path, std::size_t max_joints, std::size_t max_bytes) {
        return parse_mjcf(text, path.string(), {max_joints, max_bytes});
      },
      nb::arg("text"), nb::arg("path") = "robot", nb::arg("max_joints") = limits.joints,
      nb::arg("max_bytes") = limits.bytes, with_limits("mjcf:parse_mjcf").c_str());
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
  m.def("composite_links", &composite_links, nb::arg("robot"), nb::arg("point"), doc("robot:composite_links"));
  m.def("shipped_robots", &shipped_robots, doc("urdf:shipped_robots"));
  m.def("limit_warnings", &limit_warnings, nb::arg("robot"), nb::arg("state"), doc("robot:limit_warnings"));
}

}  // namespace thud::python
