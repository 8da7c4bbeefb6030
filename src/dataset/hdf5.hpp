#pragma once

/// Private: the subset of HDF5 that datasets need, with every object checked before it is used.
///
/// Files are built in memory and written in one piece, so that no disk error can occur inside the library. Everything
/// written has checksums: format 1.10 for the metadata, Fletcher32 for the arrays, and no strings of variable length,
/// whose heaps have none. There are no time stamps: the same data give the same bytes.

#include <thud/conventions.hpp>
#include <thud/dataset.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thud::dataset::hdf5 {

/// Locks the HDF5 library, which is not thread-safe, and keeps it from printing. Everything below needs a live one.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  void* printer_ = nullptr;
  int (*print_)(std::int64_t, void*) = nullptr;
};

/// End of a file according to its superblock of version 2 or 3, which has 48 bytes.
std::uint64_t end_of_file(const unsigned char* superblock);

/// RAII wrapper of an HDF5 object.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator std::int64_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  std::int64_t id_;
  Close close_;
};

/// What an HDF5 browser shows beside an array.
struct Label {
  const char* unit;
  const char* meaning;
};

using Texts = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

/// A group that is being written.
class Output {
 public:
  explicit Output(Handle handle) : handle_(std::move(handle)) {}

  Output group(const std::string& name) const;
  void attribute(const std::string& name, const std::string& text) const;
  void attribute(const std::string& name, double value) const;
  void attribute(const std::string& name, std::int64_t value) const;
  void attribute(const std::string& name, std::uint64_t value) const;

  /// Arrays; an empty one is omitted. Texts are written in rows of `columns`.
  void numbers(const std::string& name, const double* values, std::size_t count, const Label& label) const;
  void numbers(const std::string& name, const MatrixX& values, const Label& label) const;
  void integers(const std::string& name, const Integers& values, const Label& label) const;
  void texts(const std::string& name, const Texts& values, const Label& label, std::size_t columns = 1) const;

  /// An external link to a group of another file, which need not exist yet.
  void link(const std::string& name, const std::string& file, const std::string& object) const;

 private:
  Handle handle_;
};

/// A file in memory.
class NewFile {
 public:
  NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  Output root() const;

  /// Closes the file. Every Output must have been destroyed before.
  std::string bytes();

 private:
  std::string image_;
  Handle file_;
};

/// Memory for what is read, from one file or several [byte].
struct Budget {
  explicit Budget(std::uint64_t memory) : limit(memory), left(memory) {}
  void renew() { left = limit; }

  std::uint64_t limit, left;
};

/// What is read: a file on the disk, or the bytes of one, which must stay where they are. Of these the path is a name.
struct Source {
  Source(std::string file) : path(std::move(file)) {}
  Source(std::string name, std::string_view content) : path(std::move(name)), bytes(content) {}

  std::string path;
  std::optional<std::string_view> bytes;
};

/// A group of a file that is being read. Every function throws FileError naming the file, the object and what is wrong.
class Input {
 public:
  /// The root of a file, whose arrays take their memory from a budget.
  Input(const Source& source, std::shared_ptr<Budget> budget);
  Input(const Input& other);
  Input(Input&&) = default;

  bool has(const std::string& name) const;  ///< external and soft links do not count
  Input group(const std::string& name) const;
  /// From here on the whole budget may be read again, and all that the file can hold.
  void renew_budget() const;
  const std::shared_ptr<Budget>& budget() const;
  const std::string& path() const;                   ///< of the file
  std::string where(const std::string& name) const;  ///< a part of this group, for messages

  bool has_attribute(const std::string& name) const;
  std::string text(const std::string& attribute) const;
  double number(const std::string& attribute) const;
  double number_or_nan(const std::string& attribute) const;
  std::int64_t integer(const std::string& attribute) const;
  std::uint64_t natural(const std::string& attribute) const;

  /// Arrays of any number of rows; `columns` 0 means a list, of one dimension.
  enum class Finite { all, or_nan };
  MatrixX numbers(const std::string& name, std::size_t columns = 0, Finite finite = Finite::all) const;
  Integers integers(const std::string& name) const;
  Texts texts(const std::string& name, std::size_t columns = 0) const;

 private:
  struct File;
  struct Array;
  Input(std::shared_ptr<File> file, Handle handle, std::string name);
  Array array(const std::string& name, std::size_t columns) const;
  void take(const std::string& name, std::uint64_t bytes) const;
  void read_attribute(const std::string& name, std::int64_t type, void* value, const char* rule) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& rule) const;

  std::shared_ptr<File> file_;
  Handle handle_;
  std::string name_;  ///< path in the file, with a trailing slash
};

}  // namespace thud::dataset::hdf5
