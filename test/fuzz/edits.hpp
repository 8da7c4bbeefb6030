#pragma once

/// Files of HDF5 that somebody has changed with the HDF5 library: their checksums fit, so that the readers see the
/// changes.

#include <string>
#include <string_view>

/// The file with changes that are read from the input, byte by byte: objects and attributes go, move, are linked once
/// more, or get another type, shape or value.
std::string edited(std::string_view file, std::string_view input);
