#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "trials.hpp"

namespace thud::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const Dataset& dataset, const std::vector<Truth>& truth = {}) {
  const Folder folder;
  write_dataset(folder / "a.h5", dataset, truth);
  return read_file(folder / "a.h5");
}

/// Opens a file with the HDF5 library itself, as anybody could, and changes it.
void change(const std::string& path, const std::function<void(hid_t)>& edit) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  edit(file);
  H5Fclose(file);
}

void set_integer(hid_t file, const char* name, std::int64_t value) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &value);
  H5Aclose(attribute);
}

/// Puts an array of another kind in the place of one.
void replace(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& shape, const void* values) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  std::vector<hsize_t> chunk(shape.size(), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) chunk[i] = std::min<hsize_t>(shape[i], 1024);
  H5Pset_chunk(properties, static_cast<int>(shape.size()), chunk.data());
  const hid_t array = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  ASSERT_GE(array, 0) << name;
  if (values) H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(array);
  H5Pclose(properties);
  H5Sclose(space);
}

TEST(Dataset, ReadsBackWhatItWrote) {
  for (const int trials : {1, 2, 7, 30}) {
    const Folder folder;
    auto dataset = sample_dataset(trials);
    const auto truths = sample_truths(trials);
    dataset.header.seed = trials == 7 ? std::numeric_limits<std::uint64_t>::max() : 3;
    for (const std::string name : {"a.h5", "a.hdf5", "folder"}) {
      write_dataset(folder / name, dataset, truths);
      EXPECT_TRUE(same(read_dataset(folder / name), dataset)) << name;
      EXPECT_TRUE(same(DatasetReader(folder / name).header(), dataset.header)) << name;
      EXPECT_EQ(DatasetReader(folder / name).finished(), dataset.header.plan) << name;
      for (std::size_t i = 0; i < dataset.trials.size(); ++i) {
        EXPECT_TRUE(same(DatasetReader(folder / name).trial(dataset.trials[i].name), dataset.trials[i])) << name << i;
        EXPECT_TRUE(same(DatasetReader(folder / name).truth(dataset.trials[i].name).value(), truths[i])) << name << i;
      }
    }
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.h5", "a.hdf5", "folder"})) << "something was left behind";
  }
}

