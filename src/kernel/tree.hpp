#pragma once

/// A robot and a contact point as the kernel wants them, and its memory. Private to the library.

#include <thud/robot.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include "kernel/kernel.hpp"

namespace thud::kernel {

struct Tree {
  std::vector<ArmJoint> joints;
  std::vector<double> rows, in_subtree;
  Arm arm;  // of these joints

  /// Throws what Workspace throws.
  Tree(const Robot& robot, const ContactPoint& point);
  Tree(const Tree&) = delete;

 private:
  void build_rows();
};

/// Unit length. Throws InputError for a normal that is zero or not finite.
Vector3 unit_normal(const Vector3& normal);

/// Scratch memory of an instruction set for so many joints: whole pages, of which the first cache holds the more the
/// fewer they are.
class Scratch {
 public:
  Scratch(const InstructionSet& set, long joints);
  void* data() noexcept { return pages_.get(); }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  std::unique_ptr<Page[]> pages_;
};

}  // namespace thud::kernel
