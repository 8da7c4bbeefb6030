#include <thud/error.hpp>
#include <thud/map.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/chunks.hpp"
#include "map/directions.hpp"
#include "map/draw.hpp"
#include "map/evaluate.hpp"
#include "map/lattice.hpp"

namespace THUD_EXPORT thud {
using namespace map;
namespace {

constexpr Eigen::Index chunk = 2048;         // postures at a time: their numbers stay in the cache
constexpr std::uint64_t first_look = 16384;  // samples that set the bins
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// A link's place among joints and followers.
const Joint& joint_at(const Robot& robot, int index) {
  const int n = robot.size();
  return index < n ? robot.joints()[static_cast<std::size_t>(index)]
                   : robot.followers()[static_cast<std::size_t>(index - n)].joint;
}

// How far a joint that slides may carry what is on it [m].
double travel(const Robot& robot, const Draw& draw, int index) {
  if (joint_at(robot, index).type != JointType::prismatic) return 0;
  if (index < robot.size()) return draw.furthest(index);
  const Follower& follower = robot.followers()[static_cast<std::size_t>(index - robot.size())];
  return std::abs(follower.multiplier) * draw.furthest(follower.leader) + std::abs(follower.offset);
}

// A box that holds every place of the contact point: as if all links were stretched, about the first joint.
WorkspaceBox reachable_box(const Robot& robot, const ContactPoint& point, const Draw& draw) {
  const Frame& frame = robot.frame(point.frame);
  double reach = frame.p_JF.norm() + point.offset.norm();
  Vector3 root = Vector3::Zero();
  for (int index = frame.joint; index >= 0; index = joint_at(robot, index).parent) {
    const Joint& joint = joint_at(robot, index);
    reach += travel(robot, draw, index);
    if (joint.parent < 0)
      root = joint.p_PJ;
    else
      reach += joint.p_PJ.norm();
  }
  const double rounding = 1e-9 * (1 + reach + root.norm());
  return {root.array() - (reach + rounding), root.array() + (reach + rounding)};
}

Lattice lattice_of(const Robot& robot, const ContactPoint& point, const Draw& draw, const MapOptions& options) {
  const WorkspaceBox reach = reachable_box(robot, point, draw);
  const Vector3 lower = reach.lower.cwiseMax(options.within.lower), upper = reach.upper.cwiseMin(options.within.upper);
  if (!(lower.array() <= upper.array()).all())
    throw InputError("within", "given", "has no place that the contact point could reach");
  return {options.cell, lower, upper};
}

// What all threads share.
struct Shared {
  const Robot& robot;
  const ContactPoint& point;
  const MapOptions& options;
  const Draw draw;
  const Lattice lattice;
  std::optional<Bins> bins;

  std::mutex mutex;  // guards cells
  Cells cells;

  Shared(const Robot& of, const ContactPoint& at, const MapOptions& as)
      : robot(of), point(at), options(as), draw(of, as.seed), lattice(lattice_of(of, at, draw, as)), cells(lattice) {}
};

// Draws postures, looks at them, and puts them into their cells. For one thread.
class Worker {
 public:
  explicit Worker(Shared& shared, std::uint64_t first = 0)
      : shared_(shared),
        first_(first),
        evaluator_(make_evaluator(shared.robot, shared.point, shared.options)),
        q_(shared.draw.joints(), chunk) {}

  // Samples first + begin to first + end - 1, at most a chunk.
  const std::vector<Outcome>& outcomes(Eigen::Index begin, Eigen::Index end) {
    for (Eigen::Index i = begin; i < end; ++i)
      shared_.draw.posture(first_ + static_cast<std::uint64_t>(i), q_.col(i - begin).data());
    evaluator_->evaluate(q_.leftCols(end - begin), outcomes_);
    return outcomes_;
  }

  void compute(Eigen::Index begin, Eigen::Index end) {
    outcomes(begin, end);
    const WorkspaceBox& within = shared_.options.within;
    entries_.clear();
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const Outcome& outcome = outcomes_[i];
      const auto p = outcome.p_WC.array();
      if (!(p >= within.lower.array()).all() || !(p <= within.upper.array()).all()) continue;
      const std::uint32_t cell = shared_.lattice.cell(outcome.p_WC);
      if (cell == Lattice::outside) continue;
      const auto bin = std::isnan(outcome.low) ? 0 : static_cast<std::uint32_t>(shared_.bins->bin(outcome.middle));
      entries_.push_back({cell, bin, first_ + static_cast<std::uint64_t>(begin) + i, outcome.low, outcome.high});
    }
    const std::scoped_lock lock(shared_.mutex);
    for (const Entry& entry : entries_) shared_.cells.add(entry);
  }

