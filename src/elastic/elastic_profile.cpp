#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <boost/math/quadrature/gauss.hpp>

#include "elastic/hit.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {

struct ElasticProfile::Motion : elastic::Motion {
  using elastic::Motion::Motion;
};

void validate(const ElasticOptions& options, int joints) {
  foundation::require_positive("horizon", options.horizon);
  if (!(options.ringing >= 0 && std::isfinite(options.ringing)))
    throw InputError("ringing", options.ringing, "must be finite and at least 0");
  if (!(options.object_inverse_mass >= 0) || !std::isfinite(options.object_inverse_mass))
    throw InputError("object_inverse_mass", options.object_inverse_mass, "must be finite and >= 0");
  double last = 0;
  for (const CommandChange& change : options.command) {
    if (!(change.time >= last && std::isfinite(change.time)))
      throw InputError("command.time", change.time, "must be finite, at least 0, and in order");
    last = change.time;
    for (const VectorX* values : {&change.position, &change.rate, &change.feedforward})
      if (values->size() != joints || !values->allFinite())
        throw InputError("command", std::to_string(values->size()) + " values",
                         "needs a finite position, rate and feedforward for each joint");
  }
}

ElasticProfile::ElasticProfile(int joints) : motion_(std::make_unique<Motion>(joints)) {
  peaks.reserve(16);
  turns.reserve(16);
}

ElasticProfile::ElasticProfile(ElasticProfile&&) noexcept = default;
ElasticProfile& ElasticProfile::operator=(ElasticProfile&&) noexcept = default;
ElasticProfile::~ElasticProfile() = default;

int ElasticProfile::size() const noexcept {
  return static_cast<int>(motion_->arm.joints);
}

Peak ElasticProfile::peak() const noexcept {
  const auto higher = [](const Peak& a, const Peak& b) { return a.force < b.force; };
  if (const auto highest = std::max_element(peaks.begin(), peaks.end(), higher); highest != peaks.end())
    return *highest;
  if (motion_->pieces.empty()) return {0, 0};
  const elastic::Piece& last = motion_->pieces.back();
  return {end, elastic::force(last, last.length)};
}

std::optional<Turn> ElasticProfile::deepest_turn() const noexcept {
  const auto shallower = [](const Turn& a, const Turn& b) { return a.depth < b.depth; };
  const auto deepest = std::max_element(turns.begin(), turns.end(), shallower);
  return deepest != turns.end() ? std::optional(*deepest) : std::nullopt;
}

std::optional<double> ElasticProfile::mass_compression() const noexcept {
  if (turns.empty()) return std::nullopt;
  const double impulse = turns.front().impulse;
  return impulse / (-velocity - object_inverse_mass * impulse);
}

void elastic_profile(const ElasticArm& arm, const ContactLaw& law, double velocity, const ElasticOptions& options,
                     ElasticProfile& profile) noexcept {
  try {
    elastic::follow(arm, law, velocity, options, profile.motion(), profile);
  } catch (...) {  // no memory for a record of so many pieces
    profile.motion().clear();
    profile.end = profile.impulse = 0;
  }
}

ElasticProfile elastic_profile(const ElasticArm& arm, const ContactLaw& law, double velocity,
                               const ElasticOptions& options) {
  validate(law);
  foundation::require_approach(velocity);
  validate(options, static_cast<int>(arm.j.size()));
  ElasticProfile profile(static_cast<int>(arm.j.size()));
  elastic_profile(arm, law, velocity, options, profile);
  if (!profile.end_of_contact && profile.end < options.horizon)
    throw InputError("horizon", options.horizon, "the motion cannot be followed beyond " + to_text(profile.end) + " s");
  return profile;
}

