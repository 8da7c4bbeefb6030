#include "elastic/hit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "contact/laws.hpp"

namespace thud::elastic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tolerance = 1e-10;  // of the last terms of a series, relative to its whole
constexpr std::size_t most_pieces = 20000;

// A hit from first touch to the end of its record.
template <class Series>
class Hit {
 public:
  Hit(Motion& motion, ElasticProfile& profile, Series series, double mass_links)
      : motion_(motion),
        arm_(motion.arm),
        profile_(profile),
        law_(std::move(series)),
        object_(profile.object_inverse_mass),
        mass_(object_ > 0 ? 1 / (1 / mass_links + object_) : mass_links),
        v0_(profile.velocity) {
    for (std::size_t i = 0; i < arm_.lanes; ++i) {
      rate_scale_ = std::max(rate_scale_, std::abs(arm_.M_inv_j[i]));
      motion.q[i] = motion.dq[i] = motion.th[i] = motion.dth[i] = 0;
      motion.command[i] = motion.command_rate[i] = motion.feedforward[i] = 0;
    }
    rate_scale_ *= mass_ * -v0_;
  }

  void run(const ElasticOptions& options) {
    change_ = options.command.begin();
    set_limits();
    if constexpr (may_be_singular)
      if (law_.singular()) start(options.horizon);
    while (time_ < options.horizon && motion_.pieces.size() < most_pieces) {
      const double stop = change_command(options, options.horizon);
      Piece& piece = expand(motion_.pieces);
      piece.length = std::min(step(piece), stop - time_);
      scan(piece);
      const Event event = first_event(piece);
      note(piece);
      finish(piece, stop);
      if (event.kind == Event::end) {
        profile_.end_of_contact = EndOfContact{time_, velocity_};
        break;
      }
      if (event.kind == Event::phase) law_.cross(compression_);
      if (event.kind == Event::limit) toggle(event.joint);
      if constexpr (may_be_singular)
        if (law_.singular() && leaves()) break;
    }
    profile_.end = time_;
    profile_.impulse = impulse_;
    motion_.wall_stored = law_.stored(compression_, force_);
    keep_largest(motion_.wall_stored);
    if (options.ringing > 0 && profile_.end_of_contact) ring(options);
  }

 private:
  static constexpr bool may_be_singular = requires(const Series& series) { series.singular(); };

  struct Event {
    enum Kind { none, end, phase, limit } kind = none;
    std::size_t joint = 0;
  };

  // The arm after the contact, nothing touching it; then joints and motors as they were at the end of the record.
  void ring(const ElasticOptions& options) {
    free_ = true;
    const double until = time_ + options.ringing;
    while (time_ < until && motion_.ringing.size() < most_pieces) {
      const double stop = change_command(options, until);
      Piece& piece = expand(motion_.ringing);
      piece.length = std::min(step(piece), stop - time_);
      scan(piece);
      const Event event = first_event(piece);
      finish(piece, stop);
      if (event.kind == Event::limit) toggle(event.joint);
    }
    finish(motion_.pieces.back(), profile_.end);
  }

  // Changes that are due; when the next one comes, if it does before `end`.
  double change_command(const ElasticOptions& options, double end) noexcept {
    while (change_ != options.command.end() && change_->time <= time_) apply(*change_++);
    return change_ != options.command.end() ? std::min(end, change_->time) : end;
  }

  // A force that begins with any power of the depth may have no power series at the touch. Up to a time at which the
  // force has changed v by 1e-6 of v0, its first term is the whole: f = a |v0 t|^n, with an error of 1e-12.
  void start(double horizon) {
    const double n = law_.exponent(), a = law_.leading(v0_) * std::pow(-v0_, n);
    time_ = std::min(std::pow(1e-6 * -v0_ * (n + 1) * mass_ / a, 1 / (n + 1)), horizon);
    impulse_ = a * std::pow(time_, n + 1) / (n + 1);
    Piece& piece = motion_.append(motion_.pieces);
    std::fill(piece.q, piece.f + terms, 0.0);
    piece.start = piece.impulse = 0;
    piece.length = time_;
    piece.x[1] = piece.v[0] = v0_;
    piece.exponent = n;
    piece.scale = a;
    for (std::size_t i = 0; i < arm_.lanes; ++i) {
      motion_.dq[i] = arm_.M_inv_j[i] * impulse_;
      motion_.q[i] = motion_.dq[i] * time_ / (n + 2);
    }
    retreat_ = object_ * impulse_ * time_ / (n + 2);
  }

