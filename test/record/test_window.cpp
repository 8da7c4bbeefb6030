#include <thud/error.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "signals.hpp"

namespace {

using signals::Impact;
using signals::make_record;
using signals::Scene;
using thud::ContactStatus;

/// How many records of a kind are drawn; THUD_SEEDS overrides it.
int seeds() {
  const char* text = std::getenv("THUD_SEEDS");
  return text ? std::max(20, std::atoi(text)) : 100;
}

bool has(const std::vector<thud::Warning>& notes, const std::string& text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const auto& note) { return note.text.find(text) != note.text.npos; });
}

struct Spread {
  double bias = 0, deviation = 0;
};

Spread spread(const std::vector<double>& errors) {
  Spread result;
  for (const double e : errors) result.bias += e / static_cast<double>(errors.size());
  for (const double e : errors) result.deviation += (e - result.bias) * (e - result.bias);
  result.deviation = std::sqrt(result.deviation / static_cast<double>(errors.size()));
  return result;
}

/// The scene with another seed and with the touch elsewhere between two samples.
Scene drawn(Scene scene, int seed) {
  scene.seed = static_cast<std::uint64_t>(seed);
  scene.before += signals::Normal(scene.seed + 100000).uniform() / scene.rate;
  return scene;
}

const Impact& viscoelastic() {
  return signals::impacts()[2];
}

TEST(Window, FindsTheFirstTouchBetweenSamples) {
  // Largest bias and spread [us] after a linear start and after a Hertzian one: measured over 500 seeds, rounded up by
  // a tenth for the sampling error of fewer seeds. Hertz's start is flat, so noise hides it. Without noise the error
  // depends on where between two samples the touch is, for the start never comes after the first sample in contact.
  struct Limit {
    double rate, noise, bias, deviation, hertz_bias, hertz_deviation;
  };
  for (const auto& limit :
       {Limit{5e3, 0, 20, 6, 60, 6}, Limit{5e3, 0.01, 25, 55, 200, 130}, Limit{5e3, 0.05, 80, 300, 260, 480},
        Limit{25e3, 0, 16, 4, 48, 4}, Limit{25e3, 0.01, 18, 18, 55, 35}, Limit{25e3, 0.05, 35, 110, 260, 210},
        Limit{50e3, 0, 16, 4, 48, 4}, Limit{50e3, 0.01, 18, 13, 55, 25}, Limit{50e3, 0.05, 30, 80, 250, 150}}) {
    for (const auto& impact : signals::impacts()) {
      std::vector<double> starts, peaks;
      for (int seed = 0; seed < seeds(); ++seed) {
        const auto scene = drawn({.rate = limit.rate, .noise = limit.noise, .offset = 7}, seed);
        const auto window = find_contact(make_record(impact, scene));
        ASSERT_TRUE(usable(window)) << window.message << ", " << impact.name << ", seed " << seed;
        starts.push_back(1e6 * (window.start - scene.before));
        peaks.push_back(window.peak / impact.peak - 1);
      }
      const auto start = spread(starts), peak = spread(peaks);
      const bool hertz = impact.name == "hertz";
      const auto where = impact.name + " at " + thud::to_text(limit.rate) + " Hz, noise " + thud::to_text(limit.noise);
      EXPECT_LT(std::abs(start.bias), hertz ? limit.hertz_bias : limit.bias) << where;
      EXPECT_LT(start.deviation, hertz ? limit.hertz_deviation : limit.deviation) << where;
      EXPECT_LT(std::abs(peak.bias), 0.02) << where;
      EXPECT_LT(peak.deviation, 0.005 + 0.8 * limit.noise) << where;
    }
  }
}

TEST(Window, MeasuresNoiseBaselineAndDrift) {
  for (const double noise : {0.0, 0.01, 0.05}) {
    std::vector<double> noises, baselines, drifts;
    const double drift = 800;  // 16 N over the quiet 20 ms
    for (int seed = 0; seed < seeds(); ++seed) {
      const auto scene = drawn({.before = 20e-3, .noise = noise, .offset = -30, .drift = drift}, seed);
      const auto window = find_contact(make_record(viscoelastic(), scene));
      ASSERT_TRUE(usable(window)) << window.message;
      noises.push_back(window.noise / viscoelastic().peak);
      baselines.push_back(window.baseline + 30);
      drifts.push_back(window.drift);
    }
    // Robust line of 500 samples: 1.25 times the deviation of the mean for the level, doubled at the line's end.
    const double sample = noise * viscoelastic().peak;
    EXPECT_NEAR(spread(noises).bias, noise, 0.02 * noise + 1e-6);
    EXPECT_NEAR(spread(baselines).bias, 0, 0.03 * sample + 0.05);
    EXPECT_LT(spread(baselines).deviation, 0.2 * sample + 0.05);
    EXPECT_NEAR(spread(drifts).bias, drift, 2 * sample + 1);
  }
}

