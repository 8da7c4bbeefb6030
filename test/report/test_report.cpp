#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/report.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "claims.hpp"

namespace thud {
namespace {

using Json = nlohmann::json;

// Small, with one record of noise, which has no numbers to speak of.
const Study& sample() {
  static const Study result = [] {
    claims::Built built = claims::build({.repeats = 2});
    signals::Normal normal(3);
    for (auto& f : built.dataset.trials[3].force.force) f = normal();
    return study(built.dataset, built.truth);
  }();
  return result;
}

const Json& results() {
  static const Json object = Json::parse(results_json(sample(), "sample.h5"));
  return object;
}

TEST(Results, NumbersAreThoseOfTheStudy) {
  const Json& json = results();
  EXPECT_EQ(json["format"], "thud results");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["dataset"]["file"], "sample.h5");
  EXPECT_EQ(json["dataset"]["trials"], 30);
  EXPECT_EQ(json["dataset"]["seed"], 1);
  EXPECT_EQ(json["speeds"], Json(claims::speeds));
  EXPECT_EQ(json["material_restitution"], 0.627);
  for (std::size_t i = 0; i < sample().trials.size(); ++i) {
    const TrialStudy& trial = sample().trials[i];
    const Json& found = json["trials"][i];
    EXPECT_EQ(found["name"], trial.name);
    if (!trial.ok()) continue;
    EXPECT_EQ(found["impulse_compression"], trial.impulse_compression);
    EXPECT_EQ(found["velocity"]["exact"], trial.touch.v_exact);
    EXPECT_EQ(found["laws"]["maxwell"]["restitution"], trial.law(LawKind::maxwell)->restitution);
    const FitResult& law = *trial.law(LawKind::viscoelastic);
    const ResidualSummary& left = trial.residuals[static_cast<std::size_t>(LawKind::viscoelastic)];
    const Json& told = found["laws"]["viscoelastic"];
    EXPECT_EQ(told["identifiability"]["stiffness"], to_string(law.parameters[0].identifiability));
    EXPECT_EQ(told["identifiability"].size(), law.parameters.size());
    EXPECT_EQ(told["restitution_interval"]["low"], law.restitution_low);
    EXPECT_EQ(told["restitution_interval"]["high"], law.restitution_high);
    EXPECT_EQ(told["restitution_interval"]["identifiability"], to_string(law.restitution_identifiability));
    EXPECT_EQ(told["misfit"], law.misfit);
    EXPECT_EQ(told["residuals"]["runs"], left.runs);
    EXPECT_EQ(told["residuals"]["frequency"], left.frequency);
    ASSERT_EQ(told["residuals"]["spectrum"].size(), 40U);
    EXPECT_NEAR(told["residuals"]["spectrum"][2].get<double>(), left.spectrum[2], 5.1e-4);  // three decimals
  }
  for (std::size_t i = 0; i < sample().cells.size(); ++i) {
    const CellStudy& cell = sample().cells[i];
    EXPECT_EQ(json["cells"][i]["impulse_total"]["mean"], cell.impulse_total.mean);
    EXPECT_EQ(json["cells"][i]["trials"], cell.trials.size());
    EXPECT_EQ(json["cells"][i]["predictions"]["panda_gaz"]["flexible_joints"]["impulse_compression"],
              cell.predictions[2][InertiaModel::flexible_joints].impulse.compression);
  }
  for (std::size_t i = 0; i < sample().verdicts.size(); ++i) {
    EXPECT_EQ(json["verdicts"][i]["verdict"], to_string(sample().verdicts[i].judgement));
    EXPECT_EQ(json["verdicts"][i]["why"], sample().verdicts[i].why);
  }
}

TEST(Results, WhatDoesNotExistIsNull) {
  const Json& noise = results()["trials"][3];
  EXPECT_NE(noise["status"], "ok");
  EXPECT_TRUE(noise["velocity"]["exact"].is_null());
  EXPECT_TRUE(noise["impulse_compression"].is_null());
  EXPECT_TRUE(noise["best"].is_null());
  EXPECT_TRUE(noise["energy"].is_null());
  EXPECT_TRUE(noise["laws"].empty());
  EXPECT_TRUE(noise["record"]["time"].empty());
  EXPECT_TRUE(results()["cells"][1]["peak_force"]["std"].is_null());  // one trial is left of two
  const std::string text = results_json(sample(), "sample.h5");
  for (const char* word : {"nan", "NaN", "inf", "Infinity"})
    EXPECT_EQ(text.find(std::string(":") + word), std::string::npos);
}

// The curves lie on the record they were fitted to, and the energies sum to the initial one.
TEST(Results, CurvesAndEnergiesBelongToTheRecord) {
  constexpr double six_digits = 2e-5;  // of a sum of three rounded numbers
  for (const auto& trial : results()["trials"]) {
    if (trial["status"] != "ok") continue;
    const auto time = trial["record"]["time"].get<std::vector<double>>();
    const auto force = trial["record"]["force"].get<std::vector<double>>();
    EXPECT_LT(time.front(), 0);
    EXPECT_LE(time.size(), 600U);
    const auto x = trial["laws"]["viscoelastic"]["curve"]["time"].get<std::vector<double>>();
    const auto y = trial["laws"]["viscoelastic"]["curve"]["force"].get<std::vector<double>>();
    EXPECT_NEAR(x.front(), trial["laws"]["viscoelastic"]["touch"].get<double>(), 1e-9);  // six digits of microseconds
    double squares = 0;
    int count = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const auto next = std::upper_bound(x.begin(), x.end(), time[i]);
      if (next == x.begin() || next == x.end()) continue;
      const auto k = static_cast<std::size_t>(next - x.begin());
      const double model = y[k - 1] + (time[i] - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1]);
      squares += (force[i] - model) * (force[i] - model);
      ++count;
    }
    // 1 N of noise, and what straight lines between 100 points leave of the rise to some 1000 N
    EXPECT_LT(std::sqrt(squares / count), 3) << trial["name"];
    const Json& energy = trial["energy"];
    const double initial = energy["kinetic"][0];
    for (std::size_t i = 0; i < energy["time"].size(); ++i)
      EXPECT_NEAR(energy["kinetic"][i].get<double>() + energy["potential"][i].get<double>() +
                      energy["dissipated"][i].get<double>(),
                  initial, six_digits * initial);
    EXPECT_EQ(energy["potential"][0], 0);
  }
}

