#pragma once

/// A GPU as the batch sees it. Private to the library.

#include <cstddef>
#include <string>

#include "gpu/columns.hpp"
#include "kernel/frames.hpp"

namespace thud::gpu {

/// Where memory lies. The device reads and writes what is page-locked too, over the bus.
enum class Place { host, page_locked, device, another_device };

/// Streams are those of CUDA; null is the default one. What fails throws std::runtime_error: CUDA's library knows
/// nothing else of thud.
class Device {
 public:
  using Stream = void*;

  virtual ~Device() = default;
  virtual std::string name() const = 0;
  virtual int number() const = 0;  // as CUDA counts them
  virtual void enter() const = 0;  // makes it the current one of this thread

  virtual Place place_of(const void* memory) const = 0;

  /// Memory of the device, and page-locked memory of the host.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  virtual void* allocate_locked(std::size_t bytes) = 0;

  virtual Stream make_stream() = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes, Stream stream) = 0;
  virtual void zero(void* memory, std::size_t bytes, Stream stream) = 0;
  virtual void wait(Stream stream) = 0;
  /// What is put into `stream` from now on comes after what is in `before`.
  virtual void order(Stream before, Stream stream) = 0;

  /// One thread for each of `count` postures. The joints of the arm are in the memory of the host.
  virtual void launch(const kernel::TurnedArm& arm, bool everything, const Columns& columns, long count,
                      Stream stream) = 0;

  /// Words of 8 bytes of some columns, `stride` apart, to columns side by side, and back.
  virtual void gather(const void* from, long stride, long words, const long* columns, long count, void* to,
                      Stream stream) = 0;
  virtual void scatter(const void* from, long words, const long* columns, long count, void* to, Stream stream) = 0;
};

/// Why there is none; empty if there is one.
std::string why_no_device();

/// The current one of this thread. Throws std::runtime_error if there is none.
Device& device();

}  // namespace thud::gpu
