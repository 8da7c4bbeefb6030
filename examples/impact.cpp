// The whole path: how hard does a Panda hit a wall at 0.12 m/s, what force does that make, and which law is behind a
// record of it?

#include <thud/thud.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : THUD_DATA "/records/viscoelastic.csv";
  const auto robot = thud::load_robot("panda");  // a shipped name, or a URDF path
  const auto point = thud::ContactPoint{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  thud::VectorX q(7);
  q << 0, 0.1, 0, -1.5, 0, 3.1708, 0.7854;

  const auto dynamics = thud::contact_dynamics(robot, point, q);  // M, J, mass, centre of mass, ...
  const auto dq = thud::approach(dynamics, 0.12).dq;              // joint rates that bring the foot on [rad/s]
  const auto inertia = thud::composite_rigid_body(dynamics);      // 1/kg
  const auto v_before = thud::contact_velocity(dynamics, dq);     // m/s, negative: approaching
  const auto impulse = thud::normal_impulse(inertia, v_before, {.restitution = 0});   // N s
  const auto law = thud::Viscoelastic{.stiffness = 3e5, .damping = 1.25e7};           // N/m, N s/m^2
  const auto profile = thud::force_profile(law, inertia.effective_mass(), v_before);  // events, energies
  const auto record = thud::read_record(file);                                        // CSV: time [s], force [N]
  const auto found = thud::identify(record, v_before);                                // which law, which parameters

  std::printf("%.2f kg, %.2f N s, peak %.0f N; the record is best explained by %s\n", inertia.effective_mass(),
              impulse.total, profile.peak.force, found.best ? thud::to_string(*found.best).data() : "none of the laws");
}