  // Near x = 0 the same force has series that are ever shorter: once what it still does is below 1e-10 of v, the rest
  // is a straight line.
  bool leaves() {
    if (!(velocity_ > 0)) return false;
    const double remaining = -compression_ / velocity_;
    if (!(force_ * remaining < 1e-10 * mass_ * velocity_)) return false;
    time_ += remaining;
    compression_ = force_ = 0;
    profile_.end_of_contact = EndOfContact{time_, velocity_};
    return true;
  }

  void apply(const CommandChange& change) noexcept {
    for (std::size_t i = 0; i < arm_.joints; ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      motion_.command[i] = change.position[at] + (time_ - change.time) * change.rate[at];
      motion_.command_rate[i] = change.rate[at];
      motion_.feedforward[i] = change.feedforward[at];
    }
    set_limits();
  }

  // Which motors are at their limit.
  void set_limits() noexcept {
    for (std::size_t i = 0; i < arm_.joints; ++i) {
      const double u = arm_.servo_stiffness[i] * (motion_.th[i] - motion_.command[i]) +
                       arm_.servo_damping[i] * (motion_.dth[i] - motion_.command_rate[i]) +
                       arm_.link_stiffness[i] * (motion_.q[i] - motion_.command[i]) +
                       arm_.link_damping[i] * (motion_.dq[i] - motion_.command_rate[i]) - motion_.feedforward[i];
      const double torque = arm_.holding[i] - u;
      motion_.limit[i] = (torque > arm_.effort[i]) - (torque < -arm_.effort[i]);
    }
  }

  void toggle(std::size_t joint) noexcept {
    int& limit = motion_.limit[joint];
    if (limit != 0)
      limit = 0;
    else
      limit = arm_.holding[joint] - u_at_event_ > 0 ? 1 : -1;
  }

  // The series from the present state.
  Piece& expand(std::vector<Piece>& list) {
    Piece& piece = motion_.append(list);
    piece.start = time_;
    piece.impulse = impulse_;
    piece.exponent = 0;
    std::copy(motion_.q.begin(), motion_.q.end(), piece.q);
    std::copy(motion_.dq.begin(), motion_.dq.end(), piece.dq);
    std::copy(motion_.th.begin(), motion_.th.end(), piece.th);
    std::copy(motion_.dth.begin(), motion_.dth.end(), piece.dth);
    piece.x[0] = v0_ * time_ + along(piece.q) + retreat_;
    piece.v[0] = v0_ + along(piece.dq) + object_ * impulse_;
    piece.f[0] = free_ ? 0 : law_.coefficient(0, piece.x, piece.v, piece.f);
    switch (arm_.lanes) {
      case 4:
        fill<4>(piece);
        break;
      case 8:
        fill<8>(piece);
        break;
      default:
        fill<0>(piece);
    }
    return piece;
  }

