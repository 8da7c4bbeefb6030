#include <thud/arm_fit.hpp>
#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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
    problem_->hold_factors();
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
    problem_->differentiate_factors(at_);
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

using Part = Own::Part;

// The sum over all hits.
class Sum {
 public:
  Sum(const std::vector<ArmHit>& hits, const ElasticFitOptions& options, const RunOptions& run)
      : run_(run), shared_(static_cast<Eigen::Index>(options.free.size())), own_(hits.size()), parts_(hits.size()) {
    foundation::parallel_for(
        hits.size(), run.jobs, [&](std::size_t i) { return std::make_unique<Own>(hits[i], options); },
        [&](std::size_t i, std::unique_ptr<Own> made) { own_[i] = std::move(made); }, run.stop);
  }

  Part none() const { return {0, Eigen::VectorXd::Zero(shared_), Eigen::MatrixXd::Zero(shared_, shared_)}; }

  Part operator()(const Eigen::VectorXd& factors) {
    std::size_t done = 0;
    foundation::parallel_for(
        own_.size(), run_.jobs,
        [&](std::size_t i) { return own_[i] && own_[i]->usable() ? (*own_[i])(factors) : none(); },
        [&](std::size_t i, Part part) {
          parts_[i] = std::move(part);
          ++done;
        },
        run_.stop);
    if (done < own_.size()) throw Interrupted();
    Part all = none();
    for (const Part& part : parts_) add(part, all);
    return all;
  }

  // The same by group, at the last factors.
  std::map<int, Part> by_group(const std::vector<ArmHit>& hits) const {
    std::map<int, Part> groups;
    for (std::size_t i = 0; i < hits.size(); ++i)
      add(parts_[i], groups.try_emplace(hits[i].group, none()).first->second);
    return groups;
  }

  // What the model's error does to a combination of the gradient, in all hits alike.
  double model_deviation(const Eigen::VectorXd& combination) const {
    double sum = 0;
    for (const auto& hit : own_)
      if (hit->usable()) sum += hit->model_deviation(combination);
    return sum;
  }

 private:
  static void add(const Part& part, Part& to) {
    to.sum += part.sum;
    to.gradient += part.gradient;
    to.normal += part.normal;
  }

  const RunOptions& run_;
  Eigen::Index shared_;
  std::vector<std::unique_ptr<Own>> own_;
  std::vector<Part> parts_;  // of the last factors
};

// Medians of the hits' own factors, as logarithms.
Eigen::VectorXd own_medians(const std::vector<ArmHit>& hits, const std::vector<std::string_view>& names) {
  Eigen::VectorXd medians(static_cast<Eigen::Index>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<double> values;
    values.reserve(hits.size());
    for (const ArmHit& hit : hits) values.push_back(std::log(factor(hit.alone, names[i])));
    medians[static_cast<Eigen::Index>(i)] = statistics::median(values);
  }
  return medians;
}

// Gauss and Newton's steps to the minimum. Says in `out` how it went; returns the sum there.
Part minimise(Sum& sum, Eigen::VectorXd& factors, ArmFit& out) {
  const auto end = [&](FitStatus status, std::string message) {
    out.status = status;
    out.message = std::move(message);
  };
  Part all = sum(factors);
  double shorten = 1;
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::LDLT<Eigen::MatrixXd> normal(all.normal);
    Eigen::VectorXd move = normal.solve(all.gradient);
    if (!(normal.vectorD().minCoeff() > 0) || !move.allFinite()) {
      end(FitStatus::undetermined, "the records do not fix the factors");
      return all;
    }
    if (move.dot(all.normal * move) <= small_step * small_step) {
      end(FitStatus::converged, "converged after " + std::to_string(step) + (step == 1 ? " step" : " steps"));
      return all;
    }
    move = (shorten * move).cwiseMax(-longest_step).cwiseMin(longest_step);
    const double before = all.sum;
    all = sum(factors + move);
    if (all.sum <= before) {
      factors += move;
      shorten = 1;
      continue;
    }
    all = sum(factors);
    shorten /= 3;
    if (shorten < 1e-3) {  // S is rough where samples enter or leave the contact
      end(FitStatus::converged, "no shorter step lowers the sum of squares");
      return all;
    }
  }
  end(FitStatus::no_convergence, "no minimum after " + std::to_string(most_steps) + " steps");
  return all;
}

