#include "allocations.hpp"

#include <atomic>
#include <cstdlib>

namespace {
std::atomic<long> count{0};
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNT_BY_SANITIZER
#endif
#endif
#ifdef COUNT_BY_SANITIZER  // the sanitizer owns malloc, and tells who asks
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, size_t),
                                                         void (*free_hook)(const volatile void*));
namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, size_t) { ++count; },
                                                                [](const volatile void*) {});
}
#else  // operator new and Eigen both end in these
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void* malloc(size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++count;
  return __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) {
  ++count;
  return __libc_realloc(block, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
  ++count;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}
}
#endif

long allocations() {
  return count;
}
