#include <gtest/gtest.h>

#include "trials.hpp"

namespace thud::test {
namespace {

namespace fs = std::filesystem;

/// The first block of a kind in docs/dataset.md.
std::string documented(const std::string& kind) {
  const auto text = read_file(std::string(THUD_ROOT) + "/docs/dataset.md");
  const auto start = text.find("```" + kind + "\n") + kind.size() + 4;
  return text.substr(start, text.find("```", start) - start);
}

std::string record_text() {
  std::string text = "time [ms],force\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + "," + std::to_string(i * i) + "\n";
  return text;
}

/// A folder with a small dataset that each test spoils in its own way.
struct Sample {
  Folder folder;
  std::string manifest = R"(robot = "planar_2r"
detection_joints = ["joint2"]
[contact]
frame = "tip"
normal = [-1, 0, 0]
[[configuration]]
name = "bent"
q = [0.1, 1]
[[trial]]
force = "a.csv"
joints = "joints.csv"
speed = 0.1
)";
  std::string joints = "time,q.joint2,q.joint1\n0,1,2\n0.001,3,4\n";

  void write() const {
    write_file(folder / "manifest.toml", manifest);
    write_file(folder / "a.csv", record_text());
    write_file(folder / "joints.csv", joints);
  }
  Sample& replace(const std::string& old, const std::string& now) {
    const auto at = manifest.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    manifest.replace(at, old.size(), now);
    return *this;
  }
  /// What the reader says, without the name of the folder.
  std::string says() const {
    write();
    auto text = refusal<FileError>([&] { read_dataset(folder.path.string()); });
    if (const auto prefix = folder.path.string() + "/"; text.starts_with(prefix)) text.erase(0, prefix.size());
    return text;
  }
};

std::string spoilt(const std::string& old, const std::string& now) {
  return Sample().replace(old, now).says();
}

std::string with_joints(const std::string& text) {
  Sample sample;
  sample.joints = text;
  return sample.says();
}

TEST(Manifest, TheExampleInTheDocumentIsEnough) {
  const Folder folder;
  write_file(folder / "manifest.toml", documented("toml"));
  write_file(folder / "slow.csv", record_text());
  write_file(folder / "fast.csv", record_text());
  const auto dataset = read_dataset(folder.path.string());
  EXPECT_EQ(dataset.header.source, DataSource::measured);
  EXPECT_EQ(dataset.header.robot, "panda");
  EXPECT_EQ(dataset.header.urdf, urdf_text("panda"));
  EXPECT_EQ(dataset.header.plan, (std::vector<std::string>{"slow", "fast"}));
  EXPECT_EQ(dataset.header.configurations.at(0).name, "c1");
  EXPECT_EQ(dataset.header.configurations.at(0).q[3], -1.5);
  EXPECT_TRUE(std::isnan(dataset.header.configurations.at(0).threshold));
  EXPECT_EQ(dataset.trials.at(1).name, "fast");
  EXPECT_EQ(dataset.trials.at(1).configuration, "c1");
  EXPECT_EQ(dataset.trials.at(1).speed, 0.18);
  EXPECT_EQ(dataset.trials.at(1).repeat, 1);
  EXPECT_EQ(dataset.trials.at(1).force.time.at(3), 0.003);
  EXPECT_EQ(dataset.trials.at(1).joints.time.size(), 0);
  EXPECT_TRUE(std::isnan(dataset.trials.at(1).alarm_time));
  EXPECT_FALSE(DatasetReader(folder.path.string()).truth("slow").has_value());
  write_dataset(folder / "a.h5", dataset);
  EXPECT_TRUE(same(read_dataset(folder / "a.h5"), dataset));
}

TEST(Manifest, TakesARobotInItsFolderOrInline) {
  Sample sample;
  write_file(sample.folder / "my_arm.urdf", urdf_text("planar_2r"));
  sample.replace("planar_2r", "my_arm.urdf").write();
  EXPECT_EQ(DatasetReader(sample.folder.path.string()).header().robot, "my_arm");
  EXPECT_EQ(DatasetReader(sample.folder.path.string()).header().urdf, urdf_text("planar_2r"));
  sample.replace("\"my_arm.urdf\"", "'''" + urdf_text("planar_2r") + "'''\nrobot_name = \"Theo\"").write();
  EXPECT_EQ(DatasetReader(sample.folder.path.string()).header().robot, "Theo");
  EXPECT_EQ(DatasetReader(sample.folder.path.string()).header().urdf, urdf_text("planar_2r"));
}

TEST(Manifest, CountsRepeatsAndKeepsThePlan) {
  Sample sample;
  sample.replace("robot =", "plan = [\"late\", \"c\", \"a\", \"b\"]\nrobot =");
  sample.manifest += "[[trial]]\nname = \"b\"\nforce = \"a.csv\"\nspeed = 0.1\n";
  sample.manifest += "[[trial]]\nname = \"c\"\nforce = \"a.csv\"\nspeed = 0.2\nalarm_time = 3\nclock_offset = -1\n";
  sample.write();
  const auto dataset = read_dataset(sample.folder.path.string());
  EXPECT_EQ(DatasetReader(sample.folder.path.string()).finished(), (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_EQ(dataset.header.plan.size(), 4U);
  EXPECT_EQ(dataset.trials.at(0).repeat, 1);
  EXPECT_EQ(dataset.trials.at(0).alarm_time, 3);
  EXPECT_EQ(dataset.trials.at(0).clock_offset, -1);
  EXPECT_EQ(dataset.trials.at(2).name, "b");
  EXPECT_EQ(dataset.trials.at(2).repeat, 2);
  EXPECT_EQ(dataset.header.detection_joints, std::vector<int>{1});
}

TEST(Manifest, ReadsJointSignalsInAnyOrder) {
  Sample sample;
  sample.joints =
      "\xEF\xBB\xBF# robot's clock\r\ntau.joint1; time [ms]; tau.joint2; tau_ref.joint2; tau_ref.joint1\r\n"
      "1;0.5;2;+3;4\r\n\r\n5;1.5;6;7;-8e-1  # a pause\r\n";
  sample.write();
  const auto joints = read_dataset(sample.folder.path.string()).trials.at(0).joints;
  EXPECT_EQ(joints.time, (VectorX(2) << 0.0005, 0.0015).finished());
  EXPECT_EQ(joints.position.size(), 0);
  EXPECT_EQ(joints.velocity.size(), 0);
  EXPECT_EQ(joints.torque, (MatrixX(2, 2) << 1, 2, 5, 6).finished());
  EXPECT_EQ(joints.torque_reference, (MatrixX(2, 2) << 4, 3, -0.8, 7).finished());
}

TEST(Manifest, RefusesWithFileLineKeyValueAndRule) {
  EXPECT_EQ(Sample().says(), "no refusal");
  EXPECT_EQ(spoilt("speed = 0.1", "sped = 0.1"),
            "manifest.toml:12: sped: not a key here; known are name, configuration, speed, repeat, force, joints, "
            "object, object_mass, object_inertia, clock_offset, alarm_time, dropped, notes, truth");
  EXPECT_EQ(spoilt("frame", "link").substr(0, 36), "manifest.toml:4: link: not a key her");
  EXPECT_EQ(spoilt("[contact]", "colour = 1\n[contact]").substr(0, 38), "manifest.toml:3: colour: not a key her");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = \"fast\""), "manifest.toml:12: speed: fast: must be a finite number");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = nan"), "manifest.toml:12: speed: nan: must be a finite number");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = -1"), "manifest.toml:12: trial a.speed: -1: must be finite and > 0");
  EXPECT_EQ(spoilt("speed = 0.1", ""), "manifest.toml:9: speed: missing: must be a finite number");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = 1\nrepeat = 0"),
            "manifest.toml:13: repeat: 0: must be a whole number from 1 to 2147483647");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = 1\nconfiguration = \"x\""),
            "manifest.toml:13: trial a.configuration: x: is not one of the configurations");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = 1\nname = \"a/b\"").substr(0, 38), "manifest.toml:13: trial: 'a/b': a name");
  EXPECT_EQ(spoilt("speed = 0.1", "speed = 1\n[[trial]]\nforce = \"a.csv\"\nspeed = 1"),
            "manifest.toml:14: force: a.csv: another trial is named a");
  EXPECT_EQ(spoilt("[[trial]]", "[[configuration]]\nq = [1, 2]\n[[trial]]"),
            "manifest.toml:11: configuration: missing: must name one of the 2 configurations");
  EXPECT_EQ(spoilt("q = [0.1, 1]", "q = [0.1]"),
            "manifest.toml:8: configuration bent.q: 1 values: needs 2, one per joint of planar_2r");
  EXPECT_EQ(spoilt("q = [0.1, 1]", "q = [0.1, true]"),
            "manifest.toml:8: q: [0.1, true]: must be a list of finite numbers");
  EXPECT_EQ(spoilt("q = [0.1, 1]", "q = [0.1, 1]\nthreshold = -1"),
            "manifest.toml:9: configuration bent.threshold: -1: must be > 0, or NaN for one that is not known");
  EXPECT_EQ(spoilt("normal = [-1, 0, 0]", "normal = [-1, 0]"),
            "manifest.toml:5: normal: [-1, 0]: must be three numbers");
  EXPECT_EQ(spoilt("normal = [-1, 0, 0]", "normal = [0, 0, 0]"),
            "manifest.toml:5: point.normal: 0,0,0: must be finite and not zero");
  EXPECT_EQ(spoilt("\"tip\"", "\"hand\"").substr(0, 51), "manifest.toml:4: point.frame: hand: not a link of p");
  EXPECT_EQ(spoilt("\"joint2\"", "\"elbow\"").substr(0, 43), "manifest.toml:2: detection_joints: [elbow]:");
  EXPECT_EQ(spoilt("robot = \"planar_2r\"", "robot = \"none.urdf\""),
            "manifest.toml:1: robot: none.urdf: cannot be read (No such file or directory), and is not a shipped name");
  EXPECT_EQ(spoilt("robot = \"planar_2r\"", "robot = \"a.csv\"").substr(0, 25), "manifest.toml:1: urdf: a:");
  EXPECT_EQ(spoilt("robot = \"planar_2r\"", "").substr(0, 31), "manifest.toml:1: robot: missing");
  EXPECT_EQ(spoilt("robot = ", "plan = [\"b\"]\nrobot = "), "manifest.toml:1: plan: [b]: does not have the trial a");
  EXPECT_EQ(spoilt("robot = ", "format_version = 2\nrobot = "),
            "manifest.toml:1: format_version: 2: this program reads version 1; a newer thud is needed");
  EXPECT_EQ(spoilt("robot = ", "source = \"dreamt\"\nrobot = "),
            "manifest.toml:1: source: dreamt: must be measured or simulated");
  EXPECT_EQ(spoilt("robot = ", "seed = -1\nrobot = "),
            "manifest.toml:1: seed: -1: must be a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(spoilt("robot = ", "seed = \"1x\"\nrobot = "),
            "manifest.toml:1: seed: 1x: must be a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(
      spoilt("[contact]", "s\xCC\xB0 = 1\n[contact]"),
      "manifest.toml:3: a character outside ASCII: must be between quotes, not after a backslash, or in a comment");
  EXPECT_EQ(spoilt("[contact]", "a = \"\"\"\\\n \xD0\x90\"\"\"\n[contact]").substr(0, 42),
            "manifest.toml:4: a character outside ASCII");
  EXPECT_EQ(spoilt("[contact]", "a = \"\"\"\n\\\xD0\x90\"\"\"\n[contact]").substr(0, 42),
            "manifest.toml:4: a character outside ASCII");
  EXPECT_EQ(spoilt("[contact]", "[contact]  # \xC3\xA9"), "no refusal");
  EXPECT_EQ(spoilt("[contact]", "[versions]\n\"\xC3\xA9\" = \"\"\"\"\xC3\xA9\"\"\"\"\na = '\xC3\xA9\\'\n[contact]"),
            "no refusal");
  EXPECT_EQ(spoilt("[contact]", "[versions]\na = \"\"\"\\\\\n\xC3\xA9\"\"\"\n[contact]").substr(0, 28),
            "manifest.toml:3: versions.a:");
  // toml++ 3.3 would look for blanks among these
  for (const std::string value : {"+\"\xC3\xA9\"", "0.'''1\xEF\xBB\x91'''", "+{\"a\xCD\xBB\"}", "[0.'\xC3\xA9']"})
    EXPECT_EQ(spoilt("0.1\n", value + "\n").substr(0, 26), "manifest.toml:12: not TOML") << value;
  for (const std::string header : {"[[[[trial]]trial]]", "[ ?]", "[=", "  [.a]", "q = [0,}1]"})  // toml++ 3.3 asserts
    EXPECT_EQ(spoilt("[[trial]]", header).substr(0, 25), "manifest.toml:9: not TOML") << header;
  EXPECT_EQ(spoilt("[0.1, 1]", "[ # a comment\n  0.1,\n  1\n]"), "no refusal");
  EXPECT_EQ(spoilt("[0.1, 1]", "[\n[[0.1], [{ }]],\n  [[ [\n]]]]").substr(0, 22), "manifest.toml:8: q: [[");
  EXPECT_EQ(spoilt("[contact]", "[]").substr(0, 25), "manifest.toml:3: not TOML");
  EXPECT_EQ(spoilt("[contact]", "[contact").substr(0, 25), "manifest.toml:3: not TOML");
  EXPECT_EQ(spoilt("[[trial]]", "[trial]"),
            "manifest.toml:9: trial: a table: must be given at least once, as [[trial]]");
  EXPECT_EQ(spoilt("force = \"a.csv\"", "force = \"none.csv\""),
            "none.csv: cannot be opened: No such file or directory");
}

