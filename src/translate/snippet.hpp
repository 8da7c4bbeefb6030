#pragma once

#include <string>
#include <vector>

#include "translate/contact_model.hpp"

namespace thud::translating {

/// The model's parameters by the names that the simulator has for them; with a step, also those that come of it.
std::vector<SimulatorParameter> parameters_of(const ContactModel& model, const std::optional<double>& step);

/// And back. Throws InputError for parameters that are not there.
ContactModel model_of(const Translation& translation);

/// The parameters as text to paste.
std::string snippet_of(const ContactModel& model, const std::optional<double>& step);

}  // namespace thud::translating
