#pragma once

/// The order in which a tree is walked. Private to the library.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "kernel/frames.hpp"
#include "kernel/walked_arm.hpp"

namespace thud::kernel {

template <class From, class To>
void copy_contact(const From& from, To& to) {
  to.contact_chain = from.contact_chain;
  to.mass = from.mass;
  for (int k = 0; k < 3; ++k) to.offset[k] = from.offset[k], to.normal_W[k] = from.normal_W[k];
}

/// A tree in the order of the walk.
class Walk {
 public:
  /// Without everything, what only that needs is left out.
  Walk(const TurnedArm& arm, bool everything) : position_(static_cast<std::size_t>(arm.size)) {
    view_.size = arm.size;
    copy_contact(arm, view_);
    visit(arm, -1, -1);
    assert(composite_is_all_or_last());
    list_steps(position_[static_cast<std::size_t>(arm.contact_joint)]);
    if (everything) list_rows();
    point();
  }
  Walk(const Walk&) = delete;

  /// Valid as long as this.
  const TreeInMemory& arm() const noexcept { return view_; }

 private:
  using Step = WalkStep;

  void point() {
    view_.joints = joints_.data(), view_.steps = steps_.data();
    view_.position = position_.data(), view_.depth = depth_.data(), view_.row = row_.data();
    view_.first_above = first_above_.data(), view_.rows_above = rows_above_.data();
    view_.above = static_cast<int>(rows_above_.size());
    view_.rows_of_J = rows_of_J_.data(), view_.rows_of_A_G = rows_of_A_G_.data(), view_.rows_of_M = rows_of_M_.data();
  }

  // The joints of a link, of which that link's is `at`.
  void visit(const TurnedArm& arm, long parent, int at) {
    for (const bool moves_contact : {false, true})
      for (long i = parent + 1; i < arm.size; ++i) {
        if (arm.joints[i].parent != parent || arm.joints[i].moves_contact != moves_contact) continue;
        const auto here = static_cast<int>(joints_.size());
        position_[static_cast<std::size_t>(i)] = here;
        joints_.push_back(arm.joints[i]);
        joints_.back().parent = at;
        depth_.push_back(at < 0 ? 0 : depth_[static_cast<std::size_t>(at)] + 1);
        row_.push_back(view_.rows);
        view_.rows += joint_rows(depth_.back());
        after_.push_back(0);
        visit(arm, i, here);
        after_[static_cast<std::size_t>(here)] = static_cast<int>(joints_.size());
      }
  }

  const TurnedJoint& joint_of(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  int parent_of(int i) const { return static_cast<int>(joint_of(i).parent); }
  int row_of(int i) const { return row_[static_cast<std::size_t>(i)]; }

  // Bodies of a walk leave other limbs before the composite body begins, and then count all that they meet to it: it is
  // every limb, or the last one alone, which the contact is on.
  bool composite_is_all_or_last() const {
    int limbs = 0, inside = 0;
    for (const TurnedJoint& joint : joints_) {
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
    return std::any_of(joints_.begin(), joints_.begin() + i, [](const ArmJoint& other) { return other.in_composite; });
  }

  void list_steps(int contact_joint) {
    const auto add = [&](int i, unsigned flags) {
      const ArmJoint& joint = joint_of(i);
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
      if (step.is(Step::reach) && step.is(Step::branch)) waiting += waiting_rows;
      if (!step.is(Step::reach) && step.is(Step::path)) path += path_rows;
      view_.memory_rows = std::max(view_.memory_rows, waiting + path);
      if (!step.is(Step::reach) && step.is(Step::branch)) waiting -= waiting_rows;
    }
    assert(view_.memory_rows <= most_memory(static_cast<int>(joints_.size())));
  }

  // Rows of the joints that move each. Columns of J and A_G where a joint has one, and of M: an entry is a row of the
  // joint farther from the base.
  void list_rows() {
    for (int i = 0; i < static_cast<int>(joints_.size()); ++i) {
      first_above_.push_back(static_cast<int>(rows_above_.size()));
      for (int j = parent_of(i); j >= 0; j = parent_of(j)) rows_above_.push_back(row_of(j));
      std::reverse(rows_above_.begin() + first_above_.back(), rows_above_.end());
    }
    for (const int i : position_)
      for (int c = 0; c < spatial_rows; ++c) {
        rows_of_J_.push_back(joint_of(i).moves_contact ? row_of(i) + c : view_.rows);
        rows_of_A_G_.push_back(joint_of(i).in_composite ? row_of(i) + c : view_.rows);
      }
    for (const int a : position_)
      for (const int b : position_) {
        const auto near = static_cast<std::size_t>(std::min(a, b));
        const int far = std::max(a, b);
        rows_of_M_.push_back(far < after_[near] ? row_of(far) + spatial_rows + depth_[near] : view_.rows);
      }
  }

  std::vector<TurnedJoint> joints_;
  std::vector<Step> steps_;
  std::vector<int> position_, depth_, row_, after_, first_above_, rows_above_;  // after: all joints that it moves
  std::vector<int> rows_of_J_, rows_of_A_G_, rows_of_M_;
  TreeInMemory view_{};
};

}  // namespace thud::kernel
