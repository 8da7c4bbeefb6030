#pragma once

/// Private: the little of HDF5 that datasets need, with every object checked before it is used.
///
/// Files are built in memory and leave it whole, so that no disk can fail in the middle of the library. What is
/// written has checksums throughout: format 1.10 for the metadata, Fletcher's for the arrays, and no strings of
/// variable length, whose heaps have none. There are no time stamps: the same data are the same bytes.

#include <thud/conventions.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace thud::dataset::hdf5 {

/// Holds the library, which is not safe for threads, and keeps it from printing. Whatever follows needs one alive.
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

/// Where a file ends, by its superblock of version 2 or 3, which has 48 bytes.
std::uint64_t end_of_file(const unsigned char* superblock);

/// An object of the library, closed on every way out.
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

/// What a person with a browser of HDF5 files reads beside an array.
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

  /// Arrays; one without elements is left out. Texts stand in rows of so many columns.
  void numbers(const std::string& name, const double* values, std::size_t count, const Label& label) const;
  void numbers(const std::string& name, const MatrixX& values, const Label& label) const;
  void integers(const std::string& name, const Integers& values, const Label& label) const;
  void texts(const std::string& name, const Texts& values, const Label& label, std::size_t columns = 1) const;

  /// A name for a group of another file, which need not exist yet.
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

  /// Closes the file. Every Output must be gone by then.
  std::string bytes();

 private:
  std::string image_;
  Handle file_;
};

/// A group of a file that is being read. Every function throws FileError naming the file, the object and what is wrong.
class Input {
 public:
  /// The root of a file.
  explicit Input(const std::string& path);
  Input(const Input& other);
  Input(Input&&) = default;

  bool has(const std::string& name) const;  ///< links to other places do not count
  Input group(const std::string& name) const;
  void renew_budget() const;                         ///< of the file, for one that stays open and is read again
  const std::string& path() const;                   ///< of the file
  std::string where(const std::string& name) const;  ///< a part of this group, for messages

  bool has_attribute(const std::string& name) const;
  std::string text(const std::string& attribute) const;
  double number(const std::string& attribute) const;
  double number_or_nan(const std::string& attribute) const;
  std::int64_t integer(const std::string& attribute) const;
  std::uint64_t natural(const std::string& attribute) const;

  /// Arrays of any number of rows; `columns` 0 is a list, which has one dimension.
  enum class Finite { all, or_nan };
  MatrixX numbers(const std::string& name, std::size_t columns = 0, Finite finite = Finite::all) const;
  Integers integers(const std::string& name) const;
  Texts texts(const std::string& name, std::size_t columns = 0) const;

 private:
  struct File;
  struct Array;
  Input(std::shared_ptr<File> file, Handle handle, std::string name);
  Array array(const std::string& name, std::size_t columns) const;
  void read_attribute(const std::string& name, std::int64_t type, void* value, const char* rule) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& rule) const;

  std::shared_ptr<File> file_;
  Handle handle_;
  std::string name_;  ///< path in the file, with a slash at its end
};

}  // namespace thud::dataset::hdf5
