// The kernel for AVX2 and FMA.

#include "kernel_options.hpp"
#include "kernel_single.hpp"

namespace thud {

extern const InstructionSet avx2;
const InstructionSet avx2 = {"avx2", 4, scratch_bytes<4>, dynamics<4>, respond<4>, options<4>, nullptr};

}  // namespace thud
