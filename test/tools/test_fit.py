"""thud fit, as people and programs see it."""

import csv
import json
import math
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from program import CONFIGURATION_ONE, MANIFEST, RECORD, ROOT, THUD, WALL, answer, run

OWN_TABLE = run("--version").stdout.strip().replace("thud", "# thud fit")


class Fit(unittest.TestCase):
    def test_parameters_return_with_intervals(self):
        found = answer("fit", RECORD, "--speed", "0.12")["records"][0]
        self.assertEqual(found["file"], RECORD)
        self.assertEqual(found["samples"], 300)
        self.assertAlmostEqual(found["rate"], 25000, 3)
        self.assertAlmostEqual(found["window"]["start"], 0.002, 4)
        self.assertEqual(found["best"], "viscoelastic")
        law = found["laws"]["viscoelastic"]
        self.assertEqual(law["status"], "converged")
        for name, truth in [("stiffness", 3e5), ("damping", 1.25e7), ("mass", 4)]:
            interval = law["parameters"][name]
            self.assertTrue(interval["low"] <= truth <= interval["high"], (name, interval))
            self.assertLess(interval["high"] / interval["low"], 2)
        self.assertAlmostEqual(law["impulse_compression"], 0.12 * law["parameters"]["mass"]["value"], 9)
        self.assertAlmostEqual(law["measured_impulse_compression"] / law["impulse_compression"], 1, 2)
        self.assertLess(law["time_of_peak"], law["time_of_compression"])
        self.assertLess(law["bic"], min(other["bic"] for name, other in found["laws"].items() if name != "viscoelastic"))
        self.assertGreater(found["laws"]["spring"]["parameters"]["restitution"]["value"], 1)
        self.assertIn("spring needs a restitution", " ".join(found["warnings"]))

    def test_what_a_fit_says_about_itself(self):
        law = answer("fit", RECORD, "--speed", "0.12", "--law", "viscoelastic")["records"][0]["laws"]["viscoelastic"]
        self.assertEqual(law["identifiability"], dict.fromkeys(law["parameters"], "identified"))
        # d = 5: a restitution of 0.2 is not told with the mass free
        told = law["restitution_interval"]
        self.assertEqual(told["identifiability"], "flat")
        self.assertTrue(told["low"] < law["restitution"] < told["high"])
        self.assertLess(law["misfit"], 1.2)
        self.assertLess(law["residuals"]["frequency_share"], 0.2)
        self.assertGreater(law["residuals"]["runs_p"], 0.001)
        found = answer("fit", RECORD, "--speed", "0.12", "--law", "viscoelastic", "--mass", "2")["records"][0]
        wrong = found["laws"]["viscoelastic"]
        self.assertEqual(wrong["identifiability"]["mass"], "known")
        self.assertGreater(wrong["misfit"], 1.5)
        self.assertLess(wrong["residuals"]["runs_p"], 1e-6)
        self.assertIn("times the noise of the samples", " ".join(found["warnings"]))
        table = run("fit", RECORD, "--speed", "0.12", "--to", "0.0035", "--law", "viscoelastic").stdout
        self.assertRegex(table, "window too short|flat|correlated")

    def test_an_arm_in_the_place_of_the_mass(self):
        """Its own record from `thud profile`, with the drives told 2 and 1.5 times too large."""
        arm = ["--q", CONFIGURATION_ONE, *WALL]
        with tempfile.TemporaryDirectory() as folder:
            made, record, drives, table, plot = (
                f"{folder}/{name}" for name in ("made.csv", "record.csv", "drives.toml", "out.csv", "fit.svg")
            )
            law = ["--law", "viscoelastic", "--speed", "0.12", "--stiffness", "1e6", "--damping", "7.28e6"]
            run("profile", "panda", *arm, *law, "--drives", "panda", "--horizon", "0.014", "--csv", made)
            rows = [line.split(",")[:2] for line in pathlib.Path(made).read_text().splitlines() if line[:1].isdigit()]
            with open(record, "w") as out:
                out.write("time,force\n")
                out.writelines(f"{(i - 100) * 2.3e-5},{0.02 * (i % 3) - 0.02}\n" for i in range(100))
                out.writelines(f"{time},{force}\n" for time, force in rows)
            text = "[joints]\nrotor_inertia = [0.195, 0.195, 0.195, 0.195, 0.074, 0.074, 0.074]\n"
            text += "stiffness = 2e4\ndamping = 1.5\neffort = [87, 87, 87, 87, 12, 12, 12]\n"
            text += "[controller]\nstiffness = [3000, 3000, 3000, 2500, 2500, 2000, 2000]\ndamping_ratio = 1\n"
            pathlib.Path(drives).write_text(text)
            fit = ["fit", record, "--speed", "0.12", "--robot", "panda", *arm, "--drives", drives]
            fit += ["--free", "stiffness,damping", "--law", "viscoelastic"]
            found = answer(*fit, "--out", table, "--plot", plot)["records"][0]
            self.assertEqual(found["best"], "viscoelastic")
            got = found["laws"]["viscoelastic"]
            for name, value in (("stiffness", 1e6), ("damping", 7.28e6), ("joints.stiffness", 0.5)):
                self.assertAlmostEqual(got["parameters"][name]["value"] / value, 1, delta=2e-3, msg=name)
            factor = got["parameters"]["joints.damping"]
            self.assertTrue(factor["low"] < 1 / 1.5 < factor["high"])
            self.assertEqual(got["model"], "elastic_arm")
            self.assertEqual(got["not_identifiable"], [])
            self.assertAlmostEqual(got["correlation"]["damping"]["damping"], 1)
            self.assertNotIn("mass", got["parameters"])
            self.assertIn("joints.stiffness_low", pathlib.Path(table).read_text())
            self.assertIn("end of compression", pathlib.Path(plot).read_text())
            self.assertIn("joints.stiffness 0.5", run(*fit).stdout)

    def test_known_mass_is_kept(self):
        law = answer("fit", RECORD, "--speed", "0.12", "--mass", "4", "--law", "viscoelastic")["records"][0]["laws"]
        self.assertEqual(list(law), ["viscoelastic"])
        self.assertEqual(law["viscoelastic"]["parameters"]["mass"], {"value": 4, "low": 4, "high": 4})

    def test_folder_with_a_table_of_speeds(self):
        speeds = {"viscoelastic": 0.12, "maxwell": 0.10, "spring": 0.08, "hunt_crossley_negative": 0.15, "pressing": 0.18}
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "speeds.txt")
            rows.write_text("record,speed\n" + "".join(f"{name}.csv,{speed}\n" for name, speed in speeds.items()))
            table = pathlib.Path(folder, "table.csv")
            result = answer("fit", str(ROOT / "data/records"), "--speed", str(rows), "--out", str(table))
            self.assertEqual({pathlib.Path(item["file"]).stem: item["speed"] for item in result["records"]}, speeds)
            for item in result["records"]:
                name = pathlib.Path(item["file"]).stem
                expected = "viscoelastic" if name == "pressing" else name.removesuffix("_negative")
                self.assertEqual(item["best"], expected)
            mark, *rest = table.read_text().splitlines()
            self.assertEqual(mark, OWN_TABLE)
            lines = list(csv.DictReader(rest))
            self.assertEqual(len(lines), sum(len(item["laws"]) for item in result["records"]))
            self.assertEqual(sum(row["best"] == "1" for row in lines), len(speeds))
            self.assertTrue(all(None not in row and None not in row.values() for row in lines))
            laws = {item["file"]: item["laws"] for item in result["records"]}
            for row in lines:  # a column has the word of the JSON key
                self.assertEqual(float(row["restitution"]), laws[row["file"]][row["law"]]["restitution"])
                self.assertEqual(row["restitution_low"] != "", row["law"] == "spring")
            shown = run("fit", str(ROOT / "data/records"), "--speed", str(rows), "--progress")
            self.assertIn("5/5", shown.stderr)
            rows.write_text("viscoelastic.csv,0.12\n")
            missing = run("fit", str(ROOT / "data/records"), "--speed", str(rows), "--json")
            self.assertEqual(missing.returncode, 1)
            self.assertEqual(missing.stderr.count("has no row for"), 4)
            self.assertEqual([pathlib.Path(item["file"]).stem for item in json.loads(missing.stdout)["records"]],
                             ["viscoelastic"])
            one = run("fit", str(ROOT / "data/records/maxwell.csv"), "--speed", str(rows))
            self.assertEqual((one.returncode, one.stdout), (2, ""))

    def test_what_is_no_record_does_not_stop_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            records, empty = pathlib.Path(folder, "records"), pathlib.Path(folder, "empty")
            records.mkdir()
            empty.mkdir()
            record, speeds = records / "a.csv", records / "speeds.csv"
            record.write_text(pathlib.Path(RECORD).read_text())
            speeds.write_text("record,speed\na.csv,0.12\n")
            for table in ("fit", "study"):  # results in the folder of the records
                (records / f"{table}.csv").write_text(f"# thud {table} 0.2.0\nname,x\na,1\n")
            result = answer("fit", str(records), "--speed", str(speeds))
            self.assertEqual([item["file"] for item in result["records"]], [str(record)])
            done = run("fit", str(record), str(empty), "--speed", "0.12", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"thud: RECORD: {empty}: a folder without a .csv file to read\n")
            self.assertEqual(len(json.loads(done.stdout)["records"]), 1)
            done = run("fit", str(empty), "--speed", "0.12")
            self.assertEqual((done.returncode, done.stdout), (2, ""))

    @unittest.skipIf("asan" in THUD, "a sanitizer needs an address space of its own")
    def test_memory_that_runs_out_is_one_line(self):
        def little(*arguments: str) -> subprocess.CompletedProcess:
            limit = 200_000 << 10
            return subprocess.run([THUD, *arguments], capture_output=True, text=True, timeout=60,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        with tempfile.TemporaryDirectory() as folder:
            big, robot = pathlib.Path(folder, "big.csv"), pathlib.Path(folder, "big.urdf")
            with open(big, "w") as file:
                for first in range(0, 5_000_000, 100_000):
                    file.write("".join(f"{i}e-6,0.5\n" for i in range(first, first + 100_000)))
            done = little("fit", str(big), "--speed", "0.1")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\Athud: [^\n]*big.csv: does not fit into memory: [^\n]+\n\Z")
            done = little("fit", str(big), RECORD, "--speed", "0.12", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertIn("big.csv: does not fit into memory", done.stderr)
            self.assertEqual(json.loads(done.stdout)["records"][0]["best"], "viscoelastic")
            robot.write_text("<robot name='r'><link name='a'>" + "<visual><geometry><sphere radius='1'/></geometry></visual>"
                             * 700_000 + "</link></robot>")
            done = little("info", str(robot))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
            self.assertNotIn("bad_alloc", done.stderr)

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder, "fit.svg")
            self.assertEqual(run("fit", RECORD, "--speed", "0.12", "--plot", str(drawing)).returncode, 0)
            laws = answer("fit", RECORD, "--speed", "0.12")["records"][0]["laws"]
            for word in ["record", *laws, "end of compression"]:
                self.assertIn(word, drawing.read_text())
            ElementTree.parse(drawing)

    def test_no_answer_is_exit_1(self):
        with tempfile.TemporaryDirectory() as folder:
            flat = pathlib.Path(folder, "flat.csv")
            flat.write_text("".join(f"{i / 1e4},{0.1 * (-1) ** i}\n" for i in range(300)))
            done = run("fit", str(flat), "--speed", "0.1", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertIsNone(json.loads(done.stdout)["records"][0]["best"])
            self.assertRegex(done.stderr, r"\Athud: [^\n]+\n\Z")

    def test_a_failed_run_leaves_old_files_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "table.csv")
            table.write_text("# thud fit 0.1: old")
            bad = pathlib.Path(folder, "bad.csv")
            bad.write_text("time,force\n0,1\n1,oops\n")
            done = run("fit", str(bad), "--speed", "0.12", "--out", str(table))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("bad.csv:3: oops:", done.stderr)
            self.assertEqual(table.read_text(), "# thud fit 0.1: old")
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["bad.csv", "table.csv"])

    def test_a_bad_record_among_several_does_not_stop_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            good = pathlib.Path(folder, "good.csv")
            good.write_text(pathlib.Path(RECORD).read_text())
            for name in ("bad.csv", "worse.csv"):
                pathlib.Path(folder, name).write_text("time,force\n0,1\n1,oops\n")
            table = pathlib.Path(folder, "table.csv")
            for _ in range(2):  # the second time the folder holds a table of ours
                done = run("fit", folder, "--speed", "0.12", "--out", str(table), "--json")
                self.assertEqual(done.returncode, 1)
                lines = done.stderr.splitlines()
                self.assertEqual([line.split(": ")[2] for line in lines], ["oops", "oops"])
                self.assertTrue(lines[0].startswith(f"thud: {folder}/bad.csv:3: "))
                self.assertTrue(lines[1].startswith(f"thud: {folder}/worse.csv:3: "))
                result = json.loads(done.stdout)
                self.assertEqual([f"thud: {warning}" for warning in result["warnings"]], lines)
                self.assertEqual([item["file"] for item in result["records"]], [str(good)])
                self.assertEqual(result["records"][0]["best"], "viscoelastic")
                self.assertTrue(table.read_text().startswith(OWN_TABLE + "\nfile,speed,"))
            shown = run("fit", str(good), f"{folder}/bad.csv", "--speed", "0.12")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("* best by BIC: viscoelastic", shown.stdout)
            none = run("fit", f"{folder}/bad.csv", f"{folder}/worse.csv", "--speed", "0.12", "--json")
            self.assertEqual((none.returncode, json.loads(none.stdout)["records"]), (1, []))

    def test_columns_of_the_table_do_not_run_together(self):
        with tempfile.TemporaryDirectory() as folder:  # a million newton: wide numbers
            record = pathlib.Path(folder, "a.csv")
            record.write_text(pathlib.Path(RECORD).read_text())
            done = run("fit", str(record), "--speed", "1.2e-7", "--unit", "force=MN")
            header, *laws = [line for line in done.stdout.splitlines() if line and not line.startswith(("warning", "*"))][1:]
            self.assertEqual(len(laws), 4)
            found = json.loads(run("fit", str(record), "--speed", "1.2e-7", "--unit", "force=MN", "--json").stdout)
            found = found["records"][0]["laws"]
            names = ["law", "status", "RMSE [N]", "R^2", "BIC", "e", "impulse_c [N s]", "measured"]
            keys = ["rmse", "r_squared", "bic", "restitution", "impulse_compression", "measured_impulse_compression"]
            self.assertEqual(re.split(r"  +", header)[:8], names)
            ends = [re.search(re.escape(name) + r"(?= |$)", header).end() for name in names[2:]]
            for line in laws:
                cells = line.replace(" *", "").split()
                law = found[cells[0]]
                self.assertEqual(cells[1], law["status"])
                for key, cell, end in zip(keys, cells[2:8], ends):
                    if law[key] is None:
                        self.assertEqual(cell, "none")
                    else:
                        self.assertAlmostEqual(float(cell) / law[key], 1, delta=1e-3)
                    self.assertEqual(line[end - len(cell) - 1:end], " " + cell)  # a blank before each, ends in line
                    self.assertEqual(line[end], " ")

    def test_names_of_files_do_not_reach_the_terminal_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "red\x1b[31m")
            data.mkdir()
            record = data / "a\x1b[0m.csv"
            record.write_text(pathlib.Path(RECORD).read_text())
            (data / "manifest.toml").write_text(MANIFEST + '[[trial]]\nname = "a"\nforce = "a\\u001b[0m.csv"\nspeed = 0.12\n')
            for words in (["fit", str(record), "--speed", "0.12"], ["info", str(record)], ["info", str(data)],
                          ["import", str(data), "--out", f"{data}/a.h5"], ["study", str(data), "--out", str(data)]):
                done = run(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("red\\x1b[31m", done.stdout)
                self.assertNotIn("\x1b", done.stdout)
            self.assertIn("1 of 1 trials", run("info", str(data)).stdout)
            self.assertIn("alarms in 0 trials", run("info", str(data)).stdout)

    def half_sines(self, *touches: float, rate: float = 5000, length: float = 0.2) -> list[tuple[float, float]]:
        """Times and forces of pulses of 10 ms; the first has 100 N, the second 150, and so on."""
        pulse = lambda x: math.sin(math.pi * x / 0.01) if 0 < x < 0.01 else 0
        ripple = lambda i: 0.2 * math.sin(12.9898 * i * i)
        return [(i / rate, sum((100 + 50 * k) * pulse(i / rate - touch) for k, touch in enumerate(touches)) + ripple(i))
                for i in range(int(length * rate))]

    def test_records_as_people_have_them(self):
        samples = self.half_sines(0.0501)
        comma = lambda number: f"{number:.6f}".replace(".", ",")
        shapes = {  # text of the file, options
            "plain": ("time,force\n" + "".join(f"{t:.6f},{f:.6f}\n" for t, f in samples), []),
            "six axes": ("t,Fx,Fy,Fz,Mx,My,Mz\n" + "".join(f"{t:.6f},0,0,{f:.6f},0,0,0\n" for t, f in samples),
                         ["--force-column", "Fz"]),
            "numbers of columns": ("".join(f"9,{t:.6f},0,{f:.6f}\n" for t, f in samples),
                                   ["--time-column", "2", "--force-column", "4"]),
            "units": ("clock,load\n" + "".join(f"{1e3 * t:.4f},{1e-3 * f:.9f}\n" for t, f in samples),
                      ["--time-column", "clock", "--force-column", "load", "--unit", "time=ms,force=kN"]),
            "pounds": ("".join(f"{1e6 * t:.1f},{f / 4.4482216152605:.6f}\n" for t, f in samples),
                       ["--unit", "time=us,force=lbf"]),
            "acceleration": ("t [s],a [g]\n" + "".join(f"{t:.6f},{f / (1.5 * 9.80665):.6f}\n" for t, f in samples),
                             ["--force-column", "a", "--unit", "force=g*1.5"]),
            "skip": ("Bench 3\nrun,17,x\nt,f\n" + "".join(f"{t:.6f},{f:.6f}\n" for t, f in samples), ["--skip", "2"]),
            "decimal commas in quotes": ("".join(f'"{comma(t)}","{comma(f)}"\n' for t, f in samples), []),
            "decimal commas": ("t;f\n" + "".join(f"{comma(t)};{comma(f)}\n" for t, f in samples), []),
            "units row": ("time,force\n[ms],[N]\n" + "".join(f"{1e3 * t:.4f},{f:.6f}\n" for t, f in samples), []),
            "index": ("".join(f"{i},{t:.6f},{f:.6f}\n" for i, (t, f) in enumerate(samples)), []),
            "missing": ("t,f\n" + "".join(f"{t:.6f},{'' if i % 7 == 3 else f'{f:.6f}'}\n"
                                          for i, (t, f) in enumerate(samples)), []),
        }
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            for name, (text, options) in shapes.items():
                with self.subTest(name):
                    record.write_text(text)
                    found = answer("fit", str(record), "--speed", "0.1", "--law", "spring", *options)["records"][0]
                    self.assertAlmostEqual(found["rate"], 5000, 3)
                    self.assertAlmostEqual(found["peak"]["force"], 100, delta=1)
                    law = found["laws"]["spring"]["parameters"]
                    # a half sine of peak F and length T: impulse 2 F T/pi = 2 m v
                    self.assertAlmostEqual(law["mass"]["value"], 100 * 0.01 / (math.pi * 0.1), delta=0.05)
                    seen = answer("info", str(record), *options)
                    self.assertAlmostEqual(seen["peak"]["force"], found["peak"]["force"], 9)
                    self.assertEqual(found["samples"], seen["samples"])
                    piped = subprocess.run([THUD, "fit", "-", "--speed", "0.1", "--law", "spring", *options, "--json"],
                                           input=text, capture_output=True, text=True, timeout=60)
                    again = json.loads(piped.stdout)["records"][0]
                    self.assertEqual({**again, "file": str(record)}, found)
            self.assertIn("143 of 1000 rows lack a number", " ".join(found["warnings"]))  # the last one: missing

    def test_one_contact_of_several(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            record.write_text("".join(f"{t},{f}\n" for t, f in self.half_sines(0.02, 0.08, 0.14)))
            fit = ["fit", str(record), "--speed", "0.1", "--law", "spring"]
            cases = [([], 0.02, 100), (["--contact", "1"], 0.02, 100), (["--contact", "2"], 0.08, 150),
                     (["--contact", "3"], 0.14, 200), (["--from", "0.05"], 0.08, 150),
                     (["--from", "0.05", "--contact", "2"], 0.14, 200), (["--from", "0.05", "--to", "0.12"], 0.08, 150)]
            for options, start, peak in cases:
                with self.subTest(options):
                    found = answer(*fit, *options)["records"][0]
                    self.assertAlmostEqual(found["window"]["start"], start, delta=3e-4)
                    self.assertAlmostEqual(found["peak"]["force"], peak, delta=1)
                    self.assertAlmostEqual(answer("info", str(record), *options)["peak"]["force"], peak, delta=1)
            for options, words in [
                (["--contact", "4"], "--contact: 4: the record has 3 contacts"),
                (["--from", "0.05", "--contact", "3"], "--contact: 3: the record has 2 contacts"),
                (["--contact", "0"], "--contact: 0: contacts are counted from 1"),
                (["--contact", "x"], "--contact: 'x': must be a whole number"),
                (["--from", "0.2", "--to", "0.1"], "--from: 0.2: must be a time before to"),
                (["--from", "5"], "from, to: 5 to inf s: has 0 samples of a record from 0 to 0.1998 s"),
            ]:
                done = run(*fit, *options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)

    def test_what_has_no_end_is_refused(self):
        done = run("fit", "/dev/zero", "--speed", "0.1", "--max-size", "1000000")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "thud: /dev/zero: has more than 1000000 bytes: the limit for reading "
                                      "(RecordOptions::max_size, --max-size)\n")
        done = run("info", "/dev/zero", "--max-size", "1000000")
        self.assertEqual(done.stderr, "thud: robot: /dev/zero: has more than 1000000 bytes (the limit for reading "
                                      "(UrdfLimits::bytes, --max-size))\n")
        self.assertIn("has more than 67108864 bytes", run("info", "/dev/zero").stderr)
        done = run("predict", str(ROOT / "data/robots/panda.urdf"), "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                   "--max-size", "100")
        self.assertIn("has more than 100 bytes", done.stderr)
        done = run("fit", RECORD, "--speed", "0.1", "--max-samples", "100")
        self.assertIn("more than 100 samples: the limit for a record (RecordOptions::max_samples, --max-samples)", done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            huge = pathlib.Path(folder, "huge.csv")
            with open(huge, "wb") as file:
                file.truncate(100 << 30)
            done = run("info", str(huge))
            self.assertEqual(done.returncode, 2)
            self.assertIn("huge.csv: has more than 1073741824 bytes: the limit for reading", done.stderr)

    def test_messages_on_slow_records_and_square_pulses_are_true(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            slow = self.half_sines(0.051, rate=200, length=0.5)
            record.write_text("time [s],force [N]\n" + "".join(f"{t:.4f},{f:.3f}\n" for t, f in slow))
            shown = run("fit", str(record), "--speed", "0.1")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("warning: the rate is 200 Hz, low for an impact\n", shown.stdout)
            self.assertIn("fewer than 4 samples in the contact", shown.stdout)
            for untrue in ("199.99", "drift", "is time in seconds", "no force rises"):
                self.assertNotIn(untrue, shown.stdout + shown.stderr + run("info", str(record)).stdout)
            record.write_text("".join(f"{i / 1000},{100 if 50 <= i < 70 else 0}\n" for i in range(200)))
            shown = run("fit", str(record), "--speed", "0.1")
            self.assertEqual(shown.returncode, 1)
            self.assertEqual(shown.stderr, f"thud: fit: {record}: no contact to fit\n")
            self.assertIn("the force has only two levels, 0 and 100 N", shown.stdout)
            self.assertNotIn("as much as noise", shown.stdout)


if __name__ == "__main__":
    unittest.main()
