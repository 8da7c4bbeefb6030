#pragma once

/// What all bindings share: docstrings, arrays, and values with fields.
///
/// Arrays in   anything that NumPy makes real numbers of. A contiguous array of float64 is used where it lies.
/// Arrays out  a field is a read-only view of the memory of the object that has it; what a function returns is the
///             caller's own.
/// Values      a struct becomes an immutable class, so that no view ever loses its memory: built from keywords,
///             changed by `replace`, pickled field by field.

#include <thud/conventions.hpp>
#include <thud/error.hpp>
#include <thud/inertia.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace thud::python {

/// The comment that a header has on a name, as docstring: "function", "function#2", "Class", "Class.member".
/// find_doc returns nullptr where there is none; doc throws, so that nothing is bound without one.
const char* find_doc(std::string_view key) noexcept;
const char* doc(std::string_view key);

/// An argument to be converted to an array, not yet checked.
struct ArrayLike {
  nb::object object;
};

/// Numbers of an argument: its own memory where that serves, else a copy. Throws InputError, naming the argument, for
/// what is not real numbers or has another shape.
class VectorArgument {
 public:
  VectorArgument(const ArrayLike& argument, const char* name);
  operator VectorRef() const;
  Vector3 three() const;  // throws InputError for another size

 private:
  const char* name_;
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> numbers_;
};

class MatrixArgument {
 public:
  MatrixArgument(const ArrayLike& argument, const char* name);
  operator MatrixRef() const;
  Matrix3 three_by_three() const;  // throws InputError for another shape

 private:
  const char* name_;
  nb::ndarray<const double, nb::ndim<2>, nb::f_contig, nb::device::cpu> numbers_;
};

/// A matrix whose rows are columns for C++: N x n in row-major memory is n x N in column-major memory.
class RowsArgument {
 public:
  RowsArgument(const ArrayLike& argument, const char* name);
  operator MatrixRef() const;

 private:
  nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> numbers_;
};

/// Arguments of functions, with the name that messages give them. They are looked at when they are used.
struct Name {
  template <std::size_t n>
  consteval Name(const char (&text)[n]) {
    std::copy_n(text, n, this->text);
  }
  char text[24]{};
};
template <Name name>
struct Vector : ArrayLike {
  operator VectorRef() const { return numbers_.emplace(*this, name.text); }
  mutable std::optional<VectorArgument> numbers_;
};
template <Name name>
struct Matrix : ArrayLike {
  operator MatrixRef() const { return numbers_.emplace(*this, name.text); }
  mutable std::optional<MatrixArgument> numbers_;
};
template <Name name>
struct Rows : ArrayLike {
  operator MatrixRef() const { return numbers_.emplace(*this, name.text); }
  mutable std::optional<RowsArgument> numbers_;
};
template <Name name>
struct Three : ArrayLike {
  operator Vector3() const { return VectorArgument(*this, name.text).three(); }
};
template <Name name>
struct ThreeByThree : ArrayLike {
  operator Matrix3() const { return MatrixArgument(*this, name.text).three_by_three(); }
};

/// Real-time functions expect valid arguments: those from Python are validated here.
/// Throws InputError unless there is one finite value per joint.
void require_joints(const VectorRef& values, Eigen::Index joints, const char* name);

/// A read-only view of numbers that `owner` keeps.
template <int... shape>
using View = nb::ndarray<nb::numpy, const double, nb::shape<shape...>>;

