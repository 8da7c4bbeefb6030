#include "gpu/batch.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "foundation/parallel_for.hpp"
#include "gpu/host_copy.hpp"
#include "kernel/tree.hpp"
#include "mechanics/batch_memory.hpp"

namespace thud::gpu {
namespace {

using mechanics::BatchMemory;

constexpr std::size_t word = 8;  // bytes

// An array of results: where it is wanted, the bytes of a column, and the same of a batch of the processor.
struct Field {
  void* to;
  std::size_t bytes;
  const void* (*of)(const Batch&);
};

// How a launch is told of the array.
using Setter = void (*)(Columns&, void*);
struct Result : Field {
  Setter set;
};

template <auto member>
const void* data_of(const Batch& batch) {
  if constexpr (requires { (batch.*member).postures(); })
    return (batch.*member).all().data();
  else
    return (batch.*member).data();
}

template <auto member>
void set_batch(Columns& columns, void* to) {
  columns.batch.*member = static_cast<double*>(to);
}
template <auto member>
void set_column(Columns& columns, void* to) {
  columns.*member = static_cast<std::remove_reference_t<decltype(columns.*member)>>(to);
}

// The arrays that are requested, in pipeline order.
std::vector<Result> results(const BatchArrays& a, std::size_t n) {
  using kernel::PostureBatch;
  std::vector<Result> all;
  const auto add = [&](void* to, std::size_t words, const void* (*of)(const Batch&), Setter set) {
    if (to) all.push_back({{to, word * words, of}, set});
  };
  add(a.effective_mass, 4, data_of<&Batch::effective_mass>, set_batch<&PostureBatch::mass>);
  add(a.status, 2, data_of<&Batch::status>, set_column<&Columns::status>);
  add(a.p_WC, 3, data_of<&Batch::p_WC>, set_batch<&PostureBatch::p_WC>);
  add(a.com_W, 3, data_of<&Batch::com_W>, set_batch<&PostureBatch::com_W>);
  add(a.Ic_W, 9, data_of<&Batch::Ic_W>, set_batch<&PostureBatch::Ic_W>);
  add(a.J, 6 * n, data_of<&Batch::J>, set_batch<&PostureBatch::J>);
  add(a.A_G, 6 * n, data_of<&Batch::A_G>, set_batch<&PostureBatch::A_G>);
  add(a.M, n * n, data_of<&Batch::M>, set_batch<&PostureBatch::M>);
  add(a.W, 36, data_of<&Batch::W>, set_batch<&PostureBatch::W>);
  add(a.v_exact, 1, data_of<&Batch::v_exact>, set_batch<&PostureBatch::v_exact>);
  add(a.v_approximate, 1, data_of<&Batch::v_approximate>, set_batch<&PostureBatch::v_approximate>);
  add(a.ratio, 1, data_of<&Batch::ratio>, set_batch<&PostureBatch::ratio>);
  add(a.impulse_compression, 4, data_of<&Batch::impulse_compression>, set_column<&Columns::compression>);
  add(a.impulse_total, 4, data_of<&Batch::impulse_total>, set_column<&Columns::total>);
  return all;
}

// Joint positions or rates.
struct Input {
  const double* from;
  Eigen::Index stride;
};

// What all workers share.
struct Task {
  Device& device;
  const Robot& robot;
  const ContactPoint& point;
  const BatchArrays& arrays;
  const BatchOptions& options;
  kernel::Tree tree{robot, point};
  std::vector<Result> fields = results(arrays, static_cast<std::size_t>(robot.size()));

  long joints() const { return tree.arm.size; }
  bool everything() const { return options.outputs == BatchOutputs::everything; }
  Input q() const { return {arrays.q, arrays.q_stride != 0 ? arrays.q_stride : joints()}; }
  Input dq() const { return {arrays.dq, arrays.dq_stride != 0 ? arrays.dq_stride : joints()}; }

  // The postures that the processor computes, with the options of all.
  Batch by_the_processor(const MatrixX& positions, const MatrixX& rates) const {
    BatchOptions own = options;
    own.run = {.jobs = 1};
    return predict_batch(robot, point, positions, rates, own);
  }
};

std::vector<long> irregular_postures(const unsigned* bits, long count) {
  std::vector<long> found;
  for (long first = 0; first < count; first += 32)
    for (unsigned rest = bits[first / 32]; rest != 0; rest &= rest - 1) found.push_back(first + std::countr_zero(rest));
  return found;
}

std::size_t mask_bytes(long count) {
  return static_cast<std::size_t>((count + 31) / 32) * sizeof(unsigned);
}

// A stream with buffers on both sides, kept for later calls: page-locked memory takes long to get.
struct Lane {
  Device& device;
  Device::Stream stream = device.make_stream();
  std::size_t size = 0;
  std::byte *there = nullptr, *here = nullptr;

