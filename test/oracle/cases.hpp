#pragma once

/// The robots and states on which thud is held against other libraries.

#include <thud/robot.hpp>

#include <string>
#include <vector>

#include "support.hpp"

namespace thud::test {

/// A robot as thud loads it, and the URDF text from which an oracle builds its own.
struct OracleCase {
  std::string name;
  std::string urdf;
  Robot robot;
  bool serial;         // no link carries two: a chain
  bool random;         // not one that ships
  std::uint64_t seed;  // of its states
  int states;          // how many
};

/// The three Pandas with `states` states each; one Panda with rotors and random trees and chains of 2 to 64 joints with
/// a tenth as many each; the other arms that ship with half as many as those.
std::vector<OracleCase> oracle_cases(int states);

/// State and contact number `index` of a case. The first is q = 0, where the Panda is singular. Even ones hit the link
/// with the most joints before it, where the algebraic option may exist; odd ones hit any moving link.
Sample oracle_sample(Random& random, const Robot& robot, int index);

}  // namespace thud::test
