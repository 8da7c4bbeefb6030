#include <thud/error.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <Eigen/Cholesky>

#include "statistics/robust.hpp"

namespace THUD_EXPORT thud {
namespace {

using statistics::Baseline;
using statistics::enough_quiet;
using statistics::median;

constexpr double touch_fraction = 0.3;   // of the largest excursion: an earlier one this high is the first contact
constexpr double low_fraction = 0.2;     // of the peak: the rise is counted from here
constexpr double hump_fraction = 0.5;    // of the peak: a fall by less and a new rise belong to the same contact
constexpr double fit_fraction = 0.7;     // of the peak: the rise is fitted up to here
constexpr std::size_t min_quiet = 8;     // samples behind a baseline
constexpr double smallest_force = 1e-9;  // [N] nothing below is a contact; keeps squares away from underflow

/// Number of samples at the end of a record that give its final level.
std::size_t tail_samples(std::size_t samples) {
  return std::clamp<std::size_t>(samples / 50, 3, 1000);
}

/// Running median of three: removes spikes of one sample and keeps peaks in place.
std::vector<double> median_of_three(const std::vector<double>& f) {
  auto result = f;
  for (std::size_t i = 1; i + 1 < f.size(); ++i)
    result[i] = std::max(std::min(f[i - 1], f[i + 1]), std::min(std::max(f[i - 1], f[i + 1]), f[i]));
  return result;
}

/// A number for a message, with four digits.
std::string short_text(double value) {
  if (value == 0 || !std::isfinite(value)) return to_text(value);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
  return to_text(unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit);
}

/// The search, one function per step, in the order in which they run. Forces are flipped so that contact is positive.
class Search {
 public:
  Search(const Record& record, const ContactOptions& options, std::size_t ordinal)
      : t_(record.time),
        f_(record.force),
        smooth_(median_of_three(record.force)),
        options_(options),
        ordinal_(ordinal) {}

  ContactWindow run(const Record& record) {
    timing_ = sampling(record);
    noise_ = statistics::difference_noise(f_);
    window_.noise = noise_;
    if (find_sign() && find_peak() && find_baseline()) {
      find_start();
      find_end();
      if (long_enough()) check_window();
    }
    return std::move(window_);
  }

 private:
  bool find_sign();
  bool find_peak();
  std::optional<Baseline> baseline_before() const;
  std::optional<Baseline> baseline_after() const;
  bool find_baseline();
  void fit_peak();
  void find_start();
  struct Rise {
    std::vector<double> t{}, force{};  // [s], [N]
    bool curved = false;
  };
  static double misfit(const Rise& rise, double start);
  static std::pair<double, double> best_start(const Rise& rise, double earliest, double latest);
  void find_end();
  bool long_enough();
  void check_window();
  void check_next_contact();
  void check_gaps();
  void check_clipping();

  bool stop(ContactStatus status, std::string message) {
    window_.status = status;
    window_.message = std::move(message);
    return false;
  }
  void note(WarningCode code, std::string text) { window_.notes.push_back({code, {}, std::move(text)}); }
  bool no_contact(const std::string& why) { return stop(ContactStatus::no_contact, "no contact: " + why); }
  double height(std::size_t i) const { return smooth_[i] - baseline_(t_[i]); }  // smoothed contact force [N]
  double raw_height(std::size_t i) const { return f_[i] - baseline_(t_[i]); }   // contact force [N]