TEST(Window, EndsWhereTheForceMeetsTheNoise) {
  for (const auto& impact : signals::impacts()) {
    const auto record = make_record(impact, {});
    const auto window = find_contact(record);
    EXPECT_EQ(window.status, ContactStatus::found);
    // Without noise the end is where 1 % of the peak is left, less the width of the mean, a quarter of the rise or 1
    // ms.
    const double end = window.end - 4e-3;
    double last = 0;
    for (double t = 0; t < impact.duration; t += 1e-6)
      if (impact.force(t) > 0.01 * impact.peak) last = t;
    EXPECT_LT(end, last + 1e-4) << impact.name;
    EXPECT_GT(end, last - 1e-3) << impact.name;
    EXPECT_EQ(record.time[window.last], window.end);
    EXPECT_GE(record.time[window.first], window.start);
    EXPECT_LT(record.time[window.first - 1], window.start);
  }
}

TEST(Window, TurnsASensorOfTheOtherSign) {
  for (int seed = 0; seed < seeds(); ++seed) {
    const auto up = drawn({.noise = 0.02, .offset = 12}, seed);
    auto mirrored = make_record(viscoelastic(), up);
    for (double& f : mirrored.force) f = -f;
    const auto a = find_contact(make_record(viscoelastic(), up)), b = find_contact(mirrored);
    EXPECT_EQ(b.sign, -1);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.peak, b.peak);
    EXPECT_EQ(a.baseline, -b.baseline);
    EXPECT_TRUE(has(b.notes, "the force is negative in contact; its sign is reversed"));
    EXPECT_FALSE(has(a.notes, "sign"));
    const auto samples = contact_samples(mirrored, b);
    EXPECT_GT(*std::max_element(samples.force.begin(), samples.force.end()), 0.9 * viscoelastic().peak);
  }
}

TEST(Window, WorksOnARecordThatBeginsAtTheTouch) {
  for (const auto& impact : signals::impacts()) {
    const bool hertz = impact.name == "hertz";
    std::vector<double> starts, baselines;
    for (int seed = 0; seed < seeds(); ++seed) {
      Scene scene{.before = 0.3 / 25000, .noise = 0.01, .offset = 20, .seed = static_cast<std::uint64_t>(seed)};
      const auto window = find_contact(make_record(impact, scene));
      ASSERT_EQ(window.status, ContactStatus::found) << window.message;
      starts.push_back(1e6 * (window.start - scene.before));
      baselines.push_back((window.baseline - scene.offset) / impact.peak);
      // Hertz's first samples may pass for quiet ones, within the noise; what is used is said either way.
      EXPECT_TRUE(hertz || window.quiet == 0);
      EXPECT_EQ(has(window.notes, "no quiet samples before the contact; the baseline is the level after it"),
                window.quiet == 0);
    }
    // Hardly worse than with samples before the touch.
    EXPECT_LT(std::abs(spread(starts).bias), hertz ? 80 : 20) << impact.name;
    EXPECT_LT(spread(starts).deviation, hertz ? 80 : 25) << impact.name;
    EXPECT_LT(std::abs(spread(baselines).bias), 0.005) << impact.name;
    EXPECT_LT(spread(baselines).deviation, 0.01) << impact.name;
  }
}

TEST(Window, SeesAToolThatPressesOn) {
  for (const auto& impact : signals::impacts()) {
    for (const double noise : {0.0, 0.01, 0.05}) {
      for (int seed = 0; seed < seeds() / 2; ++seed) {
        const auto scene = drawn({.after = 30e-3, .noise = noise, .press = 0.4}, seed);
        const auto window = find_contact(make_record(impact, scene));
        ASSERT_EQ(window.status, ContactStatus::pressing) << impact.name << " " << noise << " " << window.message;
        EXPECT_LT(window.end - scene.before, 1.2 * impact.duration);
        EXPECT_GT(window.end, window.peak_time);
      }
    }
  }
  // Without samples before the touch there is nothing left to tell the baseline by, which is said.
  const auto window = find_contact(make_record(viscoelastic(), {.before = 1e-5, .after = 30e-3, .press = 0.4}));
  EXPECT_EQ(window.status, ContactStatus::pressing);
  EXPECT_TRUE(has(window.notes, "the baseline is assumed to be 0 N"));
}

