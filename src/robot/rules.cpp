#include "robot/rules.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace thud::robot {
namespace {

// Rotations and axes may be given with six digits; a larger error is a mistake.
constexpr double six_digits = 1e-6;

// Error in the length of a vector that has just been normalized.
constexpr double rounding = 1e-15;

// Error of R R^T in what a reader computes: up to 2.4e-15 for one rotation in three million, 3.6e-15 for a product of
// three, as of links fixed to each other. At 1e-14 a batch differs from single queries by more than its rounding.
constexpr double rounding_of_rotation = 4e-15;

// An inertia from another library may be symmetric only up to rounding.
constexpr double max_asymmetry = 1e-9;

// A principal moment may exceed the sum of the other two by this fraction before it is called non-physical: flat bodies
// lie on the boundary, and published numbers are rounded.
constexpr double triangle_slack = 1e-6;

// No link of a robot weighs more; numbers like 1e308 are placeholders [kg].
constexpr double largest_mass = 1e6;

// A radius of gyration up to this is plausible whatever the frames say of a link's extent: published inertias of arms
// come to 0.38 m on links without one [m].
constexpr double plausible_radius = 0.5;

// A branch with this share of the moving mass is a limb rather than a finger.
constexpr double limb_share = 0.1;

std::string item(const char* list, std::size_t i, const char* field) {
  return std::string(list).append("[").append(std::to_string(i)).append("].").append(field);
}

std::string text(const Vector3& v) {
  return to_text(v[0]).append(",").append(to_text(v[1])).append(",").append(to_text(v[2]));
}

void require_finite(const std::string& argument, const Vector3& value) {
  if (!value.allFinite()) throw RobotError(argument, text(value), "must be finite");
}

void require_not_negative(const std::string& argument, double value) {
  if (!(value >= 0)) throw RobotError(argument, value, "must be >= 0");
}

void require_finite_not_negative(const std::string& argument, double value) {
  if (!(value >= 0) || !std::isfinite(value)) throw RobotError(argument, value, "must be finite and >= 0");
}

// Two of Newton's steps towards the orthogonal factor of the polar decomposition: each turns an error e of R R^T into
// 3/4 e^2, so that of the allowed one rounding is left, 5e-16. By singular values it is up to 4e-15.
Matrix3 nearest_rotation(Matrix3 R) {
  for (int step = 0; step < 2; ++step) R += 0.5 * R * (Matrix3::Identity() - R.transpose() * R);
  return R;
}

void check_rotation(const std::string& argument, Matrix3& R) {
  if (!R.allFinite())
    throw RobotError(argument, R.sum(), "must be a rotation: finite (the sum of its entries is given)");
  const double error = (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= six_digits))
    throw RobotError(argument, error, "must be a rotation (the largest entry of R R^T - 1 is given)");
  if (R.determinant() < 0)
    throw RobotError(argument, R.determinant(), "must be a rotation, not a reflection (the determinant is given)");
  if (error > rounding_of_rotation) R = nearest_rotation(R);
}

void require_name(const std::string& argument, const std::string& name, std::set<std::string>& names) {
  if (name.empty()) throw RobotError(argument, "''", "must not be empty");
  if (!names.insert(name).second) throw RobotError(argument, name, "already exists; names must be unique");
}

// `before`: joints that it may hang on; `first` and `last`: followers that it may, counted as Frame::joint does.
struct Parents {
  std::size_t before, first, last;
};

void check_joint(const char* list, std::size_t i, Joint& joint, const Parents& allowed) {
  const auto argument = [&](const char* field) { return item(list, i, field); };
  const auto parent = static_cast<std::size_t>(joint.parent);
  if (joint.parent < -1 ||
      (joint.parent >= 0 && parent >= allowed.before && (parent < allowed.first || parent >= allowed.last)))
    throw RobotError(argument("parent"), std::to_string(joint.parent),
                     "must be -1 (the base) or the index of a joint before this one");
  check_rotation(argument("R_PJ"), joint.R_PJ);
  require_finite(argument("p_PJ"), joint.p_PJ);
  require_finite(argument("axis"), joint.axis);
  const double length = joint.axis.stableNorm();
  if (!(std::abs(length - 1) <= six_digits))
    throw RobotError(argument("axis"), text(joint.axis), "must have unit length");
  if (std::abs(length - 1) > rounding) joint.axis /= length;
  if (std::isnan(joint.lower)) throw RobotError(argument("lower"), joint.lower, "must be a number");
  if (!(joint.lower <= joint.upper))
    throw RobotError(argument("upper"), joint.upper, "must be at least lower, " + to_text(joint.lower));
  require_not_negative(argument("velocity"), joint.velocity);
  require_not_negative(argument("effort"), joint.effort);
  require_finite_not_negative(argument("rotor_inertia"), joint.rotor_inertia);
}

