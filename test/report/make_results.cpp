// Writes results.json of studies whose data are known, one for simulated and one for measured data: make_results FOLDER
#include <thud/file.hpp>
#include <thud/report.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "claims.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  try {
    claims::Built built = claims::build({.repeats = 2});
    signals::Normal normal(3);
    for (auto& f : built.dataset.trials[3].force.force) f = normal();  // a record without a contact
    thud::write_file(folder + "/simulated.json",
                     thud::results_json(thud::study(built.dataset, built.truth), "simulated.h5"));

    // Force records alone, as people bring them.
    built.dataset.header.source = thud::DataSource::measured;
    for (auto& trial : built.dataset.trials) trial.joints = {};
    thud::write_file(folder + "/measured.json", thud::results_json(thud::study(built.dataset), "measured.h5"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
