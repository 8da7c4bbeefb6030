#pragma once

/// What is known of drives: a vector that is not empty, an entry that is not NaN. Private to the library.

#include <thud/conventions.hpp>

#include <cmath>

namespace thud::elastic {

/// The value of a joint, or another where it is not known.
inline double known(const VectorX& values, Eigen::Index joint, double otherwise) noexcept {
  return values.size() == 0 || std::isnan(values[joint]) ? otherwise : values[joint];
}

/// The values of n joints, with another in place of what is not known.
inline VectorX known_or(const VectorX& values, Eigen::Index n, double otherwise) {
  return VectorX::NullaryExpr(n, [&](Eigen::Index i) { return known(values, i, otherwise); });
}

/// Whether it is not known of some joint.
inline bool unknown_somewhere(const VectorX& values) {
  return values.size() == 0 || values.array().isNaN().any();
}

}  // namespace thud::elastic
