#pragma once

/// Datasets for tests: small, with every field set, each from a seed.

#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "support.hpp"

namespace thud::test {

/// An empty folder that is gone after the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    static int count = 0;
    const auto name = "thud_dataset_" + std::to_string(::getpid()) + "_" + std::to_string(count++);
    path = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  void put(const std::string& name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path)) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
};

inline std::vector<std::string> plan_of(int trials) {
  std::vector<std::string> names;
  for (int i = 0; i < trials; ++i)
    names.push_back(std::string("c").append(std::to_string(i % 2 + 1)).append("_v").append(std::to_string(i)) + ".x-1");
  return names;
}

inline DatasetHeader sample_header(int trials, std::uint64_t seed = 7) {
  DatasetHeader header;
  header.source = DataSource::simulated;
  header.robot = "planar_2r";
  header.urdf = urdf_text("planar_2r");
  header.point = {.frame = "tip", .offset = {0.01, -0.1, 1.0 / 3}, .normal_W = {-1, 0.25, 0}};
  header.detection_joints = {1, 0};
  header.configurations = {{"c1", VectorX::LinSpaced(2, 0.1, 1.0 / 3), 0.7}, {"c2", VectorX::Constant(2, -1), NAN}};
  header.plan = plan_of(trials);
  header.campaign = "seed = 1\n# \"quotes\", \\ and \xC3\xA9\n";
  header.seed = seed;
  header.versions = {{"thud", "0.1.0"}, {"a \"strange\" name\\", "4.0 \xC3\xA9"}};
  return header;
}

inline MatrixX random_matrix(Random& random, int rows, int columns) {
  return MatrixX::NullaryExpr(rows, columns, [&] { return uniform(random, -3, 3); });
}

inline ObjectLog sample_object(std::size_t index, std::uint64_t seed) {
  Random random(seed * 2000 + index);
  ObjectLog object;
  object.mass = 1.915;
  object.inertia << 0.02, 1e-3, 0, 1e-3, 0.03, -2e-3, 0, -2e-3, 1.0 / 30;
  object.time = VectorX::LinSpaced(9, 10, 10.04);
  object.position = random_matrix(random, 9, 3);
  object.orientation = random_matrix(random, 9, 4).rowwise().normalized();
  return object;
}

inline Trial sample_trial(const DatasetHeader& header, std::size_t index, std::uint64_t seed = 1) {
  Random random(seed * 1000 + index);
  const int joints = parse_urdf(header.urdf, header.robot).size();
  Trial trial;
  trial.name = header.plan[index];
  trial.configuration = header.configurations[index % 2].name;
  trial.speed = 0.08 + 0.02 * static_cast<double>(index % 3);
  trial.repeat = static_cast<int>(index) + 1;
  for (int i = 0; i < 300; ++i) {
    trial.force.time.push_back(-0.002 + i / 25000.0);
    trial.force.force.push_back(uniform(random, -1, 200));
  }
  if (index % 2 == 0) {
    trial.force.comments = {"made by hand", "# twice, caf\xE9"};
    trial.force.notes = stored_notes({"columns not used: \"temperature\""});
    trial.force.dropped = 3;
    trial.alarm_time = 12.345678901234567;
  }
  trial.clock_offset = uniform(random, -1, 1);
  if (index % 4 == 1) trial.object = sample_object(index, seed);
  if (index % 3 == 2) return trial;  // no joint signals
  trial.joints.time = VectorX::LinSpaced(40, 10, 10.04);
  trial.joints.position = random_matrix(random, 40, joints);
  trial.joints.torque = random_matrix(random, 40, joints);
  if (index % 3 == 1) return trial;  // neither velocities nor references
  trial.joints.velocity = random_matrix(random, 40, joints);
  trial.joints.torque_reference = random_matrix(random, 40, joints);
  return trial;
}

inline Truth sample_truth(std::size_t index) {
  Truth truth;
  truth.law = typical_law(all_laws[index % all_laws.size()]);
  for (const auto& [name, value] : law_parameters(truth.law)) *value *= 1.5;  // not what a reader might assume
  truth.touch_time = 1.0 / 3;
  truth.q = VectorX::Constant(2, 0.1);
  truth.dq = VectorX::LinSpaced(2, -0.3, 0.7);
  truth.velocity = -0.12;
  if (index % 2 == 0) truth.velocity_after = 0.01;
  truth.peak_force = 180;
  truth.peak_time = 1.5e-3;
  truth.compression_time = 3.7e-3;
  truth.contact_time = 1.4e-2;
  truth.depth = 2.2e-4;
  truth.impulse_compression = 0.48;
  truth.impulse = 0.57;
  if (index % 2 == 1) truth.object_speed = 0.31;
  if (index % 2 == 1) truth.object_spin = -1.0 / 7;
  return truth;
}