TEST(Window, SaysWhenThereIsNoContact) {
  const Impact nothing{.name = "nothing", .force = [](double) { return 0.0; }, .duration = 0.02, .peak = 100};
  for (int seed = 0; seed < seeds(); ++seed) {
    for (const double noise : {0.0, 0.01, 0.05}) {
      for (const double drift : {0.0, 300.0, -3000.0}) {
        const auto window =
            find_contact(make_record(nothing, drawn({.noise = noise, .offset = 5, .drift = drift}, seed)));
        EXPECT_EQ(window.status, ContactStatus::no_contact) << seed << " " << noise << " " << drift;
        EXPECT_FALSE(usable(window));
        EXPECT_TRUE(std::isnan(window.start));
      }
    }
  }
  // A force that swells over a second is no impact.
  thud::Record slow;
  for (int i = 0; i < 5000; ++i) {
    slow.time.push_back(i * 1e-3);
    slow.force.push_back(50 * std::exp(-std::pow(i * 1e-3 - 2.5, 2)));
  }
  EXPECT_EQ(find_contact(slow).status, ContactStatus::no_contact);
  EXPECT_NE(find_contact(slow).message.find("an impact takes at most 0.1 s"), std::string::npos);
}

TEST(Window, TellsACutRecord) {
  const auto cut_end = find_contact(make_record(viscoelastic(), {.after = -6e-3, .noise = 0.01}));
  EXPECT_EQ(cut_end.status, ContactStatus::cut_at_end);
  EXPECT_TRUE(usable(cut_end));
  const auto cut_start = find_contact(make_record(viscoelastic(), {.before = -1e-3, .noise = 0.01}));
  EXPECT_EQ(cut_start.status, ContactStatus::cut_at_start);
  EXPECT_FALSE(usable(cut_start));
}

TEST(Window, RefusesToGuessASign) {
  // A release from 80 N, and a ringing sensor.
  EXPECT_EQ(find_contact(make_record(viscoelastic(), {.before = -6e-3})).status, ContactStatus::ambiguous_sign);
  auto ringing = make_record(viscoelastic(), {});
  for (std::size_t i = 200; i < ringing.time.size(); ++i)
    ringing.force[i] = 100 * std::cos(0.2 * static_cast<double>(i));
  EXPECT_EQ(find_contact(ringing).status, ContactStatus::ambiguous_sign);
}

/// A record without some of its samples.
template <class Missing>
thud::Record without(const thud::Record& whole, const Missing& missing) {
  thud::Record record;
  for (std::size_t i = 0; i < whole.time.size(); ++i) {
    if (missing(i)) continue;
    record.time.push_back(whole.time[i]);
    record.force.push_back(whole.force[i]);
  }
  return record;
}

TEST(Window, SamplesMissingInTheContactAreNotedAndOnesBeforeItNotEvenThat) {
  const auto whole = make_record(viscoelastic(), {.noise = 0.01});
  const auto before = find_contact(without(whole, [](auto i) { return i == 20; }));
  EXPECT_EQ(before.status, ContactStatus::found);
  EXPECT_FALSE(has(before.notes, "missing"));
  const auto inside = find_contact(without(whole, [](auto i) { return i == 200; }));
  EXPECT_EQ(inside.status, ContactStatus::found);
  EXPECT_TRUE(has(inside.notes, "samples are missing in the contact, from t = 0.00796 to 0.00804 s"));
  EXPECT_FALSE(has(inside.notes, "at the peak"));
}

TEST(Window, AContactWithHolesIsWhereTheWholeOneIs) {
  for (int seed = 0; seed < seeds(); ++seed) {
    const auto scene = drawn({.noise = 0.01, .offset = 7}, seed);
    const auto whole = make_record(viscoelastic(), scene);
    signals::Normal random(static_cast<std::uint64_t>(seed) + 7);
    std::vector<bool> lost(whole.time.size());
    for (std::size_t i = 0; i < lost.size(); ++i) lost[i] = random.uniform() < 0.3;
    const auto window = find_contact(without(whole, [&](auto i) { return lost[i]; }));
    ASSERT_EQ(window.status, ContactStatus::found) << window.message;
    EXPECT_NEAR(window.start, scene.before, 2e-4);
    EXPECT_NEAR(window.end, find_contact(whole).end, 1.5e-3);
    EXPECT_NEAR(window.peak / viscoelastic().peak, 1, 0.04);
    EXPECT_TRUE(has(window.notes, "samples are missing in the contact, from t = "));
  }
}

