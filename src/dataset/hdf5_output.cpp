#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <hdf5.h>

#include "dataset/hdf5.hpp"

namespace thud::dataset::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

/// Throws on failure, which means out of memory or misuse of the library.
hid_t checked(hid_t result, const char* what) {
  if (result < 0) throw FileError("HDF5", what, "the library fails");
  return result;
}

/// The string is the memory of the file. Exceptions must not propagate through the library, which is written in C.
void* resize(std::string& image, std::size_t size) {
  try {
    image.resize(size);
    return image.data();
  } catch (const std::exception&) {
    return nullptr;
  }
}

Handle memory_access(std::string& image) {
  Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "access"), H5Pclose);
  constexpr std::size_t step = std::size_t{1} << 16;
  checked(H5Pset_fapl_core(access, step, false), "memory");
  // Format version 1.10, so that a newer library writes the same bytes.
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST), "version");
  H5FD_file_image_callbacks_t callbacks{};
  callbacks.image_malloc = [](std::size_t size, H5FD_file_image_op_t, void* text) {
    return resize(*static_cast<std::string*>(text), size);
  };
  callbacks.image_memcpy = [](void* to, const void* from, std::size_t size, H5FD_file_image_op_t, void*) {
    return std::memcpy(to, from, size);
  };
  callbacks.image_realloc = [](void*, std::size_t size, H5FD_file_image_op_t, void* text) {
    return resize(*static_cast<std::string*>(text), size);
  };
  callbacks.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };  // the string owns the memory
  callbacks.udata_copy = [](void* text) { return text; };
  callbacks.udata_free = [](void*) -> herr_t { return 0; };
  callbacks.udata = &image;
  checked(H5Pset_file_image_callbacks(access, &callbacks), "memory");
  return access;
}

/// Keeps all attributes in the object header, which has a checksum, rather than in a heap; no time stamps.
void set_group(hid_t properties) {
  constexpr unsigned compact = 64;
  checked(H5Pset_obj_track_times(properties, false), "times");
  checked(H5Pset_attr_phase_change(properties, compact, 0), "attributes");
}

Handle group_properties() {
  Handle properties(checked(H5Pcreate(H5P_GROUP_CREATE), "group"), H5Pclose);
  set_group(properties);
  return properties;
}

/// Chunks of about 128 KiB, shuffled and deflated; the checksum covers the stored bytes.
Handle array_properties(const std::array<hsize_t, 2>& shape, int rank, std::size_t element) {
  Handle properties(checked(H5Pcreate(H5P_DATASET_CREATE), "array"), H5Pclose);
  constexpr std::size_t target = std::size_t{128} << 10;
  auto chunk = shape;
  const std::size_t row = element * (rank == 2 ? static_cast<std::size_t>(shape[1]) : 1);
  chunk[0] = std::clamp<hsize_t>(target / row, 1, shape[0]);
  checked(H5Pset_chunk(properties, rank, chunk.data()), "chunks");
  checked(H5Pset_shuffle(properties), "shuffle");
  checked(H5Pset_deflate(properties, 1), "deflate");
  checked(H5Pset_fletcher32(properties), "checksum");
  checked(H5Pset_obj_track_times(properties, false), "times");
  return properties;
}

/// A string type of fixed length; HDF5 does not support length 0.
Handle text_type(std::size_t length) {
  Handle type(checked(H5Tcopy(H5T_C_S1), "text"), H5Tclose);
  checked(H5Tset_size(type, std::max<std::size_t>(length, 1)), "text");
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "text");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "text");
  return type;
}

/// `file_type` is little endian on every machine, `memory_type` this machine's.
void write_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type, const void* value) {
  const Handle space(checked(H5Screate(H5S_SCALAR), "attribute"), H5Sclose);
  const Handle attribute(
      checked(H5Acreate2(object, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), "attribute"), H5Aclose);
  checked(H5Awrite(attribute, memory_type, value), "attribute");
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const auto type = text_type(text.size());
  write_attribute(object, name, type, type, text.c_str());
}

void write_array(hid_t group, const std::string& name, const std::array<hsize_t, 2>& shape, int rank, hid_t file_type,
                 hid_t memory_type, const void* values, const Label& label) {
  const Handle space(checked(H5Screate_simple(rank, shape.data(), nullptr), "array"), H5Sclose);
  const auto properties = array_properties(shape, rank, H5Tget_size(file_type));
  const Handle array(
      checked(H5Dcreate2(group, name.c_str(), file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT), "array"),
      H5Dclose);
  checked(H5Dwrite(array, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "array");
  write_attribute(array, "unit", label.unit);
  write_attribute(array, "meaning", label.meaning);
}

}  // namespace

Output Output::group(const std::string& name) const {
  return Output(Handle(
      checked(H5Gcreate2(handle_, name.c_str(), H5P_DEFAULT, group_properties(), H5P_DEFAULT), "group"), H5Gclose));
}

void Output::attribute(const std::string& name, const std::string& text) const {
  write_attribute(handle_, name, text);
}

void Output::attribute(const std::string& name, double value) const {
  write_attribute(handle_, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Output::attribute(const std::string& name, std::int64_t value) const {
  write_attribute(handle_, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Output::attribute(const std::string& name, std::uint64_t value) const {
  write_attribute(handle_, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void Output::numbers(const std::string& name, const double* values, std::size_t count, const Label& label) const {
  if (count > 0) write_array(handle_, name, {count}, 1, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, label);
}

void Output::numbers(const std::string& name, const MatrixX& values, const Label& label) const {
  if (values.size() == 0) return;
  const MatrixX rows = values.transpose();  // HDF5 is row-major, Eigen column-major
  write_array(handle_, name, {static_cast<hsize_t>(values.rows()), static_cast<hsize_t>(values.cols())}, 2,
              H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, rows.data(), label);
}

void Output::integers(const std::string& name, const Integers& values, const Label& label) const {
  if (!values.empty())
    write_array(handle_, name, {values.size()}, 1, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), label);
}

void Output::texts(const std::string& name, const Texts& values, const Label& label, std::size_t columns) const {
  if (values.empty()) return;
  std::size_t length = 1;
  for (const auto& value : values) length = std::max(length, value.size());
  std::string table(length * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) values[i].copy(table.data() + i * length, length);
  const auto type = text_type(length);
  write_array(handle_, name, {values.size() / columns, columns}, columns == 1 ? 1 : 2, type, type, table.data(), label);
}

void Output::link(const std::string& name, const std::string& file, const std::string& object) const {
  checked(H5Lcreate_external(file.c_str(), object.c_str(), handle_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link");
}

NewFile::NewFile()
    : file_([this] {
        const Handle properties(checked(H5Pcreate(H5P_FILE_CREATE), "file"), H5Pclose);
        set_group(properties);
        return Handle(checked(H5Fcreate("memory", H5F_ACC_TRUNC, properties, memory_access(image_)), "file"), H5Fclose);
      }()) {}

Output NewFile::root() const {
  return Output(Handle(checked(H5Gopen2(file_, "/", H5P_DEFAULT), "root"), H5Gclose));
}

std::string NewFile::bytes() {
  checked(H5Fflush(file_, H5F_SCOPE_LOCAL), "file");
  { const Handle closed(std::move(file_)); }
  // Memory grows in steps; the superblock tells where the file ends.
  image_.resize(end_of_file(reinterpret_cast<const unsigned char*>(image_.data())));
  return std::move(image_);
}

}  // namespace thud::dataset::hdf5
