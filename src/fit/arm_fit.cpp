#include <thud/arm_fit.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "fit/elastic_intervals.hpp"
#include "fit/elastic_problem.hpp"
#include "fit/outline.hpp"
#include "fit/reported.hpp"
#include "foundation/parallel_for.hpp"
#include "statistics/robust.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

constexpr int most_steps = 20;
constexpr double longest_step = 0.5;      // of a factor's logarithm
constexpr double small_step = 0.01;       // in standard errors: it has converged
constexpr double many = 1e6;              // degrees of freedom of an error that is given
constexpr std::size_t fewest_groups = 3;  // for intervals

// A hit's own part of the sum, as a function of the factors.
class Own {
 public:
  Own(const ArmHit& hit, const ElasticFitOptions& options)
      : options_(options),
        times_(Eigen::Map<const Eigen::VectorXd>(hit.contact.time.data(), size_of(hit))),
        forces_(Eigen::Map<const Eigen::VectorXd>(hit.contact.force.data(), size_of(hit))) {
    options_.command = hit.alone.command;
    options_.start.reset();
    options_.baseline.reset();
    const auto outlined = outline(times_, forces_, std::nullopt, std::nullopt);
    if (!std::holds_alternative<Outline>(outlined)) return;
    problem_ = std::make_unique<ElasticProblem>(times_, forces_, hit.arm, hit.alone.result.kind,
                                                hit.alone.result.velocity, options_, std::get<Outline>(outlined));
    problem_->hold_factors(true);
    at_ = problem_->point(hit.alone.result);
    const double squares = problem_->squares(at_);
    const auto free = static_cast<double>(std::max<Eigen::Index>(problem_->samples() - problem_->count(), 1));
    const double model = problem_->model_error();
    variance_ = squares / free + model * model;
  }

  bool usable() const { return problem_ && std::isfinite(variance_) && variance_ > 0; }

  struct Part {
    double sum;                // S/V
    Eigen::VectorXd gradient;  // of -S/(2 V) in the factors
    Eigen::MatrixXd normal;    // half the second derivative of S/V
  };

  Part operator()(const Eigen::VectorXd& factors) {
    const Eigen::Index own = problem_->law_count(), shared = problem_->factor_count();
    at_.segment(own, shared) = factors;
    const ElasticDescent found = descend(*problem_, at_, options_.max_iterations);
    if (std::isfinite(found.squares)) at_ = found.at;
    problem_->differentiate(at_);
    const Eigen::MatrixXd& J = problem_->jacobian();
    const Eigen::VectorXd& r = problem_->residual();
    Eigen::MatrixXd rest(J.rows(), J.cols() - shared);
    rest << J.leftCols(own), J.rightCols(J.cols() - own - shared);
    const Eigen::MatrixXd factor_columns = J.middleCols(own, shared);
    // what of the factors' columns the hit's own parameters cannot imitate
    free_ = factor_columns - rest * rest.colPivHouseholderQr().solve(factor_columns);
    return {r.squaredNorm() / variance_, free_.transpose() * r / variance_, free_.transpose() * free_ / variance_};
  }

  /// Standard deviation by the model's error in this record of a combination of the last gradient.
  double model_deviation(const Eigen::VectorXd& combination) const {
    return problem_->model_error() * std::sqrt(correlated_part(free_ * combination / variance_, times_));
  }

 private:
  static Eigen::Index size_of(const ArmHit& hit) { return static_cast<Eigen::Index>(hit.contact.time.size()); }

  ElasticFitOptions options_;
  VectorRef times_, forces_;
  std::unique_ptr<ElasticProblem> problem_;
  Eigen::VectorXd at_;
  Eigen::MatrixXd free_;
  double variance_ = 0;
};

std::vector<std::string_view> factor_names(const ElasticFitOptions& options) {
  std::vector<std::string_view> names;
  for (const DriveParameter each : options.free) names.push_back(factor_name(each));
  return names;
}

double factor(const ElasticFit& fit, std::string_view name) {
  const auto known = std::ranges::find(fit.result.parameters, name, &FitParameter::name);
  return known == fit.result.parameters.end() ? std::numeric_limits<double>::quiet_NaN() : known->value;
}

void require_valid(const std::vector<ArmHit>& hits, const ElasticFitOptions& options) {
  if (hits.empty()) throw InputError("hits", "none", "must be at least one");
  if (options.free.empty()) throw InputError("free", "none", "must name what is fitted of the drives");
  for (const ArmHit& hit : hits) {
    if (hit.alone.result.kind != hits.front().alone.result.kind)
      throw InputError(
          "hits", std::string(to_string(hit.alone.result.kind)),
          "must all be of one law; the first is " + std::string(to_string(hits.front().alone.result.kind)));
    if (hit.alone.result.status != FitStatus::converged)
      throw InputError("hits", hit.alone.result.message, "each must have converged by itself");
    for (const std::string_view name : factor_names(options))
      if (std::isnan(factor(hit.alone, name)))
        throw InputError("hits", std::string(name), "must be free in the fit of each hit by itself");
  }
}

}  // namespace

