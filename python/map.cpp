#include <thud/map.hpp>
#include <thud/map_report.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

void bind_values(nb::module_& m) {
  enumeration<MapQuantity>(
      m, "MapQuantity",
      {MapQuantity::effective_mass, MapQuantity::speed, MapQuantity::peak_force, MapQuantity::impulse});
  m.def("unit_of", &unit_of, nb::arg("quantity"), doc("map:unit_of"));
  result<DirectionMasses>(m, "DirectionMasses", THUD_FIELD(DirectionMasses, least), THUD_FIELD(DirectionMasses, mean),
                          THUD_FIELD(DirectionMasses, greatest), THUD_FIELD(DirectionMasses, normal_least),
                          THUD_FIELD(DirectionMasses, normal_greatest));
  m.def("direction_masses", &direction_masses, nb::arg("inertia"), nb::arg("model"), doc("map:direction_masses"));
  value<WorkspaceBox>(m, "WorkspaceBox", THUD_FIELD(WorkspaceBox, lower), THUD_FIELD(WorkspaceBox, upper));
  result<MapConvergence>(m, "MapConvergence", THUD_FIELD(MapConvergence, volume_half),
                         THUD_FIELD(MapConvergence, volume), THUD_FIELD(MapConvergence, least_median),
                         THUD_FIELD(MapConvergence, least_95), THUD_FIELD(MapConvergence, median_median),
                         THUD_FIELD(MapConvergence, median_95), THUD_FIELD(MapConvergence, greatest_median),
                         THUD_FIELD(MapConvergence, greatest_95));
  result<CapabilityMap>(
      m, "CapabilityMap", THUD_FIELD(CapabilityMap, quantity), THUD_FIELD(CapabilityMap, model),
      THUD_FIELD(CapabilityMap, direction_F), THUD_FIELD(CapabilityMap, all_directions),
      THUD_FIELD(CapabilityMap, cell), THUD_FIELD(CapabilityMap, samples), THUD_FIELD(CapabilityMap, seed),
      THUD_FIELD(CapabilityMap, centre), THUD_FIELD(CapabilityMap, postures), THUD_FIELD(CapabilityMap, least),
      THUD_FIELD(CapabilityMap, median), THUD_FIELD(CapabilityMap, greatest), THUD_FIELD(CapabilityMap, q_least),
      THUD_FIELD(CapabilityMap, q_greatest), THUD_FIELD(CapabilityMap, normal_least),
      THUD_FIELD(CapabilityMap, normal_greatest), THUD_FIELD(CapabilityMap, resolution),
      THUD_FIELD(CapabilityMap, convergence), THUD_FIELD(CapabilityMap, warnings));
}

void bind_files(nb::module_& m) {
  m.def("map_csv", &map_csv, nb::arg("map"), nb::arg("robot"), doc("map_report:map_csv"));
  m.def("map_json", &map_json, nb::arg("map"), nb::arg("robot"), nb::arg("point"), doc("map_report:map_json"));
  m.def("map_page", &map_page, nb::arg("json"), doc("map_report:map_page"));
  result<MapFiles>(m, "MapFiles", THUD_FIELD(MapFiles, page), THUD_FIELD(MapFiles, table));
  m.def(
      "write_map",
      [](const CapabilityMap& map, const Robot& robot, const ContactPoint& point, const Path& folder,
         const std::vector<Path>& inputs, bool force) {
        const nb::gil_scoped_release free;
        Overwrite overwrite{.inputs = {}, .force = force};
        for (const auto& input : inputs) overwrite.inputs.push_back(input.string());
        return write_map(map, robot, point, folder.string(), overwrite);
      },
      nb::arg("map"), nb::arg("robot"), nb::arg("point"), nb::arg("folder"), nb::arg("inputs") = std::vector<Path>{},
      nb::arg("force") = false, doc("map_report:write_map"));
}

}  // namespace

void bind_map(nb::module_& m) {
  bind_values(m);
  m.def(
      "capability_map",
      [](const Robot& robot, const ContactPoint& point, MapQuantity quantity, std::optional<InertiaModel> model,
         const std::optional<Three<"direction_F">>& direction_F, bool all_directions, double cell,
         std::uint64_t samples, std::uint64_t seed, const std::optional<WorkspaceBox>& within, double approach_speed,
         const std::optional<ContactLaw>& law, std::optional<double> restitution, const std::optional<Limits>& limits,
         const std::optional<BodyContact>& body, int jobs, const Progress& progress) {
        MapOptions options;
        options.quantity = quantity;
        options.model = model;
        options.all_directions = all_directions;
        options.cell = cell;
        options.samples = samples;
        options.seed = seed;
        options.approach_speed = approach_speed;
        options.law = law;
        options.restitution = restitution;
        options.body = body;
        if (direction_F) options.direction_F = static_cast<Vector3>(*direction_F);
        if (within) options.within = *within;
        if (limits) options.limits = *limits;
        LongWork work(progress);
        return work.run([&] {
          return capability_map(robot, point, options,
                                {.jobs = jobs, .progress = work.progress(), .stop = &work.stop()});
        });
      },
      nb::arg("robot"), nb::arg("point"), nb::kw_only(), nb::arg("quantity") = MapOptions{}.quantity,
      nb::arg("model") = MapOptions{}.model, nb::arg("direction_F") = nb::none(), nb::arg("all_directions") = false,
      nb::arg("cell") = MapOptions{}.cell, nb::arg("samples") = MapOptions{}.samples,
      nb::arg("seed") = MapOptions{}.seed, nb::arg("within") = nb::none(),
      nb::arg("approach_speed").sig("float('nan')") = MapOptions{}.approach_speed, nb::arg("law") = nb::none(),
      nb::arg("restitution") = nb::none(), nb::arg("limits") = nb::none(), nb::arg("body") = nb::none(),
      nb::arg("jobs") = 0, nb::arg("progress") = nb::none(), doc("map:capability_map"));
  bind_files(m);
}

}  // namespace thud::python
