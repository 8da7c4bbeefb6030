#pragma once

/// Which instance of the posture kernel serves an arm, and how threads are told their postures. Private to the library.

#include "gpu/posture.hpp"

namespace thud::gpu {

template <int capacity>
FixedArm<capacity> fixed(const kernel::Arm& arm) {
  FixedArm<capacity> out{};
  for (long i = 0; i < capacity; ++i) {
    if (i < arm.size) {
      out.joints[i] = arm.joints[i];
      for (long j = i; j >= 0; j = arm.joints[j].parent) out.movers[i] |= 1ULL << j;
    } else {
      // Moves no mass, and has an inertia that no pivot can be compared with.
      out.joints[i].parent = -1;
      out.joints[i].R[0][0] = out.joints[i].R[1][1] = out.joints[i].R[2][2] = 1;
      out.joints[i].rotor = 1e100;
    }
  }
  out.size = arm.size;
  out.contact_joint = arm.contact_joint, out.contact_chain = arm.contact_chain;
  out.mass = arm.mass;
  for (int k = 0; k < 3; ++k) out.offset[k] = arm.offset[k], out.normal_W[k] = arm.normal_W[k];
  return out;
}

/// Calls launcher.run<N, everything>(arm) with the arm as that instance takes it.
template <class Launcher>
void dispatch(const kernel::Arm& arm, bool everything, Launcher&& launcher) {
  const auto with = [&]<int N>() {
    constexpr int capacity = N > 0 ? N : -N;
    const auto run = [&](const auto& of) {
      everything ? launcher.template run<N, true>(of) : launcher.template run<N, false>(of);
    };
    if constexpr (capacity > 0)
      run(fixed<capacity>(arm));
    else
      run(arm);
  };
  if (arm.serial && arm.size == 7) return with.template operator()<7>();
  if (arm.serial && arm.size == 6) return with.template operator()<6>();
  if (arm.size <= 8) return with.template operator()<-8>();
  if (arm.size <= 12) return with.template operator()<-12>();
  if (arm.size <= 16) return with.template operator()<-16>();
  with.template operator()<0>();
}

}  // namespace thud::gpu
