// parse_urdf: from URDF text to a Robot, through urdfdom.

#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include <Eigen/Geometry>
#include <console_bridge/console.h>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

#include "robot/rules.hpp"

namespace THUD_EXPORT thud {
namespace {

// XML deeper than this is no robot, and would exhaust the stack of a recursive parser.
constexpr int deepest_xml = 64;

struct Pose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();
};

// urdfdom tells its errors to console_bridge, which prints. This listens instead, one parse at a time.
class UrdfdomMessages : public console_bridge::OutputHandler {
 public:
  UrdfdomMessages() : lock_(mutex_) { console_bridge::useOutputHandler(this); }
  ~UrdfdomMessages() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }

 private:
  inline static std::mutex mutex_;
  std::lock_guard<std::mutex> lock_;
  std::string first_;
};

// One line of printable text, for a message.
std::string in_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (text.size() > 200) text = text.substr(0, 200) + "...";
  return text;
}

// Refuses what TinyXML, under urdfdom, does not survive: NUL bytes, broken UTF-8, deep nesting.
void check_text(const std::string& text, const std::string& name) {
  const auto refuse = [&](const std::string& rule) { throw RobotError("robot", name, rule); };
  int continuation = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) refuse("not XML: it holds a NUL byte");
    const bool continues = (byte & 0xC0U) == 0x80U;
    if (continues != (continuation > 0)) refuse("not XML: it is not valid UTF-8");
    if (continues)
      --continuation;
    else
      continuation = byte < 0x80 ? 0 : byte < 0xC0 ? 9 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : byte < 0xF8 ? 3 : 9;
    if (continuation == 9) refuse("not XML: it is not valid UTF-8");
  }
  if (continuation != 0) refuse("not XML: it is not valid UTF-8");

  int depth = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) break;
    } else if (text.compare(at, 2, "</") == 0) {
      --depth;
    } else if (text.compare(at, 2, "<?") != 0 && text.compare(at, 2, "<!") != 0) {
      const std::size_t end = text.find_first_of("<>", at + 1);
      const bool closed = end != std::string::npos && text[end] == '>' && text[end - 1] == '/';
      if (!closed && ++depth > deepest_xml) refuse("XML nested more than " + std::to_string(deepest_xml) + " deep");
    }
  }
}

std::string attribute(const TiXmlElement* element, const char* name) {
  const char* value = element ? element->Attribute(name) : nullptr;
  return value ? value : "";
}

// The links and joints must form one tree. urdfdom lets some graphs through that are none, and leaks on others, so
// the graph is judged before urdfdom sees it.
void check_tree(const std::string& text, const std::string& name) {
  const auto refuse = [&](const std::string& rule) { throw RobotError("robot", name, in_one_line(rule)); };
  TiXmlDocument xml;
  xml.Parse(text.c_str());
  if (xml.Error())
    refuse(std::string("not XML: ") + xml.ErrorDesc() + " (line " + std::to_string(xml.ErrorRow()) + ")");
  const TiXmlElement* robot = xml.FirstChildElement("robot");
  if (!robot) refuse("not URDF: it has no <robot> element");

  std::map<std::string, std::string> parent_of;  // link -> parent link; empty for a root
  for (auto* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    const std::string link_name = attribute(link, "name");
    if (link_name.empty()) refuse("a link has no name");
    if (!parent_of.emplace(link_name, "").second) refuse("two links are called " + link_name);
  }
  std::map<std::string, bool> joints;
  for (auto* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    const std::string joint_name = attribute(joint, "name");
    if (joint_name.empty()) refuse("a joint has no name");
    if (!joints.emplace(joint_name, true).second) refuse("two joints are called " + joint_name);
    const std::string parent = attribute(joint->FirstChildElement("parent"), "link");
    const std::string child = attribute(joint->FirstChildElement("child"), "link");
    for (const auto& [role, link] : {std::pair{"parent", parent}, std::pair{"child", child}})
      if (!parent_of.count(link))
        refuse("joint " + joint_name + " names the " + role + " link '" + link + "', which does not exist");
    if (!parent_of[child].empty()) refuse("link " + child + " has two parents, " + parent_of[child] + " and " + parent);
    parent_of[child] = parent;
  }

  std::vector<std::string> roots;
  for (const auto& [link, parent] : parent_of)
    if (parent.empty()) roots.push_back(link);
  if (parent_of.empty()) refuse("it has no links");
  if (roots.size() > 1) refuse("two roots, " + roots[0] + " and " + roots[1] + "; a robot has one base");
  // One parent each and one root: whoever does not reach the root by its parents is on or behind a cycle.
  std::map<std::string, bool> reaches_root;
  for (const auto& [link, parent] : parent_of) {
    std::vector<std::string> path;
    std::string at = link;
    while (!parent_of[at].empty() && !reaches_root[at]) {
      path.push_back(at);
      at = parent_of[at];
      if (path.size() > parent_of.size()) refuse("a cycle of joints passes through link " + at);
    }
    for (const auto& passed : path) reaches_root[passed] = true;
  }
}

