#include <thud/map.hpp>
