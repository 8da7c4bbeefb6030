#pragma once

/// The records in data/records, as text: what make_records writes and test_record compares with what is there.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "signals.hpp"

namespace signals {

/// Text form of a sample.
struct Sheet {
  std::string file, law, header;
  double per_second = 1;  ///< how many time units of the table make a second  [1]
  char separator = ',';
};

/// A record of 12 ms at 25 kHz, rounded as a sensor would: 10 us or better, 0.01 N.
inline std::string write_sample(const Sheet& sheet, const Impact& impact, const Scene& scene) {
  const auto record = make_record(impact, scene);
  char line[160];
  std::string text = "# made by test/record/make_records.cpp, not measured\n# " + sheet.law + "\n";
  std::snprintf(line, sizeof line,
                "# touch at %g s, noise %g N, offset %g N, drift %g N/s, sign %+g, press %g N, seed %d\n", scene.before,
                std::round(1e4 * scene.noise * impact.peak) / 1e4, scene.offset, scene.drift, scene.sign,
                std::round(1e2 * scene.press * impact.peak) / 1e2, static_cast<int>(scene.seed));
  text += line + sheet.header + "\n";
  for (std::size_t i = 0; i < 300; ++i) {
    std::snprintf(line, sizeof line, "%.*f%c%.2f\n", sheet.per_second > 1 ? 2 : 5, sheet.per_second * record.time[i],
                  sheet.separator, record.force[i] + 0.0);
    text += line;
  }
  return text;
}

/// File name and text of each sample.
inline std::vector<std::pair<std::string, std::string>> samples() {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const Sheet& sheet, const Impact& impact, const Scene& scene) {
    all.emplace_back(sheet.file, write_sample(sheet, impact, scene));
  };
  const double long_enough = 0.02;
  add({"viscoelastic.csv", "viscoelastic: mass 4 kg, speed 0.12 m/s, stiffness 3e5 N/m, damping 1.25e7 N s/m^2",
       "time [s],force [N]"},
      hunt_crossley("", 4, 0.12, 3e5, 1.25e7, 1),
      {.before = 2e-3, .after = long_enough, .noise = 0.01, .offset = 1.5, .seed = 1});
  add({"maxwell.csv", "maxwell: mass 4 kg, speed 0.10 m/s, stiffness 6e5 N/m, damping 2000 N s/m", "t [ms];F [N]", 1e3,
       ';'},
      maxwell(4, 0.10, 6e5, 2000), {.before = 2.01e-3, .after = long_enough, .noise = 0.01, .offset = -3, .seed = 2});
  add({"spring.csv", "spring: mass 4 kg, speed 0.08 m/s, stiffness 6e5 N/m, restitution 0.6", "time [s],force [N]"},
      spring(4, 0.08, 6e5, 0.6), {.before = 2.02e-3, .after = long_enough, .noise = 0.02, .seed = 3});
  add({"hunt_crossley_negative.csv",
       "hunt_crossley: mass 4 kg, speed 0.15 m/s, stiffness 4e7 N/m^1.5, damping 4e8 N s/m^2.5, exponent 1.5",
       "time [ms]\tFz [N]", 1e3, '\t'},
      hunt_crossley("", 4, 0.15, 4e7, 4e8, 1.5),
      {.before = 3e-3, .after = long_enough, .noise = 0.005, .offset = 12, .sign = -1, .seed = 4});
  add({"pressing.csv",
       "viscoelastic: mass 4 kg, speed 0.18 m/s, stiffness 5e5 N/m, damping 1.5e7 N s/m^2; then pressed on",
       "time [s],force [N]"},
      hunt_crossley("", 4, 0.18, 5e5, 1.5e7, 1),
      {.before = 2e-3, .after = long_enough, .noise = 0.01, .press = 0.15, .seed = 5});
  return all;
}

}  // namespace signals
