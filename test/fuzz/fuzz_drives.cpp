// Any bytes: drives that obey their rules, or a refusal that names the file; for a number of joints, and for as many as
// the text says.

#include <thud/drives_file.hpp>

#include "target.hpp"

namespace {

bool takes_for(int joints, std::string_view text) {
  try {
    const thud::Drives drives = thud::parse_drives(text, "fuzz.toml", joints);
    const auto known = joints < 0 ? drives.rotor_inertia.size() : joints;
    if (known > 0) thud::validate(drives, static_cast<int>(known));
    static_cast<void>(thud::assumptions(drives.without_servo()));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.toml");
    return false;
  }
}

}  // namespace

bool takes(std::string_view text) {
  const bool by_seven = takes_for(7, text);
  return takes_for(-1, text) || by_seven;
}
