#include "elastic_fit.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <utility>

namespace thud::cli {
namespace {

DriveParameter drive_parameter(const std::string& word) {
  std::string names;
  for (const DriveParameter each : all_drive_parameters) {
    if (to_string(each) == word) return each;
    names.append(names.empty() ? "" : ", ").append(to_string(each));
  }
  throw InputError("--free", word, "must be of " + names);
}

}  // namespace

std::optional<FittedArm> fitted_arm(const ArmArguments& arguments, const std::string& free,
                                    const std::string& model_error, const std::string& mass, const Sources& sources) {
  if (!arguments.given("--robot")) {
    for (const auto& [option, text] : {std::pair{"--free", &free}, {"--model-error", &model_error}})
      if (!text->empty()) throw InputError(option, *text, "is of an arm: it needs --robot");
    return std::nullopt;
  }
  if (!mass.empty()) throw InputError("--mass", mass, "is the arm's with --robot");
  FittedArm arm{described_arm(arguments, sources), {}};
  if (!free.empty())
    for (const std::string& word : words(free)) arm.options.free.push_back(drive_parameter(word));
  if (!model_error.empty()) {
    arm.options.model_error = number("--model-error", model_error);
    if (arm.options.model_error < 0) throw InputError("--model-error", model_error, "must be >= 0");
  }
  return arm;
}

Identification identified(const FittedArm& arm, const Record& record, double speed, std::optional<LawKind> kind,
                          const ContactOptions& where, std::vector<ElasticFit>& fits) {
  ElasticIdentification found = identify(record, arm.described.arm, -speed, arm.options, kind, where);
  fits = std::move(found.laws);
  Identification out;
  out.window = std::move(found.window);
  out.contact = std::move(found.contact);
  out.best = found.best;
  out.warnings = arm.described.robot.warnings();
  out.warnings.insert(out.warnings.end(), found.warnings.begin(), found.warnings.end());
  for (const ElasticFit& fit : fits) out.laws.push_back(fit.result);
  return out;
}

Json arm_json(const ElasticFit& fit) {
  Json object{{"model", "elastic_arm"}, {"deepest_turn", nullptr}};
  if (const auto& turn = fit.deepest_turn)
    object["deepest_turn"] = {{"time", json(turn->time)},
                              {"depth", json(turn->depth)},
                              {"force", json(turn->force)},
                              {"impulse", json(turn->impulse)}};
  object["not_identifiable"] = fit.not_identifiable;
  object["correlation"] = Json::object();
  for (std::size_t i = 0; i < fit.free.size(); ++i)
    for (std::size_t k = 0; k < fit.free.size(); ++k)
      object["correlation"][std::string(fit.free[i])][std::string(fit.free[k])] =
          json(fit.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
  return object;
}

std::optional<FittedCourse> fitted_course(const ElasticFit& fit, const std::vector<double>& times) {
  const double span = times.empty() ? 0 : times.back() - fit.result.start;
  const auto profile = fitted_profile(fit, std::max(span, ElasticOptions{}.horizon));
  if (!profile) return std::nullopt;
  FittedCourse course{std::vector<double>(times.size()), end_of_force(*profile)};
  const auto n = static_cast<Eigen::Index>(times.size());
  const Eigen::VectorXd since = Eigen::Map<const Eigen::VectorXd>(times.data(), n).array() - fit.result.start;
  Eigen::VectorXd force(n);
  forces(*profile, since, force);
  std::copy(force.begin(), force.end(), course.force.begin());
  return course;
}

}  // namespace thud::cli
