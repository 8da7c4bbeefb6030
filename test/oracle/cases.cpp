#include "cases.hpp"

#include <thud/urdf.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace thud::test {
namespace {

std::string shipped_urdf(const std::string& name) {
  std::ifstream file(THUD_ROBOTS "/" + name + ".urdf");
  std::stringstream text;
  text << file.rdbuf();
  if (text.str().empty()) throw std::runtime_error("cannot read " THUD_ROBOTS "/" + name + ".urdf");
  return text.str();
}

VectorX random_rotors(std::uint64_t seed, int joints) {
  Random random(seed);
  VectorX rotors(joints);
  for (double& rotor : rotors) rotor = uniform(random, 0.05, 0.6);
  return rotors;
}

int joints_before(const Robot& robot, const Frame& frame) {
  int count = 0;
  for (int i = frame.joint; i >= 0; i = robot.joints()[static_cast<std::size_t>(i)].parent) ++count;
  return count;
}

}  // namespace

std::vector<OracleCase> oracle_cases(int states) {
  std::vector<OracleCase> cases;
  const int fewer = states / 10;
  const auto seed = [&] { return 100000 * base_seed() + 100 * cases.size(); };
  for (const char* name : {"panda", "panda_fer", "panda_gaz"})
    cases.push_back({name, shipped_urdf(name), load_robot(name), true, false, seed(), states});
  const Robot with_rotors = load_robot("panda").with_rotor_inertia(random_rotors(seed(), 7));
  cases.push_back({"panda_rotors", shipped_urdf("panda"), with_rotors, true, false, seed(), fewer});

  const auto add = [&](const std::string& kind, int joints, bool serial, bool rotors) {
    const std::string name = kind + std::to_string(joints), urdf = random_urdf(seed() + 1, joints, serial);
    Robot robot = parse_urdf(urdf, name);
    if (rotors) robot = robot.with_rotor_inertia(random_rotors(seed(), joints));
    cases.push_back({name, urdf, robot, serial, true, seed(), fewer});
  };
  for (const int joints : {2, 3, 5, 7, 10, 16, 24, 32, 48, 64}) add("tree_", joints, false, false);
  for (const int joints : {2, 6, 7, 8, 9, 12, 16, 24, 32, 64}) add("chain_", joints, true, false);
  add("rotor_tree_", 20, false, true);
  for (const char* name : {"fr3", "gen3", "iiwa14", "iiwa7", "ur10e", "ur5e", "xarm7"})
    cases.push_back({name, shipped_urdf(name), load_robot(name), true, false, seed(), fewer / 2});
  return cases;
}

Sample oracle_sample(Random& random, const Robot& robot, int index) {
  Sample sample = random_sample(random, robot);
  sample.point.whole = true;  // the other libraries' composite quantities are of the whole robot
  if (index == 0) sample.state.q.setZero();
  if (index % 2 == 0) {
    const auto& frames = robot.frames();
    sample.point.frame = std::max_element(frames.begin(), frames.end(), [&](const Frame& a, const Frame& b) {
                           return joints_before(robot, a) < joints_before(robot, b);
                         })->name;
  }
  return sample;
}

}  // namespace thud::test
