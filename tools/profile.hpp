#pragma once

/// What `thud profile` prints of an arm with elastic joints.

#include <thud/elastic_arm.hpp>

#include <optional>
#include <string>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "plot.hpp"

namespace thud::cli {

/// Instants in a table or a drawing: enough for a smooth line across a screen.
inline constexpr int instants = 601;

/// The parameters of a law by their names.
Json parameters_json(const ContactLaw& law);

/// A hit with what was asked for.
struct ElasticHit {
  Robot robot;
  ElasticArm arm;
  ContactLaw law;
  ElasticProfile profile;
  std::optional<double> object_mass;  // [kg]; none: a wall
};

ElasticHit elastic_hit(const ArmArguments& arguments, const ContactLaw& law, double speed, double horizon,
                       std::optional<double> object_mass);

Json profile_json(const ElasticHit& hit);
std::string profile_table(const ElasticHit& hit);
std::string profile_csv(const ElasticHit& hit);
plot::Chart profile_chart(const ElasticHit& hit);

}  // namespace thud::cli
