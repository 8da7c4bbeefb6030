// Sweeps as files: what the table says stands in JSON and CSV, and nothing of somebody else's is lost.

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/sweep_report.hpp>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace thud {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Four campaigns over two keys, of which the second failed; the last is refined.
SweepResult sample() {
  SweepResult result{parse_sweep(R"(points = 3
seed = 2
[range]
"contact.law" = { values = ["viscoelastic", "hunt_crossley"] }
"joints.stiffness" = { log = [2e3, 3e4] }
)",
                                 "s.toml"),
                     {}};
  using Numbers = std::vector<double>;
  using Texts = std::vector<std::string>;
  result.table = {.format = "thud sweep", .rows = 4};
  result.table.columns = {
      {"row", "1", Numbers{0, 1, 2, 3}},
      {"refined", "1", Numbers{0, 0, 0, 1}},
      {"seed", "1", Numbers{7, 8, 9, 10}},
      {"contact.law", "", Texts{"viscoelastic", "hunt_crossley", "viscoelastic", "hunt_crossley"}},
      {"joints.stiffness", "", Numbers{3e3, 5e3, 1e4, 2e4}},
      {"failure", "", Texts{"", "a, \"b\" </script>", "", ""}},
      {"algebraic.error", "1", Numbers{0.5, none, 0.3, 9}},
      {"algebraic.ratio", "1", Numbers{1.5, none, 1.3, 10}},
      {"best_matrix", "", Texts{"composite_rigid_body", "", "algebraic", "algebraic"}},
      {"composite_rigid_body.error", "1", Numbers{0.1, none, 0.4, 9}},
      {"composite_rigid_body.ratio", "1", Numbers{0.9, none, 1.4, 10}},
      {"elastic_joints.error", "1", Numbers{0.01, none, 0.02, 9}},
      {"elastic_joints.ratio", "1", Numbers{1.01, none, 1.02, 10}},
      {"r1", "", Texts{"supported", "", "not testable", "supported"}},
      {"r1.statistic", "1", Numbers{0.4, none, none, 0.3}},
      {"r1.threshold", "1", Numbers{0.9, none, none, 0.9}},
      {"c1.spring", "", Texts{"not supported", "", "supported", "supported"}},
      {"c1.spring.statistic", "1", Numbers{0.4, none, 1, 1}},
      {"supported", "1", Numbers{1, none, 1, 2}},
  };
  return result;
}

TEST(SweepReport, AnswersNameStatementsAndModelsOfTheDesignAlone) {
  const SweepAnswers answers = answer_sweep(sample());
  ASSERT_EQ(answers.claims.size(), 2U);
  EXPECT_EQ(answers.claims[0].claim, "c1.spring");  // as in the paper, not by name alone
  EXPECT_EQ(answers.claims[1].claim, "r1");
  for (const ClaimAnswer& claim : answers.claims) EXPECT_TRUE(claim.statement.ends_with(".")) << claim.claim;
  ASSERT_EQ(answers.models.size(), 3U);
  EXPECT_EQ(answers.models[0].model, "algebraic");
  EXPECT_EQ(answers.models[0].median, 0.4);  // of 0.3 and 0.5: the refined campaign's 9 counts for nothing
  EXPECT_NEAR(answers.models[0].lower, 0.35, 1e-15);
  EXPECT_NEAR(answers.models[0].upper, 0.45, 1e-15);
  EXPECT_EQ(answers.models[0].best.count, 1U);
  EXPECT_EQ(answers.models[0].best.all, 2U);
  EXPECT_EQ(answers.models[2].model, "elastic_joints");
  EXPECT_EQ(answers.models[2].best.all, 0U);  // no matrix
}

