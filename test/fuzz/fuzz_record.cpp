/// Any bytes are a record or a FileError, never a crash; a record keeps its promises through find_contact and the
/// writer. Text that begins with `@`, a letter and a line end is read with the options of that letter: bits of its code
/// choose columns, units, lines to skip, and which contact in which part is looked for.

#include <thud/record.hpp>
#include <thud/window.hpp>

#include <cmath>
#include <string_view>
#include <vector>

#include "target.hpp"

namespace {

struct Options {
  thud::RecordOptions reading{};
  bool several = false, part = false;
};

/// Takes the options off the beginning of a text.
Options options_of(std::string_view& text) {
  Options options;
  if (text.size() < 3 || text[0] != '@' || text[2] != '\n') return options;
  const auto bits = static_cast<unsigned char>(text[1]);
  text.remove_prefix(3);
  if (bits & 1) options.reading.force_column = bits & 2 ? "Fz" : "3";
  if (bits & 4) options.reading.time_column = bits & 2 ? "clock" : "1";
  if (bits & 8) options.reading.units = bits & 2 ? "time=ms,force=lbf" : "force=g*1.5";
  if (bits & 16) options.reading.skip = 2, options.reading.max_samples = 1000;
  options.several = bits & 32;
  options.part = bits & 64;
  return options;
}

/// Every contact is a window of its own, in order; a part of the record has no more than it can hold.
void check_contacts(const thud::Record& record, bool part) {
  thud::ContactOptions options;
  if (part) options.from = record.time[record.time.size() / 3];
  std::vector<thud::ContactWindow> all;
  try {
    all = find_contacts(record, options);
  } catch (const thud::InputError&) {
    promise(part);
    return;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    promise(usable(all[i]) && all[i].first <= all[i].last);
    promise(all[i].last + all[i].quiet_after < record.time.size());
    promise(i == 0 || all[i].first > all[i - 1].last);
    promise(record.time[all[i].first] >= options.from);
    options.contact = i + 1;
    promise(find_contact(record, options).first == all[i].first);
  }
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

bool takes(std::string_view text) {
  const auto options = options_of(text);
  thud::Record record;
  try {
    record = thud::parse_record(text, "fuzz", options.reading);
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz");
    return false;
  }
  validate(record);
  const auto again = thud::parse_record(format_record(record), "again");
  promise(again.time == record.time && again.force == record.force && again.comments == record.comments);
  check_window(record);
  if (options.several) check_contacts(record, options.part);
  return true;
}
