#pragma once

/// Within which postures lie. Private to the library.

#include <thud/conventions.hpp>
#include <thud/robot.hpp>

namespace thud::map {

/// Position limits of the joints, with those that their followers have; infinite where there are none.
struct Box {
  explicit Box(const Robot& robot);

  void clamp(VectorX& q) const noexcept;
  bool at_lower(const VectorX& q, Eigen::Index joint) const noexcept;
  bool at_upper(const VectorX& q, Eigen::Index joint) const noexcept;

  VectorX lower, upper;
};

}  // namespace thud::map
