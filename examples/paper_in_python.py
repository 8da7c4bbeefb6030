# %% [markdown]
# # Table I of the paper, from a virtual campaign; then one record, fitted and drawn
#
# [Wang22] is Wang, Dehio, Kheddar 2022 (CITATION.cff). Run the cells one by one, or the file as a program:
#
#     python examples/paper_in_python.py --repeats 10 --out out
#
# The campaign goes into FOLDER/campaign.h5 (the same call goes on where it was interrupted), the picture into
# FOLDER/fit.svg. Needs matplotlib for the picture and nothing but NumPy for the rest.

# %%
import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

import thud

parser = argparse.ArgumentParser(description="Table I of the paper from a virtual campaign; one fit and its picture.")
parser.add_argument("--repeats", type=int, default=10, help="trials of each configuration and speed (default: 10)")
parser.add_argument("--out", type=Path, metavar="FOLDER", help="for campaign and picture (default: a temporary folder)")
options = parser.parse_args([] if "ipykernel" in sys.modules else None)
out = options.out or Path(tempfile.mkdtemp(prefix="thud_"))
out.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## The experiment
# Three configurations x five speeds x repeats: a stiffly controlled Panda hits a wall (docs/lab.md).


# %%
def progress(what: str):
    def tell(done: int, planned: int) -> None:
        print(f"\r{what}: {done} of {planned} trials", end="\n" if done == planned else "", file=sys.stderr, flush=True)

    return tell


campaign = thud.default_campaign().replace(repeats=options.repeats)
path = out / "campaign.h5"
thud.simulate(campaign, path, progress=progress("simulate"))
reader = thud.DatasetReader(path)
dataset = reader.dataset()
truth = [reader.truth(trial.name) for trial in dataset.trials]
study = thud.study(dataset, truth, progress=progress("study"))

# %% [markdown]
# ## Table I, [Wang22, (tab:relative_vels)]
# Contact velocity along the normal just before the touch: exact n.J_v dq, approximate n.(X J_avg dq), and e_a, their
# ratio. The paper's numbers are the table's own; it prints approach as positive, as is done here.

# %%
speeds = [0.08, 0.10, 0.12, 0.15, 0.18]
paper = {
    "exact [m/s]": {
        "one": [0.0756, 0.0956, 0.1156, 0.1456, 0.1755],
        "two": [0.0745, 0.0943, 0.1141, 0.1438, 0.1734],
        "three": [0.0715, 0.0913, 0.1111, 0.1411, 0.1709],
    },
    "approximate [m/s]": {
        "one": [0.0699, 0.0870, 0.1056, 0.1309, 0.1623],
        "two": [0.0567, 0.0734, 0.0975, 0.1239, 0.1486],
        "three": [0.0446, 0.0586, 0.0712, 0.0894, 0.1036],
    },
    "e_a [1]": {
        "one": [0.9248, 0.9100, 0.9141, 0.8996, 0.9243],
        "two": [0.7609, 0.7785, 0.8544, 0.8618, 0.8567],
        "three": [0.6244, 0.6423, 0.6406, 0.6336, 0.6062],
    },
}
here: dict[str, dict[str, list[float]]] = {quantity: {name: [] for name in rows} for quantity, rows in paper.items()}
for cell in study.cells:  # by configuration, then by speed
    here["exact [m/s]"][cell.configuration].append(-cell.velocity_exact.mean)
    here["approximate [m/s]"][cell.configuration].append(-cell.velocity_approximate.mean)
    here["e_a [1]"][cell.configuration].append(cell.ratio.mean)

print(f"Table I: {len(study.trials)} virtual trials (seed {study.seed}) beside [Wang22, (tab:relative_vels)]")
print(f"{'reference speed [m/s]':32}" + "".join(f"{speed:9.2f}" for speed in speeds) + "     mean")
for quantity, rows in paper.items():
    print(quantity)
    for name, published in rows.items():
        for source, values in (("here", here[quantity][name]), ("paper", published)):
            mean = f"{np.mean(values):9.4f}" if quantity.startswith("e_a") else ""
            print(f"  {name:10}{source:20}" + "".join(f"{value:9.4f}" for value in values) + mean)

# %% [markdown]
# ## Where they differ, and why
# The virtual controller loses less speed than the paper's. Its postures were chosen by the mean ratios, for the paper
# prints no joint positions: that the means of e_a agree is by construction. That e_a hardly depends on speed is not.

# %%
print("what differs:")
slower = {name: 1 - np.mean(np.divide(values, speeds)) for name, values in here["exact [m/s]"].items()}
published = {name: 1 - np.mean(np.divide(values, speeds)) for name, values in paper["exact [m/s]"].items()}
for name in slower:
    ours, theirs = here["e_a [1]"][name], paper["e_a [1]"][name]
    print(
        f"  {name:6} touches {slower[name]:5.1%} below the reference speed (paper {published[name]:5.1%}); "
        f"mean e_a {np.mean(ours) - np.mean(theirs):+.3f}, "
        f"spread over the speeds {np.ptp(ours):.4f} (paper {np.ptp(theirs):.4f})"
    )
print("  The postures were chosen for the mean e_a, as the paper prints none; speeds and spread are results.")

# %% [markdown]
# ## One fit
# A record of one impact, with noise: which law, which parameters, and how well are they known?

