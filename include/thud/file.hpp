#pragma once

#include <thud/export.hpp>

#include <string>
#include <string_view>

namespace THUD_EXPORT thud {

/// The bytes of a file. Throws FileError when it cannot be opened or read, and for a folder.
std::string read_file(const std::string& path);

/// Writes a whole file or nothing: the text goes to a new file beside it, is flushed to the disk and then takes the
/// name, so that whoever reads `path` sees the old text or the new one, never a half. A link is followed. A terminal,
/// pipe or device is written to directly. Throws FileError, and then `path` is what it was.
void write_file(const std::string& path, std::string_view text);

}  // namespace thud
