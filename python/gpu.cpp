#include <thud/batch.hpp>
#include <thud/gpu.hpp>

#include <memory>

#include "batch.hpp"

namespace thud::python {
namespace {

constexpr int on_cuda = nb::device::cuda::value;  // as DLPack and nanobind number it

/// Numbers on a GPU, shared with whoever takes them: by `__cuda_array_interface__` or DLPack, without a copy.
struct DeviceArray {
  std::shared_ptr<void> memory;
  nb::dlpack::dtype type{};
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  int gpu = 0;

  nb::dict cuda_array_interface() const {
    const auto bytes = static_cast<std::int64_t>(type.bits / 8);
    nb::list sizes, steps;
    for (const std::size_t each : shape) sizes.append(each);
    for (const std::int64_t each : strides) steps.append(each * bytes);
    nb::dict out;
    out["shape"] = nb::tuple(sizes);
    out["strides"] = nb::tuple(steps);
    out["typestr"] = bytes == 8 ? "<f8" : "<i4";
    out["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(memory.get()), false);
    out["version"] = 3;
    out["stream"] = nb::none();  // the numbers are there
    return out;
  }

  nb::object dlpack() const {
    auto* const keep = new std::shared_ptr<void>(memory);
    const nb::capsule owner(keep, [](void* kept) noexcept { delete static_cast<std::shared_ptr<void>*>(kept); });
    const nb::ndarray<nb::array_api, nb::device::cuda> array(memory.get(), shape.size(), shape.data(), owner,
                                                             strides.data(), type, on_cuda, gpu);
    return nb::cast(array);
  }
};

/// The arrays of a batch that were requested, each a DeviceArray or None.
struct DeviceBatch {
  std::optional<DeviceArray> effective_mass, status, p_WC, com_W, Ic_W, J, A_G, M, W, v_exact, v_approximate, ratio,
      impulse_compression, impulse_total;
};

/// Postures on a GPU: a matrix of float64 with a posture a row, its numbers side by side.
struct DeviceRows {
  nb::object owner;           // of the numbers, by __cuda_array_interface__
  nb::ndarray<nb::ro> array;  // by DLPack
  const double* data = nullptr;
  Eigen::Index rows = 0, columns = 0, stride = 0;
  std::optional<std::uintptr_t> stream;  // what is in it now comes before: whoever makes them is not done yet

  static bool is_one(nb::handle object) {
    if (nb::hasattr(object, "__cuda_array_interface__")) return true;
    if (!nb::hasattr(object, "__dlpack_device__")) return false;
    return nb::cast<int>(nb::tuple(object.attr("__dlpack_device__")())[0]) == on_cuda;
  }

  DeviceRows() = default;
  /// To be read by what is put into `used` from now on.
  DeviceRows(nb::handle object, const char* name, std::uintptr_t used) : name_(name) {
    const bool tells = nb::hasattr(object, "__cuda_array_interface__");
    nb::dict told;
    if (tells) told = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
    // without a stream in it, the interface does not say when the numbers will be there; DLPack does
    if (tells && (told.contains("stream") || !nb::hasattr(object, "__dlpack__")))
      take_interface(object, told);
    else
      take_dlpack(object, used);
  }

 private:
  void take_interface(nb::handle object, const nb::dict& told) {
    owner = nb::borrow(object);
    const auto shape = nb::cast<std::vector<Eigen::Index>>(told["shape"]);
    require_matrix(shape.size());
    require_type(nb::cast<std::string>(told["typestr"]));
    constexpr Eigen::Index number = sizeof(double);
    std::vector<Eigen::Index> steps{shape[1] * number, number};
    if (told.contains("strides") && !nb::object(told["strides"]).is_none())
      steps = nb::cast<std::vector<Eigen::Index>>(told["strides"]);
    require(steps[0] % number == 0 && steps[1] % number == 0, "strides", "must be whole numbers of float64");
    set_shape(shape[0], shape[1], steps[0] / number, steps[1] / number);
    data = reinterpret_cast<const double*>(nb::cast<std::uintptr_t>(nb::tuple(told["data"])[0]));
    if (told.contains("stream") && !nb::object(told["stream"]).is_none())
      stream = nb::cast<std::uintptr_t>(told["stream"]);
  }