# %%
root = Path(__file__).resolve().parents[1] if "__file__" in globals() else Path.cwd()
record = thud.read_record(root / "data/records/viscoelastic.csv")
velocity = -0.12  # [m/s]
found = thud.identify(record, velocity=velocity)
if found.best is None:
    sys.exit("; ".join(warning.text for warning in found.warnings))
best_name = found.best.name
per = {"maxwell": ("m", "m"), "hunt_crossley": ("mⁿ", "mⁿ⁺¹")}.get(best_name, ("m", "m²"))
units = {  # of what is printed, and how many SI units that is
    "stiffness": (f"kN/{per[0]}", 1e3),
    "damping": (f"MN s/{per[1]}", 1e6),
    "restitution": ("", 1),
    "exponent": ("", 1),
    "mass": ("kg", 1),
}
table = [f"{'':12}{'fitted':>8}   {'95 % interval':16}"]
for fit in found.laws:
    mark = "*" if fit.kind == found.best else " "
    numbers = f"R² {fit.r_squared:.4f}  RMSE {fit.rmse:5.2f} N  BIC {fit.bic:7.1f}  e {fit.restitution:.3f}"
    print(f"{mark} {fit.kind.name:14} {numbers}")
    for each in fit.parameters if fit.kind == found.best else ():
        if each.name in units:
            unit, size = units[each.name]
            low, value, high = each.low / size, each.value / size, each.high / size
            table.append(f"{each.name:12}{value:8.4g}   {f'{low:.4g} to {high:.4g}':16} {unit}".rstrip())
print(f"best by BIC: {best_name}", *table[1:], sep="\n    ")
print(f"the file says: {record.comments[1]}")

# %%
try:
    import matplotlib
except ImportError:
    sys.exit("no picture: matplotlib is not installed")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

colours = {law.kind.name: "0.25" for law in found.laws}
colours |= {"spring": "#D98200", "maxwell": "#00896A", "viscoelastic": "#0063A8", "hunt_crossley": "#B84C86"}
grey = "0.4"
plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "thud"})
figure = plt.figure(figsize=(9, 7), layout="constrained")
rows = figure.add_gridspec(1 + len(found.laws), 1, height_ratios=[5] + [1] * len(found.laws))
force, strips = figure.add_subplot(rows[0]), []
since = lambda at: 1e3 * (at - found.window.start)  # [ms] from the touch
fine = np.linspace(found.contact.time[0], found.contact.time[-1], 1200)
noise = found.window.noise

points = {"marker": ".", "linestyle": "none", "markersize": 4}
label = f"record: noise {noise:.1f} N, one in {1e6 * thud.sampling(record).period:.0f} µs"
force.plot(since(found.contact.time), found.contact.force, color=grey, label=label, **points)
for i, fit in enumerate(found.laws):
    name, best = fit.kind.name, fit.kind == found.best
    profile = thud.force_profile(fit.law, fit.mass, velocity)
    model = lambda at: thud.states(profile, at - fit.start)["force"] + fit.baseline
    shown = name.replace("_", "-")
    style = {"color": colours[name], "linewidth": 2.2 if best else 1.3, "linestyle": "-" if best else "--"}
    label = f"{shown}: R² {fit.r_squared:.4f}, e {fit.restitution:.2f}"
    force.plot(since(fine), model(fine), label=label, zorder=4 if best else 3, **style)
    strips.append(figure.add_subplot(rows[i + 1], sharex=force, sharey=strips[0] if strips else None))
    strips[i].axhspan(-2 * noise, 2 * noise, color="0.92", zorder=0)
    residual = found.contact.force - model(found.contact.time)
    strips[i].plot(since(found.contact.time), residual, color=colours[name], **points)
    label = f"{shown}, RMSE {fit.rmse:.1f} N, BIC {fit.bic:.0f}"
    strips[i].text(0.995, 0.97, label, transform=strips[i].transAxes, ha="right", va="top", color=colours[name])
    strips[i].tick_params(labelbottom=i + 1 == len(found.laws))
    if best:
        for event, after in (("peak", fit.time_of_peak), ("end of compression", fit.time_of_compression)):
            at, height = fit.start + after, float(model(np.array([fit.start + after]))[0])
            force.plot([since(at)] * 2, [0, height], color=colours[name], linewidth=0.8, linestyle=":")
            force.annotate(event, (since(at), height), (8, 6), textcoords="offset points", color=colours[name])

force.set_title(f"Four contact laws on one record; best by BIC: {best_name.replace('_', '-')}", loc="left", fontsize=11)
force.set_ylabel("contact force [N]")
force.tick_params(labelbottom=False)
force.legend(frameon=False, loc="upper right", labelspacing=0.35)
monospace = {"family": "monospace", "fontsize": 8.5, "ha": "right", "va": "top", "color": colours[best_name]}
force.text(0.995, 0.56, "\n".join(f"{line:50}" for line in table), transform=force.transAxes, **monospace)
strips[1].set_ylabel("residual [N]; band: 2 σ of the noise", y=0, color=grey)
strips[-1].set_xlabel("time since the touch [ms]")
picture = out / "fit.svg"
figure.savefig(picture, metadata={"Date": None})
print(f"picture: {picture}")
