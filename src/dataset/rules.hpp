#pragma once

/// Private: the rules of dataset.hpp, with the robot parsed once.

#include <thud/dataset.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thud::dataset::rules {

/// The numbers of a Truth by their names in files. NaN: does not exist.
inline constexpr std::array<std::pair<const char*, double Truth::*>, 12> truth_numbers{{
    {"touch_time", &Truth::touch_time},
    {"velocity", &Truth::velocity},
    {"velocity_after", &Truth::velocity_after},
    {"peak_force", &Truth::peak_force},
    {"peak_time", &Truth::peak_time},
    {"compression_time", &Truth::compression_time},
    {"contact_time", &Truth::contact_time},
    {"depth", &Truth::depth},
    {"impulse_compression", &Truth::impulse_compression},
    {"impulse", &Truth::impulse},
    {"object_speed", &Truth::object_speed},
    {"object_spin", &Truth::object_spin},
}};

inline std::string law_rule() {
  return "must be " + law_names();
}

/// What a trial must have at least.
inline constexpr auto signal_rule = "needs a force record, a joint log or the motion of an object";

inline constexpr auto source_rule = "must be measured or simulated";

/// Why a dataset that needs more memory than `limit` [byte] is refused.
std::string memory_rule(std::uint64_t limit);

/// The source of that name, or nothing.
std::optional<DataSource> source_named(std::string_view name);

/// One line of UTF-8, not empty, without control characters: it can be a string in a manifest.
void require_line(const std::string& argument, const std::string& text);

/// A symmetric matrix by its entries xx, yy, zz, xy, xz, yz, as files have an inertia.
Matrix3 inertia_of(const VectorX& entries);
VectorX inertia_entries(const Matrix3& inertia);

/// Any text without zero bytes, which would end a string in HDF5.
void require_text(const std::string& argument, const std::string& text);

/// Comments in the form of read_record, so that they survive writing and reading a record.
void require_comments(const std::string& argument, const std::vector<std::string>& comments);

/// The header's robot. Throws InputError for the argument urdf.
Robot validated_robot(const DatasetHeader& header);

void validate(const DatasetHeader& header, const Robot& robot);
void validate(const DatasetHeader& header, const Robot& robot, const Trial& trial);
void validate(const Dataset& dataset, const Robot& robot);
void validate(const Truth& truth, const Robot& robot, const std::string& trial);

}  // namespace thud::dataset::rules