void forces(const ElasticProfile& profile, const VectorRef& times, Eigen::Ref<Eigen::VectorXd> force) noexcept {
  constexpr Eigen::Index most = 64;  // instants at once
  const std::vector<elastic::Piece>& pieces = profile.motion().pieces;
  std::size_t at = 0;
  for (Eigen::Index i = 0; i < times.size();) {
    const double t = times[i];
    if (!(t >= 0 && t < profile.end)) {
      force[i++] = 0;
      continue;
    }
    while (at + 1 < pieces.size() && pieces[at + 1].start <= t) ++at;
    const elastic::Piece& piece = pieces[at];
    const double next = at + 1 < pieces.size() ? std::min(pieces[at + 1].start, profile.end) : profile.end;
    double since[most];
    Eigen::Index count = 0;
    do since[count] = times[i + count] - piece.start;
    while (++count < most && i + count < times.size() && times[i + count] < next);
    if (piece.exponent > 0)
      for (Eigen::Index k = 0; k < count; ++k) force[i + k] = elastic::force(piece, since[k]);
    else
      elastic::sum(piece.f, since, count, &force[i]);
    for (Eigen::Index k = 0; k < count; ++k) force[i + k] = std::max(force[i + k], 0.0);
    i += count;
  }
}

ElasticStates states(const ElasticProfile& profile, const VectorRef& times) {
  const ElasticProfile::Motion& motion = profile.motion();
  const elastic::Coefficients& arm = motion.arm;
  const Eigen::Index rows = times.size(), n = profile.size();
  ElasticStates out;
  out.time = times;
  for (VectorX* column : {&out.force, &out.compression, &out.velocity, &out.impulse, &out.apparent_mass})
    column->resize(rows);
  for (MatrixX* columns : {&out.joint_rate, &out.motor_rate, &out.transmission_torque}) columns->resize(rows, n);
  elastic::Lanes q(arm.lanes), dq(arm.lanes), th(arm.lanes), dth(arm.lanes);
  double inverse_mass = 0;  // j M^-1 j^T, at the touch
  for (std::size_t i = 0; i < arm.joints; ++i) inverse_mass += arm.j[i] * arm.M_inv_j[i];
  for (Eigen::Index row = 0; row < rows; ++row) {
    const double time = times[row];
    if (!(time >= 0 && time <= profile.end))
      throw InputError("times", time, "must be within the record, from 0 to " + to_text(profile.end) + " s");
    const elastic::Piece& piece = motion.at(time);
    const double t = std::min(time - piece.start, piece.length);
    out.force[row] = std::max(elastic::force(piece, t), 0.0);
    out.compression[row] = elastic::sum(piece.x, t);
    out.velocity[row] = elastic::sum(piece.v, t);
    out.impulse[row] = piece.impulse + elastic::impulse(piece, t);
    const double change = piece.exponent > 0  // the series do not show it yet
                              ? out.impulse[row] * inverse_mass
                              : out.velocity[row] - profile.velocity - profile.object_inverse_mass * out.impulse[row];
    out.apparent_mass[row] = out.impulse[row] / change;
    elastic::sum(piece.q, arm.lanes, t, q.data());
    elastic::sum(piece.dq, arm.lanes, t, dq.data());
    elastic::sum(piece.th, arm.lanes, t, th.data());
    elastic::sum(piece.dth, arm.lanes, t, dth.data());
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const bool rigid = arm.rigid[k] != 0;
      out.joint_rate(row, i) = dq[k];
      out.motor_rate(row, i) = rigid ? dq[k] : dth[k];
      out.transmission_torque(row, i) = rigid ? std::numeric_limits<double>::quiet_NaN()
                                              : arm.stiffness[k] * (th[k] - q[k]) + arm.damping[k] * (dth[k] - dq[k]);
    }
  }
  return out;
}

VectorX largest_torques(const ElasticProfile& profile, const VectorRef& before) {
  const ElasticProfile::Motion& motion = profile.motion();
  const elastic::Coefficients& arm = motion.arm;
  const Eigen::Index n = profile.size();
  if (before.size() != n || !before.allFinite())
    throw InputError("before", std::to_string(before.size()) + " values", "needs one finite value for each joint");
  VectorX largest = before.cwiseAbs();
  for (const auto* pieces : {&motion.pieces, &motion.ringing})
    for (const elastic::Piece& piece : *pieces)
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        double torque[elastic::terms];
        for (int power = 0; power < elastic::terms; ++power) {
          const std::size_t at = static_cast<std::size_t>(power) * arm.lanes + k;
          torque[power] =
              arm.stiffness[k] * (piece.th[at] - piece.q[at]) + arm.damping[k] * (piece.dth[at] - piece.dq[at]);
        }
        torque[0] += before[i];
        double last = elastic::slope(torque, 0), from = 0;
        for (int scan = 1; scan <= elastic::scans; ++scan) {
          const double to = piece.length * scan / elastic::scans, slope = elastic::slope(torque, to);
          largest[i] = std::max(largest[i], std::abs(elastic::sum(torque, to)));
          if (last * slope < 0) {
            const double at = elastic::root([&](double t) { return elastic::slope(torque, t); }, from, to);
            largest[i] = std::max(largest[i], std::abs(elastic::sum(torque, at)));
          }
          last = slope;
          from = to;
        }
      }
  for (Eigen::Index i = 0; i < n; ++i)
    if (arm.rigid[static_cast<std::size_t>(i)] != 0) largest[i] = std::numeric_limits<double>::quiet_NaN();
  return largest;
}

