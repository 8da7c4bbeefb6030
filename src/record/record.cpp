#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/record.hpp>

#include <cmath>
#include <span>
#include <utility>

#include "statistics/robust.hpp"

namespace THUD_EXPORT thud {

std::vector<Warning> stored_notes(const std::vector<std::string>& texts) {
  std::vector<Warning> notes;
  notes.reserve(texts.size());
  for (const auto& text : texts) notes.push_back({WarningCode::stored_note, {}, text});
  return notes;
}

Record read_record(const std::string& path, const RecordOptions& options) {
  validate(options);
  constexpr auto option = "RecordOptions::max_size, --max-size";
  return parse_record(
      path == "-" ? read_standard_input(options.max_size, option) : read_file(path, options.max_size, option), path,
      options);
}

void write_record(const std::string& path, const Record& record) {
  write_file(path, format_record(record));
}

void validate(const Record& record) {
  const auto n = record.time.size();
  if (record.force.size() != n)
    throw InputError("record", std::to_string(n) + " times, " + std::to_string(record.force.size()) + " forces",
                     "each time needs one force");
  if (n < min_record_samples)
    throw InputError("record", std::to_string(n) + " samples",
                     "a record needs at least " + std::to_string(min_record_samples));
  const auto refuse = [&](const char* column, std::size_t i, double value, const char* rule) {
    throw InputError(std::string("record.").append(column).append("[").append(std::to_string(i)).append("]"), value,
                     rule);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double t = record.time[i], f = record.force[i];
    if (!(std::abs(t) <= max_record_number)) refuse("time", i, t, "must be a number within 1e12 s");
    if (!(std::abs(f) <= max_record_number)) refuse("force", i, f, "must be a number within 1e12 N");
    if (i > 0 && !(t - record.time[i - 1] >= min_record_step))
      refuse("time", i, t, "time must increase from sample to sample, by 1e-12 s or more");
  }
}

Sampling sampling(const Record& record) {
  validate(record);
  const auto& time = record.time;
  std::vector<double> steps(time.size() - 1);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) steps[i] = time[i + 1] - time[i];
  Sampling result{.samples = time.size(), .duration = time.back() - time.front()};
  result.period = statistics::median(std::span<const double>(steps));
  result.rate = 1 / result.period;

  // The median absolute deviation is not affected by gaps.
  auto scratch = steps;
  for (std::size_t i = 0; i < steps.size(); ++i) scratch[i] = std::abs(steps[i] - result.period);
  result.gap = 1.5 * result.period + 5 * statistics::mad_to_deviation * statistics::median(std::move(scratch));

  double squares = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] <= result.gap) {
      squares += (steps[i] - result.period) * (steps[i] - result.period);
      continue;
    }
    ++result.gaps;
    if (steps[i] <= result.largest_gap) continue;
    result.largest_gap = steps[i];
    result.largest_gap_at = time[i];
  }
  result.jitter = std::sqrt(squares / static_cast<double>(steps.size() - result.gaps)) / result.period;
  return result;
}

}  // namespace thud
