// One impact of the Panda with friction: thud against a cone solve by ProxSuite and Pinocchio's impulseDynamics, in
// interleaved rounds. What it compares, it prints; where rivals have the same answer, that is checked first.
//
// bench_impact [rounds] [--json FILE]

#include <thud/dynamics.hpp>
#include <thud/file.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "impact_rivals.hpp"
#include "rivals.hpp"

namespace {

using namespace thud;

constexpr const char* what =
    R"(One impact of the Panda at its foot, friction 0.3, restitution 0.3; random postures and rates that approach.
  impact             thud::impact: impulse, velocity after, phases and works, from W and the velocity of the point
  held               the same from rest across the normal with friction that sticks, e = 0
  query              thud: contact_dynamics into a workspace, W by generalized momentum, impact
  query, held        the same, held
  ProxSuite          its dense QP from W and the velocity: impulse in a pyramid around the cone, e = 0, to 1e-9
  ProxSuite, held    the same where it has thud's answer
  Pinocchio, held    crba in world axes and impulseDynamics on its Jacobian
Agreement of the three where the point is held: the largest difference of their impulses and of joint rates after.
)";
constexpr std::size_t cases = 256;
constexpr double agreed = 1e-6;      // of the largest entry; ProxSuite stops at 1e-9 of its own scale
constexpr double median_goal = 2.0;  // [us]

