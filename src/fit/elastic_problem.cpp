#include "fit/elastic_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>

#include "elastic/known.hpp"

namespace thud::fitting {
namespace {

constexpr double log_step = 1e-4;      // of differences: the force is followed to 1e-10
constexpr double converged_at = 1e-4;  // p'Hp over the noise variance
constexpr double flat = 1e-3;          // a fall of S over the noise variance that is none
constexpr double rounding = 1e-16;     // p'Hp over the sum of squares of the force

}  // namespace

ElasticProblem::ElasticProblem(const VectorRef& times, const VectorRef& forces, const ElasticArm& arm, LawKind kind,
                               double velocity, const ElasticFitOptions& options, const Outline& outline)
    : times_(times),
      forces_(forces),
      given_(arm),
      options_(options),
      kind_(kind),
      scale_{.speed = -velocity, .depth = 0, .slope = 0, .mass = arm.mass_links},
      start_(options.start.value_or(outline.start)),
      baseline_(options.baseline.value_or(outline.baseline)),
      period_((times[times.size() - 1] - times[0]) / static_cast<double>(times.size() - 1)),
      peak_(outline.peak),
      arm_(arm),
      profile_(static_cast<int>(arm.j.size())) {
  // The highest hump need not be the first: the rise is counted by its first third, which is nearly straight.
  constexpr double third = 1.0 / 3;
  Eigen::Index high = 0;
  while (high + 1 < samples() && (times[high] <= start_ || forces[high] - baseline_ < third * peak_)) ++high;
  const double rise = std::max(times[high] - start_, period_) / third;
  scale_.depth = scale_.speed * rise;
  scale_.slope = std::max(forces[high] - baseline_, third * peak_) / (third * scale_.depth);
  horizon_.command = options.command;
  rigid_ = elastic::unknown_somewhere(given_.drives.stiffness);

  const auto names = law_parameters(typical_law(kind));
  for (const LawCoordinate& each : fit_law(kind).coordinates(scale_)) {
    coordinates_.push_back({names[coordinates_.size()].first, each.low, each.high, log_step, 1});
    may_vanish_.push_back(each.may_vanish);
  }
  law_count_ = count();
  for (const DriveParameter each : options.free)
    coordinates_.push_back({factor_name(each), -std::log(most_factor), std::log(most_factor), log_step, 1});
  if (!options.start) {
    start_at_ = count();
    const double range = std::max(rise / period_, 5.0);
    coordinates_.push_back({"start", -range, range, 1e-3, std::max(range / 4, 1.0)});
  }
  if (!options.baseline) {
    baseline_at_ = count();
    coordinates_.push_back({"baseline", -100, 100, 1, 20});
  }
  followed_ = differentiated_ = Eigen::VectorXd::Constant(count(), std::numeric_limits<double>::quiet_NaN());
  shifted_.resize(samples());
  model_.resize(samples());
  other_.resize(samples());
  residual_.resize(samples());
  jacobian_.resize(samples(), count());
}

ContactLaw ElasticProblem::law(const Eigen::VectorXd& at) const {
  return fit_law(kind_).law_at(at.data(), scale_);
}

Drives ElasticProblem::drives(const Eigen::VectorXd& at) const {
  return with_factors(given_.drives, options_.free, at.segment(law_count_, factor_count()).array().exp().matrix());
}

double ElasticProblem::start(const Eigen::VectorXd& at) const {
  return start_at_ < 0 ? start_ : start_ + period_ * at[start_at_];
}

double ElasticProblem::baseline(const Eigen::VectorXd& at) const {
  return baseline_at_ < 0 ? baseline_ : baseline_ + peak_ / 100 * at[baseline_at_];
}

Eigen::VectorXd ElasticProblem::point(const ContactLaw& law, double stiffness_factor, double rotor_factor) const {
  Eigen::VectorXd at = Eigen::VectorXd::Zero(count());
  fit_law(kind_).point_of(law, scale_, at.data());
  for (std::size_t i = 0; i < options_.free.size(); ++i) {
    double& factor = at[law_count_ + static_cast<Eigen::Index>(i)];
    if (options_.free[i] == DriveParameter::stiffness) factor = std::log(stiffness_factor);
    if (options_.free[i] == DriveParameter::rotor_inertia) factor = std::log(rotor_factor);
  }
  for (Eigen::Index i = 0; i < count(); ++i) {
    const Coordinate& coordinate = coordinates_[static_cast<std::size_t>(i)];
    at[i] = std::clamp(at[i], coordinate.low, coordinate.high);
  }
  return at;
}

Eigen::VectorXd ElasticProblem::point(const FitResult& fit) const {
  Eigen::VectorXd at = point(fit.law, 1, 1);
  for (Eigen::Index i = law_count_; i < law_count_ + factor_count(); ++i) {
    const auto known =
        std::ranges::find(fit.parameters, coordinates_[static_cast<std::size_t>(i)].name, &FitParameter::name);
    if (known != fit.parameters.end()) at[i] = std::log(known->value);
  }
  if (start_at_ >= 0) at[start_at_] = (fit.start - start_) / period_;
  if (baseline_at_ >= 0) at[baseline_at_] = (fit.baseline - baseline_) / (peak_ / 100);
  return at;
}

bool ElasticProblem::is_held(Eigen::Index parameter) const noexcept {
  return factors_held_ && parameter >= law_count_ && parameter < law_count_ + factor_count();
}

bool ElasticProblem::may_vanish(Eigen::Index parameter) const noexcept {
  return parameter < law_count_ && may_vanish_[static_cast<std::size_t>(parameter)];
}

bool ElasticProblem::is_plain(Eigen::Index parameter) const noexcept {
  return parameter == start_at_ || parameter == baseline_at_;
}

double ElasticProblem::scaled(const Eigen::VectorXd& at, Eigen::Index parameter, double reference) const {
  if (parameter == start_at_) return start(at);
  if (parameter == baseline_at_) return baseline(at);
  if (parameter >= law_count_) return at[parameter];
  const double value = law_parameters(law(at))[static_cast<std::size_t>(parameter)].second;
  return may_vanish(parameter) ? std::asinh(value / (vanishing_damping * reference)) : std::log(value);
}

double ElasticProblem::unscaled(Eigen::Index parameter, double scaled, double reference) const {
  if (is_plain(parameter)) return scaled;
  return may_vanish(parameter) ? vanishing_damping * reference * std::sinh(std::max(scaled, 0.0)) : std::exp(scaled);
}

void ElasticProblem::sample(double start, Eigen::VectorXd& force) {
  shifted_ = times_.array() - start;
  thud::forces(profile_, shifted_, force);
}

// The model at a point; NaN where it cannot be followed.
void ElasticProblem::follow(const Eigen::VectorXd& at) {
  ++evaluations;
  followed_ = at;
  const bool rotors =
      std::find(options_.free.begin(), options_.free.end(), DriveParameter::rotor_inertia) != options_.free.end();
  if (rigid_ && rotors)  // they move with the links: the inertia changes
    arm_ = elastic_arm(given_.M, given_.j, drives(at), given_.holding);
  else if (!options_.free.empty())
    arm_.drives = drives(at);
  const double touch = start(at);
  horizon_.horizon = std::max(times_[samples() - 1] - touch, period_) + period_;
  elastic_profile(arm_, law(at), -scale_.speed, horizon_, profile_);
  sample(touch, model_);
  if (!profile_.end_of_contact && profile_.end < horizon_.horizon)
    model_.setConstant(std::numeric_limits<double>::quiet_NaN());
  else
    model_.array() += baseline(at);
}

double ElasticProblem::squares(const Eigen::VectorXd& at) {
  if (at != followed_) follow(at);
  const double sum = (forces_ - model_).squaredNorm();
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

void ElasticProblem::differentiate(const Eigen::VectorXd& at) {
  if (at == differentiated_) return;
  differentiated_ = at;
  if (at != followed_) follow(at);
  residual_ = forces_ - model_;
  if (start_at_ >= 0) {
    const double step = coordinates_[static_cast<std::size_t>(start_at_)].step;
    sample(start(at) - step * period_, other_);
    jacobian_.col(start_at_) = -other_;
    sample(start(at) + step * period_, other_);
    jacobian_.col(start_at_) += other_;
    jacobian_.col(start_at_) /= 2 * step;
  }
  if (baseline_at_ >= 0) jacobian_.col(baseline_at_).setConstant(peak_ / 100);
  for (Eigen::Index i = 0; i < count(); ++i) {
    if (is_plain(i)) continue;
    if (is_held(i))
      jacobian_.col(i).setZero();
    else
      differentiate(at, i);
  }
}

void ElasticProblem::differentiate_factors(const Eigen::VectorXd& at) {
  for (Eigen::Index i = law_count_; i < law_count_ + factor_count(); ++i) differentiate(at, i);
}

void ElasticProblem::differentiate(const Eigen::VectorXd& at, Eigen::Index parameter) {
  const Coordinate& coordinate = coordinates_[static_cast<std::size_t>(parameter)];
  const double low = std::max(at[parameter] - coordinate.step, coordinate.low),
               high = std::min(at[parameter] + coordinate.step, coordinate.high);
  Eigen::VectorXd moved = at;
  moved[parameter] = low;
  follow(moved);
  other_ = model_;
  moved[parameter] = high;
  follow(moved);
  jacobian_.col(parameter) = (model_ - other_) / (high - low);
}

ElasticDescent descend(ElasticProblem& problem, Eigen::VectorXd at, int max_iterations, const Pull* pull) {
  const Eigen::Index n = problem.count();
  const double degrees_of_freedom = static_cast<double>(std::max<Eigen::Index>(problem.samples() - n, 1));
  const auto missed = [&](const Eigen::VectorXd& z) {
    return pull ? pull->weight * (pull->value - problem.scaled(z, pull->parameter, pull->reference)) : 0;
  };
  ElasticDescent out{std::move(at), 0, false};
  Eigen::VectorXd& z = out.at;
  double damping = 1e-2;
  int small_falls = 0;  // one after the other
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    problem.differentiate(z);
    const Eigen::MatrixXd& J = problem.jacobian();
    out.squares = problem.residual().squaredNorm();
    if (!std::isfinite(out.squares) || !J.allFinite()) {
      out.squares = std::numeric_limits<double>::infinity();
      return out;
    }
    Eigen::MatrixXd H = J.transpose() * J;
    Eigen::VectorXd fall = J.transpose() * problem.residual();
    double sum = out.squares;
    if (pull) {
      Eigen::VectorXd gradient(n), moved = z;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double step = problem.coordinates()[static_cast<std::size_t>(i)].step;
        moved[i] = z[i] + step;
        const double high = missed(moved);
        moved[i] = z[i] - step;
        gradient[i] = (missed(moved) - high) / (2 * step);
        moved[i] = z[i];
      }
      const double rest = missed(z);
      H += gradient * gradient.transpose();
      fall += gradient * rest;
      sum += rest * rest;
    }
    // held, or at the end of a range and pushed beyond: it stays
    for (Eigen::Index i = 0; i < n; ++i) {
      const Coordinate& coordinate = problem.coordinates()[static_cast<std::size_t>(i)];
      const bool beyond = (z[i] <= coordinate.low && fall[i] < 0) || (z[i] >= coordinate.high && fall[i] > 0);
      if (!beyond && !problem.is_held(i)) continue;
      H.row(i).setZero();
      H.col(i).setZero();
      fall[i] = 0;
    }
    const Eigen::VectorXd scale = H.diagonal().cwiseMax(1e-12 * H.diagonal().maxCoeff()).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd unit = scale.asDiagonal() * H * scale.asDiagonal();
    const auto solved = [&](double by) {
      Eigen::MatrixXd damped = unit;
      damped.diagonal().array() += by;
      return Eigen::VectorXd(scale.cwiseProduct(damped.ldlt().solve(scale.cwiseProduct(fall))));
    };
    const double variance = sum / degrees_of_freedom, expected = fall.dot(solved(1e-10));
    if (expected <= std::max(converged_at * variance, rounding * problem.forces().squaredNorm())) {
      out.converged = true;
      return out;
    }
    double next_sum = sum;
    for (int attempt = 0; attempt < 14 && !(next_sum < sum); ++attempt) {
      Eigen::VectorXd next = solved(damping);
      for (Eigen::Index i = 0; i < n; ++i) {  // each by itself: one that the record does not fix goes far
        const Coordinate& coordinate = problem.coordinates()[static_cast<std::size_t>(i)];
        const double step = std::clamp(next[i], -coordinate.reach, coordinate.reach);
        next[i] = std::clamp(z[i] + step, coordinate.low, coordinate.high);
      }
      const double rest = missed(next);
      next_sum = problem.squares(next) + rest * rest;
      if (next_sum < sum) z = next;
      damping = next_sum < sum ? std::max(damping / 8, 1e-9) : damping * 5;
    }
    // Kinks, where samples enter or leave the contact, make S rough by a part of the variance. And where the record
    // does not fix all parameters there is a valley instead of a minimum: its floor will do.
    const bool stays = !(next_sum < sum);
    small_falls = sum - next_sum < flat * variance ? small_falls + 1 : 0;
    if (small_falls >= 3 || (stays && (expected < 0.3 * variance || fall.dot(solved(1e-4)) < flat * variance))) {
      if (!stays) out.squares = problem.squares(z);
      out.converged = true;
      return out;
    }
    if (stays) return out;
  }
  return out;
}

}  // namespace thud::fitting
