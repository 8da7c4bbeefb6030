#pragma once

#include <string>
#include <string_view>

namespace thud {

/// The report: one HTML page that opens from disk without a network and draws the results it holds.
///
/// results  one JSON object, as docs/results.md has it. It is put into the page's script element of id "results", every
///          '<' as \u003c: in JSON that stands in strings only and means the same, and no text can end the element.
std::string report_page(std::string_view results);

}  // namespace thud
