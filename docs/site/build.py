#!/usr/bin/env python3
"""The documentation as one static site: the pages of this repository, and a reference of headers and Python module.

    build.py OUT

Lays the sources of the site out in OUT/source, with the folders of the repository, so that links between its pages hold; has
Sphinx write OUT/html, where every warning is an error. Opens from disk and from any address; asks no network.
"""

import os
import re
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

import reference

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[\w-]+)?\))")

# The table of contents: Sphinx refuses a page of docs/ that is missing here.
CONTENTS = {
    "Start": ["tutorial", "from_pinocchio", "from_mujoco", "from_matlab", "studio"],
    "Predict": ["models", "impact", "limits", "maps", "aim", "gpu"],
    "Measure and fit": ["logs", "dataset", "study", "results", "translate", "real_hits"],
    "Simulate": ["lab", "sweeps", "answers", "scaling"],
    "Look up": ["command_line", "python", "equations", "performance", "performance-gpu", "fuzzing"],
}


def page_of(path: Path) -> Path:
    """The page that shows a file of the repository, both from its root; the file itself where it has none."""
    if path == Path("README.md"):
        return Path("index.md")
    if path.parent == Path("include/thud"):
        return Path("reference/cpp", path.stem + ".md")
    if path.parent == Path("examples") and path.suffix in (".cpp", ".py", ".toml"):
        return Path("examples", path.name + ".md")
    return path


def stage(path: Path, source: Path) -> None:
    """A page of the repository into the source of the site, its links to headers and examples led to their pages."""

    def led(link: re.Match) -> str:
        there = Path(os.path.normpath(path.parent / link[2]))
        page = page_of(there)
        if page == there and page.suffix != ".md" and (ROOT / there).is_file():
            (source / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / there, source / there)
        return link[1] + os.path.relpath(page, path.parent) + link[3]

    target = source / page_of(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(LINK.sub(led, (ROOT / path).read_text()))


def contents(caption: str, pages: list[str]) -> str:
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def examples(source: Path) -> None:
    folder = source / "examples"
    folder.mkdir()
    names = sorted(path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".cpp", ".py", ".toml"))
    for name in names:
        code = (ROOT / "examples" / name).read_text()
        language = {".cpp": "cpp", ".py": "python", ".toml": "toml"}[Path(name).suffix]
        (folder / f"{name}.md").write_text(f"{reference.ORPHAN}# {name}\n\n```{language}\n{code}```\n")
    rows = "".join(f"- [{name}]({name}.md)\n" for name in names)
    (folder / "index.md").write_text(f"# Examples\n\nThe programs of `examples/`.\n\n{rows}")


def main(out: str) -> int:
    folder = Path(out).resolve()
    source, html = folder / "source", folder / "html"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md", "web/README.md"):
        stage(Path(name), source)
    for path in sorted((ROOT / "docs").glob("*.md")):
        stage(path.relative_to(ROOT), source)
    examples(source)
    reference.write(ROOT, source / "reference")
    with (source / "index.md").open("a") as index:
        for caption, names in CONTENTS.items():
            index.write(contents(caption, [f"docs/{name}" for name in names]))
        index.write(contents("Reference", ["reference/cpp/index", "reference/python/index", "examples/index"]))
        index.write(contents("Project", ["CONTRIBUTING", "CHANGELOG", "data/README", "web/README"]))
    shutil.rmtree(html, ignore_errors=True)
    failed = sphinx(["-W", "--keep-going", "-q", "-c", str(Path(__file__).parent), "-d", str(folder / "doctrees"), str(source), str(html)])
    if not failed:
        print(f"docs: {html / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
