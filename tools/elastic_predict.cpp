#include "elastic_predict.hpp"

#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "arm_arguments.hpp"
#include "law_arguments.hpp"

namespace thud::cli {

void add_elastic_options(CLI::App& command, ElasticArguments& arguments) {
  command.add_option("--drives", arguments.drives,
                     std::string(drives_help) +
                         ". Says which option is near the arm with elastic joints, and how far each is from it");
  command.add_option("--servo", arguments.servo, "off: motors that nothing holds");
  command.add_option("--wall", arguments.wall,
                     "What the arm with elastic joints hits: a law and its parameters, such as "
                     "viscoelastic,stiffness=1e6,damping=7.28e6");
}

std::optional<ElasticAnswer> elastic_answer(const ElasticArguments& arguments, const Robot& robot,
                                            const ContactPoint& point, const VectorRef& q, const Prediction& prediction,
                                            const Meeting& meeting, const Sources& sources) {
  if (arguments.drives.empty()) {
    for (const auto& [option, text] : {std::pair{"--wall", &arguments.wall}, {"--servo", &arguments.servo}})
      if (!text->empty()) throw InputError(option, *text, "is of an arm with elastic joints: it needs --drives");
    return std::nullopt;
  }
  if (!(meeting.velocity < 0)) throw InputError("--drives", arguments.drives, "needs a contact point that approaches");
  const Drives drives = servoed(sources.drives(arguments.drives, robot), arguments.servo);
  const ElasticArm arm = elastic_arm(robot, point, q, drives);
  ElasticAnswer answer;
  answer.warnings = arm.warnings;
  const ContactLaw law = arguments.wall.empty() ? typical_law(LawKind::viscoelastic) : law_of("--wall", arguments.wall);
  if (arguments.wall.empty()) {
    std::string wall(to_string(kind_of(law)));
    for (const auto& [name, value] : law_parameters(law)) wall += fmt::format(",{}={:g}", name, value);
    answer.warnings.push_back({WarningCode::assumed_wall, "", fmt::format("no --wall is given: {} is assumed", wall)});
  }
  const ElasticProfile profile =
      elastic_profile(arm, law, meeting.velocity, {.object_inverse_mass = meeting.object_inverse_mass});
  answer.turn = profile.deepest_turn();
  answer.regime = regime(arm, profile);
  if (answer.turn)
    answer.effective_mass =
        answer.turn->impulse / (-meeting.velocity - meeting.object_inverse_mass * answer.turn->impulse);
  else
    answer.warnings.push_back({WarningCode::assumed_wall, "",
                               "the arm with elastic joints does not come to rest at what it hits within 50 ms"});
  const auto differs = [&](std::string name, double mass) {
    answer.differences.emplace_back(std::move(name), mass / answer.effective_mass - 1);
  };
  for (const InertiaModel model : all_inertia_models)
    differs(std::string(to_string(model)), prediction[model].inertia.effective_mass());
  differs("generalized_momentum_with_rotors", arm.mass_rotors);
  return answer;
}

std::string ElasticAnswer::nearest() const {
  std::string best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [name, difference] : differences)
    if (std::abs(difference) < least) {
      least = std::abs(difference);
      best = name;
    }
  return best;
}

Json elastic_json(const ElasticAnswer& answer) {
  const auto& [turn, regime, mass, differences, warnings] = answer;
  const std::string nearest = answer.nearest();
  Json object{{"effective_mass", json(mass)},
              {"impulse_compression", turn ? json(turn->impulse) : Json(nullptr)},
              {"time_of_compression", turn ? json(turn->time) : Json(nullptr)},
              {"nearest", nearest.empty() ? Json(nullptr) : Json(nearest)},
              {"frequency", regime ? json(regime->frequency) : Json(nullptr)},
              {"x", regime ? json(regime->x) : Json(nullptr)},
              {"by_rule", regime ? Json(to_string(regime->by_rule)) : Json(nullptr)}};
  object["difference"] = Json::object();
  for (const auto& [name, difference] : differences) object["difference"][name] = json(difference);
  return object;
}

std::string elastic_table(const ElasticAnswer& answer) {
  if (!answer.turn) return {};
  std::string out =
      fmt::format("{:<22}{:>13.5g} kg{:>12.5g} N s{:>18}greatest depth after {:.3g} ms\n", "elastic joints",
                  answer.effective_mass, answer.turn->impulse, "", 1e3 * answer.turn->time);
  out += "\nfrom the arm with elastic joints:";
  for (std::size_t i = 0; i < answer.differences.size(); ++i) {
    const auto& [name, difference] = answer.differences[i];
    out += fmt::format("{} {} {}", i ? "," : "", name,
                       std::isfinite(difference) ? fmt::format("{:+.3g} %", 100 * difference) : "none");
  }
  out += fmt::format("; nearest: {}\n", answer.nearest());
  if (answer.regime)
    out += fmt::format(
        "x = omega t_c = {:.3g}, omega {:.4g} rad/s; by the rule {} (below {:g} generalized_momentum, above {:g} "
        "algebraic)\n",
        answer.regime->x, answer.regime->frequency, to_string(answer.regime->by_rule), regime_bounds[0],
        regime_bounds[1]);
  return out;
}

}  // namespace thud::cli