// What the fuzzer found: the name of a frame came back with its line end.
TEST(Manifest, ALineEndInAFrameIsRefusedInOneLine) {
  const auto said = spoilt("\"tip\"", R"("p\nda_foot")");
  EXPECT_TRUE(said.starts_with("manifest.toml:4: point.frame: p\\x0ada_foot: not a link of p")) << said;
}

TEST(Manifest, ATrialNeedsNoForceRecord) {
  Sample sample;
  sample.replace("force = \"a.csv\"", "object = \"box.csv\"\nobject_mass = 0.4");
  write_file(sample.folder / "box.csv", "z,time [ms],y,x\n3,0,2,1\n3,5,2,1.01\n");
  sample.write();
  const auto dataset = read_dataset(sample.folder.path.string());
  const Trial& trial = dataset.trials.at(0);
  EXPECT_EQ(trial.name, "joints");  // after the first file that it has
  EXPECT_TRUE(trial.force.time.empty());
  EXPECT_EQ(trial.object.mass, 0.4);
  EXPECT_TRUE(trial.object.inertia.isZero(0));
  EXPECT_EQ(trial.object.time, (VectorX(2) << 0, 0.005).finished());
  EXPECT_EQ(trial.object.position, (MatrixX(2, 3) << 1, 2, 3, 1.01, 2, 3).finished());
  EXPECT_EQ(trial.object.orientation.size(), 0);
  for (const std::string name : {"a.h5", "again"}) {
    write_dataset(sample.folder / name, dataset);
    EXPECT_TRUE(same(read_dataset(sample.folder / name), dataset)) << name;
  }
  EXPECT_FALSE(fs::exists(sample.folder / "again/force"));
}

