#pragma once

/// Trials of an impact experiment, measured or simulated, and the file that keeps them. docs/dataset.md has the schema.
///
/// A dataset is one HDF5 file, or a folder of CSV files with a manifest: the door for trials of a real robot. Both hold
/// the same, and what is read from one can be written to the other.
///
/// Clocks  the force sensor and the robot's controller each have their own: t_robot = t_sensor + clock_offset.
/// Truth   what a simulated contact really did. It is in a separate group, apart from the trials, and nothing but
///         DatasetReader::truth reads it.
/// Safety  a trial is on disk when DatasetWriter::store returns. While a dataset is unfinished its trials lie in
///         the folder `PATH.parts`, one file each, and `PATH` holds the rest; DatasetWriter::finish joins them in the
///         order of the plan, so that the bytes depend neither on the order in which trials finish nor on
///         interruptions.
/// Threads reading is safe from several threads, one at a time gets into the HDF5 library.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/record.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Joint signals of one trial on the robot's clock: rows are samples, columns joints in the robot's order.
/// A signal that was not measured is empty.
struct JointLog {
  VectorX time;              ///< strictly increasing, robot's clock                    [s]            (n)
  MatrixX position;          ///< of the motors' encoders, reflected to the joint       [rad or m]     (n x joints)
  MatrixX velocity;          ///< likewise                                              [rad/s or m/s] (n x joints)
  MatrixX torque;            ///< of its sensor, between transmission and link          [N m or N]     (n x joints)
  MatrixX torque_reference;  ///< tau*, what the controller's inverse dynamics asked for [N m or N]    (n x joints)
};

/// What the robot hits where that is no wall, and how it moves, on the robot's clock and at a rate of its own: rows are
/// samples. Without samples there is no object.
struct ObjectLog {
  double mass = std::numeric_limits<double>::quiet_NaN();  ///< > 0                                          [kg]
  Matrix3 inertia = Matrix3::Zero();  ///< about its centre of mass, in its own axes; zero: not known         [kg m^2]
  VectorX time;                       ///< strictly increasing, robot's clock                            [s]  (n)
  MatrixX position;                   ///< of its centre of mass, in world axes                          [m]  (n x 3)
  MatrixX orientation;  ///< of its axes in the world's: unit quaternions w, x, y, z; empty: not measured  [1]  (n x 4)
};

/// One impact. It has a force record, a joint log, an object's motion, or several of these.
struct Trial {
  std::string name;                                         ///< unique in the dataset, by the rule of validate_name
  std::string configuration;                                ///< name of one of the dataset's configurations
  double speed = std::numeric_limits<double>::quiet_NaN();  ///< reference approach speed along the normal, > 0  [m/s]
  int repeat = 1;                                           ///< counts from 1 in its configuration and speed
  Record force;                                             ///< along the contact normal, sensor's clock; may be empty
  JointLog joints;
  double clock_offset = 0;                                       ///< t_robot - t_sensor                         [s]
  double alarm_time = std::numeric_limits<double>::quiet_NaN();  ///< of the controller, robot's clock; NaN: none [s]
  ObjectLog object{};
};

/// A posture in which the robot hits.
struct Configuration {
  std::string name;                                             ///< by the rule of validate_name
  VectorX q;                                                    ///< nominal joint positions at the touch  [rad or m]
  double threshold = std::numeric_limits<double>::quiet_NaN();  ///< of impact detection; NaN: not known   [N m]
};

/// Where the trials of a dataset come from.
enum class DataSource {
  measured,  ///< a real robot
  simulated  ///< the virtual lab
};

/// "measured" or "simulated".
std::string_view to_string(DataSource source) noexcept;

/// What all trials of a dataset have in common.
struct DatasetHeader {
  DataSource source = DataSource::measured;
  std::string robot;                    ///< its name
  std::string urdf;                     ///< its description, whole
  ContactPoint point;                   ///< where the robot hits, and the wall's normal
  std::vector<int> detection_joints{};  ///< joints whose torques were watched, from 0
  std::vector<Configuration> configurations{};
  std::vector<std::string> plan{};              ///< names of all trials, in order
  std::string campaign{};                       ///< the full configuration of a simulated campaign as TOML
  std::uint64_t seed = 0;                       ///< of a simulated campaign
  std::map<std::string, std::string> versions;  ///< of the programs that made it, by name
};

/// What really happened at a simulated contact. Times count from the touch [s].
struct Truth {
  ContactLaw law = Viscoelastic{};                               ///< of the wall in this trial
  double touch_time = std::numeric_limits<double>::quiet_NaN();  ///< robot's clock; NaN: never touched    [s]
  VectorX q;                                                     ///< link side, at the touch, if any      [rad or m]
  VectorX dq;                                                  ///< link side, at the touch              [rad/s or m/s]
  double velocity = std::numeric_limits<double>::quiet_NaN();  ///< of the point along n, < 0            [m/s]
  double velocity_after = std::numeric_limits<double>::quiet_NaN();    ///< at separation; NaN: never            [m/s]
  double peak_force = std::numeric_limits<double>::quiet_NaN();        ///<                                      [N]
  double peak_time = std::numeric_limits<double>::quiet_NaN();         ///<                                      [s]
  double compression_time = std::numeric_limits<double>::quiet_NaN();  ///< when the depth is greatest           [s]
  double contact_time = std::numeric_limits<double>::quiet_NaN();      ///< when the point leaves the wall       [s]
  double depth = std::numeric_limits<double>::quiet_NaN();             ///< greatest                             [m]
  double impulse_compression = std::numeric_limits<double>::quiet_NaN();  ///< up to compression_time            [N s]
  double impulse = std::numeric_limits<double>::quiet_NaN();              ///< up to contact_time                [N s]
  double object_speed = std::numeric_limits<double>::quiet_NaN();  ///< at separation, against the normal; NaN: a wall
  double object_spin = std::numeric_limits<double>::quiet_NaN();   ///< then, about the upward vertical       [rad/s]
};

