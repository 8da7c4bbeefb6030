#pragma once

namespace thud {

/// Inside the library, which takes the best instruction set of the machine: the names of those that it has, best last
/// and ended by nullptr, and the choice of one; nullptr is the best again.
const char* const* instruction_set_names() noexcept;
void choose_instruction_set(const char* name) noexcept;

}  // namespace thud
