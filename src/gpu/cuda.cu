// The GPU by CUDA's runtime.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/check.hpp"
#include "gpu/device.hpp"
#include "gpu/instance.hpp"
#include "gpu/launch.hpp"

namespace thud::gpu {
namespace {

// A word per thread: 8 bytes of one of the columns.
__global__ void gather_words(const long long* from, long stride, long words, const long* columns, long count,
                             long long* to) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < words * count) to[i] = from[columns[i / words] * stride + i % words];
}
__global__ void scatter_words(const long long* from, long words, const long* columns, long count, long long* to) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < words * count) to[columns[i / words] * words + i % words] = from[i];
}

constexpr int block = 256;
unsigned blocks(long threads) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

// Memory of the device that what is enqueued on a stream uses, given back after it, also when something fails.
class StreamMemory {
 public:
  explicit StreamMemory(cudaStream_t stream) : stream_(stream) {}
  StreamMemory(const StreamMemory&) = delete;
  ~StreamMemory() {
    for (void* memory : taken_)
      if (memory) cudaFreeAsync(memory, stream_);  // what is wrong, cudaGetLastError tells
  }

  void* take(std::size_t bytes) {
    taken_.push_back(nullptr);
    check(cudaMallocAsync(&taken_.back(), bytes, stream_), "memory");
    return taken_.back();
  }

  /// A copy of what lies in the memory of the host.
  template <class T>
  const T* copy(const T* from, long count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    void* const to = take(bytes);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copy");
    return static_cast<const T*>(to);
  }

 private:
  cudaStream_t stream_;
  std::vector<void*> taken_;
};

// Enqueues the instance that serves an arm.
struct Launcher {
  bool everything;
  const Columns& columns;
  long count;
  cudaStream_t stream;

  template <int N, bool dh>
  void chain(const FixedArm<N, dh>& arm) const {
    enqueue_chain<N, dh>(arm, everything, columns, count, stream);
  }

  void tree(kernel::TreeInMemory arm) const {
    if (arm.size <= most_by_value && enqueue_tree(by_value(arm, everything), everything, columns, count, stream))
      return;
    int processors = 0, current = 0;
    check(cudaGetDevice(&current), "device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, current), "device");
    const long n = arm.size, warps = std::min(8L * processors, (count + warp_size - 1) / warp_size);
    StreamMemory memory(stream);
    const auto there = [&]<class T>(const T*& entries, long many) { entries = memory.copy(entries, many); };
    there(arm.joints, n), there(arm.steps, 2 * n + 1);
    there(arm.position, n), there(arm.depth, n), there(arm.row, n);
    if (everything) {
      there(arm.first_above, n), there(arm.rows_above, arm.above);
      there(arm.rows_of_J, 6 * n), there(arm.rows_of_A_G, 6 * n), there(arm.rows_of_M, n * n);
    }
    const auto each = static_cast<std::size_t>(scratch_doubles(arm, everything, columns));
    auto* const scratch = static_cast<double*>(memory.take(sizeof(double) * each * static_cast<std::size_t>(warps)));
    enqueue_large_tree(arm, everything, columns, count, scratch, warps, stream);
  }
};

class Cuda : public Device {
 public:
  explicit Cuda(int number) : number_(number) {}
  std::string name() const override {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number_), "device");
    return properties.name;
  }
  int number() const override { return number_; }
  void enter() const override { check(cudaSetDevice(number_), "device"); }
  Place place_of(const void* memory) const override {
    cudaPointerAttributes found{};
    check(cudaPointerGetAttributes(&found, memory), "pointer");
    if (found.type == cudaMemoryTypeDevice && found.device != number_) return Place::another_device;
    if (found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged) return Place::device;
    const bool reached = found.type == cudaMemoryTypeHost && found.devicePointer == memory;
    return reached ? Place::page_locked : Place::host;
  }
  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "memory");
    return memory;
  }
  void* allocate_locked(std::size_t bytes) override {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, bytes), "page-locked memory");
    return memory;
  }
  void release(void* memory) noexcept override {
    cudaPointerAttributes found{};
    if (cudaPointerGetAttributes(&found, memory) != cudaSuccess) return;
    found.type == cudaMemoryTypeHost ? cudaFreeHost(memory) : cudaFree(memory);
  }
  Stream make_stream() override {
    cudaStream_t stream{};
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    return stream;
  }
  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)), "copy");
  }
  void zero(void* memory, std::size_t bytes, Stream stream) override {
    check(cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(stream)), "memory");
  }
  void wait(Stream stream) override { check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "computation"); }
  void order(Stream before, Stream stream) override {
    cudaEvent_t event{};
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    const cudaError_t recorded = cudaEventRecord(event, static_cast<cudaStream_t>(before));
    const cudaError_t waits =
        recorded == cudaSuccess ? cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), event) : recorded;
    check(cudaEventDestroy(event), "event");  // CUDA keeps it until it is reached
    check(waits, "stream");
  }
  void launch(const kernel::TurnedArm& arm, bool everything, const Columns& columns, long count,
              Stream stream) override {
    dispatch(arm, Launcher{everything, columns, count, static_cast<cudaStream_t>(stream)});
    check(cudaGetLastError(), "launch");
  }
  void gather(const void* from, long stride, long words, const long* columns, long count, void* to,
              Stream stream) override {
    gather_words<<<blocks(words * count), block, 0, static_cast<cudaStream_t>(stream)>>>(
        static_cast<const long long*>(from), stride, words, columns, count, static_cast<long long*>(to));
    check(cudaGetLastError(), "launch");
  }
  void scatter(const void* from, long words, const long* columns, long count, void* to, Stream stream) override {
    scatter_words<<<blocks(words * count), block, 0, static_cast<cudaStream_t>(stream)>>>(
        static_cast<const long long*>(from), words, columns, count, static_cast<long long*>(to));
    check(cudaGetLastError(), "launch");
  }

 private:
  int number_;
};

}  // namespace

std::string why_no_device() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return "";
  return error == cudaSuccess ? "CUDA finds no device" : std::string("CUDA: ") + cudaGetErrorString(error);
}

Device& device() {
  if (const std::string why = why_no_device(); !why.empty()) throw std::runtime_error(why);
  static const std::vector<Device*>& all = *[] {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "device");
    auto* const found = new std::vector<Device*>;  // never destroyed: the driver may be gone before
    for (int number = 0; number < devices; ++number) found->push_back(new Cuda(number));
    return found;
  }();
  int current = 0;
  check(cudaGetDevice(&current), "device");
  return *all.at(static_cast<std::size_t>(current));
}

}  // namespace thud::gpu
