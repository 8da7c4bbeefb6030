#pragma once

/// Where in a force record the contact is, and what the sensor reads when nothing touches it.
///
/// The measured force is sign * contact force + baseline + drift (t - start) + noise. find_contact estimates all of
/// these from the record alone. It needs a peak of at least 8 noise deviations that rises within 0.1 s. It copes with
/// - an offset and a slow linear drift: a line through the quiet samples before the contact, level unless thirty of
///   them show a slope of five deviations;
/// - no quiet samples before it: the level after the contact serves; without one either, zero is assumed and noted;
/// - a sensor of opposite sign: the largest excursion from the quiet level decides; rejected if both are large;
/// - several humps, as an arm of several links pushes: a fall by less than half of the peak does not end the contact;
/// - a tool that presses on: the contact then ends where the force stops falling;
/// - single-sample spikes: levels are judged on the median of three neighbours;
/// - samples that are missing in the contact: noted, and so is a peak among them; rejected beyond half of the contact.

#include <thud/export.hpp>
#include <thud/record.hpp>
#include <thud/warning.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// How a search for the contact ended. The first three give a window to work with.
enum class ContactStatus {
  found,           ///< the force returns to the baseline
  pressing,        ///< it does not, and settles above it; `end` is where it stops falling
  cut_at_end,      ///< the record ends while the force is falling or rising; `end` is its last sample
  cut_at_start,    ///< the first sample is above a fifth of the peak: the touch is not in the record
  no_contact,      ///< no excursion above noise and drift that rises like an impact and has three samples
  ambiguous_sign,  ///< excursions to both sides, the smaller above half of the larger
  gap,             ///< more of the contact is missing than is there
  not_run
};

/// "found", "pressing", ...
std::string_view to_string(ContactStatus status) noexcept;

/// What counts as a contact.
struct ContactOptions {
  double min_peak = 8;         ///< smallest peak over the noise's standard deviation             [1]
  double max_rise = 0.1;       ///< longest rise from a fifth of the peak to the peak             [s]
  double end_fraction = 0.01;  ///< the force ends below this fraction of the peak, or in the noise  [1]
  std::size_t contact = 1;     ///< which one of those that find_contacts finds, from 1           [1]
  double from = -std::numeric_limits<double>::infinity();  ///< samples before this time are left alone [s]
  double to = std::numeric_limits<double>::infinity();     ///< samples after this time are left alone  [s]
};

/// Throws InputError for numbers that are not positive, a contact 0, and a `from` that is not before `to`.
void validate(const ContactOptions& options);

/// Unknown numbers are NaN.
struct ContactWindow {
  ContactStatus status = ContactStatus::not_run;
  std::string message = "find_contact was not called";

  // the sensor at rest
  double sign = 1;  ///< +1: the record's force grows in contact, -1: it falls                     [1]
  double baseline = std::numeric_limits<double>::quiet_NaN();  ///< record's force at `start` without contact   [N]
  double drift = 0;                                            ///< its slope, 0 unless it is significant      [N/s]
  double noise = std::numeric_limits<double>::quiet_NaN();     ///< robust standard deviation of one sample     [N]
  std::size_t quiet = 0;                                       ///< samples before the contact behind these     [1]

  // the contact
  double start = std::numeric_limits<double>::quiet_NaN();      ///< first touch, between samples               [s]
  double end = std::numeric_limits<double>::quiet_NaN();        ///< time of sample `last`                      [s]
  std::size_t first = 0, last = 0;                              ///< samples in [start, end]
  double peak = std::numeric_limits<double>::quiet_NaN();       ///< largest contact force                      [N]
  double peak_time = std::numeric_limits<double>::quiet_NaN();  ///< when                                       [s]
  std::size_t quiet_after = 0;  ///< samples after `last` up to the next contact or the end of what is searched  [1]

  std::vector<Warning> notes{};  ///< what had to be decided
};

/// Whether there is a window with a start, an end and a peak: found, pressing or cut_at_end.
bool usable(const ContactWindow& window) noexcept;

/// Finds a contact of a record: the first excursion above 0.3 of the largest, or a later one.
///
/// start  where u^n (a + b u), u = t - start, zero before, fits the rise best: least squares up to 0.7 of the peak,
///        with n = 1 or, where the record clearly requires it, 3/2. For a contact of 10 ms at 25 kHz it comes, after a
///        linear start, up to 15 us late with a spread of 4, 15 and 95 us at 0, 1 and 5 % noise; after a Hertzian
///        start it comes 45, 45 and 200 us late.
/// peak   top of a parabola through the samples within a quarter of the rise.
/// end    the first sample from which the mean over a quarter of the rise time is below end_fraction of the peak, or
///        below three of that mean's noise deviations.
///
/// Throws InputError for a record or options that validate rejects, for fewer than 8 samples between `from` and `to`,
/// and for a second or later contact that the record does not have; what else is in the record never throws, it sets
/// the status.
ContactWindow find_contact(const Record& record, const ContactOptions& options = {});

/// Finds all contacts of a record, at most a hundred, in the order of time: excursions of one sign above 0.3 of the
/// largest, each after the force has returned from the one before. `options.contact` is not looked at. Empty if there
/// is no usable one. Throws InputError as find_contact does.
std::vector<ContactWindow> find_contacts(const Record& record, const ContactOptions& options = {});

/// The samples of the contact with the sensor's sign, baseline and drift removed: the force that pushes the robot [N],
/// positive in contact. Time is the record's [s]. `before` samples are added in front and, where the force has returned
/// to the baseline, `after` samples at the end, as far as available. Throws InputError unless the window is usable and
/// lies in the record.
Record contact_samples(const Record& record, const ContactWindow& window, std::size_t before = 0,
                       std::size_t after = 0);

/// A record at a glance.
struct RecordSummary {
  Sampling sampling{};
  ContactWindow contact{};
  std::vector<Warning> warnings{};  ///< notes of the reader, then of the search, then why there is no whole contact
};

/// Sampling, noise, baseline, peak and window of a record. Throws InputError as find_contact does.
RecordSummary summarize(const Record& record, const ContactOptions& options = {});

}  // namespace thud
