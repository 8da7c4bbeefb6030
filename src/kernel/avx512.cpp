// The kernel for AVX-512F and DQ.

#include "kernel/batch.hpp"
#include "kernel/single.hpp"
#include "kernel/single_models.hpp"

namespace thud::kernel {

extern const InstructionSet avx512;
const InstructionSet avx512 = {"avx512",          8,         10,      20, scratch_bytes<8>, dynamics<4>,
                               solve_response<4>, models<4>, batch<8>};

}  // namespace thud::kernel
