"""How the sources are written: layers, citations, format, links, and what must not be in the repository."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = [path for folder in ("include", "src", "tools", "python", "test", "examples", "bench")
           for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".hpp", ".cpp")]
LAYERS = re.findall(r"#include <thud/(\w+)\.hpp>", (ROOT / "include/thud/thud.hpp").read_text())
DOORS = {"pinocchio": {"error", "conventions", "robot", "warning"}}  # for users of another library: what they may use
CITATION = re.compile(r"\[([A-Z][a-z]+\d\d[a-z]?)((?:, \([^)]+\))?)\]")
NAMESPACES = {"fit": "fitting", "impact": "impacting", "study": "studying", "sweep": "sweeping", "translate": "translating"}  # where the room's name is that of a function

# What a room may include that no other may: operating system, threads, URDF.
ONE_ROOM = {r"<(unistd|fcntl|poll|sys/\w+)\.h>": "io", r"<(thread|stop_token)>": "foundation", r"<urdf\w*/": "io"}


class Room:
    """A folder of src/ as its CMakeLists.txt describes it."""

    def __init__(self, folder: pathlib.Path):
        self.name, self.folder = folder.name, folder
        call = re.search(r"thud_room\((\w+)(.*?)\)", (folder / "CMakeLists.txt").read_text(), re.S)
        words = {"USES": [], "HEADERS": [], "SOURCES": [], "LINKS": []}
        for word in call[2].split():
            if word in words:
                row = words[word]
            else:
                row.append(word)
        assert call[1] == self.name, folder
        self.uses, self.headers, self.sources = words["USES"], words["HEADERS"], words["SOURCES"]

    def files(self) -> list[pathlib.Path]:
        """Its private files, and the public headers that belong to it."""
        private = [path for path in sorted(self.folder.iterdir()) if path.suffix in (".hpp", ".cpp", ".in")]
        return [*private, *(ROOT / "include/thud" / name for name in self.headers)]


ROOMS = {path.parent.name: Room(path.parent) for path in sorted((ROOT / "src").glob("*/CMakeLists.txt"))}
OWNERS = {header: room.name for room in ROOMS.values() for header in room.headers}


def wrong_arrows(room: Room, text: str) -> list[str]:
    """The includes of a file that its room may not have."""
    wrong = []
    for used in re.findall(r'#include "(\w+)/', text):
        if used != room.name and used not in room.uses:
            wrong.append(f"{used}/")
    for used in re.findall(r"#include <thud/(\w+\.hpp)>", text):
        if OWNERS.get(used) != room.name and OWNERS.get(used) not in room.uses:
            wrong.append(f"thud/{used} of {OWNERS.get(used)}")
    for pattern, owner in ONE_ROOM.items():
        if room.name != owner:
            wrong.extend(match[0] for match in re.finditer(f"#include {pattern}", text))
    return wrong


def anchors(text: str) -> set[str]:
    """What GitHub and the site make of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class Source(unittest.TestCase):
    def test_public_headers_stand_in_layers(self):
        headers = sorted(path.stem for path in (ROOT / "include/thud").glob("*.hpp"))
        self.assertEqual(sorted([*LAYERS, *DOORS, "thud"]), headers)
        self.assertEqual(sorted([*OWNERS, "thud.hpp"]), [f"{name}.hpp" for name in headers], "each belongs to one room")
        for name in LAYERS:
            text = (ROOT / f"include/thud/{name}.hpp").read_text()
            for used in re.findall(r"#include <thud/(\w+)\.hpp>", text):
                self.assertLess(LAYERS.index(used), LAYERS.index(name), f"{name}.hpp includes {used}.hpp")
            for header in re.findall(r"#include <([\w./]+)>", text):
                self.assertTrue(header.startswith(("thud/", "Eigen/")) or "." not in header and "/" not in header,
                                f"{name}.hpp names {header}: public headers name the standard library and Eigen only")
        for name, layers in DOORS.items():
            used = re.findall(r"#include <thud/(\w+)\.hpp>", (ROOT / f"include/thud/{name}.hpp").read_text())
            self.assertLessEqual(set(used), layers, f"{name}.hpp")

    def test_arrows_between_rooms(self):
        order = re.findall(r"foreach\(room IN ITEMS ([\w ]+)\)", (ROOT / "CMakeLists.txt").read_text())
        order = [room for rooms in order for room in rooms.split()]
        self.assertEqual(sorted(order), sorted(ROOMS))
        for room in ROOMS.values():
            for used in room.uses:
                self.assertLess(order.index(used), order.index(room.name), f"{room.name} uses {used}")
            for path in room.files():
                self.assertEqual(wrong_arrows(room, path.read_text()), [], f"{path.name} of {room.name}")

    def test_the_map_shows_the_rooms(self):
        """The table in CONTRIBUTING has every room, in order, with what it may use."""
        rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|[^|]*\|$", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
        self.assertEqual({name: uses for name, uses in rows},
                         {room.name: ", ".join(room.uses) or "–" for room in ROOMS.values()})

    def test_a_wrong_arrow_is_seen(self):
        contact = ROOMS["contact"]
        for planted in ('#include "fit/descent.hpp"', "#include <thud/record.hpp>", "#include <unistd.h>", "#include <thread>"):
            self.assertTrue(wrong_arrows(contact, f"#include <thud/error.hpp>\n{planted}\n"), planted)
        self.assertFalse(wrong_arrows(contact, '#include <thud/error.hpp>\n#include "contact/phase.hpp"\n'))

    def test_private_headers_stay_in_their_library(self):
        """What a library includes of another is public, or a room that it takes a copy of, or all in the header."""
        text = (ROOT / "CMakeLists.txt").read_text()
        whole = {"foundation/parallel_for.hpp", "foundation/splitmix.hpp", "robot/joint_tree.hpp", "robot/body.hpp", "drives/keys.hpp", "elastic/known.hpp", "io/shipped.hpp"}
        for call in re.findall(r"thud_library\((\w+ ROOMS [^)]*)\)", text):
            rooms = re.split(r" BORROWS | LINKS .*", call.split(" ROOMS ")[1])
            own, with_borrowed = rooms[0].split(), " ".join(rooms).split()
            for path in (path for name in own for path in ROOMS[name].files()):
                for used in re.findall(r'#include "(\w+/\w+\.hpp)"', path.read_text()):
                    self.assertTrue(used.split("/")[0] in with_borrowed or used in whole, f"{path.name} includes {used}")

    def test_every_source_is_in_a_room(self):
        listed = {room.folder / source for room in ROOMS.values()
                  for source in re.findall(r"(?<![/}])\b\w+\.cpp", (room.folder / "CMakeLists.txt").read_text())}
        there = set((ROOT / "src").rglob("*.cpp"))
        self.assertEqual(there, {path for path in listed if path.exists()})

    def test_private_code_has_the_namespace_of_its_room(self):
        for room in ROOMS.values():
            name = f"thud::{NAMESPACES.get(room.name, room.name)}"
            for path in room.folder.iterdir():
                if path.suffix not in (".hpp", ".cpp"):
                    continue
                for opened in re.findall(r"^namespace (?!fs\b)([\w: ]+?) \{", path.read_text(), re.M):
                    private = opened == name or opened.startswith(f"{name}::")
                    public = path.suffix == ".cpp" and opened == "THUD_EXPORT thud"
                    nested = "thud" not in opened
                    self.assertTrue(private or public or nested, f"{path.name}: namespace {opened}")

    def test_users_see_no_insides(self):
        """Programs, bindings and examples have the public headers; tests and benchmarks link thud::testing."""
        for path in SOURCES:
            if path.relative_to(ROOT).parts[0] in ("include", "tools", "python", "examples"):
                for used in re.findall(r'#include "([^"]+)"', path.read_text()):
                    self.assertTrue((path.parent / used).exists() or used.endswith(".inc"), f"{path.name} includes {used}")

    def test_every_citation_has_a_row_and_every_row_a_test(self):
        document = (ROOT / "docs/equations.md").read_text()
        keys = set(re.findall(r"\*\*([A-Z][a-z]+\d\d[a-z]?)\*\*", document))
        cited = {key + label for path in SOURCES if path.relative_to(ROOT).parts[0] in ("include", "src")
                 for key, label in CITATION.findall(path.read_text())}
        self.assertLessEqual({re.match(r"\w+", each)[0] for each in cited}, keys, "keys without a source in docs/equations.md")
        rows = {}
        for line in document.splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 6 and (label := CITATION.search(cells[1])):
                rows[label[1] + label[2]] = cells
        self.assertEqual(cited, set(rows))
        sources = "\n".join(path.read_text() for path in SOURCES)
        for label, (_, _, _, function, test, _) in rows.items():
            for name in re.findall(r"`(\w+)[^`]*`", function):
                self.assertTrue(re.search(rf"\b{name}\b", sources), f"{label}: no function {name}")
            self.assertTrue(test, label)
            for suite, name in re.findall(r"`(\w+)\.(\w+)`", test):
                self.assertTrue(re.search(rf"\({suite},\s*{name}\b", sources), f"{label}: no test {suite}.{name}")
            self.assertRegex(test, r"`\w+\.\w+`", label)

    def test_documents_that_are_named_exist(self):
        """A comment that cites a page or a file of this repository cites one that is there."""
        for path in [*SOURCES, *(ROOT / "test").rglob("*.py"), *(ROOT / "web/src").glob("*.ts")]:
            for name in re.findall(r"\b((?:\w+/)*\w+\.md)\b", path.read_text()):
                self.assertTrue((ROOT / name).exists() or (ROOT / "docs" / name).exists(), f"{path.name} cites {name}")
        for path in [*SOURCES, *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
            for name in re.findall(r"(?<![\w/])((?:src|test|tools|python|include/thud|cmake)/[a-z0-9_/]+\.(?:[ch]pp|py|txt|cmake))\b",
                                   path.read_text()):
                self.assertTrue((ROOT / name).exists(), f"{path.name} names {name}")

    def test_format(self):
        subprocess.run(["clang-format", "--dry-run", "-Werror", *SOURCES], check=True)

    def test_links_lead_somewhere(self):
        """To a file, and where a heading is named to one that its page has."""
        for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "data").glob("*.md"),
                     *(ROOT / "web").glob("*.md")]:
            for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text()):
                there = path.parent / link if link else path
                self.assertTrue(there.exists(), f"{path.name} links to {link}")
                if anchor:
                    self.assertIn(anchor, anchors(there.read_text()), f"{path.name} links to {link}#{anchor}")

    def test_web_packages_are_pinned_and_name_no_registry(self):
        package = json.loads((ROOT / "web/package.json").read_text())
        lock = json.loads((ROOT / "web/package-lock.json").read_text())
        for name, version in package["devDependencies"].items():
            self.assertRegex(version, r"^\d+\.\d+\.\d+$", name)
            self.assertEqual(lock["packages"][f"node_modules/{name}"]["version"], version)
        for name, entry in lock["packages"].items():
            self.assertNotIn("resolved", entry, f"{name}: npm asks the registry it is set to, not one of our machines")
            self.assertTrue(name == "" or "integrity" in entry, name)

    def test_python_builds_with_the_packages_that_setup_has(self):
        pinned = set((ROOT / "setup/requirements.txt").read_text().splitlines())
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        for requirement in project["build-system"]["requires"]:
            self.assertIn(requirement, pinned)

    def test_every_record_has_its_row_and_checksum(self):
        readme = (ROOT / "data/README.md").read_text()
        for path in (ROOT / "data/records").glob("*.csv"):
            checksum = hashlib.sha256(path.read_bytes()).hexdigest()
            self.assertRegex(readme, rf"\| `records/{path.name}` \|.*`{checksum}` \|")

    def test_readme_commands_print_what_it_says(self):
        """A console block in the README is a command behind '$ ' and lines that its output holds."""
        text = (ROOT / "README.md").read_text()
        (ROOT / "build/campaign.h5").unlink(missing_ok=True)  # of an older program, perhaps
        shutil.rmtree(ROOT / "build/study", ignore_errors=True)
        for block in re.findall(r"```console\n(.*?)```", text, re.S):
            for command, shown in re.findall(r"\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block):
                if command.startswith(("make", "git", "pip")):
                    continue
                done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
                for line in shown.splitlines():
                    self.assertIn(line.rstrip(), done.stdout, command)

    def test_readme_picture_is_what_the_program_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder, "fit.svg")
            subprocess.run([ROOT / "build/release/thud", "fit", ROOT / "data/records/viscoelastic.csv", "--speed", "0.12",
                            "--plot", drawing], check=True, capture_output=True)
            self.assertEqual(drawing.read_text(), (ROOT / "docs/fit.svg").read_text(),
                             "stale: thud fit data/records/viscoelastic.csv --speed 0.12 --plot docs/fit.svg")

    def test_performance_page_is_what_the_data_say(self):
        sys.path.insert(0, str(ROOT / "bench"))
        import performance_chart
        import performance_page
        data = json.loads((ROOT / "docs/performance.json").read_text())
        stale = "stale: python3 bench/performance.py --render"
        self.assertEqual(performance_page.page(data), (ROOT / "docs/performance.md").read_text(), stale)
        self.assertEqual(performance_chart.chart(data), (ROOT / "docs/performance.svg").read_text(), stale)

        readme = (ROOT / "README.md").read_text()
        said = re.search(r"profile with its events takes some (\d+) ns and a fit of 250\s+samples some (\d+) us", readme)
        profile = 1e3 * data["profile"]["impacts"][0]["events"]["thud"]["median_us"]
        fit = data["fit"]["fit_250_samples"]["thud"]["median_us"]
        for words, measured in ((said[1], profile), (said[2], fit)):
            self.assertTrue(0.75 < measured / float(words) < 1.25, f"README: some {words}; measured: {measured}")

    def test_the_version_is_that_of_the_project(self):
        version = re.search(r"project\(thud VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"\n## {version}\n", (ROOT / "CHANGELOG.md").read_text())
        minor = version.rsplit(".", 1)[0]
        said = 0
        for path in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/CMakeLists.txt"), *ROOT.glob("test/**/CMakeLists.txt")]:
            text = path.read_text()
            for pattern, wanted in ((r"find_package\(thud ([\d.]+)", minor), (r"(?:# |<!-- )thud \w+ (\d[\d.]*\d)", version)):
                for found in re.findall(pattern, text):
                    self.assertEqual(found, wanted, path)
                    said += 1
        self.assertGreater(said, 4)

    def test_readme_code_is_the_example(self):
        def lines(text: str) -> list[str]:
            code = [re.split(r"//|#(?!include)", line)[0].strip() for line in text.splitlines()]
            return [line for line in code if line]
        for language, example in {"cpp": "impact.cpp", "python": "impact.py"}.items():
            known = lines((ROOT / "examples" / example).read_text())
            for block in re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
                for line in lines(block):
                    self.assertIn(line, known)


if __name__ == "__main__":
    unittest.main()
