#include <thud/sweep.hpp>
#include <thud/sweep_report.hpp>
#include <thud/table.hpp>

#include <cstring>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;
using ShardPair = std::pair<std::size_t, std::size_t>;
using RefinementPairs = std::vector<std::pair<std::string, std::size_t>>;

template <class Number>
nb::object array_of(const std::vector<double>& values) {
  auto* numbers = new Number[values.size() + 1];
  for (std::size_t i = 0; i < values.size(); ++i) numbers[i] = static_cast<Number>(values[i]);
  const nb::capsule owner(numbers, [](void* memory) noexcept { delete[] static_cast<Number*>(memory); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(numbers, {values.size()}, owner));
}

/// Columns by name, in order: arrays of numbers, whole where they count, and lists of texts.
nb::dict columns_of(const Table& table) {
  nb::dict columns;
  for (const Column& column : table.columns) {
    const bool whole = column.name == "row" || column.name == "refined" || column.name == "seed";
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
      columns[column.name.c_str()] = whole ? array_of<std::int64_t>(*numbers) : array_of<double>(*numbers);
    else
      columns[column.name.c_str()] = nb::cast(std::get<std::vector<std::string>>(column.values));
  }
  return columns;
}

SweepOptions options_of(const ShardPair& shard, const RefinementPairs& refine) {
  SweepOptions options{.shard = {shard.first, shard.second}};
  for (const auto& [claim, points] : refine) options.refinements.push_back({claim, points});
  return options;
}

void bind_plan(nb::module_& m) {
  enumeration(m, "SweepDesign", {SweepDesign::sobol, SweepDesign::latin_hypercube, SweepDesign::grid});
  enumeration(m, "RangeKind", {RangeKind::log, RangeKind::linear, RangeKind::scale, RangeKind::values});
  value<SweepRange>(m, "SweepRange", THUD_FIELD(SweepRange, key), THUD_FIELD(SweepRange, kind),
                    THUD_FIELD(SweepRange, low), THUD_FIELD(SweepRange, high), THUD_FIELD(SweepRange, values));
  value<SweepPlan>(m, "SweepPlan", THUD_FIELD(SweepPlan, design), THUD_FIELD(SweepPlan, points),
                   THUD_FIELD(SweepPlan, repeats), THUD_FIELD(SweepPlan, seed), THUD_FIELD(SweepPlan, base),
                   THUD_FIELD(SweepPlan, ranges), THUD_FIELD(SweepPlan, folder));
  value<SweepPoint>(m, "SweepPoint", THUD_FIELD(SweepPoint, values), THUD_FIELD(SweepPoint, seed),
                    THUD_FIELD(SweepPoint, refined));
  value<SweepCell>(m, "SweepCell", THUD_FIELD(SweepCell, column), THUD_FIELD(SweepCell, unit),
                   THUD_FIELD(SweepCell, value));
  m.def("parse_sweep", &parse_sweep, nb::arg("text"), nb::arg("name") = "sweep", nb::arg("folder") = "",
        doc("sweep:parse_sweep"));
  m.def(
      "read_sweep", [](const Path& path) { return read_sweep(path.string()); }, nb::arg("path"),
      doc("sweep:parse_sweep"));
  m.def("format_sweep", &format_sweep, nb::arg("plan"), doc("sweep:format_sweep"));
  m.def("validate", nb::overload_cast<const SweepPlan&>(&validate), nb::arg("plan"), doc("sweep:validate"));
  m.def("sweep_points", nb::overload_cast<const SweepPlan&>(&sweep_points), nb::arg("plan"), doc("sweep:sweep_points"));
  m.def("sweep_campaign", nb::overload_cast<const SweepPlan&, const SweepPoint&>(&sweep_campaign), nb::arg("plan"),
        nb::arg("point"), doc("sweep:sweep_campaign"));
}

void bind_rows(nb::module_& m) {
  m.def(
      "campaign_row",
      [](const Campaign& campaign, int jobs) {
        const Progress none;
        LongWork work(none);
        return work.run([&] { return campaign_row(campaign, {.jobs = jobs, .stop = &work.stop()}); });
      },
      nb::arg("campaign"), nb::arg("jobs") = 1, doc("sweep:campaign_row"));
  m.def(
      "sweep_row",
      [](const SweepPlan& plan, const SweepPoint& point, int jobs) {
        const Progress none;
        LongWork work(none);
        return work.run([&] { return sweep_row(plan, point, {.jobs = jobs, .stop = &work.stop()}); });
      },
      nb::arg("plan"), nb::arg("point"), nb::arg("jobs") = 1, doc("sweep:sweep_row"));
  value<SweepTask>(m, "SweepTask", THUD_FIELD(SweepTask, start), THUD_FIELD(SweepTask, campaign),
                   THUD_FIELD(SweepTask, folder));
  m.def("sweep_task", &sweep_task, nb::arg("plan"), nb::arg("point"), doc("SweepTask"));
  m.def(
      "sweep_row",
      [](const SweepTask& task, int jobs) {
        const Progress none;
        LongWork work(none);
        return work.run([&] { return sweep_row(task, {.jobs = jobs, .stop = &work.stop()}); });
      },
      nb::arg("task"), nb::arg("jobs") = 1, doc("sweep:sweep_row#2"));
  nb::class_<SweepWriter>(m, "SweepWriter", doc("SweepWriter"))
      .def(
          "__init__",
          [](SweepWriter* self, const Path& path, const SweepPlan& plan, const ShardPair& shard,
             const RefinementPairs& refine) { new (self) SweepWriter(path.string(), plan, options_of(shard, refine)); },
          nb::arg("path"), nb::arg("plan"), nb::arg("shard") = ShardPair(1, 1), nb::arg("refine") = RefinementPairs{})
      .def_prop_ro("complete", &SweepWriter::complete, doc("SweepWriter.complete"))
      .def_prop_ro("size", &SweepWriter::size, doc("SweepWriter.size"))
      .def("missing", &SweepWriter::missing, doc("SweepWriter.missing"))
      .def("point", &SweepWriter::point, nb::arg("row"), nb::rv_policy::copy, doc("SweepWriter.point"))
      .def("store", &SweepWriter::store, nb::arg("row"), nb::arg("cells"), doc("SweepWriter.store"))
      .def("finish", &SweepWriter::finish, doc("SweepWriter.finish"));
}

void bind_results(nb::module_& m) {
  nb::class_<SweepResult>(m, "SweepResult", doc("SweepResult"))
      .def_prop_ro("plan", [](const SweepResult& self) { return self.plan; })
      .def_prop_ro("table", [](const SweepResult& self) { return columns_of(self.table); });
  m.def(
      "read_sweep_result", [](const Path& path) { return read_sweep_result(path.string()); }, nb::arg("path"),
      doc("SweepResult"));
  m.def("sweep_points", nb::overload_cast<const SweepResult&>(&sweep_points), nb::arg("result"),
        doc("sweep:sweep_points#2"));
  result<SweepShare>(m, "SweepShare", THUD_FIELD(SweepShare, count), THUD_FIELD(SweepShare, all),
                     THUD_FIELD(SweepShare, share), THUD_FIELD(SweepShare, low), THUD_FIELD(SweepShare, high));
  m.def("wilson", &wilson, nb::arg("count"), nb::arg("all"), doc("SweepShare"));
  result<KeyImportance>(m, "KeyImportance", THUD_FIELD(KeyImportance, key), THUD_FIELD(KeyImportance, loss));
  result<ClaimAnswer>(m, "ClaimAnswer", THUD_FIELD(ClaimAnswer, claim), THUD_FIELD(ClaimAnswer, statement),
                      THUD_FIELD(ClaimAnswer, supported), THUD_FIELD(ClaimAnswer, not_supported),
                      THUD_FIELD(ClaimAnswer, not_testable), THUD_FIELD(ClaimAnswer, accuracy),
                      THUD_FIELD(ClaimAnswer, majority), THUD_FIELD(ClaimAnswer, learnt),
                      THUD_FIELD(ClaimAnswer, deciding));
  result<ModelAnswer>(m, "ModelAnswer", THUD_FIELD(ModelAnswer, model), THUD_FIELD(ModelAnswer, median),
                      THUD_FIELD(ModelAnswer, lower), THUD_FIELD(ModelAnswer, upper), THUD_FIELD(ModelAnswer, best));
  result<SweepAnswers>(m, "SweepAnswers", THUD_FIELD(SweepAnswers, campaigns), THUD_FIELD(SweepAnswers, failed),
                       THUD_FIELD(SweepAnswers, refined), THUD_FIELD(SweepAnswers, most_supported),
                       THUD_FIELD(SweepAnswers, claims), THUD_FIELD(SweepAnswers, models));
  m.def("answer_sweep", &answer_sweep, nb::arg("result"), nb::call_guard<nb::gil_scoped_release>(),
        doc("SweepAnswers"));
  m.def(
      "sweep",
      [](const SweepPlan& plan, const Path& path, int jobs, const ShardPair& shard, const RefinementPairs& refine,
         const Progress& progress, const nb::object& client) {
        if (!client.is_none()) {
          nb::module_::import_("thud.cluster").attr("sweep")(plan, path, client, jobs, shard, refine, progress);
        } else {
          LongWork work(progress);
          const RunOptions run{.jobs = jobs, .progress = work.progress(), .stop = &work.stop()};
          work.run([&] { return sweep(plan, path.string(), options_of(shard, refine), run); });
        }
        return columns_of(read_sweep_result(path.string()).table);
      },
      nb::arg("plan"), nb::arg("path"), nb::arg("jobs") = 0, nb::arg("shard") = ShardPair(1, 1),
      nb::arg("refine") = RefinementPairs{}, nb::arg("progress") = nb::none(), nb::arg("client") = nb::none(),
      with_client("sweep:sweep").c_str());
  m.def(
      "merge_sweeps",
      [](const std::vector<Path>& paths, const Path& out, bool force) {
        std::vector<std::string> files;
        for (const Path& path : paths) files.push_back(path.string());
        merge_sweeps(files, out.string(), force);
      },
      nb::arg("paths"), nb::arg("out"), nb::arg("force") = false, doc("sweep:merge_sweeps"));
}

void bind_sweep_files(nb::module_& m) {
  m.def("sweep_plan_json", &sweep_plan_json, nb::arg("plan"), doc("sweep_report:sweep_plan_json"));
  m.def("sweep_answers_json", &sweep_answers_json, nb::arg("answers"), doc("sweep_report:sweep_plan_json"));
  m.def("sweep_json", &sweep_json, nb::arg("result"), nb::arg("answers"), nb::arg("file"),
        doc("sweep_report:sweep_json"));
  m.def("claims_csv", &claims_csv, nb::arg("answers"), doc("sweep_report:claims_csv"));
  m.def("campaigns_csv", &campaigns_csv, nb::arg("result"), doc("sweep_report:campaigns_csv"));
  m.def("sweep_page", &sweep_page, nb::arg("json"), doc("sweep_report:sweep_page"));
  result<SweepReportFiles>(m, "SweepReportFiles", THUD_FIELD(SweepReportFiles, page),
                           THUD_FIELD(SweepReportFiles, results), THUD_FIELD(SweepReportFiles, tables));
  m.def(
      "write_sweep_report",
      [](const SweepResult& result, const SweepAnswers& answers, const std::string& file, const Path& folder,
         const std::vector<Path>& inputs, bool force) {
        const nb::gil_scoped_release free;
        Overwrite overwrite{.inputs = {}, .force = force};
        for (const auto& input : inputs) overwrite.inputs.push_back(input.string());
        return write_sweep_report(result, answers, file, folder.string(), overwrite);
      },
      nb::arg("result"), nb::arg("answers"), nb::arg("file"), nb::arg("folder"),
      nb::arg("inputs") = std::vector<Path>{}, nb::arg("force") = false, doc("sweep_report:write_sweep_report"));
}

}  // namespace

void bind_sweep(nb::module_& m) {
  bind_plan(m);
  bind_rows(m);
  bind_results(m);
  bind_sweep_files(m);
}

}  // namespace thud::python