TEST(Manifest, RefusesObjects) {
  const auto says = [](const std::string& keys, const std::string& motion) {
    Sample sample;
    sample.replace("force = \"a.csv\"", keys);
    write_file(sample.folder / "box.csv", motion);
    return sample.says();
  };
  const std::string good = "object = \"box.csv\"\nobject_mass = 0.4", rows = "time,x,y,z\n0,1,2,3\n1,1,2,3\n";
  EXPECT_EQ(says(good, rows), "no refusal");
  EXPECT_EQ(spoilt("force = \"a.csv\"\njoints = \"joints.csv\"", ""),
            "manifest.toml:9: force: missing: needs a force record, a joint log or the motion of an object");
  EXPECT_EQ(says("object = \"box.csv\"", rows), "manifest.toml:9: object_mass: missing: must be a finite number");
  EXPECT_EQ(says("object = \"box.csv\"\nobject_mass = -1", rows),
            "manifest.toml:11: trial joints.object.mass: -1: must be finite and > 0");
  EXPECT_EQ(says("object_mass = 1", rows),
            "manifest.toml:10: object_mass: 1: is that of an object, which is not given");
  EXPECT_EQ(says("notes = []", rows), "manifest.toml:10: notes: []: is that of a force record, which is not given");
  EXPECT_EQ(says(good + "\nobject_inertia = [1, 1]", rows),
            "manifest.toml:12: object_inertia: [1, 1]: must be [xx, yy, zz, xy, xz, yz]");
  EXPECT_EQ(says(good + "\nobject_inertia = [1, 1, 3, 0, 0, 0]", rows),
            "manifest.toml:12: trial joints.object.inertia: 3: no principal moment exceeds the sum of the others in a "
            "rigid body");
  EXPECT_EQ(says(good + "\nobject_inertia = [1, 1, 1, 1, 0, 0]", rows).substr(0, 50),
            "manifest.toml:12: trial joints.object.inertia: 0: ");
  EXPECT_EQ(says(good, "time,x,y\n0,1,2\n"), "box.csv:1: z: missing; a position has three columns");
  EXPECT_EQ(says(good, "time,x,y,z,qw\n0,1,2,3,1\n"),
            "box.csv:1: qx: missing; an orientation has four columns, or none");
  EXPECT_EQ(says(good, "time,x,y,z,x\n0,1,2,3,1\n"), "box.csv:1: x: names a column twice");
  EXPECT_EQ(says(good, "time,x,y,z,w\n0,1,2,3,1\n"),
            "box.csv:1: w: not a column of an object's motion: time, x, y, z, qw, qx, qy, qz");
  EXPECT_EQ(says(good, "time,x,y,z\n"), "box.csv: no rows: motions of an object need at least one row of numbers");
  EXPECT_EQ(says(good, "time,x,y,z\n0,1,2,3\n0,1,2,3\n"), "box.csv:3: 0: time must increase from row to row");
  EXPECT_EQ(
      says(good, "time,x,y,z,qw,qx,qy,qz\n0,1,2,3,1,1,0,0\n"),
      "manifest.toml:10: trial joints.object.orientation[0]: 1.4142135623730951: a quaternion must have length 1");
}