// The factors by all groups but each in turn, as logarithms: one step from the minimum of all. NaN where these do not
// fix them.
Eigen::MatrixXd leave_one_out(const Part& all, const std::map<int, Part>& groups, const Eigen::VectorXd& factors) {
  Eigen::MatrixXd left =
      Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(groups.size()), factors.size(), FitResult::none);
  Eigen::Index row = 0;
  for (const auto& [group, part] : groups) {
    const Eigen::LDLT<Eigen::MatrixXd> others(all.normal - part.normal);
    const Eigen::VectorXd without = factors + others.solve(all.gradient - part.gradient);
    if (others.vectorD().minCoeff() > 0 && (without.array().abs() < std::log(most_factor)).all())
      left.row(row) = without.transpose();
    ++row;
  }
  return left;
}

// Values, intervals and correlation of the factors at the minimum.
void report_factors(const std::vector<ArmHit>& hits, const Sum& sum, const Part& all, const Eigen::VectorXd& factors,
                    const std::vector<std::string_view>& names, ArmFit& out) {
  const Eigen::Index shared = factors.size();
  const Eigen::MatrixXd covariance = all.normal.ldlt().solve(Eigen::MatrixXd::Identity(shared, shared));
  const Eigen::VectorXd deviation = covariance.diagonal().cwiseSqrt().cwiseInverse();
  out.correlation = deviation.asDiagonal() * covariance * deviation.asDiagonal();

  Eigen::VectorXd scatter =
      Eigen::VectorXd::Constant(shared, FitResult::none);  // t times its root is an interval's half
  const std::map<int, Part> groups = sum.by_group(hits);
  const auto count = static_cast<double>(groups.size());
  if (groups.size() >= fewest_groups) {
    const Eigen::MatrixXd left = leave_one_out(all, groups, factors);
    const Eigen::MatrixXd apart = left.rowwise() - left.colwise().mean();
    scatter = (count - 1) / count * apart.colwise().squaredNorm().transpose();
    out.without = left.array().exp();
    for (const auto& [group, part] : groups) out.groups.push_back(group);
  }
  for (Eigen::Index i = 0; i < shared; ++i) {
    const double half = std::hypot(student_t(std::max(count - 1, 1.0)) * std::sqrt(scatter[i]),
                                   student_t(many) * sum.model_deviation(covariance.col(i)));
    out.factors.push_back({names[static_cast<std::size_t>(i)], std::exp(factors[i]), std::exp(factors[i] - half),
                           std::exp(factors[i] + half)});
  }
}

// A hit by the arm of all.
ElasticFit with_arm_of_all(const ArmHit& hit, const ElasticFitOptions& options, const Eigen::VectorXd& factors) {
  ElasticArm arm =
      elastic_arm(hit.arm.M, hit.arm.j, with_factors(hit.arm.drives, options.free, factors.array().exp().matrix()),
                  hit.arm.holding);
  arm.warnings = hit.arm.warnings;
  const ElasticFitOptions rest{.command = hit.alone.command,
                               .guess = hit.alone.result.law,
                               .model_error = options.model_error,
                               .intervals = options.intervals,
                               .max_iterations = options.max_iterations};
  const auto n = static_cast<Eigen::Index>(hit.contact.time.size());
  return elastic_fit(Eigen::Map<const Eigen::VectorXd>(hit.contact.time.data(), n),
                     Eigen::Map<const Eigen::VectorXd>(hit.contact.force.data(), n), arm, hit.alone.result.kind,
                     hit.alone.result.velocity, rest);
}

}  // namespace

ArmFit fit_arm(const std::vector<ArmHit>& hits, const ElasticFitOptions& options, const RunOptions& run) {
  require_valid(hits, options);
  const auto names = factor_names(options);
  ArmFit out;
  Sum sum(hits, options, run);
  Eigen::VectorXd factors = own_medians(hits, names);
  const Part all = minimise(sum, factors, out);
  if (out.status != FitStatus::converged) return out;
  report_factors(hits, sum, all, factors, names, out);

  out.hits.resize(hits.size());
  std::size_t done = 0;
  foundation::parallel_for(
      hits.size(), run.jobs, [&](std::size_t i) { return with_arm_of_all(hits[i], options, factors); },
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
