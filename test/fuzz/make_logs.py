"""make_logs.py FOLDER: writes a short log of each format into FOLDER, for the fuzzer of their readers to begin with. The first
byte chooses the suffix, as there."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import log_files

WRITERS = (log_files.write_bag1, log_files.write_mcap, log_files.write_matlab73, log_files.write_lvm, log_files.write_franka, log_files.write_flat)

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
hits = log_files.Hits(touches=(0.01, 0.02), speeds=(0.12, 0.12), duration=0.04)  # more samples of the joints than joints
for i, writer in enumerate(WRITERS):
    with tempfile.TemporaryDirectory() as place:
        data = writer(pathlib.Path(place, "log"), hits).read_bytes()
    (folder / f"{i}").write_bytes(bytes([i]) + data)
