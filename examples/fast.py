# As fast as the limits allow: the virtual arm is told to hit the wall at 0.3 m/s, once by a controller that knows of the
# hit (impact_rows) and once by one that does not.
#
#     python fast.py [FIGURE.svg]
#
# Prints a table; draws the torque of joint 6, which is loaded most, with matplotlib where a figure is named.
import sys
from pathlib import Path

import numpy as np

import thud

campaign = thud.read_campaign(Path(__file__).with_name("fast.toml"))
plain = campaign.replace(control=campaign.control.replace(impact_contact_time=0.0))
limits = thud.robot_limits(thud.load_robot("panda"))

rows = []
print(f"{'configuration':<14}{'controller':<12}{'speed [m/s]':>12}{'torque':>10}{'joint speed':>13}   of their limits")
for index, configuration in enumerate(campaign.configurations):
    for name, each in ("plain", plain), ("with rows", campaign):
        lab = thud.simulate_trial(each, index)
        joints, truth = lab.trial.joints, lab.run.truth
        after = joints.time >= truth.touch_time
        torque = np.abs(joints.torque[after]) / limits.torque
        speed = np.abs(joints.velocity[after]) / limits.speed
        rows.append((configuration.name, name, joints.time - truth.touch_time, joints.torque))
        print(f"{configuration.name:<14}{name:<12}{-truth.velocity:12.3f}{torque.max():10.0%}{speed.max():13.0%}")

if len(sys.argv) < 2:
    sys.exit()
try:
    import matplotlib
except ImportError:
    sys.exit("no picture: matplotlib is not installed")
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "thud"
import matplotlib.pyplot as plt  # noqa: E402

figure, panels = plt.subplots(1, len(campaign.configurations), figsize=(9, 3.2), sharey=True)
for axes, configuration in zip(panels, campaign.configurations):
    for name, controller, time, torque in rows:
        if name == configuration.name:
            shown = (time > -0.01) & (time < 0.05)
            axes.plot(1e3 * time[shown], torque[shown, 5], "k--" if controller == "plain" else "k-", label=controller)
    for sign in (-1, 1):
        axes.axhline(sign * limits.torque[5], color="tab:red", lw=1)
    axes.set(title=f"configuration {configuration.name}", xlabel="time since touch [ms]")
panels[0].set_ylabel("torque of joint 6 [N m]")
panels[0].legend(fontsize=8)
figure.tight_layout()
figure.savefig(sys.argv[1], metadata={"Date": None})
