#pragma once

/// `thud profile`: what it is asked, what it finds, how that is written.

#include <thud/elastic_arm.hpp>
#include <thud/profile.hpp>

#include <optional>
#include <string>
#include <variant>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "law_arguments.hpp"
#include "plot.hpp"
#include "sources.hpp"

namespace thud::cli {

/// Instants in a table or a drawing: enough for a smooth line across a screen.
inline constexpr int instants = 601;

/// The parameters of a law by their names.
Json parameters_json(const ContactLaw& law);

struct ProfileArguments {
  std::string mass, object_mass, speed, horizon;
  LawArguments law;
  ArmArguments arm;
};

/// Everything that describes the hit; not what is done with the answer.
void add_profile_options(CLI::App& command, ProfileArguments& arguments);

/// An impact of a mass on a wall, or on an object: the law then acts on the reduced mass, and velocities are relative.
struct MassHit {
  double mass;                        // [kg]
  std::optional<double> object_mass;  // [kg]
  ForceProfile profile;
};

/// The hit of an arm with what was asked for.
struct ElasticHit {
  Robot robot;
  ElasticArm arm;
  ContactLaw law;
  ElasticProfile profile;
  std::optional<double> object_mass;  // [kg]; none: a wall
};

ElasticHit elastic_hit(const ArmArguments& arguments, const ContactLaw& law, double speed, double horizon,
                       std::optional<double> object_mass, const Sources& sources);

/// Throws InputError naming the option.
std::variant<MassHit, ElasticHit> profile_hit(const ProfileArguments& arguments, const Sources& sources = {});

/// What --json prints.
Json profile_json(const MassHit& hit);
Json profile_json(const ElasticHit& hit);

/// Force, motion and energies over time, as --csv has them: a list for each, by its name.
Json course_json(const MassHit& hit);
Json course_json(const ElasticHit& hit);

std::string profile_table(const ElasticHit& hit);
std::string profile_csv(const ElasticHit& hit);
plot::Chart profile_chart(const ElasticHit& hit);

}  // namespace thud::cli
