#pragma once

/// A pack of postures of a tree, or one, by a walk. Private to the library.

#include "kernel/articulated.hpp"
#include "kernel/composite.hpp"

namespace thud::kernel {
namespace {

/// Rows of a posture of a tree. Without everything a joint has its sine and cosine, and with rates its rate. There are
/// enough to collect results in.
template <bool everything, bool rates>
struct TreeRows {
  template <class AnyArm>
  THUD_BOTH static constexpr int count(const AnyArm& arm) {
    const int own = everything ? arm.rows + 1 : each * static_cast<int>(arm.size), results = everything ? 36 : 4;
    return own > results ? own : results;
  }
  THUD_BOTH static constexpr int angle(int i, int row) { return everything ? row + spatial_rows : each * i; }
  THUD_BOTH static constexpr int rate(int i) { return each * i + angle_rows; }

 private:
  static constexpr int each = angle_rows + (rates ? 1 : 0);
};

/// Entries of an array.
template <int entries, class Real, class Lanes>
THUD_INLINE void put(Lanes& lanes, const Real* from, double* to) {
  lanes.open(entries, to);
  THUD_GPU_UNROLL for (long k = 0; k < entries; ++k) lanes.set(k, from[k]);
  lanes.close();
}

/// Velocities, of which the exact one is needed later.
template <class Real, class Lanes>
THUD_INLINE void put_velocities(Lanes& lanes, const Real* velocity, const PostureBatch& batch) {
  lanes.put(velocity[0], batch.v_exact);
  lanes.put(velocity[1], batch.v_approximate);
  lanes.put(velocity[2], batch.ratio);
}

/// Postures of a tree, in the rows of `lanes`, which reads and writes the columns of the batch; `memory` has more rows.
/// Everything but the masses is written. Rates, if requested, without everything: `velocity` is at these.
template <bool everything, bool rates, class Real, class AnyArm, class Lanes>
THUD_INLINE void compute_walked(const AnyArm& arm, const PostureBatch& batch, const Rows<Real>& memory, Lanes& lanes,
                                WalkedPosture<Real>& s, Real* velocity) {
  using Layout = TreeRows<everything, rates>;
  const int n = static_cast<int>(arm.size);
  const Rows<Real> rows = lanes.rows;
  const auto angle_of = [](int i, int row) { return Layout::angle(i, row); };
  const auto rate_of = [&](int i) { return rows[Layout::rate(i)]; };
  lanes.read_rows(n, batch.q, batch.q_stride, [&](int k) {
    const int i = arm.position[k];
    return angle_of(i, arm.row[i]);
  });
  if constexpr (rates)
    lanes.read_rows(n, batch.dq, batch.dq_stride, [&](int k) { return Layout::rate(arm.position[k]); });
  walked_sines_and_cosines(arm, rows, angle_of);
  s.p_WC = walked_contact(arm, rows, angle_of);

  Stack<Real> stack(memory);
  const Rows<Real> path = memory.from(arm.memory_rows);
  Real numbers[9];
  if constexpr (everything) {
    const auto at_contact = [&] { lanes.put_rows(6 * n, arm.rows_of_J, batch.J); };
    ArticulatedBodies<Real, false, false, AnyArm, decltype(rate_of)> articulated(arm, stack, path, rate_of);
    CompositeBodies composite(arm, rows, stack, articulated, at_contact);
    walk(arm, rows, angle_of, s.p_WC, composite);
    composite.get(s);
    lanes.put_rows(6 * n, arm.rows_of_A_G, batch.A_G);
    articulated.fetch();
    lanes.put_rows(n * n, arm.rows_of_M, batch.M);
    articulated.get(s);
    invert_composite_inertia(s);
    exact_masses<0>(arm, s);
    walked_matrices(arm, s);
    put<36>(lanes, s.W, batch.W);
    write(s.p_WC + s.r, numbers);
    put<3>(lanes, numbers, batch.com_W);
    write(s.Ic, numbers);
    put<9>(lanes, numbers, batch.Ic_W);
  } else {
    ArticulatedBodies<Real, true, rates, AnyArm, decltype(rate_of)> bodies(arm, stack, path, rate_of);
    walk(arm, rows, angle_of, s.p_WC, bodies);
    bodies.fetch();
    bodies.get(s);
    invert_composite_inertia(s);
    if constexpr (rates) {
      Real sum{};
      for (int i = 0; i < n; ++i) sum += 0 * rate_of(i);
      s.regular = mask_and(s.regular, sum == 0);  // else one is not finite
      set_velocities(arm, s, s.speed, s.speed_terms, s.h, velocity);
      put_velocities(lanes, velocity, batch);
    }
    exact_masses<0>(arm, s);
    walked_masses(arm, s);
  }
  if (batch.p_WC) {
    write(s.p_WC, numbers);
    put<3>(lanes, numbers, batch.p_WC);
  }
}

}  // namespace
}  // namespace thud::kernel
