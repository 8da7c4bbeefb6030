#pragma once

/// Private: the trials of a study, in memory or read from the disk one at a time.

#include <thud/dataset.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thud::studying {

/// Trials and their truth in the order of the plan. May be shared by threads.
class Trials {
 public:
  Trials(const std::vector<Trial>& trials, const std::vector<std::optional<Truth>>& truth);
  explicit Trials(const DatasetReader& reader);

  std::size_t size() const noexcept { return size_; }
  std::shared_ptr<const Trial> operator[](std::size_t i) const { return trial_(i); }
  std::optional<Truth> truth(std::size_t i) const { return truth_(i); }

 private:
  std::size_t size_;
  std::function<std::shared_ptr<const Trial>(std::size_t)> trial_;
  std::function<std::optional<Truth>(std::size_t)> truth_;
};

/// `most` of `count` numbers from 0 on, rising: all of them, or one from each of as many equal stretches, at a place
/// that a seeded draw chooses, so that no period of the plan can hide a cell.
std::vector<std::size_t> spread_over(std::size_t count, std::size_t most);

}  // namespace thud::studying
