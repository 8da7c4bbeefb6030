#include "fit/elastic_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Cholesky>

#include "fit/reported.hpp"
#include "fit/residual_noise.hpp"

namespace thud::fitting {
namespace {

constexpr double widest = 30;              // factor within which an end must be
constexpr double as_predicted = 0.05;      // of the rise's root: the curvature tells the end
constexpr double found_end = 0.04;         // likewise: close enough to extrapolate
constexpr double lower = 0.05;             // in variances: another minimum
constexpr int pulled_iterations = 12;      // enough from a prediction of the curvature
constexpr double correlation_time = 1e-3;  // of the model's error [s]
constexpr double accuracy = 1e-8;          // of the model, relative to the root mean square of the force

struct Ends {
  ElasticProblem& problem;
  const ElasticDescent& best;
  double variance, reference;
  bool final;  // lower minima are left alone
  std::optional<ElasticDescent> better{};

  double root(double squares) const { return std::sqrt(std::max(squares - best.squares, 0.0) / variance); }

  bool is_better(const Eigen::VectorXd& at, double squares) {
    if (final || !(squares < best.squares - lower * variance)) return false;
    better = ElasticDescent{at, squares, false};
    return true;
  }

  // The end on one side, as a distance on the parameter's scale; none where it is open.
  std::optional<double> find(Eigen::Index parameter, double side, double q, const Eigen::VectorXd& direction,
                             double error) {
    const double centre = problem.scaled(best.at, parameter, reference);
    if (problem.is_plain(parameter)) return q * error;
    const Coordinate& own = problem.coordinates()[static_cast<std::size_t>(parameter)];
    if (side > 0 ? best.at[parameter] >= own.high : best.at[parameter] <= own.low) return std::nullopt;
    double most = std::log(widest);
    if (problem.may_vanish(parameter)) {
      const double larger = std::asinh(widest * std::max(std::sinh(centre), 1.0)) - centre;
      most = side < 0 ? centre : larger;
    }
    const auto moved = [&](double distance) {
      Eigen::VectorXd at = best.at + side * distance / error * direction;
      for (Eigen::Index i = 0; i < at.size(); ++i) {
        const Coordinate& coordinate = problem.coordinates()[static_cast<std::size_t>(i)];
        at[i] = std::clamp(at[i], coordinate.low, coordinate.high);
      }
      return at;
    };
    const auto distance_of = [&](const Eigen::VectorXd& at) {
      return side * (problem.scaled(at, parameter, reference) - centre);
    };
    double next = q * error;
    if (next < most) {
      const Eigen::VectorXd at = moved(next);
      const double squares = problem.squares(at), rise = root(squares);
      if (is_better(at, squares)) return std::nullopt;
      if (std::abs(rise / q - 1) < as_predicted && std::abs(distance_of(at) / next - 1) < 0.01) return next * q / rise;
    }
    struct Known {
      double distance, rise;
    };
    Known below{0, 0};
    std::optional<Known> above;
    next = std::min(next, most);
    const double weight = 30 * std::sqrt(variance) / std::min(error, most / q);
    for (int attempt = 0; attempt < 7; ++attempt) {
      const Pull pull{parameter, centre + side * next, weight, reference};
      const ElasticDescent found = descend(problem, moved(next), pulled_iterations, &pull);
      if (is_better(found.at, found.squares)) return std::nullopt;
      const Known here{distance_of(found.at), root(found.squares)};
      if (here.rise > 0 && std::abs(here.rise / q - 1) < found_end && here.distance > 0)
        return here.distance * q / here.rise;
      if (here.rise < q) {
        if (next >= most) return std::nullopt;
        if (here.distance > below.distance) below = here;
      } else {
        above = here;
      }
      next = above ? below.distance + (above->distance - below.distance) * (q - below.rise) / (above->rise - below.rise)
                   : std::min(most, next * std::clamp(q / std::max(here.rise, 1e-9), 1.2, 4.0));
    }
    return next;
  }
};

}  // namespace

double correlated_part(const Eigen::VectorXd& a, const VectorRef& times) {
  double sum = 0, before = 0;  // of a_j exp(-(t_i - t_j)/T) over j < i
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (i > 0) before = (before + a[i - 1]) * std::exp(-(times[i] - times[i - 1]) / correlation_time);
    sum += a[i] * (a[i] + 2 * before);
  }
  return sum;
}

