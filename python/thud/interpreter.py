"""Which interpreter of the process this is."""

import sys


def require_main() -> None:
    """Raises ImportError in a subinterpreter: what C++ keeps of the module is one per process."""
    if sys.version_info >= (3, 13):
        import _interpreters as interpreters
    else:
        import _xxsubinterpreters as interpreters
    current, main = interpreters.get_current(), interpreters.get_main()
    # From 3.13 on a number comes with how the interpreter was made
    if (current[0] if isinstance(current, tuple) else current) != (main[0] if isinstance(main, tuple) else main):
        raise ImportError("thud can be imported in the main interpreter of a process only")
