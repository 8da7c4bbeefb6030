"""The whole path: how hard does a Panda hit a wall at 0.12 m/s, what force does that make, and which law is behind a
record of it?"""

import sys

import thud

file = sys.argv[1] if len(sys.argv) > 1 else "data/records/viscoelastic.csv"
robot = thud.load_robot("panda")  # a shipped name, or a URDF path
point = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])
q = [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854]

dynamics = thud.contact_dynamics(robot, point, q)  # M, J, mass, centre of mass, ...
dq = thud.approach(dynamics, 0.12).dq  # joint rates that bring the foot on [rad/s]
inertia = thud.composite_rigid_body(dynamics)  # 1/kg
v_before = thud.contact_velocity(dynamics, dq)  # m/s, negative: approaching
impulse = thud.normal_impulse(inertia, v_before, restitution=0)  # N s
law = thud.Viscoelastic(stiffness=3e5, damping=1.25e7)  # N/m, N s/m^2
profile = thud.force_profile(law, inertia.effective_mass, v_before)  # events, energies
record = thud.read_record(file)  # CSV: time [s], force [N]
found = thud.identify(record, velocity=v_before)  # which law, which parameters

print(
    f"{inertia.effective_mass:.2f} kg, {impulse.total:.2f} N s, peak {profile.peak.force:.0f} N; "
    f"the record is best explained by {found.best.name if found.best else 'none of the laws'}"
)