TEST(Manifest, RefusesFilesOutsideItsFolder) {
  const auto rule = ": must be the name of a file in the folder of the manifest";
  EXPECT_EQ(spoilt("\"a.csv\"", "\"../a.csv\""), std::string("manifest.toml:10: force: ../a.csv") + rule);
  EXPECT_EQ(spoilt("\"a.csv\"", "\"/etc/passwd\""), std::string("manifest.toml:10: force: /etc/passwd") + rule);
  EXPECT_EQ(spoilt("\"joints.csv\"", "\"x/../../b\""), std::string("manifest.toml:11: joints: x/../../b") + rule);
  EXPECT_EQ(spoilt("\"planar_2r\"", "\"../r.urdf\""), std::string("manifest.toml:1: robot: ../r.urdf") + rule);
  EXPECT_EQ(spoilt("\"a.csv\"", "\"\""), std::string("manifest.toml:10: force: ") + rule);
  const Folder other;
  write_file(other / "secret.csv", record_text());
  Sample sample;
  fs::create_symlink(other / "secret.csv", sample.folder / "link.csv");
  EXPECT_EQ(sample.replace("\"a.csv\"", "\"link.csv\"").says(),
            std::string("manifest.toml:10: force: link.csv") + rule);
}

TEST(Manifest, RefusesJointSignals) {
  EXPECT_EQ(with_joints(""), "joints.csv: no rows: joint signals need a line of column names and rows of numbers");
  EXPECT_EQ(with_joints("time\n"), "joints.csv: no rows: joint signals need at least one row of numbers");
  EXPECT_EQ(with_joints("q.joint1,q.joint2\n1,2\n"), "joints.csv:1: q.joint1,q.joint2: needs one column time");
  EXPECT_EQ(with_joints("t,time\n1,2\n"), "joints.csv:1: t,time: needs one column time");
  EXPECT_EQ(with_joints("time,q.joint1\n1,2\n"),
            "joints.csv:1: q.joint2: missing; a signal has a column for every joint, or none at all");
  EXPECT_EQ(with_joints("time,q.joint1,q.joint2,q.joint1\n"), "joints.csv:1: q.joint1: names a column twice");
  EXPECT_EQ(with_joints("time,q.elbow\n").substr(0, 60),
            "joints.csv:1: q.elbow: elbow is not a moving joint of planar");
  EXPECT_EQ(with_joints("time,current\n"),
            "joints.csv:1: current: not a column of joint signals: time, q.JOINT, "
            "dq.JOINT, tau.JOINT, tau_ref.JOINT");
  EXPECT_EQ(with_joints("time [min]\n1\n"), "joints.csv:1: min: not a unit of time: s, ms, us, ns");
  EXPECT_EQ(with_joints("time,q.joint1,q.joint2\n1,2,3\n2,3\n"),
            "joints.csv:3: 2,3: this row has 2 cells, the header has 3");
  EXPECT_EQ(with_joints("time,q.joint1,q.joint2\n1,2,x\n"), "joints.csv:2: x: not a number");
  EXPECT_EQ(with_joints("time,q.joint1,q.joint2\n1,2,\n"), "joints.csv:2: : not a number");
  EXPECT_EQ(with_joints("time,q.joint1,q.joint2\n1,nan,3\n"), "joints.csv:2: nan: must be finite");
  EXPECT_EQ(with_joints("time\n1\n1\n"), "joints.csv:3: 1: time must increase from row to row");
}