  const std::vector<double>& t_;
  std::vector<double> f_, smooth_;  // flipped by find_sign
  const ContactOptions& options_;
  std::size_t ordinal_;  // of the contact, for messages
  Sampling timing_;
  double noise_ = 0;
  double level_ = 0;      // quiet level from which the sign was found, until find_baseline
  std::size_t peak_ = 0;  // sample of the peak
  std::size_t low_ = 0;   // first sample of the rise, from which on all are above low_fraction
  std::size_t rise_ = 0;  // samples from there to the peak
  Baseline baseline_;
  ContactWindow window_;
};

bool Search::find_sign() {
  const auto extremes = std::minmax_element(smooth_.begin(), smooth_.end());
  const double low = *extremes.first, high = *extremes.second;
  const double floor = std::max({options_.min_peak * noise_, smallest_force, 1e-9 * std::max(std::abs(low), high)});
  if (high - low <= floor) {
    const auto [lowest, highest] = std::ranges::minmax(f_);
    if (const double spike = std::max(highest - high, low - lowest); spike > floor)
      return no_contact("only single samples stand out, by up to " + short_text(spike) +
                        " N: spikes, or a pulse too short for this rate");
    const bool two_levels = std::ranges::all_of(f_, [&](double f) { return f == low || f == high; });
    return no_contact(two_levels && high > low
                          ? "the force has only two levels, " + short_text(low) + " and " + short_text(high) +
                                " N: a step of the sensor, or a pulse without a rise"
                          : "the force varies by " + short_text(high - low) + " N, as much as noise");
  }
  const auto [largest, mean] = statistics::line_residuals(t_, smooth_);
  if (largest <= floor && mean <= std::max(2 * noise_, smallest_force))
    return no_contact("the force is a straight drift in noise");

  // A contact rises above the level at the beginning or, where the record begins in contact, above that at the end.
  const std::span<const double> all(smooth_);
  struct View {
    double level, up, down;
    double doubt() const { return std::min(up, down) / std::max(up, down); }
    double sign() const { return up > down ? 1 : -1; }
  };
  const auto view = [&](double level) { return View{level, high - level, level - low}; };
  const auto head = view(median(all.first(3))), tail = view(median(all.last(tail_samples(all.size()))));
  constexpr double clear = 0.5;
  const auto& best = head.doubt() <= clear ? head : tail;
  if (best.doubt() > clear)
    return stop(ContactStatus::ambiguous_sign, "the force swings to both sides, by " + short_text(best.up) + " and " +
                                                   short_text(-best.down) + " N: which one is the impact?");
  // If the force never returns to its initial level, a release looks like an impact with the opposite sign.
  if (head.doubt() <= clear && tail.doubt() <= clear && head.sign() != tail.sign() &&
      std::abs(head.level) > std::abs(tail.level))
    return stop(ContactStatus::ambiguous_sign, "the force goes from " + short_text(head.level) + " to " +
                                                   short_text(tail.level) +
                                                   " N: a release, or an impact with the opposite sign");
  window_.sign = best.sign();
  level_ = window_.sign * best.level;
  if (window_.sign < 0) {
    for (double& f : f_) f = -f;
    for (double& f : smooth_) f = -f;
    note(WarningCode::negative_force, "the force is negative in contact; its sign is reversed");
  }
  return true;
}

bool Search::find_peak() {
  const auto n = f_.size();
  baseline_ = {.level = level_};
  const double top = *std::max_element(smooth_.begin(), smooth_.end());
  const auto first_above = [&](double fraction) {
    std::size_t i = 0;
    while (height(i) < fraction * (top - baseline_.level)) ++i;  // ends at the top at the latest
    return i;
  };

  // The level came from three samples so far; those before the first rise give a better one.
  const auto half = first_above(0.5) / 2;
  if (half >= 3) baseline_.level = median(std::span<const double>(smooth_).first(half));

  // The first high sample, then on until the force has fallen to half: an arm of several links pushes in several humps.
  auto i = first_above(touch_fraction);
  for (peak_ = i; i < n; ++i) {
    if (height(i) > height(peak_)) peak_ = i;
    if (height(i) < height(peak_) - std::max(8 * noise_, hump_fraction * height(peak_))) break;
  }
  low_ = peak_;
  while (low_ > 0 && height(low_ - 1) >= low_fraction * height(peak_)) --low_;
  rise_ = peak_ - low_ + 1;
  if (t_[peak_] - t_[low_] > options_.max_rise)
    return no_contact("the force takes " + short_text(t_[peak_] - t_[low_]) + " s to rise; an impact takes at most " +
                      short_text(options_.max_rise) + " s");
  return true;
}

/// Before the contact: samples at least half a rise before it, or a quarter where there are few, but not too long
/// before.
std::optional<Baseline> Search::baseline_before() const {
  auto end = low_ - std::min(low_, rise_ / 2 + 1);
  if (end < enough_quiet) end = low_ - std::min(low_, rise_ / 4 + 1);
  if (end < min_quiet) return std::nullopt;
  const auto count = std::min(end, std::max<std::size_t>(200, 20 * rise_));
  return statistics::fit_baseline(std::span(t_).subspan(end - count, count), std::span(f_).subspan(end - count, count),
                                  noise_);
}

/// After the contact: the later half of what follows the fall to a fifth, if it is as low as the beginning.
std::optional<Baseline> Search::baseline_after() const {
  const auto n = f_.size();
  const double tail = median(std::span<const double>(smooth_).last(tail_samples(n)));
  const double head = smooth_.front(), top = smooth_[peak_];
  auto fallen = peak_;
  while (fallen < n && smooth_[fallen] - tail > low_fraction * (top - tail)) ++fallen;
  const auto begin = std::max(fallen + (fallen - peak_) / 2, (fallen + n) / 2);
  if (tail - head > low_fraction * (top - head) || begin + min_quiet > n) return std::nullopt;
  auto baseline = statistics::fit_baseline(std::span(t_).subspan(begin), std::span(f_).subspan(begin), noise_);
  baseline.level = median(std::span<const double>(f_).subspan(begin));
  baseline.slope = 0;
  return baseline;
}

bool Search::find_baseline() {
  const auto before = baseline_before();
  const auto after = before && before->samples >= enough_quiet ? std::nullopt : baseline_after();
  // A few samples before the contact may already belong to it: then their level is above that after it.
  const bool doubtful = before && after && before->level - after->level > 3 * before->level_deviation();
  const bool assumed = !before && !after;
  if (before && !doubtful) {
    baseline_ = *before;
    window_.quiet = before->samples;
  } else if (after) {
    baseline_ = *after;
    note(WarningCode::no_quiet_samples, "no quiet samples before the contact; the baseline is the level after it");
  } else {
    baseline_ = {.noise = noise_};
    note(WarningCode::no_quiet_samples,
         "no quiet samples before or after the contact; the baseline is assumed to be 0 N");
  }
  window_.noise = baseline_.noise;
  fit_peak();
  if (window_.peak < std::max(options_.min_peak * baseline_.noise, smallest_force))
    return no_contact("the largest excursion is " + short_text(window_.peak) + " N in noise of " +
                      short_text(baseline_.noise) + " N");
  const double margin = (assumed ? 0.05 : low_fraction) * window_.peak + 4 * baseline_.noise;
  if (window_.quiet == 0 && std::abs(height(0)) > margin)
    return stop(ContactStatus::cut_at_start,
                "the record begins at " + short_text(height(0)) + " N from the baseline, in the contact");
  return true;
}

/// The vertex of a parabola through the samples within a quarter of the rise, or the highest sample if it has no
/// maximum there.
void Search::fit_peak() {
  window_.peak = height(peak_);
  window_.peak_time = t_[peak_];
  const auto reach = std::max<std::size_t>(1, rise_ / 4);
  if (peak_ < reach || peak_ + reach >= f_.size()) return;
  const double unit = t_[peak_ + reach] - t_[peak_];
  Eigen::Matrix3d normal_matrix = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (auto i = peak_ - reach; i <= peak_ + reach; ++i) {
    const double u = (t_[i] - t_[peak_]) / unit;
    const Eigen::Vector3d row(1, u, u * u);
    normal_matrix += row * row.transpose();
    right += row * height(i);
  }
  const Eigen::Vector3d p = normal_matrix.ldlt().solve(right);
  const double top = -p[1] / (2 * p[2]);
  if (!(p[2] < 0 && std::abs(top) <= 1)) return;
  window_.peak = p[0] + p[1] * top / 2;
  window_.peak_time = t_[peak_] + top * unit;
}

/// Residual sum of squares of the rise against u^n (a + b u), u = t - start, zero before start; n is 1 or, if curved,
/// 3/2 [N^2].
double Search::misfit(const Rise& rise, double start) {
  const double scale = 1 / (rise.t.back() - start);
  double aa = 0, ab = 0, bb = 0, yy = 0, ya = 0, yb = 0;
  for (std::size_t i = 0; i < rise.t.size(); ++i) {
    const double y = rise.force[i], u = std::max(0.0, (rise.t[i] - start) * scale);
    const double a = rise.curved ? u * std::sqrt(u) : u, b = a * u;
    aa += a * a, ab += a * b, bb += b * b;
    yy += y * y, ya += y * a, yb += y * b;
  }
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-12 * aa * bb)) return yy - (aa > 0 ? ya * ya / aa : 0);
  return yy - (ya * (bb * ya - ab * yb) + yb * (aa * yb - ab * ya)) / determinant;
}

