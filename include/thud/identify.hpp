#pragma once

/// From a measured force record to the contact laws behind it.

#include <thud/export.hpp>
#include <thud/fit.hpp>
#include <thud/record.hpp>
#include <thud/warning.hpp>
#include <thud/window.hpp>

#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

/// The result for one record. Filled in this order; what could not be found stays empty.
struct Identification {
  ContactWindow window;           // where the contact is, and the sensor at rest
  Record contact;                 // what the laws are fitted to: sign, baseline and drift taken out [s, N]
  std::vector<FitResult> laws;    // one, or every one in the order of LawKind
  std::optional<LawKind> best;    // lowest BIC among those that converged
  std::vector<Warning> warnings;  // of reader, window and fits
};

/// Finds the contact of a record, takes the sensor's sign, baseline and drift out, and fits the laws.
///
/// The fit sees the contact and half as many quiet samples before and after it, if available: they pin the touch, the
/// end and the remaining baseline. In a record that begins at the touch only the law's own shape tells the
/// baseline, and the intervals are the wider for it.
///
/// velocity  v0 < 0 [m/s]
/// options   as for fit. A known start is in the record's time, a known baseline counts from the window's
/// kind      one law; without it, every one
/// where     which contact, and in which part of the record
/// Throws InputError for what fit and find_contact reject. What is in the record never throws: without a usable window
/// there are no laws, and a warning says why.
Identification identify(const Record& record, double velocity, const FitOptions& options = {},
                        std::optional<LawKind> kind = {}, const ContactOptions& where = {});

/// The same with the window that find_contact has found in this record, so that it is not searched again.
///
/// window  of this record; contact_samples throws InputError for one that does not lie in it
Identification identify(const Record& record, const ContactWindow& window, double velocity,
                        const FitOptions& options = {}, std::optional<LawKind> kind = {});

}  // namespace thud