  // The coefficients of a piece from those of its start, power by power. The number of lanes is known to the compiler
  // for arms of up to eight joints, and 0 for others.
  template <std::size_t fixed>
  void fill(Piece& piece) noexcept {
    const std::size_t lanes = fixed > 0 ? fixed : arm_.lanes;
    const double *K = arm_.stiffness.data(), *D = arm_.damping.data(), *B_inv = arm_.B_inv.data();
    const double *Kp = arm_.servo_stiffness.data(), *Kd = arm_.servo_damping.data();
    const double *Lp = arm_.link_stiffness.data(), *Ld = arm_.link_damping.data();
    const double *M_inv_j = arm_.M_inv_j.data(), *rigid = arm_.rigid.data(), *j = arm_.j.data();
    double* __restrict load = motion_.torque.data();  // on the links, the contact's left out
    double *x = piece.x, *v = piece.v, *f = piece.f;
    for (int i = 0; i < order; ++i) {
      const std::size_t row = static_cast<std::size_t>(i) * lanes;
      const double *q = piece.q + row, *dq = piece.dq + row, *th = piece.th + row, *dth = piece.dth + row;
      double* __restrict u = motion_.u.data() + row;
      double* __restrict servo = piece.servo + row;
      for (std::size_t k = 0; k < lanes; ++k) u[k] = Kp[k] * th[k] + Kd[k] * dth[k] + Lp[k] * q[k] + Ld[k] * dq[k];
      if (i < 2) add_command(i, u);
      for (std::size_t k = 0; k < lanes; ++k) servo[k] = u[k];
      if (arm_.limited) limit_servo(i, servo);
      const double next = 1.0 / (i + 1), contact = f[i];
      double* __restrict q_next = piece.q + row + lanes;
      double* __restrict dq_next = piece.dq + row + lanes;
      double* __restrict th_next = piece.th + row + lanes;
      double* __restrict dth_next = piece.dth + row + lanes;
      for (std::size_t k = 0; k < lanes; ++k) {
        const double tau = K[k] * (q[k] - th[k]) + D[k] * (dq[k] - dth[k]);
        load[k] = tau + rigid[k] * servo[k];
        q_next[k] = next * dq[k];
        th_next[k] = next * dth[k];
        dth_next[k] = next * B_inv[k] * (tau - servo[k]);
        dq_next[k] = M_inv_j[k] * contact;
      }
      const double* M_inv = arm_.M_inv.data();
      for (std::size_t column = 0; column < arm_.joints; ++column, M_inv += lanes)
        for (std::size_t k = 0; k < lanes; ++k) dq_next[k] -= M_inv[k] * load[column];
      double rate = 0;
      for (std::size_t k = 0; k < lanes; ++k) {
        dq_next[k] *= next;
        rate += j[k] * dq_next[k];
      }
      x[i + 1] = next * v[i];
      v[i + 1] = rate + next * object_ * contact;
      f[i + 1] = free_ ? 0 : law_.coefficient(i + 1, x, v, f);
    }
    for (std::size_t k = 0; k < lanes; ++k) piece.servo[order * lanes + k] = motion_.u[order * lanes + k] = 0;
  }

  double along(const double* joints) const noexcept {
    double sum = 0;
    for (std::size_t k = 0; k < arm_.lanes; ++k) sum += arm_.j[k] * joints[k];
    return sum;
  }

  void add_command(int i, double* u) const noexcept {
    for (std::size_t k = 0; k < arm_.joints; ++k) {
      const double Kp = arm_.servo_stiffness[k] + arm_.link_stiffness[k],
                   Kd = arm_.servo_damping[k] + arm_.link_damping[k];
      u[k] -= i == 0 ? Kp * motion_.command[k] + Kd * motion_.command_rate[k] + motion_.feedforward[k]
                     : Kp * motion_.command_rate[k];
    }
  }

  // sat(u) of motors at their limit is constant.
  void limit_servo(int i, double* servo) const noexcept {
    for (std::size_t k = 0; k < arm_.joints; ++k)
      if (motion_.limit[k] != 0) servo[k] = i == 0 ? arm_.holding[k] - motion_.limit[k] * arm_.effort[k] : 0;
  }

  // How far the series hold: their last two terms are below the tolerance.
  double step(const Piece& piece) const noexcept {
    double length = infinity;
    for (int i = order - 1; i <= order; ++i) {
      const std::size_t row = static_cast<std::size_t>(i) * arm_.lanes;
      double largest = std::abs(piece.v[i]) / -v0_;
      for (std::size_t k = 0; k < arm_.lanes; ++k)
        largest = std::max(largest, std::max(std::abs(piece.dq[row + k]), std::abs(piece.dth[row + k])) / rate_scale_);
      if (largest > 0) length = std::min(length, std::pow(tolerance / largest, 1.0 / i));
    }
    return length;
  }

