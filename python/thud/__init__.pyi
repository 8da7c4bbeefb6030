"""
What happens when a stiffly controlled robot arm hits something, and which contact is behind a measured force.

The names are those of the C++ library; a function without arguments that only tells something is an attribute here, and
what C++ takes as options are keywords. SI units throughout. Arrays go in as they are (float64, contiguous: without a copy)
and come out read-only where they are views of an object's own memory.
"""

from collections.abc import Callable, Mapping, Sequence
import enum
import os
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

from thud import (
    error as error,
    mujoco as mujoco,
    pinocchio as pinocchio,
    plot as plot,
    table as table,
    values as values
)
from thud.error import (
    Error as Error,
    FileError as FileError,
    InputError as InputError,
    PlantError as PlantError,
    RobotError as RobotError,
    printable as printable
)
from thud.mujoco import from_mujoco as from_mujoco
from thud.pinocchio import from_pinocchio as from_pinocchio


class WarningCode(enum.Enum):
    """What a warning is about, for programs; people read its text."""

    non_physical_link_inertia = 0
    """of a link as described"""

    non_physical_body_inertia = 1
    """of all that a joint moves as one"""

    implausible_link_inertia = 2
    """of a link as described: too large for its mass or reach"""

    implausible_body_inertia = 3
    """of all that a joint moves as one"""

    massless_link = 4
    """nothing that its joint moves has inertia"""

    fixed_base = 5
    """a base with mass, or one with legs, is taken as fixed to the world"""

    mimic_joint = 6
    """treated as an independent joint: what it mimics does not move"""

    part_left_out = 7
    """a part of a description that an arm of rigid links has no place for"""

    position_limit = 8
    """a joint is outside its limits"""

    velocity_limit = 9
    """a joint moves faster than its limit"""

    no_approach = 10
    """the contact point is at rest or moves away"""

    sliding = 11
    """it moves across the normal as well"""

    tool_turns = 12
    """it cannot approach without turning the tool"""

    nearest_approach = 13
    """nor along the normal alone"""

    singular_model = 14
    """a model does not exist at this posture"""

    underactuated_model = 15
    """nor at any, with so few joints"""

    massless_model = 16
    """nor with something that moves without inertia"""

    pseudo_inverse_model = 17
    """a model's number depends on the unit of length"""

    asymmetric_model = 18
    """a model cannot be used with friction"""

    jam = 19
    """friction drives the two sides of an impact into each other for a while"""

    wedged = 20
    """no finite impulse ends an approach with friction"""

    asymptotic_restitution = 21
    """the asymptotic coefficient of restitution is far from the exact one"""

    energy_created = 22
    """
    a restitution above 1 or a negative damping, Newton's restitution with friction
    """

    endless_contact = 23
    """the contact never parts"""

    assumed_drive = 24
    """something about motors, transmissions or servo is not known"""

    assumed_wall = 25
    """no contact law was given"""

    not_judged = 26
    """a limit without what it takes to judge it"""

    peak_torque = 27
    """how the largest torque of a joint was found"""

    not_permitted = 28
    """no hit is permitted there"""

    not_certified = 29
    """limits of contact with people are an engineering aid"""

    no_limit = 30
    """nothing limits the speed"""

    other_model = 31
    """another model allows less"""

    nearest_contact = 32
    """a simulator cannot express the law: what is off, and by how much"""

    coarse_step = 33
    """a simulator's step leaves few samples of a contact, or damps it"""

    no_header = 34
    """columns were taken by their order"""

    header_in_comment = 35
    """column names were taken from a comment"""

    unused_columns = 36
    """columns beside time and force"""

    missing_numbers = 37
    """rows without a number were left out"""

    gaps_in_time = 38
    """steps much longer than the others"""

    uneven_sampling = 39
    """steps of different length"""

    low_rate = 40
    """too few samples per second for an impact"""

    stored_note = 41
    """as a dataset keeps it: text alone"""

    negative_force = 42
    """the sensor reads less force in contact; its sign was changed"""

    no_quiet_samples = 43
    """the baseline is not from samples before the contact"""

    touch_before_record = 44
    """the first touch is extrapolated"""

    several_contacts = 45
    """the record has another contact after this one"""

    clipped_peak = 46
    """the sensor may have reached the end of its range"""

    incomplete_contact = 47
    """the window is not of status found"""

    index_column = 48
    """the first column was taken for a number of the row"""

    units_row = 49
    """units were taken from the row under the header"""

    unit_replaced = 50
    """a unit was told that is not the one in the file"""

    decimal_comma = 51
    """commas inside numbers were taken as decimal commas"""

    missing_peak = 52
    """samples are missing at the peak"""

    no_contact = 53
    """nothing to fit"""

    no_fit = 54
    """no law converged"""

    poor_fit = 55
    """the best law leaves much of the force over"""

    above_noise = 56
    """the best law leaves far more over than the record's noise"""

    not_identifiable = 57
    """the record does not fix a parameter"""

    dataset_unfinished = 58
    """trials of the plan are missing"""

    robot_left_out = 59
    """a robot without the contact's link predicts nothing"""

    trials_left_out = 60
    """trials whose status is not ok"""

    reference_velocity = 61
    """
    no joint log: the reference speed and the nominal posture are used instead
    """

    early_alarm = 62
    """the controller's alarm came before the touch"""

    other = 63

