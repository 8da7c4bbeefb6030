#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <hdf5.h>

#include "dataset/hdf5.hpp"
#include "dataset/rules.hpp"
#include "text/column_titles.hpp"

namespace thud::dataset::hdf5 {
namespace {

using rules::memory_rule;

// Deflate compresses by a factor of at most 1032. A file that claims more is damaged or malicious.
constexpr std::uint64_t max_compression = 1100;
constexpr std::uint64_t max_rows = 1'000'000'000;
constexpr std::uint64_t max_texts = 10'000'000;
constexpr std::size_t max_attribute_length = 65536;
constexpr std::uint64_t text_overhead = sizeof(Warning);  // a note of a record, beside its characters [byte]

/// The library's mutex. Without H5dont_atexit the library would complain at exit about objects leaked by damaged files.
std::mutex& library_mutex() {
  static std::mutex mutex;
  static const auto quiet = H5dont_atexit();
  static_cast<void>(quiet);
  return mutex;
}

/// A little-endian number of 8 bytes.
std::uint64_t little_endian(const unsigned char* bytes) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

/// The first bytes of a file, and how many it has.
struct Beginning {
  static constexpr std::size_t longest = 48;  // a superblock

  std::string bytes;
  std::uint64_t size = 0;
};

Beginning beginning_of(const Source& source) {
  namespace fs = std::filesystem;
  const std::string& path = source.path;
  if (source.bytes) return {std::string(source.bytes->substr(0, Beginning::longest)), source.bytes->size()};
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(path, "cannot be opened", "No such file or directory");
  if (!fs::is_regular_file(status)) throw FileError(path, "is not a file", "a dataset is an HDF5 file or a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "cannot be opened", std::generic_category().message(errno));
  Beginning beginning{std::string(Beginning::longest, '\0'), fs::file_size(path, error)};
  file.read(beginning.bytes.data(), Beginning::longest);
  beginning.bytes.resize(static_cast<std::size_t>(file.gcount()));
  return beginning;
}

/// Size of a file that begins with a valid HDF5 superblock. The library would search a foreign file for a superblock
/// and read formats without checksums; thud writes neither.
std::uint64_t checked_size(const Source& source) {
  const std::string& path = source.path;
  const auto [bytes, size] = beginning_of(source);
  std::array<unsigned char, Beginning::longest> head{};
  std::ranges::copy(bytes, head.begin());
  constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  if (size == 0) throw FileError(path, "is empty", "a dataset is an HDF5 file or a folder with a manifest.toml");
  if (!std::equal(signature.begin(), signature.begin() + std::min<std::ptrdiff_t>(8, std::ssize(bytes)), head.begin()))
    throw FileError(path, "is not HDF5", "a dataset is an HDF5 file or a folder with a manifest.toml");
  if (bytes.size() < head.size()) throw FileError(path, std::to_string(size) + " bytes", "the file is truncated");
  constexpr std::size_t version = 8, offsets = 9, lengths = 10, flags = 11, base = 12;
  if (head[version] < 2 || head[version] > 3 || head[offsets] != 8 || head[lengths] != 8 ||
      little_endian(&head[base]) != 0)
    throw FileError(path, "is HDF5 of another kind", "a dataset of thud is HDF5 of format 1.10, with checksums");
  if (head[flags] != 0) throw FileError(path, "was not closed", "its writer must finish it");
  if (const auto end = end_of_file(head.data()); end > size)
    throw FileError(path, std::to_string(size) + " of " + std::to_string(end) + " bytes", "the file is truncated");
  return size;
}

/// Lets the library read the bytes of a file where they are, without a copy.
void read_in_place(std::int64_t access, std::string_view bytes) {
  void* const where = const_cast<char*>(bytes.data());
  H5FD_file_image_callbacks_t in_place{
      .image_malloc = [](std::size_t, H5FD_file_image_op_t, void* image) { return image; },
      .image_memcpy = [](void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; },
      .image_realloc = [](void*, std::size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; },
      .image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; },
      .udata_copy = [](void* image) { return image; },
      .udata_free = [](void*) -> herr_t { return 0; },
      .udata = where};
  H5Pset_fapl_core(access, 1, false);
  H5Pset_file_image_callbacks(access, &in_place);
  H5Pset_file_image(access, where, bytes.size());
}

}  // namespace

std::uint64_t end_of_file(const unsigned char* superblock) {
  return little_endian(superblock + 28);
}

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &printer_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eset_auto2(H5E_DEFAULT, print_, printer_);
}

/// An open file, and how much may still be read from it: many names in a file can refer to the same array.
struct Input::File {
  std::string path;
  std::uint64_t size;
  std::uint64_t content;  // that it can still hold beside what was read [byte]
  std::shared_ptr<Budget> budget;
  Handle handle;
};

