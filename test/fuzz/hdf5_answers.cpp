#include "hdf5_answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include <hdf5.h>

namespace {

struct Object {
  char kind = 'g';
  std::size_t size = 8;  // of an element [byte]
  std::string flags;
  std::vector<hsize_t> shape;
  hsize_t stored = 0, chunk_rows = 0;
  std::vector<std::string> values;

  bool is(char flag) const { return flags.find(flag) != std::string::npos; }
  hsize_t count() const {
    hsize_t product = 1;
    for (const hsize_t length : shape) product *= length;
    return product;
  }
};

/// What a handle refers to: an object, or its type, space or properties.
struct Held {
  std::string path;
  const Object* object;
  bool open = true;
};

std::unordered_map<std::string, Object> objects;
std::vector<Held> held;
constexpr hid_t first_handle = 1000;

enum Type : hid_t { float64 = 1, int64, uint64, native_float64, native_int64, native_uint64 };

/// The library's types are variables, which it would set itself.
[[maybe_unused]] const bool types_set = [] {
  H5T_IEEE_F64LE_g = float64;
  H5T_STD_I64LE_g = int64;
  H5T_STD_U64LE_g = uint64;
  H5T_NATIVE_DOUBLE_g = native_float64;
  H5T_NATIVE_INT64_g = native_int64;
  H5T_NATIVE_UINT64_g = native_uint64;
  return true;
}();

// The text.

std::string_view until(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

hsize_t number(std::string_view& text) {
  hsize_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::vector<std::string> values_of(std::string_view text) {
  std::vector<std::string> values;
  do {
    std::string value(until(text, '|'));
    for (std::size_t at = 0; (at = value.find("\\n", at)) != std::string::npos; ++at) value.replace(at, 2, "\n");
    values.push_back(value);
  } while (!text.empty());
  return values;
}

void read_shape(std::string_view text, Object& object) {
  std::string_view lengths = until(text, ':');
  while (!lengths.empty()) {
    std::string_view length = until(lengths, 'x');
    object.shape.push_back(number(length));
  }
  std::string_view stored = until(text, ':');
  constexpr hsize_t enough = 64;  // 1100 times as much can be in it
  object.stored = stored.empty() ? enough : number(stored);
  object.chunk_rows = !text.empty() ? number(text) : object.shape.empty() ? 0 : object.shape[0];
}

void read_line(std::string_view line) {
  std::string_view what = until(line, ' ');
  const std::string path(until(line, ' '));
  if (what.empty()) return;
  Object object;
  object.kind = what.front();
  what.remove_prefix(1);
  const hsize_t size = number(what);
  object.flags = what;
  const bool attribute = path.find('@') != std::string::npos;
  if (!attribute && object.kind != 'g') read_shape(until(line, ' '), object);
  object.values = values_of(line);
  if (std::string_view("tvo").find(object.kind) != std::string_view::npos) {
    object.size = std::max<std::size_t>(size, size == 0);
    if (size == 0)
      for (const auto& value : object.values) object.size = std::max(object.size, value.size());
  }
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    objects.try_emplace(path.substr(0, slash));  // the groups above
  if (attribute) objects.try_emplace(path.substr(0, path.find('@')));
  objects.insert_or_assign(path, std::move(object));
}

// Handles.

hid_t hold(std::string path, const Object* object) {
  held.push_back({std::move(path), object});
  return first_handle + static_cast<hid_t>(held.size()) - 1;
}

Held& at(hid_t handle) {
  if (handle < first_handle || handle - first_handle >= static_cast<hid_t>(held.size())) std::abort();
  Held& found = held[static_cast<std::size_t>(handle - first_handle)];
  if (!found.open) std::abort();
  return found;
}

const Object& object(hid_t handle) {
  return *at(handle).object;
}

herr_t close(hid_t handle) {
  at(handle).open = false;
  return 0;
}

std::string path_of(hid_t group, std::string_view name) {
  const std::string& path = at(group).path;
  if (name == "/" || name == ".") return name == "/" ? "" : path;
  return path.empty() ? std::string(name) : path + "/" + std::string(name);
}

const Object* find(const std::string& path) {
  const auto found = objects.find(path);
  return found == objects.end() ? nullptr : &found->second;
}

hid_t open(const std::string& path, bool as_group) {
  const Object* found = find(path);
  if (!found || found->is('?') || (found->kind == 'g') != as_group) return -1;
  return hold(path, found);
}

/// A part of an object, unless the flag says that it has none.
hid_t part(hid_t handle, char flag) {
  const Held& whole = at(handle);
  return whole.object->is(flag) ? -1 : hold(whole.path, whole.object);
}

htri_t exists(const std::string& path) {
  const Object* found = find(path);
  return found && found->is('x') ? -1 : found != nullptr;
}

std::string attribute_path(hid_t group, const char* name) {
  return at(group).path + "@" + name;
}

// Values.

template <class Number>
void put(void* buffer, hsize_t at, Number value) {
  std::memcpy(static_cast<std::byte*>(buffer) + at * sizeof value, &value, sizeof value);
}

herr_t fill(const Object& object, hid_t type, hsize_t count, void* buffer) {
  if (object.is('!')) return -1;
  for (hsize_t i = 0; i < count; ++i) {
    const std::string& value = object.values[i % object.values.size()];
    switch (type) {
      case float64:
      case native_float64:
        put(buffer, i, std::strtod(value.c_str(), nullptr));
        break;
      case int64:
      case native_int64:
        put(buffer, i, static_cast<std::int64_t>(std::strtoll(value.c_str(), nullptr, 10)));
        break;
      case uint64:
      case native_uint64:
        put(buffer, i, static_cast<std::uint64_t>(std::strtoull(value.c_str(), nullptr, 10)));
        break;
      default: {
        const std::size_t size = ::object(type).size;
        char* const cell = static_cast<char*>(buffer) + i * size;
        std::memset(cell, 0, size);
        value.copy(cell, size);
      }
    }
  }
  return 0;
}

}  // namespace

void answer_with(std::string_view text) {
  objects.try_emplace("");
  while (!text.empty()) read_line(until(text, '\n'));
}

bool forget_answers() {
  const bool all_closed = std::ranges::none_of(held, &Held::open);
  objects = {};  // nothing may be left, or the fuzzer looks for leaks after each input
  held = {};
  return all_closed;
}

// The library's own names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

herr_t H5open() {
  return 0;
}
herr_t H5dont_atexit() {
  return 0;
}
herr_t H5Eget_auto2(hid_t, H5E_auto2_t* print, void** printer) {
  *print = nullptr, *printer = nullptr;
  return 0;
}
herr_t H5Eset_auto2(hid_t, H5E_auto2_t, void*) {
  return 0;
}

hid_t H5Pcreate(hid_t) {
  return hold("", nullptr);
}
herr_t H5Pset_file_locking(hid_t, hbool_t, hbool_t) {
  return 0;
}
herr_t H5Pset_fclose_degree(hid_t, H5F_close_degree_t) {
  return 0;
}
herr_t H5Pset_fapl_core(hid_t, std::size_t, hbool_t) {
  return 0;
}
herr_t H5Pset_file_image_callbacks(hid_t, H5FD_file_image_callbacks_t*) {
  return 0;
}
herr_t H5Pset_file_image(hid_t, void*, std::size_t) {
  return 0;
}
herr_t H5Pclose(hid_t handle) {
  return close(handle);
}

hid_t H5Fopen(const char*, unsigned, hid_t) {
  const Object* root = find("");
  return root->is('x') ? -1 : hold("", root);
}
herr_t H5Fclose(hid_t handle) {
  return close(handle);
}

hid_t H5Gopen2(hid_t group, const char* name, hid_t) {
  return open(path_of(group, name), true);
}
herr_t H5Gclose(hid_t handle) {
  return close(handle);
}

htri_t H5Lexists(hid_t group, const char* name, hid_t) {
  return exists(path_of(group, name));
}
herr_t H5Lget_info(hid_t group, const char* name, H5L_info_t* info, hid_t) {
  const Object* found = find(path_of(group, name));
  if (!found) return -1;
  info->type = found->is('~') ? H5L_TYPE_SOFT : H5L_TYPE_HARD;
  return 0;
}

htri_t H5Aexists(hid_t group, const char* name) {
  return exists(attribute_path(group, name));
}
hid_t H5Aopen(hid_t group, const char* name, hid_t) {
  return open(attribute_path(group, name), false);
}
hid_t H5Aget_type(hid_t attribute) {
  return part(attribute, 'y');
}
hid_t H5Aget_space(hid_t attribute) {
  return part(attribute, 's');
}
herr_t H5Aread(hid_t attribute, hid_t type, void* value) {
  return fill(object(attribute), type, 1, value);
}
herr_t H5Aclose(hid_t handle) {
  return close(handle);
}

hid_t H5Dopen2(hid_t group, const char* name, hid_t) {
  return open(path_of(group, name), false);
}
hid_t H5Dget_type(hid_t array) {
  return part(array, 'y');
}
hid_t H5Dget_space(hid_t array) {
  return part(array, 's');
}
hid_t H5Dget_create_plist(hid_t array) {
  return part(array, 'p');
}
hsize_t H5Dget_storage_size(hid_t array) {
  return object(array).stored;
}
herr_t H5Dread(hid_t array, hid_t type, hid_t, hid_t, hid_t, void* values) {
  return fill(object(array), type, object(array).count(), values);
}
herr_t H5Dclose(hid_t handle) {
  return close(handle);
}

htri_t H5Tequal(hid_t type, hid_t wanted) {
  const char kind = object(type).kind;
  return (kind == 'f' && wanted == float64) || (kind == 'i' && wanted == int64) || (kind == 'u' && wanted == uint64);
}
H5T_class_t H5Tget_class(hid_t type) {
  switch (object(type).kind) {
    case 'f':
      return H5T_FLOAT;
    case 'i':
    case 'u':
      return H5T_INTEGER;
    case 't':
    case 'v':
      return H5T_STRING;
    default:
      return H5T_OPAQUE;
  }
}
htri_t H5Tis_variable_str(hid_t type) {
  return object(type).kind == 'v';
}
std::size_t H5Tget_size(hid_t type) {
  return object(type).size;
}
herr_t H5Tclose(hid_t handle) {
  return close(handle);
}

htri_t H5Sis_simple(hid_t space) {
  return !object(space).is('n');
}
H5S_class_t H5Sget_simple_extent_type(hid_t space) {
  if (object(space).is('n')) return H5S_NULL;
  return object(space).is('a') ? H5S_SIMPLE : H5S_SCALAR;
}
int H5Sget_simple_extent_ndims(hid_t space) {
  return static_cast<int>(object(space).shape.size());
}
int H5Sget_simple_extent_dims(hid_t space, hsize_t* lengths, hsize_t*) {
  std::ranges::copy(object(space).shape, lengths);
  return static_cast<int>(object(space).shape.size());
}
herr_t H5Sclose(hid_t handle) {
  return close(handle);
}

H5D_layout_t H5Pget_layout(hid_t properties) {
  return object(properties).is('c') ? H5D_CONTIGUOUS : H5D_CHUNKED;
}
int H5Pget_chunk(hid_t properties, int most, hsize_t* chunk) {
  const Object& array = object(properties);
  for (int i = 0; i < most && i < static_cast<int>(array.shape.size()); ++i)
    chunk[i] = i == 0 ? array.chunk_rows : array.shape[static_cast<std::size_t>(i)];
  return static_cast<int>(array.shape.size());
}
int H5Pget_nfilters(hid_t) {
  return 3;
}
H5Z_filter_t H5Pget_filter2(hid_t properties, unsigned which, unsigned*, std::size_t*, unsigned*, std::size_t, char*,
                            unsigned*) {
  constexpr std::array known{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  return object(properties).is('z') ? H5Z_FILTER_SZIP : known[which % known.size()];
}
}
// NOLINTEND(readability-identifier-naming)
