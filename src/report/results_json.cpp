#include <thud/elastic_fit.hpp>
#include <thud/error.hpp>
#include <thud/profile.hpp>
#include <thud/report.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/cell_columns.hpp"

namespace THUD_EXPORT thud {
using namespace report;
namespace {

using Json = nlohmann::ordered_json;  // keeps the keys in the order of web/schema/results.schema.json

constexpr std::size_t max_samples = 600;      // of a record in the output; a faster one is decimated
constexpr std::size_t max_few_samples = 200;  // where a cell has a band beside
constexpr Eigen::Index curve_points = 81;     // straight lines between them are off by 2e-4 of a half sine
constexpr Eigen::Index elastic_points = 101;  // an elastic arm's force has several humps
constexpr double margin = 0.1;                // of the window's length, shown before and after it
constexpr Eigen::Index spectrum_lines = 40;   // up to a kilohertz for a contact of some 10 ms

Json json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json(const VectorX& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json(value));
  return list;
}

// A sample with six significant digits: what a drawing needs.
double rounded(double value) {
  const std::string text = to_text(value, 6);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

template <class Values>
Json samples(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(rounded(value)) : Json(nullptr));
  return list;
}

// Trials that are drawn; those of a study that was put together by hand are all of them.
std::vector<std::size_t> drawn_trials(const Study& study) {
  if (!study.sample.empty()) return study.sample;
  std::vector<std::size_t> all(study.trials.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Json dataset_json(const Study& study, const std::string& file, std::size_t drawn) {
  Json object{{"file", file},
              {"source", to_string(study.source)},
              {"robot", study.robot},
              {"seed", study.seed ? Json(*study.seed) : Json(nullptr)},
              {"trials", study.trials.size()},
              {"planned", study.planned}};
  if (drawn < study.trials.size()) object["drawn"] = drawn;
  return object;
}

// Every law with its parameters, from the tables of contact.hpp.
Json laws_json() {
  Json list = Json::array();
  for (const LawKind kind : all_laws) {
    Json parameters = Json::array();
    const auto add = [&](const auto& law) {
      for (const auto& each : law.parameters)
        parameters.push_back({{"name", each.name}, {"symbol", each.symbol}, {"unit", each.unit}});
    };
    std::visit(add, typical_law(kind));
    list.push_back({{"name", to_string(kind)}, {"parameters", parameters}});
  }
  return list;
}

Json configurations_json(const Study& study) {
  Json list = Json::array();
  for (const auto& configuration : study.configurations)
    list.push_back(
        {{"name", configuration.name}, {"q", json(configuration.q)}, {"threshold", json(configuration.threshold)}});
  return list;
}

// Window and a little around it, the sensor's sign, baseline and drift taken out.
Json record_json(const TrialStudy& trial, std::size_t most) {
  const ContactWindow& window = trial.found.window;
  const double around = margin * (window.end - window.start);
  std::vector<double> time, force;
  for (std::size_t i = 0; i < trial.found.contact.time.size(); ++i) {
    const double t = trial.found.contact.time[i];
    if (t < window.start - around || t > window.end + around) continue;
    time.push_back(t - window.start);
    force.push_back(trial.found.contact.force[i]);
  }
  const std::size_t step = (time.size() + most - 1) / most;
  const auto thinned = [&](const std::vector<double>& all) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < all.size(); i += step) kept.push_back(all[i]);
    return samples(kept);
  };
  return {{"time", thinned(time)}, {"force", thinned(force)}};
}

// Time span of a law's curves: from its touch to the end of the plotted range, in the law's time.
VectorX curve_times(const TrialStudy& trial, const FitResult& law) {
  const ContactWindow& window = trial.found.window;
  const double end = window.end + margin * (window.end - window.start) - law.start;
  return VectorX::LinSpaced(curve_points, 0, std::max(end, trial.period));
}

// Only a law that converged has a profile: one with negative damping is none.
struct Curves {
  double touch;  // of the law, from the trial's first touch [s]
  ForceProfile profile;
  std::vector<ContactState> states;
};

std::optional<Curves> curves(const TrialStudy& trial, const FitResult& law) {
  const auto profile = fitted_profile(law);
  if (!profile) return std::nullopt;
  return Curves{law.start - trial.found.window.start, *profile, states(*profile, curve_times(trial, law))};
}

template <class Value>
Json over(const Curves& curves, Value value) {
  std::vector<double> list;
  for (const auto& state : curves.states) list.push_back(value(state));
  return samples(list);
}

Json interval_json(const FitParameter& parameter) {
  return {{"value", json(parameter.value)}, {"low", json(parameter.low)}, {"high", json(parameter.high)}};
}

Json residuals_json(const ResidualSummary& summary) {
  if (std::isnan(summary.rmse)) return nullptr;
  Json spectrum = Json::array();
  for (const double share : summary.spectrum.head(std::min(summary.spectrum.size(), spectrum_lines)))
    spectrum.push_back(std::round(1000 * share) / 1000);
  return {{"runs", summary.runs},
          {"expected_runs", json(summary.expected_runs)},
          {"runs_p", json(summary.runs_p)},
          {"frequency", json(summary.frequency)},
          {"frequency_share", json(summary.frequency_share)},
          {"resolution", json(summary.resolution)},
          {"spectrum", spectrum}};
}

Json law_json(const TrialStudy& trial, const FitResult& law, const ResidualSummary& residuals) {
  const auto drawn = curves(trial, law);
  Json object;
  object["status"] = to_string(law.status);
  object["message"] = law.message;
  object["parameters"] = object["identifiability"] = Json::object();
  for (const auto& parameter : law.parameters) {
    object["parameters"][std::string(parameter.name)] = interval_json(parameter);
    object["identifiability"][std::string(parameter.name)] = to_string(parameter.identifiability);
  }
  for (const auto& [name, field] : fit_numbers) object[std::string(name)] = json(law.*field);
  object["restitution_interval"] = {{"low", json(law.restitution_low)},
                                    {"high", json(law.restitution_high)},
                                    {"identifiability", to_string(law.restitution_identifiability)}};
  object["noise"] = json(law.noise);
  object["misfit"] = json(law.misfit);
  object["residuals"] = residuals_json(residuals);
  if (law.kind == LawKind::viscoelastic)
    object["restitution_asymptotic"] =
        drawn ? json(restitution_asymptotic(std::get<Viscoelastic>(law.law), trial.touch.v_exact)) : Json(nullptr);
  object["time_of_end"] = drawn ? json(drawn->profile.end_of_force.time) : Json(nullptr);
  object["time_of_parting"] =
      drawn && drawn->profile.end_of_contact ? json(drawn->profile.end_of_contact->time) : Json(nullptr);
  object["touch"] = json(law.start - trial.found.window.start);
  object["curve"] = nullptr;
  if (drawn)
    object["curve"] = {{"time", over(*drawn, [&](const ContactState& state) { return drawn->touch + state.time; })},
                       {"force", over(*drawn, [](const ContactState& state) { return state.force; })}};
  return object;
}

Json energy_json(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  const auto drawn = law ? curves(trial, *law) : std::nullopt;
  if (!drawn) return nullptr;
  return {{"time", over(*drawn, [&](const ContactState& state) { return drawn->touch + state.time; })},
          {"kinetic", over(*drawn, [](const ContactState& state) { return state.kinetic; })},
          {"potential", over(*drawn, [](const ContactState& state) { return state.potential; })},
          {"dissipated", over(*drawn, [](const ContactState& state) { return state.dissipated; })}};
}

Json parameters_json(const ContactLaw& law) {
  Json object = Json::object();
  for (const auto& [name, value] : law_parameters(law)) object[std::string(name)] = value;
  return object;
}

Json truth_json(const Truth& truth) {
  return {{"law", to_string(kind_of(truth.law))},
          {"parameters", parameters_json(truth.law)},
          {"velocity", json(truth.velocity)},
          {"peak_force", json(truth.peak_force)},
          {"compression_time", json(truth.compression_time)},
          {"contact_time", json(truth.contact_time)},
          {"impulse_compression", json(truth.impulse_compression)},
          {"impulse", json(truth.impulse)}};
}

// The trial by the arm of all trials, and the factors by itself.
Json elastic_arm_json(const TrialStudy& trial) {
  if (!trial.arm) return nullptr;
  const FitResult& fit = trial.arm->result;
  Json object{{"law", to_string(fit.kind)}, {"status", to_string(fit.status)}, {"message", fit.message}};
  object["parameters"] = Json::object();
  for (const auto& parameter : fit.parameters)
    object["parameters"][std::string(parameter.name)] = interval_json(parameter);
  object["alone"] = Json::object();
  if (trial.alone)
    for (const auto& parameter : trial.alone->result.parameters)
      if (parameter.name.starts_with("joints.")) object["alone"][std::string(parameter.name)] = json(parameter.value);
  object["rmse"] = json(fit.rmse);
  object["r_squared"] = json(fit.r_squared);
  object["residuals"] = residuals_json(*trial.arm_residuals);
  const auto& deepest = trial.arm->deepest_turn;
  object["time_of_compression"] = deepest ? json(deepest->time) : Json(nullptr);
  object["impulse_compression"] = deepest ? json(deepest->impulse) : Json(nullptr);
  object["measured_impulse_compression"] = json(trial.arm->measured_impulse_deepest);
  object["predicted_impulse_compression"] = json(trial.impulse_elastic);
  const double touch = fit.start - trial.found.window.start;
  object["touch"] = json(touch);
  object["curve"] = nullptr;
  if (const auto profile = fitted_profile(*trial.arm)) {
    const VectorX times = VectorX::LinSpaced(elastic_points, 0, profile->end);
    VectorX force(times.size());
    forces(*profile, times, force);
    object["curve"] = {{"time", samples(VectorX(times.array() + touch))}, {"force", samples(force)}};
  }
  return object;
}

Json trial_json(const TrialStudy& trial, bool all_drawn) {
  const ContactWindow& window = trial.found.window;
  Json object{{"name", trial.name},
              {"configuration", trial.configuration},
              {"speed", json(trial.speed)},
              {"repeat", trial.repeat},
              {"status", trial.ok() ? std::string(to_string(trial.status)) : trial.message}};
  object["velocity"] = {{"exact", json(trial.touch.v_exact)},
                        {"approximate", json(trial.touch.v_approximate)},
                        {"ratio", json(trial.touch.ratio)},
                        {"source", to_string(trial.touch.source)}};
  object["window"] = {{"start", json(window.start)},
                      {"end", json(window.end)},
                      {"baseline", json(window.baseline)},
                      {"noise", json(window.noise)},
                      {"status", to_string(window.status)}};
  object["peak_force"] = json(trial.peak_force);
  object["peak_time"] = json(trial.peak_time);
  object["contact_time"] = json(trial.contact_time);
  object["impulse_compression"] = json(trial.impulse_compression);
  object["impulse_compression_best"] = json(trial.impulse_compression_best);
  object["best_model"] = trial.best_model.empty() ? Json(nullptr) : Json(trial.best_model);
  object["impulse_total"] = json(trial.impulse_total);
  object["detection_delay"] = json(trial.detection_delay);
  object["observer_delay"] = json(trial.observer_delay);
  object["record"] = record_json(trial, all_drawn ? max_samples : max_few_samples);
  object["best"] = trial.found.best ? Json(to_string(*trial.found.best)) : Json(nullptr);
  object["laws"] = Json::object();
  for (std::size_t i = 0; i < trial.found.laws.size(); ++i) {
    const FitResult& law = trial.found.laws[i];
    object["laws"][std::string(to_string(law.kind))] = law_json(trial, law, trial.residuals[i]);
  }
  object["elastic_arm"] = elastic_arm_json(trial);
  object["energy"] = energy_json(trial);
  object["truth"] = trial.truth ? truth_json(*trial.truth) : Json(nullptr);
  object["warnings"] = texts(trial.found.warnings);
  for (const auto& warning : trial.warnings) object["warnings"].push_back(warning.text);
  return object;
}

Json prediction_json(const Prediction& prediction) {
  Json object;
  for (const InertiaModel option : all_inertia_models) {
    const ModelPrediction& result = prediction[option];
    Json& entry = object[to_string(option)];
    entry["status"] = to_string(result.inertia.status);
    entry["effective_mass"] = json(result.inertia.effective_mass());
    entry["impulse_compression"] = json(result.impulse.compression);
    if (option == InertiaModel::composite_rigid_body)
      entry["impulse_compression_approximate"] = json(result.impulse_approximate.compression);
  }
  return object;
}

Json mass_json(bool exists, double mass, double impulse) {
  return {{"status", exists ? "ok" : "none"}, {"effective_mass", json(mass)}, {"impulse_compression", json(impulse)}};
}

Json band_json(const ForceBand& band) {
  Json object{{"time", samples(band.time)}, {"levels", band_levels}, {"force", Json::array()}};
  for (Eigen::Index level = 0; level < band.force.cols(); ++level)
    object["force"].push_back(samples(VectorX(band.force.col(level))));
  return object;
}

Json cell_json(const Study& study, const CellStudy& cell, bool all_drawn) {
  Json object{{"configuration", cell.configuration}, {"speed", json(cell.speed)}, {"trials", cell.trials.size()}};
  for (const auto& [name, unit, field] : cell_columns) {
    const Spread& spread = cell.*field;
    object[name] = {
        {"mean", json(spread.mean)}, {"std", json(spread.std)}, {"min", json(spread.min)}, {"max", json(spread.max)}};
  }
  if (!all_drawn) object["band"] = band_json(cell.band);
  object["q"] = json(cell.q);
  object["dq"] = json(cell.dq);
  object["predictions"] = Json::object();
  for (std::size_t i = 0; i < study.robots.size(); ++i)
    object["predictions"][study.robots[i]] = prediction_json(cell.predictions[i]);
  if (!study.arm) return object;
  // beyond the paper's four, by the evaluating robot
  Json& judged = object["predictions"][study.robots.front()];
  judged["generalized_momentum_with_rotors"] =
      mass_json(std::isfinite(cell.mass_rotors), cell.mass_rotors, cell.impulse_rotors);
  const double impulse = cell.impulse_elastic.mean;
  judged["elastic_joints"] = mass_json(std::isfinite(impulse), impulse / -cell.velocity_exact.mean, impulse);
  return object;
}

Json vector_or_null(const VectorX& values) {
  return values.size() == 0 ? Json(nullptr) : json(values);
}

Json drives_json(const Drives& drives) {
  return {{"rotor_inertia", vector_or_null(drives.rotor_inertia)},
          {"stiffness", vector_or_null(drives.stiffness)},
          {"damping", vector_or_null(drives.damping)},
          {"effort", vector_or_null(drives.effort)},
          {"servo_stiffness", vector_or_null(drives.servo_stiffness)},
          {"servo_damping", vector_or_null(drives.servo_damping)},
          {"servo_damping_ratio", drives.servo_damping_ratio ? json(*drives.servo_damping_ratio) : Json(nullptr)}};
}

Json arm_json(const Study& study) {
  if (!study.arm) return nullptr;
  const ArmStudy& arm = *study.arm;
  Json object{{"origin", arm.origin},
              {"law", to_string(arm.law)},
              {"trials", arm.trials},
              {"status", to_string(arm.status)},
              {"message", arm.message}};
  object["factors"] = Json::object();
  for (const auto& factor : arm.factors) object["factors"][std::string(factor.name)] = interval_json(factor);
  object["given"] = drives_json(arm.given);
  object["found"] = arm.status == FitStatus::converged ? drives_json(arm.found) : Json(nullptr);
  return object;
}

Json verdict_json(const Verdict& verdict) {
  return {{"claim", verdict.claim},
          {"statement", verdict.statement},
          {"verdict", to_string(verdict.judgement)},
          {"statistic", json(verdict.statistic)},
          {"threshold", json(verdict.threshold)},
          {"unit", verdict.unit},
          {"why", verdict.why},
          {"section", verdict.section}};
}

Json object_prediction_json(const ObjectPrediction& prediction) {
  return {{"speed", json(prediction.speed)}, {"spin", json(prediction.spin)}, {"angle", json(prediction.angle)}};
}

Json object_json(const ObjectStudy& object) {
  Json entry{{"trial", object.trial},
             {"status", object.message.empty() ? "ok" : object.message},
             {"mass", json(object.mass)},
             {"touch_time", json(object.touch_time)},
             {"approach", json(object.approach)},
             {"restitution", json(object.restitution)},
             {"friction", json(object.friction)},
             {"speed", json(object.speed)},
             {"spin", json(object.spin)},
             {"angle", json(object.angle)}};
  entry["predictions"] = Json::object();
  for (const auto& prediction : object.predictions)
    entry["predictions"][prediction.model] = object_prediction_json(prediction);
  return entry;
}

Json objects_section(const Study& study, const std::vector<std::size_t>& drawn) {
  if (!study.objects) return nullptr;
  Json section{{"contact", study.objects->contact_origin}};
  const bool all_drawn = drawn.size() == study.trials.size();
  std::set<std::string_view> names;
  for (const std::size_t i : drawn) names.insert(study.trials[i].name);
  if (!all_drawn) {
    section["objects"] = study.objects->trials.size();
    section["followed"] =
        std::ranges::count_if(study.objects->trials, [](const ObjectStudy& object) { return object.message.empty(); });
  }
  section["models"] = Json::array();
  section["trials"] = Json::array();
  for (const auto& model : study.objects->models)
    section["models"].push_back({{"model", model.model},
                                 {"trials", model.trials},
                                 {"median_ratio", json(model.median_ratio)},
                                 {"median_error", json(model.median_error)},
                                 {"largest_error", json(model.largest_error)},
                                 {"median_spin_error", json(model.median_spin_error)},
                                 {"median_angle_error", json(model.median_angle_error)}});
  for (const auto& object : study.objects->trials)
    if (all_drawn || names.contains(object.trial)) section["trials"].push_back(object_json(object));
  return section;
}

Json truth_section(const Study& study) {
  if (!study.truth) return nullptr;
  Json quantities = Json::array();
  for (const auto& each : *study.truth)
    quantities.push_back({{"quantity", each.quantity},
                          {"unit", each.unit},
                          {"trials", each.trials},
                          {"identified", json(each.identified)},
                          {"simulated", json(each.simulated)},
                          {"median_error", json(each.median_error)},
                          {"largest_error", json(each.largest_error)}});
  const auto known =
      std::ranges::count_if(study.trials, [](const TrialStudy& trial) { return trial.truth.has_value(); });
  return {{"trials", known}, {"quantities", quantities}};
}

}  // namespace