TEST(Manifest, WritesAFolderOrNothing) {
  const Folder folder;
  const auto dataset = sample_dataset(2);
  fs::create_directories(folder / "empty");
  EXPECT_NO_THROW(write_dataset(folder / "empty/", dataset)) << "an empty folder may be filled";
  EXPECT_TRUE(same(read_dataset(folder / "empty"), dataset));
  EXPECT_EQ(refusal<FileError>([&] { write_dataset(folder / "empty", dataset); }),
            "path: " + (folder / "empty") + ": already exists; --force replaces it");
  EXPECT_NO_THROW(write_dataset(folder / "empty/", dataset, {}, true));
  EXPECT_TRUE(same(read_dataset(folder / "empty"), dataset));
  EXPECT_NE(refusal<FileError>([&] { write_dataset(folder / "no/such/place", dataset); }), "no refusal");
  auto odd = dataset;
  odd.header.urdf =
      "<robot name='r'><link name='base'/><link name='tip'><inertial><mass value='1'/><inertia ixx='1' "
      "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='a,b' type='continuous'>"
      "<parent link='base'/><child link='tip'/><axis xyz='0 0 1'/></joint></robot>";
  odd.header.detection_joints = {0};
  for (auto& configuration : odd.header.configurations) configuration.q.conservativeResize(1);
  for (auto& trial : odd.trials)
    for (auto* signal :
         {&trial.joints.position, &trial.joints.velocity, &trial.joints.torque, &trial.joints.torque_reference})
      if (signal->size() > 0) signal->conservativeResize(signal->rows(), 1);
  EXPECT_EQ(refusal<InputError>([&] { write_dataset(folder / "odd", odd); }),
            "joint: a,b: cannot be the name of a column in a CSV file");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"empty"}) << "something was left behind";
}

}  // namespace
}  // namespace thud::test
