#pragma once

// Arms with elastic joints for tests.

#include <thud/elastic_arm.hpp>
#include <thud/urdf.hpp>

#include <initializer_list>

#include "support.hpp"

namespace thud::arms {

inline VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

// Of the default campaign.
inline Drives panda_drives() {
  Drives drives;
  drives.rotor_inertia = vector({0.195, 0.195, 0.195, 0.195, 0.074, 0.074, 0.074});
  drives.stiffness = VectorX::Constant(7, 1e4);
  drives.damping = VectorX::Constant(7, 1);
  drives.effort = vector({87, 87, 87, 87, 12, 12, 12});
  drives.servo_stiffness = vector({3000, 3000, 3000, 2500, 2500, 2000, 2000});
  drives.servo_damping_ratio = 1;
  return drives;
}

// In one of the paper's configurations, from 0.
inline ElasticArm panda_arm(int configuration, const Drives& drives) {
  return elastic_arm(load_robot("panda"), test::paper_contact(), test::paper_configuration(configuration), drives);
}

}  // namespace thud::arms
