// One hit of the Panda with elastic joints, 15 ms of it: thud against Boost.Odeint on the same equations and against
// the virtual lab's MuJoCo plant, in interleaved rounds. What it compares, it prints.
//
// bench_elastic [rounds] [--json FILE]

#include <thud/elastic_arm.hpp>
#include <thud/file.hpp>
#include <thud/lab.hpp>
#include <thud/lagrange.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <boost/numeric/odeint.hpp>
#include <nlohmann/json.hpp>

#include "lab/plant.hpp"
#include "lab/wall.hpp"
#include "rivals.hpp"

namespace {

namespace odeint = boost::numeric::odeint;
using namespace thud;

constexpr const char* what =
    R"(One hit of the Panda with elastic joints, servo and motor limits (configuration two of the default campaign, 0.12 m/s).
  set-up           thud::elastic_arm: the arm in one posture, from the robot, with gravity's torques
  record           thud::elastic_profile into a profile that is used again: 15 ms with every event
  forces           thud::forces: 375 samples of it
  dopri5, equal    Boost.Odeint's controlled Dormand-Prince 5 on the same equations, without events, at the coarsest power of
                   ten whose forces are as accurate as thud's
  plant            MuJoCo's plant of the virtual lab, 15 ms at its own step of 20 us, servo and wall included: 750 steps
  trial            the whole trial of the virtual lab from which such a record comes
Force errors are relative to the peak, at 60 instants, against dopri5 at 1e-14.
)";
constexpr double horizon = 0.015, v0 = -0.12;
constexpr double set_up_goal = 100, record_goal = 30;  // [us]
constexpr double plant_goal = 20, trial_goal = 300;    // times faster

using State = std::vector<double>;  // q~, q~', th~, th~'

struct Equations {
  const ElasticArm& arm;
  const ContactLaw& law;

  double force(const State& z, double t) const {
    const auto n = arm.j.size();
    const double x = v0 * t + arm.j.dot(Eigen::Map<const Eigen::VectorXd>(z.data(), n));
    const double v = v0 + arm.j.dot(Eigen::Map<const Eigen::VectorXd>(z.data() + n, n));
    return thud::force(std::get<Viscoelastic>(law), x, v);
  }

  void operator()(const State& z, State& dz, double t) const {
    const auto n = static_cast<std::size_t>(arm.j.size());
    const double f = force(z, t);
    const Drives& d = arm.drives;
    double load[16];
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double tau = d.damping[k] * (z[n + i] - z[3 * n + i]) + d.stiffness[k] * (z[i] - z[2 * n + i]);
      const double u = d.servo_stiffness[k] * z[2 * n + i] + d.servo_damping[k] * z[3 * n + i], g = arm.holding[k];
      const double servo = g - std::clamp(g - u, -d.effort[k], d.effort[k]);
      dz[i] = z[n + i];
      dz[2 * n + i] = z[3 * n + i];
      dz[3 * n + i] = (tau - servo) / d.rotor_inertia[k];
      load[i] = arm.j[k] * f - tau;
    }
    const auto m = static_cast<Eigen::Index>(n);
    Eigen::Map<Eigen::VectorXd>(dz.data() + n, m).noalias() = arm.M_inv * Eigen::Map<const Eigen::VectorXd>(load, m);
  }
};

std::vector<double> integrate(const Equations& equations, double tolerance, const std::vector<double>& times) {
  State z(static_cast<std::size_t>(4 * equations.arm.j.size()), 0.0);
  std::vector<double> force;
  const auto stepper = odeint::make_controlled(tolerance * 1e-2, tolerance, odeint::runge_kutta_dopri5<State>());
  odeint::integrate_times(stepper, equations, z, times.begin(), times.end(), 1e-5,
                          [&](const State& now, double t) { force.push_back(equations.force(now, t)); });
  return force;
}

double error(const std::vector<double>& force, const std::vector<double>& exact) {
  double largest = 0, peak = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    largest = std::max(largest, std::abs(force[i] - exact[i]));
    peak = std::max(peak, exact[i]);
  }
  return largest / peak;
}

// The plant as a trial steps it: wall and servo at every step.
class PlantHit {
 public:
  PlantHit(const Campaign& campaign, const Robot& robot, const ElasticArm& arm, const VectorX& q)
      : campaign_(campaign),
        arm_(arm),
        q_(q),
        plant_(robot, campaign.point, PlantJoints::flexible, campaign.drives, earth_gravity_W, campaign.step, q),
        normal_(campaign.point.normal_W.normalized()) {}