// A posture of the arm as it approaches.
struct Hit {
  VectorX q, dq;
  Matrix3 W;
  Vector3 velocity;
};

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 101);
  std::puts(what);
  const Robot panda = load_robot("panda");
  const ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  const Vector3 normal = point.normal_W;
  DynamicsWorkspace workspace(panda, point);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Hit> slides, held;
  while (slides.size() < cases) {
    Hit hit{VectorX(7), VectorX(7), {}, {}};
    for (int i = 0; i < 7; ++i) {
      const Joint& joint = panda.joints()[static_cast<std::size_t>(i)];
      hit.q[i] = (joint.lower + joint.upper) / 2 + 0.45 * uniform(random) * (joint.upper - joint.lower);
      hit.dq[i] = uniform(random);
    }
    const ContactDynamics& dynamics = contact_dynamics(workspace, hit.q);
    const InverseInertia inertia = generalized_momentum(dynamics);
    const auto straight = find_approach(dynamics, 0.2);
    if (!inertia.exists() || !straight || straight->sideways > 0) continue;
    if (contact_velocity(dynamics, hit.dq) > 0) hit.dq = -hit.dq;
    hit.W = inertia.W;
    hit.velocity = contact_response(dynamics, hit.dq, inertia).velocity;
    if (!(normal.dot(hit.velocity) < -0.02)) continue;
    slides.push_back(hit);
    hit.dq = straight->dq;
    hit.velocity = contact_response(dynamics, hit.dq, inertia).velocity;
    hit.velocity = normal * normal.dot(hit.velocity);  // without what rounding leaves across
    held.push_back(hit);
  }

  // friction that holds every one of them, also in the pyramid
  double friction = 0;
  for (const Hit& hit : held) friction = std::max(friction, 2 * sticking_friction(hit.W, normal));
  const ImpactOptions sliding{.friction = 0.3, .restitution = 0.3}, sticking{.friction = friction};
  PinocchioImpact pinocchio(panda, point);
  ProxsuiteImpact proxsuite;
  Impact result;
  Eigen::Vector3d other;
  Eigen::Matrix<double, 7, 1> after;
  double of_pinocchio = 0, of_rates = 0, of_proxsuite = 0;
  for (const Hit& hit : held) {
    impact(hit.W, hit.velocity, normal, sticking, result);
    pinocchio.held(hit.q.data(), hit.dq.data(), other, after);
    const double size = result.impulse.norm();
    of_pinocchio = std::max(of_pinocchio, (other - result.impulse).norm() / size);
    const ContactDynamics& dynamics = contact_dynamics(workspace, hit.q);
    const VectorX jump = joint_velocity_jump(dynamics, result.impulse);
    of_rates = std::max(of_rates, (hit.dq + jump - after).norm() / hit.dq.norm());
    of_proxsuite =
        std::max(of_proxsuite, (proxsuite.solve(hit.W, hit.velocity, normal, friction) - result.impulse).norm() / size);
  }
  std::printf("held, difference from thud: Pinocchio %.1e, its joint rates %.1e, ProxSuite %.1e\n", of_pinocchio,
              of_rates, of_proxsuite);
  if (!(std::max({of_pinocchio, of_rates, of_proxsuite}) < agreed)) {
    std::puts("NOT THE SAME ANSWER");
    return 1;
  }

  std::size_t at = 0;
  const auto next = [&](const std::vector<Hit>& hits) -> const Hit& { return hits[at++ % cases]; };
  const auto query = [&](const Hit& hit, const ImpactOptions& options) {
    const ContactDynamics& dynamics = contact_dynamics(workspace, hit.q);
    const ContactResponse side = contact_response(dynamics, hit.dq, generalized_momentum(dynamics));
    impact(side.W, side.velocity, normal, options, result);
  };
  const auto of_impact = [&](const Hit& hit, const ImpactOptions& options) {
    impact(hit.W, hit.velocity, normal, options, result);
  };
  const int all = static_cast<int>(cases);
  std::vector<Rival> rivals = {
      {"impact", [&] { of_impact(next(slides), sliding); }, all},
      {"held", [&] { of_impact(next(held), sticking); }, all},
      {"query", [&] { query(next(slides), sliding); }, all},
      {"query, held", [&] { query(next(held), sticking); }, all},
      {"ProxSuite",
       [&] {
         const Hit& hit = next(slides);
         (void)proxsuite.solve(hit.W, hit.velocity, normal, sliding.friction);
       },
       all},
      {"ProxSuite, held",
       [&] {
         const Hit& hit = next(held);
         (void)proxsuite.solve(hit.W, hit.velocity, normal, friction);
       },
       all},
      {"Pinocchio, held",
       [&] {
         const Hit& hit = next(held);
         pinocchio.held(hit.q.data(), hit.dq.data(), other, after);
       },
       all},
  };
  compete(rivals, rounds);
  const double own = rivals[0].median();
  nlohmann::json out = {{"rounds", rounds},
                        {"cases", cases},
                        {"differences", {{"Pinocchio", of_pinocchio}, {"ProxSuite", of_proxsuite}}}};
  std::printf("\n%-18s%12s%12s%16s\n", "us an impact", "median", "least", "of impact");
  for (Rival& rival : rivals) {
    const double us = rival.median();
    std::printf("%-18s%12.3f%12.3f%16.2f\n", rival.name.c_str(), us, rival.least(), us / own);
    out["rivals"][rival.name] = {{"median_us", us}, {"least_us", rival.least()}, {"ratio", us / own}};
  }
  // of single impacts, not of rounds: the hard ones are few
  std::vector<double> each;
  for (const Hit& hit : slides) {
    Rival single{"", [&] { of_impact(hit, sliding); }, 20};
    for (int i = 0; i < 15; ++i) single.times.push_back(seconds(single.run, single.repeats));
    each.push_back(single.median());
  }
  std::sort(each.begin(), each.end());
  const double median = each[cases / 2], p90 = each[cases * 9 / 10];
  std::printf("\nof %zu impacts that slide: median %.3f us, nine in ten below %.3f us, longest %.3f us\n", cases,
              median, p90, each.back());
  out["of_cases"] = {{"median_us", median}, {"p90_us", p90}, {"max_us", each.back()}};
  const bool reached = median <= median_goal;
  std::printf("%-50s %10.4g  %s\n", "median at most 2 us", median, reached ? "reached" : "NOT REACHED");
  out["goals"]["median at most 2 us"] = {{"value", median}, {"reached", reached}};
  if (!file.empty()) write_file(file, out.dump(1) + "\n");
}
