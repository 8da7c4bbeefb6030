#include <thud/dataset.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

}  // namespace

void bind_dataset(nb::module_& m) {
  value<JointLog>(m, "JointLog", THUD_FIELD(JointLog, time), THUD_FIELD(JointLog, position),
                  THUD_FIELD(JointLog, velocity), THUD_FIELD(JointLog, torque), THUD_FIELD(JointLog, torque_reference));
  value<ObjectLog>(m, "ObjectLog", THUD_FIELD(ObjectLog, mass), THUD_FIELD(ObjectLog, inertia),
                   THUD_FIELD(ObjectLog, time), THUD_FIELD(ObjectLog, position), THUD_FIELD(ObjectLog, orientation));
  value<Trial>(m, "Trial", THUD_FIELD(Trial, name), THUD_FIELD(Trial, configuration), THUD_FIELD(Trial, speed),
               THUD_FIELD(Trial, repeat), THUD_FIELD(Trial, force), THUD_FIELD(Trial, joints),
               THUD_FIELD(Trial, clock_offset), THUD_FIELD(Trial, alarm_time), THUD_FIELD(Trial, object));
  value<Configuration>(m, "Configuration", THUD_FIELD(Configuration, name), THUD_FIELD(Configuration, q),
                       THUD_FIELD(Configuration, threshold));
  nb::enum_<DataSource>(m, "DataSource", doc("DataSource"))
      .value("measured", DataSource::measured, doc("DataSource.measured"))
      .value("simulated", DataSource::simulated, doc("DataSource.simulated"));
  m.def("to_string", nb::overload_cast<DataSource>(&to_string), nb::arg("source"), doc("dataset:to_string"));
  value<DatasetHeader>(m, "DatasetHeader", THUD_FIELD(DatasetHeader, source), THUD_FIELD(DatasetHeader, robot),
                       THUD_FIELD(DatasetHeader, urdf), THUD_FIELD(DatasetHeader, point),
                       THUD_FIELD(DatasetHeader, detection_joints), THUD_FIELD(DatasetHeader, configurations),
                       THUD_FIELD(DatasetHeader, plan), THUD_FIELD(DatasetHeader, campaign),
                       THUD_FIELD(DatasetHeader, seed), THUD_FIELD(DatasetHeader, versions));
  value<Truth>(m, "Truth", THUD_FIELD(Truth, law), THUD_FIELD(Truth, touch_time), THUD_FIELD(Truth, q),
               THUD_FIELD(Truth, dq), THUD_FIELD(Truth, velocity), THUD_FIELD(Truth, velocity_after),
               THUD_FIELD(Truth, peak_force), THUD_FIELD(Truth, peak_time), THUD_FIELD(Truth, compression_time),
               THUD_FIELD(Truth, contact_time), THUD_FIELD(Truth, depth), THUD_FIELD(Truth, impulse_compression),
               THUD_FIELD(Truth, impulse), THUD_FIELD(Truth, object_speed), THUD_FIELD(Truth, object_spin));
  value<Dataset>(m, "Dataset", THUD_FIELD(Dataset, header), THUD_FIELD(Dataset, trials));

  m.def(
      "read_dataset",
      [](const Path& path, std::uint64_t memory) {
        const nb::gil_scoped_release free;
        return read_dataset(path.string(), memory);
      },
      nb::arg("path"), nb::arg("memory") = default_dataset_memory, doc("dataset:read_dataset"));
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<DatasetReader>(m, "DatasetReader", doc("DatasetReader"))
      .def(
          "__init__",
          [](DatasetReader* self, const Path& path, std::uint64_t memory) {
            new (self) DatasetReader(path.string(), memory);
          },
          nb::arg("path"), nb::arg("memory") = default_dataset_memory)
      .def_static(
          "in_memory",
          [](const nb::bytes& bytes, const std::string& name, std::uint64_t memory) {
            return DatasetReader::in_memory({bytes.c_str(), bytes.size()}, name, memory);
          },
          nb::arg("bytes"), nb::arg("name") = "dataset", nb::arg("memory") = default_dataset_memory,
          nb::keep_alive<0, 1>(), doc("DatasetReader.in_memory"))
      .def_prop_ro("header", &DatasetReader::header, nb::rv_policy::reference_internal, doc("DatasetReader.header"))
      .def_prop_ro("robot", &DatasetReader::robot, nb::rv_policy::reference_internal, doc("DatasetReader.robot"))
      .def_prop_ro("finished", &DatasetReader::finished, doc("DatasetReader.finished"))
      .def("trial", &DatasetReader::trial, nb::arg("name"), Release(), doc("DatasetReader.trial"))
      .def("truth", &DatasetReader::truth, nb::arg("name"), Release(), doc("DatasetReader.truth"))
      .def(
          "dataset", [](const DatasetReader& reader) { return reader.dataset(); }, Release(),
          doc("DatasetReader.dataset"))
      .def_prop_ro("files", &DatasetReader::files, doc("DatasetReader.files"));
  m.def(
      "write_dataset",
      [](const Path& path, const Dataset& dataset, const std::vector<Truth>& truth, bool force) {
        const nb::gil_scoped_release free;
        write_dataset(path.string(), dataset, truth, force);
      },
      nb::arg("path"), nb::arg("dataset"), nb::arg("truth") = std::vector<Truth>{}, nb::arg("force") = false,
      doc("dataset:write_dataset"));
  m.def("validate_name", &validate_name, nb::arg("argument"), nb::arg("name"), doc("dataset:validate_name"));
  m.def("validate", nb::overload_cast<const DatasetHeader&>(&validate), nb::arg("header"), doc("dataset:validate"));
  m.def("validate", nb::overload_cast<const DatasetHeader&, const Trial&>(&validate), nb::arg("header"),
        nb::arg("trial"), doc("dataset:validate"));
  m.def("validate", nb::overload_cast<const Dataset&>(&validate), nb::arg("dataset"), doc("dataset:validate"));
  m.def("difference", &difference, nb::arg("old"), nb::arg("now"), doc("dataset:difference"));
  nb::class_<DatasetWriter>(m, "DatasetWriter", doc("DatasetWriter"))
      .def(
          "__init__",
          [](DatasetWriter* self, const Path& path, const DatasetHeader& header) {
            new (self) DatasetWriter(path.string(), header);
          },
          nb::arg("path"), nb::arg("header"))
      .def_prop_ro("missing", &DatasetWriter::missing, doc("DatasetWriter.missing"))
      .def("store", &DatasetWriter::store, nb::arg("trial"), nb::arg("truth") = nb::none(), doc("DatasetWriter.store"))
      .def("finish", &DatasetWriter::finish, doc("DatasetWriter.finish"));
}

}  // namespace thud::python