ArmFit fit_arm(const std::vector<ArmHit>& hits, const ElasticFitOptions& options, const RunOptions& run) {
  require_valid(hits, options);
  const auto names = factor_names(options);
  const auto shared = static_cast<Eigen::Index>(names.size());
  ArmFit out;

  // the hits' own medians to begin with
  Eigen::VectorXd factors(shared);
  for (Eigen::Index i = 0; i < shared; ++i) {
    std::vector<double> values;
    values.reserve(hits.size());
    for (const ArmHit& hit : hits) values.push_back(std::log(factor(hit.alone, names[static_cast<std::size_t>(i)])));
    factors[i] = statistics::median(values);
  }

  std::vector<std::unique_ptr<Own>> own(hits.size());
  foundation::parallel_for(
      hits.size(), run.jobs, [&](std::size_t i) { return std::make_unique<Own>(hits[i], options); },
      [&](std::size_t i, std::unique_ptr<Own> made) { own[i] = std::move(made); }, run.stop);
  const Own::Part none{0, Eigen::VectorXd::Zero(shared), Eigen::MatrixXd::Zero(shared, shared)};
  std::vector<Own::Part> parts(hits.size());
  const auto evaluate = [&](const Eigen::VectorXd& at) {
    std::size_t done = 0;
    foundation::parallel_for(
        hits.size(), run.jobs,
        [&](std::size_t i) {
          if (own[i] && own[i]->usable()) return (*own[i])(at);
          return Own::Part(none);
        },
        [&](std::size_t i, Own::Part part) {
          parts[i] = std::move(part);
          ++done;
        },
        run.stop);
    if (done < hits.size()) throw Interrupted();
    Own::Part all = none;
    for (const Own::Part& part : parts) {
      all.sum += part.sum;
      all.gradient += part.gradient;
      all.normal += part.normal;
    }
    return all;
  };

  Own::Part all = evaluate(factors);
  double shorten = 1;
  for (int step = 0; step < most_steps && out.status != FitStatus::converged; ++step) {
    const Eigen::LDLT<Eigen::MatrixXd> normal(all.normal);
    Eigen::VectorXd move = normal.solve(all.gradient);
    if (!normal.isPositive() || !move.allFinite()) {
      out.status = FitStatus::undetermined;
      out.message = "the records do not fix the factors";
      return out;
    }
    if (move.dot(all.normal * move) <= small_step * small_step) {
      out.status = FitStatus::converged;
      out.message = "converged after " + std::to_string(step) + " steps";
      break;
    }
    move = (shorten * move).cwiseMax(-longest_step).cwiseMin(longest_step);
    const Own::Part before = all;
    all = evaluate(factors + move);
    if (all.sum <= before.sum) {
      factors += move;
      shorten = 1;
    } else {
      all = evaluate(factors);
      shorten /= 3;
      if (shorten < 1e-3) {  // S is rough where samples enter or leave the contact
        out.status = FitStatus::converged;
        out.message = "no shorter step lowers the sum of squares";
      }
    }
  }
  if (out.status != FitStatus::converged) {
    out.status = FitStatus::no_convergence;
    out.message = "no minimum after " + std::to_string(most_steps) + " steps";
    return out;
  }

  const Eigen::MatrixXd covariance = all.normal.ldlt().solve(Eigen::MatrixXd::Identity(shared, shared));
  const Eigen::VectorXd deviation = covariance.diagonal().cwiseSqrt().cwiseInverse();
  out.correlation = deviation.asDiagonal() * covariance * deviation.asDiagonal();
  std::map<int, Own::Part> groups;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    Own::Part& group = groups.try_emplace(hits[i].group, none).first->second;
    group.gradient += parts[i].gradient;
    group.normal += parts[i].normal;
  }
  Eigen::VectorXd scatter = Eigen::VectorXd::Zero(shared);
  const auto count = static_cast<double>(groups.size());
  const bool enough = groups.size() >= fewest_groups;
  if (enough) out.without.resize(static_cast<Eigen::Index>(groups.size()), shared);
  for (const auto& [group, part] : groups) {
    if (!enough) break;
    const Eigen::VectorXd left =
        factors + Eigen::LDLT<Eigen::MatrixXd>(all.normal - part.normal).solve(all.gradient - part.gradient);
    out.without.row(static_cast<Eigen::Index>(out.groups.size())) = left.array().exp().matrix().transpose();
    out.groups.push_back(group);
  }
  if (enough) {
    const Eigen::MatrixXd left = out.without.array().log();
    const Eigen::MatrixXd apart = left.rowwise() - left.colwise().mean();
    scatter = (count - 1) / count * apart.colwise().squaredNorm().transpose();
  }
  for (Eigen::Index i = 0; i < shared; ++i) {
    double model = 0;
    for (const auto& hit : own)
      if (hit->usable()) model += hit->model_deviation(covariance.col(i));
    const double t = enough ? student_t(count - 1) : FitResult::none;
    const double half = std::hypot(t * std::sqrt(scatter[i]), student_t(many) * model);
    out.factors.push_back({names[static_cast<std::size_t>(i)], std::exp(factors[i]), std::exp(factors[i] - half),
                           std::exp(factors[i] + half)});
  }

  // each hit by this arm
  out.hits.resize(hits.size());
  std::size_t done = 0;
  foundation::parallel_for(
      hits.size(), run.jobs,
      [&](std::size_t i) {
        const ArmHit& hit = hits[i];
        ElasticArm arm =
            elastic_arm(hit.arm.M, hit.arm.j, with_factors(hit.arm.drives, options.free, factors), hit.arm.holding);
        arm.warnings = hit.arm.warnings;
        ElasticFitOptions alone = options;
        alone.free.clear();
        alone.command = hit.alone.command;
        const auto n = static_cast<Eigen::Index>(hit.contact.time.size());
        return elastic_fit(Eigen::Map<const Eigen::VectorXd>(hit.contact.time.data(), n),
                           Eigen::Map<const Eigen::VectorXd>(hit.contact.force.data(), n), arm, hit.alone.result.kind,
                           hit.alone.result.velocity, alone);
      },
      [&](std::size_t i, ElasticFit fit) {
        out.hits[i] = std::move(fit);
        ++done;
        if (run.progress) run.progress(done, hits.size());
      },
      run.stop);
  if (done < hits.size()) throw Interrupted();
  out.drives = out.hits.front().arm.drives;
  return out;
}

}  // namespace thud