void check_body(const char* list, std::size_t i, const BodyInertia& body) {
  const auto argument = [&](const char* field) { return item(list, i, field); };
  require_finite_not_negative(argument("mass"), body.mass);
  require_finite(argument("com"), body.com);
  if (!body.inertia.allFinite())
    throw RobotError(argument("inertia"), body.inertia.sum(), "must be finite (the sum of its entries is given)");
  const double difference = (body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff();
  if (difference > max_asymmetry * body.inertia.cwiseAbs().maxCoeff())
    throw RobotError(argument("inertia"), difference,
                     "must be symmetric (the largest difference between it and its transpose is given)");
}

void check_frame(std::size_t i, Frame& frame, std::size_t joints) {
  const auto argument = [&](const char* field) { return item("frames", i, field); };
  if (frame.joint < -1 || frame.joint >= static_cast<int>(joints))
    throw RobotError(argument("joint"), std::to_string(frame.joint),
                     "must be -1 (the base) or the index of one of " + std::to_string(joints) + " joints");
  check_rotation(argument("R_JF"), frame.R_JF);
  require_finite(argument("p_JF"), frame.p_JF);
}

// Every follower and every joint must reach the base: a joint may hang on a follower that comes after it.
void check_ways(const std::vector<Joint>& joints, const std::vector<Follower>& followers) {
  const std::size_t n = joints.size(), all = n + followers.size();
  for (std::size_t i = 0; i < all; ++i) {
    std::size_t steps = 0;
    for (int at = static_cast<int>(i); at >= 0; ++steps) {
      if (steps > all)
        throw RobotError("followers", (i < n ? joints[i] : followers[i - n].joint).name, "is on a cycle of joints");
      const auto index = static_cast<std::size_t>(at);
      at = index < n ? joints[index].parent : followers[index - n].joint.parent;
    }
  }
}

void check_follower(std::size_t k, Follower& follower, std::size_t joints) {
  const auto argument = [&](const char* field) { return item("followers", k, field); };
  check_joint("followers", k, follower.joint, {joints, joints, joints + k});
  check_body("followers", k, follower.body);
  if (follower.leader < 0 || follower.leader >= static_cast<int>(joints))
    throw RobotError(argument("leader"), std::to_string(follower.leader),
                     "must be the index of one of " + std::to_string(joints) + " joints");
  for (const auto& [field, value] :
       {std::pair{"multiplier", follower.multiplier}, std::pair{"offset", follower.offset}})
    if (!std::isfinite(value)) throw RobotError(argument(field), value, "must be finite");
}

double largest_moment(const Matrix3& inertia) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

// Joints and followers in one row, as Frame::joint counts them.
struct Moved {
  const Joint* joint;
  const BodyInertia* body;
};
std::vector<Moved> moved(const std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies,
                         const std::vector<Follower>& followers) {
  std::vector<Moved> all;
  for (std::size_t i = 0; i < joints.size(); ++i) all.push_back({&joints[i], &bodies[i]});
  for (const Follower& follower : followers) all.push_back({&follower.joint, &follower.body});
  return all;
}

// How far each body is known to extend from its joint: to its centre of mass and on to the farthest joint or frame.
std::vector<double> reaches(const std::vector<Moved>& all, const std::vector<Frame>& frames) {
  std::vector<double> farthest(all.size());
  const auto extend = [&](int joint, const Vector3& p) {
    if (joint >= 0)
      farthest[static_cast<std::size_t>(joint)] = std::max(farthest[static_cast<std::size_t>(joint)], p.norm());
  };
  for (const Moved& each : all) extend(each.joint->parent, each.joint->p_PJ);
  for (const Frame& frame : frames) extend(frame.joint, frame.p_JF);
  for (std::size_t i = 0; i < all.size(); ++i) farthest[i] += all[i].body->com.norm();
  return farthest;
}

// The mass that each joint moves: of its own body and of all further out [kg].
std::vector<double> carried_masses(const std::vector<Moved>& all) {
  std::vector<double> masses(all.size());
  for (const Moved& each : all)
    for (int at = static_cast<int>(&each - all.data()); at >= 0; at = all[static_cast<std::size_t>(at)].joint->parent)
      masses[static_cast<std::size_t>(at)] += each.body->mass;
  return masses;
}

// Of each joint, whether it moves any inertia: its own body or rotor, one further out, or that of a follower.
std::vector<bool> moves_inertia(const std::vector<Moved>& all, const std::vector<Follower>& followers) {
  const std::size_t n = all.size() - followers.size();
  std::vector<bool> moves(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [joint, body] = all[i];
    if (body->mass == 0 && body->inertia.isZero(0) && joint->rotor_inertia == 0) continue;
    for (int at = static_cast<int>(i); at >= 0;) {
      const auto index = static_cast<std::size_t>(at);
      moves[index] = true;
      if (index >= n) moves[static_cast<std::size_t>(followers[index - n].leader)] = true;
      at = all[index].joint->parent;
    }
  }
  return moves;
}

}  // namespace