  explicit Lane(Device& of) : device(of) {}
  void reserve(std::size_t bytes) {
    if (bytes <= size) return;
    if (there) device.release(there);
    if (here) device.release(here);
    there = static_cast<std::byte*>(device.allocate(bytes));
    here = static_cast<std::byte*>(device.allocate_locked(bytes));
    size = bytes;
  }
};

class Lanes {
 public:
  /// The one with the largest buffers: others would have to get them.
  std::unique_ptr<Lane> take(Device& device) {
    const std::scoped_lock lock(mutex_);
    auto best = idle_.end();
    for (auto at = idle_.begin(); at != idle_.end(); ++at)
      if (&(*at)->device == &device && (best == idle_.end() || (*at)->size > (*best)->size)) best = at;
    if (best == idle_.end()) return std::make_unique<Lane>(device);
    auto lane = std::move(*best);
    idle_.erase(best);
    return lane;
  }
  void give(std::unique_ptr<Lane> lane) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(lane));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

// Never destroyed: the driver may be gone before.
Lanes& lanes() {
  static Lanes& all = *new Lanes;
  return all;
}

// Arrays on the device: one launch, and what it leaves to the processor there and back.
class InPlace {
 public:
  InPlace(const Task& task, Device::Stream stream) : task_(task), stream_(stream), lane_(lanes().take(task.device)) {}
  InPlace(const InPlace&) = delete;
  ~InPlace() { lanes().give(std::move(lane_)); }

  void compute() {
    const long count = task_.arrays.postures;
    constexpr std::size_t listed = sizeof(unsigned) * (1 + most_listed);
    lane_->reserve(listed + mask_bytes(count));
    Columns columns{};
    columns.batch.q = task_.q().from, columns.batch.q_stride = task_.q().stride;
    columns.batch.dq = task_.dq().from, columns.batch.dq_stride = task_.dq().stride;
    columns.restitution = task_.options.restitution;
    for (const Result& field : task_.fields) field.set(columns, field.to);
    columns.irregular_count = reinterpret_cast<unsigned*>(lane_->there);
    columns.irregular_list = columns.irregular_count + 1;
    columns.irregular = columns.irregular_list + most_listed;
    device().zero(lane_->there, listed + mask_bytes(count), stream_);
    device().launch(task_.tree.arm, task_.everything(), columns, count, stream_);
    device().copy(lane_->here, lane_->there, listed, stream_);
    device().wait(stream_);
    const auto* const found = reinterpret_cast<const unsigned*>(lane_->here);
    if (*found == 0) return;
    if (*found <= most_listed) return complete({found + 1, found + 1 + *found});
    device().copy(lane_->here, columns.irregular, mask_bytes(count), stream_);
    device().wait(stream_);
    complete(irregular_postures(found, count));
  }

 private:
  Device& device() const { return task_.device; }

  void complete(const std::vector<long>& which) {
    const auto some = static_cast<long>(which.size());
    const std::size_t columns = which.size() * sizeof(long), at = (columns + 255) / 256 * 256;
    std::size_t widest = word * static_cast<std::size_t>(task_.joints());
    for (const Result& field : task_.fields) widest = std::max(widest, field.bytes);
    lane_->reserve(at + widest * which.size());
    auto* const index = reinterpret_cast<long*>(lane_->there);
    void* const packed = lane_->there + at;
    device().copy(index, which.data(), columns, stream_);
    const auto fetch = [&](const Input& input) {
      MatrixX values(task_.joints(), input.from ? some : 0);
      if (!input.from) return values;
      device().gather(input.from, input.stride, task_.joints(), index, some, packed, stream_);
      device().copy(values.data(), packed, word * static_cast<std::size_t>(values.size()), stream_);
      device().wait(stream_);
      return values;
    };
    const MatrixX q = fetch(task_.q()), dq = fetch(task_.dq());
    const Batch batch = task_.by_the_processor(q, dq);
    for (const Result& field : task_.fields) {
      device().copy(packed, field.of(batch), field.bytes * which.size(), stream_);
      device().scatter(packed, static_cast<long>(field.bytes / word), index, some, field.to, stream_);
    }
    device().wait(stream_);
  }

