/// Writes what thud computes for the oracle cases, for compare.py to hold against Pinocchio and MuJoCo.
///
///   oracle_dump FOLDER STATES
///
/// NAME.urdf and NAME.bin per robot: the text, and one record of little-endian doubles per state, matrices by rows.
/// cases.json says which robots there are, with their joints, frames and rotor inertias and the fields of a record.

#include <thud/inertia.hpp>
#include <thud/lagrange.hpp>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <utility>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "cases.hpp"

namespace {

using namespace thud;
using namespace thud::test;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "compare.py reads little-endian doubles");

// Askew, so that no component can be missed; compare.py finds it in cases.json.
const Vector3 gravity_W{3, -5, -8};

// One state's numbers, and the names and shapes under which compare.py finds them.
struct Record {
  json fields = json::array();
  std::vector<double> numbers;

  void add(const std::string& name, const Eigen::MatrixXd& value) {
    json shape = json::array();
    if (value.size() > 1) shape.push_back(value.rows());
    if (value.cols() > 1) shape.push_back(value.cols());
    fields.push_back({name, shape});
    for (Eigen::Index i = 0; i < value.rows(); ++i)
      for (Eigen::Index j = 0; j < value.cols(); ++j) numbers.push_back(value(i, j));
  }
  void add(const std::string& name, double value) { add(name, Eigen::MatrixXd::Constant(1, 1, value)); }
};

using Matrix6 = Eigen::Matrix<double, 6, 6>;

// (J M^-1 J^T)^-1 where the algebraic option exists, else NaN.
Matrix6 contact_inertia(const ContactDynamics& dynamics, const Matrix6& mobility) {
  if (!algebraic(dynamics).exists()) return Matrix6::Constant(std::numeric_limits<double>::quiet_NaN());
  return mobility.ldlt().solve(Matrix6::Identity());
}

Record record(const Robot& robot, const Sample& sample) {
  const auto at_frame = [&](const Frame& frame) { return frame.name == sample.point.frame; };
  const auto& frames = robot.frames();
  const auto frame = std::find_if(frames.begin(), frames.end(), at_frame) - frames.begin();
  const ContactDynamics dynamics = contact_dynamics(robot, sample.point, sample.state.q);

  Record record;
  record.add("q", sample.state.q);
  record.add("dq", sample.state.dq);
  record.add("frame", static_cast<double>(frame));
  record.add("offset", sample.point.offset);
  record.add("given_normal", sample.point.normal_W);

  record.add("p", dynamics.p_WC);
  record.add("n", dynamics.normal_W);
  record.add("J", dynamics.J);
  record.add("M", dynamics.M);
  record.add("A_G", dynamics.A_G);
  record.add("mass", dynamics.mass);
  record.add("com", dynamics.com_W);
  record.add("Ic", dynamics.Ic_W);
  const LagrangeTerms terms = lagrange_terms(robot, sample.state.q, sample.state.dq, gravity_W);
  record.add("momentum", terms.momentum);
  record.add("gradient", terms.gradient);
  const Matrix6 mobility = dynamics.J * dynamics.M_inv_JT;
  record.add("mobility", mobility);
  record.add("inverse", contact_inertia(dynamics, mobility));
  const std::pair<std::string, InverseInertia> options[] = {{"generalized_momentum", generalized_momentum(dynamics)},
                                                            {"algebraic", algebraic(dynamics)},
                                                            {"composite", composite_rigid_body(dynamics)},
                                                            {"flexible", flexible_joints(dynamics)}};
  for (const auto& [name, inertia] : options) {
    record.add(name + "_W", inertia.W);
    record.add(name + "_mass", inertia.effective_mass());
    record.add(name + "_status", static_cast<double>(inertia.status));
  }
  return record;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << bytes).flush()) throw std::runtime_error("cannot write " + path.string());
}

// Writes one robot's files and returns its part of cases.json.
json write(const std::filesystem::path& folder, const OracleCase& test) {
  json header = {{"name", test.name}, {"random", test.random}, {"states", test.states}, {"seed", test.seed}};
  header["gravity"] = {gravity_W.x(), gravity_W.y(), gravity_W.z()};
  for (const Joint& joint : test.robot.joints()) {
    header["joints"].push_back(joint.name);
    header["rotors"].push_back(joint.rotor_inertia);
  }
  for (const Frame& frame : test.robot.frames()) header["frames"].push_back(frame.name);
  for (int status = 0; status <= static_cast<int>(InertiaStatus::pseudo_inverse); ++status)
    header["statuses"].push_back(to_string(static_cast<InertiaStatus>(status)));

  std::string records;
  Random random(test.seed);
  for (int index = 0; index < test.states; ++index) {
    const Record row = record(test.robot, oracle_sample(random, test.robot, index));
    records.append(reinterpret_cast<const char*>(row.numbers.data()), row.numbers.size() * sizeof(double));
    header["fields"] = row.fields;
  }
  write(folder / (test.name + ".urdf"), test.urdf);
  write(folder / (test.name + ".bin"), records);
  return header;
}

}  // namespace

int main(int argc, char** argv) try {
  const int states = argc == 3 ? std::atoi(argv[2]) : 0;
  if (states < 10) {
    std::cerr << "usage: oracle_dump FOLDER STATES (10 or more)\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  json cases;
  for (const OracleCase& test : oracle_cases(states)) cases.push_back(write(folder, test));
  write(folder / "cases.json", cases.dump(1) + '\n');
} catch (const std::exception& error) {
  std::cerr << "oracle_dump: " << error.what() << '\n';
  return 1;
}
