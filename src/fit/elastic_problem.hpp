#pragma once

/// Nonlinear least squares of an arm with elastic joints to a record. Private to the library.
///
/// A point has a coordinate for each free parameter: those of the law (fit/laws.cpp), the logarithms of the factors,
/// start and baseline. The last two are counted from their first estimates, in sampling periods and hundredths of the
/// peak.

#include <thud/elastic_fit.hpp>

#include <string_view>
#include <vector>

#include "fit/laws.hpp"
#include "fit/outline.hpp"

namespace thud::fitting {

struct Coordinate {
  std::string_view name;  // of the parameter
  double low, high;       // range
  double step;            // of differences
  double reach;           // longest step of a descent
};

inline constexpr double most_factor = 30;  // of a drive, either way

class ElasticProblem {
 public:
  ElasticProblem(const VectorRef& times, const VectorRef& forces, const ElasticArm& arm, LawKind kind, double velocity,
                 const ElasticFitOptions& options, const Outline& outline);

  const std::vector<Coordinate>& coordinates() const noexcept { return coordinates_; }
  Eigen::Index count() const noexcept { return static_cast<Eigen::Index>(coordinates_.size()); }
  Eigen::Index samples() const noexcept { return times_.size(); }
  const VectorRef& times() const noexcept { return times_; }
  const VectorRef& forces() const noexcept { return forces_; }
  double model_error() const noexcept { return options_.model_error * peak_; }  // [N]
  Eigen::Index law_count() const noexcept { return law_count_; }                // coordinates of the law come first
  const RecordScale& scale() const noexcept { return scale_; }

  // What a point stands for
  ContactLaw law(const Eigen::VectorXd& at) const;
  Drives drives(const Eigen::VectorXd& at) const;
  double start(const Eigen::VectorXd& at) const;     // [s]
  double baseline(const Eigen::VectorXd& at) const;  // [N]

  /// A point from a law of this kind, factors of stiffness and rotors, and the first estimates of start and baseline.
  Eigen::VectorXd point(const ContactLaw& law, double stiffness_factor, double rotor_factor) const;
  /// The point of a fit of this record.
  Eigen::VectorXd point(const FitResult& fit) const;

  /// From now on descents leave the factors where they are. Before the first of them.
  void hold_factors() noexcept { factors_held_ = true; }
  bool is_held(Eigen::Index parameter) const noexcept;
  Eigen::Index factor_count() const noexcept { return static_cast<Eigen::Index>(options_.free.size()); }

  /// A parameter on the scale of its interval: plain for start and baseline, asinh(10 c/reference) for a damping that
  /// may be 0, the logarithm of all others. And back.
  double scaled(const Eigen::VectorXd& at, Eigen::Index parameter, double reference) const;
  double unscaled(Eigen::Index parameter, double scaled, double reference) const;
  bool may_vanish(Eigen::Index parameter) const noexcept;  // that damping
  bool is_plain(Eigen::Index parameter) const noexcept;    // start and baseline

  /// Sum of squares; infinite where the motion cannot be followed.
  double squares(const Eigen::VectorXd& at);
  /// Residual and Jacobian of the model, by central differences, at a point. The columns of factors that are held are
  /// zero; the other function fills them.
  void differentiate(const Eigen::VectorXd& at);
  void differentiate_factors(const Eigen::VectorXd& at);
  const Eigen::VectorXd& model() const noexcept { return model_; }  // of the last evaluation
  const Eigen::VectorXd& residual() const noexcept { return residual_; }
  const Eigen::MatrixXd& jacobian() const noexcept { return jacobian_; }

  int evaluations = 0;  // of the model

 private:
  void follow(const Eigen::VectorXd& at);
  void differentiate(const Eigen::VectorXd& at, Eigen::Index parameter);
  void sample(double start, Eigen::VectorXd& force);

  const VectorRef& times_;
  const VectorRef& forces_;
  const ElasticArm& given_;
  const ElasticFitOptions& options_;
  LawKind kind_;
  RecordScale scale_;
  double start_, baseline_, period_, peak_;  // first estimates [s], [N]; sampling period [s]; peak force [N]
  Eigen::Index law_count_, start_at_ = -1, baseline_at_ = -1;
  std::vector<Coordinate> coordinates_;
  std::vector<bool> may_vanish_;  // of the law's

  ElasticArm arm_;  // scratch, with factors
  bool rigid_ = false, factors_held_ = false;
  ElasticOptions horizon_;
  ElasticProfile profile_;
  Eigen::VectorXd followed_, differentiated_;  // the points of the last evaluation and derivatives; NaN before
  Eigen::VectorXd shifted_, model_, other_, residual_;
  Eigen::MatrixXd jacobian_;
};

/// One parameter pulled to a value, as a further residual: weight (value - scaled).
struct Pull {
  Eigen::Index parameter;
  double value, weight, reference;
};

struct ElasticDescent {
  Eigen::VectorXd at;
  double squares = 0;  // without the pull's
  bool converged = false;
};

/// Levenberg-Marquardt with Marquardt's scaling inside the ranges.
ElasticDescent descend(ElasticProblem& problem, Eigen::VectorXd at, int max_iterations, const Pull* pull = nullptr);

}  // namespace thud::fitting
