// Postures of large robots in a batch of one thread: the passes over their joints beside the walk
// (kernel/tree_walk.hpp), and what a call pays for setting this up.

#include <thud/file.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "boxes.hpp"
#include "kernel/tree.hpp"
#include "kernel/tree_walk.hpp"
#include "rivals.hpp"

namespace {

using namespace thud;

constexpr long postures = 1024;  // of one call, as predict_batch makes them
constexpr double rounding = 1e-8;

// Arrays for everything of so many postures.
struct Columns {
  explicit Columns(long n) : numbers(static_cast<std::size_t>(postures * (4 + 3 + 3 + 9 + 12 * n + n * n + 36))) {}

  kernel::PostureBatch batch(const MatrixX& q, bool everything) {
    kernel::PostureBatch out{};
    double* next = numbers.data();
    const auto take = [&](long entries) { return (next += entries * postures) - entries * postures; };
    const long n = q.rows();
    out.q = q.data(), out.q_stride = n, out.mass = take(4);
    if (!everything) return out;
    out.p_WC = take(3), out.com_W = take(3), out.Ic_W = take(9);
    out.J = take(6 * n), out.A_G = take(6 * n), out.M = take(n * n), out.W = take(36);
    return out;
  }

  std::vector<double> numbers;
};

// Nanoseconds a posture, and of the set-up.
nlohmann::ordered_json race(int joints, bool serial, bool everything, int rounds) {
  const Robot robot = boxes(joints, serial);
  const ContactPoint point{"link" + std::to_string(joints - 1), {0.1, 0, 0.1}, {0, 0.6, 0.8}};
  const kernel::Tree tree(robot, point);
  const kernel::Walk walk(kernel::Frames(tree.arm).arm(), everything);
  const kernel::InstructionSet& set = kernel::instruction_set();
  kernel::Scratch scratch(set, joints);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angle(-3, 3);
  MatrixX q(joints, postures);
  for (double& each : q.reshaped()) each = angle(random);
  std::vector<unsigned char> regular(postures);
  Columns passed(joints), walked(joints);
  const auto call = [&](const kernel::TreeInMemory* by, Columns& to) {
    return [&, by] { set.batch(tree.arm, by, to.batch(q, everything), postures, regular.data(), scratch.data()); };
  };
  const auto set_up = [&] { const kernel::Walk again(kernel::Frames(tree.arm).arm(), everything); };
  std::vector<Rival> rivals{
      {"passes", call(nullptr, passed), 4}, {"walk", call(&walk.arm(), walked), 4}, {"set-up", set_up, 40}};
  for (const Rival& rival : rivals) rival.run();
  for (long i = 1; i < 4 * postures; i += 4)  // of the generalized momentum
    if (!(std::abs(passed.numbers[static_cast<std::size_t>(i)] / walked.numbers[static_cast<std::size_t>(i)] - 1) <
          rounding))
      std::fprintf(stderr, "passes and walk do not agree\n"), std::exit(1);
  compete(rivals, rounds);
  const double scale = 1e3 / postures, first = rivals[0].median() * scale, second = rivals[1].median() * scale;
  const double once = rivals[2].median() * 1e3;
  const std::string name = std::string(serial ? "chain" : "tree") + " of " + std::to_string(joints);
  std::printf("%-8s %-11s %-10s passes %8.1f ns, walk %8.1f: %.2f, set-up %8.0f\n", set.name, name.c_str(),
              everything ? "everything" : "masses", first, second, second / first, once);
  return {{"set", set.name},   {"robot", name},           {"everything", everything}, {"passes_ns", first},
          {"walk_ns", second}, {"ratio", second / first}, {"set_up_ns", once}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 51);
  nlohmann::ordered_json out = {{"rounds", rounds}, {"postures", postures}};
  for (const char* const* set = kernel::instruction_set_names(); *set; ++set) {
    kernel::choose_instruction_set(*set);
    for (const bool everything : {false, true})
      for (const bool serial : {true, false})
        for (const int joints : {8, 9, 10, 11, 12, 13, 16, 20, 22, 24, 40, 64})
          out["robots"].push_back(race(joints, serial, everything, rounds));
  }
  if (!file.empty()) write_file(file, out.dump(1) + "\n");
}
