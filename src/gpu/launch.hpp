#pragma once

/// Which instance of the posture kernel serves an arm, and the arm as that instance takes it. Private to the library.

#include <algorithm>
#include <cassert>
#include <vector>

#include "gpu/frames.hpp"
#include "gpu/posture.hpp"

namespace thud::gpu {

template <class To>
void copy_contact(const Arm& from, To& to) {
  to.contact_chain = from.contact_chain;
  to.mass = from.mass;
  for (int k = 0; k < 3; ++k) to.offset[k] = from.offset[k], to.normal_W[k] = from.normal_W[k];
}

template <int N, bool dh>
FixedArm<N, dh> fixed(const Arm& arm) {
  FixedArm<N, dh> out{};
  std::copy_n(arm.joints, N, out.joints);
  const auto is_turned = [](const kernel::TurnedJoint& joint) {
    return joint.turn_sine != 0 || joint.turn_cosine != 1;  // a half turn has no sine
  };
  out.turned = std::ranges::any_of(out.joints, is_turned);
  out.contact_joint = arm.contact_joint;
  copy_contact(arm, out);
  return out;
}

/// A tree in the order of the walk.
class Walk {
 public:
  explicit Walk(const Arm& arm) : position_(static_cast<std::size_t>(arm.size)) {
    view_.size = arm.size;
    copy_contact(arm, view_);
    visit(arm, -1, -1);
    assert(composite_is_all_or_last());
    list_steps(position_[static_cast<std::size_t>(arm.contact_joint)]);
    list_rows();
  }

  /// Valid as long as this.
  TreeInMemory in_memory() const {
    TreeInMemory out = view_;
    out.joints = joints_.data(), out.steps = steps_.data();
    out.position = position_.data(), out.depth = depth_.data(), out.row = row_.data();
    out.first_above = first_above_.data(), out.rows_above = rows_above_.data();
    out.rows_of_J = rows_of_J_.data(), out.rows_of_A_G = rows_of_A_G_.data(), out.rows_of_M = rows_of_M_.data();
    return out;
  }
  /// Entries of rows_above.
  long above() const { return static_cast<long>(rows_above_.size()); }

  /// For at most most_by_value joints.
  TreeByValue by_value() const {
    TreeByValue out{};
    std::ranges::copy(joints_, out.joints);
    std::ranges::copy(steps_, out.steps);
    std::ranges::copy(position_, out.position);
    std::ranges::copy(depth_, out.depth);
    std::ranges::copy(row_, out.row);
    std::ranges::copy(first_above_, out.first_above);
    const auto copy_rows = [](const std::vector<int>& from, unsigned short* to) {
      std::ranges::transform(from, to, [](int row) { return static_cast<unsigned short>(row); });
    };
    copy_rows(rows_above_, out.rows_above);
    copy_rows(rows_of_J_, out.rows_of_J);
    copy_rows(rows_of_A_G_, out.rows_of_A_G);
    copy_rows(rows_of_M_, out.rows_of_M);
    out.rows = view_.rows, out.contact_step = view_.contact_step, out.memory_rows = view_.memory_rows;
    out.size = view_.size, out.contact_chain = view_.contact_chain;
    out.mass = view_.mass;
    std::ranges::copy(view_.offset, out.offset);
    std::ranges::copy(view_.normal_W, out.normal_W);
    return out;
  }

 private:
  using Step = kernel::WalkStep;

  // The joints of a link, of which that link's is `at`.
  void visit(const Arm& arm, long parent, int at) {
    for (const bool moves_contact : {false, true})
      for (long i = parent + 1; i < arm.size; ++i) {
        if (arm.joints[i].parent != parent || arm.joints[i].moves_contact != moves_contact) continue;
        const auto here = static_cast<int>(joints_.size());
        position_[static_cast<std::size_t>(i)] = here;
        joints_.push_back(arm.joints[i]);
        joints_.back().parent = at;
        first_above_.push_back(static_cast<int>(rows_above_.size()));
        for (int j = at; j >= 0; j = parent_of(j)) rows_above_.push_back(row_of(j));
        std::reverse(rows_above_.begin() + first_above_.back(), rows_above_.end());
        depth_.push_back(at < 0 ? 0 : depth_[static_cast<std::size_t>(at)] + 1);
        row_.push_back(view_.rows);
        view_.rows += kernel::joint_rows(depth_.back());
        after_.push_back(0);
        visit(arm, i, here);
        after_[static_cast<std::size_t>(here)] = static_cast<int>(joints_.size());
      }
  }