  // Whoever makes the numbers has the stream that is used wait for them; 1 is the default one.
  void take_dlpack(nb::handle object, std::uintptr_t used) {
    const nb::object capsule = object.attr("__dlpack__")(nb::arg("stream") = used == 0 ? 1 : used);
    require(nb::try_cast(capsule, array, false), "what __dlpack__ returns", "must be an array");
    require(array.device_type() == on_cuda, "what __dlpack__ returns", "must be on a GPU");
    require_matrix(array.ndim());
    const nb::dlpack::dtype type = array.dtype();
    const std::string kinds = "iufocb";  // as DLPack numbers them
    require_type(std::string("<") + (type.code < kinds.size() ? kinds[type.code] : '?') +
                 std::to_string(type.bits / 8));
    set_shape(static_cast<Eigen::Index>(array.shape(0)), static_cast<Eigen::Index>(array.shape(1)), array.stride(0),
              array.stride(1));
    data = static_cast<const double*>(array.data());
  }

  void require(bool good, const std::string& value, const char* rule) const {
    if (!good) throw InputError(name_, value, rule);
  }
  void require_matrix(std::size_t dimensions) const {
    require(dimensions == 2, std::to_string(dimensions) + " dimensions", "must be a matrix");
  }
  void require_type(const std::string& type) const {
    require(type == "<f8", "type " + type, "must be float64 on a GPU");
  }
  // Steps in numbers.
  void set_shape(Eigen::Index rows_, Eigen::Index columns_, Eigen::Index step, Eigen::Index step_in_row) {
    rows = rows_, columns = columns_;
    require(rows == 0 || columns < 2 || step_in_row == 1, "strides", "the numbers of a posture must be side by side");
    require(rows < 2 || step != 0, "strides", "each posture needs numbers of its own");
    stride = rows < 2 ? columns : step;
  }

