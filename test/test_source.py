"""How the sources are written: layers, citations, format, links, and what must not be in the repository."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = [path for folder in ("include", "src", "tools", "python", "test", "examples", "bench")
           for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".hpp", ".cpp")]
LAYERS = re.findall(r"#include <thud/(\w+)\.hpp>", (ROOT / "include/thud/thud.hpp").read_text())
DOORS = {"pinocchio": {"error", "conventions", "robot"}}  # headers for users of another library, and what they may use
CITATION = re.compile(r"\[((?:Wang22b?|Zheng85|Orin13|Stronge00|Jia17|Hunt75)(?:, \([^)]+\))?)\]")


class Source(unittest.TestCase):
    def test_dependencies_point_one_way(self):
        headers = sorted(path.stem for path in (ROOT / "include/thud").glob("*.hpp"))
        self.assertEqual(sorted([*LAYERS, *DOORS, "thud"]), headers)
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

    def test_only_the_library_sees_its_insides(self):
        for path in SOURCES:
            for used in re.findall(r'#include "([^"]+)"', path.read_text()):
                inside = (ROOT / "src" / used).exists() and not (path.parent / used).exists()
                self.assertFalse(inside, f"{path.name} includes {used} from src/")

    def test_every_citation_has_a_row_and_every_row_a_test(self):
        cited = {match for path in SOURCES if path.parts[-2] in ("thud", "src")
                 for match in CITATION.findall(path.read_text())}
        rows = {}
        for line in (ROOT / "docs/equations.md").read_text().splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 6 and (label := CITATION.search(cells[1])):
                rows[label[1]] = cells
        self.assertEqual(cited, set(rows))
        sources = "\n".join(path.read_text() for path in SOURCES)
        for label, (_, _, _, function, test, _) in rows.items():
            for name in re.findall(r"`(\w+)[^`]*`", function):
                self.assertRegex(sources, rf"\b{name}\b", f"{label}: no function {name}")
            self.assertTrue(test, label)
            for suite, name in re.findall(r"`(\w+)\.(\w+)`", test):
                self.assertRegex(sources, rf"\({suite},\s*{name}\b", f"{label}: no test {suite}.{name}")
            self.assertRegex(test, r"`\w+\.\w+`", label)

    def test_format(self):
        subprocess.run(["clang-format", "--dry-run", "-Werror", *SOURCES], check=True)

    def test_links_lead_somewhere(self):
        for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "data").glob("*.md"),
                     *(ROOT / "web").glob("*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
                self.assertTrue((path.parent / link).exists(), f"{path.name} links to {link}")

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
