#pragma once

#include <string>

#include <nanobind/nanobind.h>

namespace thud::python {

/// Text with a file's name in it, whose bytes may be anything, as Python has such names: os.fsencode gives the bytes
/// back.
nanobind::str with_any_bytes(const std::string& text);

}  // namespace thud::python
