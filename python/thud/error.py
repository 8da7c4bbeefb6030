"""What can go wrong, a class for each class of the C++ library, with the same message."""


class Error(Exception):
    """What was wrong with an input: which argument, the value it had, the rule it broke."""

    def __init__(self, argument: str, value: str, rule: str) -> None:
        super().__init__(argument, value, rule)
        self.argument = argument
        self.value = value
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.argument}: {self.value}: {self.rule}"

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.argument, self.value, self.rule)


class InputError(Error, ValueError):
    """A number, vector or option outside its domain."""


class RobotError(Error):
    """A robot description that cannot be used, or a name that the robot does not have."""


class FileError(Error, OSError):
    """A file that cannot be read, written or understood. As an OSError it has no number: `strerror` is the rule."""

    def __init__(self, argument: str, value: str, rule: str) -> None:
        super().__init__(argument, value, rule)
        self.errno, self.strerror, self.filename = None, rule, None


class PlantError(Error):
    """A simulated plant that became unstable: the input was valid, but there is no answer to it."""