  const kernel::TurnedJoint& joint_of(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  int parent_of(int i) const { return static_cast<int>(joint_of(i).parent); }
  int row_of(int i) const { return row_[static_cast<std::size_t>(i)]; }

  // Bodies of a walk leave other limbs before the composite body begins, and then count all that they meet to it: it is
  // every limb, or the last one alone, which the contact is on.
  bool composite_is_all_or_last() const {
    int limbs = 0, inside = 0;
    for (const kernel::TurnedJoint& joint : joints_) {
      if (joint.parent < 0)
        ++limbs, inside += joint.in_composite;
      else if (joint.in_composite != joint_of(static_cast<int>(joint.parent)).in_composite)
        return false;
    }
    return joints_.back().in_composite && (inside == limbs || inside == 1);
  }

  // Whether the parent of a joint has been reached from others before. The base counts for limbs of the composite body.
  bool meets(int i) const {
    if (parent_of(i) >= 0) return parent_of(i) != i - 1;
    return std::any_of(joints_.begin(), joints_.begin() + i,
                       [](const kernel::ArmJoint& other) { return other.in_composite; });
  }

  void list_steps(int contact_joint) {
    const auto add = [&](int i, unsigned flags) {
      const kernel::ArmJoint& joint = joint_of(i);
      steps_.emplace_back(i, row_of(i),
                          flags | (joint.is_revolute ? 0U : Step::prismatic) | (joint.is_dh ? Step::dh : 0U) |
                              (meets(i) ? Step::branch : 0U) | (joint.moves_contact ? Step::path : 0U) |
                              (joint.in_composite ? Step::composite : 0U) |
                              (joint.parent < 0 && !joint.in_composite ? Step::apart : 0U));
    };
    int current = -1;
    const auto leave_until = [&](int last) {
      for (; current != last; current = parent_of(current))
        add(current, steps_.back().is(Step::reach) ? static_cast<unsigned>(Step::tip) : 0U);
    };
    for (int i = 0; i < static_cast<int>(joints_.size()); current = i++) {
      leave_until(parent_of(i));
      add(i, Step::reach);
    }
    leave_until(contact_joint);
    view_.contact_step = static_cast<int>(steps_.size());
    leave_until(-1);
    count_memory();
    steps_.emplace_back(0, 0, Step::reach);
  }

  // The most at a time: links that wait have rows at one end, joints on the way to the base at the other.
  void count_memory() {
    int waiting = 0, path = 0;
    for (const Step& step : steps_) {
      if (step.is(Step::reach) && step.is(Step::branch)) waiting += kernel::waiting_rows;
      if (!step.is(Step::reach) && step.is(Step::path)) path += kernel::path_rows;
      view_.memory_rows = std::max(view_.memory_rows, waiting + path);
      if (!step.is(Step::reach) && step.is(Step::branch)) waiting -= kernel::waiting_rows;
    }
    assert(view_.memory_rows <= kernel::most_memory(static_cast<int>(joints_.size())));
  }

  // Columns of J and A_G where a joint has one, and of M: an entry is a row of the joint farther from the base.
  void list_rows() {
    for (const int i : position_)
      for (int c = 0; c < kernel::spatial_rows; ++c) {
        rows_of_J_.push_back(joint_of(i).moves_contact ? row_of(i) + c : view_.rows);
        rows_of_A_G_.push_back(joint_of(i).in_composite ? row_of(i) + c : view_.rows);
      }
    for (const int a : position_)
      for (const int b : position_) {
        const auto near = static_cast<std::size_t>(std::min(a, b));
        const int far = std::max(a, b);
        rows_of_M_.push_back(far < after_[near] ? row_of(far) + kernel::spatial_rows + depth_[near] : view_.rows);
      }
  }

  std::vector<kernel::TurnedJoint> joints_;
  std::vector<Step> steps_;
  std::vector<int> position_, depth_, row_, after_, first_above_, rows_above_;  // after: all joints that it moves
  std::vector<int> rows_of_J_, rows_of_A_G_, rows_of_M_;
  TreeInMemory view_{};
};

template <int N, class Launcher>
void dispatch_chain(const Arm& arm, Launcher&& launcher) {
  const auto follows = [](const kernel::ArmJoint& joint) { return joint.is_dh; };
  if (std::all_of(arm.joints + 1, arm.joints + N, follows))
    launcher.chain(fixed<N, true>(arm));
  else
    launcher.chain(fixed<N, false>(arm));
}

/// Calls launcher.chain(arm) for chains of 6 and 7 joints, else launcher.tree(walk).
template <class Launcher>
void dispatch(const Arm& arm, Launcher&& launcher) {
  if (arm.serial && arm.size == 7) return dispatch_chain<7>(arm, launcher);
  if (arm.serial && arm.size == 6) return dispatch_chain<6>(arm, launcher);
  launcher.tree(Walk(arm));
}

}  // namespace thud::gpu