  double run() {
    lab::Wall wall(campaign_.law);
    const Drives& drives = arm_.drives;
    const VectorX wound = arm_.holding.cwiseQuotient(drives.stiffness), rate = arm_.j * (v0 / arm_.j.squaredNorm());
    plant_.set_state(q_ + wound, -wound, rate);
    const double position = normal_.dot(plant_.contact_position());
    double impulse = 0;
    const int steps = static_cast<int>(std::round(horizon / campaign_.step));
    for (int i = 0; i < steps; ++i) {
      const double x = normal_.dot(plant_.contact_position()) - position, v = normal_.dot(plant_.contact_velocity());
      const double force = wall.push(x, v, campaign_.step), since = i * campaign_.step;
      const lab::PlantState state = plant_.state();
      const VectorX torque = arm_.holding +
                             drives.servo_stiffness.cwiseProduct(q_ + wound + since * rate - state.theta) +
                             drives.servo_damping.cwiseProduct(rate - state.dtheta);
      plant_.step(torque.cwiseMax(-drives.effort).cwiseMin(drives.effort), force * normal_);
      impulse += force * campaign_.step;
    }
    return impulse;
  }

 private:
  const Campaign& campaign_;
  const ElasticArm& arm_;
  VectorX q_;
  lab::Plant plant_;
  Vector3 normal_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 21);
  std::puts(what);
  const Campaign campaign = default_campaign();
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  const VectorX& q = campaign.configurations[1].q;
  const ElasticArm arm = elastic_arm(robot, campaign.point, q, campaign.drives);
  const ElasticOptions options{.horizon = horizon};
  const Equations equations{arm, campaign.law};

  ElasticProfile profile = elastic_profile(arm, campaign.law, v0, options);
  std::vector<double> times;
  for (int i = 0; i < 60; ++i) times.push_back(0.999 * profile.end * i / 59);
  const std::vector<double> exact = integrate(equations, 1e-14, times);
  Eigen::VectorXd own(60);
  forces(profile, Eigen::Map<const Eigen::VectorXd>(times.data(), 60), own);
  const double own_error = error({own.begin(), own.end()}, exact);
  double tolerance = 1e-3;
  while (tolerance > 1e-13 && error(integrate(equations, tolerance, times), exact) > own_error) tolerance /= 10;

  PlantHit plant(campaign, robot, arm, q);
  std::printf("force error: thud %.1e, dopri5 at %.0e %.1e; impulse of 15 ms: thud %.6f, plant %.6f N s\n", own_error,
              tolerance, error(integrate(equations, tolerance, times), exact), profile.impulse, plant.run());

  const Eigen::VectorXd samples = Eigen::VectorXd::LinSpaced(375, 0, horizon - 4e-5);
  Eigen::VectorXd force(samples.size());
  std::vector<Rival> rivals = {
      {"set-up", [&] { (void)elastic_arm(robot, campaign.point, q, campaign.drives); }, 200},
      {"record", [&] { elastic_profile(arm, campaign.law, v0, options, profile); }, 200},
      {"forces", [&] { forces(profile, samples, force); }, 200},
      {"dopri5, equal",
       [&] {
         (void)integrate(equations, tolerance, {0, horizon});
       },
       5},
      {"plant", [&] { (void)plant.run(); }, 5},
      {"trial", [&] { (void)simulate_trial(campaign, 50); }, 1},
  };
  compete(rivals, rounds);
  const double set_up = rivals[0].median(), record = rivals[1].median();
  nlohmann::json out = {{"rounds", rounds}, {"force_error", own_error}, {"tolerance", tolerance}};
  std::printf("\n%-16s%14s%14s%16s\n", "us, a hit", "median", "least", "of the record");
  for (Rival& rival : rivals) {
    const double us = rival.median();
    std::printf("%-16s%14.2f%14.2f%16.1f\n", rival.name.c_str(), us, rival.least(), us / record);
    out["rivals"][rival.name] = {{"median_us", us}, {"least_us", rival.least()}, {"ratio", us / record}};
  }
  const auto goal = [&](const char* name, double value, bool reached) {
    std::printf("%-50s %10.4g  %s\n", name, value, reached ? "reached" : "NOT REACHED");
    out["goals"][name] = {{"value", value}, {"reached", reached}};
  };
  std::puts("");
  const double plant_ratio = rivals[4].median() / record, trial_ratio = rivals[5].median() / record;
  goal("set-up at most 100 us", set_up, set_up <= set_up_goal);
  goal("record of 15 ms at most 30 us", record, record <= record_goal);
  goal("at least 20 times faster than the plant's 15 ms", plant_ratio, plant_ratio >= plant_goal);
  goal("at least 300 times faster than a whole trial", trial_ratio, trial_ratio >= trial_goal);
  if (!file.empty()) write_file(file, out.dump(1) + "\n");
}
