// A dataset of as many trials as wanted, from one of few: repeat_trials DATASET TRIALS OUT.h5
//
// Trials are repeated in the order of the plan. Each copy has white noise of its own on the force, as strong as the
// noise that find_contact tells of its record, so that no two are fitted alike; joint logs and truth are copied.

#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/window.hpp>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

std::size_t number(const char* text) {
  std::size_t value = 0;
  const char* end = text + std::strlen(text);
  if (std::from_chars(text, end, value).ptr != end || value == 0)
    throw thud::InputError("TRIALS", text, "must be a number of at least 1");
  return value;
}

void repeat(const std::string& from, std::size_t trials, const std::string& to) {
  const thud::DatasetReader reader(from);
  const std::vector<std::string> names = reader.finished();
  thud::DatasetHeader header = reader.header();
  header.plan.clear();
  for (std::size_t i = 0; i < trials; ++i)
    header.plan.push_back(names[i % names.size()] + "." + std::to_string(i / names.size() + 1));
  thud::DatasetWriter writer(to, header);
  std::mt19937_64 generator(1);
  for (std::size_t i = 0; i < trials; ++i) {
    const std::string& name = names[i % names.size()];
    thud::Trial trial = reader.trial(name);
    trial.name = header.plan[i];
    std::normal_distribution<double> noise(0, thud::find_contact(trial.force).noise);
    for (double& force : trial.force.force) force += noise(generator);
    writer.store(trial, reader.truth(name));
  }
  writer.finish();
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 4) throw thud::InputError("arguments", std::to_string(count - 1), "must be DATASET TRIALS OUT.h5");
    repeat(arguments[1], number(arguments[2]), arguments[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "repeat_trials: %s\n", error.what());
    return 2;
  }
}
