#pragma once

/// The arm with elastic joints beside the four matrices of `thud predict`: which of them is near it, and how far each
/// is.

#include <thud/elastic_arm.hpp>
#include <thud/impulse.hpp>
#include <thud/regime.hpp>
#include <thud/robot.hpp>
#include <thud/warning.hpp>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

struct ElasticArguments {
  std::string drives, servo, wall;
};

/// --drives, --servo, --wall.
void add_elastic_options(CLI::App& command, ElasticArguments& arguments);

struct ElasticAnswer {
  std::optional<Turn> turn;                                          // the greatest depth; none within the record
  std::optional<Regime> regime;                                      // none without it, or with rigid transmissions
  double effective_mass = std::numeric_limits<double>::quiet_NaN();  // to the greatest depth [kg]
  std::vector<std::pair<std::string, double>> differences;  // mass of a matrix over the elastic arm's, less 1; or NaN

  /// The matrix with the smallest difference; empty without one.
  std::string nearest() const;
  std::vector<Warning> warnings;
};

/// How the arm meets what it hits.
struct Meeting {
  double velocity;                 // v_n, relative to what is hit [m/s]
  double object_inverse_mass = 0;  // of that along the normal [1/kg]
};

/// None without --drives. Throws InputError for a wall without drives, and where the contact does not approach.
std::optional<ElasticAnswer> elastic_answer(const ElasticArguments& arguments, const Robot& robot,
                                            const ContactPoint& point, const VectorRef& q, const Prediction& prediction,
                                            const Meeting& meeting, const Sources& sources = {});

Json elastic_json(const ElasticAnswer& answer);
std::string elastic_table(const ElasticAnswer& answer);

}  // namespace thud::cli
