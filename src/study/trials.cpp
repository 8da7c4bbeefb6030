#include "study/trials.hpp"

#include <algorithm>
#include <numeric>

#include "foundation/splitmix.hpp"

namespace thud::studying {

Trials::Trials(const std::vector<Trial>& trials, const std::vector<std::optional<Truth>>& truth)
    : size_(trials.size()),
      trial_([&trials](std::size_t i) {
        return std::shared_ptr<const Trial>(std::shared_ptr<const Trial>(), &trials[i]);  // the caller's own
      }),
      truth_([&truth](std::size_t i) { return truth.empty() ? std::nullopt : truth[i]; }) {}

Trials::Trials(const DatasetReader& reader) {
  const auto names = std::make_shared<const std::vector<std::string>>(reader.finished());
  size_ = names->size();
  trial_ = [&reader, names](std::size_t i) { return std::make_shared<const Trial>(reader.trial((*names)[i])); };
  truth_ = [&reader, names](std::size_t i) { return reader.truth((*names)[i]); };
}

std::vector<std::size_t> spread_over(std::size_t count, std::size_t most) {
  std::vector<std::size_t> all(std::min(count, most));
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count <= most) return all;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * count / most, end = (i + 1) * count / most;
    all[i] = begin + foundation::splitmix((i + 1) * foundation::splitmix_step) % (end - begin);
  }
  return all;
}

}  // namespace thud::studying
