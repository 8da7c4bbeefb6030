// parse_mjcf: from MJCF text to a Robot, through MuJoCo's reader and compiler.

#include <thud/error.hpp>
#include <thud/mjcf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "lab/mujoco.hpp"
#include "robot/body.hpp"

namespace THUD_EXPORT thud {
using lab::MujocoDeleter;
using robot::Pose;
namespace {

[[noreturn]] void refuse_mjcf(const std::string& path, const std::string& rule) {
  throw RobotError("robot", path, rule);
}

// What MuJoCo says, over several lines, as one.
std::string as_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool printable = static_cast<unsigned char>(c) >= ' ';
    if (printable)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ", ";
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ',')) line.pop_back();
  if (line.size() > 300) line = line.substr(0, 300) + "...";
  return line;
}

// How many copies the attribute `count` of an element asks for: the product of its numbers; 1 without it.
double copies_of(const std::string& element) {
  const std::size_t at = element.find("count");
  const std::size_t quote = at == std::string::npos ? at : element.find_first_of("\"'", at);
  if (quote == std::string::npos) return 1;
  double product = 1;
  const char* next = element.c_str() + quote + 1;
  for (char* end = nullptr;; next = end) {
    const double number = std::strtod(next, &end);
    if (end == next) return product;
    product *= std::max(number, 1.0);
  }
}

// MJCF may ask for copies of a part, and for copies of these: more than may be joints are a mistake or an attack.
void check_copies(const std::string& text, const std::string& path, std::size_t most) {
  std::vector<double> copies{1};
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto starts = [&](std::string_view with) { return text.compare(at, with.size(), with) == 0; };
    if (starts("<!--")) {
      at = text.find("-->", at);
      if (at == std::string::npos) return;
    } else if (starts("</replicate")) {
      if (copies.size() > 1) copies.pop_back();
    } else if (starts("<replicate") || starts("<composite") || starts("<flexcomp")) {
      const std::size_t end = std::min(text.find('>', at), text.size());
      const double now = copies.back() * copies_of(text.substr(at, end - at));
      if (!(now <= static_cast<double>(most)))
        refuse_mjcf(path, "copies a part more than " + std::to_string(most) +
                              " times, the limit (UrdfLimits::joints, --max-joints)");
      if (starts("<replicate") && text[end - 1] != '/') copies.push_back(now);
    }
  }
}

