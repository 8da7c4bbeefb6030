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

// Where the result of a posture is wanted.
std::byte* target(const Result& field, Eigen::Index posture) {
  return static_cast<std::byte*>(field.to) + field.bytes * static_cast<std::size_t>(posture);
}

// What all workers share.
struct Task {
  Device& device;
  const Robot& robot;
  const ContactPoint& point;
  const BatchArrays& arrays;
  const BatchOptions& options;
  Place place = Place::host;  // of the arrays
  kernel::Tree tree{robot, point};
  kernel::Frames frames{tree.arm};
  std::vector<Result> fields = results(arrays, static_cast<std::size_t>(robot.size()));

  long joints() const { return tree.arm.size; }
  bool everything() const { return options.outputs == BatchOutputs::everything; }
  Input q() const { return {arrays.q, arrays.q_stride != 0 ? arrays.q_stride : joints()}; }
  Input dq() const { return {arrays.dq, arrays.dq_stride != 0 ? arrays.dq_stride : joints()}; }

  // What a launch is told, with arrays that lie where `input` and `result` say.
  template <class InputAt, class ResultAt>
  Columns columns(const InputAt& input, const ResultAt& result) const {
    Columns out{};
    out.over_bus = place != Place::device;
    out.restitution = options.restitution;
    const Input at = input(q());
    out.batch.q = at.from, out.batch.q_stride = at.stride;
    if (arrays.dq) {
      const Input rates_at = input(dq());
      out.batch.dq = rates_at.from, out.batch.dq_stride = rates_at.stride;
    }
    for (const Result& field : fields) field.set(out, result(field));
    return out;
  }

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

// A stream with a buffer on the device and a page-locked one here, kept for later calls: they take long to get.
struct Lane {
  Device& device;
  Device::Stream stream = device.make_stream();
  std::byte *there = nullptr, *here = nullptr;
  std::size_t bytes_there = 0, bytes_here = 0;

