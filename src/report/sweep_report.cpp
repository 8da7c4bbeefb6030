#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/sweep_report.hpp>
#include <thud/table.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/folder.hpp"
#include "report/row.hpp"

namespace THUD_EXPORT thud {
using namespace report;
namespace {

using Json = nlohmann::ordered_json;  // keeps the keys in the order of web/schema/answers.schema.json

constexpr std::string_view sweep_command = "sweep";  // whose output a file is by its mark, or of JSON by its format

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json range_object(const SweepRange& range) {
  Json object{{"key", range.key}, {"kind", to_string(range.kind)}};
  if (range.kind == RangeKind::values)
    object["values"] = range.values;
  else
    object.update({{"low", number_or_null(range.low)}, {"high", number_or_null(range.high)}});
  return object;
}

Json plan_object(const SweepPlan& plan) {
  Json ranges = Json::array();
  for (const SweepRange& range : plan.ranges) ranges.push_back(range_object(range));
  return {{"design", to_string(plan.design)},
          {"points", plan.points},
          {"repeats", plan.repeats},
          {"seed", plan.seed},
          {"ranges", ranges}};
}

Json share_object(const SweepShare& share) {
  return {{"campaigns", share.count},
          {"share", number_or_null(share.share)},
          {"low", number_or_null(share.low)},
          {"high", number_or_null(share.high)}};
}

Json claim_object(const ClaimAnswer& claim) {
  Json deciding = Json::array();
  for (const KeyImportance& each : claim.deciding)
    deciding.push_back({{"key", each.key}, {"loss", number_or_null(each.loss)}});
  return {{"claim", claim.claim},
          {"statement", claim.statement},
          {"supported", share_object(claim.supported)},
          {"not_supported", share_object(claim.not_supported)},
          {"not_testable", share_object(claim.not_testable)},
          {"surrogate",
           {{"accuracy", number_or_null(claim.accuracy)},
            {"majority", number_or_null(claim.majority)},
            {"learnt", claim.learnt}}},
          {"deciding", deciding}};
}

Json model_object(const ModelAnswer& model) {
  return {{"model", model.model},
          {"error",
           {{"median", number_or_null(model.median)},
            {"lower", number_or_null(model.lower)},
            {"upper", number_or_null(model.upper)}}},
          {"best", model.best.all == 0 ? Json(nullptr) : share_object(model.best)}};
}

Json answers_object(const SweepAnswers& answers) {
  Json claims = Json::array(), models = Json::array();
  for (const ClaimAnswer& claim : answers.claims) claims.push_back(claim_object(claim));
  for (const ModelAnswer& model : answers.models) models.push_back(model_object(model));
  return {{"campaigns", answers.campaigns},
          {"failed", answers.failed},
          {"refined", answers.refined},
          {"most_supported", number_or_null(answers.most_supported)},
          {"claims", claims},
          {"models", models}};
}

Json column_object(const Column& column) {
  Json values = Json::array();
  if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
    for (const double value : *numbers) values.push_back(number_or_null(value));
  else
    values = std::get<std::vector<std::string>>(column.values);
  return {{"name", column.name}, {"unit", column.unit}, {"values", std::move(values)}};
}

}  // namespace

std::string sweep_plan_json(const SweepPlan& plan) {
  return text_of(plan_object(plan));
}

std::string sweep_answers_json(const SweepAnswers& answers) {
  return text_of(answers_object(answers));
}

std::string sweep_json(const SweepResult& result, const SweepAnswers& answers, const std::string& file) {
  Json columns = Json::array();
  for (const Column& column : result.table.columns) columns.push_back(column_object(column));
  const std::size_t planned = sweep_points(result.plan).size();
  return text_of({{"format", "thud sweep"},
                  {"version", 1},
                  {"thud", THUD_VERSION},
                  {"file", file},
                  {"planned", planned},
                  {"complete", answers.campaigns - answers.refined == planned},
                  {"plan", plan_object(result.plan)},
                  {"answers", answers_object(answers)},
                  {"columns", columns}}) +
         "\n";
}

std::string claims_csv(const SweepAnswers& answers) {
  Row header;
  for (const char* name :
       {"claim", "campaigns", "supported", "not_supported", "not_testable", "share [1]", "share_low [1]",
        "share_high [1]", "accuracy [1]", "majority [1]", "learnt", "decided_by", "loss [1]", "statement"})
    header.add(std::string_view(name));
  std::string text = header.line();
  for (const ClaimAnswer& claim : answers.claims) {
    const KeyImportance first = claim.deciding.empty() ? KeyImportance{} : claim.deciding.front();
    Row row;
    row.add(claim.claim).add(claim.supported.all).add(claim.supported.count).add(claim.not_supported.count);
    row.add(claim.not_testable.count).add(claim.supported.share).add(claim.supported.low).add(claim.supported.high);
    row.add(claim.accuracy).add(claim.majority).add(std::string_view(claim.learnt ? "yes" : "no"));
    row.add(first.key).add(first.loss).add(claim.statement);
    text += row.line();
  }
  return text;
}

std::string campaigns_csv(const SweepResult& result) {
  Row header;
  for (const Column& column : result.table.columns)
    header.add(column.unit.empty() ? column.name : title(column.name, column.unit));
  std::string text = header.line();
  for (std::size_t i = 0; i < result.table.rows; ++i) {
    Row row;
    for (const Column& column : result.table.columns)
      std::visit([&](const auto& values) { row.add(values[i]); }, column.values);
    text += row.line();
  }
  return text;
}

SweepReportFiles sweep_report_files(const std::string& folder, const Overwrite& overwrite) {
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  SweepReportFiles files{.page = path("report.html"),
                         .results = path("answers.json"),
                         .tables = {path("claims.csv"), path("campaigns.csv")}};
  if (!is_folder(folder)) return files;  // there is nothing in their place
  for (const std::string& file : {files.page, files.results, files.tables[0], files.tables[1]})
    require_replaceable("folder", file, sweep_command, overwrite);
  return files;
}

SweepReportFiles write_sweep_report(const SweepResult& result, const SweepAnswers& answers, const std::string& file,
                                    const std::string& folder, const Overwrite& overwrite) {
  SweepReportFiles files = sweep_report_files(folder, overwrite);
  const std::string results = sweep_json(result, answers, file), page = sweep_page(results);
  const std::string tables[] = {claims_csv(answers), campaigns_csv(result)};
  make_folder(folder);
  const std::string written_by = output_mark(sweep_command);
  for (std::size_t i = 0; i < files.tables.size(); ++i)
    write_file(files.tables[i], "# " + written_by + "\n" + tables[i]);
  write_file(files.page, "<!-- " + written_by + " -->\n" + page);
  write_file(files.results, results);
  return files;
}

}  // namespace thud
