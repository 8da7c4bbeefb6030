#include "lab/box_program.hpp"

#include <proxsuite/proxqp/dense/dense.hpp>

namespace thud::lab {

struct BoxProgram::Solver {
  explicit Solver(Eigen::Index unknowns) : qp(unknowns, 0, 0, true) {
    qp.settings.eps_abs = 1e-10;
    qp.settings.initial_guess = proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
  }
  proxsuite::proxqp::dense::QP<double> qp;
  bool started = false;
};

BoxProgram::BoxProgram(Eigen::Index unknowns) : solver_(std::make_unique<Solver>(unknowns)) {}

BoxProgram::~BoxProgram() = default;

VectorX BoxProgram::solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& lower,
                          const Eigen::VectorXd& upper) {
  using proxsuite::nullopt;
  auto& qp = solver_->qp;
  if (!solver_->started)
    qp.init(H, g, nullopt, nullopt, nullopt, nullopt, nullopt, lower, upper);
  else
    qp.update(H, g, nullopt, nullopt, nullopt, nullopt, nullopt, lower, upper);
  solver_->started = true;
  qp.solve();
  // a box is always feasible; the solver's tolerance must not violate it
  return qp.results.x.cwiseMax(lower).cwiseMin(upper);
}

}  // namespace thud::lab
