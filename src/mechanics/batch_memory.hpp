#pragma once

/// The only write access to the arrays of a batch that have a block per model. Private to the library.

#include <thud/batch.hpp>

namespace thud::mechanics {

struct BatchMemory {
  static constexpr auto models = static_cast<Eigen::Index>(all_inertia_models.size());

  template <class T, int rows>
  static auto& of(ModelArray<T, rows>& array) noexcept {
    return array.values_;
  }

  /// The rows of one model in column i.
  template <class T, int rows>
  static auto entries(ModelArray<T, rows>& array, InertiaModel model, Eigen::Index i) noexcept {
    const Eigen::Index count = array.rows_per_model();
    return array.values_.col(i).segment(count * static_cast<Eigen::Index>(model), count);
  }

  /// The only one.
  template <class T>
  static T& entry(ModelArray<T, 1>& array, InertiaModel model, Eigen::Index i) noexcept {
    return array.values_(static_cast<Eigen::Index>(model), i);
  }
};

}  // namespace thud::mechanics
