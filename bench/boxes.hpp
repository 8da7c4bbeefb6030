#pragma once

/// Robots of any size.

#include <thud/robot.hpp>

#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace thud {

/// A chain or a tree of solid boxes with odd axes.
inline Robot boxes(int joints, bool serial) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vector3(any(random), any(random), any(random)); };
  std::vector<Joint> all;
  std::vector<BodyInertia> bodies;
  std::vector<Frame> frames;
  for (int i = 0; i < joints; ++i) {
    const std::string name = "link" + std::to_string(i);
    const Matrix3 R = Eigen::AngleAxisd(3 * any(random), vector().normalized()).toRotationMatrix();
    const int parent = serial || i % 3 != 0 ? i - 1 : i / 2 - 1;  // a branch at every third joint
    all.push_back({.name = "joint" + std::to_string(i),
                   .link = name,
                   .parent = parent,
                   .R_PJ = R,
                   .p_PJ = 0.3 * vector(),
                   .axis = vector().normalized()});
    const Vector3 side = (0.15 * Vector3::Ones() + 0.1 * vector()).cwiseAbs2();
    const double mass = 3 + 2 * any(random);
    bodies.push_back({mass, 0.1 * vector(), (mass / 12 * (side.sum() - side.array())).matrix().asDiagonal()});
    frames.push_back({.name = name, .joint = i});
  }
  return Robot(serial ? "chain" : "tree", all, bodies, frames, {});
}

}  // namespace thud