  const Task& task_;
  Device::Stream stream_;
  std::unique_ptr<Lane> lane_;
};

// Bytes of a slice: large for the bus; smaller where threads copy, so that more of it stays in caches and one is copied
// while another is on its way.
constexpr std::size_t slice_bytes = 32U << 20U, copied_slice_bytes = 8U << 20U;

// The postures that no thread has taken yet.
class Slices {
 public:
  Slices(Eigen::Index count, std::size_t size, const RunOptions& run)
      : count_(count), size_(std::max<Eigen::Index>(static_cast<Eigen::Index>(size), 1)), run_(run) {}
  Eigen::Index slices() const { return (count_ + size_ - 1) / size_; }

  /// The next slice; none at the end or once stopped.
  struct Slice {
    Eigen::Index begin, count;
  };
  Slice take() {
    const std::scoped_lock lock(mutex_);
    const Slice slice{next_, failed_ || (run_.stop && *run_.stop) ? 0 : std::min(size_, count_ - next_)};
    next_ += slice.count;
    return slice;
  }

  void finish(Eigen::Index postures) {
    const std::scoped_lock lock(mutex_);
    done_ += postures;
    if (run_.progress) run_.progress(static_cast<std::size_t>(done_), static_cast<std::size_t>(count_));
  }
  void fail() {
    const std::scoped_lock lock(mutex_);
    failed_ = true;
  }
  bool complete() const { return done_ == count_; }

 private:
  const Eigen::Index count_, size_;
  const RunOptions& run_;
  std::mutex mutex_;  // guards what follows
  Eigen::Index next_ = 0, done_ = 0;
  bool failed_ = false;
};

// Whether arrays of the host are page-locked: then nobody needs to copy them.
struct Locked {
  bool in, out;

  explicit Locked(const Task& task) {
    const auto locked = [&](const void* memory) { return task.device.place_of(memory) == Place::page_locked; };
    const auto side_by_side = [&](const Input& input) { return locked(input.from) && input.stride == task.joints(); };
    in = side_by_side(task.q()) && (!task.arrays.dq || side_by_side(task.dq()));
    out = std::ranges::all_of(task.fields, [&](const Result& field) { return locked(field.to); });
  }
};

// Stages slices of host arrays: there, launch, back. For one thread; several of them overlap. While one slice is on its
// way, the thread copies another.
class Worker {
 public:
  Worker(const Task& task, const Locked& locked, Slices& slices)
      : task_(task), locked_(locked), slices_(slices), slots_(locked.in && locked.out ? 1 : 2) {
    for (Slot& slot : slots_) slot.lane = lanes().take(task.device);
  }
  Worker(const Worker&) = delete;
  ~Worker() {
    for (Slot& slot : slots_) {
      try {
        if (slot.count > 0) task_.device.wait(slot.lane->stream);  // after an error
      } catch (const std::runtime_error&) {
        continue;  // the device is lost, and its lane
      }
      lanes().give(std::move(slot.lane));
    }
  }

  /// Until no slice is left.
  void compute() {
    for (std::size_t next = 0, idle = 0; idle < slots_.size(); ++next) {
      Slot& slot = slots_[next % slots_.size()];
      finish(slot);
      const Slices::Slice slice = slices_.take();
      slice.count > 0 ? start(slot, slice) : void(++idle);
    }
  }

 private:
  // A slice on its way, from posture `begin`; none if `count` is 0. Its arrays lie at the same offsets on both sides:
  // joint positions and rates, what is left to the processor (a bit each, and how many), results, and what is not
  // copied: statuses, which are known, and the list of what is left.
  struct Slot {
    std::unique_ptr<Lane> lane;
    Eigen::Index begin = 0;
    long count = 0;
    std::size_t dq_at = 0, mask_at = 0, count_at = 0, results_at = 0, results_end = 0, list_at = 0;
    std::vector<std::size_t> at;  // of each result
  };

