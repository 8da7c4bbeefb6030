/// Writes small datasets into a folder, for the fuzzer of their reader to begin with.

#include "trials.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  for (const int trials : {1, 2}) {
    auto dataset = thud::test::sample_dataset(trials);
    for (auto& trial : dataset.trials) {
      trial.force.time.resize(8);
      trial.force.force.resize(8);
    }
    thud::write_dataset(folder + "/plain" + std::to_string(trials) + ".h5", dataset, {}, true);
    thud::write_dataset(folder + "/truth" + std::to_string(trials) + ".h5", dataset, thud::test::sample_truths(trials),
                        true);
  }
}
