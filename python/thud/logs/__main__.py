"""python -m thud.logs: what `thud import LOG` and `thud info LOG` run.

Exit 0: done; 1: no impact in the log, or interrupted; 2: misuse or bad input, with one line on standard error."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path
from typing import Any, NoReturn, Sequence

import numpy as np

from .. import Error, FileError, InputError, Robot, load_robot, write_dataset
from . import Imported, Log, Taken, import_log, read_log
from .trials import AXES

IMPORT = """Examples:
  python -m thud.logs import hits.bag --robot panda --frame panda_foot --offset 0,0,0.0223 --normal -1,0,0 --out hits.h5
  python -m thud.logs info hits.bag"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        if message.startswith("the following arguments are required: "):
            raise InputError(message.split(": ")[1].split(",")[0], "missing", f"{self.prog} needs it (see {self.prog} --help)")
        raise InputError("arguments", message, f"not what {self.prog} takes (see {self.prog} --help)")


def parser() -> Parser:
    whole = Parser(prog="python -m thud.logs", description="Logs of robots as datasets, without ROS: rosbag 1 and 2, MCAP, MATLAB, "
                   "libfranka's CSV, LabVIEW's .lvm, mc_rtc's .flat. SI units throughout.", epilog=IMPORT,
                   formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    commands = whole.add_subparsers(dest="command", required=True, metavar="import|info", parser_class=Parser)
    take = commands.add_parser("import", help="finds the impacts in a log and writes a trial for each into a dataset", allow_abbrev=False)
    take.add_argument("log", metavar="LOG", nargs="+", help="a log, or several of one set-up, whose trials become one dataset")
    take.add_argument("--out", required=True, help="the dataset to write, .h5 or .hdf5")
    take.add_argument("--robot", required=True, help="a shipped name (thud info lists them) or a URDF file")
    take.add_argument("--frame", required=True, help="link that hits")
    take.add_argument("--offset", default="0,0,0", help="contact point X,Y,Z in that link's frame [m]")
    take.add_argument("--normal", required=True, help="X,Y,Z out of the environment, in the world; any length")
    take.add_argument("--force-topic", default="", help="topic or variable of the force; TOPIC:FIELD of a message that is no wrench")
    take.add_argument("--joint-topic", default="", help="topic or variable of the joints")
    take.add_argument("--force-axis", default="", help=f"one of {', '.join(AXES)}; without it the one that exceeds its rest most")
    take.add_argument("--joints", default="", help="what the robot's joints are called in the log, in the robot's order: A,B,...")
    take.add_argument("--q", default="", help="joint positions at the touch, instead of the log's: numbers or joint=value,...")
    take.add_argument("--speed", default="", help="approach speed [m/s], or several of which each hit gets the nearest")
    take.add_argument("--min-force", default="", help="smallest rise that is an impact [N]; without it 0.2 of the largest")
    take.add_argument("--from", dest="from_", default="", help="leave out what is before this time of the force [s]")
    take.add_argument("--to", default="", help="leave out what is after this time of the force [s]")
    take.add_argument("--clock-offset", default="", help="added to the times of the force to get those of the joints [s]")
    take.add_argument("--unit", default="", help="time=ms,force=kN,position=deg: units of a log that is arrays")
    take.add_argument("--force", action="store_true", help="replace a dataset that already exists")
    take.add_argument("--json", action="store_true", help="print one JSON object")
    tell = commands.add_parser("info", help="what a log is: topics, types, rates", allow_abbrev=False)
    tell.add_argument("log", metavar="LOG")
    tell.add_argument("--json", action="store_true", help="print one JSON object")
    return whole


FLAGS = ("--force", "--json", "--help", "-h")


def joined(words: Sequence[str]) -> list[str]:
    """Values that begin with a minus belong to the option before them: --normal -1,0,0 is --normal=-1,0,0."""
    out: list[str] = []
    for word in words:
        if out and out[-1].startswith("--") and "=" not in out[-1] and out[-1] not in FLAGS and not word.startswith("--"):
            out[-1] += f"={word}"
        else:
            out.append(word)
    return out


def number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(option, f"'{text}'", "must be a finite number")
    return value


def numbers(option: str, text: str) -> list[float]:
    return [number(option, each) for each in text.split(",")]


def three(option: str, text: str) -> list[float]:
    found = numbers(option, text)
    if len(found) != 3:
        raise InputError(option, text, "must be three numbers")
    return found


def joint_values(text: str, robot: Robot) -> list[float]:
    if "=" not in text:
        found = numbers("--q", text)
        if len(found) != robot.size:
            raise InputError("--q", f"{len(found)} values", f"{robot.name} needs {robot.size}")
        return found
    names, values = [joint.name for joint in robot.joints], [0.0] * robot.size
    for pair in text.split(","):
        name, _, value = pair.partition("=")
        if name not in names:
            raise InputError("--q", name, f"not a moving joint of {robot.name}")
        values[names.index(name)] = number("--q", value)
    return values


def finite(value: Any) -> Any:
    """JSON has no NaN: a number that does not exist is null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return value


def digits(value: float) -> float:
    return float(f"{value:.6g}")


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def topics_json(log: Log) -> list[dict[str, Any]]:
    return [{"name": each.name, "type": each.type, "count": each.count, "rate": digits(each.rate), "role": each.role or None}
            for each in log.topics]


def topics_table(log: Log) -> list[str]:
    name = max([5, *(len(printable(each.name)) for each in log.topics)]) + 2
    kind = max([4, *(len(printable(each.type)) for each in log.topics)]) + 2
    lines = [f"{'topic':<{name}}{'type':<{kind}}{'count':>9}{'rate [Hz]':>13}   can be"]
    for each in log.topics:
        rate = "" if math.isnan(each.rate) else f"{each.rate:.6g}"
        lines.append(f"{printable(each.name):<{name}}{printable(each.type):<{kind}}{each.count:>9}{rate:>13}   {each.role}".rstrip())
    return lines


def taken_json(taken: Taken | None) -> dict[str, Any] | None:
    if taken is None:
        return None
    return {"topic": taken.topic, "type": taken.type, "samples": taken.samples, "rate": digits(taken.rate), "clock": taken.clock,
            "taken": taken.how, "frame": taken.frame or None, "dropped": taken.dropped}


def taken_line(what: str, taken: Taken | None) -> str:
    if taken is None:
        return f"{what}: none in the log; posture and speed are as given"
    frame = f", in the frame {taken.frame}" if taken.frame else ""
    dropped = f"; {taken.dropped} without a number are left out" if taken.dropped else ""
    return printable(f"{what}: {taken.topic} ({taken.type}){frame}, {taken.samples} samples at {taken.rate:.6g} Hz by {taken.clock}; "
                     f"{taken.how}{dropped}")


def import_json(found: Imported, out: str) -> dict[str, Any]:
    trials, paths = len(found.impacts), [str(source.log.path) for source in found.sources]
    return {
        "kind": "dataset", "from": paths[0] if len(paths) == 1 else paths, "file": out if trials else None, "trials": trials,
        "planned": trials, "complete": trials > 0, "truth": False,
        "logs": [{"file": str(source.log.path), "format": source.log.format, "topics": topics_json(source.log),
                  "force": taken_json(source.force), "joints": taken_json(source.joints)} for source in found.sources],
        "impacts": [{"trial": each.trial, "log": each.log, "time": each.time, "peak": each.peak, "duration": each.duration,
                     "status": each.status, "speed": each.speed, "reference_speed": each.reference, "configuration": each.configuration,
                     "q": each.q} for each in found.impacts],
        "left_out": [{"log": each.log, "time": each.time, "why": each.why} for each in found.left_out],
        "warnings": found.warnings,
    }


def import_table(found: Imported, out: str) -> list[str]:
    trials = len(found.impacts)
    lines = [f"{printable(out)}: {trials} trial{'' if trials == 1 else 's'}" if trials else f"{printable(out)}: nothing is written"]
    shown = {each.log: each.log for each in found.impacts} if len(found.sources) > 1 else {}
    for source in found.sources:
        lines += [f"{printable(str(source.log.path))}: {source.log.format}", taken_line("force", source.force), taken_line("joints", source.joints)]
    if found.impacts:
        lines += ["", f"{'trial':<10}{'touch [s]':>12}{'peak [N]':>11}{'contact [ms]':>14}{'speed [m/s]':>13}   posture"]
    for each in found.impacts:
        peak = "" if math.isnan(each.peak) else f"{each.peak:.5g}"
        log = f"   {printable(shown[each.log])}" if shown else ""
        lines.append(f"{each.trial:<10}{each.time:>12.6f}{peak:>11}{1e3 * each.duration:>14.4g}{each.speed:>13.4g}   "
                     f"{each.configuration}: {', '.join(f'{round(q, 6) + 0.0:.4g}' for q in each.q)}{log}")
    for left in found.left_out:
        where = f" in {printable(left.log)}" if len(found.sources) > 1 else ""
        lines.append(f"left out: at {left.time:.6f} s{where}: {printable(left.why)}")
    return lines + [f"warning: {printable(text)}" for text in found.warnings]


def run_import(given: argparse.Namespace) -> int:
    if Path(given.out).suffix not in (".h5", ".hdf5"):
        raise InputError("--out", given.out, "must end in .h5 or .hdf5")
    if os.path.exists(given.out):
        if not given.force:
            raise FileError("--out", given.out, "already exists (--force replaces a dataset)")
        if any(os.path.exists(log) and os.path.samefile(given.out, log) for log in given.log):
            raise FileError("--out", given.out, "is read by this command and would be lost")
    optional = {key: number(option, text) for option, key, text in (
        ("--min-force", "min_force", given.min_force), ("--from", "from_", given.from_), ("--to", "to", given.to),
        ("--clock-offset", "clock_offset", given.clock_offset)) if text}
    found = import_log(
        given.log, given.robot, given.frame, three("--normal", given.normal), three("--offset", given.offset),
        force_topic=given.force_topic, joint_topic=given.joint_topic, force_axis=given.force_axis,
        joints=given.joints.split(",") if given.joints else (),
        q=joint_values(given.q, load_robot(given.robot)) if given.q else None,
        speed=numbers("--speed", given.speed) if given.speed else None, units=given.unit, **optional)
    if found.dataset is not None:
        write_dataset(given.out, found.dataset, force=given.force)
    if given.json:
        print(json.dumps(finite(import_json(found, given.out))))
    else:
        print("\n".join(import_table(found, given.out)))
    if found.dataset is not None:
        return 0
    why = found.left_out[0].why if found.left_out else found.warnings[-1] if found.warnings else "nothing rises"
    return fail(f"{given.log[0]}: no impact: nothing is written: {why}", 1)


def run_info(given: argparse.Namespace) -> int:
    with read_log(given.log) as log:
        if given.json:
            print(json.dumps(finite({"kind": "log", "file": given.log, "format": log.format, "duration": log.duration, "start": log.start,
                                     "topics": topics_json(log), "warnings": log.notes})))
            return 0
        long = "" if math.isnan(log.duration) else f", {log.duration:.6g} s"
        lines = [f"{printable(given.log)}: {log.format}{long}, {len(log.topics)} topics", "", *topics_table(log)]
        print("\n".join(lines + [f"warning: {printable(note)}" for note in log.notes]))
    return 0


def fail(message: str, status: int) -> int:
    sys.stdout.flush()
    print(f"thud: {printable(' '.join(message.split()))}", file=sys.stderr)
    return status


OPTIONS = {"force-topic", "joint-topic", "force-axis", "joints", "q", "speed", "min-force", "clock-offset", "unit", "frame", "offset",
           "normal", "robot"}


def main(words: Sequence[str] | None = None) -> int:
    logs = "arguments"
    try:
        given = parser().parse_args(joined(sys.argv[1:] if words is None else words))
        logs = given.log if given.command == "info" else ", ".join(given.log)
        with np.errstate(all="ignore"):
            status = run_import(given) if given.command == "import" else run_info(given)
        sys.stdout.flush()
        return status
    except Error as error:
        option = f"--{error.argument}" if error.argument in OPTIONS else error.argument
        return fail(f"{option}: {error.value}: {error.rule}", 2)
    except KeyboardInterrupt:
        return fail("interrupted: nothing is written: run it again", 1)
    except OSError as error:  # those of files are a FileError
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to say at exit
        why = "nobody reads it" if isinstance(error, BrokenPipeError) else error.strerror
        return fail(f"standard output: cannot be written: {why}", 1)
    except MemoryError:
        return fail("memory: exhausted: a smaller input is needed, or more memory", 2)
    except Exception as error:  # no reader expects everything that a log may hold
        return fail(f"{logs}: cannot be read: {type(error).__name__}: {error}", 2)


if __name__ == "__main__":
    sys.exit(main())
