// The best posture of a Panda for a hit: milliseconds of each quantity and orientation, the median over targets.
//
// bench_aim [TARGETS]

#include <thud/aim.hpp>
#include <thud/dynamics.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  const thud::Robot panda = thud::load_robot("panda");
  const int targets = argc > 1 ? std::stoi(argv[1]) : 21;
  nlohmann::ordered_json out = {{"targets", targets}, {"starts", thud::AimOptions{}.starts}};
  for (const thud::ToolOrientation orientation :
       {thud::ToolOrientation::free, thud::ToolOrientation::tool_along_normal})
    for (const thud::AimQuantity quantity :
         {thud::AimQuantity::effective_mass, thud::AimQuantity::speed, thud::AimQuantity::object_speed}) {
      std::mt19937_64 random(1);
      std::vector<double> taken;
      for (int k = 0; k < targets; ++k) {
        thud::VectorX q(7);
        for (int i = 0; i < 7; ++i) {
          const thud::Joint& joint = panda.joints()[static_cast<std::size_t>(i)];
          q[i] = std::uniform_real_distribution<>(joint.lower, joint.upper)(random);
        }
        const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
        const thud::AimTarget target{.p_W = thud::contact_dynamics(panda, point, q).p_WC, .orientation = orientation};
        const thud::AimOptions options{.quantity = quantity, .object = thud::Object{.mass = 1}};
        const auto begin = std::chrono::steady_clock::now();
        const thud::AimResult result = thud::aim(panda, point, target, options);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (result.status == thud::AimStatus::ok) taken.push_back(time.count());
      }
      std::ranges::sort(taken);
      if (!taken.empty())
        out[std::string(to_string(orientation))][std::string(to_string(quantity))] = {
            {"reached", taken.size()}, {"median_ms", taken[taken.size() / 2]}, {"largest_ms", taken.back()}};
    }
  std::printf("%s\n", out.dump(2).c_str());
}