  void place(Slot& slot, const Slices::Slice& slice) const {
    const auto many = static_cast<std::size_t>(slice.count), column = word * static_cast<std::size_t>(task_.joints());
    std::size_t bytes = 0;
    const auto take = [&](std::size_t more) {
      const std::size_t at = bytes;
      bytes += (more + 255) / 256 * 256;
      return at;
    };
    take(column * many);
    slot.dq_at = take(task_.arrays.dq ? column * many : 0);
    slot.mask_at = take(mask_bytes(slice.count)), slot.count_at = take(sizeof(unsigned));
    slot.results_at = bytes;
    slot.at.clear();
    for (const Result& field : task_.fields) slot.at.push_back(is_status(field) ? 0 : take(field.bytes * many));
    slot.results_end = bytes;
    for (std::size_t k = 0; k < slot.at.size(); ++k)
      if (is_status(task_.fields[k])) slot.at[k] = take(task_.fields[k].bytes * many);
    slot.list_at = take(sizeof(unsigned) * most_listed);
    slot.lane->reserve(bytes);
    slot.begin = slice.begin, slot.count = slice.count;
  }

  bool is_status(const Result& field) const { return field.to == task_.arrays.status; }

  std::byte* target(const Slot& slot, const Result& field) const {
    return static_cast<std::byte*>(field.to) + field.bytes * static_cast<std::size_t>(slot.begin);
  }

  void start(Slot& slot, const Slices::Slice& slice) {
    place(slot, slice);
    std::byte *const there = slot.lane->there, *const here = slot.lane->here;
    const Device::Stream stream = slot.lane->stream;
    Device& device = task_.device;
    upload(slot);
    Columns columns{};
    columns.batch.q = reinterpret_cast<double*>(there), columns.batch.q_stride = task_.joints();
    if (task_.arrays.dq)
      columns.batch.dq = reinterpret_cast<double*>(there + slot.dq_at), columns.batch.dq_stride = task_.joints();
    columns.restitution = task_.options.restitution;
    for (std::size_t k = 0; k < slot.at.size(); ++k) task_.fields[k].set(columns, there + slot.at[k]);
    columns.irregular = reinterpret_cast<unsigned*>(there + slot.mask_at);
    columns.irregular_count = reinterpret_cast<unsigned*>(there + slot.count_at);
    columns.irregular_list = reinterpret_cast<unsigned*>(there + slot.list_at);
    device.launch(task_.tree.arm, task_.everything(), columns, slot.count, stream);
    const std::size_t end = locked_.out ? slot.results_at : slot.results_end;
    device.copy(here + slot.mask_at, there + slot.mask_at, end - slot.mask_at, stream);
    if (!locked_.out) return;
    for (std::size_t k = 0; k < slot.at.size(); ++k)
      if (const Result& field = task_.fields[k]; !is_status(field))
        device.copy(target(slot, field), there + slot.at[k], field.bytes * static_cast<std::size_t>(slot.count),
                    stream);
  }

  void finish(Slot& slot) {
    if (slot.count == 0) return;
    task_.device.wait(slot.lane->stream);
    const std::byte* const here = slot.lane->here;
    const long count = std::exchange(slot.count, 0);
    for (std::size_t k = 0; k < slot.at.size(); ++k) {
      const Result& field = task_.fields[k];
      if (is_status(field))
        fill_past_caches(target(slot, field), regular_, static_cast<std::size_t>(count));
      else if (!locked_.out)
        copy_past_caches(target(slot, field), here + slot.at[k], field.bytes * static_cast<std::size_t>(count));
    }
    if (*reinterpret_cast<const unsigned*>(here + slot.count_at) != 0)
      complete(slot.begin, irregular_postures(reinterpret_cast<const unsigned*>(here + slot.mask_at), count));
    slices_.finish(count);
  }

  // Joint positions and rates, and nothing left to the processor yet: in one copy, where threads copy anyway.
  void upload(const Slot& slot) const {
    std::byte *const there = slot.lane->there, *const here = slot.lane->here;
    const std::size_t column = word * static_cast<std::size_t>(task_.joints());
    const auto each = [&](const auto& use) {
      use(task_.q(), 0);
      if (task_.arrays.dq) use(task_.dq(), slot.dq_at);
    };
    if (locked_.in) {
      each([&](const Input& input, std::size_t at) {
        task_.device.copy(there + at, input.from + slot.begin * input.stride,
                          column * static_cast<std::size_t>(slot.count), slot.lane->stream);
      });
      task_.device.zero(there + slot.mask_at, slot.results_at - slot.mask_at, slot.lane->stream);
      return;
    }
    each([&](const Input& input, std::size_t at) {
      const double* const from = input.from + slot.begin * input.stride;
      if (input.stride == task_.joints())
        std::memcpy(here + at, from, column * static_cast<std::size_t>(slot.count));
      else
        for (long i = 0; i < slot.count; ++i)
          std::memcpy(here + at + column * static_cast<std::size_t>(i), from + i * input.stride, column);
    });
    std::memset(here + slot.mask_at, 0, slot.results_at - slot.mask_at);
    task_.device.copy(there, here, slot.results_at, slot.lane->stream);
  }