TEST(Window, SaysWhenThePeakIsMissing) {
  const auto whole = make_record(viscoelastic(), {.noise = 0.01});
  const auto peak = find_contact(whole).peak_time;
  const auto around = [&](double reach) {
    return find_contact(without(whole, [&](auto i) { return std::abs(whole.time[i] - peak) < reach; }));
  };
  EXPECT_EQ(around(1e-3).status, ContactStatus::found);
  EXPECT_TRUE(has(around(1e-3).notes, "samples are missing at the peak: it may have been higher"));
  // Where most of the contact is gone there is nothing to fit.
  EXPECT_EQ(around(4.5e-3).status, ContactStatus::gap) << around(4.5e-3).message;
  EXPECT_FALSE(usable(around(4.5e-3)));
}

/// Contacts of 1, 1.5, 0.2 and 0.8 of the viscoelastic force, at 4, 29, 54 and 79 ms.
thud::Record four_contacts() {
  auto record = make_record(viscoelastic(), {.after = 90e-3, .noise = 0.01, .offset = 3});
  for (std::size_t i = 0; i < record.time.size(); ++i)
    record.force[i] += 1.5 * viscoelastic().force(record.time[i] - 0.029) +
                       0.2 * viscoelastic().force(record.time[i] - 0.054) +
                       0.8 * viscoelastic().force(record.time[i] - 0.079);
  return record;
}

TEST(Window, FindsTheContactThatIsAskedFor) {
  const auto record = four_contacts();
  const auto all = thud::find_contacts(record);
  ASSERT_EQ(all.size(), 3u);  // that of 0.2 is below 0.3 of the largest
  const double starts[] = {4e-3, 29e-3, 79e-3}, heights[] = {1, 1.5, 0.8};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto window = find_contact(record, {.contact = i + 1});
    EXPECT_EQ(window.status, ContactStatus::found);
    EXPECT_NEAR(window.start, starts[i], 1e-4);
    EXPECT_NEAR(window.peak, heights[i] * viscoelastic().peak, 0.03 * viscoelastic().peak);
    EXPECT_NEAR(window.baseline, 3, 1);  // less than the noise of a sample, 1.3 N
    EXPECT_EQ(window.start, all[i].start);
    EXPECT_EQ(record.time[window.last], window.end);
    EXPECT_GE(record.time[window.first], window.start);
  }
  EXPECT_EQ(find_contact(record).start, all[0].start);
  EXPECT_TRUE(has(all[1].notes, "this window is contact 2"));
  const auto refusal = [&](const thud::Record& of, thud::ContactOptions options) {
    try {
      find_contact(of, options);
    } catch (const thud::InputError& error) {
      return std::string(error.what());
    }
    return std::string("found");
  };
  EXPECT_EQ(refusal(record, {.contact = 4}), "contact: 4: the record has 3 contacts");
  EXPECT_EQ(refusal(record, {.contact = 0}), "contact: 0: contacts are counted from 1");
  EXPECT_EQ(refusal(make_record(viscoelastic(), {}), {.contact = 2}), "contact: 2: the record has 1 contact");
  auto quiet = record;
  for (double& f : quiet.force) f = 1;
  EXPECT_EQ(refusal(quiet, {.contact = 2}), "contact: 2: the record has no contact");
  EXPECT_TRUE(thud::find_contacts(quiet).empty());
}

