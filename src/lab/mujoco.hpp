#pragma once

/// Private: what all users of MuJoCo's C API here need.

#include <mujoco/mujoco.h>

namespace thud::lab {

struct MujocoDeleter {
  void operator()(mjModel* model) const noexcept { mj_deleteModel(model); }
  void operator()(mjData* data) const noexcept { mj_deleteData(data); }
  void operator()(mjSpec* spec) const noexcept { mj_deleteSpec(spec); }
};

/// MuJoCo writes warnings to a log file unless a handler is set.
void silence_mujoco_warnings();

}  // namespace thud::lab
