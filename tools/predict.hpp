#pragma once

/// `thud predict`: what it is asked, what it finds, how that is written.

#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/robot.hpp>

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "elastic_predict.hpp"
#include "impact.hpp"
#include "sources.hpp"

namespace thud::cli {

struct PredictArguments {
  std::string robot, q, dq, speed, frame, offset = "0,0,0", normal, restitution = "0", rotor, compare, duration;
  std::string lock, tool, max_joints, max_size;
  ElasticArguments elastic;
  ImpactArguments impact;
  bool whole = false;
  bool chain = false;
  bool pseudo_inverse = false;
};

/// Everything that describes the hit; not what is done with the answer.
void add_predict_options(CLI::App& command, PredictArguments& arguments);

/// One robot and one impact, with everything computed for it.
struct PredictCase {
  Robot robot;
  ContactPoint point;
  State state;
  std::vector<std::string> links;  // of the composite body
  ContactDynamics dynamics;
  Prediction prediction;
  std::vector<double> shares;
  std::optional<double> duration;
  ImpactPredictionOptions impact_options;
  std::optional<ImpactPrediction> impact;  // with options of friction or of an object
  std::vector<Warning> warnings;
  std::optional<ElasticAnswer> elastic;
};

/// The robot's, then those of --compare. Throws InputError naming the option.
std::vector<PredictCase> predict_cases(const PredictArguments& arguments, const Sources& sources = {});

/// What --json prints of them.
Json predict_json(const std::vector<PredictCase>& cases, const PredictArguments& arguments);

}  // namespace thud::cli