/// The parts of a module, in the order of the data path.
void bind_foundation(nb::module_& m);
void bind_robot(nb::module_& m);
void bind_mechanics(nb::module_& m);
void bind_impulse(nb::module_& m);
void bind_device_batch(nb::module_& m);  // the overload of predict_batch for arrays on a GPU, and what it gives
void bind_impact(nb::module_& m);
void bind_detect(nb::module_& m);
void bind_contact(nb::module_& m);
void bind_translate(nb::module_& m);
void bind_elastic(nb::module_& m);
void bind_limit(nb::module_& m);
void bind_map(nb::module_& m);
void bind_aim(nb::module_& m);
void bind_record(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_dataset(nb::module_& m);
void bind_lab(nb::module_& m);
void bind_study(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_report(nb::module_& m);

// Fields

template <class T, class V>
struct Field {
  const char* name;
  V T::*member;
};
#define THUD_FIELD(T, member)                     \
  ::thud::python::Field<T, decltype(T::member)> { \
#member, &T::member                           \
  }

template <class V>
inline constexpr bool is_eigen = std::is_base_of_v<Eigen::EigenBase<V>, V>;
template <class V>
constexpr bool is_column() {
  if constexpr (is_eigen<V>)
    return V::IsVectorAtCompileTime;
  else
    return false;
}
template <class V>
inline constexpr bool is_vector = false;
template <class E>
inline constexpr bool is_vector<std::vector<E>> = true;
template <class E, std::size_t n>
inline constexpr bool is_vector<std::array<E, n>> = true;
template <class V>
inline constexpr bool is_optional = false;
template <class V>
inline constexpr bool is_optional<std::optional<V>> = true;
template <class V>
inline constexpr bool is_optional_vector = false;
template <class E>
inline constexpr bool is_optional_vector<std::optional<std::vector<E>>> = true;
template <class V>
inline constexpr bool is_simple = std::is_arithmetic_v<V> || std::is_enum_v<V> || std::is_same_v<V, std::string> ||
                                  std::is_same_v<V, std::string_view>;
template <class V>
inline constexpr bool is_numbers = is_eigen<V> || std::is_same_v<V, std::vector<double>>;

/// What the constructor takes for a field of type V: arrays as such; a struct may be left out, as a vector of them.
template <class V>
using Taken = std::conditional_t<is_numbers<V>, std::optional<ArrayLike>,
                                 std::conditional_t<is_simple<V> || is_optional<V>, V, std::optional<V>>>;

/// The library's own text for a name, which outlives every object.
std::string_view lasting(std::string_view name);

template <class V>
void put(V& field, Taken<V>&& value, const char* name) {
  if constexpr (std::is_same_v<V, Vector3>) {
    if (value) field = VectorArgument(*value, name).three();
  } else if constexpr (std::is_same_v<V, Matrix3>) {
    if (value) field = MatrixArgument(*value, name).three_by_three();
  } else if constexpr (is_column<V>()) {
    if (value) field = static_cast<VectorRef>(VectorArgument(*value, name));
  } else if constexpr (is_eigen<V>) {
    if (value) field = static_cast<MatrixRef>(MatrixArgument(*value, name));
  } else if constexpr (is_numbers<V>) {
    if (!value) return;
    const VectorArgument numbers(*value, name);
    const VectorRef view = numbers;
    field.assign(view.data(), view.data() + view.size());
  } else if constexpr (std::is_same_v<V, std::string_view>) {
    field = lasting(value);
  } else if constexpr (is_simple<V> || is_optional<V>) {
    field = std::move(value);
  } else {
    if (value) field = std::move(*value);
  }
}

/// The argument of a constructor for a field, with the default that the struct has.
template <class T, class V>
nb::arg_v argument(const Field<T, V>& field) {
  nb::arg named(field.name);
  if constexpr (std::is_same_v<V, double>) {
    const double value = T{}.*field.member;
    if (std::isnan(value)) named.sig("float('nan')");
    if (std::isinf(value)) named.sig(value > 0 ? "float('inf')" : "float('-inf')");
    return named = value;
  } else if constexpr (std::is_same_v<V, std::string_view>) {
    return named = std::string(T{}.*field.member);
  } else if constexpr (is_simple<V>) {
    return named = T{}.*field.member;
  } else {
    return named = nb::none();
  }
}

template <class V>
auto view(nb::handle owner, const V& value) {
  if constexpr (is_column<V>()) {
    return View<V::SizeAtCompileTime>(value.data(), {static_cast<std::size_t>(value.size())}, owner);
  } else if constexpr (is_eigen<V>) {
    return View<V::RowsAtCompileTime, V::ColsAtCompileTime>(
        value.data(), {static_cast<std::size_t>(value.rows()), static_cast<std::size_t>(value.cols())}, owner,
        {1, value.outerStride()});
  } else if constexpr (std::is_same_v<V, std::vector<double>>) {
    return View<-1>(value.data(), {value.size()}, owner);
  } else {
    using Element = typename V::value_type;
    nb::list items;
    for (const auto& item : value) items.append(nb::cast(item, nb::rv_policy::reference_internal, owner));
    return nb::typed<nb::tuple, Element, nb::ellipsis>(nb::steal<nb::tuple>(PyList_AsTuple(items.ptr())));
  }
}

template <class T, class V>
void define_property(nb::class_<T>& cls, const char* class_name, const Field<T, V>& field) {
  const auto member = field.member;
  const char* text = find_doc(std::string(class_name) + "." + field.name);
  if (!text) text = "";
  if constexpr (is_optional_vector<V>)
    cls.def_prop_ro(
        field.name,
        [member](nb::handle_t<T> self) {
          const V& value = nb::inst_ptr<T>(self)->*member;
          return value ? std::optional(view(self, *value)) : std::nullopt;
        },
        text);
  else if constexpr (is_eigen<V> || is_vector<V>)
    cls.def_prop_ro(
        field.name, [member](nb::handle_t<T> self) { return view(self, nb::inst_ptr<T>(self)->*member); }, text);
  else
    cls.def_prop_ro(
        field.name, [member](const T& self) -> const V& { return self.*member; }, nb::rv_policy::reference_internal,
        text);
}

/// "Name(field=value, ...)", short: long collections and texts by their length, long arrays by their shape, other long
/// values by their type.
std::string describe(nb::handle self, const std::vector<const char*>& names);

/// What a struct is before its fields are filled.
template <class T>
T blank() {
  return T{};
}

/// A struct with read-only fields that only functions make.
template <class T, class... V>
nb::class_<T> result(nb::module_& m, const char* name, Field<T, V>... fields) {
  nb::class_<T> cls(m, name, doc(name));
  (define_property(cls, name, fields), ...);
  const std::vector<const char*> names = {fields.name...};
  cls.def("__repr__", [names](nb::handle_t<T> self) { return describe(self, names); });
  cls.def("__getstate__", [names](nb::handle_t<T> self) {
    nb::list state;
    for (const char* each : names) state.append(self.attr(each));
    return nb::steal<nb::tuple>(PyList_AsTuple(state.ptr()));
  });
  cls.def("__setstate__", [fields...](T& self, const nb::tuple& state) {
    T made = blank<T>();
    std::size_t i = 0;
    (put<V>(made.*fields.member, nb::cast<Taken<V>>(state[i++]), fields.name), ...);
    new (&self) T(std::move(made));
  });
  return cls;
}

/// A struct that users build: as `result`, with a constructor and `replace`.
template <class T, class... V>
nb::class_<T> value(nb::module_& m, const char* name, Field<T, V>... fields) {
  auto cls = result<T, V...>(m, name, fields...);
  cls.def(
      "__init__",
      [fields...](T* self, Taken<V>... taken) {
        T made{};
        (put<V>(made.*fields.member, std::move(taken), fields.name), ...);
        new (self) T(std::move(made));
      },
      argument(fields)...);
  cls.def(
      "replace",
      [fields..., name](const T& self, const nb::kwargs& changes) {
        const std::string_view names[] = {fields.name...};
        for (const auto& [key, unused] : changes)
          if (std::find(std::begin(names), std::end(names), nb::cast<std::string_view>(key)) == std::end(names))
            throw nb::type_error((std::string(name) + ": no field " + nb::cast<std::string>(key)).c_str());
        T made = self;
        const auto change = [&]<class E>(const Field<T, E>& field) {
          if (!changes.contains(field.name)) return;
          Taken<E> taken{};
          if (!nb::try_cast(nb::object(changes[field.name]), taken))
            throw nb::type_error((std::string(name) + "." + field.name + ": wrong type").c_str());
          put<E>(made.*field.member, std::move(taken), field.name);
        };
        (change(fields), ...);
        return made;
      },
      "The same but for the fields that are given.");
  return cls;
}

/// The members under the names that to_string gives them, with the header's comments.
template <class E, class... Extra>
void enumeration(nb::module_& m, const char* name, std::initializer_list<E> members, const Extra&... extra) {
  nb::enum_<E> bound(m, name, extra..., doc(name));
  for (const E member : members) {
    const std::string_view text = to_string(member);
    bound.value(text.data(), member, find_doc(std::string(name).append(".").append(text)));
  }
}

}  // namespace thud::python

namespace nanobind::detail {

template <class T>
struct type_caster<T, enable_if_t<std::is_base_of_v<thud::python::ArrayLike, T>>> {
  NB_TYPE_CASTER(T, const_name("numpy.typing.ArrayLike"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    value.object = borrow(source);
    return true;
  }
};

/// A dictionary with an entry for each model, whose values belong to the object that has them.
template <class T>
struct type_caster<thud::PerModel<T>> {
  NB_TYPE_CASTER(thud::PerModel<T>, const_name("dict[") + make_caster<thud::InertiaModel>::Name + const_name(", ") +
                                        make_caster<T>::Name + const_name("]"))

  bool from_python(handle source, uint8_t flags, cleanup_list* cleanup) noexcept {
    if (!isinstance<dict>(source)) return false;
    try {
      for (const thud::InertiaModel model : thud::all_inertia_models) {
        make_caster<T> entry;
        if (!entry.from_python(borrow<dict>(source)[cast(model)], flags_for_local_caster<T>(flags), cleanup))
          return false;
        value[model] = entry.operator cast_t<T>();
      }
      return true;
    } catch (const python_error&) {  // a model without an entry
      return false;
    }
  }

  template <class P>
  static handle from_cpp(P&& models, rv_policy policy, cleanup_list* cleanup) {
    dict entries;
    for (const thud::InertiaModel model : thud::all_inertia_models) {
      auto&& entry = models[model];
      object item = steal(make_caster<T>::from_cpp(forward_like_<P>(entry), policy, cleanup));
      if (!item.is_valid()) return {};
      entries[cast(model)] = item;
    }
    return entries.release();
  }
};

}  // namespace nanobind::detail