class Warning:
    """Something a user should know about a result that is valid nonetheless."""

    def __init__(self, code: WarningCode = WarningCode.other, subject: str = '', text: str = '') -> None: ...

    @property
    def code(self) -> WarningCode: ...

    @property
    def subject(self) -> str:
        """
        the joint, link, model, law, column or trial it is about; empty: the whole
        """

    @property
    def text(self) -> str:
        """a sentence"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Warning:
        """The same but for the fields that are given."""

    def __str__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def texts(warnings: Sequence[Warning]) -> list[str]:
    """The sentences alone."""

class Spread:
    """
    Mean, standard deviation (NaN for one value), minimum and maximum of the values that exist.
    """

    @property
    def count(self) -> int: ...

    @property
    def mean(self) -> float: ...

    @property
    def std(self) -> float:
        """of a sample: its sum of squares over count - 1"""

    @property
    def min(self) -> float: ...

    @property
    def max(self) -> float: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def spread(values: Sequence[float]) -> Spread:
    """The spread of the values that are finite."""

class JointType(enum.Enum):
    """How a joint moves: revolute and continuous turn, prismatic slides."""

    revolute = 0

    continuous = 1

    prismatic = 2

class Joint:
    """One moving joint and its limits. An absent limit is infinite."""

    def __init__(self, name: str = '', type: JointType = JointType.revolute, link: str = '', parent: int = -1, R_PJ: numpy.typing.ArrayLike | None = None, p_PJ: numpy.typing.ArrayLike | None = None, axis: numpy.typing.ArrayLike | None = None, lower: float = float('-inf'), upper: float = float('inf'), velocity: float = float('inf'), effort: float = float('inf'), rotor_inertia: float = 0.0) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> JointType: ...

    @property
    def link(self) -> str:
        """the link it moves"""

    @property
    def parent(self) -> int:
        """index of the joint before it on the way to the base; -1 is the base"""

    @property
    def R_PJ(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """orientation at q = 0 in the parent joint's frame"""

    @property
    def p_PJ(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """origin in the parent joint's frame [m]"""

    @property
    def axis(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """unit vector, the same in the joint's frame before and after the motion"""

    @property
    def lower(self) -> float:
        """[rad or m]"""

    @property
    def upper(self) -> float:
        """[rad or m]"""

    @property
    def velocity(self) -> float:
        """[rad/s or m/s]"""

    @property
    def effort(self) -> float:
        """[N m or N]"""

    @property
    def rotor_inertia(self) -> float:
        """reflected to the joint [kg m^2 or kg]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Joint:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class BodyInertia:
    """Rigid-body inertia in the axes of the joint that moves the body."""

    def __init__(self, mass: float = 0.0, com: numpy.typing.ArrayLike | None = None, inertia: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def mass(self) -> float:
        """[kg]"""

    @property
    def com(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """centre of mass from the joint's origin [m]"""

    @property
    def inertia(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """about the centre of mass [kg m^2]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> BodyInertia:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Follower:
    """
    A joint that moves with another, its leader: q = multiplier q_leader + offset. The <mimic> of URDF.
    """

    def __init__(self, joint: Joint | None = None, body: BodyInertia | None = None, leader: int = 0, multiplier: float = 1.0, offset: float = 0.0) -> None: ...

    @property
    def joint(self) -> Joint:
        """its parent counts as Frame::joint does"""

    @property
    def body(self) -> BodyInertia:
        """that it moves"""

    @property
    def leader(self) -> int:
        """index of the leader among the joints of the robot"""

    @property
    def multiplier(self) -> float:
        """[1, or m/rad, or rad/m]"""

    @property
    def offset(self) -> float:
        """[rad or m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Follower:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Base:
    """
    What stands still: the root link and all that is fixed to it. Its mass has no part in any motion.

    A base with mass may be the trunk of something that walks, rolls or flies, and the robot warns that it is taken as
    fixed to the world where it carries several limbs with mass, or where the root link itself has mass (a root without
    mass, fixed to a link that has some, says that this one is fixed) and carries less than its own mass, or a trunk: a
    limb that further out branches into several with a tenth of the moving mass each. It does not warn of an arm on its
    pedestal, a heavy root that carries one limb with at most light branches such as fingers, nor of a root link that is
    called world. A limb is all that a joint on the base moves.
    """

    def __init__(self, link: str = '', mass: float = 0.0, root_has_mass: bool = False) -> None: ...

    @property
    def link(self) -> str:
        """the root"""

    @property
    def mass(self) -> float:
        """of all of it [kg]"""

    @property
    def root_has_mass(self) -> bool:
        """of the root link itself"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Base:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Frame:
    """A link, moving or not, as a place where contact may happen."""

    def __init__(self, name: str = '', joint: int = -1, R_JF: numpy.typing.ArrayLike | None = None, p_JF: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def joint(self) -> int:
        """
        the joint that carries it; -1 is the fixed base, size() + k is follower k
        """

    @property
    def R_JF(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """orientation in that joint's frame (in the world for the base)"""

    @property
    def p_JF(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """origin in that joint's frame [m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Frame:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Robot:
    """
    A fixed-base tree of joints. Immutable: a different robot is another object.

    Joint i moves body i: the link after the joint, with every link that is fixed to it merged in. Each joint comes
    after its parent. Followers have no coordinate of their own: q, dq and every matrix are those of the joints, and
    what a follower moves counts with its leader.
    """

    def __init__(self, name: str, joints: Sequence[Joint], bodies: Sequence[BodyInertia], frames: Sequence[Frame], warnings: Sequence[Warning] = [], followers: Sequence[Follower] = [], base: Base = ...) -> None:
        """
        A robot from parts, wherever they come from. Raises RobotError, with the part as argument ("joints[2].axis"),
        unless there is at least one joint, and a body for each; each parent is -1 or a joint before; R_PJ and R_JF are
        rotations and axes have unit length, to 1e-6 (the robot keeps the nearest exact ones); places, masses,
        inertias and rotors are finite, inertias symmetric; masses, rotors and limits of velocity and effort are not
        negative; lower <= upper; frames are on the base or on a joint; names of joints and of frames are unique and not
        empty; a follower is a joint of those rules, with a finite multiplier and offset, on the base, a joint or a
        follower before it; the base's mass is finite and not negative. A non-physical or implausible inertia, a link that
        moves without any and a base that may not be fixed add a warning.
        """

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int:
        """Number of moving joints."""

    def __len__(self) -> int: ...

    @property
    def joints(self) -> tuple[Joint, ...]: ...

    @property
    def bodies(self) -> tuple[BodyInertia, ...]: ...

    @property
    def frames(self) -> tuple[Frame, ...]: ...

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    @property
    def followers(self) -> tuple[Follower, ...]: ...

    @property
    def base(self) -> Base:
        """What stands still."""

    @property
    def mass(self) -> float:
        """of all moving bodies [kg]"""

    def frame(self, name: str) -> Frame:
        """Raises RobotError if the robot has no link of that name."""

    def joint_index(self, name: str) -> int:
        """Raises RobotError if the robot has no moving joint of that name."""

    def with_rotor_inertia(self, rotor_inertia: numpy.typing.ArrayLike) -> Robot:
        """
        The same robot with rotor inertias, one per joint, as reflected to the joint side [kg m^2 or kg]. They add a
        diagonal to M and nothing else. Raises InputError unless there are size() finite values >= 0.
        """

    def with_tool(self, frame: str, mass: float, com: numpy.typing.ArrayLike | None = None, inertia: numpy.typing.ArrayLike | None = None) -> Robot:
        """
        The same robot with a rigid tool fixed to a link: mass, centre of mass and inertia about it in that link's frame.
        Raises RobotError for an unknown link or one of the base, InputError naming tool.mass, tool.com or tool.inertia
        unless they are finite, the mass >= 0 and the inertia symmetric, and where they are too large to compute with. A
        non-physical or implausible inertia adds a warning.
        """

    def reduced(self, locked: Mapping[str, float]) -> Robot:
        """
        The same robot with the named joints locked at a position [rad or m]: what they move becomes part of what carries
        them, or of the base, which is judged anew. Followers are locked with their leader; frames stay; rotors of locked
        joints are gone. A position outside the joint's limits adds a warning. Raises RobotError for a name that is no
        joint, or if no joint is left, and InputError for a position that is not finite.
        """

    def chain_to(self, frame: str, locked: Mapping[str, float] = {}) -> Robot:
        """
        The joints between the base and a link, every other one locked: at the position named, or else at 0, whatever its
        limits. The leader of a follower on the way stays too; a joint on the way that is named is locked. Raises what
        reduced raises, and RobotError for an unknown link or one of the base.
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def postures(self, table: Any, suffix: str = '') -> NDArray[Any]:
        """
        Joint values out of a table, a row each and in the robot's joint order: of the columns with the joints' names (and the
        suffix, where a log has `joint1.position`), whatever their order and whatever else the table has. A DataFrame of pandas or
        polars, or a dictionary of columns. Raises InputError for a joint without a column, and for one that is no numbers.
        """

class State:
    """Joint positions and velocities in the robot's joint order."""

    def __init__(self, q: numpy.typing.ArrayLike | None = None, dq: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[rad or m]"""

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[rad/s or m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> State:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ContactPoint:
    """Where the robot is hit, and from which side."""

    def __init__(self, frame: str = '', offset: numpy.typing.ArrayLike | None = None, normal_W: numpy.typing.ArrayLike | None = None, whole: bool = False) -> None: ...

    @property
    def frame(self) -> str:
        """a link of the robot"""

    @property
    def offset(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the point, in that link's frame [m]"""

    @property
    def normal_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """out of the environment, in world axes; any length but zero"""

    @property
    def whole(self) -> bool:
        """
        the composite body is every limb of the robot, not only the one that is hit
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> ContactPoint:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def load_robot(name_or_path: str | os.PathLike, max_joints: int = 1000, max_bytes: int = 67108864) -> Robot:
    """
    A shipped robot by name, or a URDF or MJCF file by path, told by its root element. Raises FileError if the file
    cannot be read, RobotError for everything that parse_urdf and parse_mjcf reject.

    max_joints  most joints that move
    max_bytes  longest text [bytes]
    """

def urdf_text(name_or_path: str | os.PathLike, max_bytes: int = 67108864) -> str:
    """
    The URDF text of a shipped robot by name, or of a file by path, unchanged: parse_urdf validates it.
    Raises FileError if the file cannot be read or has more than `limit` bytes.
    """

def parse_urdf(text: str, name: str = 'robot', max_joints: int = 1000, max_bytes: int = 67108864) -> Robot:
    """
    A robot from URDF text: a fixed-base tree of revolute, continuous, prismatic and fixed joints. `name` is what error
    messages call it. Joints are ordered depth first from the root, siblings by joint name.

    Raises RobotError for: text that is not XML or not URDF; two roots, a cycle, a link with two parents; a floating or
    planar joint; no moving joint; a negative or non-finite mass, a non-finite number, a zero axis, lower > upper, a
    negative limit of velocity or effort; an element of more than 1000 attributes, XML nested more than 64 deep, and
    what is beyond the limits. A joint that mimics another becomes a follower of it. A warning is: a non-physical
    inertia (a negative principal moment, or one above the sum of the other two); an implausible one (a mass above 1e6
    kg, a radius of gyration beyond the link's reach and 0.5 m); a link that moves without inertia; a base that may not
    be fixed to the world, as it is taken to be (see Base).

    max_joints  most joints that move
    max_bytes  longest text [bytes]
    """

def is_mjcf(text: str) -> bool:
    """Whether an XML text is MJCF: its root element is <mujoco>."""

def parse_mjcf(text: str, path: str | os.PathLike = 'robot', max_joints: int = 1000, max_bytes: int = 67108864) -> Robot:
    """
    A robot from MJCF text. `path` is what messages call it; files that it includes are searched for from there.

    Joints are the hinges and slides of all trees, in MuJoCo's order: q is its qpos, also where a joint has a `ref`, and
    dq its qvel. Bodies and named sites are frames, the world is the base; a body without a name is called body3, by its
    number, a joint joint3, and a site with the name of a body gets "_site" behind it. A body with several joints is
    moved by the last of them, the others move nothing of their own. Armature, that of actuators among it, is rotor
    inertia; effort is what the actuators of a joint can do by their ranges of force and the joint's own; there is no
    limit of velocity.

    A warning says what is left out: damping, stiffness and friction of joints, which are no part of a transmission;
    equality constraints; tendons and what they move; bodies that a free joint alone moves, with all that is fixed to
    them. Geometry counts where a body that moves has no <inertial>, and no mesh is read that does not; everything else
    of MJCF plays no part.

    Raises RobotError for what MuJoCo refuses, in one line; a ball joint; a free joint of a body that carries joints; no
    hinge and no slide; more than limits.joints of them, or of copies of a part (<replicate>), more than limits.bytes;
    and for what the constructor of Robot refuses.

    max_joints  most joints that move
    max_bytes  longest text [bytes]
    """

@overload
def validate(robot: Robot, point: ContactPoint, prefix: str = '') -> None:
    """
    Checks a contact point against the robot: its frame is a link that moves, its offset is finite, its normal has a
    length, and that is finite. Raises RobotError naming frame, or InputError naming offset or normal; `prefix` stands
    before these names where the point is a part of something ("contact." for "contact.frame").
    """

@overload
def validate(law: Spring | Maxwell | Viscoelastic | HuntCrossley) -> None:
    """Raises InputError for the first parameter outside its range, by name."""

@overload
def validate(drives: Drives, joints: int) -> None:
    """
    Raises InputError, naming quantity and joint, for a vector that has neither n values nor none, for an infinite value
    or one outside the range on its line, and for a servo with both a damping and a ratio.
    """

@overload
def validate(limits: Limits, joints: int) -> None:
    """
    Raises InputError, naming quantity and joint, for a vector that has neither n values nor none, and for a value that
    is not positive.
    """

@overload
def validate(region: BodyRegion) -> None:
    """
    Raises InputError unless the values are in the ranges of their lines and finite.
    """

@overload
def validate(record: Record) -> None:
    """
    Raises InputError unless time and force have the same length and obey the bounds above.
    """

@overload
def validate(header: DatasetHeader) -> None: ...

@overload
def validate(header: DatasetHeader, trial: Trial) -> None: ...

@overload
def validate(dataset: Dataset) -> None:
    """
    Raises InputError, naming the field, unless the parts agree with each other and obey the rules on their lines.
    """

@overload
def validate(campaign: Campaign) -> None:
    """
    Raises InputError, naming the key, unless every value obeys the rule on its line and fits the robot.
    """

@overload
def validate(plan: SweepPlan) -> None:
    """
    Raises InputError, naming the key, unless every value obeys the rule on its line.
    """

def validate_positions(robot: Robot, q: numpy.typing.ArrayLike) -> None:
    """
    Checks a state against the robot. Raises InputError naming q or dq unless the vector has size() finite values.
    """

def validate_velocities(robot: Robot, dq: numpy.typing.ArrayLike) -> None:
    """
    Checks a state against the robot. Raises InputError naming q or dq unless the vector has size() finite values.
    """

def composite_links(robot: Robot, point: ContactPoint) -> list[str]:
    """
    The links of the composite body of a contact, those fixed to others among them, in the order of Robot::frames.

    A limb is all that a joint on the fixed base moves. The composite body is the limb that carries the contact point:
    other limbs do not answer the impact. With `whole` it is every limb. Raises what validate raises.
    """

def shipped_robots() -> list[str]:
    """The names that load_robot knows."""

def limit_warnings(robot: Robot, state: State) -> list[Warning]:
    """
    A warning for each joint position and velocity outside the robot's limits, those of followers among them.
    """

class ContactDynamics:
    """
    Everything the models of inertia.hpp need to know about a robot at one posture and one contact point. n joints.
    """

    @property
    def p_WC(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """contact point [m]"""

    @property
    def normal_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """out of the environment, unit length"""

    @property
    def J(self) -> Annotated[NDArray[numpy.float64], dict(shape=(6, None), writable=False)]:
        """
        velocity of the contact point, linear over angular, per joint rate          (6 x n)
        """

    @property
    def M(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        joint-space inertia, with rotors [kg m^2, kg m, kg]                      (n x n)
        """

    @property
    def A_G(self) -> Annotated[NDArray[numpy.float64], dict(shape=(6, None), writable=False)]:
        """
        centroidal momentum, linear over angular about com_W, per joint rate     (6 x n)   [Orin13] of the composite body; columns of joints that are no part of it are zero
        """

    @property
    def mass(self) -> float:
        """of the composite body (ContactPoint) [kg]"""

    @property
    def com_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """its centre of mass [m]; the contact point if mass is 0"""

    @property
    def Ic_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """its rotational inertia about com_W [kg m^2]"""

    @property
    def M_inv_JT(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 6), writable=False)]:
        """
        M^-1 J^T, the jump of the joint rates per unit impulse at the contact (n x 6)
        """

    @property
    def M_is_positive(self) -> bool:
        """
        M is positive definite; if not, M_inv_JT is NaN and some joint moves no inertia
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class CompositeBody:
    """The moving bodies of an arm as one, in world axes."""

    def __init__(self, mass: float = 0.0, com_W: numpy.typing.ArrayLike | None = None, Ic_W: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def mass(self) -> float:
        """[kg]"""

    @property
    def com_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """centre of mass [m]"""

    @property
    def Ic_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """rotational inertia about com_W [kg m^2]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> CompositeBody:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ContactGeometry:
    """Where the contact is, in the world."""

    def __init__(self, p_WC: numpy.typing.ArrayLike | None = None, normal_W: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def p_WC(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """contact point [m]"""

    @property
    def normal_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """out of the environment; any length but zero"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> ContactGeometry:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class DynamicsWorkspace:
    """
    Scratch and results for one robot and one contact point, sized once so that the loop allocates nothing.
    """

    def __init__(self, robot: Robot, point: ContactPoint) -> None:
        """
        Raises InputError for a zero or non-finite normal or offset, RobotError for an unknown frame or one of the base.
        """

    @property
    def size(self) -> int:
        """number of joints"""

    @property
    def dynamics(self) -> ContactDynamics:
        """of the last call; NaN before the first"""

    def set_contact(self, offset: numpy.typing.ArrayLike, normal_W: numpy.typing.ArrayLike) -> None:
        """
        Another point of the same link, hit from another side: offset and normal as in ContactPoint. Raises InputError for
        those that are not finite, and a zero normal; allocates nothing else.
        """

@overload
def contact_dynamics(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike) -> ContactDynamics:
    """
    Contact dynamics of a robot at joint positions q [rad or m].

    All twists are referred to the contact point, so that J's columns are the joints' twists themselves; one pass out
    for kinematics, one pass back for composite inertia, M and momentum.       [Wang22, (def_I_eq)], [Orin13, (22)]
    Raises what DynamicsWorkspace raises, and InputError unless q has one finite value per joint.
    """

@overload
def contact_dynamics(workspace: DynamicsWorkspace, q: numpy.typing.ArrayLike) -> ContactDynamics:
    """
    The same into a workspace. q must have workspace.size() finite values and lie in contiguous memory.
    """

@overload
def contact_dynamics(M: numpy.typing.ArrayLike, J: numpy.typing.ArrayLike, A_G: numpy.typing.ArrayLike, body: CompositeBody, contact: ContactGeometry) -> ContactDynamics:
    """
    From matrices that another library computed: world axes, linear over angular, A_G about the centre of mass.
    Raises InputError for a shape that does not fit, a non-finite entry, an M that is not symmetric, a zero normal.
    """

def link_inertias(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike) -> list[Annotated[NDArray[numpy.float64], dict(shape=(6, 6), order='F')]]:
    """
    Inertia of each moving body about the contact point, linear over angular, world axes (6 x 6 each), zero for those
    that are no part of the composite body; followers come after the joints. Their sum is the equivalent inertia of the
    composite body at the contact point. [Wang22, (contribution_im)] Raises what contact_dynamics raises.
    """

class InertiaModel(enum.Enum):
    """
    The four models of how an arm answers an impulse, in the order of the paper's comparison. The command line and the
    JSON call them options.
    """

    algebraic = 0

    generalized_momentum = 1

    composite_rigid_body = 2

    flexible_joints = 3

all_inertia_models: tuple = ...

class InertiaStatus(enum.IntEnum):
    """
    Whether an inverse inertia matrix exists. With pivots d_i of the L D L^T of a matrix A, "rounding" means that d_i is
    at most 1e-12 of the largest diagonal entry of its kind, linear or angular.
    """

    not_run = 0
    """not computed yet"""

    ok = 1
    """the effective mass is finite and positive"""

    singular = 2
    """
    a pivot of J M^-1 J^T is rounding, or n.W n <= 1e-12 trace W: no motion that way at this posture
    """

    underactuated = 3
    """
    fewer than six joints move the contact point, so J M^-1 J^T is singular at every posture
    """

    massless = 4
    """
    M is not positive definite, a pivot of Ic is rounding, or the mass is zero
    """

    pseudo_inverse = 5
    """
    singular or underactuated, and the caller asked for the pseudo-inverse instead
    """

class InverseInertia:
    """
    An inverse inertia matrix: how the contact velocity jumps per impulse.

      dv = W iota                                                                        [Wang22, (iim_def)]
    """

    @property
    def status(self) -> InertiaStatus: ...

    @property
    def W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """world axes [1/kg]"""

    @property
    def exists(self) -> bool:
        """Whether the numbers are valid: status ok or pseudo_inverse."""

    @property
    def effective_mass(self) -> float:
        """Effective mass along the normal [kg], NaN unless exists()."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def algebraic(dynamics: ContactDynamics, pseudo_inverse: bool = False) -> InverseInertia:
    """
    Algebraic equation: the tool may move in all six directions at no cost but inertia.

      m_em = linear block of (J M^-1 J^T)^-1,   m_n = n.m_em n,   W = m_em^-1            [Wang22, (option_em)]

    Its effective mass is never below that of the generalized momentum (Schur complement). The pseudo-inverse mixes
    metres and radians, so its value depends on the unit of length: it is given only on request, and
    its W may not exist (NaN).
    """

@overload
def algebraic(M: numpy.typing.ArrayLike, J: numpy.typing.ArrayLike, normal_W: numpy.typing.ArrayLike, pseudo_inverse: bool = False) -> InverseInertia:
    """
    The same four from matrices of another library (world axes, linear over angular; n joints).
    Raise InputError for what contact_dynamics rejects.
    """

@overload
def generalized_momentum(dynamics: ContactDynamics) -> InverseInertia:
    """
    Generalized momentum: joints that give way freely.

      W_gm = J_v M^-1 J_v^T,   m_n = 1 / (n.W_gm n)                                      [Wang22, (option_gm_iim)]

    W_gm is symmetric and positive semidefinite.
    """

@overload
def generalized_momentum(M: numpy.typing.ArrayLike, J: numpy.typing.ArrayLike, normal_W: numpy.typing.ArrayLike) -> InverseInertia:
    """
    The same four from matrices of another library (world axes, linear over angular; n joints).
    Raise InputError for what contact_dynamics rejects.
    """

@overload
def composite_rigid_body(dynamics: ContactDynamics) -> InverseInertia:
    """
    Composite rigid body: joints so stiff that the arm moves as one body through the impact.

      W = 1/m - [r]x Ic^-1 [r]x,   r = p - c,   m_n = 1 / (n.W n)                        [Wang22, (iim_inertia_def)]

    W is symmetric and positive definite.
    """

@overload
def composite_rigid_body(body: CompositeBody, contact: ContactGeometry) -> InverseInertia:
    """
    The same four from matrices of another library (world axes, linear over angular; n joints).
    Raise InputError for what contact_dynamics rejects.
    """

@overload
def flexible_joints(dynamics: ContactDynamics) -> InverseInertia:
    """
    Flexible joints: the composite body, and the motion of the contact point relative to it.

      W~ = W + linear block of (J - X J_avg) M^-1 J^T,   J_avg = I_G^-1 A_G               [Wang22, (crb_fb_iim)]

    X = [1, -[r]x; 0, 1] moves a twist from the centre of mass to the contact point. W~ is not symmetric; only n.W~ n
    is used, m_n = 1 / (n.W~ n).
    """

@overload
def flexible_joints(M: numpy.typing.ArrayLike, J: numpy.typing.ArrayLike, A_G: numpy.typing.ArrayLike, body: CompositeBody, contact: ContactGeometry) -> InverseInertia:
    """
    The same four from matrices of another library (world axes, linear over angular; n joints).
    Raise InputError for what contact_dynamics rejects.
    """

def inverse_inertias(dynamics: ContactDynamics, pseudo_inverse: bool = False) -> dict[InertiaModel, InverseInertia]:
    """The four at once, which share much of their work."""

def inverse_inertia(dynamics: ContactDynamics, model: InertiaModel, pseudo_inverse: bool = False) -> InverseInertia:
    """
    The inverse inertia of one model; the options are for the algebraic one.
    """

def equivalent_inertia(dynamics: ContactDynamics) -> Annotated[NDArray[numpy.float64], dict(shape=(6, 6), order='F')]:
    """
    Inertia of the composite body about the contact point, linear over angular, world axes.

      I_eq = X^-T I_G X^-1,   I_G = blkdiag(m 1, Ic)                                     [Wang22, (def_I_eq)]

    It is the sum of link_inertias.
    """

def link_shares(dynamics: ContactDynamics, inertias: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(6, 6), order='F')]]) -> list[float]:
    """
    What each link contributes to the composite body's answer to an impulse along n.

      share_i = V.I_i V / (n.W n),   V = I_eq^-1 [n; 0]                                  [Wang22, (contribution_im)]

    V is the composite body's twist per unit impulse, so share_i is the fraction of its kinetic energy that link i
    carries. The shares are >= 0 and sum to 1. Empty if the composite body does not exist.
    inertias are those of link_inertias at the same posture and contact point.
    """

def contact_velocity(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike) -> float:
    """
    Normal velocity of the contact point, v_n = n.J_v dq [m/s]; negative is approach.   [Wang22, (contactVel_exact)]
    dq has one value per joint.
    """

def approximate_contact_velocity(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike) -> float:
    """
    The same as if the arm were one rigid body with the arm's momentum, v_n~ = n.(X J_avg dq)_lin [m/s].
    NaN where the composite body does not exist.                                        [Wang22, (contactVel_transform)]
    """

def approximate_to_exact(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike) -> float:
    """
    e_a = v_n~ / v_n; NaN where v_n is zero up to the rounding of its sum.              [Wang22, (approximate-to-exact)]
    """

def small_restitution(ratio: float, v_before: float) -> bool:
    """
    Whether a coefficient of restitution below 0.15 may be assumed: e_a > 0.85 and v_n < -0.1 m/s.
    False where e_a is NaN.                                                  [Wang22, (Sec. VII-C)]
    """

class NormalImpulse:
    """Impulse along the normal [N s]."""

    @property
    def compression(self) -> float:
        """when the approach has stopped"""

    @property
    def total(self) -> float:
        """after restitution"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def normal_impulse(inertia: InverseInertia, v_before: float, restitution: float = 0.0) -> NormalImpulse:
    """
    iota_c = -m_n v_n at the end of compression, iota = (1 + e) iota_c in all.          [Wang22, (zImpulseCE)]

    v_before  v_n before the impact [m/s]. At v_n >= 0 there is no impact and both are 0.
    NaN where the inertia does not exist. Raises InputError unless 0 <= e <= 1 and v_before is finite.
    """

@overload
def normal_impulse(mass: float, v_before: float, restitution: float) -> NormalImpulse:
    """The same of plain numbers that are known to be good."""

def joint_velocity_jump(dynamics: ContactDynamics, impulse_W: numpy.typing.ArrayLike) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    Jump of the joint rates, joints free: d(dq) = M^-1 J_v^T iota.                      [Zheng85]
    impulse_W  iota on the robot, world axes [N s]. NaN where M is not positive definite.
    """

def joint_velocity_jump_least_norm(dynamics: ContactDynamics, inertia: InverseInertia, impulse_W: numpy.typing.ArrayLike) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')] | None:
    """
    Jump of the joint rates of least norm that gives the contact point the jump W iota:

      d(dq) = J_v^T (J_v J_v^T)^-1 W iota                                               [Wang22b]

    Empty where the point cannot move in all three directions, or W does not exist.
    """

def joint_impulse(dynamics: ContactDynamics, impulse_W: numpy.typing.ArrayLike) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """J_v^T iota, what the joints feel [N m s or N s]."""

def joint_torque_jump(dynamics: ContactDynamics, impulse_W: numpy.typing.ArrayLike, duration: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    Mean jump of the joint torques over a contact of the given duration [s]: J_v^T iota / T [N m or N].
    Raises InputError unless duration is finite and > 0.
    """

class Approach:
    """
    Joint rates of least norm that bring the contact point on at `speed` [m/s] against the normal, the tool not
    turning; if the arm cannot do that, the point moving so and the tool turning as it must (`turns` is then true).
    """

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        [rad/s or m/s]                                                                      (n)
        """

    @property
    def turns(self) -> bool:
        """the tool turns"""

    @property
    def sideways(self) -> float:
        """
        speed of the point across the normal [m/s]; 0 unless it is a nearest_approach
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def approach(dynamics: ContactDynamics, speed: float) -> Approach:
    """
    Raises InputError naming speed and normal where the point cannot move along the normal alone, that is without any
    motion across it, and unless speed is finite and >= 0.
    """

def find_approach(dynamics: ContactDynamics, speed: float) -> Approach | None:
    """
    The same for planners that try many postures: empty where the point cannot move along the normal alone.
    Raises InputError unless speed is finite and >= 0.
    """

def nearest_approach(dynamics: ContactDynamics, speed: float) -> Approach | None:
    """
    The approach if there is one; else the motion nearest to it: among those that bring the point on at `speed` against
    the normal the one with the least speed across it, and of least norm. With P the projector on the range of J_v:

      J_v dq = -speed P n / (n.P n)

    Empty where the point cannot move along the normal at all (n.J_v = 0). Raises InputError unless speed is finite and
    >= 0, and where the point would move faster across the normal than along it.
    """

class ModelPrediction:
    """The prediction of one model for one impact."""

    @property
    def inertia(self) -> InverseInertia: ...

    @property
    def impulse(self) -> NormalImpulse:
        """with the exact contact velocity"""

    @property
    def impulse_approximate(self) -> NormalImpulse:
        """
        with the approximate one, as the authors' code does for the composite body
        """

    @property
    def impulse_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """total, world axes [N s]"""

    @property
    def joint_velocity_jump(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[Zheng85], of impulse_W, as are the next two                      (n)"""

    @property
    def joint_velocity_jump_least_norm(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[Wang22b]; NaN where it does not exist                            (n)"""

    @property
    def joint_impulse(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """J_v^T iota                                                        (n)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Prediction:
    """
    The predictions of all models for one impact. NaN marks what does not exist.
    """

    def __init__(self, joints: int) -> None:
        """
        A prediction for a robot with this number of joints; NaN until predict fills it.
        """

    @property
    def v_exact(self) -> float:
        """v_n [m/s]"""

    @property
    def v_approximate(self) -> float:
        """v_n~ [m/s]"""

    @property
    def ratio(self) -> float:
        """e_a"""

    @property
    def v_tangential(self) -> float:
        """speed across the normal [m/s]"""

    @property
    def small_restitution(self) -> bool:
        """the rule of Sec. VII-C holds"""

    @property
    def models(self) -> dict[InertiaModel, ModelPrediction]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __getitem__(self, model: InertiaModel) -> ModelPrediction: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """A row for each model."""

    def plot(self, axes: Any = None) -> Any:
        """
        The impulse of each model. Returns the Matplotlib axes it draws on: those given, or new ones.
        """

@overload
def predict(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike, restitution: float = 0.0, pseudo_inverse: bool = False) -> Prediction:
    """
    All four models for one state. Raises InputError unless dq has one finite value per joint and 0 <= e <= 1.
    """

@overload
def predict(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike, prediction: Prediction, restitution: float = 0.0, pseudo_inverse: bool = False) -> None:
    """
    The same into a prediction of as many joints, from values known to be good.
    """

@overload
def warnings(prediction: Prediction) -> list[Warning]:
    """
    A warning for each thing a reader of the prediction should know: no approach, sliding, models that do not exist.
    """

@overload
def warnings(impact: Impact) -> list[Warning]:
    """
    What a user should know: a jam, energy gained (Newton's restitution), a wedged contact.
    """

@overload
def warnings(prediction: ImpactPrediction) -> list[Warning]:
    """
    A warning for each thing a reader of the prediction should know: no approach, a model that does not allow friction,
    and those of each model's impact.
    """

@overload
def warnings(profile: ForceProfile) -> list[Warning]:
    """
    What a user should know: exact and asymptotic restitution of the viscoelastic law differ by more than
    5 % of the exact one; a spring with e > 1 creates energy; a Maxwell contact with zeta >= 1 never parts.
    """

class BatchOutputs(enum.Enum):
    """What a batch computes."""

    masses = 0

    positions = 1
    """masses, and where the contact point is"""

    everything = 2

class ModelArray:
    """
    Results of each of the four models at each posture: `rows` values per model and posture (Eigen::Dynamic: as many as
    there are joints), N postures. Empty if not requested.
    """

    def __getitem__(self, model: InertiaModel) -> numpy.typing.NDArray[Any]:
        """One model at all postures, the posture being the first index."""

    @property
    def all(self) -> numpy.typing.NDArray[Any]:
        """All of it: posture, then model in the order of all_inertia_models."""

    def __repr__(self) -> str: ...

class Batch:
    """
    Many postures of one robot at one contact point. N postures, n joints.

    Arrays, not structures: each posture is a column, and its matrices are stored column by column, so that all of
    it is one array to another language. What depends on the model is read by it: effective_mass[model][i].
    NaN marks what does not exist; arrays that were not requested are empty.
    """

    @property
    def effective_mass(self) -> ModelArray:
        """along the normal [kg]                               (N for each model)"""

    @property
    def status(self) -> ModelArray:
        """whether it exists                                   (N for each model)"""

    @property
    def p_WC(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        contact point [m]                                                           (3 x N)
        """

    @property
    def com_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        [m]                                                              (3 x N)
        """

    @property
    def Ic_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), writable=False)]:
        """
        [kg m^2]                                                         (9 x N)
        """

    @property
    def J(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), writable=False)]:
        """(6n x N each)"""

    @property
    def A_G(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), writable=False)]:
        """(6n x N each)"""

    @property
    def M(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), writable=False)]:
        """
        [kg m^2, kg m, kg]                                               (n^2 x N)
        """

    @property
    def W(self) -> ModelArray:
        """
        [1/kg]                                                           (9 x N for each model)
        """

    @property
    def v_exact(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """v_n and v_n~ [m/s]              (N each)"""

    @property
    def v_approximate(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """v_n and v_n~ [m/s]              (N each)"""

    @property
    def ratio(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """e_a                             (N)"""

    @property
    def impulse_compression(self) -> ModelArray:
        """with v_n [N s]                  (N each for each model)"""

    @property
    def impulse_total(self) -> ModelArray:
        """with v_n [N s]                  (N each for each model)"""

    @property
    def joint_velocity_jump(self) -> ModelArray:
        """[Zheng85]              (n x N for each model)"""

    @property
    def joint_velocity_jump_least_norm(self) -> ModelArray:
        """[Wang22b]              (n x N for each model)"""

    @property
    def joint_impulse(self) -> ModelArray:
        """J_v^T iota             (n x N for each model)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        A row for each posture: effective mass of each model, and what else was asked for that is one number.
        """

def gpu_missing() -> str:
    """
    Why nothing can be computed on a GPU here, in a sentence: thud was built without CUDA, or there is no driver or no
    device. Empty if there is one.
    """

class DeviceArray:
    """
    Numbers on a GPU, for CuPy, PyTorch, JAX and others, which take them without a copy.
    """

    @property
    def shape(self) -> tuple:
        """The posture is the first index."""

    @property
    def __cuda_array_interface__(self) -> dict: ...

    def __dlpack__(self, **kwargs) -> object: ...

    def __dlpack_device__(self) -> tuple: ...

    def __repr__(self) -> str: ...

class DeviceBatch:
    """
    A Batch whose arrays stay on the GPU: what depends on the model has it as second index, in the order of all_inertia_models. None: not requested.
    """

    @property
    def effective_mass(self) -> DeviceArray | None:
        """along the normal [kg]                               (N for each model)"""

    @property
    def status(self) -> DeviceArray | None:
        """whether it exists                                   (N for each model)"""

    @property
    def p_WC(self) -> DeviceArray | None:
        """
        contact point [m]                                                           (3 x N)
        """

    @property
    def com_W(self) -> DeviceArray | None:
        """
        [m]                                                              (3 x N)
        """

    @property
    def Ic_W(self) -> DeviceArray | None:
        """
        [kg m^2]                                                         (9 x N)
        """

    @property
    def J(self) -> DeviceArray | None:
        """(6n x N each)"""

    @property
    def A_G(self) -> DeviceArray | None:
        """(6n x N each)"""

    @property
    def M(self) -> DeviceArray | None:
        """
        [kg m^2, kg m, kg]                                               (n^2 x N)
        """

    @property
    def W(self) -> DeviceArray | None:
        """
        [1/kg]                                                           (9 x N for each model)
        """

    @property
    def v_exact(self) -> DeviceArray | None:
        """v_n and v_n~ [m/s]              (N each)"""

    @property
    def v_approximate(self) -> DeviceArray | None:
        """v_n and v_n~ [m/s]              (N each)"""

    @property
    def ratio(self) -> DeviceArray | None:
        """e_a                             (N)"""

    @property
    def impulse_compression(self) -> DeviceArray | None:
        """with v_n [N s]                  (N each for each model)"""

    @property
    def impulse_total(self) -> DeviceArray | None:
        """with v_n [N s]                  (N each for each model)"""

@overload
def predict_batch(robot: Robot, point: ContactPoint, q: Any, dq: Any | None = None, outputs: BatchOutputs = BatchOutputs.masses, restitution: float = 0.0, pseudo_inverse: bool = False, *, backend: str, stream: int | None = None) -> DeviceBatch:
    """
    The same into arrays where they lie. Arrays on the GPU are neither copied nor moved: what the caller has put into
    `stream`, a cudaStream_t of the current device, comes before, and so does what is in the streams `arrays.after`; the
    results are there when the function returns. Host memory that is page-locked is used where it lies, over the bus.
    `options.outputs` must fit the arrays.
    """

@overload
def predict_batch(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, dq: numpy.typing.ArrayLike | None = None, outputs: BatchOutputs = BatchOutputs.masses, restitution: float = 0.0, pseudo_inverse: bool = False, jobs: int = 0, progress: Callable[[int, int], None] | None = None, backend: str = 'cpu') -> Batch:
    """
    contact_dynamics and predict for many postures, on all cores. The result does not depend on how many those are;
    last digits of large arms may depend on how many postures are asked for.

    q   joint positions, one column per posture [rad or m]                                                   (n x N)
    dq  joint rates, one column per posture [rad/s or m/s], or no columns: then no velocities and impulses   (n x N)

    A posture whose q is not finite has no answer: NaN, and the status not_run. Where dq is not, what follows from it is
    NaN. The other postures stand.

    Raises what DynamicsWorkspace raises for the point, and InputError for a shape that does not fit, an e outside 0 to
    1, jobs < 0. An exception of `progress` ends the work and comes out; so does Interrupted, if `stop` became true
    before the last posture.

    Here a posture is a row of q and dq, and the first index of every array of the result. Row-major arrays of float64 are used as they lie. backend="gpu" computes them on a GPU, from arrays of the host here and from arrays on the GPU, which stay there, in the other form.
    """

class RestitutionKind(enum.Enum):
    """
    What the coefficient of restitution e is a ratio of. The three agree without friction, and where the direction of
    slip does not change.
    """

    energetic = 0
    """
    e^2: work of the normal force in restitution over that in compression; never gains energy [Stronge90]
    """

    newton = 1
    """
    e: normal velocity after over that before; with friction it may gain energy
    """

    poisson = 2
    """e: normal impulse of restitution over that of compression"""

all_restitution_kinds: tuple = ...

class ContactMode(enum.IntEnum):
    """How the contact point moves across the normal."""

    slip = 0

    stick = 1

class ImpactStatus(enum.IntEnum):
    """Whether an impact has an answer."""

    not_run = 0
    """not computed yet"""

    ok = 1
    """the sides part"""

    no_approach = 2
    """u_n >= 0: there is no impact, the impulse is 0"""

    wedged = 3
    """
    no finite impulse stops the approach: W is singular, and friction holds the point
    """

class ImpactPhase:
    """
    A part of an impact in one mode. Slip that stops and leaves in another direction is a new phase.
    """

    @property
    def mode(self) -> ContactMode: ...

    @property
    def normal_impulse(self) -> float:
        """[N s]"""

    @property
    def normal_work(self) -> float:
        """done on the two sides by the normal force [J]"""

    @property
    def friction_work(self) -> float:
        """by friction, <= 0 [J]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Impact:
    """The outcome of an impact. World axes; NaN without an answer."""

    @property
    def status(self) -> ImpactStatus: ...

    @property
    def impulse(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """on the robot [N s]"""

    @property
    def velocity_after(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """u after, relative [m/s]"""

    @property
    def compression(self) -> float:
        """normal impulse when the approach first stops [N s]"""

    @property
    def energy_lost(self) -> float:
        """-impulse.(u + u_after)/2 [J]"""

    @property
    def jam(self) -> bool:
        """friction drives the sides into each other for a while"""

    @property
    def phases(self) -> tuple[ImpactPhase, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def exists(self) -> bool:
        """Whether the numbers are valid: status ok or no_approach."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ImpactState:
    """An instant of an impact."""

    @property
    def mode(self) -> ContactMode: ...

    @property
    def impulse(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """on the robot so far [N s]"""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """u, relative [m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Object:
    """A rigid body that is hit, in world axes."""

    def __init__(self, mass: float = float('nan'), inertia_W: numpy.typing.ArrayLike | None = None, com_W: numpy.typing.ArrayLike | None = None, velocity: numpy.typing.ArrayLike | None = None, angular_velocity: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def mass(self) -> float:
        """m_o, > 0 [kg]"""

    @property
    def inertia_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """I_o about its centre of mass [kg m^2]; zero: a point mass"""

    @property
    def com_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """its centre of mass [m]; a point mass is where it is hit"""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of its centre of mass [m/s]"""

    @property
    def angular_velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """[rad/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Object:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ContactResponse:
    """
    What one side contributes to an impact: how its contact point moves, and by how much an impulse there changes that.
    The default is a wall that stands still. Only the sum of W and the difference of velocities matter to the impulse.
    """

    def __init__(self, W: numpy.typing.ArrayLike | None = None, velocity: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """dv = W iota, world axes [1/kg]; zero: does not give way"""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the contact point [m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> ContactResponse:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def contact_response(object: Object, p_WC: numpy.typing.ArrayLike) -> ContactResponse:
    """
    That of an object hit at a point:

      W = 1/m_o - [r]x I_o^-1 [r]x,   v = v_o + w_o x r,   r = p - c_o

    and of a point mass W = 1/m_o. Raises InputError unless the mass is finite and > 0, everything else finite and the
    inertia zero or symmetric and positive definite.
    """

@overload
def contact_response(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike, inertia: InverseInertia) -> ContactResponse:
    """That of an arm by one model of its inertia, which must exist."""

def reduced_mass(side: ContactResponse, other: ContactResponse, normal: numpy.typing.ArrayLike) -> float:
    """
    The mass that the relative motion along the normal has, 1/(n.(W + W_o) n) [kg]: what a contact law acts on, as in
    force_profile(law, reduced_mass(...), u_n). Of two masses m m_o/(m + m_o); against a wall, the effective mass.
    normal has any length but zero. Raises InputError where it is zero or nothing moves along it.
    """

class PairImpact:
    """An impact between two sides."""

    @property
    def impact(self) -> Impact:
        """
        impulse on the first side, velocities of the first relative to the second
        """

    @property
    def velocity_after(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the first [m/s]"""

    @property
    def other_velocity_after(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the second [m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def impact(side: ContactResponse, other: ContactResponse, normal: numpy.typing.ArrayLike, friction: float = 0.0, restitution: float = 0.0, kind: RestitutionKind | str = 'energetic') -> PairImpact:
    """
    Solves an impact between a robot and what it hits, or between any two sides; velocities are those of their contact
    points. `normal` points from the second side to the first. Swapped, with the opposite normal, the two sides get the
    same impulses. Raises what impact(W, velocity, normal, options) raises.
    """

@overload
def impact(W: numpy.typing.ArrayLike, velocity: numpy.typing.ArrayLike, normal: numpy.typing.ArrayLike, friction: float = 0.0, restitution: float = 0.0, kind: RestitutionKind | str = 'energetic') -> Impact:
    """
    Solves an impact at one point.

    W         inverse inertia of both sides at the point, symmetric, positive semidefinite, n.W n > 0 [1/kg]
    velocity  u of the robot's point relative to what it hits [m/s]
    normal    out of what is hit, towards the robot; any length but zero

    mu = 0 is normal_impulse. Slip below 1e-12 of |u_n| is none. Where restitution turns into compression again, both
    add up. Raises InputError for a W that is not symmetric (that of flexible joints), not semidefinite or without
    motion along the normal, mu < 0, e outside 0 to 1, and what is not finite.
    """

class ObjectMotion:
    """How an object moves."""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of its centre of mass [m/s]"""

    @property
    def angular_velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """[rad/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def motion_after(object: Object, p_WC: numpy.typing.ArrayLike, impulse_W: numpy.typing.ArrayLike) -> ObjectMotion:
    """
    How an object moves after an impulse on it at a point [N s]: v_o + iota/m_o, w_o + I_o^-1 (r x iota). A point mass
    does not turn. Raises as contact_response.
    """

def impact_path(W: numpy.typing.ArrayLike, velocity: numpy.typing.ArrayLike, normal: numpy.typing.ArrayLike, friction: float = 0.0, restitution: float = 0.0, kind: RestitutionKind | str = 'energetic') -> list[ImpactState]:
    """
    The course of an impact from touch to parting, for pictures: some states of each phase, with those at which
    compression, phases and the impact end among them. Empty without an impact. Raises what impact raises.
    """

def sticking_friction(W: numpy.typing.ArrayLike, normal: numpy.typing.ArrayLike) -> float:
    """
    Friction below which a contact that has stopped slipping slips again, |W_tt^-1 W_tn|, least norm where W_tt is
    singular. With it or more, an impact without slip sticks throughout. Raises as impact.
    """

class ModelImpact:
    """
    The impact of one model of the arm. Without an answer (not_run where the model does not exist, wedged), NaN.
    """

    @property
    def inertia(self) -> InertiaStatus:
        """whether the model exists"""

    @property
    def W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """of both sides together [1/kg]"""

    @property
    def impact(self) -> Impact:
        """velocities relative to what is hit"""

    @property
    def velocity_after(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the robot's point [m/s]"""

    @property
    def impulse_approximate(self) -> NormalImpulse:
        """composite body: along the normal, with the approximate velocity [N s]"""

    @property
    def object(self) -> ObjectMotion:
        """after the impact; NaN without an object"""

    @property
    def joint_velocity_jump(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[Zheng85]                                                          (n)"""

    @property
    def joint_velocity_jump_least_norm(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """[Wang22b]; NaN where it does not exist                             (n)"""

    @property
    def joint_impulse(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """J_v^T iota                                                         (n)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ImpactPrediction:
    """The impacts of all models of an arm with what it hits."""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """u before, relative [m/s]"""

    @property
    def v_normal(self) -> float:
        """n.u [m/s]"""

    @property
    def v_tangential(self) -> float:
        """speed across the normal [m/s]"""

    @property
    def with_friction(self) -> bool: ...

    @property
    def models(self) -> dict[InertiaModel, ModelImpact]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __getitem__(self, model: InertiaModel) -> ModelImpact: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def predict_impact(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike, friction: float = 0.0, restitution: float = 0.0, kind: RestitutionKind | str = 'energetic', object: Object | None = None, pseudo_inverse: bool = False) -> ImpactPrediction:
    """
    Impact of an arm with a wall or an object: impulse, phases and motion after it, by each model of the arm's inertia.

    Generalized momentum, composite body and algebraic model: with their W; sticking from rest, the algebraic impulse
    along n is its effective mass times the speed. Flexible joints: W~ is not symmetric, and with friction there is no
    answer. Without friction the algebraic and the flexible model are used as predict uses them, by their effective mass
    along the normal alone.
    Raises InputError for a dq that predict refuses, options that impact refuses and an object that contact_response
    refuses.
    """

class RefusedRow:
    """
    A row of a batch that has no answer, and why: what a single query says when it refuses.
    """

    @property
    def row(self) -> int: ...

    @property
    def reason(self) -> str: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ImpactBatch:
    """
    Many impacts of one robot. N rows, n joints; arrays as those of Batch, with the meaning of ImpactPrediction's
    fields.
    """

    @property
    def refused(self) -> tuple[RefusedRow, ...]:
        """in order; their numbers are NaN, their statuses not_run"""

    @property
    def p_WC(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        contact point [m]                                                        (3 x N)
        """

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        u before, relative [m/s]                                                 (3 x N)
        """

    @property
    def v_normal(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        n.u [m/s]                                                                (N)
        """

    @property
    def v_tangential(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        speed across the normal [m/s]                                            (N)
        """

    @property
    def inertia(self) -> ModelArray:
        """
        whether the arm's model exists                           (N for each model)
        """

    @property
    def status(self) -> ModelArray:
        """
        and its impact; not_run where friction needs another     (N for each model)
        """

    @property
    def phase_mode(self) -> ModelArray:
        """
        of the phases that have an impulse                      (2 x N for each)
        """

    @property
    def impulse(self) -> ModelArray:
        """
        on the robot [N s]                                       (3 x N for each)
        """

    @property
    def velocity_after(self) -> ModelArray:
        """
        of the robot's point [m/s]                               (3 x N for each)
        """

    @property
    def compression(self) -> ModelArray:
        """normal impulse when the approach first stops [N s]       (N for each)"""

    @property
    def energy_lost(self) -> ModelArray:
        """[J]                                                      (N for each)"""

    @property
    def phase_impulse(self) -> ModelArray:
        """
        along the normal, NaN where there is no such phase [N s]  (2 x N for each)
        """

    @property
    def object_velocity(self) -> ModelArray:
        """of the centre of mass [m/s]                     (3 x N for each)"""

    @property
    def object_angular_velocity(self) -> ModelArray:
        """[rad/s]                                         (3 x N for each)"""

    @property
    def joint_velocity_jump(self) -> ModelArray:
        """[Zheng85]              (n x N for each model)"""

    @property
    def joint_velocity_jump_least_norm(self) -> ModelArray:
        """[Wang22b]              (n x N for each model)"""

    @property
    def joint_impulse(self) -> ModelArray:
        """J_v^T iota             (n x N for each model)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def predict_impact_batch(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, dq: numpy.typing.ArrayLike, friction: float = 0.0, restitution: float = 0.0, kind: RestitutionKind | str = 'energetic', frame: Sequence[str] | None = None, offset: numpy.typing.ArrayLike | None = None, normal_W: numpy.typing.ArrayLike | None = None, object_mass: numpy.typing.ArrayLike | None = None, object_inertia_W: numpy.typing.ArrayLike | None = None, object_com_W: numpy.typing.ArrayLike | None = None, object_velocity: numpy.typing.ArrayLike | None = None, object_angular_velocity: numpy.typing.ArrayLike | None = None, pseudo_inverse: bool = False, jumps: bool = False, jobs: int = 0, progress: Callable[[int, int], None] | None = None) -> ImpactBatch:
    """
    predict_impact for many hits, on all cores: the same numbers to the last bit, however many those are.

    q   joint positions, one column per row, or one column for all [rad or m]                                   (n x N)
    dq  joint rates, likewise [rad/s or m/s]                                                                    (n x N)

    A row with a q, dq, point or object that a single query refuses is among those refused; the others stand.
    Raises InputError for shapes that do not fit, options that impact refuses, objects' values without masses, jobs < 0.
    An exception of `progress` ends the work and comes out; so does Interrupted, if `stop` became true before the end.

    Here a hit is a row of q, dq, offset, normal_W and what is known of the objects, and the first index of every array of the result. A value without that index is one for all rows.
    """

class LagrangeTerms:
    """
    The terms of Lagrange's equations that follow from the state alone. n joints.

      d/dt p = tau + dL/dq + tau_ext,   L = T - U the kinetic less the potential energy

    In the form M ddq + C dq + g = tau + tau_ext, with C such that dM/dt = C + C^T, they are M dq and C^T dq - g.
    """

    @property
    def momentum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """p = dL/d(dq) = M dq, with rotors [kg m^2/s or kg m/s]   (n)"""

    @property
    def gradient(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """dL/dq [N m or N]                                        (n)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

earth_gravity_W: tuple = (0.0, 0.0, -9.81)

class LagrangeWorkspace:
    """
    Scratch and results for one robot, sized once so that the loop allocates nothing.
    """

    def __init__(self, robot: Robot, gravity_W: numpy.typing.ArrayLike | None = None) -> None:
        """Raises InputError for a gravity that is not finite."""

    @property
    def size(self) -> int:
        """number of joints"""

    @property
    def terms(self) -> LagrangeTerms:
        """of the last call; NaN before the first"""

@overload
def lagrange_terms(workspace: LagrangeWorkspace, q: numpy.typing.ArrayLike, dq: numpy.typing.ArrayLike) -> LagrangeTerms:
    """
    The same into a workspace. q and dq must have workspace.size() finite values and lie in contiguous memory.
    """

@overload
def lagrange_terms(robot: Robot, q: numpy.typing.ArrayLike, dq: numpy.typing.ArrayLike, gravity_W: numpy.typing.ArrayLike | None = None) -> LagrangeTerms:
    """
    Momentum and gradient at joint positions q [rad or m] and rates dq [rad/s or m/s].

    With S_j the twist of joint j per unit rate, V the twist of the body that it moves, h the momentum of the subtree
    behind it, all about one fixed point, and m, c the subtree's mass and centre of mass:

      p_j = S_j.h,   dT/dq_j = h.(V x S_j),   -dU/dq_j = m gravity.(velocity of c under S_j)

    The middle one, because a rotation of joint j rotates the subtree as one body: seen from the subtree nothing changes
    but the motion that it starts from, that of the body before the joint, and that by V x S_j (S_j x S_j is nil, so
    that V may be taken on either side of the joint). Rotors add their inertia times dq to p and nothing to dL/dq.
    One forward and one backward pass: O(n). Raises what LagrangeWorkspace raises, and InputError unless q and dq have
    one finite value per joint.
    """

usual_gain: float = 500.0

class ThresholdDetector:
    """
    Raises an alarm once the residual was above a threshold for a number of consecutive cycles. The alarm stays until
    reset.
    """

    def __init__(self, joints: Sequence[int], threshold: float, consecutive: int = 1) -> None:
        """
        joints       whose torques are watched, from 0
        threshold    largest residual of free motion                                       [N m]
        consecutive  cycles in a row above it that make an alarm: 1 is the paper's rule, more ignores single spikes
        Raises InputError for no joint, a negative one or one that is named twice, a threshold that is not finite and
        greater than 0, consecutive below 1.
        """

    @overload
    def update(self, residual: float) -> bool: ...

    @overload
    def update(self, torque: numpy.typing.ArrayLike, torque_reference: numpy.typing.ArrayLike) -> bool: ...

    @overload
    def update(self, external_torque: numpy.typing.ArrayLike) -> bool:
        """
        One cycle. Returns alarm(). The vectors have an entry for every joint in `joints`.
        """

    def reset(self) -> None:
        """forgets alarm and residual"""

    @property
    def alarm(self) -> bool: ...

    @property
    def residual(self) -> float:
        """of the last cycle [N m]; NaN before the first"""

    @property
    def threshold(self) -> float:
        """[N m]"""

    @property
    def consecutive(self) -> int: ...

    @property
    def joints(self) -> list[int]: ...

class MomentumObserver:
    """
    Estimates the external torque on each joint from positions, rates and torques: r above.
    """

    def __init__(self, robot: Robot, gain: float = 500.0, gravity_W: numpy.typing.ArrayLike | None = None) -> None:
        """
        robot      with its rotor inertias if the torque is the motors', reflected to the joint; without them if it is
                   measured between transmission and link
        gain       K, inverse of the time constant  [1/s]
        Raises InputError for a gain that is not finite and greater than 0 or a gravity that is not finite.
        """

    def update(self, q: numpy.typing.ArrayLike, dq: numpy.typing.ArrayLike, torque: numpy.typing.ArrayLike, dt: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        One cycle. Returns external_torque(): zero in the first cycle, whose momentum is p(0) and whose dt is not used.

        q, dq, torque  measured at the same instant, a finite value per joint  [rad or m], [rad/s or m/s], [N m or N]
        dt             time since the cycle before, > 0                        [s]

        The step is exact for a tau_ext that is constant in it, so that no gain and no gap makes it unstable; the integral
        of the torques is by the trapezoidal rule. A number that is not finite stays in r until reset.
        """

    @property
    def external_torque(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """r [N m or N]  (joints)"""

    def reset(self) -> None:
        """begins anew with the next cycle"""

@overload
def torque_residual(joints: Sequence[int], torque: numpy.typing.ArrayLike, torque_reference: numpy.typing.ArrayLike) -> float:
    """
    How far the torques of some joints are from what the controller expects.

      sum over the joints of |tau_i - tau*_i|                                   [Wang22, (sec:robot_configuration)]

    joints            indices into the vectors; each counts as often as it is listed
    torque            tau, measured                                    [N m or N]
    torque_reference  tau*, of the controller's inverse dynamics       [N m or N]
    Returns [N m]; a prismatic joint's newtons are added as they are.
    """

@overload
def torque_residual(joints: Sequence[int], external_torque: numpy.typing.ArrayLike) -> float:
    """
    The same against a reference of zero, for torques that are external ones already.
    """

class Alarm:
    """When a detector would have raised its alarm on a log."""

    @property
    def sample(self) -> int:
        """row of the log"""

    @property
    def time(self) -> float:
        """of that sample                         [s]"""

    @property
    def residual(self) -> float:
        """there                                  [N m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def find_alarm(time: numpy.typing.ArrayLike, torque: numpy.typing.ArrayLike, torque_reference: numpy.typing.ArrayLike, detector: ThresholdDetector, start: float = float('-inf')) -> Alarm | None: ...

@overload
def find_alarm(time: numpy.typing.ArrayLike, external_torque: numpy.typing.ArrayLike, detector: ThresholdDetector, start: float = float('-inf')) -> Alarm | None:
    """
    The first alarm of a log at or after the time `start`, by a detector that starts there; empty if there is none.

    time              finite, strictly increasing; steps may be uneven        [s]          (samples)
    torque            measured                                               [N m or N]   (samples x joints)
    torque_reference  as in torque_residual, at the same times               [N m or N]   (samples x joints)
    An alarm before the first touch is a false one; after it, its time less that of the touch is the delay.
    Raises InputError for an empty log, shapes that do not fit, a number that is not finite, time that does not
    increase, a watched joint that the log does not have, a start that is NaN.
    """

@overload
def quiet_level(time: numpy.typing.ArrayLike, torque: numpy.typing.ArrayLike, torque_reference: numpy.typing.ArrayLike, joints: Sequence[int], from_: float, to: float) -> float: ...

@overload
def quiet_level(time: numpy.typing.ArrayLike, external_torque: numpy.typing.ArrayLike, joints: Sequence[int], from_: float, to: float) -> float:
    """
    The largest residual of a log at times in [from, to], where the arm is known to move freely [N m].

    A threshold at this level or above raises no alarm there; how far above is the margin, for the user to state.
    Raises InputError as find_alarm does, for no joints, and for a span without a sample.
    """

def external_torques(robot: Robot, time: numpy.typing.ArrayLike, position: numpy.typing.ArrayLike, velocity: numpy.typing.ArrayLike, torque: numpy.typing.ArrayLike, gain: float = 500.0, gravity_W: numpy.typing.ArrayLike | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='F')]:
    """
    What a MomentumObserver makes of a log: the external torque at each sample [N m or N] (samples x joints), for
    find_alarm and quiet_level.

    time, torque         as for find_alarm
    position, velocity   of the joints at the same times         [rad or m], [rad/s or m/s]   (samples x joints)
    robot, gain, gravity as for MomentumObserver
    Raises InputError as find_alarm and MomentumObserver do.
    """

class Spring:
    """
    Virtual spring with restitution: one stiffness while compressing, another while restoring.

      f = -k x  while v <= 0,   f = -(k/e^2) x  while v > 0      [Wang22, (sec:virtual_spring_model)]

    The force is continuous where v = 0: the spring then shortens at once from x to e^2 x and loses the fraction 1 - e^2
    of its energy. An e > 1 creates energy. It is kept, since a record whose fall is slower than its rise requires it,
    and it is what speaks against the law.
    """

    def __init__(self, stiffness: float = 0.0, restitution: float = 0.0) -> None: ...

    @property
    def stiffness(self) -> float:
        """k > 0 [N/m]"""

    @property
    def restitution(self) -> float:
        """e >= 0 [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Spring:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Maxwell:
    """
    Spring and dashpot in series.

      df/dt = -k v - (k/c) f      [Stronge00, (5.1.1)]
    """

    def __init__(self, stiffness: float = 0.0, damping: float = 0.0) -> None: ...

    @property
    def stiffness(self) -> float:
        """k > 0 [N/m]"""

    @property
    def damping(self) -> float:
        """c > 0 [N s/m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Maxwell:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Viscoelastic:
    """
    Spring and nonlinear dashpot in parallel.

      f = c x v - k x      [Wang22, (normal_impact_force)]
    """

    def __init__(self, stiffness: float = 0.0, damping: float = 0.0) -> None: ...

    @property
    def stiffness(self) -> float:
        """k > 0 [N/m]"""

    @property
    def damping(self) -> float:
        """c >= 0 [N s/m^2]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Viscoelastic:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class HuntCrossley:
    """
    The general member of that family; exponent 1 is the viscoelastic law, 3/2 is Hertz's contact with damping.

      f = (-x)^n (k - c v),   n = 1 in [Wang22, (normal_impact_force)]
    """

    def __init__(self, stiffness: float = 0.0, damping: float = 0.0, exponent: float = 1.0) -> None: ...

    @property
    def stiffness(self) -> float:
        """k > 0 [N/m^n]"""

    @property
    def damping(self) -> float:
        """c >= 0 [N s/m^(n+1)]"""

    @property
    def exponent(self) -> float:
        """n > 0 [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> HuntCrossley:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class LawKind(enum.Enum):
    """Which law, without its parameters; in the order of ContactLaw."""

    spring = 0

    maxwell = 1

    viscoelastic = 2

    hunt_crossley = 3

def kind_of(law: Spring | Maxwell | Viscoelastic | HuntCrossley) -> LawKind:
    """The kind of a law."""

def law_from_name(name: str) -> Spring | Maxwell | Viscoelastic | HuntCrossley | None:
    """
    A law of that name with its parameters as the structs have them; none for another name.
    """

def law_names() -> str:
    """
    The names of all laws, for people: "spring, maxwell, viscoelastic or hunt_crossley".
    """

def parameter_names() -> list[str]:
    """
    The names of the parameters of all laws, each once: those of the most general law first.
    """

def typical_law(kind: LawKind) -> Spring | Maxwell | Viscoelastic | HuntCrossley:
    """A law of that kind with the typical parameters of its table."""

def parameter_unit(kind: LawKind, parameter: str) -> str:
    """The unit of a law's parameter; empty for another name."""

def law_parameters(law: Spring | Maxwell | Viscoelastic | HuntCrossley) -> list[tuple[str, float]]:
    """
    The parameters of a law by the names they have in files and on the command line, in the order of its fields.
    """

@overload
def force(law: Spring, x: float, v: float) -> float: ...

@overload
def force(law: Viscoelastic, x: float, v: float) -> float: ...

@overload
def force(law: HuntCrossley, x: float, v: float) -> float:
    """
    Contact force on the robot, from the equation above the law.

    x  compression, 0 or less in contact [m]. For the spring: counted from the rest length of the phase it is in.
    v  dx/dt [m/s]
    Returns f [N]. For x >= 0: f = 0.
    At e = 0 the spring does not restore: f = 0 for v > 0.
    Departs from the paper: clamped at 0 where v > k/c, so the contact never pulls.
    """

def force_rate(law: Maxwell, f: float, v: float) -> float:
    """
    Rate of the Maxwell force, df/dt = -k v - (k/c) f [N/s], in contact. This law has a memory: its force depends on the
    dashpot's travel, not on x and v alone, so the force is itself a state. f in N, v in m/s.
    """

def restitution(law: Spring | Maxwell | Viscoelastic | HuntCrossley, mass: float, velocity: float) -> float:
    """
    Coefficient of restitution e = -v_after/v0, exact.

      spring                       e
      Maxwell                      exp(-pi zeta/sqrt(1 - zeta^2)), zeta = sqrt(k m)/(2 c);  0 for zeta >= 1
                                                                                      [Stronge00, (5.7)]
      viscoelastic, Hunt-Crossley  (1 + W0(-(1+d) e^-(1+d)))/d, d = c|v0|/k, for every exponent; W0 is Lambert's
                                   function. From the law, [Wang22, (normal_impact_force)]: see src/contact/phase.hpp

    mass      effective mass m > 0 [kg]; only Maxwell's value depends on it
    velocity  v0 < 0 [m/s]; only the last two depend on it
    For d -> 0: e = 1 - 2d/3; for d -> infinity: e = 1/d. Full precision for every d. Raises InputError.
    """

def restitution_asymptotic(law: Viscoelastic, velocity: float) -> float:
    """
    The paper's coefficient of restitution, e = k/(c|v0|) = 1/d      [Wang22, (coe_property)]

    velocity  v0 < 0 [m/s]
    The limit of the exact value for large d, and nothing else: it is 1 at d = 1, where the law gives 0.594, exceeds 1
    below, and is infinite for c = 0. Raises InputError.
    """

class Peak:
    """
    df/dt = 0. For the viscoelastic law it comes before the end of compression whenever c > 0.
    """

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def force(self) -> float:
        """[N]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class EndOfCompression:
    """v = 0, the deepest point. Maxwell with zeta >= 1 only tends to it."""

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def depth(self) -> float:
        """-x, > 0 [m]"""

    @property
    def force(self) -> float:
        """[N]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class EndOfContact:
    """
    The contact parts. Viscoelastic, Hunt-Crossley: x = 0. Spring, Maxwell: f = 0, which leaves the permanent set
    -x = (1 - e^2) x_max of the spring's shift, -x = (1 + e) m |v0|/c of the dashpot's travel.
    Maxwell with zeta >= 1 never parts.
    """

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def velocity(self) -> float:
        """-e v0 >= 0 [m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class EndOfForce:
    """
    After the peak, the force has fallen to a stated fraction of it: what a record can show. In a strongly damped
    contact this comes long before x = 0.
    """

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def fraction(self) -> float:
        """of the peak force [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Impulses:
    """Integral of the force from t = 0 up to an event [N s]."""

    @property
    def peak(self) -> float: ...

    @property
    def compression(self) -> float | None:
        """m |v0|"""

    @property
    def total(self) -> float:
        """(1 + e) m |v0|; for a contact that never parts, the limit"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Energies:
    """[J]"""

    @property
    def initial(self) -> float:
        """m v0^2/2"""

    @property
    def stored_max(self) -> float:
        """largest potential energy"""

    @property
    def dissipated(self) -> float:
        """over the whole contact; negative for a spring with e > 1"""

    @property
    def final(self) -> float:
        """m v^2/2 after it; initial = dissipated + final"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ForceProfile:
    """One impact: its inputs and its outcome."""

    @property
    def law(self) -> Spring | Maxwell | Viscoelastic | HuntCrossley: ...

    @property
    def mass(self) -> float:
        """m [kg]"""

    @property
    def velocity(self) -> float:
        """v0 < 0 [m/s]"""

    @property
    def restitution(self) -> float:
        """e [1]"""

    @property
    def peak(self) -> Peak: ...

    @property
    def end_of_compression(self) -> EndOfCompression | None: ...

    @property
    def end_of_contact(self) -> EndOfContact | None: ...

    @property
    def end_of_force(self) -> EndOfForce: ...

    @property
    def impulse(self) -> Impulses: ...

    @property
    def energy(self) -> Energies: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self, samples: int = 601) -> dict[str, NDArray[Any]]:
        """
        Force, motion and energies over time, by the names of ContactState; from the touch to the end of the force and half as
        long again, or to the end of the contact.
        """

    def plot(self, axes: Any = None) -> Any:
        """
        Force over time with its events. Returns the Matplotlib axes it draws on: those given, or new ones.
        """

class ContactState:
    """
    One instant of an impact. The three energies sum to m v0^2/2      [Wang22, (energy_balance)]
    """

    @property
    def time(self) -> float:
        """from first touch [s]"""

    @property
    def force(self) -> float:
        """f >= 0 [N]"""

    @property
    def compression(self) -> float:
        """x, negative in contact [m]"""

    @property
    def velocity(self) -> float:
        """v = dx/dt [m/s]"""

    @property
    def impulse(self) -> float:
        """integral of f up to now, m (v - v0) [N s]"""

    @property
    def kinetic(self) -> float:
        """m v^2/2 [J]"""

    @property
    def potential(self) -> float:
        """
        stored: k x^2/2 for the viscoelastic law [Wang22, (potential_energy)]; k depth^(n+1)/(n+1); in the spring of the other two f^2/(2 k), times e^2 while the virtual spring restores [J]
        """

    @property
    def dissipated(self) -> float:
        """
        integral of the dashpot's -c x v^2 [Wang22, (dissipated_energy)], of Maxwell's f^2/c; for the spring (1 - e^2) m v0^2/2, all of it at v = 0 [J]
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def force_profile(law: Spring | Maxwell | Viscoelastic | HuntCrossley, mass: float, velocity: float, end_fraction: float = 0.01) -> ForceProfile:
    """
    Solves an impact.

      viscoelastic  phase plane and d = c|v0|/k, from [Wang22, (normal_impact_force)]; see src/contact/phase.hpp
      Maxwell       f = (m|v0| w0/b) e^(-zeta w0 t) sin(b w0 t), w0^2 = k/m, zeta = sqrt(k m)/(2 c), b^2 = 1 - zeta^2
                                                                                                 [Stronge00, (5.1.1)]
      spring        f = |v0| sqrt(k m) sin(w0 t), then cos(w0 (t - t_c)/e) from t_c = pi/(2 w0)
                                                                             [Wang22, (sec:virtual_spring_model)]

    mass          effective mass m > 0 [kg]
    velocity      v0 < 0 [m/s]
    end_fraction  of the peak force, in (0, 1), at which the force counts as ended
    Event times hold to 1e-10 relative for d from 1e-9 to 1e9 (exponent 1). For d -> 0 and exponent 1 the force is a
    half sine of duration pi sqrt(m/k). Raises InputError.
    The viscoelastic law with the default fraction is looked up: some 20 ns, but tens of microseconds the first time
    that 1 + d comes into one of the 64 equal parts between two powers of 2, when that part of the table is filled. Any
    number of threads may call.
    """

def state(profile: ForceProfile, time: float) -> ContactState:
    """
    The impact at an instant: before touch and after parting, a free flight without force. time in s, finite.
    Many times of a viscoelastic contact cost least when they increase; the force then holds to 1e-10 of its peak.
    """

@overload
def states(profile: ForceProfile, times: numpy.typing.ArrayLike) -> dict[str, Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]]:
    """
    The impact at many instants: an array a quantity, by the names that ContactState has.
    """

@overload
def states(profile: ElasticProfile, times: numpy.typing.ArrayLike) -> ElasticStates:
    """The states at instants in ascending order within the record."""

class Simulator(enum.Enum):
    """A simulator with a contact that gives way."""

    mujoco = 0

    drake = 1

    gazebo = 2

    bullet = 3

all_simulators: tuple = ...

def simulator_from_name(name: str) -> Simulator | None:
    """The simulator of that name; none for another name."""

def simulator_names() -> str:
    """
    The names of all simulators, for people: "mujoco, drake, gazebo or bullet".
    """

class HitOutcome:
    """What can be seen of a hit."""

    @property
    def peak(self) -> float:
        """force                                          [N]"""

    @property
    def duration(self) -> float:
        """until the force is down to 1 % of its peak     [s]"""

    @property
    def restitution(self) -> float:
        """speed after over speed before               [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SimulatorParameter:
    """A parameter by the name that the simulator has for it."""

    @property
    def name(self) -> str: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """one, or those of an attribute with several"""

    @property
    def unit(self) -> str:
        """of each of them, in order, where they differ"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Translation:
    """A law in the words of a simulator, and what becomes of it there."""

    @property
    def law(self) -> Spring | Maxwell | Viscoelastic | HuntCrossley: ...

    @property
    def mass(self) -> float:
        """m [kg]"""

    @property
    def speed(self) -> float:
        """of approach [m/s]"""

    @property
    def simulator(self) -> Simulator: ...

    @property
    def step(self) -> float | None:
        """h [s]; none: exact integration"""

    @property
    def parameters(self) -> tuple[SimulatorParameter, ...]: ...

    @property
    def exact(self) -> bool:
        """the simulator has this very law"""

    @property
    def matched(self) -> tuple[str, ...]: ...

    @property
    def of_law(self) -> HitOutcome: ...

    @property
    def of_simulator(self) -> HitOutcome:
        """with a step: the mean over where in a step the touch falls"""

    @property
    def lowest(self) -> HitOutcome:
        """over where it falls"""

    @property
    def highest(self) -> HitOutcome: ...

    @property
    def snippet(self) -> str:
        """
        the parameters as text to paste: MJCF, Python with Drake, SDF, Python with PyBullet
        """

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        A row for each quantity: of the law, of the simulator, lowest and highest over where in a step the touch falls.
        """

def translate(law: Spring | Maxwell | Viscoelastic | HuntCrossley, mass: float, speed: float, to: Simulator | str, step: float | None = None, constant_impedance: bool = False) -> Translation:
    """
    The parameters that make a simulator's contact behave as the law.

    mass   effective mass m > 0 [kg]: MuJoCo's parameters are per mass, so that they hold for one pair of bodies
    speed  of approach > 0 [m/s]
    Raises InputError.

    step  Of the simulator, h > 0 [s]: the parameters are then those that give peak and restitution at this step, on average
    over where in a step the touch falls. Without it: those of an exact integration, which small steps tend to.
    constant_impedance  MuJoCo: one impedance for every depth, without the duration. For contacts of an arm or of anything else of several
    joints, whose inertia MuJoCo guesses unless its flag `diagexact` is enabled.
    """

def law_outcome(law: Spring | Maxwell | Viscoelastic | HuntCrossley, mass: float, speed: float) -> HitOutcome:
    """
    What a law gives: its profile in these few numbers. speed > 0 [m/s]. Raises InputError.
    """

def simulated_outcome(translation: Translation, mass: float, speed: float) -> HitOutcome:
    """
    What the translated parameters give at another mass and speed, at the same step. Raises InputError.
    """

class Drives:
    """
    The drives of n joints, reflected to the joint. A vector is empty, or an entry NaN, where a quantity is not known;
    `assumptions` says what takes its place.
    """

    def __init__(self, rotor_inertia: numpy.typing.ArrayLike | None = None, stiffness: numpy.typing.ArrayLike | None = None, damping: numpy.typing.ArrayLike | None = None, effort: numpy.typing.ArrayLike | None = None, servo_stiffness: numpy.typing.ArrayLike | None = None, servo_damping: numpy.typing.ArrayLike | None = None, servo_damping_ratio: float | None = None) -> None: ...

    @property
    def rotor_inertia(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        B > 0                                              [kg m^2 or kg]       (n)
        """

    @property
    def stiffness(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        K > 0, of the transmission                         [N m/rad or N/m]     (n)
        """

    @property
    def damping(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        D >= 0, of the transmission                        [N m s/rad or N s/m] (n)
        """

    @property
    def effort(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        E > 0, the largest torque of the motor             [N m or N]           (n)
        """

    @property
    def servo_stiffness(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Kp >= 0                      [N m/rad or N/m]     (n)"""

    @property
    def servo_damping(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Kd >= 0                      [N m s/rad or N s/m] (n)"""

    @property
    def servo_damping_ratio(self) -> float | None:
        """in its place: Kd = 2 ratio sqrt(Kp (M_ii + B_i))   [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Drives:
        """The same but for the fields that are given."""

    def without_servo(self) -> Drives:
        """The same arm with its motors left alone: no servo, on purpose."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def drives_of(robot: Robot) -> Drives:
    """
    What a robot itself says of its drives, such as one from MJCF: the rotors of its joints that have one, and their
    limits of effort, where they are finite and > 0. Nothing else is known.
    """

def assumptions(drives: Drives) -> list[Warning]:
    """
    What is not known and what takes its place, a warning for each quantity:

      rotor inertia  motors that do not move; without inertia where the stiffness is not known either
      stiffness      rigid transmissions: motor and link move as one
      damping        none
      effort         motors without a limit
      servo          motors left alone, where nothing of it is known; no damping, where only its stiffness is
    """

def parse_drives(text: str, joints: int, name: str = 'drives') -> Drives:
    """
    Drives from TOML: the tables `joints` (`rotor_inertia`, `stiffness`, `damping`, `effort`) and `controller`
    (`stiffness`, and `damping` or `damping_ratio`), each key with one value per joint or one for all. A key left out is
    not known. A campaign file will do: what else it has is passed over. `name` is the file in messages. `joints` less
    than 0: as many as the file's lists are for, 1 where it has none.
    Raises FileError naming file, line, key, value and rule.
    """

def read_drives(path: str | os.PathLike, joints: int) -> Drives:
    """
    Drives from TOML: the tables `joints` (`rotor_inertia`, `stiffness`, `damping`, `effort`) and `controller`
    (`stiffness`, and `damping` or `damping_ratio`), each key with one value per joint or one for all. A key left out is
    not known. A campaign file will do: what else it has is passed over. `name` is the file in messages. `joints` less
    than 0: as many as the file's lists are for, 1 where it has none.
    Raises FileError naming file, line, key, value and rule.
    """

def shipped_drives() -> list[str]:
    """Names of the drives that ship with the library."""

def load_drives(name_or_path: str | os.PathLike, joints: int) -> Drives:
    """
    The drives that ship under a name, or those of a file. Raises FileError.
    """

def drives_text(name_or_path: str | os.PathLike) -> str:
    """Their text."""

class ElasticArm:
    """
    An arm in one posture at one contact, with what drives its joints. n joints.
    """

    @property
    def M(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        inertia of the links, without rotors [kg m^2, kg m, kg]                         (n x n)
        """

    @property
    def j(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        rate of the contact point along the normal, per joint rate [m or 1]             (n)
        """

    @property
    def drives(self) -> Drives:
        """servo_damping in place of a ratio"""

    @property
    def holding(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        g, the torque of each motor before the hit [N m or N]                           (n)
        """

    @property
    def M_inv(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        inverse of M with the rotors behind rigid transmissions                         (n x n)
        """

    @property
    def mass_links(self) -> float:
        """
        1/(j M^-1 j^T): what a contact feels that is much shorter than the arm's oscillations [kg]
        """

    @property
    def mass_rotors(self) -> float:
        """1/(j (M + B)^-1 j^T), of free motors behind rigid transmissions [kg]"""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """what was assumed"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

@overload
def elastic_arm(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, drives: Drives) -> ElasticArm:
    """
    The arm of a robot at joint positions q [rad or m]; its rotors are those of the drives, not of the URDF. The motors
    hold gravity's torque.
    Raises what contact_dynamics and validate raise, and InputError where no joint moves the contact along its normal.
    """

@overload
def elastic_arm(M: numpy.typing.ArrayLike, j: numpy.typing.ArrayLike, drives: Drives, holding: numpy.typing.ArrayLike | None = None) -> ElasticArm:
    """
    The arm from matrices that another library computed. Empty `holding`: zero.
    """

class CommandChange:
    """
    A known change of the command from a time on, until the next one: a motor's position moves by
    position + (t - time) rate from where it would have been, and the controller adds `feedforward` to its torque.
    """

    def __init__(self, time: float = 0.0, position: numpy.typing.ArrayLike | None = None, rate: numpy.typing.ArrayLike | None = None, feedforward: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def time(self) -> float:
        """since first touch [s]"""

    @property
    def position(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """delta [rad or m]                                    (n)"""

    @property
    def rate(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """delta' [rad/s or m/s]                               (n)"""

    @property
    def feedforward(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """(M + B) delta", where the controller has it [N m or N]   (n)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> CommandChange:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Turn:
    """v = 0 during the contact."""

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def depth(self) -> float:
        """-x [m]"""

    @property
    def force(self) -> float:
        """[N]"""

    @property
    def impulse(self) -> float:
        """up to then [N s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ElasticEnergies:
    """
    In deviations from the commanded motion, at the end of the record [J]:
    supplied = kinetic + transmission + servo + wall + dissipated.
    """

    @property
    def supplied(self) -> float:
        """|v0| times the impulse, which is what the approach gives"""

    @property
    def kinetic(self) -> float:
        """of links and rotors, and of an object that is hit"""

    @property
    def transmission(self) -> float:
        """in the transmissions' springs"""

    @property
    def servo(self) -> float:
        """Kp th~^2/2"""

    @property
    def wall(self) -> float:
        """in the contact"""

    @property
    def wall_max(self) -> float:
        """the largest of it during the record"""

    @property
    def dissipated(self) -> float:
        """
        in contact, transmissions and servo; with a motor at its limit or a changed command also the rest of the motor's work, which may be negative
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ElasticStates:
    """The state of a hit at instants of time, a row each. n joints."""

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """since first touch [s]"""

    @property
    def force(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """f >= 0 [N]"""

    @property
    def compression(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """x, negative in contact [m]"""

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """v = dx/dt [m/s]"""

    @property
    def impulse(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """up to then [N s]"""

    @property
    def apparent_mass(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of the arm: impulse/(v - v0 - w_o impulse); NaN at touch [kg]"""

    @property
    def joint_rate(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        q~', change of the links' rates by the hit [rad/s or m/s]          (rows x n)
        """

    @property
    def motor_rate(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        th~' [rad/s or m/s]                                                (rows x n)
        """

    @property
    def transmission_torque(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        K (th~ - q~) + D (th~' - q~'), beside what it was before [N m or N]  (rows x n)
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ElasticProfile:
    """A hit: its events, and its motion at any instant of the record."""

    @property
    def size(self) -> int:
        """number of joints"""

    @property
    def velocity(self) -> float:
        """v0 < 0, relative to what is hit [m/s]"""

    @property
    def object_inverse_mass(self) -> float:
        """w_o of what is hit [1/kg]"""

    @property
    def end(self) -> float:
        """of the record: end of contact or horizon [s]"""

    @property
    def peaks(self) -> list[Peak]:
        """interior local maxima of the force, in order of time"""

    @property
    def turns(self) -> list[Turn]:
        """every v = 0, in order of time; the first ends the compression"""

    @property
    def end_of_contact(self) -> EndOfContact | None:
        """first x = 0 after the touch; none within the horizon"""

    @property
    def impulse(self) -> float:
        """of the whole record [N s]"""

    @property
    def peak(self) -> Peak:
        """The highest peak; the end of the record where the force only rises."""

    @property
    def deepest_turn(self) -> Turn | None:
        """The turn with the largest depth; none within the horizon."""

    @property
    def mass_compression(self) -> float | None:
        """Of the arm up to the first turn: impulse/(|v0| - w_o impulse) [kg]."""

def elastic_profile(arm: ElasticArm, law: Spring | Maxwell | Viscoelastic | HuntCrossley, velocity: float, horizon: float = 0.05, command: Sequence[CommandChange] = [], ringing: float = 0.0, object_inverse_mass: float = 0.0) -> ElasticProfile:
    """The hit of an arm at v0 < 0 [m/s]. Raises InputError."""

def forces(profile: ElasticProfile, times: numpy.typing.ArrayLike) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    The force alone at instants in ascending order [N], zero outside the record.
    """

def largest_torques(profile: ElasticProfile, before: numpy.typing.ArrayLike) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    The largest torque of each transmission, |g + K (th~ - q~) + D (th~' - q~')|, over the record and the ringing after
    it [N m or N]; `before` is what each had before the hit, g of the arm or zero for what the hit adds. NaN behind a
    rigid transmission. (n)
    """

def end_of_force(profile: ElasticProfile, fraction: float = 0.01) -> EndOfForce | None:
    """
    After the highest peak the force falls to this fraction of it for good; none within the record.
    """

def energies(profile: ElasticProfile) -> ElasticEnergies:
    """The balance of the record."""

class Regime:
    """
    Where a hit lies. Of a hit that never turns, or of rigid transmissions, there is none.
    """

    @property
    def frequency(self) -> float:
        """omega                                  [rad/s]"""

    @property
    def time(self) -> float:
        """t_c, of the greatest depth             [s]"""

    @property
    def x(self) -> float:
        """omega t_c                              [1]"""

    @property
    def by_rule(self) -> InertiaModel:
        """which is near by the rule below"""

    @property
    def effective_mass(self) -> float:
        """of the arm up to t_c                   [kg]"""

    @property
    def impulse(self) -> float:
        """up to t_c                              [N s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

regime_bounds: tuple = (1.9, 8.0)

def regime(arm: ElasticArm, profile: ElasticProfile) -> Regime | None:
    """The regime of a hit of this arm."""

class LimitKind(enum.Enum):
    """What limits the speed of an approach."""

    joint_speed_before = 0

    joint_speed_after = 1

    joint_torque = 2
    """during the hit, with what gravity takes"""

    collision_torque = 3
    """external torque at which the robot's own safety stops it"""

    collision_force = 4
    """external force at which it does"""

    peak_force = 5
    """of the contact"""

    body_force = 6
    """on a person"""

    body_pressure = 7
    """on a person"""

class Limits:
    """
    Limits of an arm of n joints and of its contact. A vector is empty, or an entry NaN, where there is no limit.
    """

    def __init__(self, speed: numpy.typing.ArrayLike | None = None, torque: numpy.typing.ArrayLike | None = None, collision_torque: numpy.typing.ArrayLike | None = None, collision_force: float = float('nan'), force: float = float('nan')) -> None: ...

    @property
    def speed(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of the joints, before and after a hit [rad/s or m/s]  (n)"""

    @property
    def torque(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of the joints, during a hit [N m or N]                (n)"""

    @property
    def collision_torque(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """threshold of the robot's own safety [N m or N]        (n)"""

    @property
    def collision_force(self) -> float:
        """threshold of it at the contact [N]"""

    @property
    def force(self) -> float:
        """largest at the contact [N]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Limits:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class BodyRegion:
    """
    A region of a person's body.                                                           [ISO15066, (A.2)]
    """

    def __init__(self, name: str = '', force: float = 0.0, pressure: float = 0.0, stiffness: float = 0.0, mass: float = 0.0, transient: float = 2.0) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def force(self) -> float:
        """F_s > 0, that a person bears for long [N]"""

    @property
    def pressure(self) -> float:
        """p_s > 0, the least of the region's places [Pa]"""

    @property
    def stiffness(self) -> float:
        """k > 0 [N/m]"""

    @property
    def mass(self) -> float:
        """m_H > 0, of the region when it is free to move [kg]"""

    @property
    def transient(self) -> float:
        """
        how many times as much it bears for a moment; 0: no hit is permitted [1]
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> BodyRegion:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class BodyContact:
    """A hit on a person."""

    def __init__(self, region: BodyRegion | None = None, clamped: bool = False, area: float = float('nan')) -> None: ...

    @property
    def region(self) -> BodyRegion: ...

    @property
    def clamped(self) -> bool:
        """against something that does not give way"""

    @property
    def area(self) -> float:
        """of the contact [m^2]; NaN: pressure is not judged"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> BodyContact:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class BodySpeeds:
    """The highest speeds at which a person's body may be met [m/s]."""

    @property
    def force(self) -> float:
        """by force and by pressure"""

    @property
    def pressure(self) -> float:
        """by force and by pressure"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SpeedLimitRow:
    """One limit, and the approach speed at which it is met."""

    @property
    def kind(self) -> LimitKind: ...

    @property
    def joint(self) -> int:
        """-1: of no joint"""

    @property
    def bound(self) -> float:
        """rad/s, m/s; N m, N; Pa"""

    @property
    def speed(self) -> float:
        """
        along the normal [m/s]; infinite where the limit does not bind below 100 m/s
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SpeedLimit:
    """How fast an arm may hit."""

    @property
    def speed(self) -> float:
        """
        along the normal, v_n = -speed [m/s]; infinite without any limit that binds
        """

    @property
    def binding(self) -> int | None:
        """the row that says so"""

    @property
    def model(self) -> InertiaModel: ...

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        joint rates of the approach at that speed; at 1 m/s where it is infinite    (n)
        """

    @property
    def rows(self) -> tuple[SpeedLimitRow, ...]: ...

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """A row for each limit."""

class ImpactRows:
    """
    lower <= A ddq <= upper. The first n rows keep the joint speeds after a hit, the others the torques during it; rows
    without a limit are infinite on both sides.
    """

    @property
    def A(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """(2n x n)"""

    @property
    def lower(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """(2n)"""

    @property
    def upper(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """(2n)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class LimitsFile:
    """What a limits file says of a robot, and of people."""

    @property
    def limits(self) -> Limits: ...

    @property
    def bodies(self) -> dict[str, BodyRegion]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def robot_limits(robot: Robot) -> Limits:
    """Those of the robot's description: speed and effort of its joints."""

def with_limits(limits: Limits, over: Limits) -> Limits:
    """The first, with the values of the second where it has any."""

def parse_limits(text: str, joints: int, name: str = 'limits') -> LimitsFile:
    """
    Limits from TOML: the tables `joints` (`speed`, `torque`, `collision_torque`, each with one value per joint or one
    for all), `contact` (`force`, `collision_force`) and `body.NAME` (`force`, `pressure`, `stiffness`, `mass`, and
    `transient`), in SI units. All of them may be left out. `name` is the file in messages. `joints` less than 0: as
    many as the file's lists are for, 1 where it has none. Raises FileError naming file, line, key, value and rule.
    """

def shipped_limits() -> list[str]:
    """Names of the limits that ship with the library."""

def load_limits(name_or_path: str | os.PathLike, joints: int) -> LimitsFile:
    """
    The limits that ship under a name, or those of a file. Raises FileError.
    """

def limits_text(name_or_path: str | os.PathLike) -> str:
    """Their text."""

def body_regions() -> dict[str, BodyRegion]:
    """The regions of a person's body that ship, those of `iso_ts_15066`."""

def body_speeds(contact: BodyContact, mass: float) -> BodySpeeds:
    """
    The highest speed at which a mass may meet a person's body by force and by pressure [m/s]:

      v = F/sqrt(k mu),  v = p A/sqrt(k mu),   1/mu = 1/m_R + 1/m_H                        [ISO15066, (A.3)]

    F, p are the transient limits of a body that is free to move; those of long contacts, and 1/m_H = 0, of one that is
    clamped. 0 where no hit is permitted; the second is NaN without an area. mass  m_R > 0 [kg].
    """

def speed_limit(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, direction: numpy.typing.ArrayLike, limits: Limits, *, model: InertiaModel | None = None, law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, restitution: float | None = None, drives: Drives | None = None, body: BodyContact | None = None) -> SpeedLimit:
    """
    The highest speed of an approach along the joint rates `direction`, of any length, that meets every limit during and
    after the hit.

      joint speed         |d_i| s,  |d_i + (1 + e) p_i| s
      joint torque        |g_i| + (pi/2) (1 + e) m_n s |j_i|/T: mean over the contact time T of the law, times what the
                          peak of a half sine has above its mean; with drives the largest torque of the transmission,
                          in a contact of at most 50 ms and while the arm rings for 100 ms after it
      collision torque    the same without gravity's
      forces              the law's peak with the model's mass; with drives the elastic arm's

    Joints and forces are judged as against something that does not move, a person's body by its own mass. Limits that
    cannot be judged, torques without a law or without an end of its contact, have no row, and a warning says so.
    Raises InputError, also where `direction` does not approach, and where no model exists; Interrupted once run.stop is
    true: an arm with drives takes up to a second. Of `run` nothing else is used.
    """

def fastest_approach(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, limits: Limits, *, model: InertiaModel | None = None, law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, restitution: float | None = None, drives: Drives | None = None, body: BodyContact | None = None) -> SpeedLimit:
    """
    The same over all approaches: max -j dq subject to every limit, a linear programme. The rows are those along the
    approach that was found.
    """

def impact_rows(dynamics: ContactDynamics, dq: numpy.typing.ArrayLike, period: float, limits: Limits, gravity: numpy.typing.ArrayLike, *, model: InertiaModel = InertiaModel.generalized_momentum, restitution: float = 0.0, contact_time: float = float('nan')) -> ImpactRows:
    """The same, checked and in memory of its own. Raises InputError."""

def joint_speed_limit(dynamics: ContactDynamics, direction: numpy.typing.ArrayLike, limits: Limits, gravity: numpy.typing.ArrayLike, *, model: InertiaModel = InertiaModel.generalized_momentum, restitution: float = 0.0, contact_time: float = float('nan')) -> float:
    """
    The speed limit by the joints alone, of plain numbers that are known to be good: speeds before and after, and
    torques with (pi/2) (1 + e) m_n s |j_i|/T. gravity  torques that hold the arm (n). Infinite where nothing binds, NaN
    where the model does not exist.
    """

class MapQuantity(enum.Enum):
    """What a capability map shows."""

    effective_mass = 0
    """m_n [kg]"""

    speed = 1
    """the highest that limits allow [m/s]"""

    peak_force = 2
    """of a contact law at a given speed [N]"""

    impulse = 3
    """(1 + e) m_n s at a given speed s [N s]"""

def unit_of(quantity: MapQuantity) -> str:
    """"kg", "m/s", "N", "N s"."""

class DirectionMasses:
    """
    Effective masses of one posture over all directions of the normal, and the directions of the extremes.
    """

    @property
    def least(self) -> float:
        """[kg]"""

    @property
    def mean(self) -> float:
        """over the sphere, each direction as likely [kg]"""

    @property
    def greatest(self) -> float:
        """[kg]"""

    @property
    def normal_least(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """unit length, world axes"""

    @property
    def normal_greatest(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def direction_masses(inertia: InverseInertia, model: InertiaModel) -> DirectionMasses:
    """
    The masses over all normals n of a model with the inverse inertia W, of eigenvalues w_1, w_2, w_3:

      m_n = 1/(n.W n)      least and greatest 1/w, mean R_F(w_2 w_3, w_3 w_1, w_1 w_2)                [Carlson95]
      m_n = n.W^-1 n       of the algebraic model: the same extremes, mean (1/w_1 + 1/w_2 + 1/w_3)/3

    R_F is Carlson's symmetric elliptic integral. Of a W that is not symmetric its symmetric part counts. NaN where W
    does not exist, or some direction has no finite mass.
    """

class WorkspaceBox:
    """A box in the world [m]."""

    def __init__(self, lower: numpy.typing.ArrayLike | None = None, upper: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def lower(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]: ...

    @property
    def upper(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> WorkspaceBox:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class MapConvergence:
    """
    How far a map is settled: relative changes of its cells from half of the samples to all of them, each as median and
    95 % quantile over the cells that both halves reach.
    """

    @property
    def volume_half(self) -> float:
        """reached by the first half [m^3]"""

    @property
    def volume(self) -> float:
        """reached by all [m^3]"""

    @property
    def least_median(self) -> float: ...

    @property
    def least_95(self) -> float: ...

    @property
    def median_median(self) -> float: ...

    @property
    def median_95(self) -> float: ...

    @property
    def greatest_median(self) -> float: ...

    @property
    def greatest_95(self) -> float: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class CapabilityMap:
    """A map: C cells that were reached, by x, then y, then z. n joints."""

    @property
    def quantity(self) -> MapQuantity: ...

    @property
    def model(self) -> InertiaModel | None:
        """none: the cautious one"""

    @property
    def direction_F(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """as in MapOptions, or NaN"""

    @property
    def all_directions(self) -> bool: ...

    @property
    def cell(self) -> float:
        """[m]"""

    @property
    def samples(self) -> int: ...

    @property
    def seed(self) -> int: ...

    @property
    def centre(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """of the cells [m]                                               (3 x C)"""

    @property
    def postures(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """how many of the samples are in the cell                        (C)"""

    @property
    def least(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """in unit_of(quantity); NaN where no posture has a value      (C each)"""

    @property
    def median(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def greatest(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def q_least(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        postures of the extremes [rad or m]                            (n x C each)
        """

    @property
    def q_greatest(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]: ...

    @property
    def normal_least(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """and their normals, world axes                           (3 x C each)"""

    @property
    def normal_greatest(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]: ...

    @property
    def resolution(self) -> float:
        """relative width of the bins of which the median is taken [1]"""

    @property
    def convergence(self) -> MapConvergence: ...

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def capability_map(robot: Robot, point: ContactPoint, *, quantity: MapQuantity = MapQuantity.effective_mass, model: InertiaModel | None = InertiaModel.composite_rigid_body, direction_F: numpy.typing.ArrayLike | None = None, all_directions: bool = False, cell: float = 0.05, samples: int = 10000000, seed: int = 1, within: WorkspaceBox | None = None, approach_speed: float = float('nan'), law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, restitution: float | None = None, limits: Limits | None = None, body: BodyContact | None = None, jobs: int = 0, progress: Callable[[int, int], None] | None = None) -> CapabilityMap:
    """
    The map of a robot's contact point.

    Speeds are those of speed_limit along nearest_approach: a person's body and forces of a contact depend on the
    effective mass alone, the joints' speeds before and after the hit on the posture. The restitution of the joints'
    jump is that of the options, else the law's own where it is a spring's, else 0 without a law; with any other law,
    whose restitution changes with speed, the worse of 0 and 1 counts. With all directions joints are not judged; a
    warning says so. The restitution of the impulse is that of the options, else 0.

    Medians are those of 256 bins in equal ratios, which the first 16384 samples set, interpolated. Memory depends on
    the cells that are reached, not on the samples, and the result on neither the number of threads nor their order.
    Postures are drawn by a counter: sample k is the same whatever was drawn before.

    Raises InputError for options outside the ranges of their lines, for a quantity without what it needs, for a
    prismatic joint without limits and for more than 1e8 cells, or 1e6 that are reached; what DynamicsWorkspace raises
    for the point; Interrupted, if `stop` became true before the last sample. Progress counts samples.
    """

def map_csv(map: CapabilityMap, robot: Robot) -> str:
    """
    A row per cell as CSV, a header with units first: centre, postures, least, median, greatest, and posture and normal
    of both extremes. An empty cell is a number that does not exist. Two comments above it say what was mapped.
    """

def map_json(map: CapabilityMap, robot: Robot, point: ContactPoint) -> str:
    """
    What map_page draws: one JSON object with the cells, the joints and the contact point of the map.
    """

def map_page(json: str) -> str:
    """
    One HTML page that opens from disk without a network: slices, sections, and the arm in the postures of the extremes.
    json  as map_json makes it. Some 1.5 MB, and 64 bytes for each cell of an arm with seven joints.
    """

class MapFiles:
    """Where write_map put things."""

    @property
    def page(self) -> str:
        """map.html"""

    @property
    def table(self) -> str:
        """map.csv"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def write_map(map: CapabilityMap, robot: Robot, point: ContactPoint, folder: str | os.PathLike, inputs: Sequence[str | os.PathLike] = [], force: bool = False) -> MapFiles:
    """
    Makes the folder if need be and writes both files into it, each with a mark that says that thud map wrote it. Each
    is replaced whole or not at all, and neither before the texts of both are complete. Raises FileError, also for what
    map_files refuses.
    """

class AimQuantity(enum.Enum):
    """
    What the best posture is best in. v is the approach speed, mu the reduced mass of the arm with what it hits,
    1/mu = 1/m_n + n.W_o n, and m_n itself for a wall.
    """

    effective_mass = 0
    """m_n by the model [kg]"""

    speed = 1
    """
    the highest that speed_limit allows along the approach of least norm [m/s]
    """

    impulse = 2
    """(1 + e) mu v along the normal, without friction [N s]"""

    energy_loss = 3
    """(1 - e^2) mu v^2/2, without friction [J]"""

    object_speed = 4
    """
    the highest at which an object can be made to leave within the speed limits of the joints [m/s]
    """

all_aim_quantities: tuple = ...

class ToolOrientation(enum.Enum):
    """
    How the tool, that is the frame of the link that is hit, may be turned.
    """

    free = 0
    """any way"""

    tool_along_normal = 1
    """
    the frame's z axis against the normal, into what is hit; any way about it
    """

    fixed = 2
    """as told"""

all_tool_orientations: tuple = ...

class AimStatus(enum.Enum):
    """Whether there is a posture."""

    not_run = 0
    """not computed yet"""

    ok = 1
    """there is one at least"""

    unreachable = 2
    """no start came to the point, in the orientation that was told"""

    no_value = 3
    """
    the quantity does not exist at any posture that came there, or nothing limits it
    """

class AimTarget:
    """Where a hit is to happen. The normal is the contact point's."""

    def __init__(self, p_W: numpy.typing.ArrayLike | None = None, orientation: ToolOrientation = ToolOrientation.free, R_WF: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def p_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """where the contact point is to be [m]"""

    @property
    def orientation(self) -> ToolOrientation: ...

    @property
    def R_WF(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """orientation of the frame that is hit, where it is fixed"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> AimTarget:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Aim:
    """A posture for a hit, and the approach to it."""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """within the joints' limits [rad or m]        (n)"""

    @property
    def value(self) -> float:
        """of the quantity"""

    @property
    def effective_mass(self) -> dict[InertiaModel, float]:
        """by each model [kg]; NaN where there is none"""

    @property
    def limit_distance(self) -> float:
        """to the nearest position limit [rad or m]"""

    @property
    def position_error(self) -> float:
        """of the contact point [m]"""

    @property
    def angle_error(self) -> float:
        """of the orientation; 0 where it is free [rad]"""

    @property
    def speed(self) -> float:
        """
        needed for the object's speed if one is asked for; the value of the quantity speed; else that of the options
        """

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """at that speed [rad/s or m/s]                       (n)"""

    @property
    def allowed(self) -> float:
        """
        by the limits: those of speed_limit for the quantity speed, else of joint speeds before and after [m/s]
        """

    @property
    def object(self) -> ObjectMotion:
        """after the hit; NaN without an object"""

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class AimResult:
    """The postures that were found, and how many starts it took."""

    @property
    def status(self) -> AimStatus: ...

    @property
    def aims(self) -> tuple[Aim, ...]:
        """best first"""

    @property
    def reached(self) -> int:
        """starts that came to the point"""

    @property
    def nearest(self) -> float:
        """of all starts, to the point [m]"""

    @property
    def nearest_angle(self) -> float:
        """and how far that one was turned away [rad]"""

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ReachStatus(enum.Enum):
    """Whether the contact point came to its target."""

    not_run = 0
    """not computed yet"""

    reached = 1
    """
    position and, where it is told, orientation are those of the target to 1e-10 m, and 0.3 m times rad
    """

    nearest = 2
    """the nearest posture that was found on the way"""

class ReachResult:
    """A posture, and where it leaves the tool."""

    @property
    def status(self) -> ReachStatus: ...

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        within the joints' limits [rad or m]                                      (n)
        """

    @property
    def p_W(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """of the contact point [m]"""

    @property
    def R_WF(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """of the frame that is hit"""

    @property
    def position_error(self) -> float:
        """distance to the target [m]"""

    @property
    def angle_error(self) -> float:
        """to its orientation; 0 where it is free [rad]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def inverse_mass_gradient(robot: Robot, point: ContactPoint, q: numpy.typing.ArrayLike, model: InertiaModel) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    Gradient of the inverse of the effective mass along the normal, d(1/m_n)/dq [1/(kg rad) or 1/(kg m)] (n). With
    a = J_v^T n, y = M^-1 a, r = p - c, z = Ic^-1 (r x n):

      generalized momentum   2 (da)^T y - y^T dM y
      composite rigid body   2 ((dp - dc) x n).z - z^T dIc z
      flexible joints        the sum of both, less the gradient of (n/m, z).A_G y, the velocity of the point if the arm
                             had the momentum of the rates y as one rigid body
      algebraic              (2 u.dJ y - y^T dM y)/m_n^2 with u = (J M^-1 J^T)^-1 (n, 0) and y = M^-1 J^T u

    Derivatives of quadratic forms are those of kinetic energies: with U, V two motions of the arm, S_i the twist of
    joint i, and h the momenta of all that it moves,

      d/dq_i sum U.I V = h_U.(V x S_i) + h_V.(U x S_i)

    for y^T dM y the motion at the rates y twice, for z^T dIc z the whole body turning with z about its centre of mass.
    NaN where the model does not exist. Raises what contact_dynamics raises.
    """

def aim(robot: Robot, point: ContactPoint, target: AimTarget, *, quantity: AimQuantity = AimQuantity.effective_mass, maximize: bool = True, model: InertiaModel | None = None, speed: float = 1.0, restitution: float | None = None, friction: float = 0.0, object: Object | None = None, object_speed: float = float('nan'), limits: Limits | None = None, law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, drives: Drives | None = None, body: BodyContact | None = None, starts: int = 64, count: int = 5, distinct: float = 0.1, seed: int = 1, jobs: int = 0, progress: Callable[[int, int], None] | None = None) -> AimResult:
    """
    The postures from which a hit at a point is best: local optima of a quantity over all postures that bring the
    contact point there within the joints' position limits.

    Random postures are brought to the point by damped least squares. From each that comes there, sequential quadratic
    programming follows the quantity along the null space of the constraint: with inverse_mass_gradient where it rises
    with the effective mass and depends on nothing else; otherwise, because the least of many limits has kinks, with
    differences of a p-norm of them, and from the best at last by a search along random directions. Joints without
    limits start within half a turn or metre, and joints of other limbs stay at 0. What is returned depends on the seed,
    not on the number of threads.

    Where an object is to leave at a speed, `speed` is what that takes, `allowed` what the joints' limits allow, and the
    quantity object_speed finds the posture that leaves most room between them.
    Raises InputError for options outside the ranges of their lines, an object that contact_response refuses or that
    moves, and a target that is not finite or not a rotation; RobotError as contact_dynamics.
    """

def reach(robot: Robot, point: ContactPoint, target: AimTarget, q: numpy.typing.ArrayLike, *, steps: int = 20) -> ReachResult:
    """
    Moves the joints from q so that the contact point comes to the target: steps of damped least squares,

      dq = J^T (J J^T + lambda 1)^-1 e,   lambda = |e|^2/1000

    with e what is missing, angles counted as 0.3 m/rad, and J its derivative over the joints that are not at a limit
    they would leave. A step moves no joint by more than 0.6 rad or m. The damping keeps steps finite where the arm is
    singular and vanishes at the target, so that the last steps are Newton's. No step is kept that leads away: what is
    returned is never farther from the target than q is, moved into the joints' limits where it lies outside.

    Raises InputError unless q has one finite value per joint, for options outside the ranges of their lines, and for a
    target that is not finite or not a rotation; RobotError as contact_dynamics.
    """

class Record:
    """Samples of a force over time, and what was noticed while reading them."""

    def __init__(self, time: numpy.typing.ArrayLike | None = None, force: numpy.typing.ArrayLike | None = None, dropped: int = 0, comments: Sequence[str] | None = None, notes: Sequence[Warning] | None = None) -> None: ...

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """strictly increasing                              [s]     (n)"""

    @property
    def force(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """as measured                                      [N]     (n)"""

    @property
    def dropped(self) -> int:
        """rows left out because a number was missing       [1]"""

    @property
    def comments(self) -> tuple[str, ...]:
        """the first hundred `#` lines before the numbers, without the mark"""

    @property
    def notes(self) -> tuple[Warning, ...]:
        """what the reader had to decide"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Record:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Columns `time` [s] and `force` [N]."""

    def plot(self, axes: Any = None) -> Any:
        """
        Force over time. Returns the Matplotlib axes it draws on: those given, or new ones.
        """

class Sampling:
    """How a record was sampled."""

    @property
    def samples(self) -> int:
        """[1]"""

    @property
    def duration(self) -> float:
        """from first to last sample                               [s]"""

    @property
    def period(self) -> float:
        """median step of time                                     [s]"""

    @property
    def rate(self) -> float:
        """1/period                                                [Hz]"""

    @property
    def jitter(self) -> float:
        """standard deviation of the steps but gaps, over the period [1]"""

    @property
    def gap(self) -> float:
        """a step above this is a gap: 1.5 periods, and 5 MAD sigmas [s]"""

    @property
    def gaps(self) -> int:
        """how many                                                [1]"""

    @property
    def largest_gap(self) -> float:
        """0 without a gap                                         [s]"""

    @property
    def largest_gap_at(self) -> float:
        """time before it                                          [s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

min_record_samples: int = 8

max_missing_share: float = 0.95

max_record_number: float = 1000000000000.0

min_record_step: float = 1e-12

def read_record(path: str | os.PathLike, time_column: str | int = '', force_column: str | int = '', units: str = '', skip: int = 0, max_size: int = 1073741824, max_samples: int = 50000000) -> Record:
    """
    Reads a record; `-` is standard input. Raises FileError: argument `file:line`, the text that is wrong, the rule; and
    InputError as validate of the options does.

    time_column  name in the header, or number from 1; empty: the one that is recognised
    force_column  name in the header, or number from 1; empty: the one that is recognised
    units  "time=ms,force=kN", either or both, in place of what the header says; an acceleration takes the mass in kg that it moves: "force=g*1.5", "force=m/s^2*1.5"; 1 g = 9.80665 m/s^2
    skip  lines to leave out at the beginning                             [1]
    max_size  longest text that is read                         [bytes]
    max_samples  most samples                                      [1]
    """

def parse_record(text: str, name: str = 'record', time_column: str | int = '', force_column: str | int = '', units: str = '', skip: int = 0, max_samples: int = 50000000) -> Record:
    """
    The same from memory; `name` is the file in messages.

    time_column  name in the header, or number from 1; empty: the one that is recognised
    force_column  name in the header, or number from 1; empty: the one that is recognised
    units  "time=ms,force=kN", either or both, in place of what the header says; an acceleration takes the mass in kg that it moves: "force=g*1.5", "force=m/s^2*1.5"; 1 g = 9.80665 m/s^2
    skip  lines to leave out at the beginning                             [1]
    max_samples  most samples                                      [1]
    """

def format_record(record: Record) -> str:
    """
    The record as text that parse_record reads back to the same numbers. Raises InputError as validate does.
    """

def write_record(path: str | os.PathLike, record: Record) -> None:
    """
    Writes format_record's text; whole or not at all. Raises InputError as validate does, and FileError.
    """

def sampling(record: Record) -> Sampling:
    """Steps of time and gaps. Raises InputError as validate does."""

class ContactStatus(enum.Enum):
    """
    How a search for the contact ended. The first three give a window to work with.
    """

    found = 0
    """the force returns to the baseline"""

    pressing = 1
    """it does not, and settles above it; `end` is where it stops falling"""

    cut_at_end = 2
    """
    the record ends while the force is falling or rising; `end` is its last sample
    """

    cut_at_start = 3
    """
    the first sample is above a fifth of the peak: the touch is not in the record
    """

    no_contact = 4
    """
    no excursion above noise and drift that rises like an impact and has three samples
    """

    ambiguous_sign = 5
    """excursions to both sides, the smaller above half of the larger"""

    gap = 6
    """more of the contact is missing than is there"""

    not_run = 7

class ContactWindow:
    """Unknown numbers are NaN."""

    @property
    def status(self) -> ContactStatus: ...

    @property
    def message(self) -> str: ...

    @property
    def sign(self) -> float:
        """
        +1: the record's force grows in contact, -1: it falls                     [1]
        """

    @property
    def baseline(self) -> float:
        """record's force at `start` without contact   [N]"""

    @property
    def drift(self) -> float:
        """its slope, 0 unless it is significant      [N/s]"""

    @property
    def noise(self) -> float:
        """robust standard deviation of one sample     [N]"""

    @property
    def quiet(self) -> int:
        """samples before the contact behind these     [1]"""

    @property
    def start(self) -> float:
        """first touch, between samples               [s]"""

    @property
    def end(self) -> float:
        """time of sample `last`                      [s]"""

    @property
    def first(self) -> int:
        """samples in [start, end]"""

    @property
    def last(self) -> int: ...

    @property
    def peak(self) -> float:
        """largest contact force                      [N]"""

    @property
    def peak_time(self) -> float:
        """when                                       [s]"""

    @property
    def quiet_after(self) -> int:
        """
        samples after `last` up to the next contact or the end of what is searched  [1]
        """

    @property
    def notes(self) -> tuple[Warning, ...]:
        """what had to be decided"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def usable(window: ContactWindow) -> bool:
    """
    Whether there is a window with a start, an end and a peak: found, pressing or cut_at_end.
    """

def find_contact(record: Record, min_peak: float = 8.0, max_rise: float = 0.1, end_fraction: float = 0.01, contact: int = 1, from_: float = float('-inf'), to: float = float('inf')) -> ContactWindow:
    """
    Finds a contact of a record: the first excursion above 0.3 of the largest, or a later one.

    start  where u^n (a + b u), u = t - start, zero before, fits the rise best: least squares up to 0.7 of the peak,
           with n = 1 or, where the record clearly requires it, 3/2. For a contact of 10 ms at 25 kHz it comes, after a
           linear start, up to 15 us late with a spread of 4, 15 and 95 us at 0, 1 and 5 % noise; after a Hertzian
           start it comes 45, 45 and 200 us late.
    peak   top of a parabola through the samples within a quarter of the rise.
    end    the first sample from which the mean over a quarter of the rise time is below end_fraction of the peak, or
           below three of that mean's noise deviations.

    Raises InputError for a record or options that validate rejects, for fewer than 8 samples between `from` and `to`,
    and for a second or later contact that the record does not have; what else is in the record never raises, it sets
    the status.
    """

def find_contacts(record: Record, min_peak: float = 8.0, max_rise: float = 0.1, end_fraction: float = 0.01, from_: float = float('-inf'), to: float = float('inf')) -> list[ContactWindow]:
    """
    Finds all contacts of a record, at most a hundred, in the order of time: excursions of one sign above 0.3 of the
    largest, each after the force has returned from the one before. `options.contact` is not looked at. Empty if there
    is no usable one. Raises InputError as find_contact does.
    """

def contact_samples(record: Record, window: ContactWindow, before: int = 0, after: int = 0) -> Record:
    """
    The samples of the contact with the sensor's sign, baseline and drift removed: the force that pushes the robot [N],
    positive in contact. Time is the record's [s]. `before` samples are added in front and, where the force has returned
    to the baseline, `after` samples at the end, as far as available. Raises InputError unless the window is usable and
    lies in the record.
    """

class RecordSummary:
    """A record at a glance."""

    @property
    def sampling(self) -> Sampling: ...

    @property
    def contact(self) -> ContactWindow: ...

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """
        notes of the reader, then of the search, then why there is no whole contact
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def summarize(record: Record, min_peak: float = 8.0, max_rise: float = 0.1, end_fraction: float = 0.01, contact: int = 1, from_: float = float('-inf'), to: float = float('inf')) -> RecordSummary:
    """
    Sampling, noise, baseline, peak and window of a record. Raises InputError as find_contact does.
    """

class FitStatus(enum.Enum):
    """
    Why a fit ended. S is the sum of squares, H the normal matrix J'J, p the step, N the samples, P the free parameters.
    """

    not_run = 0

    converged = 1
    """
    at a minimum of S: p'Hp <= 5e-5 V with V = S/(N - P), a last step of 0.007 standard errors, or p'Hp <= 1e-20 times the sum of f^2. Where samples that enter or leave the contact make S rough, that minimum may lie at a kink, and S is lower at no point 0.02 standard errors to its sides
    """

    too_few_samples = 2
    """N <= P, or fewer than P, or than 4, samples in contact"""

    no_contact = 3
    """no force above the baseline, or no rise to it"""

    no_convergence = 4
    """max_iterations reached, or no step lowers S"""

    undetermined = 5
    """
    H is singular to working precision: the record does not fix all free parameters. Values as found; intervals NaN but of parameters that the rest does not affect
    """

    at_limit = 6
    """
    S falls up to a limit of the shape: d = 499, exponent outside (0.1, 10), e = 1e-3 (spring). Numbers, if any, as found there
    """

    negative_damping = 7
    """
    as converged, but with c < 0: this law would have to create energy. Numbers as found
    """

class Identifiability(enum.Enum):
    """
    Whether a record tells a parameter and, if not, why. It does where the interval is narrower than a factor of 3; of a
    damping, which may be none, also where it is narrower than 0.3 in d = c|v0|/k, or 0.05 in Maxwell's zeta; of an
    exponent, than 0.5, of a restitution, than 0.2. Start, baseline and drift are told where they have an interval. With
    an arm the rule is that of elastic_fit.hpp.
    """

    unknown = 0
    """there is no interval"""

    known = 1
    """it was given and not fitted"""

    identified = 2
    """the record tells it"""

    flat = 3
    """the sum of squares hardly rises over a wide range of it"""

    correlated = 4
    """another parameter makes up for it: a correlation above 0.99"""

    window_too_short = 5
    """the record ends before it shows: before the law's end of compression"""

class FitParameter:
    """
    A parameter and its 95 % interval. Where the record fixes the shape well: value -+ t_0.975(N - P) standard errors;
    for stiffness and mass of the logarithm, for Maxwell's damping of the inverse. Elsewhere by profile likelihood: the
    values at which S, minimised over all else, is below S (1 + q^2/(N - P)), q being t less the mean that noise gives
    to the signed root of the rise of S (with a free exponent, t); and all between them. An end that does not exist is
    said so: low = 0 for a stiffness that the record cannot distinguish from 0, +-infinity for what nothing bounds. A
    known parameter has low = value = high. An interval holds noise, and not what a wrong law does to a parameter, which
    mostly hides in the parameter itself: where misfit is above 1.5 it is too narrow. (Widening it by the residuals'
    autocovariance does not mend that: with a hum of 5 N the mass came out as 3.54 to 3.79 kg, where it was 4.)
    """

    @property
    def name(self) -> str:
        """
        "stiffness", "damping", "restitution", "exponent", "mass", "start", "baseline", "drift\"
        """

    @property
    def value(self) -> float:
        """in the unit of the law's field; kg, s, N, N/s"""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def identifiability(self) -> Identifiability: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class FitResult:
    """Born as a failure; a number that does not exist is NaN."""

    @property
    def kind(self) -> LawKind: ...

    @property
    def status(self) -> FitStatus: ...

    @property
    def message(self) -> str: ...

    @property
    def samples(self) -> int:
        """N"""

    @property
    def iterations(self) -> int:
        """evaluations of the model"""

    @property
    def law(self) -> Spring | Maxwell | Viscoelastic | HuntCrossley: ...

    @property
    def velocity(self) -> float:
        """v0 as given [m/s]"""

    @property
    def parameters(self) -> tuple[FitParameter, ...]:
        """the law's own, then mass, start, baseline, and drift when fitted"""

    @property
    def mass(self) -> float:
        """[kg]"""

    @property
    def start(self) -> float:
        """t0 [s]"""

    @property
    def baseline(self) -> float:
        """b [N]"""

    @property
    def drift(self) -> float:
        """r [N/s]"""

    @property
    def rmse(self) -> float:
        """sqrt(S/N) [N]"""

    @property
    def r_squared(self) -> float:
        """1 - S/sum (f - mean f)^2 [1]"""

    @property
    def aic(self) -> float:
        """
        N ln(S/N) + 2 (P + 1), with S/N at least 1e-12 of the mean square of the force
        """

    @property
    def bic(self) -> float:
        """N ln(S/N) + (P + 1) ln N, likewise"""

    @property
    def noise(self) -> float:
        """
        of the samples: root mean square of the residuals' second differences over sqrt(6) [N]
        """

    @property
    def misfit(self) -> float:
        """
        sqrt(S/(N - P)) over that: 1 where white noise is all that is left over, above 1.5 where the law does not describe the record. White noise alone gets there in 1 of 10 000 records
        """

    @property
    def restitution(self) -> float:
        """e [1]"""

    @property
    def restitution_low(self) -> float:
        """what the record cannot tell from it: an interval that holds noise, as"""

    @property
    def restitution_high(self) -> float:
        """those of parameters do, and 0.5 % of the peak as error of the law"""

    @property
    def restitution_identifiability(self) -> Identifiability: ...

    @property
    def time_of_peak(self) -> float:
        """[s]"""

    @property
    def time_of_compression(self) -> float:
        """of v = 0 [s]; none for Maxwell with zeta >= 1"""

    @property
    def impulse_compression(self) -> float:
        """m |v0| [N s]"""

    @property
    def measured_impulse_compression(self) -> float:
        """integral of the measured force, less baseline, up to the law's v = 0"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def ok(self) -> bool:
        """Whether the numbers are valid: converged, or with a negative damping."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        A row for each parameter of the law: `name`, `value`, `low`, `high`, `identifiability`.
        """

class FittedLaws:
    """Every law on one record."""

    @property
    def laws(self) -> tuple[FitResult, ...]:
        """in the order of LawKind"""

    @property
    def best(self) -> LawKind | None:
        """lowest BIC among those that converged; none if none did"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __getitem__(self, kind: LawKind) -> FitResult: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        A row for each law: its numbers, and its parameters as `stiffness`, `stiffness.low`, `stiffness.high`, ...
        """

class Identification:
    """
    The result for one record. Filled in this order; what could not be found stays empty.
    """

    @property
    def window(self) -> ContactWindow:
        """where the contact is, and the sensor at rest"""

    @property
    def contact(self) -> Record:
        """what the laws are fitted to: sign, baseline and drift taken out [s, N]"""

    @property
    def laws(self) -> tuple[FitResult, ...]:
        """one, or every one in the order of LawKind"""

    @property
    def best(self) -> LawKind | None:
        """lowest BIC among those that converged"""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """of reader, window and fits"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        A row for each law: its numbers, and its parameters as `stiffness`, `stiffness.low`, `stiffness.high`, ...
        """

    def plot(self, axes: Any = None) -> Any:
        """
        The measured contact and the laws that were fitted to it. Returns the Matplotlib axes it draws on: those given, or new
        ones.
        """

def fit(times: numpy.typing.ArrayLike, forces: numpy.typing.ArrayLike, kind: LawKind, *, velocity: float, mass: float | None = None, start: float | None = None, baseline: float | None = None, drift: bool = False, max_iterations: int = 60) -> FitResult:
    """
    Fits one law      [Wang22, (sec:validate-contact-force-model)]

    times     increasing, evenly spaced or not [s]
    forces    push on the robot, positive in contact [N]; the record may begin before the touch and end after the
    contact velocity  v0 < 0 [m/s] Raises InputError for sizes that differ, times that do not increase, numbers that are
    not finite, and a velocity or options outside their ranges. Everything else is a status.

    mass  known effective mass m > 0 [kg]; fitted if absent
    start  known time of first touch [s]; fitted if absent
    baseline  known force without contact [N]; fitted if absent
    drift  fit a baseline that moves linearly in time. Without it, a drift is taken for contact force where there is contact, and shows in the residual elsewhere
    """

def fit_all(times: numpy.typing.ArrayLike, forces: numpy.typing.ArrayLike, *, velocity: float, mass: float | None = None, start: float | None = None, baseline: float | None = None, drift: bool = False, max_iterations: int = 60) -> FittedLaws:
    """
    Fits all laws and ranks them. BIC charges a free exponent ln N: a viscoelastic record takes Hunt-Crossley for better
    only when its exponent differs from 1 by more than 2.3 standard errors (N = 250).

    mass  known effective mass m > 0 [kg]; fitted if absent
    start  known time of first touch [s]; fitted if absent
    baseline  known force without contact [N]; fitted if absent
    drift  fit a baseline that moves linearly in time. Without it, a drift is taken for contact force where there is contact, and shows in the residual elsewhere
    """

class ResidualSummary:
    """Residuals at a glance. Unknown numbers are NaN."""

    @property
    def rmse(self) -> float:
        """
        root mean square                                                    [N]
        """

    @property
    def noise(self) -> float:
        """
        that of their second differences over sqrt(6): what changes from sample to sample  [N]
        """

    @property
    def runs(self) -> int:
        """how many                                                    [1]"""

    @property
    def expected_runs(self) -> float:
        """of white noise with as many of either sign                  [1]"""

    @property
    def runs_p(self) -> float:
        """probability that white noise has so few or fewer            [1]"""

    @property
    def frequency(self) -> float:
        """of that sine                                               [Hz]"""

    @property
    def frequency_share(self) -> float:
        """of the residuals' squares that it explains                [1]"""

    @property
    def resolution(self) -> float:
        """1/(2 T), the first frequency and the step to the next    [Hz]"""

    @property
    def spectrum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """share that the sine of each frequency explains, from the first on  [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def summarize_residuals(times: numpy.typing.ArrayLike, residuals: numpy.typing.ArrayLike) -> ResidualSummary:
    """
    Summarizes residuals, f_i less the law's force at t_i.

    times      increasing, evenly spaced or not [s]
    residuals  [N]
    Raises InputError for sizes that differ, times that do not increase, and numbers that are not finite. Of fewer than
    8 residuals, or of residuals that are all 0, there are only rmse and noise.
    """

@overload
def residuals(contact: Record, law: FitResult) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    What a fitted law leaves over: force less that of the law, baseline and drift, at every sample [N]. Empty unless the
    fit converged.

    contact  the samples that the law was fitted to
    """

@overload
def residuals(contact: Record, fit: ElasticFit) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    What the fitted arm leaves over: force less that of the arm, baseline and drift, at every sample [N]. Empty unless
    the fit converged and the motion can be followed to the last of them.

    contact  the samples that it was fitted to
    """

@overload
def fitted_profile(result: FitResult) -> ForceProfile | None:
    """
    The impact by the fitted law, its time counted from the law's own touch; none unless the fit converged: a law with
    negative damping has none, nor has one of an elastic arm.
    """

@overload
def fitted_profile(fit: ElasticFit, horizon: float = 0.05) -> ElasticProfile | None:
    """
    The hit by the fitted law and arm, its time counted from the fitted start; none unless the fit converged and the
    motion can be followed to the horizon [s]. Raises InputError for a horizon that is not positive.
    """

def fitted_band(contact: Record, law: FitResult) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    Half the width of the 95 % band about a fitted curve, the law's force with baseline and drift, at every sample [N]:

      t_0.975(N - P) sqrt(g_i' C g_i),   C = S/(N - P) (G'G)^-1

    The rows g_i of G are the derivatives of the curve by the P parameters that were fitted. The band holds the curve
    at each time by itself, to first order in the parameters: that of the samples is wider by their noise. As the
    intervals do, it holds noise, and not what a wrong law does. Empty unless the fit converged and the samples fix
    every parameter; also of the law of an elastic arm, which has no mass.

    contact  the samples that the law was fitted to
    """

@overload
def identify(record: Record, kind: LawKind | None = None, *, velocity: float, window: ContactWindow | None = None, mass: float | None = None, start: float | None = None, baseline: float | None = None, drift: bool = False, max_iterations: int = 60, contact: int = 1, from_: float = float('-inf'), to: float = float('inf')) -> Identification:
    """
    Finds the contact of a record, takes the sensor's sign, baseline and drift out, and fits the laws.

    The fit sees the contact and half as many quiet samples before and after it, if available: they pin the touch, the
    end and the remaining baseline. In a record that begins at the touch only the law's own shape tells the
    baseline, and the intervals are the wider for it.

    velocity  v0 < 0 [m/s]
    options   as for fit. A known start is in the record's time, a known baseline counts from the window's
    kind      one law; without it, every one
    where     which contact, and in which part of the record
    Raises InputError for what fit and find_contact reject. What is in the record never raises: without a usable window
    there are no laws, and a warning says why.

    mass  known effective mass m > 0 [kg]; fitted if absent
    start  known time of first touch [s]; fitted if absent
    baseline  known force without contact [N]; fitted if absent
    drift  fit a baseline that moves linearly in time. Without it, a drift is taken for contact force where there is contact, and shows in the residual elsewhere
    window  that find_contact has found in this record; searched for if absent, and then:
    contact  which one, from 1
    from_, to  samples before and after these times are ignored [s]
    """

@overload
def identify(record: Record, arm: ElasticArm, kind: LawKind | None = None, *, velocity: float, free: Sequence[DriveParameter] = [], start: float | None = None, baseline: float | None = None, command: Sequence[CommandChange] = [], model_error: float = 0.005, intervals: bool = True, max_iterations: int = 60, contact: int = 1, from_: float = float('-inf'), to: float = float('inf')) -> ElasticIdentification:
    """
    Finds the contact of a record, takes the sensor's sign, baseline and drift out, and fits the laws with the arm.

    An arm of several links pushes in several humps, between which the force may be zero though the contact lasts. The
    window begins as find_contact finds it. It ends where the force has returned to the baseline and the fitted arm has
    left the wall, or else after the next hump, unless the arm cannot explain that one: then it is another contact.
    Where the force never returns, it ends with the record or at `where.to`.

    velocity  v0 < 0 [m/s]
    kind      one law; without it, every one
    where     which contact, and in which part of the record
    Raises InputError for what elastic_fit and find_contact reject. What is in the record never raises.

    free  what is fitted of the drives; each once
    start  known time of first touch [s]; fitted if absent
    baseline  known force without contact [N]; fitted if absent
    command  a known change of the command, since first touch
    model_error  of the model against the arm, root mean square over the peak force; >= 0
    intervals  without them, and what is not identifiable, it takes a third of the time
    contact  which one, from 1
    from_, to  samples before and after these times are ignored [s]
    """

class DriveParameter(enum.Enum):
    """What of the drives a record may tell: a factor common to all joints."""

    stiffness = 0
    """of the transmissions' K: "joints.stiffness\""""

    damping = 1
    """of the transmissions' D: "joints.damping\""""

    rotor_inertia = 2
    """of the rotors' B: "joints.rotor_inertia\""""

    servo = 3
    """of the servo's Kp and Kd alike, however Kd was found: "servo\""""

def factor_name(parameter: DriveParameter) -> str:
    """
    Its name among the parameters of a fit, where a law has a stiffness and a damping too: "joints.stiffness",
    "joints.damping", "joints.rotor_inertia" or "servo".
    """

def with_factors(drives: Drives, free: Sequence[DriveParameter], factors: numpy.typing.ArrayLike) -> Drives:
    """
    The drives with factors, one for each parameter that is named. Raises InputError for another number of them.
    """

class ElasticFit:
    """A contact law and factors of the drives from one record."""

    @property
    def result(self) -> FitResult:
        """
        As that of a lumped mass, with these differences. Its mass is none. Its parameters are the law's, then the
        factors, start and baseline. It has converged where the last step is of 0.01 standard errors. restitution is
        v_end/|v0|, none where the contact lasts; impulse_compression and both times are of the arm, up to the first v = 0
        and to the highest peak. at_limit: a parameter of the law left its range; there are no intervals.
        """

    @property
    def arm(self) -> ElasticArm:
        """with its factors"""

    @property
    def command(self) -> tuple[CommandChange, ...]:
        """as given"""

    @property
    def free(self) -> tuple[str, ...]:
        """names of the parameters that were fitted"""

    @property
    def correlation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        of their estimates; of a Hunt-Crossley law's k, taken at the depth |v0| times the rise, where it does not depend on the unit
        """

    @property
    def deepest_turn(self) -> Turn | None:
        """the largest depth"""

    @property
    def measured_impulse_deepest(self) -> float:
        """integral of the measured force, less baseline, up to then [N s]"""

    @property
    def not_identifiable(self) -> tuple[str, ...]:
        """
        the sum of squares does not rise to the limit of the interval within a factor of 30, or a correlation is above 0.99
        """

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """a sentence for each of these"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ElasticIdentification:
    """
    The result for one record. Filled in this order; what could not be found stays empty.
    """

    @property
    def window(self) -> ContactWindow:
        """the whole contact, over humps between which the force is zero"""

    @property
    def contact(self) -> Record:
        """what the laws are fitted to: sign, baseline and drift taken out [s, N]"""

    @property
    def laws(self) -> tuple[ElasticFit, ...]:
        """one, or every one in the order of LawKind"""

    @property
    def best(self) -> LawKind | None:
        """lowest BIC among those that converged"""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """of reader, window, arm and fits"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def elastic_fit(times: numpy.typing.ArrayLike, forces: numpy.typing.ArrayLike, arm: ElasticArm, kind: LawKind, *, velocity: float, free: Sequence[DriveParameter] = [], start: float | None = None, baseline: float | None = None, command: Sequence[CommandChange] = [], model_error: float = 0.005, intervals: bool = True, max_iterations: int = 60) -> ElasticFit:
    """
    Fits one law and the factors that are free.

    times, forces  as for fit
    arm            with the drives as far as they are known: a factor multiplies what it has
    velocity       v0 < 0 [m/s]
    Raises InputError for what fit rejects, for a drive that is named twice, and for one of which the arm has nothing to
    multiply. Everything else is a status.

    free  what is fitted of the drives; each once
    start  known time of first touch [s]; fitted if absent
    baseline  known force without contact [N]; fitted if absent
    command  a known change of the command, since first touch
    model_error  of the model against the arm, root mean square over the peak force; >= 0
    intervals  without them, and what is not identifiable, it takes a third of the time
    """

class ArmHit:
    """One of the hits."""

    def __init__(self, arm: ElasticArm | None = None, contact: Record | None = None, alone: ElasticFit | None = None, group: int = 0) -> None: ...

    @property
    def arm(self) -> ElasticArm:
        """in the hit's posture, with the drives of which a factor of 1 stands"""

    @property
    def contact(self) -> Record:
        """its samples, as ElasticIdentification::contact"""

    @property
    def alone(self) -> ElasticFit:
        """of that record by itself, with the factors free, converged"""

    @property
    def group(self) -> int:
        """hits of one group err alike"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> ArmHit:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ArmFit:
    """The arm, and each hit with it."""

    @property
    def status(self) -> FitStatus: ...

    @property
    def message(self) -> str: ...

    @property
    def factors(self) -> tuple[FitParameter, ...]:
        """
        "joints.stiffness", ...: 1 is as the drives say. Without three groups there are no intervals
        """

    @property
    def correlation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """of the factors; by the curvature"""

    @property
    def groups(self) -> tuple[int, ...]:
        """of the hits, each once, ascending"""

    @property
    def without(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        the factors by all groups but this one, a row for each; NaN where these do not fix them
        """

    @property
    def drives(self) -> Drives:
        """of the first hit, with the factors"""

    @property
    def hits(self) -> tuple[ElasticFit, ...]:
        """
        by the arm with these factors; law, start and baseline are the hit's own
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def fit_arm(hits: Sequence[ArmHit], *, free: Sequence[DriveParameter], model_error: float = 0.005, intervals: bool = True, jobs: int = 0) -> ArmFit:
    """
    Fits the factors that are free in the hits' own fits, all of one law. Start and baseline are each hit's own: those
    of the options do not count.

    Raises InputError for no hits, and for fits of different laws, of different factors or that did not converge; and
    Interrupted if it is stopped. Everything else is a status.
    """

class JointLog:
    """
    Joint signals of one trial on the robot's clock: rows are samples, columns joints in the robot's order.
    A signal that was not measured is empty.
    """

    def __init__(self, time: numpy.typing.ArrayLike | None = None, position: numpy.typing.ArrayLike | None = None, velocity: numpy.typing.ArrayLike | None = None, torque: numpy.typing.ArrayLike | None = None, torque_reference: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        strictly increasing, robot's clock                    [s]            (n)
        """

    @property
    def position(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        of the motors' encoders, reflected to the joint       [rad or m]     (n x joints)
        """

    @property
    def velocity(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        likewise                                              [rad/s or m/s] (n x joints)
        """

    @property
    def torque(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        of its sensor, between transmission and link          [N m or N]     (n x joints)
        """

    @property
    def torque_reference(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        tau*, what the controller's inverse dynamics asked for [N m or N]    (n x joints)
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> JointLog:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """
        `time` and a column for each signal of each joint: `position.0`, `velocity.0`, ...
        """

class ObjectLog:
    """
    What the robot hits where that is no wall, and how it moves, on the robot's clock and at a rate of its own: rows are
    samples. Without samples there is no object.
    """

    def __init__(self, mass: float = float('nan'), inertia: numpy.typing.ArrayLike | None = None, time: numpy.typing.ArrayLike | None = None, position: numpy.typing.ArrayLike | None = None, orientation: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def mass(self) -> float:
        """> 0                                          [kg]"""

    @property
    def inertia(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3, 3), writable=False)]:
        """
        about its centre of mass, in its own axes; zero: not known         [kg m^2]
        """

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """strictly increasing, robot's clock                            [s]  (n)"""

    @property
    def position(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        of its centre of mass, in world axes                          [m]  (n x 3)
        """

    @property
    def orientation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """
        of its axes in the world's: unit quaternions w, x, y, z; empty: not measured  [1]  (n x 4)
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> ObjectLog:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Trial:
    """
    One impact. It has a force record, a joint log, an object's motion, or several of these.
    """

    def __init__(self, name: str = '', configuration: str = '', speed: float = float('nan'), repeat: int = 1, force: Record | None = None, joints: JointLog | None = None, clock_offset: float = 0.0, alarm_time: float = float('nan'), object: ObjectLog | None = None) -> None: ...

    @property
    def name(self) -> str:
        """unique in the dataset, by the rule of validate_name"""

    @property
    def configuration(self) -> str:
        """name of one of the dataset's configurations"""

    @property
    def speed(self) -> float:
        """reference approach speed along the normal, > 0  [m/s]"""

    @property
    def repeat(self) -> int:
        """counts from 1 in its configuration and speed"""

    @property
    def force(self) -> Record:
        """along the contact normal, sensor's clock; may be empty"""

    @property
    def joints(self) -> JointLog: ...

    @property
    def clock_offset(self) -> float:
        """t_robot - t_sensor                         [s]"""

    @property
    def alarm_time(self) -> float:
        """of the controller, robot's clock; NaN: none [s]"""

    @property
    def object(self) -> ObjectLog: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Trial:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Configuration:
    """A posture in which the robot hits."""

    def __init__(self, name: str = '', q: numpy.typing.ArrayLike | None = None, threshold: float = float('nan')) -> None: ...

    @property
    def name(self) -> str:
        """by the rule of validate_name"""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """nominal joint positions at the touch  [rad or m]"""

    @property
    def threshold(self) -> float:
        """of impact detection; NaN: not known   [N m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Configuration:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class DataSource(enum.Enum):
    """Where the trials of a dataset come from."""

    measured = 0
    """a real robot"""

    simulated = 1
    """the virtual lab"""

@overload
def to_string(source: DataSource) -> str:
    """"measured" or "simulated"."""

@overload
def to_string(kind: CampaignKind) -> str:
    """"wall" or "box"."""

@overload
def to_string(joints: PlantJoints) -> str:
    """"flexible", "rigid" or "locked"."""

@overload
def to_string(status: SimulateStatus) -> str:
    """"complete", "was_complete" or "interrupted"."""

@overload
def to_string(source: VelocitySource) -> str:
    """"joints" or "reference"."""

@overload
def to_string(status: TrialStatus) -> str:
    """The enumerator's name."""

@overload
def to_string(judgement: Judgement) -> str:
    """"supported", "not supported" or "not testable"."""

class DatasetHeader:
    """What all trials of a dataset have in common."""

    def __init__(self, source: DataSource = DataSource.measured, robot: str = '', urdf: str = '', point: ContactPoint | None = None, detection_joints: Sequence[int] | None = None, configurations: Sequence[Configuration] | None = None, plan: Sequence[str] | None = None, campaign: str = '', seed: int = 0, versions: Mapping[str, str] | None = None) -> None: ...

    @property
    def source(self) -> DataSource: ...

    @property
    def robot(self) -> str:
        """its name"""

    @property
    def urdf(self) -> str:
        """its description, whole"""

    @property
    def point(self) -> ContactPoint:
        """where the robot hits, and the wall's normal"""

    @property
    def detection_joints(self) -> tuple[int, ...]:
        """joints whose torques were watched, from 0"""

    @property
    def configurations(self) -> tuple[Configuration, ...]: ...

    @property
    def plan(self) -> tuple[str, ...]:
        """names of all trials, in order"""

    @property
    def campaign(self) -> str:
        """the full configuration of a simulated campaign as TOML"""

    @property
    def seed(self) -> int:
        """of a simulated campaign"""

    @property
    def versions(self) -> dict[str, str]:
        """of the programs that made it, by name"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> DatasetHeader:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Truth:
    """
    What really happened at a simulated contact. Times count from the touch [s].
    """

    def __init__(self, law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, touch_time: float = float('nan'), q: numpy.typing.ArrayLike | None = None, dq: numpy.typing.ArrayLike | None = None, velocity: float = float('nan'), velocity_after: float = float('nan'), peak_force: float = float('nan'), peak_time: float = float('nan'), compression_time: float = float('nan'), contact_time: float = float('nan'), depth: float = float('nan'), impulse_compression: float = float('nan'), impulse: float = float('nan'), object_speed: float = float('nan'), object_spin: float = float('nan')) -> None: ...

    @property
    def law(self) -> Spring | Maxwell | Viscoelastic | HuntCrossley:
        """of the wall in this trial"""

    @property
    def touch_time(self) -> float:
        """robot's clock; NaN: never touched    [s]"""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """link side, at the touch, if any      [rad or m]"""

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """link side, at the touch              [rad/s or m/s]"""

    @property
    def velocity(self) -> float:
        """of the point along n, < 0            [m/s]"""

    @property
    def velocity_after(self) -> float:
        """at separation; NaN: never            [m/s]"""

    @property
    def peak_force(self) -> float:
        """[N]"""

    @property
    def peak_time(self) -> float:
        """[s]"""

    @property
    def compression_time(self) -> float:
        """when the depth is greatest           [s]"""

    @property
    def contact_time(self) -> float:
        """when the point leaves the wall       [s]"""

    @property
    def depth(self) -> float:
        """greatest                             [m]"""

    @property
    def impulse_compression(self) -> float:
        """up to compression_time            [N s]"""

    @property
    def impulse(self) -> float:
        """up to contact_time                [N s]"""

    @property
    def object_speed(self) -> float:
        """at separation, against the normal; NaN: a wall"""

    @property
    def object_spin(self) -> float:
        """then, about the upward vertical       [rad/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Truth:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Dataset:
    """
    A whole dataset in memory: the finished trials in the order of the plan.
    """

    def __init__(self, header: DatasetHeader | None = None, trials: Sequence[Trial] | None = None) -> None: ...

    @property
    def header(self) -> DatasetHeader: ...

    @property
    def trials(self) -> tuple[Trial, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Dataset:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """A row for each trial."""

def read_dataset(path: str | os.PathLike, memory: int = 1073741824) -> Dataset:
    """The whole of a dataset, as DatasetReader reads it. Raises FileError."""

class DatasetReader:
    """
    A dataset: an HDF5 file, finished or not, or a folder with a manifest. It is opened once, and the description of its
    robot parsed once. May be shared by threads.

    All of it raises FileError naming the file, the object in it and what is wrong: not HDF5, truncated, not a dataset
    of thud, of a newer version, a part that is missing or has the wrong type or shape, a number that is not finite.
    """

    def __init__(self, path: str | os.PathLike, memory: int = 1073741824) -> None: ...

    @staticmethod
    def in_memory(bytes: bytes, name: str = 'dataset', memory: int = 1073741824) -> DatasetReader:
        """
        Of the bytes of an HDF5 file, which must stay where they are as long as this; `name` stands for them in messages.
        Trials that an unfinished dataset has in files of their own are not there.
        """

    @property
    def header(self) -> DatasetHeader:
        """What all trials have in common."""

    @property
    def robot(self) -> Robot:
        """The robot that the header describes."""

    @property
    def finished(self) -> list[str]:
        """
        Names of the trials that exist by now, in the order of the plan. All of the plan: the dataset is complete.
        """

    def trial(self, name: str) -> Trial:
        """One of the finished trials."""

    def truth(self, name: str) -> Truth | None:
        """
        What really happened in one of the finished trials if it was simulated; nothing for a dataset without truth.
        """

    def dataset(self) -> Dataset:
        """
        The header and all finished trials. `progress` is called after each, with how many are done and how many there
        are.
        """

    @property
    def files(self) -> list[str]:
        """
        The files that it reads: the HDF5 file and the parts of an unfinished one, or the manifest and all that it names.
        """

def write_dataset(path: str | os.PathLike, dataset: Dataset, truth: Sequence[Truth] = [], force: bool = False) -> None:
    """
    Writes a whole dataset or nothing; `truth` has one entry per trial or none. A path ending in .h5 or .hdf5 becomes a
    file, any other a folder. Raises InputError as validate does, and FileError, also for what
    require_replaceable_dataset refuses.
    """

def validate_name(argument: str, name: str) -> None:
    """
    The rule for names of configurations and trials, which become names of files and of HDF5 groups: 1 to 100 letters,
    digits, `_`, `-` and `.`, the first of them none of the last two. Raises InputError for `argument` otherwise.
    """

def difference(old: DatasetHeader, now: DatasetHeader) -> str | None:
    """
    What distinguishes two headers, in words, the first against the second; nothing if they are the same.
    """

class DatasetWriter:
    """
    A dataset that grows by one trial at a time, for one writer. Not for use by two threads at once.

    The constructor starts the file, or continues an unfinished one; a part that cannot be read counts as missing.
    Raises InputError as validate does, and FileError if the file is complete, has another header, is not a dataset, or
    is being written by another process.
    """

    def __init__(self, path: str | os.PathLike, header: DatasetHeader) -> None: ...

    @property
    def missing(self) -> list[str]:
        """Names of the plan that are not stored yet."""

    def store(self, trial: Trial, truth: Truth | None = None) -> None:
        """
        Writes a trial to disk. Raises InputError for one that is not in the plan or that validate rejects.
        """

    def finish(self) -> None:
        """
        Joins all parts into the file and removes them. Raises InputError if a trial of the plan is missing.
        """

class MotorFriction:
    """
    Motor-side friction, tau = a/(1 + exp(-s (dtheta + d))) - a/(1 + exp(-s d))      [Gaz19]
    """

    def __init__(self, level: numpy.typing.ArrayLike | None = None, slope: numpy.typing.ArrayLike | None = None, offset: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def level(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        a >= 0                                                          [N m or N]       (n)
        """

    @property
    def slope(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        s >= 0                                                          [s/rad or s/m]   (n)
        """

    @property
    def offset(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        d                                                               [rad/s or m/s]   (n)
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> MotorFriction:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Control:
    """
    Velocity control by a QP, and what follows an impact: in the first cycle in which the residual has been above the
    threshold for detection_delay the alarm is raised; in the first cycle after it that is at least command_delay later
    the arm pulls back. The servo that realises it is the drives'. With an impact_contact_time the QP also keeps, in
    every cycle, the rows of impact_rows for a hit at its end, by the generalized momentum and by the composite rigid
    body.
    """

    def __init__(self, period: float = 0.001, ramp: float = 0.15, cruise: float = 0.2, retreat_speed: float = 0.1, after: float = 0.08, retreat_acceleration: float = 4.0, detection_delay: float = 0.0, command_delay: float = 0.0, impact_contact_time: float = 0.0, impact_restitution: float = 0.0, position_gain: float = 20.0, linear_weight: float = 1.0, angular_weight: float = 0.1, posture_weight: float = 0.0001, acceleration: numpy.typing.ArrayLike | None = None) -> None: ...

    @property
    def period(self) -> float:
        """of one cycle; commands are held between cycles            [s]"""

    @property
    def ramp(self) -> float:
        """time to come to speed along the approach                  [s]"""

    @property
    def cruise(self) -> float:
        """time at constant speed before the expected touch          [s]"""

    @property
    def retreat_speed(self) -> float:
        """of the pull-back after the alarm                          [m/s]"""

    @property
    def after(self) -> float:
        """time recorded after the expected touch                    [s]"""

    @property
    def retreat_acceleration(self) -> float:
        """of the pull-back, in those of the approach               [1]"""

    @property
    def detection_delay(self) -> float:
        """from the threshold to the alarm                          [s]"""

    @property
    def command_delay(self) -> float:
        """from the alarm to the pull-back                          [s]"""

    @property
    def impact_contact_time(self) -> float:
        """of a hit that may come; above 0 limits are kept through it [s]"""

    @property
    def impact_restitution(self) -> float:
        """of that hit, 0 to 1                                      [1]"""

    @property
    def position_gain(self) -> float:
        """of path and orientation errors, and of the posture task   [1/s]"""

    @property
    def linear_weight(self) -> float:
        """of the velocity of the contact point                      [1/(m/s)^2]"""

    @property
    def angular_weight(self) -> float:
        """
        of its rotation                                           [1/(rad/s)^2]
        """

    @property
    def posture_weight(self) -> float:
        """
        of the joints' way back to the nominal posture            [1/(rad/s)^2]
        """

    @property
    def acceleration(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        largest of each joint, > 0                                [rad/s^2]      (n)
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Control:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Sensor:
    """The wall's force sensor and the robot's own signals."""

    def __init__(self, rate: float = 25000.0, bandwidth: float = 5000.0, noise: float = 0.25, resolution: float = 0.125, range: float = 580.0, torque_noise: float = 0.02, torque_resolution: float = 0.02, encoder_resolution: float = 1e-06, velocity_noise: float = 0.0001) -> None: ...

    @property
    def rate(self) -> float:
        """of the force                                            [Hz]"""

    @property
    def bandwidth(self) -> float:
        """of its low-pass, second order, critically flat          [Hz]"""

    @property
    def noise(self) -> float:
        """standard deviation of one force sample                  [N]"""

    @property
    def resolution(self) -> float:
        """step of the force                                       [N]"""

    @property
    def range(self) -> float:
        """largest force                                           [N]"""

    @property
    def torque_noise(self) -> float:
        """standard deviation of one torque sample                 [N m]"""

    @property
    def torque_resolution(self) -> float:
        """step of the torques                                     [N m]"""

    @property
    def encoder_resolution(self) -> float:
        """step of the positions                                  [rad or m]"""

    @property
    def velocity_noise(self) -> float:
        """standard deviation of one joint-velocity sample         [rad/s or m/s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Sensor:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Variation:
    """
    What differs from trial to trial: standard deviations of independent normal draws, unless said otherwise.
    """

    def __init__(self, wall: float = 0.0005, posture: float = 0.002, law: float = 0.03, baseline: float = 0.5, clock_offset: float = 0.01) -> None: ...

    @property
    def wall(self) -> float:
        """position of the wall along its normal                         [m]"""

    @property
    def posture(self) -> float:
        """
        each joint of the configuration                               [rad or m]
        """

    @property
    def law(self) -> float:
        """each parameter of the contact law, relative                   [1]"""

    @property
    def baseline(self) -> float:
        """offset of the force sensor                                    [N]"""

    @property
    def clock_offset(self) -> float:
        """between the clocks, uniform within plus or minus              [s]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Variation:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class CampaignKind(enum.Enum):
    """What the robot hits."""

    wall = 0
    """a wall that stands still, with a force sensor"""

    box = 1
    """
    a box that slides on a floor, whose pose is measured; no force is. As text, control.after is then 0.25 s
    """

class Box:
    """
    Uniform boxes on a floor, one in each trial, hit in the middle of a face or beside it, at half their height.
    """

    def __init__(self, masses: numpy.typing.ArrayLike | None = None, offsets: numpy.typing.ArrayLike | None = None, size: numpy.typing.ArrayLike | None = None, floor_friction: float = 0.2, rate: float = 200.0, position_noise: float = 0.0001, orientation_noise: float = 0.0005) -> None: ...

    @property
    def masses(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """> 0; all of them are hit                                 [kg]"""

    @property
    def offsets(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        of the hit from the middle of the face, to the left as the robot sees it  [m]
        """

    @property
    def size(self) -> Annotated[NDArray[numpy.float64], dict(shape=(3), writable=False)]:
        """along the hit, across it, up                              [m]"""

    @property
    def floor_friction(self) -> float:
        """Coulomb's, of box and floor                               [1]"""

    @property
    def rate(self) -> float:
        """of the poses                                              [Hz]"""

    @property
    def position_noise(self) -> float:
        """standard deviation of each coordinate                     [m]"""

    @property
    def orientation_noise(self) -> float:
        """likewise, of a rotation about each axis                   [rad]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Box:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Campaign:
    """
    Configurations x speeds x repeats, and everything that makes them. With boxes: configurations x masses x offsets x
    speeds x repeats.
    """

    def __init__(self, robot: str = 'panda', urdf: str = '', seed: int = 1, repeats: int = 10, speeds: numpy.typing.ArrayLike | None = None, configurations: Sequence[Configuration] | None = None, point: ContactPoint | None = None, law: Spring | Maxwell | Viscoelastic | HuntCrossley | None = None, drives: Drives | None = None, friction: MotorFriction | None = None, control: Control | None = None, sensor: Sensor | None = None, variation: Variation | None = None, detection_joints: Sequence[str] | None = None, step: float = 2e-05, kind: CampaignKind = CampaignKind.wall, contact_friction: float = 0.0, box: Box | None = None) -> None: ...

    @property
    def robot(self) -> str:
        """a shipped name or a URDF path"""

    @property
    def urdf(self) -> str:
        """its text"""

    @property
    def seed(self) -> int: ...

    @property
    def repeats(self) -> int: ...

    @property
    def speeds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """approach speeds along the normal, > 0                       [m/s]"""

    @property
    def configurations(self) -> tuple[Configuration, ...]: ...

    @property
    def point(self) -> ContactPoint: ...

    @property
    def law(self) -> Spring | Maxwell | Viscoelastic | HuntCrossley: ...

    @property
    def drives(self) -> Drives:
        """all of it known, the servo's damping as a ratio"""

    @property
    def friction(self) -> MotorFriction: ...

    @property
    def control(self) -> Control: ...

    @property
    def sensor(self) -> Sensor: ...

    @property
    def variation(self) -> Variation: ...

    @property
    def detection_joints(self) -> tuple[str, ...]:
        """joints whose torques are watched, by name"""

    @property
    def step(self) -> float:
        """of the plant                                  [s]"""

    @property
    def kind(self) -> CampaignKind: ...

    @property
    def contact_friction(self) -> float:
        """Coulomb's, of the contact point and what it hits            [1]"""

    @property
    def box(self) -> Box:
        """of kind box"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> Campaign:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def default_campaign() -> Campaign:
    """
    The paper's 150 trials: 3 configurations x 5 speeds x 10 repeats with the shipped Panda.
    """

def parse_campaign(text: str, name: str = 'campaign', folder: str = '') -> Campaign:
    """
    A campaign from TOML; `name` is the file in messages, relative URDF paths start from `folder`.
    Raises FileError naming file, line, key, value and rule.
    """

def read_campaign(path: str | os.PathLike) -> Campaign:
    """
    A campaign from TOML; `name` is the file in messages, relative URDF paths start from `folder`.
    Raises FileError naming file, line, key, value and rule.
    """

def format_campaign(campaign: Campaign) -> str:
    """
    The campaign as TOML that parse_campaign reads back to the same campaign, every key written out.
    """

class PlantJoints(enum.Enum):
    """How the joints of the plant are built."""

    flexible = 0
    """rotor, transmission, link"""

    rigid = 1
    """links and rotors move as one"""

    locked = 2
    """
    all joints frozen and the base let go: the composite body of the contact, flying free
    """

class EnergyAudit:
    """
    Where the energy of a run went [J]. Work of the motors = rise of kinetic, elastic and gravity energy + dissipated
    + given to wall, object and floor; what is left over is the integrator's.
    """

    @property
    def motor(self) -> float:
        """work of the motors"""

    @property
    def kinetic(self) -> float:
        """rise of the kinetic energy"""

    @property
    def elastic(self) -> float:
        """rise of the energy in the transmissions"""

    @property
    def gravity(self) -> float:
        """rise of the energy of height"""

    @property
    def transmission(self) -> float:
        """dissipated in the transmissions"""

    @property
    def friction(self) -> float:
        """dissipated by the motors' friction"""

    @property
    def wall(self) -> float:
        """given to the contact, stored or dissipated"""

    @property
    def object(self) -> float:
        """rise of the kinetic energy, and that of height, of what is hit"""

    @property
    def floor(self) -> float:
        """given to the floor on which that slides"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def remainder(self) -> float:
        """motor - all the others."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class PlantRun:
    """What happened in one run of the plant, exactly."""

    @property
    def truth(self) -> Truth: ...

    @property
    def energy(self) -> EnergyAudit: ...

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of every step from the touch on, from the touch  [s]"""

    @property
    def force(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of the wall                                      [N]"""

    @property
    def depth(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """of the contact point in the wall                 [m]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def free_impact(robot: Robot, state: State, point: ContactPoint, law: Spring | Maxwell | Viscoelastic | HuntCrossley, joints: PlantJoints = PlantJoints.rigid, drives: Drives | None = None, gravity_W: numpy.typing.ArrayLike | None = None, step: float = 2e-05, duration: float = 0.1) -> PlantRun:
    """
    An uncontrolled arm hits a wall: the contact point touches it at time 0 in the given state.

    With rigid joints the impulse must equal the generalized-momentum prediction [Wang22, (option_gm_iim)], with locked
    joints that of the composite rigid body [Wang22, (iim_inertia_def)]: two limits that tie plant and predictor.
    For locked joints `state.dq` only gives the velocity of the contact point, which the whole body then has.
    Raises InputError and RobotError as contact_dynamics does, and PlantError for a plant that becomes unstable.
    """

def header(campaign: Campaign) -> DatasetHeader:
    """
    What all trials of a campaign have in common, with the plan of their names.
    """

class LabTrial:
    """One trial of the plan as the sensors saw it, and what really happened."""

    @property
    def trial(self) -> Trial: ...

    @property
    def run(self) -> PlantRun: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def simulate_trial(campaign: Campaign, index: int) -> LabTrial:
    """
    Runs one trial of the plan. The same campaign and index give the same numbers. Raises InputError for an index
    outside the plan, a campaign that validate rejects, a posture the robot cannot reach; PlantError for a plant that
    becomes unstable.
    """

def simulate_free_motion(campaign: Campaign, index: int) -> LabTrial:
    """
    The same motion with no wall in the way, for false alarms. Its run has no contact.
    """

class SimulateStatus(enum.Enum):
    """How a run of a campaign ended."""

    complete = 0
    """all trials are in the file"""

    was_complete = 1
    """they were before; nothing was changed"""

    interrupted = 2
    """stopped before the end; the same call continues"""

class CampaignWriter:
    """
    The dataset of a campaign, which grows by one trial at a time, in any order, for one writer. Who makes a trial need
    not be who keeps it: simulate_trial needs the campaign alone. Not for use by two threads at once.

    The constructor starts the file, or goes on where another writer stopped. Raises InputError as validate does, and
    FileError for a file of another campaign or seed, or one that is being written by another process.
    """

    def __init__(self, path: str | os.PathLike, campaign: Campaign) -> None: ...

    @property
    def complete(self) -> bool:
        """
        Whether the file has everything already. Then there is nothing to do, and finish does nothing.
        """

    @property
    def size(self) -> int:
        """Trials of the plan, and the indices of those that are missing."""

    def missing(self) -> list[int]:
        """Trials of the plan, and the indices of those that are missing."""

    def store(self, trial: Trial, truth: Truth) -> None:
        """
        Puts a trial on the disk. Raises InputError for one that is not of the plan.
        """

    def finish(self) -> None:
        """Joins the trials into the file. Raises InputError if one is missing."""

def simulate(campaign: Campaign, path: str | os.PathLike, jobs: int = 0, progress: Callable[[int, int], None] | None = None, client: object | None = None) -> SimulateStatus:
    """
    Runs all trials that the file does not have yet, and completes it. On one machine the bytes of a complete file
    depend on the campaign alone; other instructions may round otherwise. Raises what simulate_trial and CampaignWriter
    raise.

    With a `dask.distributed.Client` as `client` its workers do the work (docs/sweeps.md); jobs are theirs then.
    """

class DetectionSummary:
    """How one detector did in a cell."""

    @property
    def delay(self) -> Spread:
        """of the alarm after the first touch             [s]"""

    @property
    def false_alarms(self) -> int:
        """before the first touch                         [1]"""

    @property
    def missed(self) -> int:
        """no alarm                                       [1]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SimulatedCell:
    """
    One configuration and speed of a simulated dataset, and one box hit in one place, by the truth. CellStudy is what
    the measured signals say.
    """

    @property
    def configuration(self) -> str: ...

    @property
    def object(self) -> str:
        """box and place as in the trials' names, "m0.4_o0.03"; empty for a wall"""

    @property
    def speed(self) -> float:
        """reference                                        [m/s]"""

    @property
    def trials(self) -> int:
        """that are in the file                             [1]"""

    @property
    def touched(self) -> int:
        """that met the wall; the spreads are over these     [1]"""

    @property
    def velocity(self) -> Spread:
        """approach speed at the touch                      [m/s]"""

    @property
    def contact_time(self) -> Spread:
        """of those that leave the wall                     [s]"""

    @property
    def peak_force(self) -> Spread:
        """[N]"""

    @property
    def impulse_compression(self) -> Spread:
        """[N s]"""

    @property
    def object_speed(self) -> Spread:
        """of a box when the point leaves it                [m/s]"""

    @property
    def threshold(self) -> DetectionSummary:
        """of the controller: |tau - tau*| of the watched joints"""

    @property
    def observer(self) -> DetectionSummary:
        """
        of a momentum observer of usual_gain, same joints and threshold, on the same log
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def summarize_cells(path: str | os.PathLike) -> list[SimulatedCell]:
    """
    The cells of a simulated dataset, finished or not, in the order of its plan. Raises FileError as read_dataset does,
    and for a dataset without truth.
    """

class VelocitySource(enum.Enum):
    """Where the joint rates at a touch come from."""

    joints = 0
    """the joint log just before the touch"""

    reference = 1
    """
    no such log: the nominal posture, and rates of least norm for the reference speed (approach)
    """

class Touch:
    """How the robot came to the wall."""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """at the touch      [rad or m]"""

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """just before it    [rad/s or m/s]"""

    @property
    def v_exact(self) -> float:
        """n.J_v dq < 0      [m/s]"""

    @property
    def v_approximate(self) -> float:
        """n.(X J_avg dq)    [m/s]"""

    @property
    def ratio(self) -> float:
        """e_a               [1]"""

    @property
    def source(self) -> VelocitySource: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class TrialStatus(enum.Enum):
    """Whether a trial can be studied."""

    not_run = 0
    """study was not called"""

    ok = 1
    """there is an impact, and its velocity is known"""

    no_contact = 2
    """the force record has no contact window that can be used"""

    no_approach = 3
    """by the joint log the contact point does not approach the wall"""

    not_approachable = 4
    """
    no joint log, and no motion along the normal alone in the nominal posture
    """

    no_force = 5
    """there is no force record"""

class TrialStudy:
    """
    One trial. Times count from the first touch; what could not be found is NaN.
    """

    @property
    def name(self) -> str: ...

    @property
    def configuration(self) -> str: ...

    @property
    def speed(self) -> float:
        """reference                               [m/s]"""

    @property
    def repeat(self) -> int: ...

    @property
    def status(self) -> TrialStatus: ...

    @property
    def message(self) -> str:
        """why the status is not ok; else empty"""

    @property
    def period(self) -> float:
        """of the force samples                   [s]"""

    @property
    def touch(self) -> Touch: ...

    @property
    def found(self) -> Identification:
        """
        window, samples, and every law with its mass free: no inertia model enters here
        """

    @property
    def residuals(self) -> tuple[ResidualSummary, ...]:
        """what each of found.laws leaves over; nothing of one that failed"""

    @property
    def peak_force(self) -> float:
        """of the record             [N]"""

    @property
    def peak_time(self) -> float:
        """[s]"""

    @property
    def contact_time(self) -> float:
        """length of the window; NaN if cut    [s]"""

    @property
    def impulse_compression(self) -> float:
        """measured, up to the viscoelastic v = 0"""

    @property
    def impulse_total(self) -> float:
        """over the window; NaN if cut         [N s]"""

    @property
    def detection_delay(self) -> float:
        """of the controller's alarm           [s]"""

    @property
    def observer_delay(self) -> float:
        """of a momentum observer on the log   [s]"""

    @property
    def alone(self) -> ElasticFit | None:
        """
        law and drives of the elastic arm from this record; none without drives
        """

    @property
    def arm(self) -> ElasticFit | None:
        """
        law of this trial by the arm of all trials (ArmStudy); its own velocity
        """

    @property
    def arm_residuals(self) -> ResidualSummary | None:
        """what that leaves over"""

    @property
    def best_model(self) -> str:
        """
        what describes the record best: "elastic_arm", or the name of a law with a mass
        """

    @property
    def impulse_compression_best(self) -> float:
        """measured, up to its greatest depth"""

    @property
    def impulse_elastic(self) -> float:
        """by arm and wall of the other cells   [N s]"""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """beyond those of `found`"""

    @property
    def truth(self) -> Truth | None:
        """passed through"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def ok(self) -> bool: ...

    def law(self, kind: LawKind) -> FitResult | None:
        """
        The fit of one law if it has numbers to go by (FitResult::ok), else nullptr.
        """

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

band_levels: list = [0.05, 0.25, 0.5, 0.75, 0.95]

class ForceBand:
    """
    Force over time in the records of a cell, each from its own first touch: at each time the quantiles over all records
    that reach there. Times that fewer than half of them reach are left out.
    """

    @property
    def time(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """rising                                            [s]  (n)"""

    @property
    def force(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]:
        """a column for each of band_levels                  [N]  (n x 5)"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class CellStudy:
    """
    The trials of one configuration and reference speed whose status is ok, by their measured signals.
    """

    @property
    def configuration(self) -> str: ...

    @property
    def speed(self) -> float:
        """[m/s]"""

    @property
    def trials(self) -> tuple[int, ...]:
        """indices into Study::trials"""

    @property
    def velocity_exact(self) -> Spread:
        """[m/s], [m/s], [1]; [Wang22, (tab:relative_vels)]"""

    @property
    def velocity_approximate(self) -> Spread:
        """[m/s], [m/s], [1]; [Wang22, (tab:relative_vels)]"""

    @property
    def ratio(self) -> Spread:
        """[m/s], [m/s], [1]; [Wang22, (tab:relative_vels)]"""

    @property
    def impulse_compression(self) -> Spread:
        """[N s]"""

    @property
    def impulse_compression_best(self) -> Spread:
        """[N s]"""

    @property
    def impulse_total(self) -> Spread:
        """[N s]"""

    @property
    def peak_force(self) -> Spread:
        """[N], [s]"""

    @property
    def contact_time(self) -> Spread:
        """[N], [s]"""

    @property
    def detection_delay(self) -> Spread:
        """[N], [s]"""

    @property
    def observer_delay(self) -> Spread:
        """[N], [s]"""

    @property
    def restitution_spring(self) -> Spread:
        """[1]"""

    @property
    def restitution_maxwell(self) -> Spread:
        """[1]"""

    @property
    def restitution_viscoelastic(self) -> Spread:
        """[1]"""

    @property
    def restitution_asymptotic(self) -> Spread:
        """[1]"""

    @property
    def band(self) -> ForceBand:
        """of the records"""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        mean posture at the touch                                                      [rad or m]
        """

    @property
    def dq(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """
        mean rates, scaled so that n.J_v(q) dq is the mean exact velocity              [rad/s or m/s]
        """

    @property
    def predictions(self) -> tuple[Prediction, ...]:
        """predict() at q, dq, for each of Study::robots"""

    @property
    def mass_rotors(self) -> float:
        """1/(j (M + B)^-1 j^T) at q           [kg]"""

    @property
    def impulse_rotors(self) -> float:
        """of that mass at the mean velocity   [N s]"""

    @property
    def impulse_elastic(self) -> Spread:
        """
        of the elastic arm, trial by trial: drives and wall from the other cells      [N s]
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Judgement(enum.Enum):
    """What the data say to a claim."""

    supported = 0

    not_supported = 1

    not_testable = 2

class Verdict:
    """The verdict of the data on one claim of the paper."""

    @property
    def claim(self) -> str:
        """"c1.spring", ..."""

    @property
    def statement(self) -> str:
        """in a sentence"""

    @property
    def judgement(self) -> Judgement: ...

    @property
    def statistic(self) -> float:
        """NaN when not testable, as the threshold"""

    @property
    def threshold(self) -> float: ...

    @property
    def unit(self) -> str:
        """of both"""

    @property
    def why(self) -> str:
        """one or two sentences with the numbers"""

    @property
    def section(self) -> str:
        """of the paper"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class PaperVerdict:
    """
    The verdict on one claim by the paper's own procedure: k and c are fitted, the mass is the composite rigid body's in
    the cell. Beside it, where the claim rests on the viscoelastic COR, the verdict by the paper's reading of that.
    """

    @property
    def exact(self) -> Verdict:
        """by the law's exact COR, or none at all"""

    @property
    def asymptotic(self) -> Verdict | None:
        """by k/(c|v0|)                             [Wang22, (coe_property)]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class TruthQuantity:
    """How far one identified quantity is from the simulated one."""

    @property
    def quantity(self) -> str: ...

    @property
    def unit(self) -> str: ...

    @property
    def trials(self) -> int:
        """that have both; of transmissions, that the arm rests on"""

    @property
    def identified(self) -> float:
        """median"""

    @property
    def simulated(self) -> float:
        """median"""

    @property
    def median_error(self) -> float:
        """of |identified/simulated - 1|"""

    @property
    def largest_error(self) -> float:
        """likewise"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ArmStudy:
    """The arm with elastic joints, from all trials."""

    @property
    def given(self) -> Drives:
        """of which a factor of 1 stands"""

    @property
    def origin(self) -> str:
        """of these"""

    @property
    def law(self) -> LawKind:
        """of the wall, from a few trials"""

    @property
    def trials(self) -> int:
        """that the arm rests on"""

    @property
    def status(self) -> FitStatus: ...

    @property
    def message(self) -> str: ...

    @property
    def factors(self) -> tuple[FitParameter, ...]:
        """of transmission stiffness and damping, with intervals (ArmFit)"""

    @property
    def found(self) -> Drives:
        """the given ones with these factors"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ObjectPrediction:
    """
    How an object leaves a hit, by one model of the arm or as measured; NaN where that has no answer.
    """

    @property
    def model(self) -> str:
        """"algebraic", ..., "generalized_momentum_with_rotors\""""

    @property
    def speed(self) -> float:
        """of its centre of mass, against the normal   [m/s]"""

    @property
    def spin(self) -> float:
        """about the upward vertical                   [rad/s]"""

    @property
    def angle(self) -> float:
        """of departure, to the left of the hit        [rad]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ObjectStudy:
    """
    An object that was hit, by its motion: what was measured just after the hit, and what each model predicts from the
    motion before it (predict_impact).
    """

    @property
    def trial(self) -> str: ...

    @property
    def message(self) -> str:
        """why something below is missing; else empty"""

    @property
    def mass(self) -> float:
        """[kg]"""

    @property
    def touch_time(self) -> float:
        """by its motion, robot's clock                [s]"""

    @property
    def approach(self) -> float:
        """speed of the contact point before the hit  [m/s]"""

    @property
    def restitution(self) -> float:
        """that the predictions go by                  [1]"""

    @property
    def friction(self) -> float:
        """likewise                                    [1]"""

    @property
    def speed(self) -> float:
        """as ObjectPrediction's, measured             [m/s]"""

    @property
    def spin(self) -> float:
        """likewise; NaN without orientations          [rad/s]"""

    @property
    def angle(self) -> float:
        """likewise                                    [rad]"""

    @property
    def predictions(self) -> tuple[ObjectPrediction, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ObjectModelStudy:
    """How far one model is from the objects that it has an answer for."""

    @property
    def model(self) -> str: ...

    @property
    def trials(self) -> int: ...

    @property
    def median_ratio(self) -> float:
        """of predicted over measured speed"""

    @property
    def median_error(self) -> float:
        """of |predicted/measured - 1|, of the speed"""

    @property
    def largest_error(self) -> float:
        """likewise"""

    @property
    def median_spin_error(self) -> float:
        """of |predicted - measured|     [rad/s]"""

    @property
    def median_angle_error(self) -> float:
        """likewise                      [rad]"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ObjectsStudy:
    """All objects of a dataset."""

    @property
    def contact_origin(self) -> str:
        """of restitution and friction, in words"""

    @property
    def trials(self) -> tuple[ObjectStudy, ...]: ...

    @property
    def models(self) -> tuple[ObjectModelStudy, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class Study:
    """All of it, in the order in which it is found."""

    @property
    def source(self) -> DataSource:
        """of the dataset"""

    @property
    def robot(self) -> str:
        """of the dataset"""

    @property
    def seed(self) -> int | None:
        """of a simulated one"""

    @property
    def planned(self) -> int:
        """trials of the plan"""

    @property
    def material_restitution(self) -> float: ...

    @property
    def configurations(self) -> tuple[Configuration, ...]: ...

    @property
    def speeds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """rising  [m/s]"""

    @property
    def robots(self) -> tuple[str, ...]:
        """inertia sets of the predictions; the first is the one that is judged"""

    @property
    def trials(self) -> tuple[TrialStudy, ...]:
        """in the order of the plan"""

    @property
    def sample(self) -> tuple[int, ...]:
        """
        of these, all or StudyOptions::sample, spread over the plan: those that the arm rests on and a report draws. Of the others there are no spectra, and no `alone`
        """

    @property
    def cells(self) -> tuple[CellStudy, ...]:
        """by configuration, then by speed"""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """
        c1.spring, c1.maxwell, c1.viscoelastic, c2.algebraic, c2.generalized_momentum, c2.flexible_joints, c2.composite_rigid_body, r1, r2.phase, r2.residual_compression, small_restitution
        """

    @property
    def verdicts_as_in_paper(self) -> tuple[PaperVerdict, ...]:
        """on the same claims, by the paper's own procedure"""

    @property
    def arm(self) -> ArmStudy | None:
        """none without drives"""

    @property
    def beyond(self) -> tuple[Verdict, ...]:
        """beyond.rotors, beyond.elastic_arm"""

    @property
    def objects(self) -> ObjectsStudy | None:
        """none without objects"""

    @property
    def truth(self) -> tuple[TruthQuantity, ...] | None:
        """none without simulated trials"""

    @property
    def warnings(self) -> tuple[Warning, ...]: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

    def to_table(self) -> dict[str, NDArray[Any]]:
        """A row for each trial."""

    def plot(self, axes: Any = None) -> Any:
        """
        Impulse to the end of compression over the contact velocity: measured, a dot a trial, and predicted, a line a model.
        Returns the Matplotlib axes it draws on: those given, or new ones.
        """

def study(dataset: Dataset, truth: Sequence[Truth | None] = [], robot: Robot | None = None, drives: Drives | None = None, material_restitution: float = 0.627, friction: float | None = None, object_restitution: float | None = None, sample: int = 300, jobs: int = 0, progress: Callable[[int, int], None] | None = None) -> Study:
    """
    Studies a dataset.

    truth  what really happened, one entry per trial of the dataset, or none at all
    Raises InputError for a dataset that validate rejects, a truth of another length, options outside their ranges;
    RobotError for a robot without the contact's link; Interrupted if it is stopped before all trials are studied. What
    is in the records never raises: it sets a trial's status.
    """

class SweepDesign(enum.Enum):
    """How the points are spread over the unit cube, one axis per range."""

    sobol = 0
    """
    Sobol's sequence from its first point on, each axis XORed with a random number of its own
    """

    latin_hypercube = 1
    """
    each axis in as many strata as there are points, one in each, paired at random
    """

    grid = 2
    """
    all combinations; `points` on each axis, ends included, and of `values` all
    """

class RangeKind(enum.Enum):
    """How a coordinate u from 0 to 1 becomes a value."""

    log = 0
    """low (high/low)^u"""

    linear = 1
    """low + (high - low) u"""

    scale = 2
    """
    as log, a factor of what the campaign has there else: of one number, or of all joints alike
    """

    values = 3
    """one of a list, all as likely"""

class SweepRange:
    """
    What one key of a campaign may be. A single number is that of every joint.
    """

    def __init__(self, key: str = '', kind: RangeKind = RangeKind.log, low: float = float('nan'), high: float = float('nan'), values: Sequence[str] | None = None) -> None: ...

    @property
    def key(self) -> str:
        """of a campaign file: "joints.stiffness", "repeats\""""

    @property
    def kind(self) -> RangeKind: ...

    @property
    def low(self) -> float:
        """> 0 for log and scale"""

    @property
    def high(self) -> float:
        """> low"""

    @property
    def values(self) -> tuple[str, ...]:
        """of `values`: each as TOML"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> SweepRange:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SweepPlan:
    """What is to be run."""

    def __init__(self, design: SweepDesign = SweepDesign.sobol, points: int = 0, repeats: int = 1, seed: int = 1, base: str = '', ranges: Sequence[SweepRange] | None = None, folder: str = '') -> None: ...

    @property
    def design(self) -> SweepDesign: ...

    @property
    def points(self) -> int:
        """>= 1; of a grid, on each axis"""

    @property
    def repeats(self) -> int:
        """campaigns at each point, with seeds of their own; >= 1"""

    @property
    def seed(self) -> int:
        """of the design, and of the campaigns unless the base has one"""

    @property
    def base(self) -> str:
        """keys and tables of a campaign that all have in common, as TOML"""

    @property
    def ranges(self) -> tuple[SweepRange, ...]: ...

    @property
    def folder(self) -> str:
        """where relative URDF paths of the base start"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> SweepPlan:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SweepPoint:
    """One campaign of a sweep."""

    def __init__(self, values: numpy.typing.ArrayLike | None = None, seed: int = 1, refined: int = 0) -> None: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """one per range; of `values`, which one, from 0"""

    @property
    def seed(self) -> int:
        """of its campaign"""

    @property
    def refined(self) -> int:
        """0: of the design; k: of the k-th refinement"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> SweepPoint:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SweepCell:
    """One value of a row."""

    def __init__(self, column: str = '', unit: str = '', value: float | str | None = None) -> None: ...

    @property
    def column(self) -> str: ...

    @property
    def unit(self) -> str: ...

    @property
    def value(self) -> float | str: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> SweepCell:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def parse_sweep(text: str, name: str = 'sweep', folder: str = '') -> SweepPlan:
    """
    A plan from TOML: `points`, `seed`, `design`, `repeats`, tables [base] and [range]; `name` is the file in messages.
    Raises FileError naming file, line, key, value and rule, also if none of the first 64 campaigns is valid.
    """

def read_sweep(path: str | os.PathLike) -> SweepPlan:
    """
    A plan from TOML: `points`, `seed`, `design`, `repeats`, tables [base] and [range]; `name` is the file in messages.
    Raises FileError naming file, line, key, value and rule, also if none of the first 64 campaigns is valid.
    """

def format_sweep(plan: SweepPlan) -> str:
    """The plan as TOML that parse_sweep reads back, but for the folder."""

@overload
def sweep_points(plan: SweepPlan) -> list[SweepPoint]:
    """
    The campaigns of the design, in order: points x repeats, those of one point after each other.
    """

@overload
def sweep_points(result: SweepResult) -> list[SweepPoint]:
    """The points of its rows."""

def sweep_campaign(plan: SweepPlan, point: SweepPoint) -> Campaign:
    """
    The campaign of a point, whole. Raises FileError as parse_campaign does.
    """

def campaign_row(campaign: Campaign, jobs: int = 1) -> list[SweepCell]:
    """
    Runs a campaign in memory, on one thread unless told otherwise, and studies it: verdicts with their statistics, how
    far each inertia model and each identified quantity is from the truth, the regime. Raises what simulate_trial and
    study raise, Interrupted if it is stopped.
    """

@overload
def sweep_row(plan: SweepPlan, point: SweepPoint, jobs: int = 1) -> list[SweepCell]:
    """
    The row of a point: its campaign's, or why there is none, in the column `failure`. Raises Interrupted alone.
    """

@overload
def sweep_row(task: SweepTask, jobs: int = 1) -> list[SweepCell]:
    """The row of a task: the same as that of its plan and point."""

class SweepTask:
    """
    A point's campaign by its content: all that makes its row, for somebody who has neither the plan nor its files.
    """

    def __init__(self, start: Sequence[SweepCell] | None = None, campaign: Campaign | None = None, folder: str = '') -> None: ...

    @property
    def start(self) -> tuple[SweepCell, ...]:
        """what the row begins with; its `failure` says why there is no campaign"""

    @property
    def campaign(self) -> Campaign | None:
        """none for a point without a valid one"""

    @property
    def folder(self) -> str:
        """of the plan: left out of messages"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def replace(self, **kwargs) -> SweepTask:
        """The same but for the fields that are given."""

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def sweep_task(plan: SweepPlan, point: SweepPoint) -> SweepTask:
    """
    A point's campaign by its content: all that makes its row, for somebody who has neither the plan nor its files.
    """

class SweepWriter:
    """
    A sweep that grows by one row at a time, for one writer. Not for use by two threads at once.

    While it is unfinished its rows lie in the folder `PATH.parts`, and there is no file at PATH; finish() writes it.
    The constructor starts, or goes on where another writer stopped; with refinements it also goes on from a file that
    is finished without them. Raises InputError as validate does, and FileError for a file that is not of this plan or
    is being written by another process.
    """

    def __init__(self, path: str | os.PathLike, plan: SweepPlan, shard: tuple[int, int] = (1, 1), refine: Sequence[tuple[str, int]] = []) -> None: ...

    @property
    def complete(self) -> bool:
        """
        Whether the file has everything already. Then there is nothing to do, and finish does nothing.
        """

    @property
    def size(self) -> int:
        """
        Rows that are known by now, and those among them that are missing. When none is, the next refinement begins: its
        rows are added. Still none: all are there.
        """

    def missing(self) -> list[int]:
        """
        Rows that are known by now, and those among them that are missing. When none is, the next refinement begins: its
        rows are added. Still none: all are there.
        """

    def point(self, row: int) -> SweepPoint:
        """The point of a row. Raises InputError for one that is not known."""

    def store(self, row: int, cells: Sequence[SweepCell]) -> None:
        """Puts a row on the disk."""

    def finish(self) -> None:
        """
        Writes the file and removes the folder. Raises InputError if a row is missing.
        """

class SweepResult:
    """A finished sweep or shard. Raises FileError."""

    @property
    def plan(self) -> SweepPlan: ...

    @property
    def table(self) -> dict: ...

def read_sweep_result(path: str | os.PathLike) -> SweepResult:
    """A finished sweep or shard. Raises FileError."""

class SweepShare:
    """
    How many campaigns came out in one way, and the 95 % interval of their share by Wilson's score, in which all
    campaigns of one point count as one.
    """

    @property
    def count(self) -> int: ...

    @property
    def all(self) -> int: ...

    @property
    def share(self) -> float:
        """count/all"""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def wilson(count: int, all: int) -> SweepShare:
    """
    How many campaigns came out in one way, and the 95 % interval of their share by Wilson's score, in which all
    campaigns of one point count as one.
    """

class KeyImportance:
    """
    How much a surrogate loses on points that it has not seen when the values of one key are exchanged among them.
    """

    @property
    def key(self) -> str: ...

    @property
    def loss(self) -> float:
        """of accuracy, mean over permutations"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ClaimAnswer:
    """
    What a sweep says of one claim. Shares are of the campaigns of the design that did not fail: refined points crowd
    where verdicts change and count for nothing there.
    """

    @property
    def claim(self) -> str: ...

    @property
    def statement(self) -> str:
        """in the words of a study; empty for a claim that it does not judge"""

    @property
    def supported(self) -> SweepShare: ...

    @property
    def not_supported(self) -> SweepShare: ...

    @property
    def not_testable(self) -> SweepShare: ...

    @property
    def accuracy(self) -> float:
        """of the surrogate on points it has not seen"""

    @property
    def majority(self) -> float:
        """of always saying the most frequent verdict"""

    @property
    def learnt(self) -> bool:
        """whether the surrogate is better than that, by more than chance"""

    @property
    def deciding(self) -> tuple[KeyImportance, ...]:
        """the most important first; empty where nothing was learnt"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class ModelAnswer:
    """
    How an inertia model did: |predicted/true - 1| of the impulse up to the greatest depth, mean over the cells of a
    campaign; here over the campaigns of the design.
    """

    @property
    def model(self) -> str:
        """"composite_rigid_body", ..."""

    @property
    def median(self) -> float:
        """of that error [1]"""

    @property
    def lower(self) -> float:
        """a quarter of the campaigns below [1]"""

    @property
    def upper(self) -> float:
        """a quarter above [1]"""

    @property
    def best(self) -> SweepShare:
        """
        campaigns in which it has the smallest error of the four matrices; of those only
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

class SweepAnswers:
    """What a sweep says."""

    @property
    def campaigns(self) -> int:
        """rows"""

    @property
    def failed(self) -> int:
        """that have no verdicts"""

    @property
    def refined(self) -> int:
        """that are not of the design"""

    @property
    def most_supported(self) -> float:
        """of the paper's claims in one campaign"""

    @property
    def claims(self) -> tuple[ClaimAnswer, ...]:
        """of the paper, and those beyond it"""

    @property
    def models(self) -> tuple[ModelAnswer, ...]:
        """the four matrices, then others"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def answer_sweep(result: SweepResult) -> SweepAnswers:
    """What a sweep says."""

def sweep(plan: SweepPlan, path: str | os.PathLike, jobs: int = 0, shard: tuple[int, int] = (1, 1), refine: Sequence[tuple[str, int]] = [], progress: Callable[[int, int], None] | None = None, client: object | None = None) -> dict:
    """
    Runs all campaigns that the file does not have yet, each on one thread, and completes it. A campaign that fails is a
    row that says why. Raises what SweepWriter raises.

    With a `dask.distributed.Client` as `client` its workers do the work (docs/sweeps.md); jobs are theirs then.
    """

def merge_sweeps(paths: Sequence[str | os.PathLike], out: str | os.PathLike, force: bool = False) -> None:
    """
    Joins finished files of one plan, such as its shards, into the file that one run would have written. Raises
    FileError for files of different plans or with different rows of the same number, if a row of the design is missing,
    and for an `out` that is there, unless it is a sweep and is to be replaced by force.
    """

def sweep_plan_json(plan: SweepPlan) -> str:
    """
    A plan, and what a sweep says, as JSON objects: `plan` and `answers` of answers.json and of `thud sweep --json`.
    """

def sweep_answers_json(answers: SweepAnswers) -> str:
    """
    A plan, and what a sweep says, as JSON objects: `plan` and `answers` of answers.json and of `thud sweep --json`.
    """

def sweep_json(result: SweepResult, answers: SweepAnswers, file: str) -> str:
    """
    The whole sweep as JSON; docs/answers.md lists the keys. `file` is the sweep's name, without its folder.
    """

def claims_csv(answers: SweepAnswers) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def campaigns_csv(result: SweepResult) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def sweep_page(json: str) -> str:
    """
    One HTML page that opens from disk without a network: shares, what decides, maps of two keys, models, campaigns.
    json  as sweep_json makes it.
    """

class SweepReportFiles:
    """Where write_sweep_report put things."""

    @property
    def page(self) -> str:
        """report.html"""

    @property
    def results(self) -> str:
        """answers.json"""

    @property
    def tables(self) -> tuple[str, ...]:
        """claims.csv, campaigns.csv"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def write_sweep_report(result: SweepResult, answers: SweepAnswers, file: str, folder: str | os.PathLike, inputs: Sequence[str | os.PathLike] = [], force: bool = False) -> SweepReportFiles:
    """
    Makes the folder if need be and writes all files into it, each with a mark that says that thud sweep wrote it. Each
    is replaced whole or not at all, and none before the texts of all are complete; answers.json comes last. Raises
    FileError, also for what sweep_report_files refuses.

    answers  of answer_sweep
    file     the sweep's name, without its folder: of the commands that the page shows
    """

def results_json(study: Study, file: str) -> str:
    """
    The study as JSON; docs/results.md lists the keys. Of trials, those that are drawn (Study::sample); where that is
    not all of them, every cell has the band of its records beside. `file` is the dataset's name, without its folder.
    """

def trials_csv(study: Study) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def cells_csv(study: Study) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def predictions_csv(study: Study) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def verdicts_csv(study: Study) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def objects_csv(study: Study) -> str:
    """
    Tables as CSV, a header with units first; an empty cell is a number that does not exist.
    """

def report_page(results: str) -> str:
    """
    One HTML page that opens from disk without a network and draws the results it holds.

    results  one JSON object, as results_json makes it. It is put into the page's script element of id "results", every
             '<' as \\u003c: in JSON that stands in strings only and means the same, and no text can end the element.
    """

class ReportFiles:
    """Where write_report put things."""

    @property
    def page(self) -> str:
        """report.html; empty without one"""

    @property
    def results(self) -> str:
        """results.json"""

    @property
    def tables(self) -> tuple[str, ...]:
        """the CSV files; objects.csv among them where there are objects"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    def __eq__(self, other: object, /) -> bool:
        """The same class with the same fields; NaN is equal to NaN."""

    def __hash__(self, /) -> int:
        """Of what is neither an array nor a value nor NaN."""

    def to_dict(self) -> dict[str, Any]:
        """
        The fields by their names, as plain Python that `json` takes: lists for arrays, names for enumerators.
        """

def write_report(study: Study, file: str, folder: str | os.PathLike, inputs: Sequence[str | os.PathLike] = [], force: bool = False, page: bool = True) -> ReportFiles:
    """
    Makes the folder if need be and writes all files into it, each with a mark that says that thud study wrote it. Each
    is replaced whole or not at all, and none before the texts of all are complete; results.json comes last. An
    objects.csv of an older study goes where this one has no objects. Raises FileError, also for what report_files
    refuses.

    page  whether there is to be a page beside results and tables; one that is there stays as it is
    """