std::string results_json(const Study& study, const std::string& file) {
  Json object{{"format", "thud results"}, {"version", 1}, {"thud", THUD_VERSION}};
  const std::vector<std::size_t> drawn = drawn_trials(study);
  const bool all_drawn = drawn.size() == study.trials.size();
  object["dataset"] = dataset_json(study, file, drawn.size());
  object["material_restitution"] = study.material_restitution;
  object["laws"] = laws_json();
  object["configurations"] = configurations_json(study);
  object["speeds"] = study.speeds;
  object["robots"] = study.robots;
  object["trials"] = Json::array();
  for (const std::size_t i : drawn) object["trials"].push_back(trial_json(study.trials[i], all_drawn));
  object["cells"] = Json::array();
  for (const auto& cell : study.cells) object["cells"].push_back(cell_json(study, cell, all_drawn));
  object["verdicts"] = Json::array();
  for (const auto& verdict : study.verdicts) object["verdicts"].push_back(verdict_json(verdict));
  object["verdicts_as_in_paper"] = Json::array();
  for (const auto& both : study.verdicts_as_in_paper) {
    Json entry = verdict_json(both.exact);
    entry["asymptotic"] = both.asymptotic ? verdict_json(*both.asymptotic) : Json(nullptr);
    object["verdicts_as_in_paper"].push_back(std::move(entry));
  }
  object["arm"] = arm_json(study);
  object["beyond"] = Json::array();
  for (const auto& verdict : study.beyond) object["beyond"].push_back(verdict_json(verdict));
  object["objects"] = objects_section(study, drawn);
  object["truth"] = truth_section(study);
  object["warnings"] = texts(study.warnings);
  // one line: the lists of samples would take a line each number; names may hold what is not UTF-8
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace thud
