#pragma once

#include <thud/campaign.hpp>

#include <string>

namespace thud::lab {

/// What a campaign with this robot starts from: for arms other than the Panda there is no posture and no contact point.
Campaign starting_from(const std::string& name, const std::string& urdf);

}  // namespace thud::lab