  // Compression, rate, force and its slope at equal distances.
  void scan(const Piece& piece) noexcept {
    double x[scans], v[scans], f[scans], df[scans], t[scans];
    for (int k = 0; k < scans; ++k) {
      t[k] = piece.length * (k + 1) / scans;
      x[k] = piece.x[order];
      v[k] = piece.v[order];
      f[k] = piece.f[order];
      df[k] = 0;
    }
    for (int i = order - 1; i >= 0; --i)
      for (int k = 0; k < scans; ++k) {
        df[k] = df[k] * t[k] + f[k];
        x[k] = x[k] * t[k] + piece.x[i];
        v[k] = v[k] * t[k] + piece.v[i];
        f[k] = f[k] * t[k] + piece.f[i];
      }
    scan_[0] = {0, piece.x[0], piece.v[0], piece.f[0], piece.f[1]};
    for (int k = 0; k < scans; ++k) scan_[k + 1] = {t[k], x[k], v[k], f[k], df[k]};
  }

  // The first switch within the piece, which is cut there.
  Event first_event(Piece& piece) noexcept {
    Event event;
    const auto cut = [&](double at, typename Event::Kind kind, std::size_t joint) {
      if (at > piece.length) return;
      piece.length = at;
      event = {kind, joint};
    };
    for (int k = 1; k <= scans && !free_; ++k)
      if (scan_[k].x >= 0) {
        cut(root([&](double t) { return sum(piece.x, t); }, scan_[k - 1].t, scan_[k].t), Event::end, 0);
        break;
      }
    const auto guard = [&](double t) { return law_.guard(sum(piece.x, t), sum(piece.v, t), sum(piece.f, t)); };
    for (int k = 1; k <= scans && scan_[k - 1].t < piece.length && !free_; ++k)
      if (law_.guard(scan_[k].x, scan_[k].v, scan_[k].f) >= 0) {
        cut(root(guard, scan_[k - 1].t, scan_[k].t), Event::phase, 0);
        break;
      }
    if (arm_.limited)
      for (std::size_t joint = 0; joint < arm_.joints; ++joint) find_limit(piece, joint, cut);
    return event;
  }

  template <class Cut>
  void find_limit(const Piece& piece, std::size_t joint, Cut&& cut) noexcept {
    const double effort = arm_.effort[joint], holding = arm_.holding[joint];
    const double* u = motion_.u.data() + joint;
    const int limit = motion_.limit[joint];
    if (effort == infinity) return;
    if (limit == 0) {  // the terms together cannot reach it
      double reach = std::abs(holding - u[0]), power = 1;
      for (int i = 1; i < order; ++i) {
        power *= piece.length;
        reach += std::abs(u[static_cast<std::size_t>(i) * arm_.lanes]) * power;
      }
      if (reach < effort) return;
    }
    const auto u_at = [&](double t) {
      double value = 0;
      for (int i = order - 1; i >= 0; --i) value = value * t + u[static_cast<std::size_t>(i) * arm_.lanes];
      return value;
    };
    // positive once the limit is reached, or left
    const auto excess = [&](double t) {
      const double torque = holding - u_at(t);
      return limit == 0 ? std::abs(torque) - effort : effort - limit * torque;
    };
    for (int k = 1; k <= scans && scan_[k - 1].t < piece.length; ++k) {
      const double to = std::min(scan_[k].t, piece.length);
      if (!(excess(to) > 0)) continue;
      const double at = root(excess, scan_[k - 1].t, to);
      if (at <= piece.length) u_at_event_ = u_at(at);
      cut(at, Event::limit, joint);
      return;
    }
  }

