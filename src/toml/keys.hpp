#pragma once

/// Private: tables of keys, each once: its field, its range and its meaning.

#include <thud/conventions.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "toml/table.hpp"
#include "toml/writer.hpp"

namespace thud::toml {

enum class Rule { positive, not_negative, finite };

/// A key of a part, with the field that it fills.
template <class Part, class Value>
struct Key {
  const char* name;
  Value Part::*field;
  Rule rule;
  const char* remark;
};

/// With one number; with one number per joint, or one for all.
template <class Part>
using Number = Key<Part, double>;
template <class Part>
using PerJoint = Key<Part, VectorX>;

template <class Keys>
void add_names(std::vector<std::string_view>& names, const Keys& keys) {
  for (const auto& key : keys) names.emplace_back(key.name);
}

/// One number for each joint. Throws FileError for another count.
inline VectorX per_joint(const Table& table, std::string_view key, Eigen::Index joints) {
  if (table.is_number(key)) return VectorX::Constant(joints, table.number(key));
  VectorX values = table.numbers(key);
  if (values.size() != joints)
    table.refuse(key, "must have " + std::to_string(joints) + " numbers, one per joint, or be a single number");
  return values;
}

/// How many joints the lists of these keys are for: the entries of the first one; 0 where all are single numbers.
template <class Part, std::size_t n>
Eigen::Index listed_joints(const Table& table, const PerJoint<Part> (&keys)[n]) {
  for (const auto& key : keys)
    if (table.has(key.name) && !table.is_number(key.name)) return table.numbers(key.name).size();
  return 0;
}

/// Reads the keys that are there.
template <class Part, std::size_t n>
void read(const Table& table, const Number<Part> (&keys)[n], Part& part) {
  for (const auto& key : keys)
    if (table.has(key.name)) part.*key.field = table.number(key.name);
}
template <class Part, std::size_t n>
void read(const Table& table, const PerJoint<Part> (&keys)[n], Part& part, Eigen::Index joints) {
  for (const auto& key : keys)
    if (table.has(key.name)) part.*key.field = per_joint(table, key.name, joints);
}

template <class Part, std::size_t n>
void write(Writer& out, const Number<Part> (&keys)[n], const Part& part) {
  for (const auto& key : keys) out.number(key.name, part.*key.field, key.remark);
}
template <class Part, std::size_t n>
void write(Writer& out, const PerJoint<Part> (&keys)[n], const Part& part) {
  for (const auto& key : keys) out.numbers(key.name, part.*key.field, key.remark);
}

}  // namespace thud::toml
