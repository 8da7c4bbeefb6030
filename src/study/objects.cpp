#include "study/objects.hpp"

#include <thud/contact.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/inertia.hpp>
#include <thud/object.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <boost/math/distributions/chi_squared.hpp>

#include "statistics/robust.hpp"
#include "study/truth.hpp"
#include "toml/table.hpp"

namespace thud::studying {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double moving = 6;            // displacement that is motion, in standard deviations of the noise
constexpr double stirring = 2;          // that may be its beginning, where motion follows
constexpr double least_motion = 1e-6;   // and in any case [m]
constexpr double longest_push = 10e-3;  // in which the robot may still touch the object [s]
constexpr double followed_after = 0.1;  // time for which the motion is followed after that [s]
constexpr double uncertain = 0.05;      // standard error of a speed that is of no use, relative
constexpr double pushed = 2;  // standard errors by which the speed of a free object may grow: its floor only slows it
constexpr Eigen::Index least_samples = 4;  // a parabola and one to spare
constexpr double least_spin = 0.5;         // of which an error is relative [rad/s]

// Value and slope at t of the parabola through samples, by least squares.
struct Parabola {
  Parabola(const VectorX& time, const VectorX& values, double origin) {
    Eigen::MatrixXd basis(time.size(), 3);
    basis.col(0).setOnes();
    basis.col(1) = time.array() - origin;
    basis.col(2) = basis.col(1).cwiseAbs2();
    c = basis.colPivHouseholderQr().solve(Eigen::VectorXd(values));
    const auto spare = static_cast<double>(time.size() - basis.cols());
    left = spare > 0 ? std::sqrt((basis * c - values).squaredNorm() / spare) : 0;
    covariance = (basis.transpose() * basis).inverse();
  }
  double slope(double since) const { return c[1] + 2 * c[2] * since; }

  // Standard error of the slope, per that of a sample.
  double slope_error(double since) const {
    return std::sqrt(covariance(1, 1) + 4 * since * covariance(1, 2) + 4 * since * since * covariance(2, 2));
  }

  // That of c[2], likewise.
  double curvature_error() const { return std::sqrt(covariance(2, 2)); }

