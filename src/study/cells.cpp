#include "study/cells.hpp"

#include <thud/elastic_arm.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace thud::studying {
namespace {

double restitution_of(const TrialStudy& trial, LawKind kind) {
  const FitResult* law = trial.law(kind);
  return law ? law->restitution : std::numeric_limits<double>::quiet_NaN();
}

double asymptotic_of(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  return law && law->status == FitStatus::converged
             ? restitution_asymptotic(std::get<Viscoelastic>(law->law), trial.touch.v_exact)
             : std::numeric_limits<double>::quiet_NaN();
}

void fill_spreads(const std::vector<TrialStudy>& trials, CellStudy& cell) {
  const auto over = [&](auto quantity) {
    std::vector<double> values;
    for (const std::size_t i : cell.trials) values.push_back(quantity(trials[i]));
    return spread(values);
  };
  const auto law = [&](LawKind kind) {
    return over([&](const TrialStudy& trial) { return restitution_of(trial, kind); });
  };
  cell.velocity_exact = over([](const TrialStudy& trial) { return trial.touch.v_exact; });
  cell.velocity_approximate = over([](const TrialStudy& trial) { return trial.touch.v_approximate; });
  cell.ratio = over([](const TrialStudy& trial) { return trial.touch.ratio; });
  cell.impulse_compression = over([](const TrialStudy& trial) { return trial.impulse_compression; });
  cell.impulse_compression_best = over([](const TrialStudy& trial) { return trial.impulse_compression_best; });
  cell.impulse_elastic = over([](const TrialStudy& trial) { return trial.impulse_elastic; });
  cell.impulse_total = over([](const TrialStudy& trial) { return trial.impulse_total; });
  cell.peak_force = over([](const TrialStudy& trial) { return trial.peak_force; });
  cell.contact_time = over([](const TrialStudy& trial) { return trial.contact_time; });
  cell.detection_delay = over([](const TrialStudy& trial) { return trial.detection_delay; });
  cell.observer_delay = over([](const TrialStudy& trial) { return trial.observer_delay; });
  cell.restitution_spring = law(LawKind::spring);
  cell.restitution_maxwell = law(LawKind::maxwell);
  cell.restitution_viscoelastic = law(LawKind::viscoelastic);
  cell.restitution_asymptotic = over(asymptotic_of);
}

// The cell's mean state. The mean of products differs from the product of means, so the rates are scaled until the
// contact point has the mean exact velocity at the mean posture.
void fill_state(const StudySetup& setup, const std::vector<TrialStudy>& trials, CellStudy& cell) {
  if (cell.trials.empty()) {  // no usable trial: the planned state
    const Touch planned = reference_touch(setup, configuration_of(setup.header, cell.configuration), cell.speed);
    cell.q = planned.q;
    cell.dq = planned.dq;
    return;
  }
  const auto weight = 1.0 / static_cast<double>(cell.trials.size());
  cell.q = cell.dq = VectorX::Zero(setup.robot.size());
  for (const std::size_t i : cell.trials) {
    cell.q += weight * trials[i].touch.q;
    cell.dq += weight * trials[i].touch.dq;
  }
  const double v = contact_velocity(contact_dynamics(setup.robot, setup.header.point, cell.q), cell.dq);
  if (v < 0) cell.dq *= cell.velocity_exact.mean / v;
}

// The generalized momentum with rotors. Without a joint that moves the contact along its normal there is none.
void fill_rotors(const StudySetup& setup, const Drives& drives, CellStudy& cell) {
  const ContactDynamics dynamics = contact_dynamics(setup.robot, setup.header.point, cell.q);
  const VectorX j = dynamics.J.topRows<3>().transpose() * dynamics.normal_W;
  if (!(j.squaredNorm() > 0) || drives.rotor_inertia.size() == 0 || !drives.rotor_inertia.allFinite()) return;
  cell.mass_rotors = elastic_arm(setup.robot, setup.header.point, cell.q, drives).mass_rotors;
  cell.impulse_rotors = cell.mass_rotors * -contact_velocity(dynamics, cell.dq);
}

}  // namespace

std::vector<CellStudy> study_cells(const StudySetup& setup, const std::vector<TrialStudy>& trials,
                                   const std::vector<Robot>& robots, const Drives* drives) {
  std::vector<CellStudy> cells;
  for (const auto& configuration : setup.header.configurations) {
    std::set<double> speeds;
    for (const auto& trial : trials)
      if (trial.configuration == configuration.name) speeds.insert(trial.speed);
    for (const double speed : speeds) {
      CellStudy& cell = cells.emplace_back();
      cell.configuration = configuration.name;
      cell.speed = speed;
      for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].configuration == configuration.name && trials[i].speed == speed && trials[i].ok())
          cell.trials.push_back(i);
      fill_spreads(trials, cell);
      fill_state(setup, trials, cell);
      for (const auto& robot : robots) {
        const ContactDynamics dynamics = contact_dynamics(robot, setup.header.point, cell.q);
        cell.predictions.push_back(cell.dq.allFinite() ? predict(dynamics, cell.dq) : Prediction(robot.size()));
      }
      if (drives) fill_rotors(setup, *drives, cell);
    }
  }
  return cells;
}

}  // namespace thud::studying
