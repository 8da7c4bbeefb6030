#include "support.hpp"

#include <thud/urdf.hpp>

#include <algorithm>
#include <cstdlib>
#include <numbers>
#include <sstream>
#include <utility>

#include <Eigen/Geometry>

namespace thud::test {

std::uint64_t base_seed() {
  const char* text = std::getenv("THUD_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector3 random_vector(Random& random) {
  const double x = uniform(random, -1, 1), y = uniform(random, -1, 1), z = uniform(random, -1, 1);
  return {x, y, z};
}

Vector3 random_direction(Random& random) {
  for (;;) {
    const Vector3 v = random_vector(random);
    if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
}

Matrix3 random_rotation(Random& random) {
  const Vector3 axis = random_direction(random);
  return Eigen::AngleAxisd(uniform(random, -std::numbers::pi, std::numbers::pi), axis).toRotationMatrix();
}

namespace {

std::string triple(const Vector3& v) {
  std::ostringstream text;
  text.precision(17);
  text << v[0] << ' ' << v[1] << ' ' << v[2];
  return text.str();
}

std::string origin(Random& random, double reach) {
  const std::string xyz = triple(reach * random_vector(random));
  return "<origin xyz=\"" + xyz + "\" rpy=\"" + triple(std::numbers::pi * random_vector(random)) + "\"/>";
}

// A solid box of random sides has an inertia that no one can call non-physical.
std::string inertial(Random& random) {
  const double mass = std::pow(10, uniform(random, -1.5, 1));
  const Vector3 side = 0.05 * Vector3::Ones() + 0.2 * random_vector(random).cwiseAbs();
  const Vector3 squared = side.cwiseAbs2();
  std::ostringstream text;
  text.precision(17);
  text << "<inertial>" << origin(random, 0.2) << "<mass value=\"" << mass << "\"/><inertia ixx=\""
       << mass * (squared[1] + squared[2]) / 12 << "\" iyy=\"" << mass * (squared[0] + squared[2]) / 12 << "\" izz=\""
       << mass * (squared[0] + squared[1]) / 12 << "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  return text.str();
}

// parent_of(random, moving, link) is the link that carries link `link`, after so many moving joints.
template <class ParentOf>
std::string urdf(std::uint64_t seed, int joints, ParentOf&& parent_of) {
  Random random(seed);
  std::ostringstream text;
  text << "<robot name=\"random" << seed << "\">\n<link name=\"link0\">" << inertial(random) << "</link>\n";
  int links = 0;
  const auto add = [&](const std::string& type, int moving) {
    const int link = ++links, parent = parent_of(random, moving, link);
    const char letter = static_cast<char>('a' + random() % 26);
    text << "<link name=\"link" << link << "\">" << inertial(random) << "</link>\n<joint name=\"joint" << letter << '_'
         << link << "\" type=\"" << type << "\"><parent link=\"link" << parent << "\"/><child link=\"link" << link
         << "\"/>" << origin(random, 0.3) << "<axis xyz=\"" << triple(3 * random_direction(random))
         << "\"/><limit lower=\"-9\" upper=\"9\" velocity=\"9\" effort=\"9\"/></joint>\n";
  };
  for (int moving = 0; moving < joints;) {
    const auto kind = random() % 10;
    add(kind < 5 ? "revolute" : kind < 7 ? "continuous" : kind < 8 ? "prismatic" : "fixed", moving);
    moving += kind < 8;
  }
  text << "</robot>\n";
  return text.str();
}

int any_before(Random& random, int link) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(link));
}

}  // namespace

std::string random_urdf(std::uint64_t seed, int joints, bool serial) {
  return urdf(seed, joints,
              [&](Random& random, int, int link) { return serial ? link - 1 : any_before(random, link); });
}

std::string random_long_branch_urdf(std::uint64_t seed, int joints) {
  return urdf(seed, joints, [end = 0](Random& random, int moving, int link) mutable {
    return moving % 4 == 3 ? any_before(random, link) : std::exchange(end, link);
  });
}

std::string farthest_frame(const Robot& robot) {
  const auto joints_before = [&](const Frame& frame) {
    int count = 0;
    for (int i = frame.joint; i >= 0; i = robot.joints()[static_cast<std::size_t>(i)].parent) ++count;
    return count;
  };
  return std::ranges::max_element(robot.frames(), {}, joints_before)->name;
}

Sample random_sample(Random& random, const Robot& robot) {
  Sample sample;
  sample.state.q.resize(robot.size());
  sample.state.dq.resize(robot.size());
  for (int i = 0; i < robot.size(); ++i) {
    const bool slides = robot.joints()[static_cast<std::size_t>(i)].type == JointType::prismatic;
    const double range = slides ? 0.5 : std::numbers::pi;
    sample.state.q[i] = uniform(random, -range, range);
    sample.state.dq[i] = uniform(random, -1, 1);
  }
  do sample.point.frame = robot.frames()[random() % robot.frames().size()].name;
  while (robot.frame(sample.point.frame).joint < 0);
  sample.point.offset = 0.1 * random_vector(random);
  sample.point.normal_W = uniform(random, 0.5, 2) * random_direction(random);
  return sample;
}

std::vector<Robot> sample_robots() {
  std::vector<Robot> robots;
  for (const auto& name : shipped_robots()) robots.push_back(load_robot(name));
  for (const int joints : {1, 2, 3, 5, 6, 7, 8, 12, 24, 64}) {
    const std::uint64_t seed = base_seed() * 1000 + static_cast<std::uint64_t>(joints);
    robots.push_back(parse_urdf(random_urdf(seed, joints), "tree of " + std::to_string(joints)));
    robots.push_back(parse_urdf(random_urdf(seed, joints, true), "chain of " + std::to_string(joints)));
  }
  return robots;
}

Reordered breadth_first(const Robot& robot) {
  const auto& joints = robot.joints();
  std::vector<int> order, level(joints.size(), 0), place(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    order.push_back(static_cast<int>(i));
    if (joints[i].parent >= 0) level[i] = level[static_cast<std::size_t>(joints[i].parent)] + 1;
  }
  const auto of = [](const auto& values, int i) { return values[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return of(level, a) < of(level, b); });
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);

  std::vector<Joint> new_joints;
  std::vector<BodyInertia> new_bodies;
  std::vector<Frame> new_frames = robot.frames();
  for (const int i : order) {
    Joint& joint = new_joints.emplace_back(of(joints, i));
    if (joint.parent >= 0) joint.parent = of(place, joint.parent);
    new_bodies.push_back(of(robot.bodies(), i));
  }
  for (auto& frame : new_frames)
    if (frame.joint >= 0) frame.joint = of(place, frame.joint);
  return {Robot(robot.name(), new_joints, new_bodies, new_frames, robot.warnings()), order};
}

VectorX paper_configuration(int index) {
  constexpr double pi = std::numbers::pi;
  const double q2[] = {0.1, 0.4, 0.8}, q4[] = {-1.5, -1.3, -1.1};
  VectorX q(7);
  q << 0, q2[index], 0, q4[index], 0, pi / 2 + q2[index] - q4[index], pi / 4;
  return q;
}

ContactPoint paper_contact() {
  return {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
}

double relative_error(const MatrixRef& value, const MatrixRef& reference) {
  const double size = reference.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  const double difference = (value - reference).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return size == 0 ? difference : difference / size;
}

}  // namespace thud::test
