/// Any bytes are a record or a FileError, never a crash; a record keeps its promises through find_contact and the
/// writer.

#include <thud/error.hpp>
#include <thud/record.hpp>
#include <thud/window.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void promise(bool kept) {
  if (!kept) std::abort();
}

void check_window(const thud::Record& record) {
  const auto summary = thud::summarize(record);
  const auto& sampling = summary.sampling;
  promise(sampling.samples == record.time.size() && sampling.period > 0 && std::isfinite(sampling.rate) &&
          std::isfinite(sampling.jitter) && sampling.gaps < sampling.samples);
  const auto& window = summary.contact;
  promise(window.status != thud::ContactStatus::not_run && !window.message.empty());
  if (!usable(window)) return;
  for (const double number : {window.baseline, window.drift, window.noise, window.start, window.end, window.peak})
    promise(std::isfinite(number));
  promise(std::abs(window.sign) == 1 && window.noise >= 0 && window.peak > 0 && window.start < window.end);
  promise(window.first <= window.last && window.last < record.time.size());
  const auto samples = contact_samples(record, window, 3);
  for (const double force : samples.force) promise(std::isfinite(force));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  thud::Record record;
  try {
    record = thud::parse_record(text, "fuzz");
  } catch (const thud::FileError& error) {
    promise(error.argument().starts_with("fuzz") && !error.rule().empty());
    promise(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return 0;
  }
  validate(record);
  const auto again = thud::parse_record(format_record(record), "again");
  promise(again.time == record.time && again.force == record.force && again.comments == record.comments);
  check_window(record);
  return 0;
}