 private:
  Shared& shared_;
  std::uint64_t first_;
  std::unique_ptr<Evaluator> evaluator_;
  Eigen::MatrixXd q_;
  std::vector<Outcome> outcomes_;
  std::vector<Entry> entries_;
};

Bins bins_of(Shared& shared) {
  Worker worker(shared);
  std::vector<double> values;
  const auto all = static_cast<Eigen::Index>(std::min(first_look, shared.options.samples));
  for (Eigen::Index begin = 0; begin < all; begin += chunk)
    for (const Outcome& outcome : worker.outcomes(begin, std::min(begin + chunk, all)))
      values.push_back(outcome.middle);
  return Bins(std::move(values));
}

// Samples from `first` to before `last`.
void take_samples(Shared& shared, std::uint64_t first, std::uint64_t last, const RunOptions& run) {
  RunOptions part = run;
  if (run.progress)
    part.progress = [&](std::size_t done, std::size_t) { run.progress(first + done, shared.options.samples); };
  foundation::compute_in_chunks(static_cast<Eigen::Index>(last - first), chunk, part,
                                [&] { return std::make_unique<Worker>(shared, first); });
}

// Numbers of a cell as the map shows them.
struct Shown {
  std::uint64_t postures;
  double least, median, greatest;
};

// Whether the least quantity is that of the greatest mass.
bool is_turned(const MapOptions& options) {
  return options.quantity == MapQuantity::speed && !is_limited_by_joints(options);
}

Shown shown(const Cell& cell, const Bins& bins, const MapOptions& options) {
  if (!cell.has_value()) return {cell.postures, missing, missing, missing};
  if (is_limited_by_joints(options)) return {cell.postures, cell.least, cell.median(bins), cell.greatest};
  Shown numbers{cell.postures, quantity_of(options, cell.least), quantity_of(options, cell.median(bins)),
                quantity_of(options, cell.greatest)};
  if (is_turned(options)) std::swap(numbers.least, numbers.greatest);
  return numbers;
}

double quantile(std::vector<double>& values, double part) {
  if (values.empty()) return missing;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

MapConvergence convergence_of(const std::vector<Shown>& half, const Shared& shared) {
  MapConvergence out;
  const double each = std::pow(shared.options.cell, 3);
  out.volume_half = static_cast<double>(half.size()) * each;
  out.volume = static_cast<double>(shared.cells.reached().size()) * each;
  std::vector<double> least, median, greatest;
  for (std::size_t i = 0; i < half.size(); ++i) {
    const Shown all = shown(shared.cells.reached()[i], *shared.bins, shared.options);
    if (all.postures == half[i].postures) continue;
    const auto note = [](std::vector<double>& changes, double before, double after) {
      const double change = std::abs(after - before) / std::abs(after);
      if (std::isfinite(change)) changes.push_back(change);
    };
    note(least, half[i].least, all.least);
    note(median, half[i].median, all.median);
    note(greatest, half[i].greatest, all.greatest);
  }
  out.least_median = quantile(least, 0.5), out.least_95 = quantile(least, 0.95);
  out.median_median = quantile(median, 0.5), out.median_95 = quantile(median, 0.95);
  out.greatest_median = quantile(greatest, 0.5), out.greatest_95 = quantile(greatest, 0.95);
  return out;
}

std::vector<Warning> warnings_of(const CapabilityMap& map, const MapOptions& options) {
  std::vector<Warning> notes;
  if (map.centre.cols() == 0)
    notes.push_back({WarningCode::other, "", "no posture brings the contact point into the box"});
  else if (map.median.array().isNaN().all())
    notes.push_back({WarningCode::singular_model, options.model ? std::string(to_string(*options.model)) : "",
                     "no posture has a value: the model does not exist, or no joint moves the contact that way"});
  if (options.quantity != MapQuantity::speed) return notes;
  if (options.all_directions && options.limits.speed.size() != 0)
    notes.push_back({WarningCode::not_judged, "", "joint speeds are not judged over all directions"});
  if (options.limits.torque.size() != 0 || options.limits.collision_torque.size() != 0)
    notes.push_back({WarningCode::not_judged, "", "torques during the hit are not judged in a map"});
  if (!options.law && !(std::isnan(options.limits.force) && std::isnan(options.limits.collision_force)))
    notes.push_back({WarningCode::not_judged, "", "the contact's force is not judged: it needs a law"});
  if (options.body) {
    const BodyRegion& region = options.body->region;
    if (!options.body->clamped && region.transient == 0)
      notes.push_back({WarningCode::not_permitted, region.name,
                       "no hit is permitted on the " + region.name + ": transient contact is not allowed there"});
    notes.push_back(
        {WarningCode::not_certified, region.name,
         "an engineering aid, no certified safety function: check the limits against your own copy of the standard"});
  }
  return notes;
}

// From which side the extremes are hit.
class Normals {
 public:
  Normals(const Robot& robot, const ContactPoint& point, const MapOptions& options)
      : options_(options), normal_(point.normal_W.normalized()) {
    if (options.direction_F) direction_.emplace(robot, point, *options.direction_F);
    if (options.all_directions) workspace_.emplace(robot, point);
  }

  // Of a posture with the greatest mass, or the least.
  Vector3 at(const VectorRef& q, bool greatest_mass) {
    if (direction_) return direction_->at(q);
    if (!workspace_) return normal_;
    const InertiaModel model = *options_.model;
    const DirectionMasses masses = direction_masses(inverse_inertia(contact_dynamics(*workspace_, q), model), model);
    return greatest_mass ? masses.normal_greatest : masses.normal_least;
  }

 private:
  const MapOptions& options_;
  Vector3 normal_;
  std::optional<FrameDirection> direction_;
  std::optional<DynamicsWorkspace> workspace_;
};

void fill(CapabilityMap& map, const Shared& shared) {
  const MapOptions& options = shared.options;
  const std::vector<std::uint32_t> order = shared.cells.in_order();
  const auto count = static_cast<Eigen::Index>(order.size());
  map.centre.resize(3, count);
  for (VectorX* each : {&map.postures, &map.least, &map.median, &map.greatest}) each->resize(count);
  for (MatrixX* each : {&map.q_least, &map.q_greatest}) each->setConstant(shared.draw.joints(), count, missing);
  for (MatrixX* each : {&map.normal_least, &map.normal_greatest}) each->setConstant(3, count, missing);
  Normals normals(shared.robot, shared.point, options);
  VectorX q(shared.draw.joints());
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::uint32_t at = order[static_cast<std::size_t>(i)];
    const Cell& cell = shared.cells.at(at);
    const Shown numbers = shown(cell, *shared.bins, options);
    map.centre.col(i) = shared.lattice.centre(at);
    map.postures[i] = static_cast<double>(cell.postures);
    map.least[i] = numbers.least, map.median[i] = numbers.median, map.greatest[i] = numbers.greatest;
    if (!cell.has_value()) continue;
    const bool turned = is_turned(options);
    const auto put = [&](std::uint64_t sample, bool greatest_mass, MatrixX& postures, MatrixX& sides) {
      shared.draw.posture(sample, q.data());
      postures.col(i) = q;
      sides.col(i) = normals.at(q, greatest_mass);
    };
    put(turned ? cell.sample_greatest : cell.sample_least, turned, map.q_least, map.normal_least);
    put(turned ? cell.sample_least : cell.sample_greatest, !turned, map.q_greatest, map.normal_greatest);
  }
}

}  // namespace