TEST(Results, SamplesHaveSixDigitsAndNumbersAll) {
  const Json& trial = results()["trials"][0];
  for (const auto& value : trial["record"]["force"]) {
    const double f = value;
    EXPECT_DOUBLE_EQ(f, std::stod(to_text(f, 6)));
  }
  const double peak = trial["peak_force"];
  EXPECT_NE(peak, std::stod(to_text(peak, 6)));
}

TEST(Results, AFastRecordIsThinned) {
  claims::Built built = claims::build({.repeats = 1});
  built.dataset.trials.resize(1);
  Record& record = built.dataset.trials[0].force;
  Record fast;
  for (std::size_t i = 0; i + 1 < record.time.size(); ++i)
    for (int k = 0; k < 10; ++k) {
      fast.time.push_back(record.time[i] + k / 250e3);
      fast.force.push_back(record.force[i] + k / 10.0 * (record.force[i + 1] - record.force[i]));
    }
  record = fast;
  const Json json = Json::parse(results_json(study(built.dataset), "fast"));
  EXPECT_EQ(json["trials"][0]["status"], "ok");
  EXPECT_LE(json["trials"][0]["record"]["time"].size(), 600U);
  EXPECT_GT(json["trials"][0]["record"]["time"].size(), 300U);
}

// Ten thousand trials, of which 300 are drawn: the same few again and again.
Study large_study() {
  Study study = sample();
  const std::size_t own = study.trials.size(), count = 10000, drawn = 300;
  study.trials.reserve(count);
  for (std::size_t i = own; i < count; ++i) study.trials.push_back(study.trials[i % own]);
  study.planned = count;
  study.sample.clear();
  for (std::size_t i = 0; i < drawn; ++i) study.sample.push_back(i * count / drawn);
  return study;
}

TEST(Results, AreBoundedWhereTrialsAreMany) {
  constexpr std::size_t most = 10'000'000;  // bytes of the page
  const Study study = large_study();
  const std::string text = results_json(study, "large.h5");
  EXPECT_LT(report_page(text).size(), most);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["dataset"]["trials"], 10000);
  EXPECT_EQ(json["dataset"]["drawn"], 300);
  ASSERT_EQ(json["trials"].size(), 300U);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(json["trials"][i]["name"], study.trials[study.sample[i]].name);
  for (const auto& trial : json["trials"]) EXPECT_LE(trial["record"]["time"].size(), 200U);
  for (const auto& cell : json["cells"]) EXPECT_EQ(cell["band"]["force"].size(), cell["band"]["levels"].size());
  const std::string table = trials_csv(study);
  EXPECT_EQ(std::ranges::count(table, '\n'), 10001);
}

TEST(Results, OfAllTrialsHaveNoBands) {
  EXPECT_FALSE(results()["dataset"].contains("drawn"));
  for (const auto& cell : results()["cells"]) EXPECT_FALSE(cell.contains("band"));
  Study by_hand = sample();
  by_hand.sample.clear();
  EXPECT_EQ(results_json(by_hand, "sample.h5"), results_json(sample(), "sample.h5"));
}

// Tables.

std::vector<std::vector<std::string>> rows(const std::string& text) {
  std::vector<std::vector<std::string>> all(1, std::vector<std::string>(1));
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == ',') all.back().emplace_back();
    if (!quoted && c == '\n') all.emplace_back(1);
    if ((quoted || (c != ',' && c != '\n')) && c != '"') all.back().back() += c;
  }
  all.pop_back();
  return all;
}

