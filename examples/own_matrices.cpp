// With M, J and the rest from another library: a cart of 2 kg on a rail, pushed through its centre.

#include <thud/thud.hpp>

#include <cstdio>

int main() {
  const Eigen::MatrixXd M = Eigen::MatrixXd::Constant(1, 1, 2.0);  // [kg]
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 1);                 // the cart slides along x
  J(0, 0) = 1;
  const thud::Vector3 normal(-1, 0, 0);

  const auto free = thud::generalized_momentum(M, J, normal);
  std::printf("joints free: %.2f kg\n", free.effective_mass());

  const thud::CompositeBody body{.mass = 2, .com_W = {0, 0, 0}, .Ic_W = thud::Matrix3::Identity()};
  const auto rigid = thud::composite_rigid_body(body, {.p_WC = {0, 0, 0}, .normal_W = normal});
  std::printf("one rigid body: %.2f kg\n", rigid.effective_mass());

  // One joint cannot move the cart in six directions, and the result says so.
  const auto algebraic = thud::algebraic(M, J, normal);
  std::printf("algebraic: %s\n", thud::to_string(algebraic.status).data());
}
