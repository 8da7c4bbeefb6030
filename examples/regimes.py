# Which matrix is near an arm with elastic joints? The Panda hits ever harder walls: the longer the contact lasts against
# the oscillations of the links on their transmissions (x = omega t_c), the more of the arm it feels.
#
#     python regimes.py [FIGURE.svg]
#
# Prints a table; draws it with matplotlib where a figure is named.
import sys

import numpy as np

import thud

robot, q = thud.load_robot("panda"), np.array([0, 0.4, 0, -1.3, 0, 3.2708, 0.7854])
point = thud.ContactPoint("panda_foot", [0, 0, 0.0223], [-1, 0, 0])
arm = thud.elastic_arm(robot, point, q, thud.load_drives("panda", robot.size))
dynamics = thud.contact_dynamics(robot, point, q)
prediction = thud.predict(dynamics, thud.approach(dynamics, 0.12).dq)
masses = {model: prediction[model].inertia.effective_mass for model in thud.InertiaModel}

rows = []
print(f"{'k [N/m]':>9}{'t_c [ms]':>10}{'x':>7}{'mass [kg]':>11}  nearest by the rule")
for stiffness in np.geomspace(1e4, 1e9, 41):
    hit = thud.elastic_profile(arm, thud.Viscoelastic(stiffness, 7.28 * stiffness), -0.12, horizon=0.2)
    found = thud.regime(arm, hit)
    if not found:
        continue
    rows.append((found.x, found.effective_mass))
    print(f"{stiffness:9.3g}{1e3 * found.time:10.3f}{found.x:7.2f}{found.effective_mass:11.3f}  {found.by_rule.name}")

if len(sys.argv) < 2:
    sys.exit()
try:
    import matplotlib
except ImportError:
    sys.exit("no picture: matplotlib is not installed")
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "thud"
import matplotlib.pyplot as plt  # noqa: E402

figure, axes = plt.subplots(figsize=(7, 4))
x, mass = np.array(sorted(rows)).T
axes.loglog(x, mass, "k-", lw=2, label="elastic joints, Panda, configuration two")
for (model, value), dash in zip(masses.items(), ("--", "-.", ":", (0, (1, 3)))):
    axes.axhline(value, ls=dash, color="tab:blue", lw=1, label=f"{model.name} {value:.3g} kg")
axes.axhline(arm.mass_rotors, ls="-", color="tab:green", lw=1, label=f"links and rotors {arm.mass_rotors:.3g} kg")
for bound in thud.regime_bounds:
    axes.axvline(bound, color="0.7", lw=1)
axes.set(xlabel="x = ω t_c [1]", ylabel="impulse to the greatest depth over |v0| [kg]")
axes.legend(fontsize=8)
figure.tight_layout()
figure.savefig(sys.argv[1], metadata={"Date": None})
