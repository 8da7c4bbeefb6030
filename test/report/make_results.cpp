// Writes results.json of studies whose data are known, for simulated and for measured data, with a few trials drawn,
// and for an arm whose drives are known: make_results FOLDER
#include <thud/campaign.hpp>
#include <thud/file.hpp>
#include <thud/lab.hpp>
#include <thud/report.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    thud::ObjectLog& object = built.dataset.trials.front().object;  // and one that hit a ball, which rolls away
    object.mass = 0.5;
    object.time = thud::VectorX::LinSpaced(60, 0, 0.3);
    object.position = thud::MatrixX::Zero(60, 3);
    for (Eigen::Index i = 20; i < 60; ++i) object.position(i, 0) = 0.4 * (object.time[i] - object.time[19]);
    thud::write_file(folder + "/measured.json", thud::results_json(thud::study(built.dataset), "measured.h5"));

    thud::write_file(folder + "/few_drawn.json",
                     thud::results_json(thud::study(built.dataset, {}, {.sample = 5}), "few_drawn.h5"));

    // Three hits of an arm with drives.
    thud::Campaign campaign = thud::default_campaign();
    campaign.repeats = 1;
    campaign.speeds = {0.1};
    thud::Dataset hits{thud::header(campaign), {}};
    std::vector<std::optional<thud::Truth>> truth;
    for (std::size_t i = 0; i < hits.header.plan.size(); ++i) {
      thud::LabTrial trial = thud::simulate_trial(campaign, i);
      hits.trials.push_back(std::move(trial.trial));
      truth.emplace_back(trial.run.truth);
    }
    thud::write_file(folder + "/arm.json", thud::results_json(thud::study(hits, truth), "arm.h5"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
