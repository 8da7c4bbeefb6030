#include "bind.hpp"

#include <thud/contact.hpp>
#include <thud/elastic_fit.hpp>

#include <algorithm>

#include "text.hpp"

namespace thud::python {
namespace {

struct Doc {
  std::string_view key;
  const char* text;
};
constexpr Doc docs[] = {
#include "docstrings.inc"
};

std::string text_of(nb::handle object) {
  return nb::cast<std::string>(nb::str(object));
}

/// The argument as a NumPy array of float64 in the wanted memory order.
nb::object numbers(const ArrayLike& argument, const char* name, std::size_t dimensions, const char* order,
                   const char* wanted) {
  const auto numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(argument.object);
  } catch (const nb::python_error&) {
    throw InputError(name, text_of(nb::type_name(argument.object.type())), "NumPy makes no array of it");
  }
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (nb::cast<std::size_t>(array.attr("size")) > 0 && kind != "f" && kind != "i" && kind != "u")
    throw InputError(name, "dtype " + text_of(nb::object(array.attr("dtype"))), "must be real numbers");
  if (nb::cast<std::size_t>(array.attr("ndim")) != dimensions)
    throw InputError(name, "shape " + text_of(nb::object(array.attr("shape"))), wanted);
  return numpy.attr("require")(array, "float64", order);
}

/// The argument's own memory, if it is what Array asks for; else a copy that is.
template <class Array>
Array array_of(const ArrayLike& argument, const char* name, const char* order, const char* wanted) {
  Array array;
  if (nb::try_cast(argument.object, array, false)) return array;
  return nb::cast<Array>(numbers(argument, name, static_cast<std::size_t>(Array::Config::N), order, wanted));
}

}  // namespace

const char* find_doc(std::string_view key) noexcept {
  const auto* const found = std::find_if(std::begin(docs), std::end(docs), [&](const Doc& d) { return d.key == key; });
  return found == std::end(docs) ? nullptr : found->text;
}

const char* doc(std::string_view key) {
  if (const char* text = find_doc(key)) return text;
  throw std::logic_error(std::string(key) + ": the headers have no comment on it");
}

VectorArgument::VectorArgument(const ArrayLike& argument, const char* name)
    : name_(name), numbers_(array_of<decltype(numbers_)>(argument, name, "C", "must be a vector")) {}

VectorArgument::operator VectorRef() const {
  return Eigen::Map<const Eigen::VectorXd>(numbers_.data(), static_cast<Eigen::Index>(numbers_.size()));
}

Vector3 VectorArgument::three() const {
  if (numbers_.size() != 3) throw InputError(name_, std::to_string(numbers_.size()) + " values", "needs 3");
  return static_cast<VectorRef>(*this);
}

MatrixArgument::MatrixArgument(const ArrayLike& argument, const char* name)
    : name_(name), numbers_(array_of<decltype(numbers_)>(argument, name, "F", "must be a matrix")) {}

MatrixArgument::operator MatrixRef() const {
  return Eigen::Map<const Eigen::MatrixXd>(numbers_.data(), static_cast<Eigen::Index>(numbers_.shape(0)),
                                           static_cast<Eigen::Index>(numbers_.shape(1)));
}

Matrix3 MatrixArgument::three_by_three() const {
  if (numbers_.shape(0) != 3 || numbers_.shape(1) != 3)
    throw InputError(name_, std::to_string(numbers_.shape(0)) + " x " + std::to_string(numbers_.shape(1)),
                     "must be 3 x 3");
  return static_cast<MatrixRef>(*this);
}

RowsArgument::RowsArgument(const ArrayLike& argument, const char* name)
    : numbers_(array_of<decltype(numbers_)>(argument, name, "C", "must be a matrix")) {}

RowsArgument::operator MatrixRef() const {
  return Eigen::Map<const Eigen::MatrixXd>(numbers_.data(), static_cast<Eigen::Index>(numbers_.shape(1)),
                                           static_cast<Eigen::Index>(numbers_.shape(0)));
}

nb::str with_any_bytes(const std::string& text) {
  return nb::steal<nb::str>(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

void require_joints(const VectorRef& values, Eigen::Index joints, const char* name) {
  if (values.size() != joints)
    throw InputError(name, std::to_string(values.size()) + " values",
                     "needs " + std::to_string(joints) + ", one per joint");
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) throw InputError(name, values[i], "must be finite");
}

std::string_view lasting(std::string_view name) {
  for (const std::string_view known : parameter_names())
    if (known == name) return known;
  for (const std::string_view known : {"", "mass", "start", "baseline", "drift"})
    if (known == name) return known;
  for (const DriveParameter each : all_drive_parameters)
    if (factor_name(each) == name) return factor_name(each);
  throw InputError("name", std::string(name), "not a parameter of a fit");
}

std::string describe(nb::handle self, const std::vector<const char*>& names) {
  constexpr std::size_t longest = 200;
  std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(";
  const auto in_short = [&](const std::string& words) { text.append("<").append(words).append(">"); };
  for (const char* name : names) {
    const nb::object value = self.attr(name);
    if (name != names.front()) text += ", ";
    text.append(name).append("=");
    const std::string whole = text_of(nb::repr(value));
    const bool is_long = whole.size() > longest;
    if (nb::hasattr(value, "shape") && (is_long || whole.find('\n') != std::string::npos))
      in_short("array " + text_of(nb::object(value.attr("shape"))));
    else if (nb::isinstance<nb::tuple>(value) && (nb::len(value) > 7 || is_long))
      in_short(std::to_string(nb::len(value)) + " items");
    else if (nb::isinstance<nb::str>(value) && is_long)
      in_short(std::to_string(nb::len(value)) + " characters");
    else if (is_long)
      in_short(text_of(nb::object(value.type().attr("__name__"))));
    else
      text += whole;
  }
  return text + ")";
}

}  // namespace thud::python
