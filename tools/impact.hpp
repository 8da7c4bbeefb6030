#pragma once

/// What `thud predict` takes and says of friction and of objects.

#include <thud/impact_prediction.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "plot.hpp"

namespace thud::cli {

struct ImpactArguments {
  std::string friction, restitution_kind, object_mass, object_inertia, object_com, object_velocity;

  /// Whether any is given.
  bool given() const;

  /// Throws InputError for a text that is not a number, and for options of an object without its mass.
  ImpactPredictionOptions options(double restitution, bool pseudo_inverse) const;
};

void add_impact_options(CLI::App& command, ImpactArguments& arguments);

/// The key "impact" of an option; null where there is no answer.
Json impact_json(const ModelImpact& result, bool with_object);

/// Impulses, velocities and phases for people.
std::string impact_table(const ImpactPrediction& prediction, const ImpactPredictionOptions& options);

/// The impulse in the plane of normal and tangent with the friction cone, and the velocities, over the normal impulse.
plot::Chart impact_chart(const ImpactPrediction& prediction, const Vector3& normal_W,
                         const ImpactPredictionOptions& options, const std::string& title);

/// The arm from the side, with what it hits and the velocities of its point before and after.
plot::Scene side_view(const Robot& robot, const ContactPoint& point, const VectorRef& q,
                      const ContactDynamics& dynamics, const Vector3& velocity, const ImpactPrediction& prediction);

}  // namespace thud::cli