inline Dataset sample_dataset(int trials, std::uint64_t seed = 1) {
  Dataset dataset{.header = sample_header(trials), .trials = {}};
  for (std::size_t i = 0; i < dataset.header.plan.size(); ++i)
    dataset.trials.push_back(sample_trial(dataset.header, i, seed));
  return dataset;
}

inline std::vector<Truth> sample_truths(int trials) {
  std::vector<Truth> truths;
  for (int i = 0; i < trials; ++i) truths.push_back(sample_truth(static_cast<std::size_t>(i)));
  return truths;
}

/// The same bits; two NaN are the same.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}
inline bool same(const MatrixX& a, const MatrixX& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) { return same(x, y); });
}
inline bool same(const ContactLaw& a, const ContactLaw& b) {
  return a.index() == b.index() && std::visit(
                                       [&](const auto& law) {
                                         const auto& other = std::get<std::decay_t<decltype(law)>>(b);
                                         bool equal = law.stiffness == other.stiffness;
                                         if constexpr (requires { law.damping; })
                                           equal = equal && law.damping == other.damping;
                                         if constexpr (requires { law.exponent; })
                                           equal = equal && law.exponent == other.exponent;
                                         if constexpr (requires { law.restitution; })
                                           equal = equal && law.restitution == other.restitution;
                                         return equal;
                                       },
                                       a);
}
inline bool same(const Truth& a, const Truth& b) {
  return same(a.law, b.law) && same(a.touch_time, b.touch_time) && same(MatrixX(a.q), MatrixX(b.q)) &&
         same(MatrixX(a.dq), MatrixX(b.dq)) && same(a.velocity, b.velocity) &&
         same(a.velocity_after, b.velocity_after) && same(a.peak_force, b.peak_force) &&
         same(a.peak_time, b.peak_time) && same(a.compression_time, b.compression_time) &&
         same(a.contact_time, b.contact_time) && same(a.depth, b.depth) &&
         same(a.impulse_compression, b.impulse_compression) && same(a.impulse, b.impulse) &&
         same(a.object_speed, b.object_speed) && same(a.object_spin, b.object_spin);
}
inline bool same(const ObjectLog& a, const ObjectLog& b) {
  return same(a.mass, b.mass) && a.inertia == b.inertia && same(MatrixX(a.time), MatrixX(b.time)) &&
         same(a.position, b.position) && same(a.orientation, b.orientation);
}
inline bool same(const Trial& a, const Trial& b) {
  return a.name == b.name && a.configuration == b.configuration && same(a.speed, b.speed) && a.repeat == b.repeat &&
         a.force.time == b.force.time && a.force.force == b.force.force && a.force.dropped == b.force.dropped &&
         a.force.comments == b.force.comments && a.force.notes == b.force.notes &&
         same(MatrixX(a.joints.time), MatrixX(b.joints.time)) && same(a.joints.position, b.joints.position) &&
         same(a.joints.velocity, b.joints.velocity) && same(a.joints.torque, b.joints.torque) &&
         same(a.joints.torque_reference, b.joints.torque_reference) && same(a.clock_offset, b.clock_offset) &&
         same(a.alarm_time, b.alarm_time) && same(a.object, b.object);
}
inline bool same(const DatasetHeader& a, const DatasetHeader& b) {
  const auto same_configuration = [](const Configuration& x, const Configuration& y) {
    return x.name == y.name && same(MatrixX(x.q), MatrixX(y.q)) && same(x.threshold, y.threshold);
  };
  return a.source == b.source && a.robot == b.robot && a.urdf == b.urdf && a.point.frame == b.point.frame &&
         a.point.offset == b.point.offset && a.point.normal_W == b.point.normal_W &&
         a.detection_joints == b.detection_joints &&
         std::equal(a.configurations.begin(), a.configurations.end(), b.configurations.begin(), b.configurations.end(),
                    same_configuration) &&
         a.plan == b.plan && a.campaign == b.campaign && a.seed == b.seed && a.versions == b.versions;
}
inline bool same(const Dataset& a, const Dataset& b) {
  return same(a.header, b.header) && std::equal(a.trials.begin(), a.trials.end(), b.trials.begin(), b.trials.end(),
                                                [](const Trial& x, const Trial& y) { return same(x, y); });
}

/// The message of an error, or that there was none.
template <class Kind, class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  } catch (const std::exception& other) {
    return std::string("another kind of exception: ") + other.what();
  }
  return "no refusal";
}

}  // namespace thud::test