// A file in memory, under the name of one on disk: it is read once, and what it includes is found beside it.
class FileInMemory {
 public:
  FileInMemory(const std::string& path, const std::string& text) {
    mj_defaultVFS(&files_);
    if (mj_addBufferVFS(&files_, path.c_str(), text.data(), static_cast<int>(text.size())) != 0)
      throw RobotError("robot", path, "MuJoCo cannot take it under this name");
  }
  ~FileInMemory() { mj_deleteVFS(&files_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  const mjVFS* get() const noexcept { return &files_; }

 private:
  mjVFS files_{};
};

using Spec = std::unique_ptr<mjSpec, MujocoDeleter>;
using Model = std::unique_ptr<mjModel, MujocoDeleter>;

std::vector<mjsElement*> elements_of(const mjSpec* spec, mjtObj type) {
  std::vector<mjsElement*> found;
  for (mjsElement* at = mjs_firstElement(spec, type); at; at = mjs_nextElement(spec, at)) found.push_back(at);
  return found;
}

std::size_t delete_elements(mjSpec* spec, mjtObj type) {
  const auto found = elements_of(spec, type);
  for (mjsElement* each : found) mjs_delete(spec, each);
  return found.size();
}

bool moves(const mjsBody* body) {
  for (; body; body = mjs_getParent(body->element))
    if (mjs_firstChild(body, mjOBJ_JOINT, 0)) return true;
  return false;
}

// Whether geometry adds to the inertia of its body.
bool counts(const mjsBody* body, const mjsGeom* geom) {
  const mjsCompiler* compiler = mjs_getCompiler(body->element);
  if (body->explicitinertial && compiler->inertiafromgeom != mjINERTIAFROMGEOM_TRUE) return false;
  if (geom->group < compiler->inertiagrouprange[0] || geom->group > compiler->inertiagrouprange[1]) return false;
  return std::isnan(geom->mass) ? geom->density > 0 : geom->mass > 0;
}

// What was taken out of a description, in numbers.
struct LeftOut {
  std::size_t constraints = 0, tendons = 0;
};

// Takes out what plays no part, so that its files need not be there.
LeftOut strip(mjSpec* spec) {
  for (const mjtObj type : {mjOBJ_SENSOR, mjOBJ_KEY, mjOBJ_TUPLE, mjOBJ_PAIR, mjOBJ_EXCLUDE, mjOBJ_SKIN, mjOBJ_FLEX,
                            mjOBJ_LIGHT, mjOBJ_CAMERA})
    delete_elements(spec, type);
  LeftOut out;
  out.constraints = delete_elements(spec, mjOBJ_EQUALITY);
  for (mjsElement* each : elements_of(spec, mjOBJ_ACTUATOR)) {
    const mjtTrn target = mjs_asActuator(each)->trntype;
    if (target != mjTRN_JOINT && target != mjTRN_JOINTINPARENT) mjs_delete(spec, each);
  }
  out.tendons = delete_elements(spec, mjOBJ_TENDON);

  std::set<std::string> meshes;
  for (mjsElement* element : elements_of(spec, mjOBJ_BODY)) {
    const mjsBody* body = mjs_asBody(element);
    const bool moving = moves(body);
    std::vector<mjsElement*> idle;
    for (mjsElement* at = mjs_firstChild(body, mjOBJ_GEOM, 0); at; at = mjs_nextChild(body, at, 0)) {
      mjsGeom* geom = mjs_asGeom(at);
      if (!moving || !counts(body, geom)) {
        idle.push_back(at);
        continue;
      }
      mjs_setString(geom->material, "");
      meshes.insert(mjs_getString(geom->meshname));
    }
    for (mjsElement* each : idle) mjs_delete(spec, each);
  }
  for (mjsElement* each : elements_of(spec, mjOBJ_SITE)) {
    mjsSite* site = mjs_asSite(each);
    mjs_setString(site->material, "");
    if (site->type == mjGEOM_MESH) site->type = mjGEOM_SPHERE;
    mjs_setString(site->meshname, "");
  }
  for (mjsElement* each : elements_of(spec, mjOBJ_MESH))
    if (!meshes.contains(mjs_getString(mjs_getName(each)))) mjs_delete(spec, each);
  for (const mjtObj type : {mjOBJ_MATERIAL, mjOBJ_TEXTURE, mjOBJ_HFIELD}) delete_elements(spec, type);
  return out;
}

Vector3 vector_at(const mjtNum* values, int i) {
  return Eigen::Map<const Vector3>(values + 3 * static_cast<std::ptrdiff_t>(i));
}

Matrix3 rotation_at(const mjtNum* values, int i) {
  const mjtNum* q = values + 4 * static_cast<std::ptrdiff_t>(i);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// "body3" for what has no name.
std::string name_of(const mjModel* model, mjtObj type, const char* kind, int i) {
  const char* name = mj_id2name(model, type, i);
  return name && *name ? name : kind + std::to_string(i);
}

// Makes a name one that is not taken, and takes it.
std::string untaken(std::string name, const char* suffix, std::set<std::string>& taken) {
  while (!taken.insert(name).second) name += suffix;
  return name;
}

double larger_side(const mjtNum* ranges, int i) {
  const mjtNum* range = ranges + 2 * static_cast<std::ptrdiff_t>(i);
  return std::max(std::abs(range[0]), std::abs(range[1]));
}

// What an actuator can do at most [N m or N], before its gear.
double largest_force(const mjModel* model, int actuator) {
  double most = std::numeric_limits<double>::infinity();
  if (model->actuator_forcelimited[actuator]) most = larger_side(model->actuator_forcerange, actuator);
  const int control = model->actuator_ctrladr[actuator];
  const bool plain = model->actuator_gaintype[actuator] == mjGAIN_FIXED &&
                     model->actuator_biastype[actuator] == mjBIAS_NONE &&
                     model->actuator_dyntype[actuator] == mjDYN_NONE && model->actuator_ctrlnum[actuator] == 1;
  if (plain && model->actuator_ctrllimited[control]) {
    const double gain = model->actuator_gainprm[mjNGAIN * static_cast<std::ptrdiff_t>(actuator)];
    most = std::min(most, std::abs(gain) * larger_side(model->actuator_ctrlrange, control));
  }
  return most;
}

// What the actuators of a joint do to it: their largest effort together, and the rotors they add.
struct Driven {
  double effort = std::numeric_limits<double>::infinity();  // [N m or N]
  double rotor_inertia = 0;                                 // [kg m^2 or kg]
};

Driven driven(const mjModel* model, int joint) {
  Driven result;
  double sum = 0;
  bool any = false;
  for (int i = 0; i < static_cast<int>(model->nactuator); ++i) {
    const int target = model->actuator_trntype[i];
    if ((target != mjTRN_JOINT && target != mjTRN_JOINTINPARENT) ||
        model->actuator_trnid[2 * static_cast<std::ptrdiff_t>(i)] != joint)
      continue;
    const double gear = model->actuator_gear[6 * static_cast<std::ptrdiff_t>(model->actuator_outadr[i])];
    any = true;
    sum += gear == 0 ? 0 : std::abs(gear) * largest_force(model, i);
    if (model->jnt_actuatorid[joint] == i) result.rotor_inertia = gear * gear * model->actuator_armature[i];
  }
  if (any) result.effort = sum;
  if (model->jnt_actfrclimited[joint])
    result.effort = std::min(result.effort, larger_side(model->jnt_actfrcrange, joint));
  return result;
}

// Builds the parts of a robot from a compiled model, body after body: each comes after the one that carries it.
class MjcfParts {
 public:
  MjcfParts(const mjModel* model, const std::string& path) : model_(model), path_(path) {
    at_.resize(static_cast<std::size_t>(model->nbody));
    frames_.push_back({untaken("world", "_", names_), -1, at_[0].pose.R, at_[0].pose.p});
    for (int body = 1; body < static_cast<int>(model->nbody); ++body) add_body(body);
    for (int site = 0; site < static_cast<int>(model->nsite); ++site) add_site(site);
    if (joints_.empty()) refuse_mjcf(path, "has no moving joint: MJCF of a robot has hinges or slides");
  }

  Robot robot(const LeftOut& out) {
    warn_of_left_out(out);
    return {path_, std::move(joints_), std::move(bodies_), std::move(frames_), std::move(warnings_),
            {},    std::move(base_)};
  }

 private:
  // A body in the frame of the joint that carries it.
  struct Place {
    int joint = -1;
    Pose pose{};
    bool left_out = false;
  };

  Place& at(int body) { return at_[static_cast<std::size_t>(body)]; }

  void add_body(int body) {
    const Place& parent = at(model_->body_parentid[body]);
    const std::string name = name_of(model_, mjOBJ_BODY, "body", body);
    Place here{parent.joint,
               parent.pose * Pose{rotation_at(model_->body_quat, body), vector_at(model_->body_pos, body)},
               parent.left_out};
    for (int k = 0; k < model_->body_jntnum[body]; ++k) add_joint(model_->body_jntadr[body] + k, name, here);
    at(body) = here;
    if (here.left_out) return;
    frames_.push_back({untaken(name, "_", names_), here.joint, here.pose.R, here.pose.p});
    const Matrix3 R = rotation_at(model_->body_iquat, body);
    const BodyInertia inertia{model_->body_mass[body], vector_at(model_->body_ipos, body),
                              R * vector_at(model_->body_inertia, body).asDiagonal() * R.transpose()};
    if (here.joint < 0)
      base_.mass += inertia.mass;
    else
      robot::merge(bodies_[static_cast<std::size_t>(here.joint)], here.pose, inertia);
  }

  // Puts a joint between the body and what has carried it so far.
  void add_joint(int index, const std::string& link, Place& here) {
    const std::string name = name_of(model_, mjOBJ_JOINT, "joint", index);
    const int type = model_->jnt_type[index];
    if (here.left_out)
      refuse_mjcf(path_, "joint " + name + " is on a body that is free; the base must be fixed: delete the free joint");
    if (type == mjJNT_BALL) refuse_mjcf(path_, "joint " + name + " is a ball; use three hinges");
    if (type == mjJNT_FREE) {
      warnings_.push_back({WarningCode::part_left_out, link,
                           "body " + link + " is free to move and is left out: it is no part of an arm"});
      here.left_out = true;
      return;
    }
    Joint joint;
    joint.name = untaken(name, "_", joint_names_);
    joint.link = link;
    joint.parent = here.joint;
    joint.axis = vector_at(model_->jnt_axis, index);
    const Vector3 anchor = vector_at(model_->jnt_pos, index);
    const double reference = model_->qpos0[model_->jnt_qposadr[index]];  // where the body is as described
    Pose placed = here.pose * Pose{Matrix3::Identity(), anchor};
    if (type == mjJNT_SLIDE) {
      joint.type = JointType::prismatic;
      placed.p -= placed.R * joint.axis * reference;
    } else {
      joint.type = model_->jnt_limited[index] ? JointType::revolute : JointType::continuous;
      placed.R = placed.R * Eigen::AngleAxisd(-reference, joint.axis).toRotationMatrix();
    }
    joint.R_PJ = placed.R;
    joint.p_PJ = placed.p;
    if (model_->jnt_limited[index]) {
      joint.lower = model_->jnt_range[2 * static_cast<std::ptrdiff_t>(index)];
      joint.upper = model_->jnt_range[2 * static_cast<std::ptrdiff_t>(index) + 1];
    }
    const Driven drive = driven(model_, index);
    const int rate = model_->jnt_dofadr[index];
    joint.effort = drive.effort;
    joint.rotor_inertia = model_->dof_armature[rate] + drive.rotor_inertia;
    if (model_->dof_damping[rate] != 0 || model_->dof_frictionloss[rate] != 0 || model_->jnt_stiffness[index] != 0)
      passive_.push_back(joint.name);
    here.joint = static_cast<int>(joints_.size());
    here.pose = {Matrix3::Identity(), -anchor};
    joints_.push_back(std::move(joint));
    bodies_.emplace_back();
  }

  void add_site(int site) {
    const char* name = mj_id2name(model_, mjOBJ_SITE, site);
    const Place& carrier = at(model_->site_bodyid[site]);
    if (!name || !*name || carrier.left_out) return;
    const Pose pose = carrier.pose * Pose{rotation_at(model_->site_quat, site), vector_at(model_->site_pos, site)};
    frames_.push_back({untaken(name, "_site", names_), carrier.joint, pose.R, pose.p});
  }

  void warn_of_left_out(const LeftOut& out) {
    const auto add = [&](const std::string& subject, const std::string& text) {
      warnings_.push_back({WarningCode::part_left_out, subject, text});
    };
    if (!passive_.empty())
      add(passive_.front(), "damping, stiffness and friction of joints are left out, those of " + passive_.front() +
                                (passive_.size() > 1 ? " and " + std::to_string(passive_.size() - 1) + " more" : "") +
                                ": they are no part of a transmission");
    if (out.constraints > 0)
      add("equality", "equality constraints are left out, " + std::to_string(out.constraints) +
                          ": what they couple moves independently");
    if (out.tendons > 0) add("tendon", "tendons are left out, " + std::to_string(out.tendons));
  }

  const mjModel* model_;
  std::string path_;
  std::vector<Place> at_;
  std::vector<Joint> joints_;
  std::vector<BodyInertia> bodies_;
  std::vector<Frame> frames_;
  std::vector<Warning> warnings_;
  std::vector<std::string> passive_;
  std::set<std::string> names_, joint_names_;
  Base base_{.link = "world", .mass = 0, .root_has_mass = false};
};

}  // namespace

bool is_mjcf(std::string_view text) {
  // Past the declaration, comments and the document type, to the first element
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const auto starts = [&](std::string_view with) { return text.substr(at, with.size()) == with; };
    if (starts("<!--")) {
      at = text.find("-->", at);
    } else if (starts("<?") || starts("<!")) {
      at = text.find('>', at);
    } else {
      constexpr std::string_view root = "<mujoco";
      return starts(root) && at + root.size() < text.size() &&
             std::string_view(" \t\r\n/>").find(text[at + root.size()]) != std::string_view::npos;
    }
    if (at == std::string_view::npos) break;
  }
  return false;
}

Robot parse_mjcf(const std::string& text, const std::string& path, const UrdfLimits& limits) {
  if (text.size() > limits.bytes)
    refuse_mjcf(path, std::to_string(text.size()) + " bytes of text are above the limit of " +
                          std::to_string(limits.bytes) + " (UrdfLimits::bytes)");
  if (!is_mjcf(text)) refuse_mjcf(path, "not MJCF: it has no <mujoco> element as its root");
  check_copies(text, path, limits.joints);
  lab::silence_mujoco_warnings();
  const FileInMemory file(path, text);
  std::array<char, 2000> message{};
  const Spec spec(mj_parseXML(path.c_str(), file.get(), message.data(), static_cast<int>(message.size())));
  if (!spec) refuse_mjcf(path, "MuJoCo refuses it: " + as_one_line(message.data()));
  const LeftOut out = strip(spec.get());
  spec->compiler.usethread = 0;  // few meshes are left, and a description is read on one thread
  const Model model(mj_compile(spec.get(), file.get()));
  if (!model) {
    const std::string said = as_one_line(mjs_getError(spec.get()));
    const bool no_file = said.find("opening file") != std::string::npos;
    refuse_mjcf(path, "MuJoCo refuses it: " + said +
                          (no_file ? " (a body that moves without <inertial> needs its meshes)" : ""));
  }
  if (static_cast<std::size_t>(model->njnt) > limits.joints)
    refuse_mjcf(path, "more than " + std::to_string(limits.joints) +
                          " moving joints, the limit (UrdfLimits::joints, --max-joints)");
  return MjcfParts(model.get(), path).robot(out);
}

Robot load_any_robot(const std::string& name_or_path, const UrdfLimits& limits) {
  const std::string text = urdf_text(name_or_path, limits.bytes);
  return is_mjcf(text) ? parse_mjcf(text, name_or_path, limits) : parse_urdf(text, name_or_path, limits);
}

}  // namespace thud