TEST(Window, LooksOnlyBetweenTwoTimes) {
  const auto record = four_contacts();
  const auto second = find_contact(record, {.from = 0.02});
  EXPECT_NEAR(second.start, 29e-3, 1e-4);
  EXPECT_EQ(record.time[second.last], second.end);
  const auto small = find_contact(record, {.from = 0.045, .to = 0.07});  // by itself it is the largest
  EXPECT_NEAR(small.start, 54e-3, 2e-4);
  EXPECT_EQ(thud::find_contacts(record, {.from = 0.02, .to = 0.07}).size(), 1u);
  EXPECT_EQ(find_contact(record, {.contact = 2, .from = 0.02}).start, thud::find_contacts(record).at(2).start);
  const auto refusal = [&](double from, double to) {
    try {
      find_contact(record, {.from = from, .to = to});
    } catch (const thud::InputError& error) {
      return std::string(error.what());
    }
    return std::string("found");
  };
  EXPECT_EQ(refusal(0.2, 0.1), "from: 0.2: must be a time before to, 0.1 s");
  EXPECT_EQ(refusal(5, 6), "from, to: 5 to 6 s: has 0 samples of a record from 0 to " +
                               thud::to_text(std::round(1e4 * record.time.back()) / 1e4) +
                               " s; a contact needs at least 8");
  EXPECT_NE(refusal(NAN, 1), "found");
}

TEST(Window, WhatComesAfterAContactEndsWithTheNext) {
  const auto record = four_contacts();
  const auto first = find_contact(record);
  const auto quiet_until = record.time[first.last + first.quiet_after];
  EXPECT_GT(quiet_until, 27e-3);
  EXPECT_LT(quiet_until, 29.2e-3);
  const auto last = find_contact(record, {.contact = 3});
  EXPECT_EQ(last.last + last.quiet_after, record.time.size() - 1);
}

TEST(Window, AShortPulseIsNotCalledNoiseOrDrift) {
  const auto sampled = [](double rate, auto&& force) {
    thud::Record record;
    for (int i = 0; i < 100; ++i) {
      record.time.push_back(i / rate);
      record.force.push_back(force(i / rate));
    }
    return find_contact(record);
  };
  // A half sine of 12 ms and 100 N at 200 Hz: two or three samples without noise.
  const auto sine =
      sampled(200, [](double t) { return t > 0.101 && t < 0.113 ? 100 * std::sin(M_PI * (t - 0.101) / 0.012) : 0; });
  EXPECT_EQ(sine.message.find("drift"), std::string::npos) << sine.message;
  EXPECT_EQ(sine.message.find("noise"), std::string::npos) << sine.message;
  EXPECT_LT(sine.noise, 5);
  // A square pulse has no rise; neither has a sensor that flickers by a step.
  const auto square = sampled(1000, [](double t) { return t > 0.03 && t < 0.05 ? 100.0 : 0.0; });
  EXPECT_EQ(square.message,
            "no contact: the force has only two levels, 0 and 100 N: a step of the sensor, or a pulse without a rise");
}

TEST(Window, ASpikeOfOneSampleIsNotCalledNoise) {
  thud::Record record;
  for (int i = 0; i < 200; ++i) {
    record.time.push_back(i / 1e4);
    record.force.push_back(i == 100 ? 50 : 0.1 * std::sin(12.9898 * i * i));
  }
  EXPECT_TRUE(find_contact(record).message.starts_with("no contact: only single samples stand out, by up to 49."))
      << find_contact(record).message;
  record.force[100] = 0;
  EXPECT_TRUE(find_contact(record).message.ends_with("N, as much as noise"));
}

TEST(Window, WarnsOfAClippedPeakButNotOfARoundedOne) {
  auto record = make_record(viscoelastic(), {});
  for (double& f : record.force) f = std::round(f);
  EXPECT_FALSE(has(find_contact(record).notes, "clipped"));
  for (double& f : record.force) f = std::min(f, 100.0);
  EXPECT_TRUE(has(find_contact(record).notes, "samples read exactly 100 N"));
}

TEST(Window, TakesTheFirstOfTwoContactsAndSaysSo) {
  auto record = make_record(viscoelastic(), {.after = 30e-3, .noise = 0.01});
  for (std::size_t i = 0; i < record.time.size(); ++i)
    record.force[i] += 1.5 * viscoelastic().force(record.time[i] - 0.025);
  const auto window = find_contact(record);
  EXPECT_EQ(window.status, ContactStatus::found);
  EXPECT_NEAR(window.start, 4e-3, 1e-4);
  EXPECT_TRUE(has(window.notes, "there is another contact at t = 0.02"));
}

TEST(Window, IsNotFooledByASpike) {
  auto record = make_record(viscoelastic(), {.noise = 0.01});
  record.force[40] = 2000;
  const auto window = find_contact(record);
  EXPECT_NEAR(window.start, 4e-3, 1e-4);
  EXPECT_NEAR(window.peak, viscoelastic().peak, 0.02 * viscoelastic().peak);
}

