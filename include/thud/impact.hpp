#pragma once

/// Impact with friction at one point: the impulse as a vector.
///
/// The independent variable is the normal impulse p, which only grows. With u the velocity of the robot's point
/// relative to what it hits, s the direction in which it slides and W the inverse inertia of both sides together,
///
///   du/dp = W (n + t),   t = -mu s            while it slips
///                        t = -W_tt^-1 W_tn    while it sticks, which it can if |W_tt^-1 W_tn| <= mu    [Bhatt95]
///
/// Slip that has stopped and cannot stick leaves along the one s with W_tn - mu W_tt s = lambda s, lambda > 0, and then
/// goes straight on: an impact has two phases at most. Compression ends at u_n = 0; restitution ends by its kind.
///
/// While the direction of slip is constant (planar cases, and those from rest, among others) all of this is linear in p
/// and solved in closed form. Elsewhere d(tau) = dp/|slip| makes it regular however small the slip becomes, and its
/// Taylor series in tau are summed.

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/warning.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What the coefficient of restitution e is a ratio of. The three agree without friction, and where the direction of
/// slip does not change.
enum class RestitutionKind {
  energetic,  ///< e^2: work of the normal force in restitution over that in compression; never gains energy [Stronge90]
  newton,     ///< e: normal velocity after over that before; with friction it may gain energy
  poisson,    ///< e: normal impulse of restitution over that of compression
};
inline constexpr std::array all_restitution_kinds = {RestitutionKind::energetic, RestitutionKind::newton,
                                                     RestitutionKind::poisson};

/// The words of the command line: "energetic", ...
std::string_view to_string(RestitutionKind kind) noexcept;

/// How the contact point moves across the normal.
enum class ContactMode { slip, stick };

/// "slip", "stick".
std::string_view to_string(ContactMode mode) noexcept;

/// A part of an impact in one mode. Slip that stops and leaves in another direction is a new phase.
struct ImpactPhase {
  ContactMode mode = ContactMode::slip;
  double normal_impulse = 0;  // [N s]
  double normal_work = 0;     // done on the two sides by the normal force [J]
  double friction_work = 0;   // by friction, <= 0 [J]
};

/// The phases of an impact in order. There are two at most.
class ImpactPhases {
 public:
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const ImpactPhase* begin() const noexcept { return phases_.data(); }
  const ImpactPhase* end() const noexcept { return phases_.data() + size_; }
  const ImpactPhase& operator[](std::size_t i) const noexcept { return phases_[i]; }
  const ImpactPhase& back() const noexcept { return phases_[size_ - 1]; }

  static constexpr std::size_t max_size = 2;
  void clear() noexcept { size_ = 0; }
  void push_back(const ImpactPhase& phase) noexcept { phases_[size_++] = phase; }

 private:
  std::array<ImpactPhase, max_size> phases_{};
  std::size_t size_ = 0;
};

/// Whether an impact has an answer.
enum class ImpactStatus {
  not_run,      ///< not computed yet
  ok,           ///< the sides part
  no_approach,  ///< u_n >= 0: there is no impact, the impulse is 0
  wedged,       ///< no finite impulse stops the approach: W is singular, and friction holds the point
};

/// "not_run", "ok", ...
std::string_view to_string(ImpactStatus status) noexcept;

struct ImpactOptions {
  double friction = 0;                                // mu of Coulomb, >= 0
  double restitution = 0;                             // e, 0 to 1
  RestitutionKind kind = RestitutionKind::energetic;  // what e is a ratio of
};

/// The outcome of an impact. World axes; NaN without an answer.
struct Impact {
  ImpactStatus status = ImpactStatus::not_run;
  Vector3 impulse = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());         // on the robot [N s]
  Vector3 velocity_after = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // u after, relative [m/s]
  double compression = std::numeric_limits<double>::quiet_NaN();  // normal impulse when the approach first stops [N s]
  double energy_lost = std::numeric_limits<double>::quiet_NaN();  // -impulse.(u + u_after)/2 [J]
  bool jam = false;  // friction drives the sides into each other for a while
  ImpactPhases phases{};

  /// Whether the numbers are valid: status ok or no_approach.
  bool exists() const noexcept { return status == ImpactStatus::ok || status == ImpactStatus::no_approach; }
};

/// Solves an impact at one point.
///
/// W         inverse inertia of both sides at the point, symmetric, positive semidefinite, n.W n > 0 [1/kg]
/// velocity  u of the robot's point relative to what it hits [m/s]
/// normal    out of what is hit, towards the robot; any length but zero
///
/// mu = 0 is normal_impulse. Slip below 1e-12 of |u_n| is none. Where restitution turns into compression again, both
/// add up. Throws InputError for a W that is not symmetric (that of flexible joints), not semidefinite or without
/// motion along the normal, mu < 0, e outside 0 to 1, and what is not finite.
Impact impact(const Matrix3& W, const Vector3& velocity, const Vector3& normal, const ImpactOptions& options = {});

/// The same of values that are known to be good, with a normal of unit length. Real-time.
void impact(const Matrix3& W, const Vector3& velocity, const Vector3& normal, const ImpactOptions& options,
            Impact& result) noexcept;

/// An instant of an impact.
struct ImpactState {
  ContactMode mode = ContactMode::slip;
  Vector3 impulse = Vector3::Zero();   // on the robot so far [N s]
  Vector3 velocity = Vector3::Zero();  // u, relative [m/s]
};

/// The course of an impact from touch to parting, for pictures: some states of each phase, with those at which
/// compression, phases and the impact end among them. Empty without an impact. Throws what impact throws.
std::vector<ImpactState> impact_path(const Matrix3& W, const Vector3& velocity, const Vector3& normal,
                                     const ImpactOptions& options = {});

/// What a user should know: a jam, energy gained (Newton's restitution), a wedged contact.
std::vector<Warning> warnings(const Impact& impact);

/// Friction below which a contact that has stopped slipping slips again, |W_tt^-1 W_tn|, least norm where W_tt is
/// singular. With it or more, an impact without slip sticks throughout. Throws as impact.
double sticking_friction(const Matrix3& W, const Vector3& normal);

}  // namespace thud
