#pragma once

/// Which instance of the posture kernel serves an arm, and the arm as that instance takes it. Private to the library.

#include <algorithm>
#include <type_traits>

#include "gpu/posture.hpp"
#include "kernel/tree_walk.hpp"

namespace thud::gpu {

template <int N, bool dh>
FixedArm<N, dh> fixed(const kernel::TurnedArm& arm) {
  FixedArm<N, dh> out{};
  std::copy_n(arm.joints, N, out.joints);
  const auto is_turned = [](const kernel::TurnedJoint& joint) {
    return joint.turn_sine != 0 || joint.turn_cosine != 1;  // a half turn has no sine
  };
  out.turned = std::ranges::any_of(out.joints, is_turned);
  out.contact_joint = arm.contact_joint;
  kernel::copy_contact(arm, out);
  return out;
}

/// Of at most most_by_value joints.
inline TreeByValue by_value(const kernel::TreeInMemory& from, bool everything) {
  TreeByValue to{};
  const auto copy = [](const auto* entries, long count, auto* there) {
    for (long k = 0; k < count; ++k) there[k] = static_cast<std::remove_reference_t<decltype(*there)>>(entries[k]);
  };
  const long n = from.size;
  copy(from.joints, n, to.joints), copy(from.steps, 2 * n + 1, to.steps);
  copy(from.position, n, to.position), copy(from.depth, n, to.depth), copy(from.row, n, to.row);
  if (everything) {
    copy(from.first_above, n, to.first_above), copy(from.rows_above, from.above, to.rows_above);
    copy(from.rows_of_J, 6 * n, to.rows_of_J), copy(from.rows_of_A_G, 6 * n, to.rows_of_A_G);
    copy(from.rows_of_M, n * n, to.rows_of_M);
  }
  to.rows = from.rows, to.contact_step = from.contact_step, to.memory_rows = from.memory_rows;
  to.size = n;
  kernel::copy_contact(from, to);
  return to;
}

template <int N, class Launcher>
void dispatch_chain(const kernel::TurnedArm& arm, Launcher&& launcher) {
  const auto follows = [](const kernel::ArmJoint& joint) { return joint.is_dh; };
  if (std::all_of(arm.joints + 1, arm.joints + N, follows))
    launcher.chain(fixed<N, true>(arm));
  else
    launcher.chain(fixed<N, false>(arm));
}

/// Calls launcher.chain(arm) for chains of 6 and 7 joints, else launcher.tree(arm).
template <class Launcher>
void dispatch(const kernel::TurnedArm& arm, Launcher&& launcher) {
  if (arm.serial && arm.size == 7) return dispatch_chain<7>(arm, launcher);
  if (arm.serial && arm.size == 6) return dispatch_chain<6>(arm, launcher);
  launcher.tree(kernel::Walk(arm, launcher.everything).arm());
}

}  // namespace thud::gpu
