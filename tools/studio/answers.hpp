#pragma once

/// What the studio answers: what --json of the command prints, and under the key "studio" what the page draws beside.

#include <thud/run.hpp>

#include <string>

#include "../arguments.hpp"
#include "opened.hpp"

namespace thud::cli {

/// Names of all that ships, laws with their parameters, and what is open.
Json studio_answer(const Opened& opened, const std::string& subject);

Json robot_answer(const KeptRobot& kept, const std::string& name);

/// At once. Throw what the commands throw.
Json hit_answer(const Json& request, const Opened& opened);
Json profile_answer(const Json& request, const Opened& opened);
Json reach_answer(const Json& request, const Opened& opened);
Json translate_answer(const Json& request);
Json campaign_answer();

/// Jobs: the request is read at once, the work is done later. Their answers are JSON as text.
using Work = std::function<std::string(const RunOptions& run)>;
Work limit_work(const Json& request, const Opened& opened);
Work fit_work(const Json& request, const Opened& opened);
Work map_work(const Json& request, const Opened& opened);
Work study_work(const Json& request, const Opened& opened);
Work campaign_work(const Json& request);

/// As --json prints it, in one line.
std::string json_text(const Json& object);

}  // namespace thud::cli