  // Where it was at a value, nearest to its origin and not long before; the origin where it never was.
  double back_to(double value) const {
    const double a = c[2], b = c[1], d = c[0] - value, root = b * b - 4 * a * d;
    if (!(b > 0) || !(root >= 0)) return 0;
    return -2 * d / (b + std::sqrt(root));
  }
  Eigen::Vector3d c;
  double left = 0;             // root mean square of what it leaves over
  Eigen::Matrix3d covariance;  // of c, per variance of a sample
};

// Rotation from one orientation to another, in world axes.
Vector3 rotation(const Matrix3& from, const Matrix3& to) {
  const Eigen::AngleAxisd turn(Matrix3(to * from.transpose()));
  return turn.angle() * turn.axis();
}

Matrix3 orientation_at(const ObjectLog& object, Eigen::Index row) {
  if (object.orientation.size() == 0) return Matrix3::Identity();
  const auto q = object.orientation.row(row);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// The first sample that is in motion, as all after it; the count where none is.
Eigen::Index first_in_motion(const VectorX& along, double threshold) {
  Eigen::Index first = along.size();
  while (first > 0 && along[first - 1] > threshold) --first;
  return first;
}

// Noise that a parabola through `count` samples leaves, over theirs, in one of a thousand cases.
double unlikely_misfit(Eigen::Index count) {
  const auto freedom = static_cast<double>(count - 3);
  const boost::math::chi_squared distribution(freedom);
  return std::sqrt(quantile(complement(distribution, 1e-3)) / freedom);
}

// Samples [first, last) of the motion after the hit: once the robot has let go, and as long as a parabola that does not
// speed up describes them, that is until the object stops, or is hit again; where that is seen, back to where nothing
// of it was. `noise` is that of a sample [m].
std::pair<Eigen::Index, Eigen::Index> free_motion(const VectorX& time, const VectorX& along, Eigen::Index start,
                                                  double noise) {
  const double from = time[start] + longest_push;  // it was touched before that sample
  Eigen::Index first = start;
  while (first < time.size() && time[first] < from) ++first;
  Eigen::Index last = std::min(first + least_samples, time.size()), untouched = last;
  while (last < time.size() && time[last] <= from + followed_after) {
    const Eigen::Index count = last + 1 - first;
    const Parabola through(time.segment(first, count), along.segment(first, count), time[first]);
    if (through.left > unlikely_misfit(count) * noise || through.c[2] > pushed * noise * through.curvature_error())
      return {first, untouched};
    ++last;
    if (through.left <= noise && through.c[2] <= 0) untouched = last;
  }
  return {first, last};
}

// Friction and law of a simulated dataset's campaign, as far as it has them.
void read_campaign_contact(const std::string& campaign, KnownContact& known) {
  const std::string file = "campaign";
  const ::toml::table document = toml::parse_toml(campaign, file);
  const ::toml::table* contact = document["contact"].as_table();
  if (!contact) return;
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : *contact) keys.push_back(key.str());
  const toml::Table table(file, *contact, keys);
  if (table.has("friction")) known.friction = table.number("friction");
  if (!table.has("law")) return;
  auto law = law_from_name(table.text("law"));
  if (!law) return;
  for (const auto& [name, value] : law_parameters(*law)) *value = table.number(name);
  validate(*law);
  known.law = law;
}

// Speed against the normal, spin about the vertical, angle of departure to the left.
ObjectPrediction seen_from(const Vector3& normal, const Vector3& velocity, const Vector3& spin) {
  const Vector3 forward = -normal, left = Vector3::UnitZ().cross(forward);
  ObjectPrediction seen;
  seen.speed = forward.dot(velocity);
  seen.spin = spin[2];
  seen.angle = std::atan2(left.dot(velocity), seen.speed);
  return seen;
}

ObjectPrediction predicted(std::string_view name, const ModelImpact& model, const Vector3& normal, bool turns) {
  ObjectPrediction result;
  if (model.impact.exists()) result = seen_from(normal, model.object.velocity, model.object.angular_velocity);
  if (!turns) result.spin = not_known;
  result.model = name;
  return result;
}

constexpr std::string_view with_rotors = "generalized_momentum_with_rotors";

// Impacts of each model with the object where it lay.
void predict(const StudySetup& setup, const HitMotion& hit, const ObjectLog& log, const Drives* drives,
             const KnownContact& known, const Touch& touch, ObjectStudy& result) {
  const ContactDynamics dynamics = contact_dynamics(setup.robot, setup.header.point, touch.q);
  const Vector3 normal = dynamics.normal_W;
  const bool turns = !log.inertia.isZero(0);
  ImpactPredictionOptions options;
  options.friction = known.friction;
  options.object = Object{.mass = log.mass};
  if (turns) {
    options.object->inertia_W = hit.orientation * log.inertia * hit.orientation.transpose();
    options.object->com_W = hit.position;
  }
  // a law's restitution by the mass that the generalized momentum gives the pair
  const ContactResponse arm = contact_response(dynamics, touch.dq, generalized_momentum(dynamics));
  const double mass = reduced_mass(arm, contact_response(*options.object, dynamics.p_WC), normal);
  options.restitution = std::clamp(known.restitution_at(mass, result.approach), 0.0, 1.0);
  result.friction = options.friction;
  result.restitution = options.restitution;
  const ImpactPrediction all = predict_impact(dynamics, touch.dq, options);
  for (const InertiaModel model : all_inertia_models)
    result.predictions.push_back(predicted(to_string(model), all[model], normal, turns));
  if (!drives || drives->rotor_inertia.size() == 0 || !drives->rotor_inertia.allFinite()) return;
  const Robot rotors = setup.robot.with_rotor_inertia(drives->rotor_inertia);
  const ImpactPrediction more =
      predict_impact(contact_dynamics(rotors, setup.header.point, touch.q), touch.dq, options);
  result.predictions.push_back(predicted(with_rotors, more[InertiaModel::generalized_momentum], normal, turns));
}

ObjectStudy studied(const StudySetup& setup, const Trial& trial, const Drives* drives, const KnownContact& known) {
  ObjectStudy result;
  result.trial = trial.name;
  result.mass = trial.object.mass;
  const Vector3 normal = setup.header.point.normal_W.normalized();
  const auto hit = hit_motion(trial.object, -normal, result.message);
  if (!hit) return result;
  result.touch_time = hit->touch_time;
  const ObjectPrediction seen = seen_from(normal, hit->velocity, hit->angular_velocity.value_or(Vector3::Zero()));
  result.speed = seen.speed;
  result.angle = seen.angle;
  if (hit->angular_velocity) result.spin = seen.spin;
  const auto logged = logged_touch(setup, trial.joints, hit->rest_time);
  Touch touch =
      logged ? *logged : reference_touch(setup, configuration_of(setup.header, trial.configuration), trial.speed);
  if (!(touch.v_exact < 0)) {
    result.message = logged ? "the joint log says that the contact point does not approach"
                            : "the contact point cannot move along the normal alone in the nominal posture";
    return result;
  }
  result.approach = -touch.v_exact;
  if (logged) touch.q += touch.dq * (hit->touch_time - hit->rest_time);
  predict(setup, *hit, trial.object, drives, known, touch, result);
  return result;
}

double median_of(std::vector<double> values) {
  return values.empty() ? not_known : statistics::median(std::move(values));
}

// How far each model is from what was measured, over all objects.
std::vector<ObjectModelStudy> compare_models(const std::vector<ObjectStudy>& objects) {
  std::vector<std::string> names;
  for (const auto& object : objects)
    for (const auto& prediction : object.predictions)
      if (std::ranges::find(names, prediction.model) == names.end()) names.push_back(prediction.model);
  std::vector<ObjectModelStudy> all;
  for (const auto& name : names) {
    std::vector<double> ratios, errors, spins, angles;
    for (const auto& object : objects)
      for (const auto& prediction : object.predictions) {
        if (prediction.model != name || !std::isfinite(prediction.speed) || !(object.speed > 0)) continue;
        ratios.push_back(prediction.speed / object.speed);
        errors.push_back(std::abs(ratios.back() - 1));
        angles.push_back(std::abs(prediction.angle - object.angle));
        if (const double spin = prediction.spin - object.spin; std::isfinite(spin)) spins.push_back(std::abs(spin));
      }
    ObjectModelStudy& model = all.emplace_back();
    model.model = name;
    model.trials = ratios.size();
    model.median_ratio = median_of(ratios);
    model.largest_error = errors.empty() ? not_known : *std::ranges::max_element(errors);
    model.median_error = median_of(std::move(errors));
    model.median_spin_error = median_of(std::move(spins));
    model.median_angle_error = median_of(std::move(angles));
  }
  return all;
}

}  // namespace

