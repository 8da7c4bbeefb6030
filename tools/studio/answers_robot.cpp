// What there is to work with, and what a robot looks like.

#include <thud/campaign.hpp>
#include <thud/contact.hpp>
#include <thud/drives_file.hpp>
#include <thud/dynamics.hpp>
#include <thud/limits_file.hpp>
#include <thud/map.hpp>
#include <thud/translate.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "../info.hpp"
#include "answers.hpp"

namespace thud::cli {
namespace {

Json matrix_json(const Matrix3& matrix) {
  return json(matrix.reshaped());  // by columns, as in the page of a map
}

Json drawn_joint(const Joint& joint, int leader, double multiplier, double offset) {
  return {{"name", joint.name},     {"prismatic", joint.type == JointType::prismatic},
          {"parent", joint.parent}, {"R", matrix_json(joint.R_PJ)},
          {"p", json(joint.p_PJ)},  {"axis", json(joint.axis)},
          {"leader", leader},       {"multiplier", multiplier},
          {"offset", offset}};
}

// A body by its principal axes, and the box that has its mass and its moments, if one has.
Json drawn_body(const std::string& link, std::size_t joint, const BodyInertia& body) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(body.inertia);
  const Vector3 moments = principal.eigenvalues();
  Matrix3 axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  // I_1 = m (b^2 + c^2)/12 and so on
  const Vector3 squares =
      body.mass > 0 ? Vector3(6 / body.mass * (Vector3::Constant(moments.sum()) - 2 * moments)) : Vector3::Constant(-1);
  const bool physical = squares.minCoeff() >= 0 && squares.allFinite();
  return {{"link", link},
          {"joint", joint},
          {"mass", json(body.mass)},
          {"com", json(body.com)},
          {"axes", matrix_json(axes)},
          {"moments", json(moments)},
          {"box", physical ? json(squares.cwiseSqrt()) : Json(nullptr)}};
}

// The link that the most joints carry: a tool, mostly the last of them.
std::string tool_of(const Robot& robot) {
  std::string best = robot.joints().back().link;
  int most = 0;
  for (const Frame& frame : robot.frames()) {
    int joints = 0;
    for (int i = frame.joint; i >= 0 && i < robot.size(); i = robot.joints()[static_cast<std::size_t>(i)].parent)
      ++joints;
    if (joints >= most && joints > 0) {
      most = joints;
      best = frame.name;
    }
  }
  return best;
}

// Of some postures the one farthest from singular, in front of the arm and above the floor where there is one.
VectorX start_posture(const Robot& robot, const ContactPoint& point) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(-1, 1);
  VectorX best = VectorX::Zero(robot.size());
  double most = -1;
  for (int trial = 0; trial < 200; ++trial) {
    VectorX q(robot.size());
    for (int i = 0; i < robot.size(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      const double reach = joint.type == JointType::prismatic ? 1 : std::numbers::pi / 2;
      const double low = std::max(joint.lower, -reach), high = std::min(joint.upper, reach);
      // one whose range is elsewhere stays within it
      const double from = low < high ? low : joint.lower, to = low < high ? high : joint.upper;
      q[i] = (from + to) / 2 + part(random) * (to - from) / 2;
    }
    const ContactDynamics dynamics = contact_dynamics(robot, point, q);
    const Eigen::MatrixXd linear = dynamics.J.topRows<3>();
    const Vector3 values = Eigen::JacobiSVD<Eigen::MatrixXd>(linear * linear.transpose()).singularValues();
    double worth = values[2] + 1e-3 * values[1] + 1e-6 * values[0];
    if (dynamics.p_WC[0] < 0.1) worth *= 0.1;
    if (dynamics.p_WC[2] < 0.1) worth *= 0.1;
    if (worth > most) {
      most = worth;
      best = q;
    }
  }
  return best;
}

Json start_of(const KeptRobot& kept, const std::string& name) {
  const Robot& robot = kept.robot;
  const Campaign usual = default_campaign();
  ContactPoint point{.frame = tool_of(robot), .normal_W = {-1, 0, 0}};
  VectorX q;
  const auto frames = robot.frames();
  const bool has_foot =
      robot.size() == usual.configurations.front().q.size() &&
      std::any_of(frames.begin(), frames.end(), [&](const Frame& each) { return each.name == usual.point.frame; });
  if (has_foot) {
    point = usual.point;
    q = usual.configurations.front().q;
  } else {
    q = start_posture(robot, point);
  }
  const auto named = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) == names.end() ? Json(nullptr) : Json(name);
  };
  return {{"q", json(q)},
          {"frame", point.frame},
          {"offset", json(point.offset)},
          {"normal", json(point.normal_W)},
          {"drives", named(shipped_drives())},
          {"limits", named(shipped_limits())}};
}

