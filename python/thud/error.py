"""What can go wrong, a class for each class of the C++ library, with the same message."""

import re


def printable(text: str) -> str:
    """A text of somebody else's as it may stand in a line: control characters are written \\x1b or \\u202e, as by the C++ library."""

    def escape(found: re.Match) -> str:
        code = ord(found[0])
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

    # of seven and eight bits, ends of lines and paragraphs, and what turns the direction of writing
    return re.sub(r"[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", escape, text)


class Error(Exception):
    """What was wrong with an input: which argument, the value it had, the rule it broke; each printable, whatever was in the input."""

    def __init__(self, argument: str, value: str, rule: str) -> None:
        self.argument, self.value, self.rule = map(printable, (argument, value, rule))
        super().__init__(self.argument, self.value, self.rule)

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
        self.errno, self.strerror, self.filename = None, self.rule, None


class PlantError(Error):
    """A simulated plant that became unstable: the input was valid, but there is no answer to it."""
