#pragma once

#include <thud/dataset.hpp>

#include <array>
#include <string>
#include <vector>

#include "trials.hpp"

/// What the one trial of a small dataset has measured.
enum class Measured { force, joints, object };
constexpr std::array all_measured{Measured::force, Measured::joints, Measured::object};

struct SmallDataset {
  thud::Dataset dataset;
  std::vector<thud::Truth> truths;
};

/// Of a robot of one joint: each object of a file takes the HDF5 library its time.
inline SmallDataset small_dataset(Measured measured) {
  auto dataset = thud::test::sample_dataset(2);
  auto truths = thud::test::sample_truths(1);
  truths[0].q.conservativeResize(1);
  truths[0].dq.conservativeResize(1);
  auto& header = dataset.header;
  header.robot = "rod";
  header.urdf =
      R"(<robot name="rod"><link name="base"/><link name="tip"><inertial><mass value="1"/>)"
      R"(<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)"
      R"(<joint name="a" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>)";
  header.detection_joints = {0};
  header.configurations.resize(1);
  header.configurations[0].q.conservativeResize(1);
  // The first has a force with notes and every signal of the joints, the second an object.
  thud::Trial trial = dataset.trials[measured == Measured::object ? 1 : 0];
  trial.configuration = header.configurations[0].name;
  if (measured == Measured::force) {
    trial.force.time.resize(8);
    trial.force.force.resize(8);
  } else {
    trial.force = {};
  }
  if (measured == Measured::joints) {
    trial.joints.time.conservativeResize(4);
    for (auto* signal :
         {&trial.joints.position, &trial.joints.velocity, &trial.joints.torque, &trial.joints.torque_reference})
      signal->conservativeResize(4, 1);
  } else {
    trial.joints = {};
  }
  header.plan = {trial.name};
  dataset.trials = {trial};
  return {dataset, truths};
}
