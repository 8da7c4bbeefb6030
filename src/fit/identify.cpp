#include <thud/error.hpp>
#include <thud/identify.hpp>

#include <algorithm>
#include <utility>

namespace THUD_EXPORT thud {
namespace {

// Half as many quiet samples on either side as there are in contact: without those behind, the noise would decide where
// the record ends, and a fit that follows it is surer than it may be.
Record samples(const Record& record, const ContactWindow& window) {
  const std::size_t half = (window.last - window.first + 1) / 2;
  return contact_samples(record, window, std::min(window.quiet, half), half);
}

void warn(const FitResult& law, std::vector<std::string>& warnings) {
  if (law.kind == LawKind::spring && law.ok() && law.restitution > 1)
    warnings.push_back("spring needs a restitution of " + to_text(law.restitution, 4) +
                       " > 1: the force falls slower than it rises, which this law cannot explain");
  if (law.status == FitStatus::negative_damping)
    warnings.push_back(std::string(law_name(law.kind)) + " needs a negative damping: it would have to create energy");
}

}  // namespace

Finding identify(const Record& record, const FitOptions& options, std::optional<LawKind> kind) {
  Finding found;
  found.window = find_contact(record);
  found.warnings = record.notes;
  found.warnings.insert(found.warnings.end(), found.window.notes.begin(), found.window.notes.end());
  if (!usable(found.window)) {
    found.warnings.push_back("no contact to fit: " + found.window.message);
    return found;
  }
  if (found.window.status != ContactStatus::found) found.warnings.push_back(found.window.message);
  found.contact = samples(record, found.window);

  const auto n = static_cast<Eigen::Index>(found.contact.time.size());
  const Eigen::Map<const Eigen::VectorXd> time(found.contact.time.data(), n), force(found.contact.force.data(), n);
  if (kind) {
    found.laws = {fit(time, force, *kind, options)};
    if (found.laws.front().status == FitStatus::converged) found.best = kind;
  } else {
    Identification all = fit_all(time, force, options);
    found.laws = std::move(all.laws);
    found.best = all.best;
  }
  for (const auto& law : found.laws) warn(law, found.warnings);
  if (!found.best) found.warnings.push_back("no law converged");
  return found;
}

}  // namespace thud
