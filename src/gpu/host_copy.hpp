#pragma once

/// Copies between plain and page-locked memory by threads of the host. Private to the library.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace thud::gpu {

/// As memcpy, to memory that nobody reads soon: past the caches, so that what lies there is not fetched first and the
/// page-locked memory stays in them.
inline void copy_past_caches(void* to, const void* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t line = 64, part = sizeof(__m128i);
  auto* a = static_cast<std::byte*>(to);
  const auto* b = static_cast<const std::byte*>(from);
  const std::size_t head = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(a) % line) % line);
  std::memcpy(a, b, head);
  a += head, b += head, bytes -= head;
  for (; bytes >= line; a += line, b += line, bytes -= line) {
    __m128i parts[line / part];
    std::memcpy(parts, b, line);
    for (std::size_t k = 0; k < line / part; ++k) _mm_stream_si128(reinterpret_cast<__m128i*>(a) + k, parts[k]);
  }
  std::memcpy(a, b, bytes);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

/// The same four numbers `count` times, likewise.
inline void fill_past_caches(void* to, const std::array<int, 4>& numbers, std::size_t count) {
  auto* a = static_cast<std::byte*>(to);
#ifdef __SSE2__
  if (reinterpret_cast<std::uintptr_t>(a) % sizeof(__m128i) == 0) {
    const __m128i four = _mm_setr_epi32(numbers[0], numbers[1], numbers[2], numbers[3]);
    for (std::size_t k = 0; k < count; ++k) _mm_stream_si128(reinterpret_cast<__m128i*>(a) + k, four);
    _mm_sfence();
    return;
  }
#endif
  for (std::size_t k = 0; k < count; ++k) std::memcpy(a + k * sizeof numbers, numbers.data(), sizeof numbers);
}

}  // namespace thud::gpu
