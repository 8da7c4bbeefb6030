// Maps of a Panda: postures per second on all cores, and how many times as long a posture takes as in a batch of
// masses.

#include <thud/batch.hpp>
#include <thud/map.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include <nlohmann/json.hpp>

namespace {

// [s]
struct Took {
  double wall, processor;
};

template <class Work>
Took timed(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t start = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

}  // namespace

int main(int argc, char** argv) {
  const thud::Robot panda = thud::load_robot("panda");
  const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  const double samples = argc > 1 ? std::stod(argv[1]) : 1e7;
  const Eigen::MatrixXd q = Eigen::MatrixXd::Random(7, 1 << 18), none(7, 0);
  thud::Batch batch;
  double least = 1e9;
  for (int i = 0; i < 5; ++i)
    least = std::min(least, timed([&] { thud::predict_batch(panda, point, q, none, {}, batch); }).processor);
  const double posture = least / static_cast<double>(q.cols());

  nlohmann::ordered_json out = {{"batch_ns", 1e9 * posture}};
  const auto measure = [&](const char* name, thud::MapOptions options, double share) {
    options.samples = static_cast<std::uint64_t>(samples * share);
    const Took took = timed([&] { thud::capability_map(panda, point, options); });
    const double each = took.processor / static_cast<double>(options.samples);
    out[name] = {{"samples", options.samples},
                 {"seconds", took.wall},
                 {"processor_seconds", took.processor},
                 {"posture_ns", 1e9 * each},
                 {"ratio", each / posture}};
  };
  measure("effective_mass", {}, 1);
  measure("direction", {.direction_F = thud::Vector3(0, 0, -1)}, 1);
  measure("all_directions", {.all_directions = true}, 1);
  thud::MapOptions speed{.quantity = thud::MapQuantity::speed};
  speed.body = thud::BodyContact{{"chest", 140, 120e4, 25e3, 40, 2}};
  measure("speed_by_contact", speed, 1);
  speed.limits = thud::robot_limits(panda);
  measure("speed_by_joints", speed, 0.1);
  std::printf("%s\n", out.dump(2).c_str());
}
