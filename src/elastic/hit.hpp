#pragma once

/// The motion of a hit, followed from first touch to the end of its record. Private to the library.

#include <thud/elastic_arm.hpp>

#include "elastic/motion.hpp"

namespace thud::elastic {

/// Fills the motion, and the events of the profile that owns it. Throws std::bad_alloc alone.
void follow(const ElasticArm& arm, const ContactLaw& law, double velocity, const ElasticOptions& options,
            Motion& motion, ElasticProfile& profile);

}  // namespace thud::elastic