  // Postures near a singularity, by the processor.
  void complete(Eigen::Index begin, const std::vector<long>& which) {
    const auto some = static_cast<Eigen::Index>(which.size());
    const auto fetch = [&](const Input& input) {
      MatrixX values(task_.joints(), input.from ? some : 0);
      for (Eigen::Index i = 0; i < values.cols(); ++i)
        values.col(i) = Eigen::Map<const VectorX>(
            input.from + (begin + which[static_cast<std::size_t>(i)]) * input.stride, task_.joints());
      return values;
    };
    const Batch batch = task_.by_the_processor(fetch(task_.q()), fetch(task_.dq()));
    for (const Result& field : task_.fields)
      for (std::size_t i = 0; i < which.size(); ++i)
        std::memcpy(static_cast<std::byte*>(field.to) + field.bytes * static_cast<std::size_t>(begin + which[i]),
                    static_cast<const std::byte*>(field.of(batch)) + field.bytes * i, field.bytes);
  }

  const Task& task_;
  const std::array<int, 4> regular_{task_.tree.arm.contact_chain >= 6 ? status_ok : status_underactuated, status_ok,
                                    status_ok, status_ok};  // as finish() of posture.hpp writes them
  const Locked& locked_;
  Slices& slices_;
  std::vector<Slot> slots_;
};

// Arrays of the host, by several threads.
void stage(const Task& task) {
  std::size_t bytes = 2 * word * static_cast<std::size_t>(task.joints());
  for (const Result& field : task.fields) bytes += field.bytes;
  const Locked locked(task);
  const bool copied = !locked.in || !locked.out;
  Slices slices(task.arrays.postures, (copied ? copied_slice_bytes : slice_bytes) / bytes, task.options.run);
  const auto jobs = static_cast<Eigen::Index>(foundation::threads_of(task.options.run.jobs));
  const auto threads = static_cast<int>(std::min(jobs, slices.slices()));
  foundation::parallel_for(
      static_cast<std::size_t>(threads), threads,
      [&](std::size_t thread) {
        try {
          Worker(task, locked, slices).compute();
        } catch (...) {
          slices.fail();
          throw;
        }
        return thread;
      },
      [](std::size_t, std::size_t) {});
  if (!slices.complete()) throw Interrupted();
}

// Refuses what predict_batch refuses, and what it alone computes.
void validate(const Robot& robot, const ContactPoint& point, const BatchArrays& arrays, const BatchOptions& options) {
  predict_batch(robot, point, MatrixX(robot.size(), 0), MatrixX(robot.size(), 0), options);
  if (!robot.followers().empty())
    throw InputError("backend", "gpu", robot.name() + " has joints that follow others, which the processor computes");
  if (options.outputs == BatchOutputs::everything && arrays.dq)
    throw InputError("outputs", "everything", "with joint rates is computed by the processor only");
  const bool everything = options.outputs == BatchOutputs::everything;
  const auto require = [](bool there, bool wanted, const char* name) {
    if (there != wanted) throw InputError(name, there ? "given" : "null", wanted ? "is an output" : "is not an output");
  };
  if (arrays.postures == 0) return;
  require(arrays.q, true, "q");
  require(arrays.effective_mass, true, "effective_mass");
  require(arrays.status, true, "status");
  require(arrays.p_WC, options.outputs != BatchOutputs::masses, "p_WC");
  for (const auto& [array, name] :
       {std::pair{arrays.com_W, "com_W"}, std::pair{arrays.Ic_W, "Ic_W"}, std::pair{arrays.J, "J"},
        std::pair{arrays.A_G, "A_G"}, std::pair{arrays.M, "M"}, std::pair{arrays.W, "W"}})
    require(array, everything, name);
  for (const auto& [array, name] :
       {std::pair{arrays.v_exact, "v_exact"}, std::pair{arrays.v_approximate, "v_approximate"},
        std::pair{arrays.ratio, "ratio"}, std::pair{arrays.impulse_compression, "impulse_compression"},
        std::pair{arrays.impulse_total, "impulse_total"}})
    require(array, arrays.dq, name);
}

// All on the device, or none.
bool on_device(const Task& task) {
  const auto there = [&](const void* memory) { return task.device.place_of(memory) == Place::device; };
  const bool first = there(task.arrays.q);
  const auto require = [&](const void* memory, const char* name) {
    if (there(memory) != first) throw InputError(name, first ? "in host memory" : "on the GPU", "must be where q is");
  };
  if (task.arrays.dq) require(task.arrays.dq, "dq");
  for (const Result& field : task.fields) require(field.to, "results");
  return first;
}

// Sizes the arrays of a batch by asking the processor for no postures, and those that have them anew.
void resize(Batch& batch, Eigen::Index n, Eigen::Index postures, BatchOutputs outputs, bool rates) {
  const bool everything = outputs == BatchOutputs::everything;
  const auto size = [&](bool requested, Eigen::Index rows, auto&... arrays) {
    (arrays.resize(requested ? rows : 0, requested ? postures : 0), ...);
  };
  size(true, 4, BatchMemory::of(batch.effective_mass), BatchMemory::of(batch.status));
  size(outputs != BatchOutputs::masses, 3, batch.p_WC);
  size(everything, 3, batch.com_W);
  size(everything, 9, batch.Ic_W);
  size(everything, 6 * n, batch.J, batch.A_G);
  size(everything, n * n, batch.M);
  size(everything, 36, BatchMemory::of(batch.W));
  for (VectorX* array : {&batch.v_exact, &batch.v_approximate, &batch.ratio}) array->resize(rates ? postures : 0);
  size(rates, 4, BatchMemory::of(batch.impulse_compression), BatchMemory::of(batch.impulse_total));
  size(false, 4 * n, BatchMemory::of(batch.joint_velocity_jump), BatchMemory::of(batch.joint_velocity_jump_least_norm),
       BatchMemory::of(batch.joint_impulse));
}

}  // namespace

void compute(Device& device, const Robot& robot, const ContactPoint& point, const BatchArrays& arrays,
             const BatchOptions& options, Device::Stream stream) {
  validate(robot, point, arrays, options);
  const Task task{device, robot, point, arrays, options};
  if (options.pseudo_inverse && task.tree.arm.contact_chain < 6)
    throw InputError("pseudo_inverse", "true",
                     "fewer than six joints move the contact point: the processor computes each posture");
  if (arrays.postures == 0) return;
  if (on_device(task)) return InPlace(task, stream).compute();
  stage(task);
}

void compute(Device& device, const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
             const BatchOptions& options, Batch& batch) {
  const auto shape = [](const MatrixRef& matrix) {
    return std::to_string(matrix.cols()) + " postures of " + std::to_string(matrix.rows()) + " values";
  };
  if (q.rows() != robot.size())
    throw InputError("q", shape(q),
                     "each needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  const bool rates = dq.cols() != 0;
  if (rates && (dq.rows() != q.rows() || dq.cols() != q.cols()))
    throw InputError("dq", shape(dq), "must have the shape of q, " + shape(q) + ", or no posture");
  resize(batch, robot.size(), q.cols(), options.outputs, rates);
  const auto data = [](auto& array) { return array.size() > 0 ? array.data() : nullptr; };
  const BatchArrays arrays{.postures = q.cols(),
                           .q = q.data(),
                           .dq = rates ? dq.data() : nullptr,
                           .q_stride = q.outerStride(),
                           .dq_stride = dq.outerStride(),
                           .effective_mass = data(BatchMemory::of(batch.effective_mass)),
                           .status = data(BatchMemory::of(batch.status)),
                           .p_WC = data(batch.p_WC),
                           .com_W = data(batch.com_W),
                           .Ic_W = data(batch.Ic_W),
                           .J = data(batch.J),
                           .A_G = data(batch.A_G),
                           .M = data(batch.M),
                           .W = data(BatchMemory::of(batch.W)),
                           .v_exact = data(batch.v_exact),
                           .v_approximate = data(batch.v_approximate),
                           .ratio = data(batch.ratio),
                           .impulse_compression = data(BatchMemory::of(batch.impulse_compression)),
                           .impulse_total = data(BatchMemory::of(batch.impulse_total))};
  compute(device, robot, point, arrays, options, nullptr);
}

}  // namespace thud::gpu
