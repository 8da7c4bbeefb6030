#include <thud/drives.hpp>
#include <thud/error.hpp>

#include <cmath>
#include <string>

#include "elastic/known.hpp"

namespace THUD_EXPORT thud {
using elastic::unknown_somewhere;
namespace {

void require_values(const char* name, const VectorX& values, int joints, bool may_be_zero) {
  if (values.size() == 0) return;
  if (values.size() != joints)
    throw InputError(name, std::to_string(values.size()) + " values",
                     "needs one for each of " + std::to_string(joints) + " joints");
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const bool valid = std::isnan(value) || (std::isfinite(value) && (may_be_zero ? value >= 0 : value > 0));
    if (!valid)
      throw InputError(std::string(name) + "[" + std::to_string(i) + "]", value,
                       may_be_zero ? "must be finite and at least 0" : "must be finite and greater than 0");
  }
}

}  // namespace

Drives Drives::without_servo() const {
  Drives free = *this;
  free.servo_stiffness = free.servo_damping = VectorX::Zero(stiffness.size());
  free.servo_damping_ratio.reset();
  return free;
}

void validate(const Drives& drives, int joints) {
  require_values("rotor_inertia", drives.rotor_inertia, joints, false);
  require_values("stiffness", drives.stiffness, joints, false);
  require_values("damping", drives.damping, joints, true);
  require_values("effort", drives.effort, joints, false);
  require_values("servo_stiffness", drives.servo_stiffness, joints, true);
  require_values("servo_damping", drives.servo_damping, joints, true);
  if (!drives.servo_damping_ratio) return;
  const double ratio = *drives.servo_damping_ratio;
  if (!(ratio >= 0 && std::isfinite(ratio)))
    throw InputError("servo_damping_ratio", ratio, "must be finite and at least 0");
  if (drives.servo_damping.size() != 0)
    throw InputError("servo_damping_ratio", ratio, "is given beside servo_damping: one of them says it");
}

std::vector<Warning> assumptions(const Drives& drives) {
  std::vector<Warning> list;
  const auto add = [&](const char* quantity, const char* text) {
    list.push_back({WarningCode::assumed_drive, quantity, std::string(quantity) + " is not known: " + text});
  };
  const bool stiffness = unknown_somewhere(drives.stiffness), rotors = unknown_somewhere(drives.rotor_inertia);
  if (rotors)
    add("rotor_inertia", stiffness ? "motors without inertia are assumed" : "motors that do not move are assumed");
  if (stiffness) add("stiffness", "rigid transmissions are assumed");
  if (unknown_somewhere(drives.damping) && !stiffness) add("damping", "transmissions without damping are assumed");
  if (unknown_somewhere(drives.servo_stiffness))
    add("servo", "motors that no servo holds are assumed");
  else if (!drives.servo_damping_ratio && unknown_somewhere(drives.servo_damping))
    add("servo_damping", "a servo without damping is assumed");
  if (unknown_somewhere(drives.effort) && drives.servo_stiffness.size() != 0 && !drives.servo_stiffness.isZero(0))
    add("effort", "motors without a limit are assumed");
  return list;
}

}  // namespace thud
