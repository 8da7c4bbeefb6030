#include "dataset/join.hpp"

#include <filesystem>

#include "dataset/trial_store.hpp"

namespace thud::dataset::file {

std::string unfinished_file(const std::string& path, const DatasetHeader& header, const Robot& robot) {
  Builder builder(robot);
  builder.add(header, false);
  const auto file = std::filesystem::path(path).filename().string();  // links are relative to the folder of the file
  for (const auto& name : header.plan) builder.link(name, part_path(file, name));
  return builder.bytes(dataset_format);
}

std::string joined_file(const Stored& stored) {
  Builder builder(stored.robot());
  builder.add(stored.header(), true);
  for (const auto& name : stored.header().plan) builder.add(stored.trial(name));
  for (const auto& name : stored.header().plan)
    if (const auto truth = stored.truth(name)) builder.add(name, *truth);
  return builder.bytes(dataset_format);
}

}  // namespace thud::dataset::file
