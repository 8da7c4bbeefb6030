#pragma once

#include <thud/campaign.hpp>

#include <string>

namespace thud::lab {

/// Default campaign for this robot. For arms other than the Panda it has no posture and no contact point.
Campaign campaign_defaults(const std::string& name, const std::string& urdf);

}  // namespace thud::lab