  const char* name_ = nullptr;
};

/// What the caster makes of an argument: whether it is on a GPU is decided there, the rest when it is used.
struct OnDevice {
  nb::object object;
};

template <class T>
T* take(std::optional<DeviceArray>& array, std::vector<std::size_t> shape, std::vector<std::int64_t> strides) {
  std::size_t size = sizeof(T);
  for (const std::size_t each : shape) size *= each;
  array = DeviceArray{gpu_memory(size), nb::dtype<T>(), std::move(shape), std::move(strides), current_gpu()};
  return static_cast<T*>(array->memory.get());
}

DeviceBatch predict_on_device(const Robot& robot, const ContactPoint& point, const DeviceRows& q,
                              const std::optional<DeviceRows>& dq, const BatchOptions& options, std::uintptr_t stream) {
  const auto shape = [](const DeviceRows& of) {
    return std::to_string(of.rows) + " postures of " + std::to_string(of.columns) + " values";
  };
  if (q.columns != robot.size())
    throw InputError("q", shape(q),
                     "each needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  if (dq && (dq->rows != q.rows || dq->columns != q.columns))
    throw InputError("dq", shape(*dq), "must have the shape of q, " + shape(q) + ", or no posture");
  const auto n = robot.size();
  const auto joints = static_cast<std::size_t>(n), count = static_cast<std::size_t>(q.rows);
  DeviceBatch out;
  BatchArrays arrays{.postures = q.rows, .q = q.data, .q_stride = q.stride};
  const auto comes_after = [&](const DeviceRows& rows) {
    if (rows.stream) arrays.after.push_back(reinterpret_cast<void*>(*rows.stream));
  };
  comes_after(q);
  if (dq) comes_after(*dq);
  arrays.effective_mass = take<double>(out.effective_mass, {count, 4}, {4, 1});
  static_assert(sizeof(InertiaStatus) == sizeof(std::int32_t));
  arrays.status = reinterpret_cast<InertiaStatus*>(take<std::int32_t>(out.status, {count, 4}, {4, 1}));
  if (options.outputs != BatchOutputs::masses) arrays.p_WC = take<double>(out.p_WC, {count, 3}, {3, 1});
  if (options.outputs == BatchOutputs::everything) {
    arrays.com_W = take<double>(out.com_W, {count, 3}, {3, 1});
    arrays.Ic_W = take<double>(out.Ic_W, {count, 3, 3}, {9, 1, 3});
    arrays.J = take<double>(out.J, {count, 6, joints}, {6 * n, 1, 6});
    arrays.A_G = take<double>(out.A_G, {count, 6, joints}, {6 * n, 1, 6});
    arrays.M = take<double>(out.M, {count, joints, joints}, {n * n, 1, n});
    arrays.W = take<double>(out.W, {count, 4, 3, 3}, {36, 9, 1, 3});
  }
  if (dq) {
    arrays.dq = dq->data, arrays.dq_stride = dq->stride;
    arrays.v_exact = take<double>(out.v_exact, {count}, {1});
    arrays.v_approximate = take<double>(out.v_approximate, {count}, {1});
    arrays.ratio = take<double>(out.ratio, {count}, {1});
    arrays.impulse_compression = take<double>(out.impulse_compression, {count, 4}, {4, 1});
    arrays.impulse_total = take<double>(out.impulse_total, {count, 4}, {4, 1});
  }
  const nb::gil_scoped_release free;
  predict_batch_gpu(robot, point, arrays, options, reinterpret_cast<void*>(stream));
  return out;
}

}  // namespace
}  // namespace thud::python

namespace nanobind::detail {

template <>
struct type_caster<thud::python::OnDevice> {
  NB_TYPE_CASTER(thud::python::OnDevice, const_name("typing.Any"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    try {
      if (!thud::python::DeviceRows::is_one(source)) return false;
    } catch (...) {
      return false;
    }
    value.object = borrow(source);
    return true;
  }
};

}  // namespace nanobind::detail

namespace thud::python {

void bind_device_batch(nb::module_& m) {
  m.def("gpu_missing", &gpu_missing, doc("gpu:gpu_missing"));
  nb::class_<DeviceArray>(m, "DeviceArray",
                          "Numbers on a GPU, for CuPy, PyTorch, JAX and others, which take them without a copy.")
      .def_prop_ro(
          "shape",
          [](const DeviceArray& self) {
            nb::list sizes;
            for (const std::size_t each : self.shape) sizes.append(each);
            return nb::tuple(sizes);
          },
          "The posture is the first index.")
      .def_prop_ro("__cuda_array_interface__", &DeviceArray::cuda_array_interface)
      .def("__dlpack__", [](const DeviceArray& self,
                            const nb::kwargs& options) { return self.dlpack().attr("__dlpack__")(**options); })
      .def("__dlpack_device__", [](const DeviceArray& self) { return nb::make_tuple(on_cuda, self.gpu); })
      .def("__repr__", [](const DeviceArray& self) {
        std::string text = "<DeviceArray of shape (";
        for (const std::size_t each : self.shape) text += std::to_string(each) + ", ";
        return text.substr(0, text.size() - 2) + ")>";
      });
  nb::class_<DeviceBatch> batch(
      m, "DeviceBatch",
      "A Batch whose arrays stay on the GPU: what depends on the model has it as second index, in "
      "the order of all_inertia_models. None: not requested.");
  const auto field = [&](const char* name, std::optional<DeviceArray> DeviceBatch::*member) {
    batch.def_prop_ro(
        name, [member](const DeviceBatch& self) { return self.*member; }, find_doc(std::string("Batch.") + name));
  };
  field("effective_mass", &DeviceBatch::effective_mass);
  field("status", &DeviceBatch::status);
  field("p_WC", &DeviceBatch::p_WC);
  field("com_W", &DeviceBatch::com_W);
  field("Ic_W", &DeviceBatch::Ic_W);
  field("J", &DeviceBatch::J);
  field("A_G", &DeviceBatch::A_G);
  field("M", &DeviceBatch::M);
  field("W", &DeviceBatch::W);
  field("v_exact", &DeviceBatch::v_exact);
  field("v_approximate", &DeviceBatch::v_approximate);
  field("ratio", &DeviceBatch::ratio);
  field("impulse_compression", &DeviceBatch::impulse_compression);
  field("impulse_total", &DeviceBatch::impulse_total);
  m.def(
      "predict_batch",
      [](const Robot& robot, const ContactPoint& point, const OnDevice& q, const std::optional<OnDevice>& dq,
         BatchOutputs outputs, double restitution, bool pseudo_inverse, const std::string& backend,
         std::optional<std::uintptr_t> stream) {
        if (backend != "gpu") throw InputError("backend", backend, "q is on a GPU: must be gpu");
        const DeviceRows rows(q.object, "q", stream.value_or(0));
        const std::uintptr_t used = stream ? *stream : rows.stream.value_or(0);
        std::optional<DeviceRows> rates;
        if (dq) rates.emplace(dq->object, "dq", used);
        const BatchOptions options{.outputs = outputs, .restitution = restitution, .pseudo_inverse = pseudo_inverse};
        return predict_on_device(robot, point, rows, rates, options, used);
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("dq") = nb::none(),
      nb::arg("outputs") = BatchOutputs::masses, nb::arg("restitution") = 0.0, nb::arg("pseudo_inverse") = false,
      nb::kw_only(), nb::arg("backend"), nb::arg("stream") = nb::none(), doc("gpu:predict_batch_gpu#3"));
}

}  // namespace thud::python