Json law_rows() {
  Json laws = Json::array();
  for (const LawKind kind : all_laws)
    std::visit(
        [&](const auto& law) {
          Json rows = Json::array();
          for (const auto& row : law.parameters)
            rows.push_back(
                {{"name", row.name}, {"symbol", row.symbol}, {"unit", row.unit}, {"typical", json(row.typical)}});
          laws.push_back({{"name", law.name}, {"parameters", rows}});
        },
        typical_law(kind));
  return laws;
}

}  // namespace

Json studio_answer(const Opened& opened, const std::string& subject) {
  Json quantities = Json::array(), models = Json::array(), bodies = Json::array(), simulators = Json::array();
  for (const MapQuantity each :
       {MapQuantity::effective_mass, MapQuantity::speed, MapQuantity::peak_force, MapQuantity::impulse})
    quantities.push_back({{"name", to_string(each)}, {"unit", unit_of(each)}});
  for (const InertiaModel each : all_inertia_models) models.push_back(to_string(each));
  for (const auto& [name, region] : body_regions()) bodies.push_back(name);
  for (const Simulator each : all_simulators) simulators.push_back(to_string(each));
  Json files = Json::array();
  std::string kind = subject.empty() ? "" : "robot";
  for (const auto& file : opened.files()) {
    files.push_back(file->json());
    if (file->id == subject) kind = file->kind;
  }
  return {{"version", THUD_VERSION},
          {"robots", shipped_robots()},
          {"drives", shipped_drives()},
          {"limits", shipped_limits()},
          {"laws", law_rows()},
          {"models", models},
          {"bodies", bodies},
          {"quantities", quantities},
          {"simulators", simulators},
          {"files", files},
          {"subject", subject.empty() ? Json(nullptr) : Json(subject)},
          {"subject_kind", kind.empty() ? Json(nullptr) : Json(kind)},
          {"warnings", Json::array()}};
}

Json robot_answer(const KeptRobot& kept, const std::string& name) {
  const Robot& robot = kept.robot;
  Json joints = Json::array(), frames = Json::array(), bodies = Json::array(), meshes = Json::array();
  for (int i = 0; i < robot.size(); ++i)
    joints.push_back(drawn_joint(robot.joints()[static_cast<std::size_t>(i)], i, 1, 0));
  for (std::size_t i = 0; i < robot.bodies().size(); ++i)
    bodies.push_back(drawn_body(robot.joints()[i].link, i, robot.bodies()[i]));
  for (std::size_t i = 0; i < robot.followers().size(); ++i) {
    const Follower& each = robot.followers()[i];
    joints.push_back(drawn_joint(each.joint, each.leader, each.multiplier, each.offset));
    bodies.push_back(drawn_body(each.joint.link, robot.bodies().size() + i, each.body));
  }
  for (const Frame& frame : robot.frames())
    frames.push_back(
        {{"name", frame.name}, {"joint", frame.joint}, {"R", matrix_json(frame.R_JF)}, {"p", json(frame.p_JF)}});
  for (std::size_t i = 0; i < kept.meshes.size(); ++i)
    meshes.push_back({{"name", kept.meshes[i].name}, {"index", i}, {"bytes", kept.meshes[i].bytes}});
  Json answer = robot_json(robot);
  answer["studio"] = {{"urdf", kept.urdf.empty() ? Json(nullptr) : Json(kept.urdf)},
                      {"base", robot.base().link},
                      {"joints", joints},
                      {"frames", frames},
                      {"bodies", bodies},
                      {"meshes", meshes},
                      {"start", start_of(kept, name)}};
  return answer;
}

}  // namespace thud::cli