TEST(SweepReport, JsonHasTheTableAndWhatIsSaidOfIt) {
  const SweepResult result = sample();
  const SweepAnswers answers = answer_sweep(result);
  const std::string text = sweep_json(result, answers, "a.h5");
  EXPECT_TRUE(text.starts_with("{\"format\":\"thud sweep\",\"version\":1,"));
  const Json json = Json::parse(text);
  EXPECT_EQ(json["file"], "a.h5");
  EXPECT_EQ(json["planned"], 3);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["plan"], Json::parse(sweep_plan_json(result.plan)));
  EXPECT_EQ(json["answers"], Json::parse(sweep_answers_json(answers)));
  EXPECT_EQ(json["plan"]["ranges"][0]["values"].size(), 2U);
  EXPECT_FALSE(json["plan"]["ranges"][0].contains("low"));
  EXPECT_EQ(json["plan"]["ranges"][1]["high"], 3e4);
  EXPECT_EQ(json["answers"]["campaigns"], 4);
  EXPECT_EQ(json["answers"]["failed"], 1);
  EXPECT_EQ(json["answers"]["refined"], 1);
  const Json& claim = json["answers"]["claims"][1];
  EXPECT_EQ(claim["supported"]["share"], 0.5);
  EXPECT_EQ(claim["not_testable"]["campaigns"], 1);
  EXPECT_EQ(claim["surrogate"]["accuracy"], nullptr);
  EXPECT_EQ(json["answers"]["models"][1]["best"]["campaigns"], 1);
  EXPECT_EQ(json["answers"]["models"][2]["best"], nullptr);
  ASSERT_EQ(json["columns"].size(), result.table.columns.size());
  for (std::size_t i = 0; i < result.table.columns.size(); ++i) {
    const Column& column = result.table.columns[i];
    const Json& found = json["columns"][i];
    EXPECT_EQ(found["name"], column.name);
    EXPECT_EQ(found["unit"], column.unit);
    for (std::size_t row = 0; row < 4; ++row)
      std::visit(
          [&](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values[row])>, double>)
              EXPECT_EQ(found["values"][row], std::isnan(values[row]) ? Json(nullptr) : Json(values[row]));
            else
              EXPECT_EQ(found["values"][row], values[row]);
          },
          column.values);
  }
}

TEST(SweepReport, TablesHaveARowForEachClaimAndCampaign) {
  const SweepResult result = sample();
  const std::string claims = claims_csv(answer_sweep(result));
  EXPECT_NE(claims.find("\nr1,2,1,0,1,0.5,"), std::string::npos) << claims;
  const std::string campaigns = campaigns_csv(result);
  EXPECT_TRUE(campaigns.starts_with("row [1],refined [1],seed [1],contact.law,joints.stiffness,failure,")) << campaigns;
  EXPECT_NE(campaigns.find("\n1,0,8,hunt_crossley,5000,\"a, \"\"b\"\" </script>\",,,"), std::string::npos) << campaigns;
}

TEST(SweepReport, FilesCarryAMarkAndReplaceNothingElse) {
  const SweepResult result = sample();
  const SweepAnswers answers = answer_sweep(result);
  const fs::path folder = fs::temp_directory_path() / ("thud_sweep_report_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const SweepReportFiles files = write_sweep_report(result, answers, "a.h5", folder.string());
  EXPECT_EQ(read_file(files.results), sweep_json(result, answers, "a.h5"));
  for (const std::string& file : {files.page, files.results, files.tables[0], files.tables[1]})
    EXPECT_TRUE(is_output_of(file, "sweep")) << file;
  const std::string page = read_file(files.page);
  EXPECT_EQ(page.find("@THUD_RESULTS@"), std::string::npos);
  EXPECT_NE(page.find("a, \\\"b\\\" \\u003c/script>"), std::string::npos);  // no text ends the element
  EXPECT_NO_THROW(write_sweep_report(result, answers, "a.h5", folder.string()));

  write_file(files.tables[1], "mine\n");
  EXPECT_THROW(write_sweep_report(result, answers, "a.h5", folder.string()), FileError);
  EXPECT_EQ(read_file(files.tables[1]), "mine\n");
  EXPECT_THROW(write_sweep_report(result, answers, "a.h5", folder.string(), {{files.tables[1]}, true}), FileError);
  EXPECT_NO_THROW(write_sweep_report(result, answers, "a.h5", folder.string(), {{}, true}));
  EXPECT_TRUE(is_output_of(files.tables[1], "sweep"));
  EXPECT_THROW(write_sweep_report(result, answers, "a.h5", files.results), FileError);  // a file in the folder's place
  fs::remove_all(folder);
}

}  // namespace
}  // namespace thud