  explicit Lane(Device& of) : device(of) {}
  void reserve_there(std::size_t bytes) {
    if (bytes <= bytes_there) return;
    if (there) device.release(there);
    there = static_cast<std::byte*>(device.allocate(bytes));
    bytes_there = bytes;
  }
  void reserve_here(std::size_t bytes) {
    if (bytes <= bytes_here) return;
    if (here) device.release(here);
    here = static_cast<std::byte*>(device.allocate_locked(bytes));
    bytes_here = bytes;
  }
};

class Lanes {
 public:
  /// The one with the largest buffers: others would have to get them.
  std::unique_ptr<Lane> take(Device& device) {
    const std::scoped_lock lock(mutex_);
    auto best = idle_.end();
    for (auto at = idle_.begin(); at != idle_.end(); ++at)
      if (&(*at)->device == &device && (best == idle_.end() || (*at)->bytes_here > (*best)->bytes_here)) best = at;
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

// Bytes of a slice that threads copy: so few that it stays in caches, so many that launches do not count.
constexpr std::size_t staged_bytes = 4U << 20U;
// Postures of a slice of page-locked arrays: so many that the pause between two does not count.
constexpr std::size_t locked_postures = 1U << 21U;

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

// Arrays that the device reads and writes where they lie: a launch for each slice, and what it leaves to the processor
// there and back.
class InPlace {
 public:
  InPlace(const Task& task, Device::Stream stream) : task_(task), stream_(stream), lane_(lanes().take(task.device)) {}
  InPlace(const InPlace&) = delete;
  ~InPlace() { lanes().give(std::move(lane_)); }

  void compute(const Slices::Slice& slice) {
    constexpr std::size_t listed = sizeof(unsigned) * (1 + most_listed);
    lane_->reserve_there(listed + mask_bytes(slice.count));
    lane_->reserve_here(listed + mask_bytes(slice.count));
    Columns columns = task_.columns(
        [&](const Input& input) {
          return Input{input.from + slice.begin * input.stride, input.stride};
        },
        [&](const Result& field) { return target(field, slice.begin); });
    columns.irregular_count = reinterpret_cast<unsigned*>(lane_->there);
    columns.irregular_list = columns.irregular_count + 1;
    columns.irregular = columns.irregular_list + most_listed;
    device().zero(columns.irregular_count, sizeof(unsigned), stream_);
    device().launch(task_.frames.arm(), task_.everything(), columns, slice.count, stream_);
    device().copy(lane_->here, lane_->there, listed, stream_);
    device().wait(stream_);
    const auto* const found = reinterpret_cast<const unsigned*>(lane_->here);
    if (*found == 0) return;
    if (*found <= most_listed) return complete(slice.begin, {found + 1, found + 1 + *found});
    device().copy(lane_->here, columns.irregular, mask_bytes(slice.count), stream_);
    device().wait(stream_);
    complete(slice.begin, irregular_postures(found, slice.count));
  }

 private:
  Device& device() const { return task_.device; }

  void complete(Eigen::Index begin, const std::vector<long>& which) {
    const auto some = static_cast<long>(which.size());
    const std::size_t columns = which.size() * sizeof(long), at = (columns + 255) / 256 * 256;
    std::size_t widest = word * static_cast<std::size_t>(task_.joints());
    for (const Result& field : task_.fields) widest = std::max(widest, field.bytes);
    lane_->reserve_there(at + widest * which.size());
    auto* const index = reinterpret_cast<long*>(lane_->there);
    void* const packed = lane_->there + at;
    device().copy(index, which.data(), columns, stream_);
    const auto fetch = [&](const Input& input) {
      MatrixX values(task_.joints(), input.from ? some : 0);
      if (!input.from) return values;
      device().gather(input.from + begin * input.stride, input.stride, task_.joints(), index, some, packed, stream_);
      device().copy(values.data(), packed, word * static_cast<std::size_t>(values.size()), stream_);
      device().wait(stream_);
      return values;
    };
    const MatrixX q = fetch(task_.q()), dq = fetch(task_.dq());
    const Batch batch = task_.by_the_processor(q, dq);
    for (const Result& field : task_.fields) {
      device().copy(packed, field.of(batch), field.bytes * which.size(), stream_);
      device().scatter(packed, static_cast<long>(field.bytes / word), index, some, target(field, begin), stream_);
    }
    device().wait(stream_);
  }

  const Task& task_;
  Device::Stream stream_;
  std::unique_ptr<Lane> lane_;
};

// Page-locked arrays, over the bus.
void in_slices(const Task& task, Device::Stream stream) {
  Slices slices(task.arrays.postures, locked_postures, task.options.run);
  InPlace in_place(task, stream);
  for (Slices::Slice slice = slices.take(); slice.count > 0; slice = slices.take()) {
    in_place.compute(slice);
    slices.finish(slice.count);
  }
  if (!slices.complete()) throw Interrupted();
}

// Plain arrays of the host: threads copy slices of them to page-locked memory, which the device reads and writes over
// the bus while it computes, and results from there. For one thread; several of them overlap. While one slice is
// computed, the thread copies another.
class Worker {
 public:
  Worker(const Task& task, Slices& slices) : task_(task), slices_(slices) {
    for (Slot& slot : slots_) slot.lane = lanes().take(task.device);
  }
  Worker(const Worker&) = delete;
  ~Worker() {
    for (Slot& slot : slots_) {
      try {
        if (slot.slice.count > 0) task_.device.wait(slot.lane->stream);  // after an error
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
  // A slice on its way; none if its count is 0.
  struct Slot {
    std::unique_ptr<Lane> lane;
    Slices::Slice slice{};
    unsigned* irregular = nullptr;
    std::vector<std::byte*> results;  // in the order of the fields
  };

  bool is_status(const Result& field) const { return field.to == task_.arrays.status; }

  void start(Slot& slot, const Slices::Slice& slice) {
    const auto many = static_cast<std::size_t>(slice.count), column = word * static_cast<std::size_t>(task_.joints());
    const auto aligned = [](std::size_t bytes) { return (bytes + 255) / 256 * 256; };
    std::size_t bytes = 2 * aligned(column * many) + aligned(mask_bytes(slice.count));
    for (const Result& field : task_.fields) bytes += aligned(field.bytes * many);
    slot.lane->reserve_here(bytes);
    std::byte* next = slot.lane->here;
    const auto take = [&](std::size_t size) { return std::exchange(next, next + aligned(size)); };

    slot.results.clear();
    Columns columns = task_.columns(
        [&](const Input& input) {
          auto* const to = reinterpret_cast<double*>(take(column * many));
          copy_columns(input.from + slice.begin * input.stride, input.stride, to, slice.count);
          return Input{to, task_.joints()};
        },
        [&](const Result& field) {  // statuses are known
          return slot.results.emplace_back(is_status(field) ? nullptr : take(field.bytes * many));
        });
    slot.irregular = columns.irregular = reinterpret_cast<unsigned*>(take(mask_bytes(slice.count)));
    task_.device.launch(task_.frames.arm(), task_.everything(), columns, slice.count, slot.lane->stream);
    slot.slice = slice;
  }

  void copy_columns(const double* from, Eigen::Index stride, double* to, long count) const {
    const std::size_t column = word * static_cast<std::size_t>(task_.joints());
    if (stride == task_.joints()) {
      std::memcpy(to, from, column * static_cast<std::size_t>(count));
      return;
    }
    for (long i = 0; i < count; ++i) std::memcpy(to + i * task_.joints(), from + i * stride, column);
  }

  void finish(Slot& slot) {
    if (slot.slice.count == 0) return;
    task_.device.wait(slot.lane->stream);
    const auto [begin, count] = std::exchange(slot.slice, {});
    for (std::size_t k = 0; k < slot.results.size(); ++k) {
      const Result& field = task_.fields[k];
      if (is_status(field))
        fill_past_caches(target(field, begin), regular_, static_cast<std::size_t>(count));
      else
        copy_past_caches(target(field, begin), slot.results[k], field.bytes * static_cast<std::size_t>(count));
    }
    const std::vector<long> irregular = irregular_postures(slot.irregular, count);
    if (!irregular.empty()) complete(begin, irregular);
    slices_.finish(count);
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
        std::memcpy(target(field, begin + which[i]), static_cast<const std::byte*>(field.of(batch)) + field.bytes * i,
                    field.bytes);
  }

  const Task& task_;
  const std::array<int, 4> regular_{task_.tree.arm.contact_chain >= 6 ? status_ok : status_underactuated, status_ok,
                                    status_ok, status_ok};  // as finish() of posture.hpp writes them
  Slices& slices_;
  std::array<Slot, 2> slots_;
};

// By several threads.
void stage(const Task& task) {
  std::size_t bytes = word * static_cast<std::size_t>(task.joints()) * (task.arrays.dq ? 2 : 1);
  for (const Result& field : task.fields) bytes += field.bytes;
  Slices slices(task.arrays.postures, staged_bytes / bytes, task.options.run);
  const auto jobs = static_cast<Eigen::Index>(foundation::threads_of(task.options.run.jobs));
  const auto threads = static_cast<int>(std::min(jobs, slices.slices()));
  foundation::parallel_for(
      static_cast<std::size_t>(threads), threads,
      [&](std::size_t thread) {
        try {
          task.device.enter();  // which a new thread has to be told
          Worker(task, slices).compute();
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
  if (!arrays.q) throw InputError("q", "null", "must be given");
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

// Where all arrays lie: on this device, or all of them in memory of the host. Of this, one that is plain makes all so.
Place place_of(const Task& task) {
  const auto found = [&](const void* memory, const char* name) {
    const Place place = task.device.place_of(memory);
    if (place == Place::another_device)
      throw InputError(name, "on another GPU", "must be on the current one, " + std::to_string(task.device.number()));
    return place;
  };
  Place all = found(task.arrays.q, "q");
  const bool there = all == Place::device;
  const auto require = [&](const void* memory, const char* name) {
    const Place place = found(memory, name);
    if ((place == Place::device) != there)
      throw InputError(name, there ? "in host memory" : "on the GPU", "must be where q is");
    if (place == Place::host) all = place;
  };
  if (task.arrays.dq) require(task.arrays.dq, "dq");
  for (const Result& field : task.fields) require(field.to, "results");
  return all;
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
  Task task{device, robot, point, arrays, options};
  if (options.pseudo_inverse && task.tree.arm.contact_chain < 6)
    throw InputError("pseudo_inverse", "true",
                     "fewer than six joints move the contact point: the processor computes each posture");
  if (arrays.postures == 0) return;
  task.place = place_of(task);
  for (const Device::Stream before : arrays.after)
    if (before != stream) device.order(before, stream);
  switch (task.place) {
    case Place::device:
      return InPlace(task, stream).compute({0, arrays.postures});
    case Place::page_locked:
      return in_slices(task, stream);
    case Place::host:
      return stage(task);
    case Place::another_device:
      break;  // refused
  }
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