TEST(Tables, HaveARowEachAndUnitsInTheHeader) {
  const auto trials = rows(trials_csv(sample())), cells = rows(cells_csv(sample())),
             predictions = rows(predictions_csv(sample())), verdicts = rows(verdicts_csv(sample()));
  EXPECT_EQ(trials.size(), 31U);
  EXPECT_EQ(cells.size(), 16U);
  EXPECT_EQ(predictions.size(), 1 + 15U * 3 * 4);
  EXPECT_EQ(verdicts.size(), 14U);
  for (const auto* table : {&trials, &cells, &predictions, &verdicts})
    for (const auto& row : *table) EXPECT_EQ(row.size(), table->front().size()) << row.front();
  for (const auto& name :
       {"speed [m/s]", "peak_force [N]", "impulse_compression [N s]", "restitution_viscoelastic [1]"})
    EXPECT_EQ(std::ranges::count(trials[0], name), 1) << name;
  EXPECT_EQ(verdicts[1][0], "c1.spring");
  EXPECT_EQ(verdicts[1][1], "supported");
}

TEST(Tables, SayWhatARecordDoesNotTell) {
  Study doubtful = sample();
  constexpr auto at = static_cast<std::size_t>(LawKind::viscoelastic);
  FitResult& law = doubtful.trials[0].found.laws[at];
  law.parameters[0].identifiability = Identifiability::correlated;
  law.restitution_identifiability = Identifiability::flat;
  const auto table = rows(trials_csv(doubtful));
  const auto cell = [&](std::size_t trial, const std::string& name) {
    const auto column = std::ranges::find(table[0], name) - table[0].begin();
    return table[trial + 1].at(static_cast<std::size_t>(column));
  };
  EXPECT_EQ(cell(0, "stiffness_identifiability_viscoelastic"), "correlated");
  EXPECT_EQ(cell(0, "restitution_identifiability_viscoelastic"), "flat");
  EXPECT_EQ(cell(1, "restitution_identifiability_viscoelastic"), "identified");
  EXPECT_EQ(cell(3, "mass_identifiability_maxwell"), "");  // noise
  EXPECT_EQ(std::stod(cell(0, "restitution_high_viscoelastic [1]")), law.restitution_high);
  EXPECT_EQ(std::stod(cell(0, "residual_runs_p_spring [1]")), sample().trials[0].residuals[0].runs_p);
  EXPECT_EQ(std::stod(cell(0, "residual_frequency_viscoelastic [Hz]")), sample().trials[0].residuals[at].frequency);
  EXPECT_EQ(std::ranges::count(table[0], "exponent_identifiability_hunt_crossley"), 1);
}

TEST(Tables, NumbersReadBackAsTheyAre) {
  const auto table = rows(trials_csv(sample()));
  const auto column = static_cast<std::size_t>(std::ranges::find(table[0], "impulse_total [N s]") - table[0].begin());
  for (std::size_t i = 0; i < sample().trials.size(); ++i) {
    const std::string& cell = table[i + 1][column];
    if (sample().trials[i].ok())
      EXPECT_EQ(std::stod(cell), sample().trials[i].impulse_total);
    else
      EXPECT_EQ(cell, "");
  }
}

// Files.

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("thud_report_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Files, TheFolderIsMadeAndHoldsAll) {
  const ReportFiles files = write_report(sample(), "sample.h5", (folder_ / "deep" / "out").string());
  EXPECT_EQ(read_file(files.results), results_json(sample(), "sample.h5"));
  EXPECT_EQ(files.tables.size(), 4U);
  const std::string table = read_file(files.tables[3]);
  EXPECT_EQ(table.substr(0, 13), "# thud study ");
  EXPECT_EQ(table.substr(table.find('\n') + 1), verdicts_csv(sample()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "deep" / "out"), {}), 6);
}

TEST_F(Files, AnOlderResultGivesWay) {
  const ReportFiles files = write_report(sample(), "sample.h5", folder_.string());
  write_file(files.results, results_json(sample(), "older.h5"));
  write_report(sample(), "sample.h5", folder_.string());
  EXPECT_EQ(read_file(files.results), results_json(sample(), "sample.h5"));
}

TEST_F(Files, WhatIsNotAStudysIsReplacedByForceAlone) {
  std::filesystem::create_directories(folder_);
  const std::string path = (folder_ / "trials.csv").string();
  write_file(path, "time,force\n0,1\n");
  EXPECT_THROW(write_report(sample(), "sample.h5", folder_.string()), FileError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "nothing else was written";
  EXPECT_THROW(write_report(sample(), "sample.h5", folder_.string(), {.inputs = {folder_.string()}, .force = true}),
               FileError);
  EXPECT_EQ(read_file(path), "time,force\n0,1\n");
  write_report(sample(), "sample.h5", folder_.string(), {.inputs = {}, .force = true});
  EXPECT_EQ(read_file(path).substr(0, 13), "# thud study ");
}

TEST_F(Files, AFileInTheWayIsRefusedAndKept) {
  write_file(folder_.string(), "mine");
  EXPECT_THROW(write_report(sample(), "sample.h5", folder_.string()), FileError);
  EXPECT_EQ(read_file(folder_.string()), "mine");
}

}  // namespace
}  // namespace thud
