#pragma once

/// Private: extremely randomised trees (Geurts, Ernst and Wehenkel 2006), a surrogate of few lines that takes any mix
/// of ranges as it is.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thud::sweeping {

/// What a classifier learns from: features of equal length, and the class of each, from 0.
struct Samples {
  std::vector<std::vector<double>> features;
  std::vector<int> classes;
};

class Forest {
 public:
  /// At least one sample. The same samples and seed give the same forest.
  Forest(const Samples& samples, int classes, std::uint64_t seed);

  /// The class with most votes; the lower one of two.
  int predict(const std::vector<double>& features) const;

 private:
  struct Node {
    int feature = -1;  ///< -1: a leaf
    double threshold = 0;
    std::size_t below = 0, above = 0;  ///< nodes for features below the threshold, and from it on
    int majority = 0;
  };
  using Tree = std::vector<Node>;

  std::size_t grow(Tree& tree, const Samples& samples, const std::vector<std::size_t>& members, int depth,
                   std::uint64_t& state) const;

  int classes_;
  std::vector<Tree> trees_;
};

}  // namespace thud::sweeping
