#pragma once

#include <string>
#include <vector>

namespace thud {

/// What a warning is about, for programs; people read its text.
enum class WarningCode {
  // robot

  // prediction

  // profile

  // record, window

  // fit

  // dataset, study
  dataset_unfinished,  ///< trials of the plan are missing
  robot_left_out,      ///< a robot without the contact's link predicts nothing
  trials_left_out,     ///< trials whose status is not ok
  reference_velocity,  ///< no joint log: the reference speed and the nominal posture are used instead
  early_alarm,         ///< the controller's alarm came before the touch

  other
};

/// Something a user should know about a result that stands all the same.
struct Warning {
  WarningCode code = WarningCode::other;
  std::string subject{};  ///< the joint, link, model, law, column or trial it is about; empty: the whole
  std::string text{};     ///< a sentence

  bool operator==(const Warning&) const = default;
};

/// The sentences alone.
inline std::vector<std::string> texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> list;
  list.reserve(warnings.size());
  for (const Warning& warning : warnings) list.push_back(warning.text);
  return list;
}

}  // namespace thud