/// The start with the smallest misfit in a range, and that misfit.
std::pair<double, double> Search::best_start(const Rise& rise, double earliest, double latest) {
  // A coarse search of the whole range, since the misfit may have several minima, then golden section.
  constexpr int steps = 16;
  const double step = (latest - earliest) / steps;
  int best = 0;
  double least = misfit(rise, earliest);
  for (int k = 1; k <= steps; ++k) {
    const double value = misfit(rise, earliest + k * step);
    if (value < least) least = value, best = k;
  }
  double a = earliest + std::max(best - 1, 0) * step, b = earliest + std::min(best + 1, steps) * step;
  constexpr double ratio = 0.6180339887498949;
  double c = b - ratio * (b - a), d = a + ratio * (b - a), at_c = misfit(rise, c), at_d = misfit(rise, d);
  for (int k = 0; k < 14; ++k) {
    if (at_c < at_d) {
      b = std::exchange(d, c), at_d = at_c;
      c = b - ratio * (b - a), at_c = misfit(rise, c);
    } else {
      a = std::exchange(c, d), at_c = at_d;
      d = a + ratio * (b - a), at_d = misfit(rise, d);
    }
  }
  return {(a + b) / 2, std::min(at_c, at_d)};
}

void Search::find_start() {
  // The noise floor gives the first sample in contact, the fit of the rise the touch before it.
  const double floor = std::max(4 * baseline_.noise, 1e-3 * window_.peak);
  auto first_in_contact = low_;
  while (first_in_contact > 0 && height(first_in_contact - 1) >= floor) --first_in_contact;
  auto to = first_in_contact;
  while (to < peak_ && height(to) < fit_fraction * window_.peak) ++to;
  to = std::min(std::max(to, first_in_contact + 3), f_.size() - 1);
  const auto from = first_in_contact > to - first_in_contact + 2 ? first_in_contact - (to - first_in_contact + 2) : 0;

  // The curved rise, as between spheres, is used only where it is clearly better: by a likelihood ratio of exp(4).
  const double earliest = t_[first_in_contact] - (t_[to] - t_[first_in_contact]) - 2 * timing_.period;
  const double latest = std::min(t_[first_in_contact], t_[to - 1]);
  Rise rise;
  for (auto i = from; i <= to; ++i) rise.t.push_back(t_[i]), rise.force.push_back(raw_height(i));
  const auto [straight, straight_misfit] = best_start(rise, earliest, latest);
  rise.curved = true;
  const auto [curved, curved_misfit] = best_start(rise, earliest, latest);
  window_.start = curved_misfit < straight_misfit - 8 * baseline_.noise * baseline_.noise ? curved : straight;
  window_.first = static_cast<std::size_t>(std::lower_bound(t_.begin(), t_.end(), window_.start) - t_.begin());
  window_.baseline = window_.sign * baseline_(window_.start);
  window_.drift = window_.sign * baseline_.slope + 0.0;  // avoids negative zero
  if (window_.start < t_.front() - timing_.period)
    note(WarningCode::touch_before_record,
         "the touch is before the first sample, by " + short_text(t_.front() - window_.start) + " s as extrapolated");
}

