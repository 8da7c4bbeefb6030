// The kernel for AVX-512F and DQ.

#include "kernel_batch.hpp"
#include "kernel_single.hpp"

namespace thud {

extern const InstructionSet avx512;
const InstructionSet avx512 = {"avx512", 8, scratch_bytes<8>, dynamics<4>, respond<4>, options<4>, batch<8>};

}  // namespace thud
