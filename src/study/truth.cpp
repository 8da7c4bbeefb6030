#include "study/truth.hpp"

#include <thud/drives_file.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "statistics/robust.hpp"

namespace thud::studying {
namespace {

// The fit of the law of the simulated wall.
const FitResult* true_law(const TrialStudy& trial) {
  return trial.law(kind_of(trial.truth->law));
}

double parameter(const ContactLaw& law, std::string_view wanted) {
  for (const auto& [name, value] : law_parameters(law))
    if (name == wanted) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

// Transmissions as identified, by all trials together, against those of the campaign, joint by joint.
std::vector<TruthQuantity> truth_of_arm(const ArmStudy& arm, const DatasetHeader& header) {
  std::vector<TruthQuantity> all;
  if (arm.status != FitStatus::converged || header.campaign.empty()) return all;
  Drives simulated;
  try {
    simulated = parse_drives(header.campaign, "campaign", static_cast<int>(arm.given.stiffness.size()));
  } catch (const FileError&) {  // written by hand
    return all;
  }
  const auto joints = [](const VectorX& found, const VectorX& truth) {
    std::vector<std::pair<double, double>> values;
    for (Eigen::Index i = 0; i < std::min(found.size(), truth.size()); ++i) values.emplace_back(found[i], truth[i]);
    return values;
  };
  all.push_back(compare_truth("joints.stiffness", "N m/rad or N/m", joints(arm.found.stiffness, simulated.stiffness)));
  all.push_back(compare_truth("joints.damping", "N m s/rad or N s/m", joints(arm.found.damping, simulated.damping)));
  for (auto& each : all)
    if (each.trials > 0) each.trials = arm.trials;
  return all;
}

}  // namespace

TruthQuantity compare_truth(const char* quantity, const char* unit,
                            const std::vector<std::pair<double, double>>& values) {
  TruthQuantity result{quantity, unit};
  std::vector<double> identified, simulated, errors;
  for (const auto& [found, truth] : values) {
    if (!std::isfinite(found) || !std::isfinite(truth) || truth == 0) continue;
    identified.push_back(found);
    simulated.push_back(truth);
    errors.push_back(std::abs(found / truth - 1));
  }
  result.trials = errors.size();
  if (errors.empty()) return result;
  result.identified = statistics::median(identified);
  result.simulated = statistics::median(simulated);
  result.median_error = statistics::median(errors);
  result.largest_error = *std::ranges::max_element(errors);
  return result;
}

std::vector<TruthQuantity> study_truth(const Study& study, const DatasetHeader& header) {
  const std::vector<TrialStudy>& trials = study.trials;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto over = [&](auto identified, auto simulated) {
    std::vector<std::pair<double, double>> values;
    for (const auto& trial : trials)
      if (trial.ok() && trial.truth) values.emplace_back(identified(trial), simulated(*trial.truth));
    return values;
  };
  const auto of_law = [&](auto quantity) {
    return [=](const TrialStudy& trial) {
      const FitResult* law = true_law(trial);
      return law ? quantity(*law) : none;
    };
  };
  const auto of_arm = [&](auto quantity) {
    return [=](const TrialStudy& trial) {
      return trial.arm && trial.arm->result.kind == kind_of(trial.truth->law) ? quantity(*trial.arm) : none;
    };
  };
  std::vector<TruthQuantity> all{
      compare_truth("stiffness", "N/m or N/m^n",
                    over(of_law([](const FitResult& law) { return parameter(law.law, "stiffness"); }),
                         [](const Truth& truth) { return parameter(truth.law, "stiffness"); })),
      compare_truth("damping", "N s/m, N s/m^2 or N s/m^(n+1)",
                    over(of_law([](const FitResult& law) { return parameter(law.law, "damping"); }),
                         [](const Truth& truth) { return parameter(truth.law, "damping"); })),
      compare_truth("impulse_compression", "N s",
                    over([](const TrialStudy& trial) { return trial.impulse_compression; },
                         [](const Truth& truth) { return truth.impulse_compression; })),
      compare_truth("peak_force", "N",
                    over([](const TrialStudy& trial) { return trial.peak_force; },
                         [](const Truth& truth) { return truth.peak_force; })),
      compare_truth("time_of_compression", "s",
                    over(of_law([](const FitResult& law) { return law.time_of_compression; }),
                         [](const Truth& truth) { return truth.compression_time; })),
      compare_truth("velocity", "m/s",
                    over([](const TrialStudy& trial) { return trial.touch.v_exact; },
                         [](const Truth& truth) { return truth.velocity; })),
      compare_truth("impulse_compression_best", "N s",
                    over([](const TrialStudy& trial) { return trial.impulse_compression_best; },
                         [](const Truth& truth) { return truth.impulse_compression; })),
  };
  if (!study.arm) return all;
  for (auto& each : std::vector<TruthQuantity>{
           compare_truth("stiffness_elastic_arm", "N/m or N/m^n",
                         over(of_arm([](const ElasticFit& fit) { return parameter(fit.result.law, "stiffness"); }),
                              [](const Truth& truth) { return parameter(truth.law, "stiffness"); })),
           compare_truth("damping_elastic_arm", "N s/m, N s/m^2 or N s/m^(n+1)",
                         over(of_arm([](const ElasticFit& fit) { return parameter(fit.result.law, "damping"); }),
                              [](const Truth& truth) { return parameter(truth.law, "damping"); })),
           compare_truth("time_of_compression_elastic_arm", "s",
                         over(
                             [](const TrialStudy& trial) {
                               return trial.arm && trial.arm->deepest_turn ? trial.arm->deepest_turn->time : none;
                             },
                             [](const Truth& truth) { return truth.compression_time; })),
       })
    all.push_back(std::move(each));
  for (auto& each : truth_of_arm(*study.arm, header)) all.push_back(std::move(each));
  return all;
}

}  // namespace thud::studying
