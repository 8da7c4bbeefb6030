"""What happens when a stiffly controlled robot arm hits something, and which contact is behind a measured force.

The names are those of the C++ library; a function without arguments that only tells something is an attribute here, and
what C++ takes as options are keywords. SI units throughout. Arrays go in as they are (float64, contiguous: without a copy)
and come out read-only where they are views of an object's own memory.
"""

from . import interpreter

interpreter.require_main()

from ._thud import *
from ._thud import __version__ as __version__
from .error import (
    Error as Error,
    FileError as FileError,
    InputError as InputError,
    PlantError as PlantError,
    RobotError as RobotError,
    printable as printable,
)
from .mujoco import from_mujoco as from_mujoco
from .pinocchio import from_pinocchio as from_pinocchio
from .values import attach

attach(globals())
del attach, interpreter