Pose pose(const urdf::Pose& value, const std::string& where, const std::string& name) {
  const auto& [r, p] = std::pair{value.rotation, value.position};
  const Eigen::Quaterniond rotation(r.w, r.x, r.y, r.z);
  if (!rotation.coeffs().allFinite() || !std::isfinite(p.x + p.y + p.z))
    throw RobotError("robot", name, "the origin of " + where + " is not finite");
  return {rotation.normalized().toRotationMatrix(), {p.x, p.y, p.z}};
}

// m [ |r|^2 1 - r r^T ], the parallel-axis term
Matrix3 parallel_axis(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

// Adds the inertia of a link at `at` to the body that carries it.
void merge(BodyInertia& body, const Pose& at, const BodyInertia& link) {
  if (link.mass == 0) {
    body.inertia += at.R * link.inertia * at.R.transpose();
    return;
  }
  const Vector3 com = at.p + at.R * link.com;
  const double mass = body.mass + link.mass;
  const Vector3 merged = (body.mass * body.com + link.mass * com) / mass;
  body.inertia += parallel_axis(body.mass, body.com - merged) + at.R * link.inertia * at.R.transpose() +
                  parallel_axis(link.mass, com - merged);
  body.mass = mass;
  body.com = merged;
}

// The inertia of one link in its own frame, checked.
BodyInertia link_inertia(const urdf::Link& link, const std::string& name, std::vector<Warning>& warnings) {
  if (!link.inertial) return {};
  const auto& given = *link.inertial;
  const Pose frame = pose(given.origin, "the inertial of link " + link.name, name);
  Matrix3 inertia;
  inertia << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz, given.iyz, given.izz;
  if (!std::isfinite(given.mass) || given.mass < 0)
    throw RobotError("mass of link " + link.name, given.mass, "must be finite and >= 0");
  if (!inertia.allFinite()) throw RobotError("robot", name, "the inertia of link " + link.name + " is not finite");

  if (auto sentence = robot::non_physical_inertia("link " + link.name, given.mass, inertia))
    warnings.push_back({WarningCode::non_physical_link_inertia, link.name, std::move(*sentence)});
  return {given.mass, frame.p, frame.R * inertia * frame.R.transpose()};
}

Joint moving_joint(const urdf::Joint& given, const std::string& name, std::vector<Warning>& warnings) {
  const auto refuse = [&](const std::string& rule) {
    throw RobotError("robot", name, "joint " + given.name + " " + rule);
  };
  Joint joint;
  joint.name = given.name;
  joint.link = given.child_link_name;
  switch (given.type) {
    case urdf::Joint::REVOLUTE:
      joint.type = JointType::revolute;
      break;
    case urdf::Joint::CONTINUOUS:
      joint.type = JointType::continuous;
      break;
    case urdf::Joint::PRISMATIC:
      joint.type = JointType::prismatic;
      break;
    case urdf::Joint::FLOATING:
      refuse("is floating; the base must be fixed");
      break;
    case urdf::Joint::PLANAR:
      refuse("is planar; use two prismatic joints and a revolute one");
      break;
    default:
      refuse("has no type that thud knows (revolute, continuous, prismatic, fixed)");
  }
  const Vector3 axis(given.axis.x, given.axis.y, given.axis.z);
  if (!axis.allFinite() || axis.norm() < 1e-9) refuse("has no axis: it must be finite and not zero");
  joint.axis = axis.normalized();
  if (given.limits) {
    const auto& limits = *given.limits;
    if (std::isnan(limits.lower + limits.upper + limits.velocity + limits.effort)) refuse("has a limit that is NaN");
    if (joint.type != JointType::continuous) {
      if (limits.lower > limits.upper)
        refuse("has limits " + to_text(limits.lower) + " > " + to_text(limits.upper) + "; lower must be <= upper");
      joint.lower = limits.lower;
      joint.upper = limits.upper;
    }
    if (limits.velocity < 0 || limits.effort < 0)
      refuse("has limits of velocity " + to_text(limits.velocity) + " and effort " + to_text(limits.effort) +
             "; none may be negative");
    joint.velocity = limits.velocity;
    joint.effort = limits.effort;
  }
  if (given.mimic)
    warnings.push_back({WarningCode::mimic_joint, given.name,
                        "joint " + given.name + " mimics another; it is taken as a joint of its own"});
  return joint;
}

}  // namespace

