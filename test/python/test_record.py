import tempfile
import unittest
from math import inf, nan
from pathlib import Path

import numpy as np

import thud
from support import ROOT, refusal, texts


def rows(separator: str, ms: float = 1, newton: float = 10, end: str = "\n") -> str:
    """Ten rows, 1 ms apart, of 0, 10, 20, ... N, in other units if told."""
    return "".join(f"{i * ms:.12g}{separator}{i * newton:.12g}{end}" for i in range(10))


class Record(unittest.TestCase):
    def test_headers_and_separators(self):
        texts = [
            "time [ms],force\n" + rows(","),
            "Time (ms);Force (N)\n" + rows(";"),
            "t/ms\tFz/N\n" + rows("\t"),
            "t [ms] Fz (N)\n" + rows(" "),
            "time [\u00b5s],f\n" + rows(",", 1000),
            "time_us,force_kN\n" + rows(",", 1000, 0.01),
            "\ufefftime [ms],force\r\n" + rows(",", end="\r\n"),
            '"time [ms]","force"\n' + rows(","),
            "# a\ntime [ms],force\n# b\n\n" + rows(",", end=" # c\n\n"),
        ]
        for text in texts:
            record = thud.parse_record(text)
            np.testing.assert_allclose(record.time, 1e-3 * np.arange(10), rtol=1e-15)
            np.testing.assert_allclose(record.force, 10 * np.arange(10), rtol=1e-15)
            self.assertEqual(record.notes, ())

    def test_columns_by_name_and_what_is_left_out(self):
        text = "n,time [ms],Fx [N],Fy [N]\n" + "".join(f"7,{i},1.5,{10 * i}\n" for i in range(10))
        self.assertEqual(thud.parse_record(text, time_column=2, force_column=4).force[3], 30)
        record = thud.parse_record(text, force_column="fy")
        self.assertEqual((record.force[3], texts(record.notes)), (30, ("columns not used: n, Fx",)))
        says = refusal(thud.FileError, thud.parse_record, text, "a.csv")
        self.assertEqual(says, "a.csv:1: Fx and Fy: two columns could be the force; keep one or name one")
        bare = thud.parse_record(rows(",0.5,", 1e-3))
        note = "no header: the first of 3 columns is taken as time [s], the second as force [N]"
        self.assertEqual((bare.force[4], texts(bare.notes)), (0.5, (note,)))

    def test_numpy_writes_what_this_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.csv"
            table = np.column_stack([np.arange(20.0), np.sin(np.arange(20.0))])
            np.savetxt(path, table, delimiter=",", header="time [ms],force")
            record = thud.read_record(path)
            np.testing.assert_allclose(record.time, 1e-3 * table[:, 0], rtol=1e-15)
            np.testing.assert_array_equal(record.force, table[:, 1])
            self.assertEqual(texts(record.notes), ("the column names are taken from the comment in line 1",))

    def test_rows_without_a_number_are_counted(self):
        odd = {20: "nan", 40: "", 60: "N/A", 80: "-inf"}
        text = "time,force\n" + "".join(f"0.{1000 + i},{odd.get(i, 1)}\n" for i in range(100))
        record = thud.parse_record(text)
        self.assertEqual((record.dropped, record.time.size), (4, 96))
        self.assertIn("4 of 100 rows lack a number and are left out, the first in line 22", texts(record.notes))
        empty = "time,force\n" + "".join(f"0.{1000 + i},{'' if i > 3 else 1}\n" for i in range(100))
        says = refusal(thud.FileError, thud.parse_record, empty, "a.csv")
        self.assertEqual(says, "a.csv:6: 96 of 100 rows: at most 95 % of the rows may lack a number; this is the first")

    def test_records_as_people_have_them(self):
        times, forces = 1e-3 * np.arange(10), 10.0 * np.arange(10)
        table = lambda separator, row: "".join(separator.join(row(i)) + "\n" for i in range(10))
        cases = [
            ("clock,Fx,Fz\n" + table(",", lambda i: (f"{i}", "1", f"{10 * i}")),
             {"time_column": "clock", "force_column": "Fz", "units": "time=ms"}),
            (table(",", lambda i: ("7", f"{i}", f"{i / 100}")),
             {"time_column": "2", "force_column": "3", "units": "time=ms,force=kN"}),
            ("bench 3\n" + table(",", lambda i: (f"{i / 1000}", f"{10 * i / 9.80665 / 1.5}")),
             {"skip": 1, "units": "force=g*1.5"}),
            ("t;f\n" + table(";", lambda i: (f"0,00{i}", f"{10 * i},0")), {}),
            ("t,f\nms,N\n" + table(",", lambda i: (f"{i}", f"{10 * i}")), {}),
        ]
        for text, options in cases:
            for record in (thud.parse_record(text, **options), self.through_a_file(text, options)):
                np.testing.assert_allclose(record.time, times, rtol=1e-12)
                np.testing.assert_allclose(record.force, forces, rtol=1e-12)
        says = refusal(thud.InputError, thud.parse_record, "", units="force=stone")
        self.assertTrue(says.startswith("units: force=stone: not a unit of force: N, mN, kN"), says)
        says = refusal(thud.FileError, thud.read_record, "/dev/zero", max_size=100000)
        self.assertEqual(says, "/dev/zero: has more than 100000 bytes: the limit for reading "
                               "(RecordOptions::max_size, --max-size)")
        says = refusal(thud.FileError, thud.parse_record, rows(",", 1e-3), "a.csv", max_samples=9)
        self.assertEqual(says, "a.csv:10: more than 9 samples: the limit for a record (RecordOptions::max_samples, --max-samples)")

    def through_a_file(self, text: str, options: dict) -> "thud.Record":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.csv"
            path.write_text(text)
            return thud.read_record(path, **options)

    def test_sampling(self):
        random = np.random.default_rng(1)
        kept = np.delete(np.arange(5001), [1000, 1001, 3000])
        times = 4e-5 * (np.arange(5001) + 0.02 * random.normal(size=5001))[kept]
        timing = thud.sampling(thud.Record(times, np.zeros(times.size)))
        steps = np.diff(times)
        self.assertAlmostEqual(timing.period, np.median(steps), delta=1e-15)
        self.assertAlmostEqual(timing.rate, 1 / np.median(steps), delta=1e-6)
        self.assertAlmostEqual(timing.jitter, np.std(steps[steps < 6e-5]) / np.median(steps), delta=1e-5)
        self.assertEqual((timing.samples, timing.gaps), (4998, 2))
        self.assertAlmostEqual(timing.largest_gap, steps.max(), delta=1e-15)
        self.assertAlmostEqual(timing.duration, times[-1] - times[0], delta=1e-15)

    def test_notes_of_uneven_and_slow_sampling(self):
        uneven = "".join(f"{1e-4 * (i + (i % 3) * 0.2)} 1\n" for i in range(20))
        self.assertIn("uneven sampling", " ".join(texts(thud.parse_record(uneven).notes)))
        slow = "".join(f"{i} 1\n" for i in range(20))
        self.assertIn("is time in seconds?", " ".join(texts(thud.parse_record(slow).notes)))

    def test_writes_and_reads_the_same_numbers(self):
        forces = np.random.default_rng(2).uniform(-300, 300, 1000)
        record = thud.Record(np.arange(1000) / 30000, forces, comments=["made by hand", "time force"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.csv"
            thud.write_record(path, record)
            back = thud.read_record(path)
            self.assertEqual(path.read_text(), thud.format_record(record))
            nowhere = Path(folder) / "no" / "such.csv"
            said = refusal(thud.FileError, thud.write_record, nowhere, record)
            self.assertEqual(said, f"{nowhere}: cannot be written: No such file or directory")
        np.testing.assert_array_equal(back.time, record.time)
        np.testing.assert_array_equal(back.force, forces)
        self.assertEqual(back.comments, record.comments)

    def test_refusals_of_text(self):
        good = "time,force\n" + rows(",", 1e-3)
        cases = {
            good + "0.02,1x\n": "a.csv:12: 1x: not a number",
            good + "0.02,1e999\n": "a.csv:12: 1e999: beyond the range of a double",
            good + "0.008,1\n": "a.csv:12: 0.008: time goes back; it must increase from row to row",
            good + "0.02\n": "a.csv:12: 0.02: this row has 1 cell, the table has 2 cells",
            "time [min],force\n" + rows(","): "a.csv:1: min: not a unit of time: s, ms, us, ns",
            "a,b\n" + rows(",", 0.5): "a.csv:1: a,b: the header names no time column (t, time or timestamp)",
            "": "a.csv: 0 samples: a record needs at least 8",
            "t,f\n0,\0": "a.csv: holds a zero byte: a record is text in ASCII or UTF-8",
        }
        for text, message in cases.items():
            self.assertEqual(refusal(thud.FileError, thud.parse_record, text, "a.csv"), message)
        self.assertRaises(thud.FileError, thud.read_record, "no/such/file.csv")

    def test_refusals_of_a_record_made_in_memory(self):
        record = thud.Record(np.arange(8.0), np.ones(8))
        says = lambda **change: refusal(thud.InputError, thud.validate, record.replace(**change))
        self.assertEqual(says(), "not refused")
        self.assertEqual(says(force=np.ones(7)), "record: 8 times, 7 forces: each time needs one force")
        bad = np.ones(8)
        bad[2] = nan
        self.assertEqual(says(force=bad), "record.force[2]: nan: must be a number within 1e12 N")
        bad = np.arange(8.0)
        bad[2] = inf
        self.assertEqual(says(time=bad), "record.time[2]: inf: must be a number within 1e12 s")
        self.assertEqual(says(time=np.arange(7.0), force=np.ones(7)), "record: 7 samples: a record needs at least 8")

    def test_shipped_records(self):
        for path in sorted((ROOT / "data/records").glob("*.csv")):
            record = thud.read_record(path)
            self.assertEqual((record.notes, record.time.size), ((), 300))
            touch = float(record.comments[2].split()[2])  # "touch at 0.002 s, ..."
            self.assertAlmostEqual(thud.find_contact(record).start, touch, delta=1e-4)


if __name__ == "__main__":
    unittest.main()
