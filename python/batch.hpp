#pragma once

/// Arrays of batches.

#include <thud/batch.hpp>

#include "bind.hpp"

namespace thud::python {

/// Numbers of a batch with the posture as first index. `steps` is how far apart the numbers of one posture are.
template <class Number, std::size_t inner>
auto rows_of(nb::handle owner, const Number* numbers, Eigen::Index size, Eigen::Index count,
             const std::array<Eigen::Index, inner>& sizes, const std::array<Eigen::Index, inner>& steps) {
  std::size_t shape[1 + inner] = {static_cast<std::size_t>(count)};
  std::int64_t strides[1 + inner] = {size};
  for (std::size_t i = 0; i < inner; ++i) {
    shape[i + 1] = static_cast<std::size_t>(sizes[i]);
    strides[i + 1] = steps[i];
  }
  return nb::ndarray<nb::numpy, const Number, nb::ndim<1 + inner>>(numbers, 1 + inner, shape, owner, strides);
}

template <std::size_t inner>
auto postures(nb::handle owner, const MatrixX& columns, const std::array<Eigen::Index, inner>& sizes,
              const std::array<Eigen::Index, inner>& steps) {
  return rows_of<double, inner>(owner, columns.data(), columns.rows(), columns.cols(), sizes, steps);
}

/// The same of enumerators, as their numbers.
template <std::size_t inner, class Enumerators>
auto numbered(nb::handle owner, const Enumerators& columns, const std::array<Eigen::Index, inner>& sizes,
              const std::array<Eigen::Index, inner>& steps) {
  static_assert(sizeof(typename Enumerators::Scalar) == sizeof(int));
  return rows_of<int, inner>(owner, reinterpret_cast<const int*>(columns.data()), columns.rows(), columns.cols(), sizes,
                             steps);
}

/// ModelArray: a NumPy array with the posture as first index and the model as second.
struct ModelNumbers {
  nb::object array;
};

/// Enumerators as numbers that travel, and back.
template <class Enumerators>
MatrixX to_numbers(const Enumerators& columns) {
  return columns.unaryExpr([](auto each) { return static_cast<double>(each); });
}
template <class Array>
Array from_numbers(const MatrixX& numbers) {
  using E = typename Array::All::Scalar;
  return Array(numbers.unaryExpr([](double each) { return static_cast<E>(static_cast<int>(each)); }));
}

}  // namespace thud::python