std::string_view to_string(MapQuantity quantity) noexcept {
  switch (quantity) {
    case MapQuantity::effective_mass:
      return "effective_mass";
    case MapQuantity::speed:
      return "speed";
    case MapQuantity::peak_force:
      return "peak_force";
    case MapQuantity::impulse:
      return "impulse";
  }
  return "";
}

std::string_view unit_of(MapQuantity quantity) noexcept {
  switch (quantity) {
    case MapQuantity::effective_mass:
      return "kg";
    case MapQuantity::speed:
      return "m/s";
    case MapQuantity::peak_force:
      return "N";
    case MapQuantity::impulse:
      return "N s";
  }
  return "";
}

CapabilityMap capability_map(const Robot& robot, const ContactPoint& point, const MapOptions& options,
                             const RunOptions& run) {
  validate(robot, point);
  validate_options(robot, options);
  if (run.jobs < 0) throw InputError("jobs", std::to_string(run.jobs), "must be at least 0");
  Shared shared(robot, point, options);
  shared.bins.emplace(bins_of(shared));

  const std::uint64_t middle = options.samples / 2;
  take_samples(shared, 0, middle, run);
  std::vector<Shown> half;
  half.reserve(shared.cells.reached().size());
  for (const Cell& cell : shared.cells.reached()) half.push_back(shown(cell, *shared.bins, options));
  take_samples(shared, middle, options.samples, run);

  CapabilityMap map{.quantity = options.quantity,
                    .model = options.model,
                    .all_directions = options.all_directions,
                    .cell = options.cell,
                    .samples = options.samples,
                    .seed = options.seed};
  if (options.direction_F) map.direction_F = *options.direction_F;
  fill(map, shared);
  map.resolution = shared.bins->ratio();
  map.convergence = convergence_of(half, shared);
  map.warnings = warnings_of(map, options);
  return map;
}

}  // namespace thud