void Search::find_end() {
  const auto n = f_.size();
  const auto width = std::min(std::clamp<std::size_t>(rise_ / 4, 1, 25), n - peak_);
  const auto span = static_cast<double>(width);
  const double floor = std::max(3 * baseline_.noise / std::sqrt(span), options_.end_fraction * window_.peak);
  const auto finish = [&](ContactStatus status, std::size_t last, std::string message) {
    window_.last = last;
    window_.end = t_[last];
    stop(status, std::move(message));
  };

  // Moving means, until they reach the floor or, well below the peak, clearly rise again.
  std::vector<double> means;
  double sum = 0;
  for (auto i = peak_; i < peak_ + width; ++i) sum += raw_height(i);
  std::size_t lowest = 0;
  for (auto i = peak_; i + width <= n; ++i) {
    means.push_back(sum / span);
    if (means.back() < floor) return finish(ContactStatus::found, i, "the force returns to the baseline");
    if (means.back() < means[lowest]) lowest = means.size() - 1;
    const bool rises = means.back() > means[lowest] + std::max(2 * floor, 0.05 * window_.peak);
    if (rises && means[lowest] < (1 - hump_fraction) * window_.peak) break;
    if (i + width < n) sum += raw_height(i + width) - raw_height(i);
  }

  // The force does not return to the baseline: it has settled, or the record ends.
  std::size_t settled = 0;
  while (means[settled] > means[lowest] + floor) ++settled;
  const bool still_falling = peak_ + settled + 2 * width >= n;
  if (still_falling) return finish(ContactStatus::cut_at_end, n - 1, "the record ends in the contact");
  finish(ContactStatus::pressing, peak_ + settled,
         "the force does not return to the baseline but settles at " + short_text(means[settled]) + " N");
}