void check_parts(std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies, std::vector<Frame>& frames,
                 std::vector<Follower>& followers) {
  if (joints.empty()) throw RobotError("joints", "0", "must be at least one");
  if (bodies.size() != joints.size())
    throw RobotError("bodies", std::to_string(bodies.size()),
                     "must be as many as joints, " + std::to_string(joints.size()));
  const std::size_t n = joints.size(), all = n + followers.size();
  std::set<std::string> joint_names, frame_names;
  for (std::size_t i = 0; i < n; ++i) {
    require_name(item("joints", i, "name"), joints[i].name, joint_names);
    check_joint("joints", i, joints[i], {i, n, all});
    check_body("bodies", i, bodies[i]);
  }
  for (std::size_t k = 0; k < followers.size(); ++k) {
    require_name(item("followers", k, "name"), followers[k].joint.name, joint_names);
    check_follower(k, followers[k], n);
  }
  if (!followers.empty()) check_ways(joints, followers);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    require_name(item("frames", i, "name"), frames[i].name, frame_names);
    check_frame(i, frames[i], all);
  }
}

std::optional<std::string> non_physical_inertia(const std::string& owner, double mass, const Matrix3& inertia) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const std::string values = to_text(moments[0], 6) + ", " + to_text(moments[1], 6) + ", " + to_text(moments[2], 6);
  const double slack = triangle_slack * moments.cwiseAbs().maxCoeff();
  const std::string sentence = owner + " has a non-physical inertia: ";
  if (moments[0] < -slack || moments[0] + moments[1] < moments[2] - slack)
    return sentence + "principal moments " + values +
           " kg m^2 (none may be negative or exceed the sum of the other two)";
  if (mass == 0 && moments[2] > 0) return sentence + "no mass, but principal moments " + values + " kg m^2";
  return std::nullopt;
}

std::optional<std::string> implausible_inertia(const std::string& owner, double mass, const Matrix3& inertia,
                                               double reach) {
  if (mass > largest_mass)
    return owner + " has an implausible mass: " + to_text(mass, 6) + " kg (a placeholder? above " +
           to_text(largest_mass) + " kg)";
  if (mass == 0) return std::nullopt;
  const double radius = std::sqrt(std::max(0.0, largest_moment(inertia) / mass));
  if (!(radius > std::max(reach, plausible_radius))) return std::nullopt;
  return owner + " has an implausible inertia: " + to_text(largest_moment(inertia), 6) + " kg m^2 of " +
         to_text(mass, 6) + " kg is a radius of gyration of " + to_text(radius, 3) + " m, beyond both its reach of " +
         to_text(reach, 3) + " m and " + to_text(plausible_radius, 3) + " m";
}

