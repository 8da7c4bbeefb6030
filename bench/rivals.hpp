#pragma once

/// Rivals in interleaved rounds, so that a change of the machine's speed meets them all alike.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct Rival {
  std::string name;
  std::function<void()> run;
  int repeats;
  std::vector<double> times = {};  // of one run, a round each [s]

  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e6;
  }
  double least() const { return *std::min_element(times.begin(), times.end()) * 1e6; }
};

inline double seconds(const std::function<void()>& run, int repeats) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeats;
}

inline void compete(std::vector<Rival>& rivals, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Rival& rival : rivals) rival.times.push_back(seconds(rival.run, rival.repeats));
}

/// The command line of a benchmark: [ROUNDS] [--json FILE].
inline std::pair<int, std::string> rounds_and_file(int argc, char** argv, int rounds) {
  std::string file;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--json" && i + 1 < argc)
      file = argv[++i];
    else
      rounds = std::max(1, std::atoi(argv[i]));
  return {rounds, file};
}
