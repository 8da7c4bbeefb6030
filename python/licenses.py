"""The licences of what a repaired wheel carries, into its dist-info/licenses: licenses.py WHEEL NAME=FILE…

A library in thud.libs gets the copyright file of the Debian package that it comes from; NAME=FILE are those of what is
linked statically or compiled in. Texts that such files leave to every Debian machine come along, as every other machine
lacks them. A library without a licence is an error."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import zipfile


def package_of(library: str) -> str:
    """The Debian package of a library by the name that auditwheel gave it, libz-2c6ba3fc.so.1.2.13."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    known = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    for path in re.findall(r"=> (\S+)", known):
        if name in (os.path.basename(path), os.path.basename(os.path.realpath(path))):
            for place in (path, os.path.realpath(path), os.path.realpath(path).removeprefix("/usr")):
                owner = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True)
                if owner.returncode == 0:
                    return owner.stdout.split(":")[0]
    sys.exit(f"{library}: no Debian package has it")


wheel = pathlib.Path(sys.argv[1])
texts = {name: pathlib.Path(file).read_bytes() for name, file in (word.split("=", 1) for word in sys.argv[2:])}
with zipfile.ZipFile(wheel) as old:
    entries = {info.filename: info for info in old.infolist()}
    folder = next(name for name in entries if name.endswith(".dist-info/RECORD")).removesuffix("RECORD")
    for library in sorted(name.split("/")[1] for name in entries if name.startswith("thud.libs/") and ".so" in name):
        texts[library] = pathlib.Path("/usr/share/doc", package_of(library), "copyright").read_bytes()
    for name in sorted({name for text in texts.values() for name in re.findall(rb"/usr/share/common-licenses/([\w.-]*\w)", text)}):
        texts[f"common-{name.decode()}"] = pathlib.Path("/usr/share/common-licenses", name.decode()).read_bytes()
    metadata = old.read(f"{folder}METADATA").decode()
    named = "".join(f"License-File: {name}\n" for name in texts)
    added = {f"{folder}licenses/{name}": text for name, text in texts.items()}
    changed = {f"{folder}METADATA": metadata.replace("License-File: LICENSE\n", f"License-File: LICENSE\n{named}", 1).encode()}
    assert named in changed[f"{folder}METADATA"].decode(), "METADATA names no LICENSE"

    # RECORD: a row of each file, with its hash
    def row(name: str, data: bytes) -> list[str]:
        return [name, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), str(len(data))]
    rows = {cells[0]: cells for cells in csv.reader(io.StringIO(old.read(f"{folder}RECORD").decode()))}
    rows |= {name: row(name, data) for name, data in (added | changed).items()}
    record = io.StringIO()
    csv.writer(record, lineterminator="\n").writerows(rows.values())
    changed[f"{folder}RECORD"] = record.getvalue().encode()
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new:
        for name, info in entries.items():
            if name == f"{folder}RECORD":  # is the last
                for other, data in added.items():
                    new.writestr(other, data)
            new.writestr(info, changed.get(name) or old.read(name), zipfile.ZIP_DEFLATED)
part.replace(wheel)
