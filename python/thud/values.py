"""What every value of the module can do beside what C++ gives it: compare, hash, show itself in a notebook, become plain
Python, a table or a picture. One implementation for all classes, by their fields."""

from __future__ import annotations

import enum
import types
from typing import Any, Callable

from . import plot, table

# What takes time to import (NumPy above all) is imported where it is used: `import thud` stays quick.


def fields(kind: type) -> list[str]:
    """The names of a class's fields, and of what it tells beside them, in the order of the header."""
    return [name for name, member in vars(kind).items() if isinstance(member, property)]


def is_value(thing: object) -> bool:
    return "__setstate__" in vars(type(thing))


def same(a: Any, b: Any) -> bool:
    """Equal field by field, NaN being equal to NaN."""
    import numpy as np

    if isinstance(a, (np.ndarray, float)) and isinstance(b, (np.ndarray, float, int)):
        return np.array_equal(a, b, equal_nan=True)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if is_value(a):
        return type(a) is type(b) and same(a.__getstate__(), b.__getstate__())
    return bool(a == b)


def plain(thing: Any) -> Any:
    """As `json` takes it: numbers, text, lists, dictionaries, None. An enumerator is its name; NaN stays NaN."""
    import numpy as np

    if isinstance(thing, enum.Enum):
        return thing.name
    if isinstance(thing, (np.ndarray, np.generic)):
        return thing.tolist()
    if isinstance(thing, (list, tuple)):
        return [plain(each) for each in thing]
    if isinstance(thing, dict):
        return {key.name if isinstance(key, enum.Enum) else str(key): plain(value) for key, value in thing.items()}
    if is_value(thing):
        return plain_fields(thing)
    if hasattr(thing, "all") and isinstance(thing.all, np.ndarray):  # an array per model
        return plain(thing.all)
    if hasattr(thing, "__fspath__"):
        return thing.__fspath__()
    return thing


def plain_fields(thing: object) -> dict[str, Any]:
    """The fields of a value; of a contact law its name before them."""
    from ._thud import HuntCrossley, Maxwell, Spring, Viscoelastic, kind_of

    law = {"law": kind_of(thing).name} if isinstance(thing, (Spring, Maxwell, Viscoelastic, HuntCrossley)) else {}
    return law | {name: plain(getattr(thing, name)) for name in fields(type(thing))}


def equal(self: object, other: object, /) -> bool:
    """The same class with the same fields; NaN is equal to NaN."""
    return type(self) is type(other) and same(self, other)


def hashed(self: Any, /) -> int:
    """Of what is neither an array nor a value nor NaN."""
    simple = (str, int, float, enum.Enum, type(None))
    return hash((type(self).__name__, *(each for each in self.__getstate__() if isinstance(each, simple) and each == each)))


def to_dict(self: object) -> dict[str, Any]:
    """The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators."""
    return plain_fields(self)


def as_html(self: object) -> str:
    """A table of the fields, for notebooks."""
    import html

    import numpy as np

    def cell(thing: Any) -> str:
        if isinstance(thing, np.ndarray):
            with np.printoptions(precision=5, threshold=12, edgeitems=3, linewidth=100):
                shape = "" if thing.ndim == 1 and thing.size <= 12 else f" ({' × '.join(map(str, thing.shape))})"
                return html.escape(str(thing)).replace("\n", "<br>") + shape
        if isinstance(thing, enum.Enum):
            return thing.name
        if isinstance(thing, float):
            return f"{thing:.6g}"
        text = repr(thing) if not isinstance(thing, str) else thing
        return html.escape(text if len(text) <= 200 else text[:200] + " …")

    rows = "".join(f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{cell(getattr(self, name))}</td></tr>"
                   for name in fields(type(self)))
    return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"


def method_of(kind: type, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as one that the class has always had: with its own name, which type stubs and help show."""
    made = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
    made.__annotations__ = {key: kind for key, kind in function.__annotations__.items() if key != "self"}
    made.__doc__ = "\n".join(line.strip() for line in (function.__doc__ or "").splitlines())
    made.__module__, made.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
    return made


def attach(classes: dict[str, Any]) -> None:
    """Gives the classes among these names what is above, and those that have one a table and a picture."""
    for kind in list(classes.values()):
        if not isinstance(kind, type) or "__setstate__" not in vars(kind):
            continue
        methods: dict[str, Callable[..., Any]] = {
            "__eq__": equal, "__hash__": hashed, "to_dict": to_dict, "_repr_html_": as_html}  # fmt: skip
        methods |= {"to_table": table.COLUMNS[kind.__name__]} if kind.__name__ in table.COLUMNS else {}
        methods |= {"plot": plot.PLOTS[kind.__name__]} if kind.__name__ in plot.PLOTS else {}
        methods |= {"postures": table.postures} if kind.__name__ == "Robot" else {}
        for name, function in methods.items():
            setattr(kind, name, method_of(kind, name, function))
