#!python
"""The command thud of an installed package: the program that lies in it, which finds this Python where it needs one."""

import importlib.util
import os
import sys

package = importlib.util.find_spec("thud").submodule_search_locations[0]
os.environ.setdefault("THUD_PYTHON", sys.executable)
os.execv(os.path.join(package, "bin/thud"), sys.argv)
