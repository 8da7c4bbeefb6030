#include "kernel/kernel.hpp"

#include <atomic>
#include <cstring>

namespace thud::kernel {

extern const InstructionSet baseline;
#ifdef THUD_X86
extern const InstructionSet avx2, avx512;
#endif

namespace {

// The instruction sets this machine supports, best last.
struct Available {
  const InstructionSet* sets[3] = {&baseline};
  const char* names[4] = {baseline.name};
  int count = 1;

  Available() noexcept {
#ifdef THUD_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) add(avx2);
    if (count == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      add(avx512);
#endif
  }

  void add(const InstructionSet& set) noexcept {
    names[count] = set.name;
    sets[count++] = &set;
  }
};

const Available& available() noexcept {
  static const Available once;
  return once;
}

std::atomic<const InstructionSet*> chosen = nullptr;

}  // namespace

const InstructionSet& instruction_set() noexcept {
  if (const InstructionSet* choice = chosen.load(std::memory_order_relaxed)) return *choice;
  return *available().sets[available().count - 1];
}

bool is_walked(const InstructionSet& set, long joints, long postures, bool everything) noexcept {
  const long fewest = everything ? set.walked_for_everything : set.walked_for_masses;
  const long places = (postures + set.width - 1) / set.width * set.width;  // a pack takes as long as a full one
  return joints >= fewest && places * (joints - fewest + 1) >= least_walked;
}

const char* const* instruction_set_names() noexcept {
  return available().names;
}

void choose_instruction_set(const char* name) noexcept {
  chosen = nullptr;
  for (int i = 0; name && i < available().count; ++i)
    if (std::strcmp(available().names[i], name) == 0) chosen = available().sets[i];
}

}  // namespace thud::kernel
