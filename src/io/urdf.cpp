// parse_urdf: from URDF text to a Robot, through urdfdom.

#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <Eigen/Geometry>
#include <console_bridge/console.h>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

#include "robot/body.hpp"
#include "robot/rules.hpp"

namespace THUD_EXPORT thud {
namespace {

// XML nested deeper than this is not a robot, and could overflow the stack of a recursive parser.
constexpr int max_xml_depth = 64;

// TinyXML compares each attribute of an element with all before it; no element of URDF has ten.
constexpr int max_attributes = 1000;

using robot::Pose;

// urdfdom reports errors through console_bridge, which prints them. This collects them instead, one parse at a time.
class UrdfdomMessages : public console_bridge::OutputHandler {
 public:
  UrdfdomMessages() : lock_(mutex_) {
    console_bridge::useOutputHandler(this);
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_ERROR);  // whatever the application wants to see
  }
  ~UrdfdomMessages() override {
    console_bridge::restorePreviousOutputHandler();
    console_bridge::setLogLevel(level_);
  }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }
  // From here on no message is even put together.
  void silence() { console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE); }

 private:
  inline static std::mutex mutex_;
  std::lock_guard<std::mutex> lock_;
  console_bridge::LogLevel level_ = console_bridge::getLogLevel();
  std::string first_;
};

// One line of printable text, for a message.
std::string single_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (text.size() > 200) text = text.substr(0, 200) + "...";
  return text;
}

// Whether the element that opens at `at` has more attributes than `most`: equal signs outside quotes, up to its end or
// the next element, so that the whole text is gone through once.
bool attributes_beyond(const std::string& text, std::size_t at, int most) {
  int count = 0;
  for (++at; at < text.size() && text[at] != '>' && text[at] != '<' && count <= most; ++at) {
    if (text[at] == '=') ++count;
    if (text[at] == '"' || text[at] == '\'') at = std::min(text.find(text[at], at + 1), text.size());
  }
  return count > most;
}

// Rejects what TinyXML, used by urdfdom, does not survive: NUL bytes, invalid UTF-8, deep nesting, countless
// attributes.
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
      if (text.compare(at, 7, "<xacro:") == 0)
        refuse("is xacro, from which URDF is made: expand it first: xacro " + single_line(name) + " -o robot.urdf");
      const std::size_t end = text.find_first_of("<>", at + 1);
      if (attributes_beyond(text, at, max_attributes))
        refuse("an XML element has more than " + std::to_string(max_attributes) + " attributes");
      const bool closed = end != std::string::npos && text[end] == '>' && text[end - 1] == '/';
      if (!closed && ++depth > max_xml_depth) refuse("XML nested more than " + std::to_string(max_xml_depth) + " deep");
    }
  }
}

std::string attribute(const TiXmlElement* element, const char* name) {
  const char* value = element ? element->Attribute(name) : nullptr;
  return value ? value : "";
}

// The links and joints must form one tree. urdfdom accepts some graphs that are not trees, and leaks memory on others,
// so the graph is checked before urdfdom sees it.
void check_tree(const std::string& text, const std::string& name, const UrdfLimits& limits) {
  const auto refuse = [&](const std::string& rule) { throw RobotError("robot", name, single_line(rule)); };
  TiXmlDocument xml;
  xml.Parse(text.c_str());
  if (xml.Error())
    refuse(std::string("not XML: ") + xml.ErrorDesc() + " (line " + std::to_string(xml.ErrorRow()) + ")");
  const TiXmlElement* robot = xml.FirstChildElement("robot");
  if (!robot && xml.FirstChildElement("mujoco"))
    refuse(
        "is MJCF, not URDF, which campaigns and datasets need; where MJCF will do, load_any_robot reads it by MuJoCo");
  if (!robot) refuse("not URDF: it has no <robot> element");

  std::map<std::string, std::string> parent_of;  // link -> parent link; empty for a root
  for (auto* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link")) {
    const std::string link_name = attribute(link, "name");
    if (link_name.empty()) refuse("a link has no name");
    if (!parent_of.emplace(link_name, "").second) refuse("two links are called " + link_name);
  }
  std::map<std::string, bool> joints;
  std::size_t moving = 0;
  for (auto* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    const std::string joint_name = attribute(joint, "name");
    if (joint_name.empty()) refuse("a joint has no name");
    if (!joints.emplace(joint_name, true).second) refuse("two joints are called " + joint_name);
    if (attribute(joint, "type") != "fixed" && ++moving > limits.joints)
      refuse("more than " + std::to_string(limits.joints) +
             " moving joints, the limit (UrdfLimits::joints, --max-joints)");
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
  // One parent each and one root: a link that does not reach the root through its parents is on a cycle or below one.
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

// What TinyXML takes the digits of a character reference for, nothing if one is none. It reads them from the right,
// with the weight of each and its product in 32 bits and their sum in 64.
std::optional<std::uint64_t> character_code(std::string_view digits, unsigned base) {
  std::uint32_t code = 0, weight = 1;
  for (auto at = digits.rbegin(); at != digits.rend(); ++at, weight *= base) {
    const char c = *at;
    const auto digit = static_cast<unsigned>(c >= '0' && c <= '9'   ? c - '0'
                                             : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                             : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                                    : 16);
    if (digit >= base) return std::nullopt;
    code += weight * digit;
  }
  return static_cast<unsigned char>(code);
}

// The text with full-width signs in the place of per cent signs, and of the & of what is no character reference, in
// which TinyXML might find one: it takes the digits behind the last mark before the semicolon.
std::string without_per_cent(std::string_view text) {
  constexpr std::size_t longest = 100;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out += "\uFF05";
    } else if (text.substr(i, 2) == "&#") {
      const std::string_view rest = text.substr(i + 2, longest), reference = rest.substr(0, rest.find(';'));
      const bool hexadecimal = reference.starts_with('x');
      const unsigned base = hexadecimal ? 16 : 10;
      const auto last = reference.substr(reference.rfind(hexadecimal ? 'x' : '#') + 1);
      if (reference.size() == rest.size()) {
        out += "\uFF06";
      } else if (character_code(last, base) == '%') {
        out += "\uFF05";
        i += 2 + reference.size();
      } else {
        out += character_code(reference.substr(hexadecimal ? 1 : 0), base) ? "&" : "\uFF06";
      }
    } else {
      out += text[i];
    }
  }
  return out;
}

