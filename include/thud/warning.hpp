#pragma once

#include <thud/export.hpp>

#include <string>

namespace THUD_EXPORT thud {

/// What a warning is about, for programs; people read its text.
enum class WarningCode {
  // robot

  // prediction

  // profile

  // record, window

  // fit

  // dataset, study

  other
};

/// Something a user should know about a result that stands all the same.
struct Warning {
  WarningCode code = WarningCode::other;
  std::string subject{};  ///< the joint, link, model, law, column or trial it is about; empty: the whole
  std::string text{};     ///< a sentence
};

}  // namespace thud
