#pragma once

/// Where the names of robots, drives and limits lead.

#include <thud/drives.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <string>

namespace thud::cli {

/// For a command: what ships, and files. The studio leads them to what ships and what was opened, and nowhere else.
class Sources {
 public:
  virtual ~Sources() = default;
  virtual Robot robot(const std::string& name, const UrdfLimits& limits = {}) const;
  virtual Drives drives(const std::string& name, const Robot& robot) const;
  virtual std::string limits_text(const std::string& name) const;
};

}  // namespace thud::cli
