#include "foundation/require.hpp"

#include <thud/error.hpp>

namespace thud::foundation {

void refuse(const char* argument, double value, const char* rule) {
  throw InputError(argument, value, rule);
}

}  // namespace thud::foundation