bool Search::long_enough() {
  const auto samples = window_.last - window_.first + 1;
  if (samples >= 3) return true;
  return no_contact("the excursion at t = " + short_text(t_[peak_]) + " s has " + std::to_string(samples) + " samples");
}

void Search::check_window() {
  check_clipping();
  check_next_contact();
  check_gaps();
}

/// Whether there is another contact after this one, and how many samples are at rest until then.
void Search::check_next_contact() {
  window_.quiet_after = f_.size() - 1 - window_.last;
  const double high = touch_fraction * window_.peak + 4 * baseline_.noise;
  const double floor = std::max(4 * baseline_.noise, 1e-3 * window_.peak);
  for (auto i = window_.last + 1; i < f_.size() && window_.status == ContactStatus::found; ++i)
    if (height(i) > high) {
      note(WarningCode::several_contacts, "there is another contact at t = " + short_text(t_[i]) +
                                              " s; this window is " +
                                              (ordinal_ == 1 ? "the first" : "contact " + std::to_string(ordinal_)));
      while (i > window_.last + 1 && height(i - 1) >= floor) --i;
      window_.quiet_after = i - 1 - window_.last;
      break;
    }
}

/// Samples that are missing in the contact, and whether the peak may be among them: a gap beside the highest sample
/// that is longer than a quarter of the rise.
void Search::check_gaps() {
  std::size_t gaps = 0, largest = 0;
  bool at_peak = false;
  const auto step = [&](std::size_t i) { return t_[i] - t_[i - 1]; };
  for (auto i = std::max<std::size_t>(1, window_.first); i <= window_.last; ++i) {
    if (step(i) <= timing_.gap) continue;
    ++gaps;
    if (largest == 0 || step(i) > step(largest)) largest = i;
    const bool beside = peak_ + 2 >= i && peak_ <= i + 1;  // smoothing may have moved it by one
    at_peak = at_peak || (beside && step(i) > (t_[peak_] - window_.start) / 4);
  }
  if (gaps == 0) return;
  const auto where = "from t = " + short_text(t_[largest - 1]) + " to " + short_text(t_[largest]) + " s";
  if (step(largest) > (window_.end - window_.start) / 2) {
    stop(ContactStatus::gap, "more of the contact is missing than is there, " + where);
    return;
  }
  note(WarningCode::gaps_in_time, "samples are missing in the contact, " + where +
                                      (gaps == 1 ? "" : ", the longest of " + std::to_string(gaps) + " gaps"));
  if (at_peak) note(WarningCode::missing_peak, "samples are missing at the peak: it may have been higher");
}