std::optional<EndOfForce> end_of_force(const ElasticProfile& profile, double fraction) {
  if (!(fraction > 0 && fraction < 1)) throw InputError("fraction", fraction, "must be between 0 and 1");
  const std::vector<elastic::Piece>& pieces = profile.motion().pieces;
  const double level = fraction * profile.peak().force;
  if (pieces.empty() || elastic::force(pieces.back(), pieces.back().length) > level) return std::nullopt;
  // backwards from the end of the record to the last instant above the level
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const auto excess = [&](double t) { return elastic::force(*piece, t) - level; };
    for (int k = elastic::scans - 1; k >= 0; --k) {
      const double low = piece->length * k / elastic::scans, high = piece->length * (k + 1) / elastic::scans;
      if (excess(low) > 0) return EndOfForce{piece->start + elastic::root(excess, low, high), fraction};
    }
  }
  return std::nullopt;
}

ElasticEnergies energies(const ElasticProfile& profile) {
  const ElasticProfile::Motion& motion = profile.motion();
  const elastic::Coefficients& arm = motion.arm;
  const std::size_t lanes = arm.lanes;
  elastic::Lanes dq(lanes), dth(lanes), servo(lanes);
  double absorbed = 0, damped = 0, servoed = 0;  // by the wall, the transmissions, the motors
  for (const elastic::Piece& piece : motion.pieces) {
    const auto power = [&](double t) {
      elastic::sum(piece.dq, lanes, t, dq.data());
      elastic::sum(piece.dth, lanes, t, dth.data());
      elastic::sum(piece.servo, lanes, t, servo.data());
      Eigen::Array3d value(-elastic::force(piece, t) * elastic::sum(piece.v, t), 0, 0);
      for (std::size_t k = 0; k < arm.joints; ++k) {
        value[1] += arm.damping[k] * (dq[k] - dth[k]) * (dq[k] - dth[k]);
        value[2] += servo[k] * (arm.rigid[k] != 0 ? dq[k] : dth[k]);
      }
      return value;
    };
    using Rule = boost::math::quadrature::gauss<double, 20>;  // exact up to the power 39
    const double half = piece.length / 2;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      const double x = Rule::abscissa()[i], weight = Rule::weights()[i] * half;
      const Eigen::Array3d both = power(half * (1 + x)) + power(half * (1 - x));
      absorbed += weight * both[0];
      damped += weight * both[1];
      servoed += weight * both[2];
    }
  }
  ElasticEnergies out{};
  out.supplied = -profile.velocity * profile.impulse;
  out.wall = motion.wall_stored;
  out.wall_max = motion.wall_max;
  const Eigen::Map<const Eigen::VectorXd> rates(motion.dq.data(), static_cast<Eigen::Index>(arm.joints));
  out.kinetic = rates.dot(motion.M * rates) / 2 + profile.object_inverse_mass * profile.impulse * profile.impulse / 2;
  for (std::size_t k = 0; k < arm.joints; ++k) {
    out.kinetic += arm.rigid_rotor[k] * motion.dq[k] * motion.dq[k] / 2;
    const double wound = motion.q[k] - motion.th[k], held = arm.rigid[k] != 0 ? motion.q[k] : motion.th[k];
    if (arm.B_inv[k] > 0) out.kinetic += motion.dth[k] * motion.dth[k] / (2 * arm.B_inv[k]);
    out.transmission += arm.stiffness[k] * wound * wound / 2;
    out.servo += (arm.servo_stiffness[k] + arm.link_stiffness[k]) * held * held / 2;
  }
  out.dissipated = absorbed - out.wall + damped + servoed - out.servo;
  return out;
}

}  // namespace thud