/// A whole dataset in memory: the finished trials in the order of the plan.
struct Dataset {
  DatasetHeader header;
  std::vector<Trial> trials;
};

/// Memory that what one call of a DatasetReader returns may take unless it is told otherwise [byte]. Eight megabytes of
/// HDF5 can unpack to three gigabytes. The limit is that of a call, not of a reader, so that one can go through a
/// dataset of any size trial by trial; `dataset`, which keeps them all, has it for the sum.
inline constexpr std::uint64_t default_dataset_memory = std::uint64_t{1} << 30U;

/// A dataset: an HDF5 file, finished or not, or a folder with a manifest. It is opened once, and the description of its
/// robot parsed once. May be shared by threads.
///
/// All of it throws FileError naming the file, the object in it and what is wrong: not HDF5, truncated, not a dataset
/// of thud, of a newer version, a part that is missing or has the wrong type or shape, a number that is not finite.
class DatasetReader {
 public:
  explicit DatasetReader(const std::string& path, std::uint64_t memory = default_dataset_memory);

  /// Of the bytes of an HDF5 file, which must stay where they are as long as this; `name` stands for them in messages.
  /// Trials that an unfinished dataset has in files of their own are not there.
  static DatasetReader in_memory(std::string_view bytes, const std::string& name,
                                 std::uint64_t memory = default_dataset_memory);

  ~DatasetReader();
  DatasetReader(DatasetReader&&) noexcept;
  DatasetReader& operator=(DatasetReader&&) noexcept;

  /// What all trials have in common.
  const DatasetHeader& header() const noexcept;

  /// The robot that the header describes.
  const Robot& robot() const noexcept;

  /// Names of the trials that exist by now, in the order of the plan. All of the plan: the dataset is complete.
  std::vector<std::string> finished() const;

  /// One of the finished trials.
  Trial trial(const std::string& name) const;

  /// What really happened in one of the finished trials if it was simulated; nothing for a dataset without truth.
  std::optional<Truth> truth(const std::string& name) const;

  /// The header and all finished trials. `progress` is called after each, with how many are done and how many there
  /// are.
  Dataset dataset(const std::function<void(std::size_t done, std::size_t trials)>& progress = {}) const;

  /// The files that it reads: the HDF5 file and the parts of an unfinished one, or the manifest and all that it names.
  std::vector<std::string> files() const;

 private:
  class Form;
  class Hdf5;
  class Folder;
  explicit DatasetReader(std::unique_ptr<Form> form);
  std::unique_ptr<Form> form_;
};

/// The whole of a dataset, as DatasetReader reads it. Throws FileError.
Dataset read_dataset(const std::string& path, std::uint64_t memory = default_dataset_memory);

/// Writes a whole dataset or nothing; `truth` has one entry per trial or none. A path ending in .h5 or .hdf5 becomes a
/// file, any other a folder. Throws InputError as validate does, and FileError, also for what
/// require_replaceable_dataset refuses.
void write_dataset(const std::string& path, const Dataset& dataset, const std::vector<Truth>& truth = {},
                   bool force = false);

/// Checks that a dataset may be written: there is nothing yet, or an empty folder; or, by force, a dataset: an HDF5
/// file that can be read as one, or a folder that holds what its manifest names and nothing else. Throws FileError
/// naming `argument` and the path.
void require_replaceable_dataset(const std::string& argument, const std::string& path, bool force);

/// The rule for names of configurations and trials, which become names of files and of HDF5 groups: 1 to 100 letters,
/// digits, `_`, `-` and `.`, the first of them none of the last two. Throws InputError for `argument` otherwise.
void validate_name(const std::string& argument, const std::string& name);

/// Throws InputError, naming the field, unless the parts agree with each other and obey the rules on their lines.
void validate(const DatasetHeader& header);
void validate(const DatasetHeader& header, const Trial& trial);
void validate(const Dataset& dataset);

/// What distinguishes two headers, in words, the first against the second; nothing if they are the same.
std::optional<std::string> difference(const DatasetHeader& old, const DatasetHeader& now);

/// A dataset that grows by one trial at a time, for one writer. Not for use by two threads at once.
///
/// The constructor starts the file, or continues an unfinished one; a part that cannot be read counts as missing.
/// Throws InputError as validate does, and FileError if the file is complete, has another header, is not a dataset, or
/// is being written by another process.
class DatasetWriter {
 public:
  DatasetWriter(const std::string& path, const DatasetHeader& header);
  ~DatasetWriter();
  DatasetWriter(const DatasetWriter&) = delete;
  DatasetWriter& operator=(const DatasetWriter&) = delete;

  /// Names of the plan that are not stored yet.
  std::vector<std::string> missing() const;

  /// Writes a trial to disk. Throws InputError for one that is not in the plan or that validate rejects.
  void store(const Trial& trial, const std::optional<Truth>& truth);

  /// Joins all parts into the file and removes them. Throws InputError if a trial of the plan is missing.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thud