void Search::check_clipping() {
  const auto begin = f_.begin() + static_cast<std::ptrdiff_t>(window_.first);
  const auto end = f_.begin() + static_cast<std::ptrdiff_t>(window_.last) + 1;
  const auto top = std::max_element(begin, end);
  const auto past = std::find_if(top, end, [&](double f) { return f != *top; });
  const auto equal = past - top;
  const auto note_clipping = [&](std::ptrdiff_t samples) {
    note(WarningCode::clipped_peak, "the peak looks clipped, unless the pulse is flat: " + std::to_string(samples) +
                                        " samples read exactly " + short_text(window_.sign * *top) + " N");
  };
  // Noise pulls some samples of a clipped peak below the limit: they pile up there nonetheless. Without a limit the
  // highest value that is taken is rare, and the one below it no rarer, quantized or not.
  double below = -std::numeric_limits<double>::infinity();
  for (auto i = begin; i != end; ++i)
    if (*i < *top) below = std::max(below, *i);
  const auto at_top = std::count(begin, end, *top), at_below = std::count(begin, end, below);
  if (equal < at_top && at_top >= 5 && at_top > 3 * at_below) return note_clipping(at_top);
  if (equal < 3 || top == begin || past == end) return;
  // Quantization also flattens a smooth peak; but such a peak is at most four or five steps lower at half its width
  // beyond either end.
  const auto reach = std::max<std::ptrdiff_t>(1, equal / 2);
  double step = *top - *(top - 1);
  for (auto i = begin + 1; i != end; ++i)
    if (*i != *(i - 1)) step = std::min(step, std::abs(*i - *(i - 1)));
  const double left = *(top - std::min(reach, top - begin)), right = *(past + std::min(reach, end - past) - 1);
  if (*top - left + *top - right > 16 * step) note_clipping(equal);
}

/// Samples first to last of a record, without what was noticed while reading it.
Record part(const Record& record, std::size_t first, std::size_t last) {
  const auto cut = [&](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                               values.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  };
  return {.time = cut(record.time), .force = cut(record.force)};
}

/// The samples of a record between two times.
struct Stretch {
  std::size_t first, last;
};

Stretch stretch_of(const Record& record, const ContactOptions& options) {
  const auto& time = record.time;
  const auto first = std::lower_bound(time.begin(), time.end(), options.from) - time.begin();
  const auto past = std::upper_bound(time.begin(), time.end(), options.to) - time.begin();
  if (past - first < static_cast<std::ptrdiff_t>(min_record_samples))
    throw InputError("from, to", short_text(options.from) + " to " + short_text(options.to) + " s",
                     "has " + std::to_string(std::max<std::ptrdiff_t>(past - first, 0)) + " samples of a record from " +
                         short_text(time.front()) + " to " + short_text(time.back()) + " s; a contact needs at least " +
                         std::to_string(min_record_samples));
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(past - 1)};
}

/// The first contact in a stretch of a record, its samples counted in the whole record.
ContactWindow first_contact(const Record& record, const Stretch& where, const ContactOptions& options,
                            std::size_t ordinal) {
  if (where.first == 0 && where.last + 1 == record.time.size()) return Search(record, options, ordinal).run(record);
  const auto samples = part(record, where.first, where.last);
  auto window = Search(samples, options, ordinal).run(samples);
  window.first += where.first;
  window.last += where.first;
  return window;
}