/// A validated array.
struct Input::Array {
  Handle handle, type;
  std::size_t rows = 0, columns = 1;
};

Input::Input(const Source& source, std::shared_ptr<Budget> budget) : handle_(-1, H5Gclose), name_("/") {
  const std::string& path = source.path;
  const auto size = checked_size(source);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Files are replaced, never modified in place: no lock is needed, and some file systems do not support locks.
  H5Pset_file_locking(access, false, true);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  std::string opened = path;
  if (source.bytes) {
    read_in_place(access, *source.bytes);
    opened = "memory " + std::to_string(reinterpret_cast<std::uintptr_t>(source.bytes->data()));  // one name, one file
  }
  Handle file(H5Fopen(opened.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file) throw FileError(path, "is damaged", "cannot be opened as HDF5");
  file_ = std::make_shared<File>(File{path, size, max_compression * size, std::move(budget), std::move(file)});
  handle_ = Handle(H5Gopen2(file_->handle, "/", H5P_DEFAULT), H5Gclose);
  if (!handle_) throw FileError(path, "is damaged", "has no root group");
}

Input::Input(std::shared_ptr<File> file, Handle handle, std::string name)
    : file_(std::move(file)), handle_(std::move(handle)), name_(std::move(name)) {}

Input::Input(const Input& other)
    : file_(other.file_), handle_(H5Gopen2(other.handle_, ".", H5P_DEFAULT), H5Gclose), name_(other.name_) {}

void Input::renew_budget() const {
  file_->content = max_compression * file_->size;
  file_->budget->renew();
}

const std::shared_ptr<Budget>& Input::budget() const {
  return file_->budget;
}

void Input::take(const std::string& name, std::uint64_t bytes) const {
  Budget& budget = *file_->budget;
  if (bytes > budget.left) refuse(name, std::to_string(bytes) + " bytes", memory_rule(budget.limit));
  budget.left -= bytes;
}

const std::string& Input::path() const {
  return file_->path;
}

std::string Input::where(const std::string& name) const {
  return file_->path + ":" + name_ + name;
}

void Input::refuse(const std::string& name, const std::string& value, const std::string& rule) const {
  throw FileError(where(name), value, rule);
}

bool Input::has(const std::string& name) const {
  const auto found = H5Lexists(handle_, name.c_str(), H5P_DEFAULT);
  if (found < 0) refuse(name, "cannot be looked up", "the file is damaged");
  H5L_info_t link{};
  return found > 0 && H5Lget_info(handle_, name.c_str(), &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

Input Input::group(const std::string& name) const {
  if (!has(name)) refuse(name, "missing", "a dataset needs this group");
  Handle group(H5Gopen2(handle_, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group) refuse(name, "cannot be opened", "must be a group; or the file is damaged");
  return {file_, std::move(group), name_ + name + "/"};
}

bool Input::has_attribute(const std::string& name) const {
  return H5Aexists(handle_, name.c_str()) > 0;
}

void Input::read_attribute(const std::string& name, std::int64_t type, void* value, const char* rule) const {
  if (!has_attribute(name)) refuse("@" + name, "missing", rule);
  const Handle attribute(H5Aopen(handle_, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute) refuse("@" + name, "cannot be opened", "the file is damaged");
  const Handle found(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (!found || !space || H5Tequal(found, type) <= 0 || H5Sget_simple_extent_type(space) != H5S_SCALAR)
    refuse("@" + name, "is of another type", rule);
  if (H5Aread(attribute, type, value) < 0) refuse("@" + name, "cannot be read", "the file is damaged");
}

std::string Input::text(const std::string& name) const {
  constexpr auto rule = "must be a string of fixed length";
  if (!has_attribute(name)) refuse("@" + name, "missing", rule);
  const Handle attribute(H5Aopen(handle_, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute) refuse("@" + name, "cannot be opened", "the file is damaged");
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (!type || !space || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_type(space) != H5S_SCALAR || H5Tget_size(type) > max_attribute_length)
    refuse("@" + name, "is of another type", rule);
  std::string value(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, value.data()) < 0) refuse("@" + name, "cannot be read", "the file is damaged");
  return value.substr(0, value.find('\0'));
}

double Input::number(const std::string& attribute) const {
  double value = 0;
  read_attribute(attribute, H5T_IEEE_F64LE, &value, "must be a number (float64)");
  if (!std::isfinite(value)) refuse("@" + attribute, to_text(value), "must be finite");
  return value;
}

double Input::number_or_nan(const std::string& attribute) const {
  return has_attribute(attribute) ? number(attribute) : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t Input::integer(const std::string& attribute) const {
  std::int64_t value = 0;
  read_attribute(attribute, H5T_STD_I64LE, &value, "must be a whole number (int64)");
  return value;
}

std::uint64_t Input::natural(const std::string& attribute) const {
  std::uint64_t value = 0;
  read_attribute(attribute, H5T_STD_U64LE, &value, "must be a whole number (uint64)");
  return value;
}

Input::Array Input::array(const std::string& name, std::size_t columns) const {
  if (!has(name)) refuse(name, "missing", "a dataset needs this array");
  Handle handle(H5Dopen2(handle_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!handle) refuse(name, "cannot be opened", "must be an array; or the file is damaged");
  Handle type(H5Dget_type(handle), H5Tclose);
  const Handle space(H5Dget_space(handle), H5Sclose), properties(H5Dget_create_plist(handle), H5Pclose);
  const int rank = columns == 0 ? 1 : 2;
  std::array<hsize_t, 2> shape{0, 1};
  if (!type || !space || H5Sis_simple(space) <= 0 || H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, shape.data(), nullptr) != rank || (columns > 0 && shape[1] != columns))
    refuse(name, "has another shape",
           columns == 0 ? "must be a list" : "must be a table of " + std::to_string(columns) + " columns");

  // Only what thud writes itself: no external storage, no other filters.
  std::array<hsize_t, 2> chunk{1, 1};
  bool known =
      properties && H5Pget_layout(properties) == H5D_CHUNKED && H5Pget_chunk(properties, 2, chunk.data()) == rank;
  const int filters = known ? H5Pget_nfilters(properties) : 0;
  for (int i = 0; known && i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const auto filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32;
  }
  if (!known) refuse(name, "is stored in another way", "must be in chunks, with deflate, shuffle and fletcher32 alone");

  // Memory is allocated only for what the file can hold, whatever it claims.
  const std::uint64_t element = H5Tget_size(type), stored = H5Dget_storage_size(handle);
  const auto fits = [&](const std::array<hsize_t, 2>& extent, std::uint64_t bytes) {
    return element > 0 && extent[0] <= max_rows && extent[1] <= max_rows && extent[0] * extent[1] <= bytes / element;
  };
  if (stored > file_->size || !fits(shape, max_compression * stored) || !fits(chunk, max_compression * stored) ||
      !fits(shape, file_->content))
    refuse(name, std::to_string(shape[0]) + " x " + std::to_string(shape[1]), "is larger than the file can hold");
  if (!fits(chunk, file_->budget->left))
    refuse(name, std::to_string(chunk[0]) + " x " + std::to_string(chunk[1]), memory_rule(file_->budget->limit));
  take(name, shape[0] * shape[1] * element);
  file_->content -= shape[0] * shape[1] * element;
  return {std::move(handle), std::move(type), static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1])};
}

MatrixX Input::numbers(const std::string& name, std::size_t columns, Finite finite) const {
  const auto found = array(name, columns);
  if (H5Tequal(found.type, H5T_IEEE_F64LE) <= 0) refuse(name, "is of another type", "must be of numbers (float64)");
  MatrixX rows(static_cast<Eigen::Index>(found.columns), static_cast<Eigen::Index>(found.rows));
  if (H5Dread(found.handle, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0)
    refuse(name, "cannot be read", "the file is damaged");
  for (Eigen::Index i = 0; i < rows.size(); ++i)
    if (!std::isfinite(rows.data()[i]) && !(finite == Finite::or_nan && std::isnan(rows.data()[i])))
      refuse(name + "[" + std::to_string(i / rows.rows()) + "]", to_text(rows.data()[i]), "must be finite");
  return rows.transpose();
}

Integers Input::integers(const std::string& name) const {
  const auto found = array(name, 0);
  if (H5Tequal(found.type, H5T_STD_I64LE) <= 0) refuse(name, "is of another type", "must be of whole numbers (int64)");
  Integers values(found.rows);
  if (H5Dread(found.handle, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    refuse(name, "cannot be read", "the file is damaged");
  return values;
}

Texts Input::texts(const std::string& name, std::size_t columns) const {
  const auto found = array(name, columns);
  if (H5Tget_class(found.type) != H5T_STRING || H5Tis_variable_str(found.type) != 0)
    refuse(name, "is of another type", "must be of strings of fixed length");
  const std::size_t length = H5Tget_size(found.type), count = found.rows * found.columns;
  if (count > max_texts) refuse(name, std::to_string(count), "are more strings than a dataset can have");
  take(name, count * text_overhead);
  std::string table(length * count, '\0');
  if (H5Dread(found.handle, found.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()) < 0)
    refuse(name, "cannot be read", "the file is damaged");
  Texts values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view cell(table.data() + i * length, length);
    values.emplace_back(cell.substr(0, cell.find('\0')));
  }
  return values;
}

}  // namespace thud::dataset::hdf5