TEST(Window, GivesTheContactForceWithoutTheSensor) {
  const Scene scene{.before = 20e-3, .offset = 40, .drift = 500, .sign = -1};
  const auto record = make_record(viscoelastic(), scene);
  const auto window = find_contact(record);
  const auto samples = contact_samples(record, window, 5);
  ASSERT_EQ(samples.time.size(), window.last - window.first + 6);
  for (std::size_t i = 0; i < samples.time.size(); ++i)
    EXPECT_NEAR(samples.force[i], viscoelastic().force(samples.time[i] - scene.before), 0.05);
  EXPECT_THROW(contact_samples(record, {}), thud::InputError);
  auto elsewhere = window;
  elsewhere.last = record.time.size();
  EXPECT_THROW(contact_samples(record, elsewhere), thud::InputError);
}

TEST(Window, SummarisesARecord) {
  auto record = make_record(viscoelastic(), {.noise = 0.01, .sign = -1});
  record.notes = thud::stored_notes({"columns not used: temperature"});
  const auto summary = summarize(record);
  EXPECT_NEAR(summary.sampling.rate, 25000, 1e-3);
  EXPECT_EQ(summary.contact.status, ContactStatus::found);
  EXPECT_EQ(texts(summary.warnings),
            (std::vector<std::string>{"columns not used: temperature",
                                      "the force is negative in contact; its sign is reversed"}));
}

TEST(Window, RefusesOptionsAndRecordsThatMakeNoSense) {
  const auto record = make_record(viscoelastic(), {});
  EXPECT_THROW(find_contact(record, {.min_peak = 0}), thud::InputError);
  EXPECT_THROW(find_contact(record, {.max_rise = -1}), thud::InputError);
  EXPECT_THROW(find_contact(record, {.end_fraction = NAN}), thud::InputError);
  EXPECT_THROW(thud::find_contact({}), thud::InputError);
}

/// An arm of several links pushes in humps: the last one in first, the rest after it. Heights [N], between which the
/// force runs in half cosines of 2 ms; 25 kHz, 20 ms of quiet on either side.
thud::Record humps(const std::vector<double>& heights) {
  thud::Record record;
  const double step = 1 / 25e3, ramp = 2e-3, quiet = 20e-3;
  const auto levels = static_cast<double>(heights.size() - 1);
  for (double t = 0; t < 2 * quiet + levels * ramp; t += step) {
    const double place = std::clamp((t - quiet) / ramp, 0.0, levels - 1e-9);
    const auto i = static_cast<std::size_t>(place);
    const double turn = (1 - std::cos(M_PI * (place - std::floor(place)))) / 2;
    record.time.push_back(t);
    record.force.push_back(heights[i] + (heights[i + 1] - heights[i]) * turn);
  }
  return record;
}

TEST(Window, HumpsBelongToOneContact) {
  for (const auto& heights :
       {std::vector<double>{0, 190, 150, 220, 0}, {0, 220, 150, 190, 0}, {0, 200, 120, 190, 130, 150, 0}}) {
    const auto window = thud::find_contact(humps(heights));
    EXPECT_EQ(window.status, ContactStatus::found) << window.message;
    EXPECT_NEAR(window.peak, *std::max_element(heights.begin(), heights.end()), 4);
    EXPECT_NEAR(window.end, 20e-3 + 2e-3 * static_cast<double>(heights.size() - 1), 0.5e-3);
  }
  // a fall to a fifth and a new rise is a tool that presses on
  const auto window = thud::find_contact(humps({0, 200, 40, 120, 120, 120, 120}));
  EXPECT_EQ(window.status, ContactStatus::pressing) << window.message;
  EXPECT_NEAR(window.peak, 200, 4);
}

TEST(Window, NoiseIsNotRoundedToTheSensorsStep) {
  for (const double step : {0.0, 0.1, 0.25, 0.5})  // against a noise of 0.25 N
    for (int seed = 1; seed <= 5; ++seed) {
      auto record = humps({0, 200, 0});
      signals::Normal normal(static_cast<std::uint64_t>(seed));
      for (double& force : record.force) {
        force += 0.25 * normal();
        if (step > 0) force = step * std::round(force / step);
      }
      // rounding adds the variance of a step, step^2/12; 500 quiet samples tell a deviation to 6 %
      EXPECT_NEAR(thud::find_contact(record).noise, std::hypot(0.25, step / std::sqrt(12.0)), 0.05) << step;
    }
}

}  // namespace