/// Contacts in the order of time, `most` of them, and the first search whatever it found.
std::vector<ContactWindow> search_contacts(const Record& record, const ContactOptions& options, std::size_t most) {
  auto where = stretch_of(record, options);
  const auto last = where.last;
  std::vector<ContactWindow> found{first_contact(record, where, options, 1)};
  const auto first = found.front();
  if (!usable(first)) return found;
  double largest = first.peak;
  for (const double force : median_of_three(part(record, first.last, last).force))
    largest = std::max(largest, first.sign * (force - first.baseline));
  auto before = first;
  while (found.size() < most && before.status == ContactStatus::found) {
    where.first = before.last + 1;
    if (where.first + min_record_samples > last + 1) break;
    before = first_contact(record, where, options, found.size() + 1);
    if (!usable(before)) break;
    if (before.sign == first.sign && before.peak >= touch_fraction * largest) found.push_back(before);
  }
  return found;
}

}  // namespace

std::string_view to_string(ContactStatus status) noexcept {
  constexpr std::string_view names[] = {"found",      "pressing",       "cut_at_end", "cut_at_start",
                                        "no_contact", "ambiguous_sign", "gap",        "not_run"};
  return names[static_cast<int>(status)];
}

bool usable(const ContactWindow& window) noexcept {
  return window.status == ContactStatus::found || window.status == ContactStatus::pressing ||
         window.status == ContactStatus::cut_at_end;
}

void validate(const ContactOptions& options) {
  for (const auto& [name, value] :
       {std::pair("options.min_peak", options.min_peak), std::pair("options.max_rise", options.max_rise),
        std::pair("options.end_fraction", options.end_fraction)})
    if (!(value > 0 && std::isfinite(value))) throw InputError(name, value, "must be positive");
  if (options.contact == 0) throw InputError("contact", "0", "contacts are counted from 1");
  if (!(options.from < options.to))
    throw InputError("from", short_text(options.from), "must be a time before to, " + short_text(options.to) + " s");
}

ContactWindow find_contact(const Record& record, const ContactOptions& options) {
  validate(record);
  validate(options);
  if (options.contact == 1) return first_contact(record, stretch_of(record, options), options, 1);
  auto found = search_contacts(record, options, options.contact);
  const auto count = usable(found.front()) ? found.size() : 0;
  if (count < options.contact)
    throw InputError("contact", std::to_string(options.contact),
                     "the record has " + (count == 0   ? "no contact"
                                          : count == 1 ? "1 contact"
                                                       : std::to_string(count) + " contacts"));
  return std::move(found.back());
}

std::vector<ContactWindow> find_contacts(const Record& record, const ContactOptions& options) {
  validate(record);
  validate(options);
  constexpr std::size_t most = 100;  // each one searches the rest of the record
  auto found = search_contacts(record, options, most);
  if (!usable(found.front())) found.clear();
  return found;
}

Record contact_samples(const Record& record, const ContactWindow& window, std::size_t before, std::size_t after) {
  if (!usable(window)) throw InputError("window", window.message, "must be found, pressing or cut at its end");
  if (window.first > window.last || window.last >= record.time.size() || record.force.size() != record.time.size())
    throw InputError("window", std::to_string(window.first) + " to " + std::to_string(window.last),
                     "must lie in the record");
  if (window.status != ContactStatus::found) after = 0;  // the force continues
  const auto end = window.last + std::min(after, record.time.size() - 1 - window.last);
  Record samples;
  for (auto i = window.first - std::min(before, window.first); i <= end; ++i) {
    const double t = record.time[i];
    samples.time.push_back(t);
    samples.force.push_back(window.sign * (record.force[i] - window.baseline - window.drift * (t - window.start)));
  }
  return samples;
}

RecordSummary summarize(const Record& record, const ContactOptions& options) {
  RecordSummary summary{
      .sampling = sampling(record), .contact = find_contact(record, options), .warnings = record.notes};
  const auto& contact = summary.contact;
  summary.warnings.insert(summary.warnings.end(), contact.notes.begin(), contact.notes.end());
  if (contact.status != ContactStatus::found)
    summary.warnings.push_back({WarningCode::incomplete_contact, {}, contact.message});
  return summary;
}

}  // namespace thud