// urdfdom's model of the text. urdfdom gives values of the file to console_bridge as a format of printf, so a text with
// a per cent sign is read twice: for its errors with full-width signs instead, then without messages.
urdf::ModelInterfaceSharedPtr urdfdom_model(const std::string& text, const std::string& name) {
  const std::string unformatted = without_per_cent(text);
  UrdfdomMessages messages;
  try {
    auto model = urdf::parseURDF(unformatted);
    // A model with an error message lacks a part, such as an inertia whose mass is not a number.
    if (!model || !messages.first().empty())
      throw RobotError("robot", name, "not URDF: " + single_line(messages.first()));
    if (unformatted != text) {
      messages.silence();
      model = urdf::parseURDF(text);
      if (!model) throw RobotError("robot", name, "not URDF");
    }
    return model;
  } catch (const RobotError&) {
    throw;
  } catch (const std::exception& error) {
    throw RobotError("robot", name, "not URDF: " + single_line(error.what()));
  }
}

// The validated inertia of one link, in its frame.
BodyInertia link_inertia(const urdf::Link& link, const std::string& name, std::vector<Warning>& warnings) {
  if (!link.inertial) return {};
  const auto& given = *link.inertial;
  const Pose frame = pose(given.origin, "the inertial of link " + link.name, name);
  Matrix3 inertia;
  inertia << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz, given.iyz, given.izz;
  if (!std::isfinite(given.mass) || given.mass < 0)
    throw RobotError("mass of link " + link.name, given.mass, "must be finite and >= 0");
  if (!inertia.allFinite()) throw RobotError("robot", name, "the inertia of link " + link.name + " is not finite");

  const std::string owner = "link " + link.name;
  if (auto sentence = robot::non_physical_inertia(owner, given.mass, inertia))
    warnings.push_back({WarningCode::non_physical_link_inertia, link.name, std::move(*sentence)});
  double farthest = 0;  // joint on it
  for (const auto& child : link.child_joints) {
    const auto& p = child->parent_to_joint_origin_transform.position;
    farthest = std::max(farthest, Vector3(p.x, p.y, p.z).norm());
  }
  if (auto sentence = robot::implausible_inertia(owner, given.mass, inertia, frame.p.norm() + farthest))
    warnings.push_back({WarningCode::implausible_link_inertia, link.name, std::move(*sentence)});
  return {given.mass, frame.p, frame.R * inertia * frame.R.transpose()};
}

Joint moving_joint(const urdf::Joint& given, const std::string& name) {
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
      refuse("has an unknown type (known: revolute, continuous, prismatic, fixed)");
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
  return joint;
}

// Where a joint mimics another that moves: which, and how. Followed to a joint that mimics none.
struct Mimicked {
  std::string leader;
  double multiplier = 1, offset = 0;
};

std::optional<Mimicked> mimicked(const urdf::ModelInterface& model, const urdf::Joint& given, const std::string& name,
                                 std::vector<Warning>& warnings) {
  if (!given.mimic) return std::nullopt;
  Mimicked found;
  urdf::JointConstSharedPtr at = model.getJoint(given.name);
  for (std::size_t steps = 0; at && at->mimic; ++steps) {
    // q = multiplier (m q_next + o) + offset
    if (!std::isfinite(at->mimic->multiplier) || !std::isfinite(at->mimic->offset))
      throw RobotError("robot", name, "the mimic of joint " + at->name + " is not finite");
    found.offset += found.multiplier * at->mimic->offset;
    found.multiplier *= at->mimic->multiplier;
    found.leader = at->mimic->joint_name;
    at = steps > model.joints_.size() ? nullptr : model.getJoint(found.leader);
  }
  if (at && at->type != urdf::Joint::FIXED && at->name != given.name) return found;
  warnings.push_back({WarningCode::mimic_joint, given.name,
                      "joint " + given.name + " mimics " + given.mimic->joint_name +
                          ", which leads to no moving joint; it is treated as an independent joint"});
  return std::nullopt;
}

