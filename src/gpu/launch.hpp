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
  explicit Walk(const kernel::Arm& arm) : places_(static_cast<std::size_t>(arm.size)) {
    visit(arm, -1, -1, 0);
    view_.size = arm.size;
    view_.contact_joint = places_[static_cast<std::size_t>(arm.contact_joint)].position;
    copy_contact(arm, view_);
  }

  /// Valid as long as this.
  TreeInMemory in_memory() const {
    TreeInMemory out = view_;
    out.joints = joints_.data(), out.column = column_.data();
    out.depth = depth_.data(), out.row = row_.data(), out.places = places_.data();
    return out;
  }

  /// For at most most_by_value joints.
  TreeByValue by_value() const {
    TreeByValue out{};
    std::ranges::copy(joints_, out.joints);
    std::ranges::copy(column_, out.column);
    std::ranges::copy(depth_, out.depth);
    std::ranges::copy(row_, out.row);
    std::ranges::copy(places_, out.places);
    out.rows = view_.rows;
    out.size = view_.size, out.contact_joint = view_.contact_joint, out.contact_chain = view_.contact_chain;
    out.mass = view_.mass;
    std::ranges::copy(view_.offset, out.offset);
    std::ranges::copy(view_.normal_W, out.normal_W);
    return out;
  }

 private:
  void visit(const kernel::Arm& arm, long parent, int at, int depth) {
    for (const bool moves_contact : {false, true})
      for (long i = parent + 1; i < arm.size; ++i) {
        if (arm.joints[i].parent != parent || arm.joints[i].moves_contact != moves_contact) continue;
        const auto here = static_cast<int>(joints_.size());
        kernel::WalkedJoint& place = places_[static_cast<std::size_t>(i)];
        place = {.position = here,
                 .after = 0,
                 .row = view_.rows,
                 .depth = depth,
                 .moves_contact = moves_contact,
                 .in_composite = arm.joints[i].in_composite};
        column_.push_back(static_cast<int>(i));
        depth_.push_back(depth);
        row_.push_back(view_.rows);
        view_.rows += kernel::joint_rows(depth);
        joints_.push_back(arm.joints[i]);
        joints_.back().parent = at;
        visit(arm, i, here, depth + 1);
        place.after = static_cast<int>(joints_.size());
      }
  }

  std::vector<kernel::ArmJoint> joints_;
  std::vector<int> column_, depth_, row_;
  std::vector<kernel::WalkedJoint> places_;
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
