#pragma once

/// `thud study`: what it is asked and what it finds.

#include <thud/dataset.hpp>
#include <thud/run.hpp>
#include <thud/study.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "sources.hpp"

namespace thud::cli {

struct StudyArguments {
  std::string robot, drives, material, friction, object_restitution, sample;
};

/// Everything that describes the study; neither the dataset nor what is done with the answer.
void add_study_options(CLI::App& command, StudyArguments& arguments);

/// own  the robot of the dataset. Throws InputError naming the option.
StudyOptions study_options(const StudyArguments& arguments, const Robot& own, const Sources& sources = {});

}  // namespace thud::cli