ElasticIntervals elastic_intervals(ElasticProblem& problem, ElasticDescent& best, int max_iterations) {
  const Eigen::Index n = problem.count();
  const auto degrees_of_freedom = static_cast<double>(problem.samples() - n);
  const double t = student_t(degrees_of_freedom);
  ElasticIntervals out;
  constexpr int most_restarts = 3;
  for (int again = 0; again <= most_restarts; ++again) {
    problem.differentiate(best.at);
    const Eigen::MatrixXd J = problem.jacobian();
    const Eigen::VectorXd residual = problem.residual();
    const double variance =
        std::max(best.squares / degrees_of_freedom,
                 accuracy * accuracy * problem.forces().squaredNorm() / static_cast<double>(problem.samples()));
    Eigen::MatrixXd H = J.transpose() * J;
    const Eigen::VectorXd scale = H.diagonal().cwiseMax(1e-14 * H.diagonal().maxCoeff()).cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd unit = scale.asDiagonal() * H * scale.asDiagonal();
    unit.diagonal().array() += 1e-12;
    const Eigen::MatrixXd covariance =
        scale.asDiagonal() * unit.ldlt().solve(Eigen::MatrixXd::Identity(n, n)) * scale.asDiagonal();
    const Eigen::VectorXd deviation = covariance.diagonal().cwiseSqrt().cwiseInverse();
    out = {};
    out.correlation = deviation.asDiagonal() * covariance * deviation.asDiagonal();

    // in contact: where some parameter of law or arm matters
    Eigen::VectorXd weight = Eigen::VectorXd::Zero(problem.samples());
    for (Eigen::Index i = 0; i < weight.size(); ++i)
      weight[i] = std::abs(J(i, 0)) > 1e-6 * J.col(0).cwiseAbs().maxCoeff() ? 1 : 0;
    const Eigen::VectorXd correlated = autocovariance(residual, weight);

    const std::vector<std::pair<std::string_view, double>> law = law_parameters(problem.law(best.at));
    Ends ends{problem, best, variance, law.front().second / problem.scale().speed, again == most_restarts};
    for (Eigen::Index i = 0; i < n && !ends.better; ++i) {
      Eigen::VectorXd gradient(n), moved = best.at;
      for (Eigen::Index k = 0; k < n; ++k) {
        const double step = problem.coordinates()[static_cast<std::size_t>(k)].step;
        moved[k] = best.at[k] + step;
        const double high = problem.scaled(moved, i, ends.reference);
        moved[k] = best.at[k] - step;
        gradient[k] = (high - problem.scaled(moved, i, ends.reference)) / (2 * step);
        moved[k] = best.at[k];
      }
      const Eigen::VectorXd whole = covariance * gradient;
      const double unit_error = std::sqrt(gradient.dot(whole)), error = std::sqrt(variance) * unit_error;
      const Eigen::VectorXd direction = std::sqrt(variance) / unit_error * whole;  // one standard error
      const Eigen::VectorXd share = J * whole;                                     // of each residual in the estimate
      const double white = correlated.size() > 1 ? std::max(inflation(share, correlated, variance), 1.0) : 1.0;
      const double model = std::pow(problem.model_error(), 2) *
                           correlated_part(share.cwiseProduct(weight), problem.times()) /
                           (variance * share.squaredNorm());
      const double q = t * std::sqrt(white + model);
      const double centre = problem.scaled(best.at, i, ends.reference);
      const auto low = ends.find(i, -1, q, direction, error);
      const auto high = ends.better ? std::nullopt : ends.find(i, 1, q, direction, error);
      out.open_low.push_back(!low);
      out.open_high.push_back(!high);
      out.intervals.push_back(
          {low ? problem.unscaled(i, centre - *low, ends.reference) : 0,
           high ? problem.unscaled(i, centre + *high, ends.reference) : std::numeric_limits<double>::infinity()});
    }
    if (!ends.better) return out;
    best = descend(problem, ends.better->at, max_iterations);
  }
  return out;
}

}  // namespace thud::fitting
