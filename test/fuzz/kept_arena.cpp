/// MuJoCo takes 13 MB for each model and zeroes none of it, but the sanitizer marks all of it: most of an input's time.
/// Its large blocks come from here, one of each size that is in use at a time.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <mujoco/mujoco.h>

namespace {

struct Block {
  void* start;
  std::size_t size;
  bool used;
};

constexpr std::size_t large = std::size_t{1} << 17U, most = 8, alignment = 64;
std::vector<Block>& blocks = *new std::vector<Block>;  // never destroyed, so that no block is lost

void* allocate(std::size_t size) {
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (size < large) return std::aligned_alloc(alignment, rounded);
  const auto fits = [&](const Block& block) { return !block.used && block.size >= size && block.size < 4 * size; };
  if (const auto found = std::ranges::find_if(blocks, fits); found != blocks.end()) {
    found->used = true;
    return found->start;
  }
  void* const start = std::aligned_alloc(alignment, rounded);
  if (start && blocks.size() < most) blocks.push_back({start, rounded, true});
  return start;
}

void release(void* start) {
  const auto found = std::ranges::find(blocks, start, &Block::start);
  if (found == blocks.end() || !start)
    std::free(start);
  else
    found->used = false;
}

[[maybe_unused]] const bool set = [] {
  mju_user_malloc = allocate;
  mju_user_free = release;
  return true;
}();

}  // namespace
