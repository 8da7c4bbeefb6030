#pragma once

/// Private: joint signals as text, with the columns time, q.NAME, dq.NAME, tau.NAME, tau_ref.NAME in any order.

#include <thud/dataset.hpp>

#include <string>
#include <string_view>

namespace thud::dataset {

/// Throws FileError: argument `name:line`, the offending text, the rule.
JointLog parse_joints(std::string_view text, const std::string& name, const Robot& robot);

/// Text that parse_joints reads back to the same numbers. Throws InputError for a joint whose name cannot be a column.
std::string format_joints(const JointLog& joints, const Robot& robot);

}  // namespace thud::dataset
