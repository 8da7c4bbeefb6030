"""Pictures of records, profiles, fits, predictions and studies, by Matplotlib, which `pip install thud[plot]` brings."""

from __future__ import annotations

from typing import Any, Callable


def axes_for(axes: Any) -> Any:
    """The given axes, or new ones."""
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot
    except ImportError as missing:
        raise ImportError("plot() needs Matplotlib: pip install thud[plot]") from missing
    return matplotlib.pyplot.subplots(layout="constrained")[1]


def of_record(self: Any, axes: Any = None) -> Any:
    """Force over time. Returns the Matplotlib axes it draws on: those given, or new ones."""
    on = axes_for(axes)
    on.plot(1e3 * self.time, self.force, ".-", markersize=3, linewidth=0.8, label="record")
    on.set(xlabel="time [ms]", ylabel="force [N]")
    return on


def of_profile(self: Any, axes: Any = None) -> Any:
    """Force over time with its events. Returns the Matplotlib axes it draws on: those given, or new ones."""
    on = axes_for(axes)
    table = self.to_table()
    (line,) = on.plot(1e3 * table["time"], table["force"], label=f"restitution {self.restitution:.3g}")
    marks = {"peak": self.peak, "end of compression": self.end_of_compression, "end of force": self.end_of_force}
    for name, event in marks.items():
        if event is not None:
            on.axvline(1e3 * event.time, color=line.get_color(), linewidth=0.6, linestyle=":")
            on.annotate(name, (1e3 * event.time, 1), xycoords=("data", "axes fraction"), rotation=90, va="top", ha="right", fontsize="small")
    on.set(xlabel="time [ms]", ylabel="force [N]", title=f"{self.mass:.4g} kg at {-self.velocity:.4g} m/s")
    on.legend()
    return on


def of_fits(self: Any, axes: Any = None) -> Any:
    """The measured contact and the laws that were fitted to it. Returns the Matplotlib axes it draws on: those given, or new
    ones."""
    import thud

    on = axes_for(axes)
    on.plot(1e3 * self.contact.time, self.contact.force, "k.", markersize=3, label="record")
    for each in self.laws:
        if each.ok:
            fitted = self.contact.force - thud.residuals(self.contact, each)
            on.plot(1e3 * self.contact.time, fitted, label=f"{each.kind.name}, R² {each.r_squared:.4f}")
    on.set(xlabel="time [ms]", ylabel="force [N]")
    on.legend()
    return on


def of_prediction(self: Any, axes: Any = None) -> Any:
    """The impulse of each model. Returns the Matplotlib axes it draws on: those given, or new ones."""
    import numpy as np

    on = axes_for(axes)
    table = self.to_table()
    impulse = table.get("impulse.total", table.get("impact.compression", np.full(len(table["model"]), np.nan)))
    on.barh(list(table["model"]), impulse)
    on.invert_yaxis()
    on.set(xlabel="impulse [N s]")
    return on


def of_study(self: Any, axes: Any = None) -> Any:
    """Impulse to the end of compression over the contact velocity: measured, a dot a trial, and predicted, a line a model.
    Returns the Matplotlib axes it draws on: those given, or new ones."""
    on = axes_for(axes)
    trials = [each for each in self.trials if each.ok]
    on.plot([-each.touch.v_exact for each in trials], [each.impulse_compression for each in trials], "k.", label="measured")
    for model in dict.fromkeys(model for cell in self.cells for model in models_of(cell)):
        rows = sorted((-cell.velocity_exact.mean, models_of(cell)[model]) for cell in self.cells if model in models_of(cell))
        on.plot([row[0] for row in rows], [row[1] for row in rows], "_", markersize=12, label=model)
    on.set(xlabel="contact velocity [m/s]", ylabel="impulse to the end of compression [N s]")
    on.legend()
    return on


def models_of(cell: Any) -> dict[str, float]:
    """The impulse to the end of compression by each model that exists, of the first robot of a cell's predictions [N s]."""
    import numpy as np

    if not cell.predictions:
        return {}
    found = {model.name: each.impulse.compression for model, each in cell.predictions[0].models.items()}
    return {name: impulse for name, impulse in found.items() if np.isfinite(impulse)}


PLOTS: dict[str, Callable[..., Any]] = {
    "Record": of_record,
    "ForceProfile": of_profile,
    "Identification": of_fits,
    "Prediction": of_prediction,
    "Study": of_study,
}
