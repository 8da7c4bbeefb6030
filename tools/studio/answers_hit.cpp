// One hit: postures, predictions, profiles, speeds.

#include <thud/error.hpp>
#include <thud/limits_file.hpp>
#include <thud/reach.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <Eigen/Geometry>

#include "../limit.hpp"
#include "../predict.hpp"
#include "../profile.hpp"
#include "../translate.hpp"
#include "answers.hpp"
#include "request.hpp"

namespace thud::cli {
namespace {

constexpr int most_steps = 100;  // of one reach: a hand moves on

Json list_of(const Eigen::Ref<const MatrixX>& matrix) {
  if (!matrix.allFinite()) return nullptr;
  Json list = Json::array();
  for (const double value : matrix.reshaped()) list.push_back(value);
  return list;
}

double finite(const Json& request, const char* key, std::size_t i) {
  const Json& value = request[key][i];
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw InputError(key, value.dump(-1, ' ', true, Json::error_handler_t::replace), "must be a finite number");
  return value.get<double>();
}

// Numbers of a request; `count` of them, or any number where that is 0.
VectorX numbers_of(const Json& request, const char* key, std::size_t count) {
  if (!request.contains(key) || !request[key].is_array() || (count != 0 && request[key].size() != count))
    throw InputError(
        key, request.contains(key) ? "given" : "missing",
        count == 0 ? "must be a list of numbers" : "must be a list of " + std::to_string(count) + " numbers");
  VectorX values(static_cast<Eigen::Index>(request[key].size()));
  for (std::size_t i = 0; i < request[key].size(); ++i) values[static_cast<Eigen::Index>(i)] = finite(request, key, i);
  return values;
}

std::string text_at(const Json& request, const char* key) {
  if (!request.contains(key) || !request[key].is_string()) throw InputError(key, "missing", "must be a text");
  return request[key];
}

bool given(const Json& request, const char* key) {
  return request.contains(key) && !request[key].is_null();
}

Json predict_studio(const PredictCase& item) {
  Json inertia = Json::object(), after = Json::object(), impulse = Json::object();
  const Vector3 velocity = item.dynamics.J.topRows<3>() * item.state.dq;
  for (const InertiaModel model : all_inertia_models) {
    const ModelPrediction& result = item.prediction[model];
    const std::string name(to_string(model));
    inertia[name] = list_of(result.inertia.W);
    impulse[name] = list_of(result.impulse_W);
    after[name] = list_of(item.impact ? (*item.impact)[model].velocity_after
                                      : Vector3(velocity + result.inertia.W * result.impulse_W));
  }
  Json speeds = Json::array(), efforts = Json::array();
  for (const Joint& joint : item.robot.joints()) {
    speeds.push_back(json(joint.velocity));
    efforts.push_back(json(joint.effort));
  }
  return {{"inverse_inertia", inertia},
          {"velocity_W", json(velocity)},
          {"velocity_after_W", after},
          {"impulse_W", impulse},
          {"joint_limits", {{"velocity", speeds}, {"effort", efforts}}}};
}

// What `thud profile` is asked, with the hit's own mass and speed where it says so.
Json profile_request(Json request, const PredictCase& item) {
  if (!given(request, "speed")) request["speed"] = -item.prediction.v_exact;
  if (given(request, "mass") && request["mass"].is_string())
    for (const InertiaModel model : all_inertia_models)
      if (request["mass"] == to_string(model)) {
        const double mass = item.prediction[model].inertia.effective_mass();
        if (!std::isfinite(mass)) throw InputError("--mass", std::string(to_string(model)), "does not exist here");
        request["mass"] = mass;
        break;
      }
  return request;
}

// `thud limit` where it takes a few milliseconds: with drives, or over all approaches, it is a job.
Json short_limit_answer(Json request, const Json& q, const Opened& opened) {
  if (!request.is_object()) throw InputError("limit", "given", "must be an object");
  for (const char* key : {"drives", "fastest"})
    if (given(request, key)) throw InputError("limit", key, "takes long: ask POST /api/limit");
  request["q"] = q;
  return with_arguments(add_limit_options, request,
                        [&](const LimitArguments& arguments) { return limit_json(limit_answer(arguments, opened)); });
}

Json refusal(const Error& error) {
  return {
      {"error",
       {{"message", error.what()}, {"argument", error.argument()}, {"value", error.value()}, {"rule", error.rule()}}}};
}

}  // namespace

std::string json_text(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json reach_answer(const Json& request, const Opened& opened) {
  for (const auto& [key, value] : request.items())
    if (key != "robot" && key != "q" && key != "frame" && key != "offset" && key != "position" &&
        key != "orientation" && key != "steps")
      throw InputError(key, "given", "is not known to reach");
  const auto kept = opened.kept_robot(text_at(request, "robot"));
  const Robot& robot = kept->robot;
  const VectorX q = numbers_of(request, "q", 0);
  validate_positions(robot, q);
  ContactPoint point{.frame = text_at(request, "frame")};
  if (given(request, "offset")) point.offset = numbers_of(request, "offset", 3);
  AimTarget target{.p_W = given(request, "position") ? Vector3(numbers_of(request, "position", 3))
                                                     : contact_dynamics(robot, point, q).p_WC};
  if (given(request, "orientation")) {
    const VectorX by = numbers_of(request, "orientation", 4);  // w, x, y, z
    const Eigen::Quaterniond turn(by[0], by[1], by[2], by[3]);
    if (!(turn.norm() > 1e-6)) throw InputError("orientation", "0", "must be a quaternion w, x, y, z with a length");
    target.orientation = ToolOrientation::fixed;
    target.R_WF = turn.normalized().toRotationMatrix();
  }
  ReachOptions options;
  if (given(request, "steps")) {
    if (!request["steps"].is_number_integer() || request["steps"] < 1 || request["steps"] > most_steps)
      throw InputError("steps", request["steps"].dump(), "must be a whole number from 1 to 100");
    options.steps = request["steps"];
  }
  const ReachResult result = reach(robot, point, target, q, options);
  const Eigen::Quaterniond turn(result.R_WF);
  return {{"status", to_string(result.status)},
          {"q", json(result.q)},
          {"position", json(result.p_W)},
          {"orientation", {turn.w(), turn.x(), turn.y(), turn.z()}},
          {"position_error", json(result.position_error)},
          {"orientation_error", json(result.angle_error)},
          {"warnings", Json::array()}};
}

Json hit_answer(const Json& request, const Opened& opened) {
  for (const auto& [key, value] : request.items())
    if (key != "reach" && key != "predict" && key != "profile" && key != "arm" && key != "limit")
      throw InputError(key, "given", "must be reach, predict, profile, arm or limit");
  if (!given(request, "predict")) throw InputError("predict", "missing", "is needed");
  Json answer{{"reach", nullptr}, {"predict", nullptr}, {"profile", nullptr}, {"arm", nullptr}, {"limit", nullptr}};
  Json asked = request["predict"];
  if (given(request, "reach")) {
    try {
      answer["reach"] = reach_answer(request["reach"], opened);
      if (asked.is_object()) asked["q"] = answer["reach"]["q"];
    } catch (const Error& error) {
      answer["reach"] = refusal(error);
    }
  }
  const auto cases = with_arguments(add_predict_options, asked, [&](const PredictArguments& arguments) {
    auto found = predict_cases(arguments, opened);
    answer["predict"] = predict_json(found, arguments);
    return found;
  });
  answer["predict"]["studio"] = predict_studio(cases.front());
  for (const char* key : {"profile", "arm"}) {  // a rigid arm's mass, and the arm with elastic joints
    if (!given(request, key)) continue;
    try {
      Json of_profile = request[key];
      if (!of_profile.is_object()) throw InputError(key, "given", "must be an object");
      if (given(of_profile, "robot")) of_profile["q"] = asked["q"];
      answer[key] = profile_answer(profile_request(std::move(of_profile), cases.front()), opened);
    } catch (const Error& error) {
      answer[key] = refusal(error);
    }
  }
  if (given(request, "limit")) {
    try {
      answer["limit"] = short_limit_answer(request["limit"], asked["q"], opened);
    } catch (const Error& error) {
      answer["limit"] = refusal(error);
    }
  }
  return answer;
}

Json profile_answer(const Json& request, const Opened& opened) {
  const auto hit = with_arguments(add_profile_options, request,
                                  [&](const ProfileArguments& arguments) { return profile_hit(arguments, opened); });
  return std::visit(
      [](const auto& each) {
        Json answer = profile_json(each);
        answer["studio"] = {{"course", course_json(each)}};
        return answer;
      },
      hit);
}

Json translate_answer(const Json& request) {
  return with_arguments(add_translate_options, request, [](const TranslateArguments& arguments) {
    return translation_json(translation_of(arguments));
  });
}

Work limit_work(const Json& request, const Opened& opened) {
  with_arguments(add_limit_options, request, [](const LimitArguments&) {});
  return [request, &opened](const RunOptions& run) {
    return with_arguments(add_limit_options, request, [&](const LimitArguments& arguments) {
      return json_text(limit_json(limit_answer(arguments, opened, run)));
    });
  };
}

}  // namespace thud::cli
