#pragma once

/// Which instance of the posture kernel serves an arm, and the arm as that instance takes it. Private to the library.

#include <algorithm>
#include <vector>

#include "gpu/posture.hpp"

namespace thud::gpu {

template <class To>
void copy_contact(const kernel::Arm& from, To& to) {
  to.contact_chain = from.contact_chain;
  to.mass = from.mass;
  for (int k = 0; k < 3; ++k) to.offset[k] = from.offset[k], to.normal_W[k] = from.normal_W[k];
}

template <int N>
FixedArm<N> fixed(const kernel::Arm& arm) {
  FixedArm<N> out{};
  std::copy_n(arm.joints, N, out.joints);
  out.contact_joint = arm.contact_joint;
  copy_contact(arm, out);
  return out;
}

/// A tree in the order of the walk.
class Walk {
 public:
  explicit Walk(const kernel::Arm& arm)
      : position_(static_cast<std::size_t>(arm.size)), after_(static_cast<std::size_t>(arm.size)) {
    visit(arm, -1, -1);
    view_.size = arm.size;
    view_.contact_joint = position_[static_cast<std::size_t>(arm.contact_joint)];
    copy_contact(arm, view_);
  }

  /// Valid as long as this.
  TreeInMemory in_memory() const {
    TreeInMemory out = view_;
    out.joints = joints_.data(), out.column = column_.data(), out.position = position_.data();
    out.after = after_.data();
    return out;
  }

  /// For at most most_by_value joints.
  TreeByValue by_value() const {
    TreeByValue out{};
    std::ranges::copy(joints_, out.joints);
    std::ranges::copy(column_, out.column);
    std::ranges::copy(position_, out.position);
    std::ranges::copy(after_, out.after);
    out.size = view_.size, out.contact_joint = view_.contact_joint, out.contact_chain = view_.contact_chain;
    out.mass = view_.mass;
    std::ranges::copy(view_.offset, out.offset);
    std::ranges::copy(view_.normal_W, out.normal_W);
    return out;
  }

 private:
  void visit(const kernel::Arm& arm, long parent, int at) {
    for (const bool moves_contact : {false, true})
      for (long i = parent + 1; i < arm.size; ++i) {
        if (arm.joints[i].parent != parent || arm.joints[i].moves_contact != moves_contact) continue;
        const auto joint = static_cast<std::size_t>(i);
        const auto here = static_cast<int>(joints_.size());
        position_[joint] = here;
        column_.push_back(static_cast<int>(i));
        joints_.push_back(arm.joints[i]);
        joints_.back().parent = at;
        visit(arm, i, here);
        after_[joint] = static_cast<int>(joints_.size());
      }
  }

  std::vector<kernel::ArmJoint> joints_;
  std::vector<int> column_, position_, after_;
  TreeInMemory view_{};
};

/// Calls launcher.chain<N>(arm) for chains of 6 and 7 joints, else launcher.tree(walk).
template <class Launcher>
void dispatch(const kernel::Arm& arm, Launcher&& launcher) {
  if (arm.serial && arm.size == 7) return launcher.template chain<7>(fixed<7>(arm));
  if (arm.serial && arm.size == 6) return launcher.template chain<6>(fixed<6>(arm));
  launcher.tree(Walk(arm));
}

}  // namespace thud::gpu
