#pragma once

/// What `thud fit --robot` does otherwise than `thud fit`.

#include <thud/elastic_fit.hpp>
#include <thud/identify.hpp>
#include <thud/profile.hpp>

#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

/// An arm and what is fitted of it.
struct FittedArm {
  DescribedArm described;
  ElasticFitOptions options;
};

/// None without --robot. Throws InputError for --free and --model-error without it, and for --mass with it.
std::optional<FittedArm> fitted_arm(const ArmArguments& arguments, const std::string& free,
                                    const std::string& model_error, const std::string& mass,
                                    const Sources& sources = {});

/// The laws of a record in the place of those of a mass, and their fits.
Identification identified(const FittedArm& arm, const Record& record, double speed, std::optional<LawKind> kind,
                          const ContactOptions& where, std::vector<ElasticFit>& fits);

/// What the JSON of a law has beside that of a mass.
Json arm_json(const ElasticFit& fit);

/// The force of a fitted law at the samples of its record, without the baseline [N].
struct FittedCourse {
  std::vector<double> force;
  std::optional<EndOfForce> end_of_force;
};

/// None unless the fit converged.
std::optional<FittedCourse> fitted_course(const ElasticFit& fit, const std::vector<double>& times);

}  // namespace thud::cli
