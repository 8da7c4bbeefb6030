#pragma once

/// What the studio works with: robots, drives and limits that ship, and files that were opened.

#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../arguments.hpp"
#include "../sources.hpp"

namespace thud::cli {

/// A mesh that a robot's description names and that exists.
struct Mesh {
  std::string name;  // as the description has it
  std::string path;
  std::size_t bytes = 0;
};

/// A robot that is kept, with its description.
struct KeptRobot {
  Robot robot;
  std::string urdf;  // empty for MJCF
  std::vector<Mesh> meshes;
};

/// A file that was named on the command line or dropped on the page.
struct OpenedFile {
  std::string id;          // the same for the same name and content, also after a restart
  std::string name, kind;  // "record", "robot", "dataset", "drives" or "limits"
  std::size_t bytes = 0;
  std::string text;  // of records, drives and limits; the bytes of a dataset that was dropped
  std::string path;  // as the command line named it; empty where it was dropped
  std::shared_ptr<const KeptRobot> robot;
  Json info;  // what `thud info --json` prints, or null
  bool dropped = false;

  Json json() const;
  FileError renamed(const FileError& error) const;
  DatasetReader dataset() const;
};

/// Calls, and what they refuse is told with the file's own name in the place of its path.
template <class Call>
auto with_own_name(const OpenedFile& file, const Call& call) {
  try {
    return call();
  } catch (const FileError& error) {
    throw file.renamed(error);
  }
}

/// Names lead to what ships and to the ids of opened files, and to nothing else on the disk.
class Opened : public Sources {
 public:
  /// A file by its path, or a shipped robot by its name. Returns what the studio calls it. Throws as `thud info` does.
  std::string open(const std::string& subject);

  /// A file that was dropped, by its name's ending. It stays in memory. One that is open already is not opened again.
  /// Throws InputError, also beyond what is kept, and FileError.
  std::shared_ptr<const OpenedFile> drop(const std::string& name, std::string content);
  void close(const std::string& id);

  /// Throws InputError unless there is such a file, of that kind where one is told.
  std::shared_ptr<const OpenedFile> file(const std::string& id, const std::string& kind = "") const;
  std::vector<std::shared_ptr<const OpenedFile>> files() const;

  std::shared_ptr<const KeptRobot> kept_robot(const std::string& name) const;
  Robot robot(const std::string& name, const UrdfLimits& limits = {}) const override;
  Drives drives(const std::string& name, const Robot& robot) const override;
  std::string limits_text(const std::string& name) const override;

 private:
  void require_room(const OpenedFile& file) const;
  std::shared_ptr<const OpenedFile> known(const std::string& id) const;  // or null
  std::shared_ptr<const OpenedFile> keep(OpenedFile file);

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const OpenedFile>> files_;
  mutable std::map<std::string, std::shared_ptr<const KeptRobot>> shipped_;
};

}  // namespace thud::cli
