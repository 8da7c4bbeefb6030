// The kernel for AVX2 and FMA.

#include "kernel/batch.hpp"
#include "kernel/single.hpp"
#include "kernel/single_models.hpp"

namespace thud::kernel {

extern const InstructionSet avx2;
const InstructionSet avx2 = {"avx2", 4, 12, 20, scratch_bytes<4>, dynamics<4>, solve_response<4>, models<4>, batch<4>};

}  // namespace thud::kernel
