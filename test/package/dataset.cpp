// A dataset leaves the library and comes back, with nothing but what is installed.

#include <thud/dataset.hpp>
#include <thud/urdf.hpp>

#include <cstdio>

int main() {
  thud::Dataset dataset;
  dataset.header.robot = "planar_2r";
  dataset.header.urdf = thud::urdf_text("planar_2r");
  dataset.header.point = {.frame = "tip", .normal_W = {-1, 0, 0}};
  dataset.header.configurations = {{"bent", thud::VectorX::Constant(2, 0.5)}};
  dataset.header.plan = {"a"};
  thud::Trial& trial = dataset.trials.emplace_back();
  trial.name = "a";
  trial.configuration = "bent";
  trial.speed = 0.1;
  for (int i = 0; i < 100; ++i) {
    trial.force.time.push_back(i * 4e-5);
    trial.force.force.push_back(i % 7);
  }
  thud::write_dataset("package.h5", dataset, {}, true);
  const bool same = thud::read_dataset("package.h5").trials.at(0).force.force == trial.force.force;
  std::remove("package.h5");
  return same ? 0 : 1;
}
