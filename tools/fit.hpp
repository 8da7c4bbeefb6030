#pragma once

/// `thud fit`: what it is asked, what it finds, how that is written.

#include <thud/identify.hpp>
#include <thud/record.hpp>

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "elastic_fit.hpp"
#include "record_arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

struct FitArguments {
  std::string speed, mass, law = "all", free, model_error;
  RecordArguments record;
  ArmArguments arm;
};

/// Everything that describes the fit; neither the records nor what is done with the answer.
void add_fit_options(CLI::App& command, FitArguments& arguments);

/// How each record is fitted.
struct FitTask {
  std::optional<LawKind> kind;  // none: all
  std::optional<double> mass;   // none: fitted [kg]
  std::optional<FittedArm> arm;
  RecordOptions record;
  ContactOptions contact;
};

/// Throws InputError naming the option.
FitTask fit_task(const FitArguments& arguments, const Sources& sources = {});

/// A number > 0. Throws InputError.
double positive(const std::string& option, const std::string& text);

/// One record and what was found in it.
struct FitSubject {
  std::string file;
  double speed = 0;
  Record record;
  Sampling rate;
  Identification found;
  std::vector<ElasticFit> arms;  // with --robot, of the same laws
};

/// speed  of the approach, > 0 [m/s]. Throws InputError.
FitSubject fit_subject(const FitTask& task, const std::string& file, double speed, Record record);

/// The force of a law at the samples of the contact; none unless its fit converged.
std::optional<FittedCourse> course_of(const FitSubject& subject, const FitResult& law);

/// What --json prints of one record, and of all of them.
Json subject_json(const FitSubject& subject);
Json fit_json(const std::vector<FitSubject>& subjects, const std::vector<std::string>& refused);

}  // namespace thud::cli