// What parse_urdf collects, links and joints in the order of the visit.
struct Parts {
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Frame> frames;
  std::vector<std::optional<Mimicked>> mimics;  // of each joint
};

// Joints that mimic others become followers; parents and frames are counted anew.
Robot assemble(const std::string& name, Parts parts, Base base, std::vector<Warning> warnings) {
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Follower> followers;
  std::map<std::string, int> leaders;
  const auto independent =
      static_cast<std::size_t>(std::ranges::count_if(parts.mimics, [](const auto& mimic) { return !mimic; }));
  std::vector<int> index;
  for (std::size_t i = 0; i < parts.joints.size(); ++i) {
    const bool follows = parts.mimics[i].has_value();
    index.push_back(static_cast<int>(follows ? independent + followers.size() : joints.size()));
    Joint& joint = parts.joints[i];
    if (joint.parent >= 0) joint.parent = index[static_cast<std::size_t>(joint.parent)];
    if (follows) {
      followers.push_back({joint, parts.bodies[i], 0, parts.mimics[i]->multiplier, parts.mimics[i]->offset});
    } else {
      leaders[joint.name] = index.back();
      joints.push_back(joint);
      bodies.push_back(parts.bodies[i]);
    }
  }
  std::size_t k = 0;
  for (const auto& mimic : parts.mimics)
    if (mimic) followers[k++].leader = leaders.at(mimic->leader);
  for (Frame& frame : parts.frames)
    if (frame.joint >= 0) frame.joint = index[static_cast<std::size_t>(frame.joint)];
  return {name,
          std::move(joints),
          std::move(bodies),
          std::move(parts.frames),
          std::move(warnings),
          std::move(followers),
          std::move(base)};
}

}  // namespace

Robot parse_urdf(const std::string& text, const std::string& name, const UrdfLimits& limits) {
  if (text.size() > limits.bytes)
    throw RobotError("robot", name,
                     std::to_string(text.size()) + " bytes of text are above the limit of " +
                         std::to_string(limits.bytes) + " (UrdfLimits::bytes)");
  check_text(text, name);
  check_tree(text, name, limits);
  const auto model = urdfdom_model(text, name);

  Parts parts;
  auto& [joints, bodies, frames, mimics] = parts;
  const urdf::Link& root = *model->getRoot();
  Base base{.link = root.name, .mass = 0, .root_has_mass = root.inertial && root.inertial->mass > 0};
  std::vector<Warning> warnings;
  // Depth first, siblings by joint name: a stack of links, each with the pose of its joint (or, for a link fixed to
  // another, of the link itself) in the frame of the last moving joint before it.
  struct Visit {
    urdf::LinkConstSharedPtr link;
    int parent_joint_index;
    Pose at;
  };
  std::vector<Visit> stack{{model->getRoot(), -1, {}}};
  while (!stack.empty()) {
    auto [link, parent_joint_index, at] = std::move(stack.back());
    stack.pop_back();
    const auto& joint = link->parent_joint;
    if (joint && joint->type != urdf::Joint::FIXED) {
      joints.push_back(moving_joint(*joint, name));
      mimics.push_back(mimicked(*model, *joint, name, warnings));
      joints.back().parent = parent_joint_index;
      joints.back().R_PJ = at.R;
      joints.back().p_PJ = at.p;
      bodies.emplace_back();
      parent_joint_index = static_cast<int>(joints.size()) - 1;
      at = {};
    }
    frames.push_back({link->name, parent_joint_index, at.R, at.p});
    const BodyInertia inertia = link_inertia(*link, name, warnings);
    if (parent_joint_index < 0)
      base.mass += inertia.mass;
    else
      robot::merge(bodies[static_cast<std::size_t>(parent_joint_index)], at, inertia);

    auto children = link->child_joints;
    std::sort(children.begin(), children.end(), [](const auto& a, const auto& b) { return a->name > b->name; });
    for (const auto& child : children) {
      const Pose step = pose(child->parent_to_joint_origin_transform, "joint " + child->name, name);
      stack.push_back({model->getLink(child->child_link_name), parent_joint_index, at * step});
    }
  }
  // Finite numbers may still overflow when they are combined.
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (!joints[i].p_PJ.allFinite() || !bodies[i].com.allFinite() || !bodies[i].inertia.allFinite() ||
        !std::isfinite(bodies[i].mass))
      throw RobotError("robot", name, "the numbers of link " + joints[i].link + " are too large to compute with");
  for (const Frame& frame : frames)
    if (!frame.p_JF.allFinite())
      throw RobotError("robot", name, "the numbers of link " + frame.name + " are too large to compute with");
  if (joints.empty()) throw RobotError("robot", name, "has no moving joint");
  if (!std::isfinite(base.mass))
    throw RobotError("robot", name, "the masses of the base are too large to compute with");
  return assemble(name, std::move(parts), std::move(base), std::move(warnings));
}

}  // namespace thud
