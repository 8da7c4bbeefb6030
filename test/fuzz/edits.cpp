#include "edits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <hdf5.h>

#include "dataset/hdf5.hpp"

namespace {

using thud::dataset::hdf5::Handle;

constexpr int most_edits = 16;  // an input could ask for thousands

/// Memory that the library frees is kept for its next file: each asks for half a megabyte. H5dont_atexit is the
/// readers', and must come before anything else of the library.
[[maybe_unused]] const bool memory_kept = (H5dont_atexit(), H5set_free_list_limits(-1, -1, -1, -1, -1, -1) >= 0);

/// A file that is edited in memory: the library writes into the string.
struct Image {
  std::string_view original;
  std::string bytes;
};

/// The library asks for memory of its property lists too: theirs is the original, which nobody writes.
void* memory_for(std::size_t size, H5FD_file_image_op_t purpose, void* udata) {
  auto& image = *static_cast<Image*>(udata);
  if (purpose != H5FD_FILE_IMAGE_OP_FILE_OPEN && purpose != H5FD_FILE_IMAGE_OP_FILE_RESIZE)
    return const_cast<char*>(image.original.data());
  image.bytes.resize(size);
  return image.bytes.data();
}

Handle opened(Image& image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t step = 1 << 14;
  H5FD_file_image_callbacks_t in_memory{
      .image_malloc = memory_for,
      .image_memcpy = [](void* to, const void* from, std::size_t size, H5FD_file_image_op_t,
                         void*) { return to == from ? to : std::memcpy(to, from, size); },
      .image_realloc = [](void*, std::size_t size, H5FD_file_image_op_t purpose,
                          void* udata) { return memory_for(size, purpose, udata); },
      .image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; },
      .udata_copy = [](void* udata) { return udata; },
      .udata_free = [](void*) -> herr_t { return 0; },
      .udata = &image};
  H5Pset_fapl_core(access, step, false);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_file_image_callbacks(access, &in_memory);
  H5Pset_file_image(access, const_cast<char*>(image.original.data()), image.original.size());
  return {H5Fopen("edited", H5F_ACC_RDWR, access), H5Fclose};
}

/// What is left of the input.
class Choices {
 public:
  explicit Choices(std::string_view input) : input_(input) {}

  bool more() const { return !input_.empty(); }
  std::size_t below(std::size_t count) {
    if (count == 0 || input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte % count;
  }
  std::string_view text(std::size_t longest) {
    const std::size_t length = std::min(below(longest + 1), input_.size());
    const std::string_view taken = input_.substr(0, length);
    input_.remove_prefix(length);
    return taken;
  }
  /// So many bytes of the input, again and again.
  std::string bytes(std::size_t count) {
    const std::string_view some = text(16);
    std::string all(count, '\0');
    for (std::size_t i = 0; i < count && !some.empty(); ++i) all[i] = some[i % some.size()];
    return all;
  }

 private:
  std::string_view input_;
};

std::vector<std::string> objects_of(hid_t file) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5O_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add, &names, H5O_INFO_BASIC);
  return names;
}

std::vector<std::string> attributes_of(hid_t object) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  hsize_t at = 0;
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, add, &names);
  return names;
}

template <class Name>
const Name& chosen(const std::vector<Name>& names, Choices& choices) {
  static const Name none;
  return names.empty() ? none : names[choices.below(names.size())];
}

/// One that there is, mostly.
std::string some_name(const std::vector<std::string>& names, Choices& choices) {
  return choices.below(3) == 0 ? std::string(choices.text(12)) : chosen(names, choices);
}

Handle some_type(Choices& choices) {
  const std::array<hid_t, 6> numbers{H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_U64LE,
                                     H5T_IEEE_F32LE, H5T_STD_U8LE,  H5T_IEEE_F64BE};
  const std::size_t which = choices.below(numbers.size() + 3);
  if (which < numbers.size()) return {H5Tcopy(numbers[which]), H5Tclose};
  Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text, 1 + choices.below(40));
  H5Tset_strpad(text, choices.below(4) == 0 ? H5T_STR_SPACEPAD : H5T_STR_NULLPAD);
  if (choices.below(4) == 0) H5Tset_cset(text, H5T_CSET_UTF8);
  return text;
}

Handle some_space(Choices& choices, int most_dimensions) {
  const auto rank = static_cast<int>(choices.below(static_cast<std::size_t>(most_dimensions) + 1));
  if (rank == 0) return {H5Screate(H5S_SCALAR), H5Sclose};
  std::array<hsize_t, 3> shape{};
  for (int i = 0; i < rank; ++i) shape[static_cast<std::size_t>(i)] = choices.below(20);
  return {H5Screate_simple(rank, shape.data(), nullptr), H5Sclose};
}

std::size_t size_of(hid_t type, hid_t space) {
  const auto count = H5Sget_simple_extent_npoints(space);
  return count < 0 ? 0 : static_cast<std::size_t>(count) * H5Tget_size(type);
}

/// Values in the place of those of an array that is there.
void write_values(hid_t file, const std::string& name, Choices& choices) {
  const Handle array(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!array) return;
  const Handle type(H5Dget_type(array), H5Tclose), space(H5Dget_space(array), H5Sclose);
  const std::string values = choices.bytes(size_of(type, space));
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void replace_array(hid_t file, const std::string& name, Choices& choices) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const Handle type = some_type(choices), space = some_space(choices, 3);
  const Handle array(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!array) return;
  const std::string values = choices.bytes(size_of(type, space));
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void replace_attribute(hid_t file, const std::string& object_name, Choices& choices, bool remove_only) {
  const Handle object(H5Oopen(file, object_name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) return;
  const std::string name = some_name(attributes_of(object), choices);
  H5Adelete(object, name.c_str());
  if (remove_only) return;
  const Handle type = some_type(choices), space = some_space(choices, 1);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute) return;
  const std::string values = choices.bytes(size_of(type, space));
  H5Awrite(attribute, type, values.data());
}

void edit(hid_t file, const std::vector<std::string>& objects, Choices& choices) {
  const std::string name = chosen(objects, choices);
  switch (choices.below(9)) {
    case 0:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      break;
    case 1:
      H5Lmove(file, name.c_str(), file, some_name(objects, choices).c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:  // perhaps a group in itself
      H5Lcreate_hard(file, name.c_str(), file, (some_name(objects, choices) + "/again").c_str(), H5P_DEFAULT,
                     H5P_DEFAULT);
      break;
    case 3:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      H5Lcreate_soft(some_name(objects, choices).c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 4:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      H5Lcreate_external("/etc/passwd", "/", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 5:
      write_values(file, name, choices);
      break;
    case 6:
      replace_array(file, name, choices);
      break;
    default:
      replace_attribute(file, name, choices, choices.below(4) == 0);
  }
}

}  // namespace

std::string edited(std::string_view original, std::string_view input) {
  Image image{original, {}};
  {
    const thud::dataset::hdf5::Session session;
    const Handle file = opened(image);
    const std::vector<std::string> objects = file ? objects_of(file) : std::vector<std::string>{};
    Choices choices(input);
    for (int edits = 0; file && choices.more() && edits < most_edits; ++edits) edit(file, objects, choices);
  }
  // Memory grows in steps; the superblock tells where the file ends.
  image.bytes.resize(thud::dataset::hdf5::end_of_file(reinterpret_cast<const unsigned char*>(image.bytes.data())));
  return std::move(image.bytes);
}