std::optional<HitMotion> hit_motion(const ObjectLog& object, const Vector3& direction, std::string& why) {
  const VectorX& time = object.time;
  const VectorX along = object.position * direction;
  if (along.size() < 2 * least_samples) {
    why = "the object has too few samples";
    return std::nullopt;
  }
  std::vector<double> samples(along.begin(), along.end());
  const double noise = statistics::difference_noise(samples);
  double rest = statistics::median(std::vector<double>(samples.begin(), samples.begin() + least_samples));
  const double threshold = std::max(moving * noise, least_motion);
  Eigen::Index start = first_in_motion(along, rest + threshold);
  if (start < least_samples || start == along.size()) {
    why = start == along.size() ? "the object does not move away" : "the object is not at rest before the hit";
    return std::nullopt;
  }
  rest = statistics::median(std::vector<double>(samples.begin(), samples.begin() + start));
  start = std::max<Eigen::Index>(first_in_motion(along, rest + threshold), 1);
  const VectorX still = along.head(start).array() - along.head(start).mean();
  const double deviation = std::sqrt(still.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(start - 1, 1)));
  while (start > least_samples && along[start - 1] > rest + std::max(stirring * deviation, least_motion)) --start;
  const auto [first, last] = free_motion(time, along, start, std::max(deviation, least_motion));
  const Eigen::Index count = last - first;
  if (count < least_samples) {
    why = "the object is not followed for long enough after the hit";
    return std::nullopt;
  }

  HitMotion hit;
  hit.rest_time = time[start - 1];
  const VectorX window = time.segment(first, count);
  const Parabola forward(window, along.segment(first, count), hit.rest_time);
  const double since = forward.back_to(rest);
  // no later than the first sample in motion, and no earlier than the last at rest
  const double touch = std::clamp(since, 0.0, time[start] - hit.rest_time);
  hit.touch_time = hit.rest_time + touch;
  if (std::max(deviation, forward.left) * forward.slope_error(touch) > uncertain * std::abs(forward.slope(touch))) {
    why = "the object's speed is uncertain by more than 5 %: it is soon hit again, or stops, or its poses are noisy";
    return std::nullopt;
  }
  hit.position = object.position.topRows(start).colwise().mean().transpose();
  for (int k = 0; k < 3; ++k)
    hit.velocity[k] = Parabola(window, object.position.col(k).segment(first, count), hit.rest_time).slope(touch);
  hit.orientation = orientation_at(object, start - 1);
  if (object.orientation.size() == 0) return hit;
  MatrixX turns(count, 3);
  for (Eigen::Index i = 0; i < count; ++i)
    turns.row(i) = rotation(hit.orientation, orientation_at(object, first + i)).transpose();
  Vector3 spin;
  for (int k = 0; k < 3; ++k) spin[k] = Parabola(window, turns.col(k), hit.rest_time).slope(touch);
  hit.angular_velocity = spin;
  return hit;
}

