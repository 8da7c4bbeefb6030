"""What the shared libraries export: the public interface, and nothing private.

python test_exports.py LIBRARY… [--update]      --update writes exports.txt anew
"""

import pathlib
import re
import subprocess
import sys

STORED = pathlib.Path(__file__).with_name("exports.txt")
ROOMS = {path.name for path in (STORED.parent.parent / "src").iterdir() if path.is_dir()} | {"fitting", "impacting", "studying"}


def exported(library: str) -> list[str]:
    """Demangled names that a library defines for others, sorted."""
    done = subprocess.run(["nm", "--dynamic", "--defined-only", "--demangle", library], capture_output=True, text=True,
                          check=True)
    return sorted({line.split(maxsplit=2)[2] for line in done.stdout.splitlines() if line.split()[1] != "A"})


def main(*arguments: str) -> int:
    libraries = [each for each in arguments if not each.startswith("--")]
    found = {re.match(r"lib(\w+)", pathlib.Path(each).name)[1]: exported(each) for each in libraries}
    private = [f"{library}: {name}" for library, names in found.items() for name in names
               if not re.match(r"((typeinfo|typeinfo name|vtable) for )?thud::", name)
               or (inner := re.search(r"thud::(\w+)::", name)) and inner[1] in ROOMS]
    text = "".join(f"{library}\n" + "".join(f"  {name}\n" for name in names) for library, names in sorted(found.items()))
    if "--update" in arguments:
        STORED.write_text(text)
    stored, now = set(STORED.read_text().splitlines()), set(text.splitlines())
    for what, names in (("private", private), ("no longer exported", sorted(stored - now)), ("new", sorted(now - stored))):
        for name in names:
            print(f"{what}: {name}")
    if stored != now:
        print("if it is meant, run this with --update and say why")
    return 1 if private or stored != now else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
