"""The type stub is what the module says of itself, and a type checker agrees with it."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Stub(unittest.TestCase):
    def test_is_that_of_the_module(self):
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "__init__.pyi")
            subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "thud", "-o", str(made)], check=True)
            self.assertEqual(
                made.read_text(),
                (ROOT / "python/thud/__init__.pyi").read_text(),
                "stale: python -m nanobind.stubgen -m thud -o python/thud/__init__.pyi",
            )

    def test_has_every_name_of_the_headers(self):
        import thud

        sys.path.insert(0, str(ROOT / "python"))
        from docstrings import docstrings

        options = {"AimOptions", "AlgebraicOptions", "BatchOptions", "ContactOptions", "ElasticFitOptions", "ElasticOptions", "ExpectedHit", "FitOptions", "FreeImpactOptions", "ImpactBatchOptions",
                   "ImpactOptions", "ImpactPredictionOptions", "ImpulseOptions", "MapOptions", "PredictOptions", "ReachOptions", "RecordOptions", "Refinement", "RunOptions", "Shard", "SpeedLimitOptions", "StudyOptions", "SweepOptions", "TranslateOptions",
                   "UrdfLimits"}  # keywords
        here = {"pinocchio_joint"}  # a step of from_pinocchio
        here |= {"PerModel", "to_string", "to_text", "stored_notes"}  # dictionaries, names of enumerators, str()
        here |= {"LawParameter", "ParameterRange"}  # the fields of a law, parameter_unit
        here |= {"load_any_robot"}  # load_robot
        here |= {"ImpactPhases"}  # a tuple
        here |= {"BatchArrays", "predict_batch_gpu", "gpu_memory"}  # predict_batch with backend="gpu", and its arrays
        here |= {"current_gpu"}  # the library whose arrays are given tells it
        here |= {"Interrupted"}  # Python's own signals end what runs
        here |= {"default_dataset_memory", "map_files", "report_files", "sweep_report_files"}  # the default of an argument, steps of write_map, write_report and write_sweep_report
        here |= {"require_replaceable_dataset"}  # a step of write_dataset
        here |= {"Column", "Table", "read_table", "write_table", "remove_table_leftovers", "file_format"}  # dictionaries of columns, from sweep
        headers = [path for path in (ROOT / "include/thud").glob("*.hpp") if path.stem != "file"]
        for key in docstrings(headers):
            owner, _, member = key.split(":")[-1].split("#")[0].partition(".")
            if owner in options | here or member == "Motion":  # private to the library
                continue
            self.assertTrue(hasattr(thud, owner), key)
            if member and not member.endswith("_") and not member.startswith("operator"):
                self.assertTrue(hasattr(getattr(thud, owner), member), key)

    def test_everything_that_is_public_has_a_docstring(self):
        import thud

        for name, thing in vars(thud).items():
            if not name.startswith("_") and callable(thing):
                self.assertTrue(thing.__doc__, name)

    def test_examples_keep_to_its_types(self):
        examples = [str(path.with_suffix(".py")) for path in (ROOT / "examples").glob("*.cpp")]
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *examples], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_program_of_the_readme_keeps_to_its_types(self):
        (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "program.py")
            path.write_text('file = "record.csv"\n' + program)
            checker = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(path)]
            done = subprocess.run(checker, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
