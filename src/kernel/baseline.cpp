// The kernel for any processor; SSE2 on x86-64.

#include "kernel/batch.hpp"
#include "kernel/single.hpp"
#include "kernel/single_models.hpp"

namespace thud::kernel {

extern const InstructionSet baseline;
const InstructionSet baseline = {"baseline",        2,         13,      22, scratch_bytes<2>, dynamics<2>,
                                 solve_response<2>, models<2>, batch<2>};

}  // namespace thud::kernel
