// The posture kernel for one number of joints, THUD_JOINTS.

#include <type_traits>

#include "gpu/instance.hpp"
#include "gpu/launch.hpp"

namespace thud::gpu {
namespace {

[[maybe_unused]] constexpr int warp = 32;

// The postures of a warp, each its column, written together: numbers of one column follow each other in memory, so that
// 32 columns are one stretch of it, which threads write side by side from a tile of shared memory.
template <int most, bool synchronous>
struct WarpColumns {
  static constexpr long buffer = most;
  double* tile;  // most x 32
  long first, count;
  int lane;
  long entries = 0, stride = 0;
  double* target = nullptr;

  __device__ __forceinline__ long index() const { return first + lane < count ? first + lane : count - 1; }
  __device__ __forceinline__ bool valid() const { return first + lane < count; }
  __device__ __forceinline__ long valid_columns() const { return count - first < warp ? count - first : warp; }

  __device__ __forceinline__ void open(long entries_, long stride_, double* to) {
    entries = entries_, stride = stride_, target = to + first * stride_;
    __syncwarp();
  }
  __device__ __forceinline__ void set(long k, double value) { tile[lane * entries + k] = value; }
  __device__ __forceinline__ void close() {
    __syncwarp();
    if (entries == stride) {
      const int all = static_cast<int>(valid_columns() * entries);
      if (reinterpret_cast<unsigned long>(target) % sizeof(double2) == 0) {
#pragma unroll 8
        for (int k = 2 * lane; k + 1 < all; k += 2 * warp)
          __stcs(reinterpret_cast<double2*>(target + k), *reinterpret_cast<double2*>(tile + k));
        if (all % 2 != 0 && lane == 0) target[all - 1] = tile[all - 1];
      } else {
        for (int k = lane; k < all; k += warp) target[k] = tile[k];
      }
    } else {
      // part of the columns: a thread goes on by 32 entries
      const int rows = static_cast<int>(valid_columns()), width = static_cast<int>(entries);
      int row = 0, k = lane;
      while (k >= width) k -= width, ++row;
#pragma unroll 4
      for (int at = lane; at < rows * width; at += warp) {
        __stcs(target + row * stride + k, tile[at]);
        k += warp;
        while (k >= width) k -= width, ++row;
      }
    }
  }
  __device__ __forceinline__ void together() {
    if constexpr (synchronous) __syncthreads();
  }
  __device__ __forceinline__ void put(double value, double* to) {
    if (valid()) to[first + lane] = value;
  }
  __device__ __forceinline__ void put_four(const double* values, double* to) {
    if (!valid()) return;
    double* const at = to + 4 * (first + lane);
    if (reinterpret_cast<unsigned long>(to) % sizeof(double2) == 0) {
      reinterpret_cast<double2*>(at)[0] = double2{values[0], values[1]};
      reinterpret_cast<double2*>(at)[1] = double2{values[2], values[3]};
    } else {
      at[0] = values[0], at[1] = values[1], at[2] = values[2], at[3] = values[3];
    }
  }
  __device__ __forceinline__ void put_status(int algebraic, int* to) {
    if (!valid()) return;
    int* const at = to + 4 * (first + lane);
    if (reinterpret_cast<unsigned long>(to) % sizeof(int4) == 0)
      *reinterpret_cast<int4*>(at) = int4{algebraic, status_ok, status_ok, status_ok};
    else
      at[0] = algebraic, at[1] = at[2] = at[3] = status_ok;
  }
  __device__ __forceinline__ void mark(bool regular, const Columns& columns) {
    const unsigned bits = __ballot_sync(0xffffffffU, !regular && valid());
    if (bits == 0) return;
    unsigned at = 0;
    if (lane == 0) {
      columns.irregular[first / warp] = bits;
      at = atomicAdd(columns.irregular_count, static_cast<unsigned>(__popc(bits)));
    }
    at = __shfl_sync(0xffffffffU, at, 0) + static_cast<unsigned>(__popc(bits & ((1U << lane) - 1)));
    if (bits >> lane & 1U && at < most_listed) columns.irregular_list[at] = static_cast<unsigned>(first + lane);
  }
};

// Entries of a tile: the largest array but M, which is written in parts, or all of M where it is not much larger.
template <int N, bool everything>
constexpr int tile_entries = !everything ? 3
                             : N == 7    ? 49
                             : N < -6    ? -6 * N
                                         : 36;

// With 255 registers a thread, a multiprocessor has room for eight warps: each a block of its own, or all of them one,
// kept together, where each on its own would have to fetch its instructions by itself.
template <int N>
constexpr bool synchronous = N < -8;
template <int N>
constexpr int block = synchronous<N> ? 256 : 32;

template <int N, bool everything>
__global__ void __launch_bounds__(block<N>, 1) postures(const __grid_constant__ FixedArm<(N > 0 ? N : -N)> arm,
                                                        const __grid_constant__ Columns columns, long count) {
  extern __shared__ double2 tiles[];
  constexpr int entries = tile_entries<N, everything>;
  const int lane = static_cast<int>(threadIdx.x) % warp;
  const long first = static_cast<long>(blockIdx.x) * block<N> + threadIdx.x - lane;
  WarpColumns<entries, synchronous<N>> lanes{reinterpret_cast<double*>(tiles) + threadIdx.x / warp * (entries * warp),
                                             first, count, lane};
  FixedPostures<(N > 0 ? N : -N)> s;
  compute_posture<N, everything>(arm, columns, lanes.index(), s, lanes);
}

// Any tree, in loops, so that its code fits into the cache of instructions: its numbers are in the local memory of a
// thread, for at most `capacity` joints, or (0) in `scratch`.
template <int capacity, bool everything, class AnyArm>
__global__ void __launch_bounds__(block<0>, 1)
    postures_in_memory(const __grid_constant__ AnyArm arm, const __grid_constant__ Columns columns, long count,
                       double* scratch) {
  using Memory = kernel::Postures<double>;
  const long each = Memory::scratch_doubles(arm.size), threads = static_cast<long>(gridDim.x) * block<0>;
  const int lane = static_cast<int>(threadIdx.x);
  double own[capacity > 0 ? Memory::scratch_doubles(capacity) : 1];
  for (long first = static_cast<long>(blockIdx.x) * block<0>; first < count; first += threads) {
    if constexpr (capacity > 0) {
      extern __shared__ double2 tiles[];
      Memory& s = Memory::layout(own, arm.size);
      WarpColumns<everything ? 6 * capacity : 3, false> lanes{reinterpret_cast<double*>(tiles), first, count, lane};
      compute_posture<0, everything>(arm, columns, lanes.index(), s, lanes);
    } else if (first + lane < count) {
      Memory& s = Memory::layout(scratch + (first % threads + lane) * each, arm.size);
      OwnColumn lanes{first + lane};
      compute_posture<0, everything>(arm, columns, first + lane, s, lanes);
    }
  }
}

template <int N, bool everything>
void enqueue_fixed(const FixedArm<(N > 0 ? N : -N)>& arm, const Columns& columns, long count, cudaStream_t stream) {
  constexpr int bytes = tile_entries<N, everything> * block<N> * static_cast<int>(sizeof(double));
  if constexpr (bytes > 48 * 1024)
    cudaFuncSetAttribute(postures<N, everything>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  postures<N, everything>
      <<<static_cast<unsigned>((count + block<N> - 1) / block<N>), block<N>, bytes, stream>>>(arm, columns, count);
}

}  // namespace

template <int N>
void enqueue(const typename ArmOf<N>::type& arm, bool everything, const Columns& columns, long count,
             [[maybe_unused]] const InMemory& memory, [[maybe_unused]] long processors, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  if constexpr (N == 0) {
    const auto blocks = static_cast<unsigned>(threads_in_memory(processors) / block<0>);
    const auto run = [&]<int capacity>(const auto& of) {
      using Of = std::remove_cvref_t<decltype(of)>;
      const auto kernel = everything ? postures_in_memory<capacity, true, Of> : postures_in_memory<capacity, false, Of>;
      constexpr int bytes = 6 * capacity * block<0> * static_cast<int>(sizeof(double)), least = 3 * block<0> * 8;
      if constexpr (bytes > 48 * 1024) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      kernel<<<blocks, block<0>, everything ? bytes : least, on>>>(of, columns, count, memory.scratch);
    };
    if (arm.size <= most_local) return run.template operator()<most_local>(fixed<most_local>(arm));
    kernel::Arm there = arm;
    there.joints = memory.joints;
    run.template operator()<0>(there);
  } else {
    everything ? enqueue_fixed<N, true>(arm, columns, count, on) : enqueue_fixed<N, false>(arm, columns, count, on);
  }
}

template void enqueue<THUD_JOINTS>(const ArmOf<THUD_JOINTS>::type& arm, bool everything, const Columns& columns,
                                   long count, const InMemory& memory, long processors, void* stream);

}  // namespace thud::gpu