std::vector<Warning> with_inertia_warnings(std::vector<Warning> warnings, const std::vector<Joint>& joints,
                                           const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames,
                                           const std::vector<Follower>& followers) {
  const auto has = [&](WarningCode code, const std::string& subject) {
    return std::ranges::any_of(
        warnings, [&](const Warning& warning) { return warning.code == code && warning.subject == subject; });
  };
  const std::vector<Moved> all = moved(joints, bodies, followers);
  const std::vector<double> reach = reaches(all, frames);
  const std::vector<bool> moves = moves_inertia(all, followers);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Joint* const joint = all[i].joint;
    const BodyInertia* const body = all[i].body;
    const auto warn = [&](WarningCode of_body, WarningCode of_link, std::optional<std::string> sentence) {
      if (!sentence || has(of_body, joint->name)) return;
      const bool link_has_warning = std::ranges::any_of(
          frames, [&](const Frame& frame) { return frame.joint == static_cast<int>(i) && has(of_link, frame.name); });
      if (!link_has_warning) warnings.push_back({of_body, joint->name, std::move(*sentence)});
    };
    const std::string owner = std::string("the body of joint ").append(joint->name);
    warn(WarningCode::non_physical_body_inertia, WarningCode::non_physical_link_inertia,
         non_physical_inertia(owner, body->mass, body->inertia));
    warn(WarningCode::implausible_body_inertia, WarningCode::implausible_link_inertia,
         implausible_inertia(owner, body->mass, body->inertia, reach[i]));
    if (i < joints.size() && !moves[i] && !has(WarningCode::massless_link, joint->link))
      warnings.push_back(
          {WarningCode::massless_link, joint->link,
           "link " + joint->link + " moves without inertia: nothing that joint " + joint->name + " moves has a mass"});
  }
  return warnings;
}

std::optional<Warning> base_warning(const Base& base, const std::vector<Joint>& joints,
                                    const std::vector<BodyInertia>& bodies, const std::vector<Follower>& followers) {
  if (!(base.mass > 0) || base.link == "world") return std::nullopt;
  const std::vector<Moved> all = moved(joints, bodies, followers);
  const std::vector<double> masses = carried_masses(all);
  double moving = 0;                              // [kg]
  std::size_t limbs = 0;                          // with mass
  std::vector<std::size_t> branches(all.size());  // with a share of the moving mass, on each joint
  for (const Moved& each : all) moving += each.body->mass;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int parent = all[i].joint->parent;
    if (parent < 0)
      limbs += masses[i] > 0;
    else
      branches[static_cast<std::size_t>(parent)] += masses[i] > limb_share * moving;
  }
  const bool trunk = std::ranges::any_of(branches, [](std::size_t count) { return count > 1; });
  std::string carries;
  if (limbs > 1)
    carries = std::to_string(limbs) + " limbs";
  else if (base.root_has_mass && base.mass > moving)
    carries = "less than its own mass";
  else if (base.root_has_mass && trunk)
    carries = "a trunk with limbs";
  else
    return std::nullopt;
  return Warning{WarningCode::fixed_base, base.link,
                 "the base (" + base.link + " and what is fixed to it, " + to_text(base.mass, 6) + " kg) carries " +
                     carries + "; it is taken as fixed to the world, and its mass is left out"};
}

std::vector<Warning> without_own_warnings(std::vector<Warning> warnings) {
  std::erase_if(warnings, [](const Warning& warning) {
    return warning.code == WarningCode::non_physical_body_inertia ||
           warning.code == WarningCode::implausible_body_inertia || warning.code == WarningCode::massless_link ||
           warning.code == WarningCode::fixed_base;
  });
  return warnings;
}

std::optional<Warning> position_warning(const Joint& joint, double position) {
  if (position >= joint.lower && position <= joint.upper) return std::nullopt;
  return Warning{WarningCode::position_limit, joint.name,
                 joint.name + " is at " + to_text(position, 6) + ", outside its limits " + to_text(joint.lower, 6) +
                     " to " + to_text(joint.upper, 6)};
}

}  // namespace thud::robot
