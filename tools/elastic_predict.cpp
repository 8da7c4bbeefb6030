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
                     "Motors, transmissions and servo, a shipped name or a TOML file: says which option is near the "
                     "arm with elastic joints, and how far each is from it");
  command.add_option("--servo", arguments.servo, "off: motors that nothing holds");
  command.add_option("--wall", arguments.wall,
                     "What the arm with elastic joints hits: a law and its parameters, such as "
                     "viscoelastic,stiffness=1e6,damping=7.28e6");
}

std::optional<ElasticAnswer> elastic_answer(const ElasticArguments& arguments, const Robot& robot,
                                            const ContactPoint& point, const VectorRef& q,
                                            const Prediction& prediction) {
  if (arguments.drives.empty()) {
    for (const auto& [option, text] : {std::pair{"--wall", &arguments.wall}, {"--servo", &arguments.servo}})
      if (!text->empty()) throw InputError(option, *text, "is of an arm with elastic joints: it needs --drives");
    return std::nullopt;
  }
  if (!(prediction.v_exact < 0))
    throw InputError("--drives", arguments.drives, "needs a contact point that approaches");
  const Drives drives = servoed(named_drives(arguments.drives, robot.size()), arguments.servo);
  const ElasticArm arm = elastic_arm(robot, point, q, drives);
  ElasticAnswer answer;
  answer.warnings = arm.warnings;
  const ContactLaw law = arguments.wall.empty() ? typical_law(LawKind::viscoelastic) : law_of("--wall", arguments.wall);
  if (arguments.wall.empty()) {
    std::string wall(to_string(kind_of(law)));
    for (const auto& [name, value] : law_parameters(law)) wall += fmt::format(",{}={:g}", name, value);
    answer.warnings.push_back({WarningCode::assumed_wall, "", fmt::format("no --wall is given: {} is assumed", wall)});
  }
  const ElasticProfile profile = elastic_profile(arm, law, prediction.v_exact);
  const auto found = regime(arm, profile);
  if (!found)
    throw InputError("--drives", arguments.drives,
                     profile.turns.empty() ? "the arm does not come to rest at the wall within 50 ms"
                                           : "must have the stiffness of every transmission");
  answer.regime = *found;
  const auto differs = [&](std::string name, double mass) {
    answer.differences.emplace_back(std::move(name), mass / found->effective_mass - 1);
  };
  for (const InertiaModel model : all_inertia_models)
    differs(std::string(to_string(model)), prediction[model].inertia.effective_mass());
  differs("generalized_momentum_with_rotors", arm.mass_rotors);
  return answer;
}

Json elastic_json(const ElasticAnswer& answer) {
  const Regime& regime = answer.regime;
  Json object{{"effective_mass", json(regime.effective_mass)},
              {"impulse_compression", json(regime.impulse)},
              {"time_of_compression", json(regime.time)},
              {"frequency", json(regime.frequency)},
              {"x", json(regime.x)},
              {"nearest", to_string(regime.nearest)}};
  object["difference"] = Json::object();
  for (const auto& [name, difference] : answer.differences) object["difference"][name] = json(difference);
  return object;
}

std::string elastic_table(const ElasticAnswer& answer) {
  const Regime& regime = answer.regime;
  std::string out = fmt::format("{:<22}{:>13.5g} kg{:>12.5g} N s{:>18}greatest depth after {:.3g} ms\n",
                                "elastic joints", regime.effective_mass, regime.impulse, "", 1e3 * regime.time);
  out += fmt::format(
      "\nx = omega t_c = {:.3g} (omega {:.4g} rad/s): near {} by the rule (below {:g} generalized_momentum, above {:g} "
      "algebraic)\n",
      regime.x, regime.frequency, to_string(regime.nearest), regime_bounds[0], regime_bounds[1]);
  out += "from the arm with elastic joints:";
  for (std::size_t i = 0; i < answer.differences.size(); ++i) {
    const auto& [name, difference] = answer.differences[i];
    out += fmt::format("{} {} {}", i ? "," : "", name,
                       std::isfinite(difference) ? fmt::format("{:+.3g} %", 100 * difference) : "none");
  }
  return out + "\n";
}

}  // namespace thud::cli
