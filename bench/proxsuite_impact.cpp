#include <Eigen/Geometry>
#include <proxsuite/proxqp/dense/dense.hpp>

#include "impact_rivals.hpp"

struct ProxsuiteImpact::Solver {
  Solver() : qp(3, 0, 5) {
    qp.settings.eps_abs = 1e-9;
    qp.settings.initial_guess = proxsuite::proxqp::InitialGuessStatus::NO_INITIAL_GUESS;
    lower = Eigen::VectorXd::Zero(5);
    upper = Eigen::VectorXd::Constant(5, 1e20);
  }
  proxsuite::proxqp::dense::QP<double> qp;
  Eigen::MatrixXd H{3, 3}, C{5, 3};
  Eigen::VectorXd g{3}, lower, upper;
  bool started = false;
};

ProxsuiteImpact::ProxsuiteImpact() : solver_(std::make_unique<Solver>()) {}
ProxsuiteImpact::~ProxsuiteImpact() = default;

Eigen::Vector3d ProxsuiteImpact::solve(const Eigen::Matrix3d& W, const Eigen::Vector3d& velocity,
                                       const Eigen::Vector3d& normal, double friction) {
  Solver& s = *solver_;
  const Eigen::Vector3d x = normal.unitOrthogonal(), y = normal.cross(x);
  s.H = W;
  s.g = velocity;
  s.C.row(0) = normal;
  s.C.row(1) = friction * normal + x;
  s.C.row(2) = friction * normal - x;
  s.C.row(3) = friction * normal + y;
  s.C.row(4) = friction * normal - y;
  using proxsuite::nullopt;
  if (!s.started)
    s.qp.init(s.H, s.g, nullopt, nullopt, s.C, s.lower, s.upper);
  else
    s.qp.update(s.H, s.g, nullopt, nullopt, s.C, s.lower, s.upper);
  s.started = true;
  s.qp.solve();
  return s.qp.results.x;
}
