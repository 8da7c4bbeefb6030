#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/map_report.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/folder.hpp"

namespace THUD_EXPORT thud {
using namespace report;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view map_command = "map";  // whose output a file is by its mark

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string triple(const Vector3& v) {
  return to_text(v[0], 6) + "," + to_text(v[1], 6) + "," + to_text(v[2], 6);
}

// From which side the arm is hit, in words.
std::string side_of(const CapabilityMap& map, const ContactPoint& point) {
  if (map.all_directions) return "over all directions";
  if (map.direction_F.allFinite()) return "normal " + triple(map.direction_F) + " in the axes of the link";
  return "normal " + triple(point.normal_W);
}

// Numbers as they lie in memory.
template <class T>
std::string base64(const std::vector<T>& values) {
  constexpr char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes(sizeof(T) * values.size());
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> unsigned { return i + k < bytes.size() ? bytes[i + k] : 0U; };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (unsigned k = 0; k < 4; ++k) text += i + k <= bytes.size() ? signs[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string floats(const VectorX& values) {
  std::vector<float> all(values.data(), values.data() + values.size());
  return base64(all);
}

// Cells by their places in the smallest box that holds them.
struct Grid {
  Eigen::Vector3i first = Eigen::Vector3i::Zero(), count = Eigen::Vector3i::Zero();
  std::vector<std::uint32_t> index;

  explicit Grid(const CapabilityMap& map) {
    if (map.centre.cols() == 0) return;
    const Eigen::MatrixXi places = (map.centre.array() / map.cell).round().cast<int>().matrix();
    first = places.rowwise().minCoeff();
    count = (places.rowwise().maxCoeff() - first).array() + 1;
    for (Eigen::Index i = 0; i < places.cols(); ++i) {
      const Eigen::Vector3i at = places.col(i) - first;
      const auto of = [](int value) { return static_cast<std::uint32_t>(value); };
      index.push_back((of(at[0]) * of(count[1]) + of(at[1])) * of(count[2]) + of(at[2]));
    }
  }
};

// Postures in 16 bits, between the least and the greatest of each joint.
struct PackedPostures {
  VectorX lower, upper;

  explicit PackedPostures(const CapabilityMap& map)
      : lower(VectorX::Zero(map.q_least.rows())), upper(VectorX::Zero(map.q_least.rows())) {
    for (Eigen::Index i = 0; i < lower.size(); ++i) {
      double low = 0, high = 0;
      for (const MatrixX* postures : {&map.q_least, &map.q_greatest})
        for (Eigen::Index k = 0; k < postures->cols(); ++k) {
          low = std::fmin(low, (*postures)(i, k));
          high = std::fmax(high, (*postures)(i, k));
        }
      lower[i] = low, upper[i] = high;
    }
  }

  std::string text(const MatrixX& postures) const {
    std::vector<std::uint16_t> packed;
    for (Eigen::Index k = 0; k < postures.cols(); ++k)
      for (Eigen::Index i = 0; i < postures.rows(); ++i) {
        const double range = upper[i] - lower[i], part = (postures(i, k) - lower[i]) / range;
        packed.push_back(range > 0 && part >= 0 ? static_cast<std::uint16_t>(std::lround(65535 * part)) : 0);
      }
    return base64(packed);
  }
};

Json list(const VectorRef& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(value);
  return out;
}

Json joint_json(const Joint& joint, int leader, double multiplier, double offset) {
  return {{"name", joint.name},     {"prismatic", joint.type == JointType::prismatic},
          {"parent", joint.parent}, {"R", list(joint.R_PJ.reshaped())},
          {"p", list(joint.p_PJ)},  {"axis", list(joint.axis)},
          {"leader", leader},       {"multiplier", multiplier},
          {"offset", offset}};
}

Json joints_json(const Robot& robot) {
  Json joints = Json::array();
  for (int i = 0; i < robot.size(); ++i)
    joints.push_back(joint_json(robot.joints()[static_cast<std::size_t>(i)], i, 1, 0));
  for (const Follower& each : robot.followers())
    joints.push_back(joint_json(each.joint, each.leader, each.multiplier, each.offset));
  return joints;
}

Json convergence_json(const MapConvergence& by) {
  return {{"volume_half", number(by.volume_half)},         {"volume", number(by.volume)},
          {"least_median", number(by.least_median)},       {"least_95", number(by.least_95)},
          {"median_median", number(by.median_median)},     {"median_95", number(by.median_95)},
          {"greatest_median", number(by.greatest_median)}, {"greatest_95", number(by.greatest_95)}};
}

// Another cell of a row; an empty one is a number that does not exist.
void add_cell(std::string& row, double value) {
  row += ',';
  if (std::isfinite(value)) row += to_text(value);
}

}  // namespace

std::string map_csv(const CapabilityMap& map, const Robot& robot) {
  const std::string unit = " [" + std::string(unit_of(map.quantity)) + "]";
  std::string text = "# " + std::string(to_string(map.quantity)) + " of " + robot.name() + ": cells of " +
                     to_text(map.cell) + " m, " + std::to_string(map.samples) + " samples, seed " +
                     std::to_string(map.seed) + "\n";
  text += "x [m],y [m],z [m],postures,least" + unit + ",median" + unit + ",greatest" + unit;
  for (const char* extreme : {"least", "greatest"}) {
    for (const Joint& joint : robot.joints())
      text +=
          ",q_" + std::string(extreme) + "_" + joint.name + (joint.type == JointType::prismatic ? " [m]" : " [rad]");
    for (const char* axis : {"x", "y", "z"}) text += ",normal_" + std::string(extreme) + "_" + axis + " [1]";
  }
  text += "\n";
  for (Eigen::Index i = 0; i < map.centre.cols(); ++i) {
    for (Eigen::Index k = 0; k < 3; ++k) text += to_text(map.centre(k, i), 12) + ",";
    text += std::to_string(static_cast<std::uint64_t>(map.postures[i]));
    for (const double value : {map.least[i], map.median[i], map.greatest[i]}) add_cell(text, value);
    const auto add = [&](const MatrixX& values) {
      for (const double value : values.col(i)) add_cell(text, value);
    };
    add(map.q_least), add(map.normal_least), add(map.q_greatest), add(map.normal_greatest);
    text += "\n";
  }
  return text;
}

std::string map_json(const CapabilityMap& map, const Robot& robot, const ContactPoint& point) {
  const Grid grid(map);
  const PackedPostures postures(map);
  const Frame& frame = robot.frame(point.frame);
  const Vector3 contact = frame.p_JF + frame.R_JF * point.offset;
  std::vector<std::uint32_t> counts;
  for (const double each : map.postures) counts.push_back(static_cast<std::uint32_t>(each));
  return Json{{"format", "thud map"},
              {"version", 1},
              {"thud", THUD_VERSION},
              {"robot", robot.name()},
              {"frame", point.frame},
              {"quantity", to_string(map.quantity)},
              {"unit", unit_of(map.quantity)},
              {"model", map.model ? Json(to_string(*map.model)) : Json(nullptr)},
              {"side", side_of(map, point)},
              {"cell", map.cell},
              {"samples", map.samples},
              {"seed", map.seed},
              {"resolution", map.resolution},
              {"convergence", convergence_json(map.convergence)},
              {"warnings", texts(map.warnings)},
              {"joints", joints_json(robot)},
              {"contact", {{"joint", frame.joint}, {"p", list(contact)}}},
              {"grid",
               {{"first", {grid.first[0], grid.first[1], grid.first[2]}},
                {"count", {grid.count[0], grid.count[1], grid.count[2]}}}},
              {"range", {{"lower", list(postures.lower)}, {"upper", list(postures.upper)}}},
              {"cells",
               {{"index", base64(grid.index)},
                {"postures", base64(counts)},
                {"least", floats(map.least)},
                {"median", floats(map.median)},
                {"greatest", floats(map.greatest)},
                {"q_least", postures.text(map.q_least)},
                {"q_greatest", postures.text(map.q_greatest)}}}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

MapFiles map_files(const std::string& folder, const Overwrite& overwrite) {
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  MapFiles files{.page = path("map.html"), .table = path("map.csv")};
  if (!is_folder(folder)) return files;  // there is nothing in their place
  for (const std::string& file : {files.page, files.table}) require_replaceable("folder", file, map_command, overwrite);
  return files;
}

MapFiles write_map(const CapabilityMap& map, const Robot& robot, const ContactPoint& point, const std::string& folder,
                   const Overwrite& overwrite) {
  MapFiles files = map_files(folder, overwrite);
  const std::string table = map_csv(map, robot), page = map_page(map_json(map, robot, point));
  make_folder(folder);
  const std::string written_by = output_mark(map_command);
  write_file(files.table, "# " + written_by + "\n" + table);
  write_file(files.page, "<!-- " + written_by + " -->\n" + page);
  return files;
}

}  // namespace thud
