#include "lab/box_program.hpp"

#include <proxsuite/proxqp/dense/dense.hpp>

namespace thud::lab {

struct BoxProgram::Solver {
  Solver(Eigen::Index unknowns, Eigen::Index rows) : qp(unknowns, 0, rows, true) {
    qp.settings.eps_abs = 1e-10;
    qp.settings.initial_guess = proxsuite::proxqp::InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT;
  }
  proxsuite::proxqp::dense::QP<double> qp;
  bool started = false;
};

BoxProgram::BoxProgram(Eigen::Index unknowns, Eigen::Index rows) : solver_(std::make_unique<Solver>(unknowns, rows)) {}

BoxProgram::~BoxProgram() = default;

VectorX BoxProgram::solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& lower,
                          const Eigen::VectorXd& upper, const Rows& rows) {
  using proxsuite::nullopt;
  auto& qp = solver_->qp;
  const auto set = [&](auto&&... limits) {
    if (!solver_->started)
      qp.init(H, g, nullopt, nullopt, limits..., lower, upper);
    else
      qp.update(H, g, nullopt, nullopt, limits..., lower, upper);
  };
  if (rows.A.rows() > 0)
    set(rows.A, rows.lower, rows.upper);
  else
    set(nullopt, nullopt, nullopt);
  solver_->started = true;
  qp.solve();
  // a box is always feasible; the solver's tolerance must not violate it
  return qp.results.x.cwiseMax(lower).cwiseMin(upper);
}

}  // namespace thud::lab
