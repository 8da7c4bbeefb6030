"""Results as tables: a dictionary of NumPy columns, which `pandas.DataFrame` and `polars.DataFrame` take as they are; and
joint values out of such a table."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Callable, Iterable

from .error import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# NumPy is imported where it is used: `import thud` stays quick.


def scalars(thing: Any, prefix: str = "") -> dict[str, Any]:
    """The numbers and texts of a value and of the values in it, `law.stiffness` for what is inside."""
    row: dict[str, Any] = {}
    for name, member in vars(type(thing)).items():
        if not isinstance(member, property):
            continue
        value = getattr(thing, name)
        if isinstance(value, enum.Enum):
            row[prefix + name] = value.name
        elif isinstance(value, (bool, int, float, str)):
            row[prefix + name] = value
        elif value is not None and "__setstate__" in vars(type(value)):
            row |= scalars(value, f"{prefix}{name}.")
    return row


def columns(rows: Iterable[dict[str, Any]]) -> dict[str, NDArray[Any]]:
    """Rows with different keys as columns: a number that a row has not is NaN, a text is empty."""
    import numpy as np

    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    made: dict[str, NDArray[Any]] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        if any(isinstance(value, str) for value in values):
            made[name] = np.array(["" if value is None else str(value) for value in values])
        elif any(isinstance(value, float) or value is None for value in values):
            made[name] = np.array([np.nan if value is None else value for value in values], float)
        else:
            made[name] = np.array(values)
    return made


def of_record(self: Any) -> dict[str, NDArray[Any]]:
    """Columns `time` [s] and `force` [N]."""
    return {"time": self.time.copy(), "force": self.force.copy()}


def of_profile(self: Any, samples: int = 601) -> dict[str, NDArray[Any]]:
    """Force, motion and energies over time, by the names of ContactState; from the touch to the end of the force and half as
    long again, or to the end of the contact."""
    import numpy as np

    import thud

    end = 1.5 * self.end_of_force.time
    if self.end_of_contact is not None:
        end = min(end, self.end_of_contact.time)
    return {name: np.array(values) for name, values in thud.states(self, np.linspace(0, end, samples)).items()}


def of_joint_log(self: Any) -> dict[str, NDArray[Any]]:
    """`time` and a column for each signal of each joint: `position.0`, `velocity.0`, ..."""
    made: dict[str, NDArray[Any]] = {"time": self.time.copy()}
    for name in ("position", "velocity", "torque", "torque_reference"):
        signal = getattr(self, name)
        if signal.size:
            made |= {f"{name}.{joint}": signal[:, joint].copy() for joint in range(signal.shape[1])}
    return made


def of_fit(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each parameter of the law: `name`, `value`, `low`, `high`, `identifiability`."""
    return columns({"law": self.kind.name} | scalars(each) for each in self.parameters)


def of_fits(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each law: its numbers, and its parameters as `stiffness`, `stiffness.low`, `stiffness.high`, ..."""
    rows = []
    for each in self.laws:
        row = scalars(each)
        for parameter in each.parameters:
            row |= {parameter.name: parameter.value, f"{parameter.name}.low": parameter.low, f"{parameter.name}.high": parameter.high}
        rows.append(row)
    return columns(rows)


def of_prediction(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each model."""
    return columns({"model": model.name} | scalars(each) for model, each in self.models.items())


def of_batch(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each posture: effective mass of each model, and what else was asked for that is one number."""
    import numpy as np

    import thud

    made: dict[str, NDArray[Any]] = {}
    for name in ("effective_mass", "impulse_compression", "impulse_total"):
        numbers = getattr(self, name)
        if numbers.all.size:
            made |= {f"{name}.{model.name}": np.array(numbers[model]) for model in thud.all_inertia_models}
    made |= {name: getattr(self, name).copy() for name in ("v_exact", "v_approximate", "ratio") if getattr(self, name).size}
    return made


def of_study(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each trial."""
    return columns(map(scalars, self.trials))


def of_limit(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each limit."""
    return columns(map(scalars, self.rows))


def of_translation(self: Any) -> dict[str, NDArray[Any]]:
    """A row for each quantity: of the law, of the simulator, lowest and highest over where in a step the touch falls."""
    import numpy as np

    names = ("peak", "duration", "restitution")
    made: dict[str, NDArray[Any]] = {"quantity": np.array(names)}
    for column in ("of_law", "of_simulator", "lowest", "highest"):
        made[column] = np.array([getattr(getattr(self, column), name) for name in names])
    return made


COLUMNS: dict[str, Callable[..., dict[str, NDArray[Any]]]] = {
    "Record": of_record,
    "ForceProfile": of_profile,
    "JointLog": of_joint_log,
    "FitResult": of_fit,
    "FittedLaws": of_fits,
    "Identification": of_fits,
    "Prediction": of_prediction,
    "Batch": of_batch,
    "Study": of_study,
    "Dataset": of_study,
    "SpeedLimit": of_limit,
    "Translation": of_translation,
}


def postures(self: Any, table: Any, suffix: str = "") -> NDArray[Any]:
    """Joint values out of a table, a row each and in the robot's joint order: of the columns with the joints' names (and the
    suffix, where a log has `joint1.position`), whatever their order and whatever else the table has. A DataFrame of pandas or
    polars, or a dictionary of columns. Raises InputError for a joint without a column, and for one that is no numbers."""
    import numpy as np

    found = []
    names = set(table.columns if hasattr(table, "columns") else table)
    for joint in self.joints:
        name = joint.name + suffix
        if name not in names:
            raise InputError("table", name, "has no column for this joint")
        try:
            found.append(np.asarray(table[name], dtype=np.float64))
        except (TypeError, ValueError):
            raise InputError("table", name, "must be a column of real numbers") from None
        if found[-1].ndim != 1 or found[-1].shape != found[0].shape:
            raise InputError("table", name, "must be a column as long as the others")
    return np.column_stack(found) if found else np.empty((0, 0))
