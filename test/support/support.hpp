#pragma once

/// What the tests share: a seed that can be set, random robots and states, and the table of sample robots.

#include <thud/impulse.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace thud::test {

/// THUD_SEED from the environment, or 1. Printed with every failure by SCOPED_TRACE in the tests that use it.
std::uint64_t base_seed();

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high);
Vector3 random_vector(Random& random);     // entries in [-1, 1]
Vector3 random_direction(Random& random);  // unit length
Matrix3 random_rotation(Random& random);

/// URDF text of a random tree with `joints` moving joints: branches, prismatic and continuous joints, odd axes, links
/// fixed to links, rotated inertial frames, physical inertias of all sizes between a bolt and a gearbox. Link names are
/// link0 (base), link1, ...; the joint that moves link i is called joint<x>_i with a random letter x, so that the order
/// by name is not the order of the file. With `serial`, a chain. Same seed, same text.
std::string random_urdf(std::uint64_t seed, int joints, bool serial = false);

/// The same of a tree whose longest branch has three joints of four; every fourth one is on any link before.
std::string random_long_branch_urdf(std::uint64_t seed, int joints);

/// A frame with the most joints between the base and it.
std::string farthest_frame(const Robot& robot);

/// A random posture within +-pi (or +-0.5 m), random rates, and a random contact on some moving link.
struct Sample {
  State state;
  ContactPoint point;
};
Sample random_sample(Random& random, const Robot& robot);

/// The robots that every law is tried on: the shipped ones and random trees of 1 to 64 joints.
std::vector<Robot> sample_robots();

/// The same robot with its joints level by level from the base: joint i of it is joint order[i] of the other.
struct Reordered {
  Robot robot;
  std::vector<int> order;
};
Reordered breadth_first(const Robot& robot);

/// The three configurations of docs/lab.md on the default Panda: q, and the contact of the foot with a wall at +x.
VectorX paper_configuration(int index);
ContactPoint paper_contact();

/// Largest difference, against the largest entry of the reference. NaN if there is a NaN in either.
double relative_error(const MatrixRef& value, const MatrixRef& reference);

}  // namespace thud::test
