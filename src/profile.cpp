#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include "half_turn.hpp"
#include "maxwell.hpp"

namespace thud {
namespace {

using std::numbers::pi;

// An impact in units of its own: time T, length |v0| T, force m|v0|/T, momentum m|v0|, energy m v0^2.
struct UnitImpact {
  struct Event {
    double time;
    Phase phase;
  };
  Event peak;
  std::optional<Event> compression, end;
  double end_of_force;
  double restitution;
  double stored_max;
  double dissipated;
};

template <class Law>
double time_unit(const Law& law, double mass, double) {
  return std::sqrt(mass / law.stiffness);
}

double time_unit(const HuntCrossley& law, double mass, double velocity) {
  return std::pow(mass * velocity * velocity / law.stiffness, 1 / (law.exponent + 1)) / -velocity;
}

Phase spring_phase(double e, double t) {
  if (t <= pi / 2) {
    const double f = std::sin(t);
    return {f, std::cos(t), f, f * f / 2, 0};
  }
  const double a = e > 0 ? (t - pi / 2) / e : pi / 2, f = a < pi / 2 ? std::cos(a) : 0, loss = (1 - e) * (1 + e);
  return {loss + e * e * f, -e * std::sin(a), f, e * e * f * f / 2, loss / 2};
}

UnitImpact solve(const Spring& law, double, double, double fraction) {
  const double e = law.restitution, t_c = pi / 2;
  UnitImpact out{};
  out.peak = {t_c, {1, 0, 1, 0.5, 0}};
  out.compression = out.peak;
  out.end = {t_c * (1 + e), {(1 - e) * (1 + e), -e, 0, 0, (1 - e) * (1 + e) / 2}};
  out.end_of_force = t_c + e * std::acos(fraction);
  out.restitution = e;
  out.stored_max = 0.5;
  out.dissipated = out.end->phase.dissipated;
  return out;
}

double zeta_of(const Maxwell& law, double mass) {
  return std::sqrt(law.stiffness) * std::sqrt(mass) / (2 * law.damping);
}

Phase maxwell_phase(double zeta, double t) {
  const maxwell::Wave w = maxwell::wave(zeta, t);
  const double s = maxwell::rate(zeta, w);
  return {w.sine + 2 * zeta * (1 - s), s, w.sine, w.sine * w.sine / 2, maxwell::dissipated(zeta, t, w)};
}

// The force falls from the peak to nothing, in a finite time or never: bisection between the peak and a time by which
// it is below the fraction.
double maxwell_end_of_force(double zeta, double peak, double limit, double goal) {
  double low = peak, high = std::isfinite(limit) ? limit : 2 * peak + 1;
  while (!std::isfinite(limit) && maxwell::wave(zeta, high).sine > goal) high *= 2;
  while (high - low > 1e-15 * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (maxwell::wave(zeta, middle).sine > goal ? low : high) = middle;
  }
  return high;
}

UnitImpact solve(const Maxwell& law, double mass, double, double fraction) {
  const double zeta = zeta_of(law, mass), b = std::sqrt((1 - zeta) * (1 + zeta));  // NaN for zeta > 1
  UnitImpact out{};
  const double t_p = maxwell::peak_time(zeta);
  out.peak = {t_p, maxwell_phase(zeta, t_p)};
  double limit = std::numeric_limits<double>::infinity();
  out.dissipated = 0.5;
  if (zeta < 1) {
    limit = pi / b;
    const double t_c = (pi - std::atan2(b, zeta)) / b, e = std::exp(-zeta * limit);
    out.compression = {t_c, maxwell_phase(zeta, t_c)};
    out.compression->phase.rate = 0;
    out.end = {limit, {2 * zeta * (1 + e), -e, 0, 0, (1 - e) * (1 + e) / 2}};
    out.restitution = e;
    out.dissipated = out.end->phase.dissipated;
  }
  out.end_of_force = maxwell_end_of_force(zeta, t_p, limit, fraction * out.peak.phase.force);
  out.stored_max = out.peak.phase.potential;
  return out;
}

HalfTurn turn_of(const HuntCrossley& law, double velocity) {
  return half_turn(law.damping * -velocity / law.stiffness, law.exponent);
}

UnitImpact solve(const HuntCrossley& law, double, double velocity, double fraction) {
  const HalfTurn turn = turn_of(law, velocity);
  const double theta_p = peak_angle(turn), theta_f = force_angle(turn, theta_p, fraction);
  UnitImpact out{};
  const double t_p = duration(turn, 0, theta_p), t_c = t_p + duration(turn, theta_p, pi / 2);
  const double t_e = t_c + duration(turn, pi / 2, pi);
  out.peak = {t_p, at(turn, theta_p)};
  out.compression = {t_c, at(turn, pi / 2)};
  out.compression->phase.rate = 0;
  out.end = {t_e, at(turn, pi)};
  out.end_of_force = theta_f < pi / 2       ? t_p + duration(turn, theta_p, theta_f)
                     : theta_f < 3 * pi / 4 ? t_c + duration(turn, pi / 2, theta_f)
                                            : t_e - duration(turn, theta_f, pi);
  out.restitution = -out.end->phase.rate;
  out.stored_max = out.compression->phase.potential;
  out.dissipated = out.end->phase.dissipated;
  return out;
}

UnitImpact solve(const Viscoelastic& law, double mass, double velocity, double fraction) {
  return solve(HuntCrossley{law.stiffness, law.damping, 1}, mass, velocity, fraction);
}

// The phase at a unit time in contact. t_c, t_e: ends of compression and contact, where they are finite.
Phase phase_at(const Spring& law, const ForceProfile&, double t, double, double) {
  return spring_phase(law.restitution, t);
}

Phase phase_at(const Maxwell& law, const ForceProfile& profile, double t, double, double) {
  return maxwell_phase(zeta_of(law, profile.mass), t);
}

Phase phase_at(const HuntCrossley& law, const ForceProfile& profile, double t, double t_c, double t_e) {
  const HalfTurn turn = turn_of(law, profile.velocity);
  return at(turn, angle(turn, t, t_c, t_e - t_c));
}

Phase phase_at(const Viscoelastic& law, const ForceProfile& profile, double t, double t_c, double t_e) {
  return phase_at(HuntCrossley{law.stiffness, law.damping, 1}, profile, t, t_c, t_e);
}

// Depth that is left when the force has gone [|v0| T].
double permanent_set(const ForceProfile& profile) {
  const double e = profile.restitution;
  if (std::holds_alternative<Spring>(profile.law)) return (1 - e) * (1 + e);
  if (const auto* law = std::get_if<Maxwell>(&profile.law)) return 2 * zeta_of(*law, profile.mass) * (1 + e);
  return 0;
}

// From units of its own to SI.
ContactState state_of(const ForceProfile& profile, double time, double unit, const Phase& phase) {
  const double speed = -profile.velocity, momentum = profile.mass * speed, energy = momentum * speed;
  return {time,
          phase.force * momentum / unit,
          -phase.depth * speed * unit,
          -phase.rate * speed,
          (1 - phase.rate) * momentum,
          phase.rate * phase.rate / 2 * energy,
          phase.potential * energy,
          phase.dissipated * energy};
}

}  // namespace

ForceProfile force_profile(const ContactLaw& law, double mass, double velocity, double end_fraction) {
  const double e = restitution(law, mass, velocity);  // checks law, mass and velocity
  if (!(end_fraction > 0 && end_fraction < 1))
    throw InputError("end_fraction", end_fraction, "must be between 0 and 1");
  const UnitImpact unit = std::visit([&](const auto& l) { return solve(l, mass, velocity, end_fraction); }, law);

  const double speed = -velocity, momentum = mass * speed, energy = momentum * speed;
  const double time = std::visit([&](const auto&l) { return time_unit(l, mass, velocity); }, law),
               length = speed * time, force = momentum / time;
  ForceProfile out{law, mass, velocity, e, {}, {}, {}, {}, {}, {}};
  out.peak = {unit.peak.time * time, unit.peak.phase.force * force};
  out.impulse = {(1 - unit.peak.phase.rate) * momentum, {}, (1 + e) * momentum};
  if (unit.compression) {
    const auto& [t, phase] = *unit.compression;
    out.end_of_compression = {t * time, phase.depth * length, phase.force * force};
    out.impulse.compression = momentum;
  }
  if (unit.end) out.end_of_contact = {unit.end->time * time, e * speed};
  out.end_of_force = {unit.end_of_force * time, end_fraction};
  out.energy = {energy / 2, unit.stored_max * energy, unit.dissipated * energy, e * e * energy / 2};
  return out;
}

ContactState state(const ForceProfile& profile, double time) {
  if (!std::isfinite(time)) throw InputError("time", time, "must be finite");
  const double mass = profile.mass, velocity = profile.velocity, speed = -velocity;
  const double unit = std::visit([&](const auto& l) { return time_unit(l, mass, velocity); }, profile.law);

  // Free flight before and after
  const auto& end = profile.end_of_contact;
  if (time < 0) return {time, 0, velocity * time, velocity, 0, profile.energy.initial, 0, 0};
  if (end && time >= end->time) {
    const double x = -permanent_set(profile) * speed * unit + end->velocity * (time - end->time);
    return {time, 0, x, end->velocity, profile.impulse.total, profile.energy.final, 0, profile.energy.dissipated};
  }

  const auto& deepest = profile.end_of_compression;
  const double t_c = deepest ? deepest->time / unit : 0, t_e = end ? end->time / unit : 0;
  const Phase phase =
      std::visit([&](const auto& l) { return phase_at(l, profile, time / unit, t_c, t_e); }, profile.law);
  return state_of(profile, time, unit, phase);
}

std::vector<ContactState> states(const ForceProfile& profile, const VectorRef& times) {
  std::vector<ContactState> out;
  out.reserve(static_cast<std::size_t>(times.size()));

  // Times of a viscoelastic contact, as long as they increase, are each reached from the one before.
  const auto* law = std::get_if<Viscoelastic>(&profile.law);
  const double unit = law ? time_unit(*law, profile.mass, profile.velocity) : 0;
  const HalfTurn turn = law ? turn_of({law->stiffness, law->damping, 1}, profile.velocity) : HalfTurn{};
  double before = 0, theta = 0;
  for (double time : times) {
    if (law && time > before && time < profile.end_of_contact->time) {
      theta = angle_after(turn, theta, (time - before) / unit);
      before = time;
      out.push_back(state_of(profile, time, unit, at(turn, theta)));
    } else {
      out.push_back(state(profile, time));
    }
  }
  return out;
}

std::vector<std::string> warnings(const ForceProfile& profile) {
  std::vector<std::string> out;
  const double e = profile.restitution;
  if (const auto* law = std::get_if<Viscoelastic>(&profile.law)) {
    const double asymptotic = restitution_asymptotic(*law, profile.velocity);
    if (std::abs(asymptotic - e) > 0.05 * e)
      out.push_back("restitution is " + to_text(e) + " exactly; the asymptotic value k/(c|v0|) is " +
                    to_text(asymptotic) + ", off by more than 5 %");
  }
  if (std::holds_alternative<Spring>(profile.law) && e > 1)
    out.push_back("restitution " + to_text(e) + " is above 1: the spring creates energy");
  if (std::holds_alternative<Maxwell>(profile.law) && !profile.end_of_contact)
    out.push_back("zeta = sqrt(k m)/(2 c) is at least 1: compression and contact have no end, and there is no rebound");
  return out;
}

}  // namespace thud