Robot parse_urdf(const std::string& text, const std::string& name) {
  check_text(text, name);
  check_tree(text, name);
  urdf::ModelInterfaceSharedPtr model;
  {
    UrdfdomMessages messages;
    try {
      model = urdf::parseURDF(text);
    } catch (const std::exception& error) {
      throw RobotError("robot", name, "not URDF: " + in_one_line(error.what()));
    }
    // A model with an error message is one with a part left out, such as an inertia whose mass is no number.
    if (!model || !messages.first().empty())
      throw RobotError("robot", name, "not URDF: " + in_one_line(messages.first()));
  }

  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Frame> frames;
  std::vector<Warning> warnings;
  // Depth first, siblings by joint name: a stack of links, each with the joint that leads to it and the pose of that
  // joint (or, for a link fixed to another, of the link itself) in the moving joint `carrier` before it.
  struct Visit {
    urdf::LinkConstSharedPtr link;
    int carrier;
    Pose at;
  };
  std::vector<Visit> stack{{model->getRoot(), -1, {}}};
  while (!stack.empty()) {
    auto [link, carrier, at] = std::move(stack.back());
    stack.pop_back();
    const auto& joint = link->parent_joint;
    if (joint && joint->type != urdf::Joint::FIXED) {
      joints.push_back(moving_joint(*joint, name, warnings));
      joints.back().parent = carrier;
      joints.back().R_PJ = at.R;
      joints.back().p_PJ = at.p;
      bodies.emplace_back();
      carrier = static_cast<int>(joints.size()) - 1;
      at = {};
    }
    frames.push_back({link->name, carrier, at.R, at.p});
    const BodyInertia inertia = link_inertia(*link, name, warnings);
    if (carrier >= 0) merge(bodies[static_cast<std::size_t>(carrier)], at, inertia);

    auto children = link->child_joints;
    std::sort(children.begin(), children.end(), [](const auto& a, const auto& b) { return a->name > b->name; });
    for (const auto& child : children) {
      const Pose step = pose(child->parent_to_joint_origin_transform, "joint " + child->name, name);
      stack.push_back({model->getLink(child->child_link_name), carrier, {at.R * step.R, at.p + at.R * step.p}});
    }
  }
  // Finite parts may still overflow where they are joined.
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (!joints[i].p_PJ.allFinite() || !bodies[i].com.allFinite() || !bodies[i].inertia.allFinite() ||
        !std::isfinite(bodies[i].mass))
      throw RobotError("robot", name, "the numbers of link " + joints[i].link + " are too large to compute with");
  for (const Frame& frame : frames)
    if (!frame.p_JF.allFinite())
      throw RobotError("robot", name, "the numbers of link " + frame.name + " are too large to compute with");
  if (joints.empty()) throw RobotError("robot", name, "has no moving joint");
  return {name, std::move(joints), std::move(bodies), std::move(frames), std::move(warnings)};
}

}  // namespace thud