TEST(Dataset, IsReadFromMemory) {
  const auto dataset = sample_dataset(7), other = sample_dataset(2);
  const auto truths = sample_truths(7);
  const std::string bytes = bytes_of(dataset, truths), second = bytes_of(other);
  const auto reader = DatasetReader::in_memory(bytes, "a.h5"), beside = DatasetReader::in_memory(second, "a.h5");
  EXPECT_TRUE(same(reader.dataset(), dataset));
  EXPECT_TRUE(same(beside.dataset(), other)) << "the same name, other bytes";
  EXPECT_EQ(reader.finished(), dataset.header.plan);
  EXPECT_TRUE(same(reader.truth(dataset.trials[3].name).value(), truths[3]));
  EXPECT_EQ(reader.files(), std::vector<std::string>{});
  EXPECT_EQ(bytes, bytes_of(dataset, truths)) << "nothing is written";

  // What is refused of a file is refused of its bytes, in the same words.
  const Folder folder;
  const auto refused = [](auto&& read) {
    try {
      read();
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string("no refusal");
  };
  std::string foreign = bytes, wrong = bytes;
  foreign[0] = 'x';
  wrong[wrong.size() / 2] = static_cast<char>(wrong[wrong.size() / 2] ^ 1);
  for (const std::string& each : {std::string(), bytes.substr(0, 20), bytes.substr(0, 60), bytes.substr(0, 4000),
                                  foreign, wrong, std::string(3, '\x89')}) {
    SCOPED_TRACE(each.size());
    folder.put("b.h5", each);
    const std::string path = folder / "b.h5";
    EXPECT_EQ(refused([&] { DatasetReader::in_memory(each, path).dataset(); }),
              refused([&] { DatasetReader(path).dataset(); }));
  }
  EXPECT_NE(refused([&] { DatasetReader::in_memory(wrong, "b.h5").dataset(); }), "no refusal");

  // Parts of an unfinished dataset are files of their own, which nobody has named.
  const std::string path = folder / "parts.h5";
  {
    DatasetWriter writer(path, dataset.header);
    writer.store(dataset.trials[0], truths[0]);
  }
  EXPECT_EQ(DatasetReader(path).finished().size(), 1U);
  const std::string unfinished = read_file(path);
  EXPECT_EQ(DatasetReader::in_memory(unfinished, path).finished().size(), 0U);
}

TEST(Dataset, WithoutOptionalPartsToo) {
  const Folder folder;
  auto dataset = sample_dataset(3);
  dataset.header.campaign.clear();
  dataset.header.versions.clear();
  dataset.header.detection_joints.clear();
  dataset.trials.erase(dataset.trials.begin() + 1);  // unfinished
  for (const std::string name : {"a.h5", "folder"}) {
    write_dataset(folder / name, dataset);
    EXPECT_TRUE(same(read_dataset(folder / name), dataset)) << name;
    EXPECT_EQ(DatasetReader(folder / name).finished().size(), 2U);
    EXPECT_FALSE(DatasetReader(folder / name).truth(dataset.trials[0].name).has_value());
    EXPECT_NE(refusal<FileError>([&] { DatasetReader(folder / name).trial(dataset.header.plan[1]); }), "no refusal");
  }
}

TEST(Dataset, SameDataAreTheSameBytesByEveryRoad) {
  const Folder folder;
  for (const int trials : {1, 9, 40}) {
    const auto dataset = sample_dataset(trials);
    const auto truths = sample_truths(trials);
    const auto bytes = bytes_of(dataset, truths);
    EXPECT_EQ(bytes_of(dataset, truths), bytes);
    const auto there = folder / ("there" + std::to_string(trials));
    write_dataset(there, dataset, truths);
    std::vector<Truth> back;
    const DatasetReader reader(there);
    for (const auto& name : reader.finished()) back.push_back(reader.truth(name).value());
    EXPECT_EQ(bytes_of(read_dataset(there), back), bytes) << "through a folder of CSV files";
  }
}

TEST(Dataset, TakesAnyNumber) {
  auto dataset = sample_dataset(1);
  auto& trial = dataset.trials.front();
  const double numbers[] = {-0.0, 5e-324, -2.2250738585072014e-308, 1e12, 0.1, 1.0 / 3, 123456789.123456789};
  for (std::size_t i = 0; i < std::size(numbers); ++i) trial.force.force[i] = numbers[i];
  for (Eigen::Index i = 0; i < 7; ++i) trial.joints.position(i, 1) = numbers[i];
  trial.joints.torque(0, 0) = 1.7976931348623157e308;
  trial.clock_offset = 5e-324;
  dataset.header.point.offset[2] = 1e-300;
  const Folder folder;
  for (const std::string name : {"a.h5", "folder"}) {
    write_dataset(folder / name, dataset);
    EXPECT_TRUE(same(read_dataset(folder / name), dataset)) << name;
  }
}

TEST(Dataset, RefusesWhatIsNotADataset) {
  const Folder folder;
  const auto file = folder / "a.h5";
  const auto says = [&](const std::string& text) {
    write_file(file, text);
    std::string all;
    for (const auto& message :
         {refusal<FileError>([&] { read_dataset(file); }), refusal<FileError>([&] { DatasetReader(file).header(); }),
          refusal<FileError>([&] { DatasetReader(file).trial("a"); }),
          refusal<FileError>([&] { DatasetReader(file).finished(); }),
          refusal<FileError>([&] { DatasetReader(file).truth("a"); })}) {
      EXPECT_TRUE(all.empty() || all == message) << all << " or " << message;
      all = message;
    }
    return all.substr(file.size());
  };
  EXPECT_EQ(says(""), ": is empty: a dataset is an HDF5 file or a folder with a manifest.toml");
  EXPECT_EQ(says("time,force\n1,2\n"), ": is not HDF5: a dataset is an HDF5 file or a folder with a manifest.toml");
  EXPECT_EQ(says("\x89HD"), ": 3 bytes: the file is truncated");
  EXPECT_EQ(says("\x89HDF\r\n\x1A\n"), ": 8 bytes: the file is truncated");
  EXPECT_EQ(refusal<FileError>([&] { read_dataset(folder / "none.h5"); }),
            folder / "none.h5" + ": cannot be opened: No such file or directory");
  EXPECT_EQ(refusal<FileError>([&] { read_dataset("/dev/null"); }),
            "/dev/null: is not a file: a dataset is an HDF5 file or a folder");
  fs::create_directories(folder / "empty");
  EXPECT_EQ(refusal<FileError>([&] { read_dataset(folder / "empty"); }),
            folder / "empty" + "/manifest.toml: cannot be opened: No such file or directory");

  // HDF5 of others: an old format, and a new one with nothing of ours.
  for (const bool fresh : {false, true}) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (fresh) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    H5Fclose(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
    EXPECT_EQ(refusal<FileError>([&] { read_dataset(file); }),
              file + (fresh ? ": no attribute format: is HDF5, but not a thud dataset"
                            : ": is HDF5 of another kind: a dataset of thud is HDF5 of format 1.10, with checksums"));
  }
}

TEST(Dataset, RefusesDamage) {
  const Folder folder;
  const auto file = folder / "a.h5";
  const auto good = sample_dataset(2);
  const auto check = [&](const std::function<void(hid_t)>& edit) {
    fs::remove(file);
    write_dataset(file, good, sample_truths(2));
    change(file, edit);
    const auto message = refusal<FileError>([&] { read_dataset(file); });
    return message.starts_with(file) ? message.substr(file.size()) : message;
  };
  const double nan = NAN, numbers[] = {1, 2, 3};
  const std::int64_t integers[] = {1, 2, 3};
  const auto trial = [&](const std::string& rest) { return "/trials/" + good.header.plan[0] + "/" + rest; };
  const auto time = trial("force/time"), torque = trial("joints/torque");
  EXPECT_EQ(check([](hid_t) {}), "no refusal");
  EXPECT_EQ(check([](hid_t f) { set_integer(f, "format_version", 2); }),
            ": format version 2: this program reads version 1; a newer thud is needed");
  EXPECT_EQ(check([](hid_t f) { H5Adelete(f, "complete"); }), ":/@complete: missing: must be a whole number (int64)");
  EXPECT_EQ(check([](hid_t f) { H5Ldelete(f, "header", H5P_DEFAULT); }),
            ":/header: missing: a dataset needs this group");
  EXPECT_EQ(check([](hid_t f) { H5Ldelete(f, "header/urdf", H5P_DEFAULT); }),
            ":/header/urdf: missing: a dataset needs this array");
  EXPECT_EQ(check([&](hid_t f) { H5Ldelete(f, trial("").c_str(), H5P_DEFAULT); }),
            ":/trials/" + good.header.plan[0] + ": missing: the file says that it is complete");
  EXPECT_EQ(check([&](hid_t f) { H5Ldelete(f, time.c_str(), H5P_DEFAULT); }),
            ":" + time + ": missing: a dataset needs this array");
  EXPECT_EQ(check([&](hid_t f) { replace(f, time.c_str(), H5T_IEEE_F64LE, {3}, numbers); }),
            ":/trials/trial " + good.header.plan[0] + ".force: record: 3 times, 300 forces: each time needs one force");
  EXPECT_EQ(check([&](hid_t f) { replace(f, time.c_str(), H5T_STD_I64LE, {3}, integers); }),
            ":" + time + ": is of another type: must be of numbers (float64)");
  EXPECT_EQ(check([&](hid_t f) {
              replace(f, time.c_str(), H5T_IEEE_F64LE, {3, 1}, numbers);
            }),
            ":" + time + ": has another shape: must be a list");
  EXPECT_EQ(check([&](hid_t f) {
              replace(f, torque.c_str(), H5T_IEEE_F64LE, {1, 3}, numbers);
            }),
            ":" + torque + ": has another shape: must be a table of 2 columns");
  EXPECT_EQ(check([&](hid_t f) { replace(f, time.c_str(), H5T_IEEE_F64LE, {1}, &nan); }),
            ":" + time + "[0]: nan: must be finite");
  EXPECT_EQ(check([&](hid_t f) { replace(f, time.c_str(), H5T_IEEE_F64LE, {100'000'000'000}, nullptr); }),
            ":" + time + ": 100000000000 x 1: is larger than the file can hold");
  EXPECT_EQ(check([&](hid_t f) { replace(f, time.c_str(), H5T_IEEE_F64LE, {1'000'000}, nullptr); }),
            ":" + time + ": 1000000 x 1: is larger than the file can hold");
  EXPECT_EQ(check([&](hid_t f) {
              H5Ldelete(f, time.c_str(), H5P_DEFAULT);
              H5Lcreate_soft("/header/urdf", f, time.c_str(), H5P_DEFAULT, H5P_DEFAULT);
            }),
            ":" + time + ": missing: a dataset needs this array");
}

TEST(Dataset, IgnoresWhatItDoesNotKnowAndReadsWithoutTruth) {
  const Folder folder;
  const auto file = folder / "a.h5";
  const auto good = sample_dataset(2);
  write_dataset(file, good, sample_truths(2));
  change(file, [](hid_t f) {
    H5Gclose(H5Gcreate2(f, "/trials/notes of mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(f, "/more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Ldelete(f, "truth", H5P_DEFAULT);
  });
  EXPECT_TRUE(same(read_dataset(file), good));
  EXPECT_FALSE(DatasetReader(file).truth(good.header.plan[0]).has_value());
}

TEST(Dataset, NobodyLooksAtTheTruthUnlessAsked) {
  const Folder folder;
  const auto file = folder / "a.h5";
  const auto good = sample_dataset(1);
  write_dataset(file, good, sample_truths(1));
  auto bytes = read_file(file);
  const auto at = bytes.find("restitution");  // in the truth of a spring, and nowhere else
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(bytes.find("restitution", at + 1), std::string::npos);
  for (std::size_t i = 0; i < 200; ++i) bytes[at - 100 + i] = static_cast<char>(bytes[at - 100 + i] ^ 0x55);
  write_file(file, bytes);
  EXPECT_TRUE(same(read_dataset(file), good));
  EXPECT_NE(refusal<FileError>([&] { DatasetReader(file).truth(good.header.plan[0]); }), "no refusal");

  const auto there = folder / "folder";
  write_dataset(there, good, sample_truths(1));
  auto manifest = read_file(there + "/manifest.toml");
  manifest.replace(manifest.find("\"spring\""), 8, "\"glue\"");
  write_file(there + "/manifest.toml", manifest);
  EXPECT_TRUE(same(read_dataset(there), good));
  EXPECT_NE(
      refusal<FileError>([&] { DatasetReader(there).truth(good.header.plan[0]); }).find("law: glue: must be spring"),
      std::string::npos);
}

TEST(Dataset, ATruncatedFileIsRefusedWhereverItEnds) {
  const Folder folder;
  const auto file = folder / "a.h5";
  write_dataset(file, sample_dataset(2), sample_truths(2));
  for (auto end = fs::file_size(file); end-- > 0;) {
    if (end > 600 && end % 97 != 0) continue;
    fs::resize_file(file, end);
    const auto message = refusal<FileError>([&] { read_dataset(file); });
    ASSERT_TRUE(message.starts_with(file + ": ")) << end << ": " << message;
  }
}

TEST(Dataset, AWrongByteIsNoticedOrDoesNotMatter) {
  const Folder folder;
  const auto path = folder / "a.h5";
  const auto dataset = sample_dataset(1);
  write_dataset(path, dataset);
  const auto bytes = read_file(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte).flush();
  };
  int refused = 0;
  Random random(base_seed());
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 5) {
    put(at, static_cast<char>(bytes[at] ^ (1 << random() % 8)));
    try {
      ASSERT_TRUE(same(read_dataset(path), dataset)) << "byte " << at << " of " << bytes.size();
    } catch (const FileError&) {
      ++refused;
    }
    put(at, bytes[at]);
  }
  EXPECT_GT(refused, 1000);
}

/// A dataset of long records of zeros, which HDF5 packs by a factor of a thousand.
Dataset packed_dataset(std::size_t trials, std::size_t samples) {
  auto dataset = sample_dataset(static_cast<int>(trials));
  for (auto& trial : dataset.trials) {
    trial.force.time.resize(samples);
    for (std::size_t i = 0; i < samples; ++i) trial.force.time[i] = 1e-4 * static_cast<double>(i);
    trial.force.force.assign(samples, 0);
  }
  return dataset;
}

TEST(Dataset, UnpacksNoMoreThanItMay) {
  const Folder folder;
  constexpr std::size_t trials = 4, samples = 200'000;  // 3.2 MB a trial
  const auto dataset = packed_dataset(trials, samples);
  for (const auto* name : {"a.h5", "folder"}) {
    SCOPED_TRACE(name);
    const auto path = folder / name;
    write_dataset(path, dataset);
    constexpr std::uint64_t two_trials = std::uint64_t{7} << 20U;
    const DatasetReader reader(path, two_trials);
    // trial by trial without an end, but not all at once
    for (int i = 0; i < 3; ++i)
      for (const auto& trial : reader.finished()) EXPECT_EQ(reader.trial(trial).force.time.size(), samples);
    const auto message = refusal<FileError>([&] { static_cast<void>(reader.dataset()); });
    EXPECT_NE(
        message.find("is beyond the 0.006836 GiB of memory that the dataset may take (argument memory, --memory)"),
        std::string::npos)
        << message;
    EXPECT_NE(message.find(dataset.header.plan[2]), std::string::npos) << message;
    EXPECT_NE(refusal<FileError>([&] { DatasetReader(path, 1U << 20U).trial(dataset.header.plan[0]); }), "no refusal");
    std::size_t steps = 0;
    EXPECT_TRUE(same(DatasetReader(path).dataset([&](std::size_t done, std::size_t all) {
      EXPECT_EQ(done, ++steps);
      EXPECT_EQ(all, trials);
    }),
                     dataset));
    EXPECT_EQ(steps, trials);
  }
}

TEST(Dataset, PartsOfAnUnfinishedOneShareTheMemory) {
  const Folder folder;
  const auto dataset = packed_dataset(3, 200'000);
  DatasetWriter writer(folder / "a.h5", dataset.header);
  for (const auto& trial : dataset.trials) writer.store(trial, std::nullopt);
  const DatasetReader reader(folder / "a.h5", std::uint64_t{7} << 20U);
  EXPECT_NE(refusal<FileError>([&] { static_cast<void>(reader.dataset()); }).find("is beyond the"), std::string::npos);
  EXPECT_EQ(reader.trial(dataset.header.plan[2]).force.time.size(), 200'000U);
  EXPECT_EQ(reader.files().size(), 4U);
  EXPECT_NO_THROW(writer.finish());
}

TEST(Dataset, ReplacesADatasetByForceAndNothingElse) {
  const Folder folder;
  const auto dataset = sample_dataset(2);
  for (const auto* name : {"a.h5", "folder"}) {
    SCOPED_TRACE(name);
    const auto path = folder / name;
    write_dataset(path, dataset);
    EXPECT_EQ(refusal<FileError>([&] { write_dataset(path, dataset); }),
              "path: " + path + ": already exists; --force replaces it");
    write_dataset(path, sample_dataset(1), {}, true);
    EXPECT_TRUE(same(read_dataset(path), sample_dataset(1)));
  }
  write_file(folder / "mine.h5", "mine");
  EXPECT_NE(refusal<FileError>([&] {
              write_dataset(folder / "mine.h5", dataset, {}, true);
            }).find("exists and is not a dataset (is not HDF5: "),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "mine.h5"), "mine");
  // What the manifest does not name is somebody's, however deep.
  for (const auto* file : {"thesis.txt", "force/extra.csv", "force/sub/raw.bin", "joints/notes"}) {
    const auto path = (folder / "folder/") + file;
    fs::create_directories(fs::path(path).parent_path());
    write_file(path, "mine");
    EXPECT_NE(refusal<FileError>([&] { write_dataset(folder / "folder", dataset, {}, true); }).find(": holds "),
              std::string::npos)
        << file;
    EXPECT_EQ(read_file(path), "mine");
    fs::remove(path);
    if (fs::is_empty(fs::path(path).parent_path())) fs::remove(fs::path(path).parent_path());
  }
  EXPECT_NO_THROW(write_dataset(folder / "folder", dataset, {}, true));
}

TEST(Dataset, SeveralThreadsRead) {
  const Folder folder;
  const auto dataset = sample_dataset(4);
  write_dataset(folder / "a.h5", dataset, sample_truths(4));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) {
        const auto index = static_cast<std::size_t>(i + k) % 4;
        EXPECT_TRUE(same(DatasetReader(folder / "a.h5").trial(dataset.header.plan[index]), dataset.trials[index]));
        EXPECT_TRUE(
            same(DatasetReader(folder / "a.h5").truth(dataset.header.plan[index]).value(), sample_truth(index)));
      }
    });
}

TEST(Dataset, AReaderMayReadAgainAndBesideOthers) {
  const Folder folder;
  const auto dataset = sample_dataset(2);
  for (const auto* name : {"a.h5", "folder"}) {
    write_dataset(folder / name, dataset, sample_truths(2));
    const DatasetReader reader(folder / name);
    EXPECT_EQ(reader.robot().size(), 2);
    for (int i = 0; i < 2000; ++i)  // more than what one reading may take from a file of this size
      EXPECT_EQ(reader.truth(dataset.header.plan[0])->peak_force, 180);
    EXPECT_TRUE(same(DatasetReader(folder / name).dataset(), dataset)) << "the second closes its own objects alone";
    EXPECT_TRUE(same(reader.trial(dataset.header.plan[1]), dataset.trials[1]));
    EXPECT_TRUE(same(reader.dataset(), dataset));
    EXPECT_NE(refusal<FileError>([&] { reader.trial("other"); }).find("other"), std::string::npos);
  }
}

TEST(Dataset, AReaderSeesWhatIsFinishedMeanwhile) {
  const Folder folder;
  const auto dataset = sample_dataset(2);
  DatasetWriter writer(folder / "a.h5", dataset.header);
  const DatasetReader reader(folder / "a.h5");
  EXPECT_TRUE(reader.finished().empty());
  writer.store(dataset.trials[0], sample_truth(0));
  EXPECT_EQ(reader.finished(), std::vector<std::string>{dataset.header.plan[0]});
  EXPECT_TRUE(same(reader.trial(dataset.header.plan[0]), dataset.trials[0]));
  writer.store(dataset.trials[1], sample_truth(1));
  writer.finish();
  EXPECT_EQ(reader.finished(), dataset.header.plan);
  EXPECT_TRUE(same(reader.dataset(), dataset));
  EXPECT_TRUE(same(reader.truth(dataset.header.plan[1]).value(), sample_truth(1)));
}

TEST(Dataset, ChecksWhatIsToBeWritten) {
  const Folder folder;
  const auto says = [&](const std::function<void(Dataset&)>& edit) {
    auto dataset = sample_dataset(3);
    edit(dataset);
    const auto message = refusal<InputError>([&] { write_dataset(folder / "a.h5", dataset); });
    EXPECT_TRUE(folder.names().empty() || message == "no refusal") << "a file in spite of " << message;
    return message;
  };
  const auto trial = "trial " + plan_of(3)[0];
  EXPECT_EQ(says([](auto& d) { d.header.robot = ""; }), "robot: '': must not be empty");
  EXPECT_EQ(says([](auto& d) { d.header.robot = "\xFF"; }), "robot: '?': must be UTF-8");
  EXPECT_EQ(says([](auto& d) { d.header.urdf = "<robot"; }).substr(0, 16), "urdf: planar_2r:");
  EXPECT_EQ(says([](auto& d) { d.header.point.frame = "hand"; }).substr(0, 32), "point.frame: hand: not a link of");
  EXPECT_EQ(says([](auto& d) { d.header.point.normal_W.setZero(); }),
            "point.normal: 0,0,0: must be finite and not zero");
  EXPECT_EQ(says([](auto& d) { d.header.point.offset[1] = NAN; }).substr(0, 18), "point.offset: 0.01");
  EXPECT_EQ(says([](auto& d) { d.header.point.frame = "base"; }),
            "point.frame: base: is fixed to the base and cannot hit anything");
  EXPECT_EQ(says([](auto& d) { d.header.detection_joints = {0, 2}; }), "detection_joints: 2: must be from 0 to 1");
  EXPECT_EQ(says([](auto& d) { d.header.detection_joints = {1, 1}; }), "detection_joints: 1: must not repeat");
  EXPECT_EQ(says([](auto& d) { d.header.configurations.clear(); }), "configurations: empty: needs at least one name");
  EXPECT_EQ(says([](auto& d) { d.header.configurations[1].name = "c1"; }), "configurations: c1: must not repeat");
  EXPECT_EQ(says([](auto& d) { d.header.configurations[0].q.resize(3); }),
            "configuration c1.q: 3 values: needs 2, one per joint of planar_2r");
  EXPECT_EQ(says([](auto& d) { d.header.configurations[0].q[1] = INFINITY; }),
            "configuration c1.q: inf: must be finite");
  EXPECT_EQ(says([](auto& d) { d.header.configurations[0].threshold = 0; }),
            "configuration c1.threshold: 0: must be > 0, or NaN for one that is not known");
  EXPECT_EQ(
      says([](auto& d) { d.header.configurations[0].name = ".one"; }),
      "configurations: '.one': a name has up to 100 letters, digits, _, - and ., and begins with none of the last "
      "two");
  EXPECT_EQ(says([](auto& d) { d.header.plan.push_back("../a"); }),
            "plan: '../a': a name has up to 100 letters, digits, _, - and ., and begins with none of the last two");
  EXPECT_EQ(says([](auto& d) { d.header.plan.push_back(d.header.plan[0]); }),
            "plan: " + plan_of(3)[0] + ": must not repeat");
  EXPECT_EQ(says([](auto& d) { d.header.campaign = std::string("a\0b", 3); }),
            "campaign: holds a zero byte: must be text");
  EXPECT_EQ(says([](auto& d) { d.header.versions["a\nb"] = "1"; }),
            "versions: 'a?b': must be one line without control characters");
  EXPECT_EQ(says([](auto& d) { std::swap(d.trials[0], d.trials[1]); }),
            "trials: " + plan_of(3)[0] + ": appears twice, or not in the order of the plan");
  EXPECT_EQ(says([](auto& d) { d.trials[0].name = "other"; }), "trial: other: is not in the plan");
  EXPECT_EQ(says([](auto& d) { d.trials[0].configuration = "c3"; }),
            trial + ".configuration: c3: is not one of the configurations");
  EXPECT_EQ(says([](auto& d) { d.trials[0].speed = -0.1; }), trial + ".speed: -0.1: must be finite and > 0");
  EXPECT_EQ(says([](auto& d) { d.trials[0].speed = NAN; }), trial + ".speed: nan: must be finite and > 0");
  EXPECT_EQ(says([](auto& d) { d.trials[0].repeat = 0; }), trial + ".repeat: 0: counts from 1");
  EXPECT_EQ(says([](auto& d) { d.trials[0].force.force[3] = NAN; }),
            trial + ".force: record.force[3]: nan: must be a number within 1e12 N");
  EXPECT_EQ(says([](auto& d) { d.trials[0].force.comments[0] = " a"; }),
            trial + ".force.comments: ' a': a comment is one line, not empty, without blanks around it");
  EXPECT_EQ(says([](auto& d) { d.trials[0].force.comments.resize(101, "a"); }),
            trial + ".force.comments: 101 comments: must be at most 100");
  EXPECT_EQ(says([](auto& d) { d.trials[0].force.notes[0].text = "a\nb"; }),
            trial + ".force.notes: 'a?b': must be one line without control characters");
  EXPECT_EQ(says([](auto& d) { d.trials[0].joints.time[2] = d.trials[0].joints.time[1]; }).substr(0, trial.size() + 15),
            trial + ".joints.time[2]");
  EXPECT_EQ(says([](auto& d) { d.trials[0].joints.torque.conservativeResize(39, 2); }),
            trial + ".joints.torque: 39 x 2: must be 40 x 2, a row per sample and a column per joint, or empty");
  EXPECT_EQ(says([](auto& d) { d.trials[0].joints.velocity(7, 1) = NAN; }),
            trial + ".joints.velocity(7, 1): nan: must be finite");
  EXPECT_EQ(says([](auto& d) { d.trials[0].joints.time.resize(0); }),
            trial + ".joints.position: 40 x 2: must be 0 x 2, a row per sample and a column per joint, or empty");
  EXPECT_EQ(says([](auto& d) { d.trials[0].clock_offset = NAN; }), trial + ".clock_offset: nan: must be finite");
  EXPECT_EQ(says([](auto& d) { d.trials[0].alarm_time = INFINITY; }),
            trial + ".alarm_time: inf: must be finite, or NaN for none");
  EXPECT_EQ(says([](auto&) {}), "no refusal");
  const auto dataset = sample_dataset(2);
  EXPECT_EQ(refusal<InputError>([&] { write_dataset(folder / "b.h5", dataset, sample_truths(1)); }),
            "truth: 1 entries: must be one for each of the 2 trials, or none");
  auto truths = sample_truths(2);
  truths[1].q.resize(1);
  EXPECT_EQ(refusal<InputError>([&] { write_dataset(folder / "b.h5", dataset, truths); }),
            "truth of " + plan_of(2)[1] + ".q: 1 values: needs 2, one per joint of planar_2r");
}

/// Every array and attribute of a file by its path, with the trial's name as NAME: unit and meaning of an array.
struct Listing {
  std::map<std::string, std::string> objects;
  std::set<std::vector<H5Z_filter_t>> filters;  ///< of the arrays
  static herr_t visit(hid_t file, const char* name, const H5O_info_t* info, void* data) {
    auto& self = *static_cast<Listing*>(data);
    auto path = std::regex_replace(std::string("/").append(name), std::regex("/(trials|truth)/[^/]+"), "/$1/NAME");
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (info->type == H5O_TYPE_DATASET) {
      self.objects[path] = text_of(object, "unit") + " | " + text_of(object, "meaning");
      self.filters.insert(filters_of(object));
    } else {
      for (int i = 0; i < static_cast<int>(info->num_attrs); ++i) {
        char attribute[100];
        H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, static_cast<hsize_t>(i), attribute,
                           sizeof attribute, H5P_DEFAULT);
        self.objects[std::string(path == "/." ? "" : path).append("/@").append(attribute)] = "";
      }
    }
    H5Oclose(object);
    return 0;
  }
  static std::vector<H5Z_filter_t> filters_of(hid_t array) {
    const hid_t properties = H5Dget_create_plist(array);
    std::vector<H5Z_filter_t> filters;
    for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      filters.push_back(
          H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr));
    }
    H5Pclose(properties);
    return filters;
  }
  static std::string text_of(hid_t object, const char* name) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return "missing";
    const hid_t type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), '\0');
    H5Aread(attribute, type, text.data());
    H5Tclose(type);
    H5Aclose(attribute);
    return text.substr(0, text.find('\0'));
  }
};

TEST(Dataset, TheSchemaInTheDocumentIsTheOneInTheFile) {
  const Folder folder;
  write_dataset(folder / "a.h5", sample_dataset(4), sample_truths(4));
  Listing listing;
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, Listing::visit, &listing, H5O_INFO_ALL);
  H5Fclose(file);

  const std::vector<H5Z_filter_t> filters{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  EXPECT_EQ(listing.filters, std::set<std::vector<H5Z_filter_t>>{filters});

  // | `path` | type | shape | unit | meaning |
  std::map<std::string, std::string> documented;
  std::ifstream document(std::string(THUD_ROOT) + "/docs/dataset.md");
  const std::regex row(R"(\| `(/[^`]*)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|)");
  std::smatch cells;
  for (std::string line; std::getline(document, line);)
    if (std::regex_match(line, cells, row)) {
      const auto unit = cells[4].str() == "–" ? "" : cells[4].str();
      documented[cells[1]] = cells[1].str().find('@') == std::string::npos ? unit + " | " + cells[5].str() : "";
    }
  EXPECT_EQ(documented, listing.objects);
}

}  // namespace
}  // namespace thud::test
