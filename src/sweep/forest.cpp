#include "sweep/forest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "sweep/random.hpp"

namespace thud::sweeping {
namespace {

constexpr std::size_t tree_count = 100;
constexpr std::size_t smallest_split = 4;  // samples
constexpr int deepest = 12;

std::vector<std::size_t> counts(const Samples& samples, const std::vector<std::size_t>& members, int classes) {
  std::vector<std::size_t> count(static_cast<std::size_t>(classes));
  for (const std::size_t i : members) ++count[static_cast<std::size_t>(samples.classes[i])];
  return count;
}

int largest(const std::vector<std::size_t>& count) {
  return static_cast<int>(std::ranges::max_element(count) - count.begin());
}

// Gini's impurity times the number of samples.
double impurity(const std::vector<std::size_t>& count) {
  double all = 0, squares = 0;
  for (const std::size_t each : count) {
    all += static_cast<double>(each);
    squares += static_cast<double>(each) * static_cast<double>(each);
  }
  return all > 0 ? all - squares / all : 0;
}

}  // namespace

Forest::Forest(const Samples& samples, int classes, std::uint64_t seed) : classes_(classes), trees_(tree_count) {
  std::vector<std::size_t> all(samples.classes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t t = 0; t < tree_count; ++t) {
    std::uint64_t state = stream(seed, t);
    grow(trees_[t], samples, all, 0, state);
  }
}

// One random threshold for each feature; the one that separates best is taken.
std::size_t Forest::grow(Tree& tree, const Samples& samples, const std::vector<std::size_t>& members, int depth,
                         std::uint64_t& state) const {
  const std::size_t place = tree.size();
  const auto count = counts(samples, members, classes_);
  tree.push_back({.majority = largest(count)});
  double best = impurity(count);
  if (members.size() < smallest_split || depth == deepest || best <= 0) return place;
  std::vector<std::size_t> below, above;
  Node node = tree[place];
  const std::size_t features = samples.features.front().size();
  for (std::size_t feature = 0; feature < features; ++feature) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::size_t i : members) {
      low = std::min(low, samples.features[i][feature]);
      high = std::max(high, samples.features[i][feature]);
    }
    const double threshold = low + (high - low) * unit(next_random(state));
    if (!(low < threshold)) continue;
    std::vector<std::size_t> left, right;
    for (const std::size_t i : members) (samples.features[i][feature] < threshold ? left : right).push_back(i);
    const double found = impurity(counts(samples, left, classes_)) + impurity(counts(samples, right, classes_));
    if (left.empty() || right.empty() || found >= best) continue;
    best = found;
    node.feature = static_cast<int>(feature);
    node.threshold = threshold;
    below = std::move(left);
    above = std::move(right);
  }
  if (node.feature < 0) return place;
  node.below = grow(tree, samples, below, depth + 1, state);
  node.above = grow(tree, samples, above, depth + 1, state);
  tree[place] = node;
  return place;
}

int Forest::predict(const std::vector<double>& features) const {
  std::vector<std::size_t> votes(static_cast<std::size_t>(classes_));
  for (const Tree& tree : trees_) {
    const Node* node = &tree.front();
    while (node->feature >= 0)
      node = &tree[features[static_cast<std::size_t>(node->feature)] < node->threshold ? node->below : node->above];
    ++votes[static_cast<std::size_t>(node->majority)];
  }
  return largest(votes);
}

}  // namespace thud::sweeping