double KnownContact::restitution_at(double mass, double speed) const {
  return law ? thud::restitution(*law, mass, -speed) : restitution;
}

KnownContact known_contact(const DatasetHeader& header, const StudyOptions& options) {
  KnownContact known;
  known.restitution = options.material_restitution;
  known.origin = "the restitution of the materials, no friction";
  if (header.source == DataSource::simulated && !header.campaign.empty()) {
    try {
      read_campaign_contact(header.campaign, known);
      known.origin = "friction and restitution of the dataset's campaign";
    } catch (const Error&) {  // written by hand
      known.law.reset();
    }
  }
  if (options.object_restitution) {
    known.restitution = *options.object_restitution;
    known.law.reset();
  }
  if (options.friction) known.friction = *options.friction;
  if (options.friction || options.object_restitution) known.origin = "as given";
  return known;
}

std::optional<ObjectStudy> study_object(const StudySetup& setup, const Trial& trial, const Drives* drives,
                                        const KnownContact& known) {
  if (trial.object.time.size() == 0) return std::nullopt;
  return studied(setup, trial, drives, known);
}

std::optional<ObjectsStudy> gather_objects(std::vector<std::optional<ObjectStudy>> objects, const KnownContact& known) {
  ObjectsStudy all;
  all.contact_origin = known.origin;
  for (auto& object : objects)
    if (object) all.trials.push_back(std::move(*object));
  if (all.trials.empty()) return std::nullopt;
  all.models = compare_models(all.trials);
  return all;
}

std::vector<TruthQuantity> truth_of_objects(const Study& study) {
  std::vector<std::pair<double, double>> speeds, spins;
  for (const auto& object : study.objects->trials) {
    const auto trial = std::ranges::find(study.trials, object.trial, &TrialStudy::name);
    if (!trial->truth) continue;
    // what the hit gave it: what the floor takes off while they touch is not the robot's
    speeds.emplace_back(object.speed, trial->truth->impulse / object.mass);
    if (std::abs(trial->truth->object_spin) > least_spin) spins.emplace_back(object.spin, trial->truth->object_spin);
  }
  return {compare_truth("object_speed", "m/s", speeds), compare_truth("object_spin", "rad/s", spins)};
}

}  // namespace thud::studying
