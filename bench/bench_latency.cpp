// A control loop of 1 kHz that predicts the impact in every cycle: how long that takes, how evenly, and whether it asks
// for memory. What it does, it prints.
//
// bench_latency [--seconds N] [--json FILE]

#include <thud/file.hpp>
#include <thud/impulse.hpp>
#include <thud/profile.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "allocations.hpp"

namespace {

constexpr const char* what =
    R"(Every millisecond: contact dynamics of the Panda at a posture that moves, all four options with impulses and joint
jumps, and the viscoelastic force profile with its events for the composite body's mass. Times are of that work alone, by
the monotonic clock; lateness is how long after its instant a cycle began, which is the operating system's doing.
)";
constexpr long period = 1'000'000;  // [ns]
constexpr int warm_up = 2000;       // cycles: one way of the arm there and back, so that tables and caches are filled

double nanoseconds(const timespec& from, const timespec& to) {
  return 1e9 * static_cast<double>(to.tv_sec - from.tv_sec) + static_cast<double>(to.tv_nsec - from.tv_nsec);
}

timespec now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time;
}

void advance(timespec& time) {
  time.tv_nsec += period;
  if (time.tv_nsec < 1'000'000'000) return;
  time.tv_nsec -= 1'000'000'000;
  ++time.tv_sec;
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

// The arm swings about the paper's first posture, and its foot towards the wall at 0.05 to 0.25 m/s.
class Loop {
 public:
  Loop() : robot_(thud::load_robot("panda")), workspace_(robot_, point), prediction_(robot_.size()), q_(7), dq_(7) {}

  void cycle(int number) {
    const double phase = 2 * M_PI * number / warm_up;
    q_ << 0, 0.1 + 0.2 * std::sin(phase), 0, -1.5 + 0.2 * std::sin(phase), 0, 3.1708, 0.7854;
    dq_ << 0, 0.4207, 0, 0.5445, 0, -0.1238, 0;
    dq_ *= 1.25 + 0.8 * std::sin(3 * phase);
    const auto& dynamics = thud::contact_dynamics(workspace_, q_);
    thud::predict(dynamics, dq_, {.restitution = 0.1}, prediction_);
    const auto& composite = prediction_[thud::InertiaModel::composite_rigid_body];
    const auto profile = thud::force_profile(law_, composite.inertia.effective_mass(), prediction_.v_exact);
    hardest = std::max(hardest, profile.peak.force);
  }

  double hardest = 0;  // [N]

 private:
  inline static const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  thud::Robot robot_;
  thud::DynamicsWorkspace workspace_;
  thud::Prediction prediction_;
  thud::VectorX q_, dq_;
  thud::ContactLaw law_ = thud::Viscoelastic{.stiffness = 3e5, .damping = 1.25e7};
};

double quantile(std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))] /
         1e3;
}

nlohmann::ordered_json summary(const char* name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const double p50 = quantile(times, 0.5), p99 = quantile(times, 0.99), p9999 = quantile(times, 0.9999),
               max = times.back() / 1e3;
  std::printf("%-10s%12.2f%12.2f%12.2f%12.2f\n", name, p50, p99, p9999, max);
  return {{"p50_us", p50}, {"p99_us", p99}, {"p99_99_us", p9999}, {"max_us", max}};
}

}  // namespace

int main(int argc, char** argv) {
  int seconds = 60;
  std::string file;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--seconds") seconds = std::max(1, std::atoi(argv[i + 1]));
    if (std::string_view(argv[i]) == "--json") file = argv[i + 1];
  }
  const int cycles = 1000 * seconds;
  Loop loop;
  std::vector<double> work(static_cast<std::size_t>(cycles)), late(work);
  const bool locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  const sched_param priority{.sched_priority = 50};
  const bool real_time = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  timespec next = now();
  const auto tick = [&](int i, std::size_t place) {
    advance(next);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) != 0) continue;
    const timespec start = now();
    loop.cycle(i);
    work[place] = nanoseconds(start, now());
    late[place] = nanoseconds(next, start);
  };
  for (int i = 0; i < warm_up; ++i) tick(i, 0);

  const long allocations_before = allocations(), faults_before = page_faults();
  for (int i = 0; i < cycles; ++i) tick(i, static_cast<std::size_t>(i));
  const long allocated = allocations() - allocations_before, faults = page_faults() - faults_before;

  std::printf("%s\n%d cycles; memory %s, %s; hardest peak %.0f N\n", what, cycles,
              locked ? "locked" : "not locked (no permission)",
              real_time ? "SCHED_FIFO" : "ordinary scheduling (no permission for SCHED_FIFO)", loop.hardest);
  std::printf("%-10s%12s%12s%12s%12s\n", "[us]", "p50", "p99", "p99.99", "max");
  nlohmann::ordered_json json = {{"cycles", cycles},
                                 {"memory_locked", locked},
                                 {"scheduler", real_time ? "SCHED_FIFO" : "SCHED_OTHER"},
                                 {"work", summary("work", work)},
                                 {"lateness", summary("lateness", late)},
                                 {"allocations", allocated},
                                 {"page_faults", faults}};
  std::printf("after the warm-up: %ld allocations, %ld page faults\n", allocated, faults);
  if (!file.empty()) thud::write_file(file, json.dump(2) + "\n");
  return allocated == 0 && faults == 0 ? 0 : 1;
}