  // Peaks and turns within the piece: where the signs differ from those before, which may be of the last piece.
  void note(const Piece& piece) {
    for (int k = 1; k <= scans && scan_[k - 1].t < piece.length; ++k) {
      const Instant& before = scan_[k - 1];
      const double to = std::min(scan_[k].t, piece.length);
      const double v = to < scan_[k].t ? sum(piece.v, to) : scan_[k].v;
      const double df = to < scan_[k].t ? slope(piece.f, to) : scan_[k].df;
      if (slope_ > 0 && df <= 0)
        add_peak(piece, before.df > 0 ? root([&](double t) { return slope(piece.f, t); }, before.t, to) : before.t);
      if (rate_ * v < 0)
        add_turn(piece, before.v * v < 0 ? root([&](double t) { return sum(piece.v, t); }, before.t, to) : before.t);
      slope_ = df;
      if (v != 0) rate_ = v;
    }
  }

  void add_peak(const Piece& piece, double at) {
    double force = sum(piece.f, at);
    if (!(force > 0) && at == 0) force = force_;  // a switch of the law has just ended it
    if (!(force > 0)) return;
    keep_largest(law_.stored(sum(piece.x, at), force));
    profile_.peaks.push_back({piece.start + at, force});
  }

  void add_turn(const Piece& piece, double at) {
    const double time = piece.start + at, x = sum(piece.x, at), force = sum(piece.f, at);
    keep_largest(law_.stored(x, force));
    profile_.turns.push_back({time, -x, std::max(force, 0.0), piece.impulse + integral(piece.f, at)});
  }

  void keep_largest(double stored) noexcept { motion_.wall_max = std::max(motion_.wall_max, stored); }

  // The state at the end of the piece.
  void finish(const Piece& piece, double stop) noexcept {
    const double t = piece.length;
    sum(piece.q, arm_.lanes, t, motion_.q.data());
    sum(piece.dq, arm_.lanes, t, motion_.dq.data());
    sum(piece.th, arm_.lanes, t, motion_.th.data());
    sum(piece.dth, arm_.lanes, t, motion_.dth.data());
    for (std::size_t i = 0; i < arm_.lanes; ++i) motion_.command[i] += t * motion_.command_rate[i];
    compression_ = sum(piece.x, t);
    velocity_ = sum(piece.v, t);
    force_ = std::max(sum(piece.f, t), 0.0);
    if constexpr (requires { law_.carry(0.0); })
      if (!free_) law_.carry(force_);
    if (object_ > 0) retreat_ += object_ * (impulse_ * t + second_integral(piece.f, t));
    impulse_ += integral(piece.f, t);
    time_ = stop - piece.start <= t ? stop : piece.start + t;
  }

  struct Instant {
    double t, x, v, f, df;
  };

  Motion& motion_;
  const Coefficients& arm_;
  ElasticProfile& profile_;
  Series law_;
  double object_;          // inverse mass of what is hit [1/kg]
  double mass_, v0_;       // of the relative motion of links and object
  double rate_scale_ = 0;  // of a joint rate: the jump that stops the contact point [rad/s or m/s]
  double retreat_ = 0;     // of the object, by the hit [m]
  double time_ = 0, impulse_ = 0, compression_ = 0, velocity_ = 0, force_ = 0;
  double slope_ = 0, rate_ = v0_;  // the force's slope and v at the last instant that was looked at
  double u_at_event_ = 0;
  bool free_ = false;  // after the contact
  std::vector<CommandChange>::const_iterator change_;
  Instant scan_[scans + 1];
};

}  // namespace

void follow(const ElasticArm& arm, const ContactLaw& law, double velocity, const ElasticOptions& options,
            Motion& motion, ElasticProfile& profile) {
  motion.clear();
  motion.arm.set(arm);
  motion.M = arm.M;
  motion.wall_max = 0;
  profile.velocity = velocity;
  profile.object_inverse_mass = options.object_inverse_mass;
  profile.peaks.clear();
  profile.turns.clear();
  profile.end_of_contact.reset();
  std::visit(
      [&](const auto& concrete) {
        Hit(motion, profile, contact::laws::series_of(concrete), arm.mass_links).run(options);
      },
      law);
}

}  // namespace thud::elastic
