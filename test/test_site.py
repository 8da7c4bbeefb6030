"""The documentation as a site: it builds without a warning, its links are alive, and it needs neither a server nor a network.

    test_site.py FOLDER
"""

import pathlib
import re
import subprocess
import sys
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
HTML = FOLDER / "html"


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([sys.executable, ROOT / "docs/site/build.py", FOLDER], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.pages = {path: path.read_text() for path in sorted(HTML.rglob("*.html"))}

    def test_links_are_relative_and_alive(self):
        names = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in self.pages.items()}
        for path, text in self.pages.items():
            for link in re.findall(r'\b(?:href|src)="([^"]*)"', text):
                where, _, anchor = urllib.parse.unquote(link.split("?")[0]).partition("#")
                if re.match(r"\w+:", where):
                    continue
                self.assertFalse(where.startswith("/"), f"{path}: {link} holds at the root of a server alone")
                there = (path.parent / where).resolve() if where else path
                self.assertTrue(there.is_file(), f"{path}: {link}")
                if anchor and there in names:
                    self.assertIn(anchor, names[there], f"{path}: {link}")

    def test_nothing_comes_from_a_network(self):
        for path, text in self.pages.items():
            for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", text):
                self.assertNotRegex(tag, r'(?:src|href)="(?:\w+:)?//', path)
        for path in HTML.rglob("*.css"):
            self.assertNotRegex(path.read_text(), r"(?:url\(|@import )[\"']?(?:\w+:)?//", path)

    def test_every_page_and_header_is_there(self):
        for path in (ROOT / "docs").glob("*.md"):
            self.assertIn(HTML / f"docs/{path.stem}.html", self.pages)
        for path in (ROOT / "include/thud").glob("*.hpp"):
            if path.stem != "thud":
                self.assertIn(HTML / f"reference/cpp/{path.stem}.html", self.pages)

    def test_every_page_has_a_place_in_the_contents(self):
        sys.path.insert(0, str(ROOT / "docs/site"))
        import build
        listed = [page for pages in build.CONTENTS.values() for page in pages]
        self.assertEqual(sorted(listed), sorted(path.stem for path in (ROOT / "docs").glob("*.md")))

    def test_public_names_can_be_looked_up(self):
        """A function and a class, with their words, in both languages; and by the search, which opens from disk."""
        cpp = self.pages[HTML / "reference/cpp/impulse.html"]
        python = self.pages[HTML / "reference/python/impulse.html"]
        for text in (cpp, python):
            self.assertIn('id="normal-impulse"', text)
            self.assertIn("at the end of compression", text)
        self.assertIn('id="thud.NormalImpulse.compression"', python)
        self.assertIn("normal_impulse", (HTML / "searchindex.js").read_text())

    def test_what_a_field_is_stands_as_words(self):
        """In its line the unit is set apart by blanks, as a meaning is from its name in the lists of a comment."""
        self.assertRegex(self.pages[HTML / "reference/python/translate.html"], r'id="thud.HitOutcome.peak">(?s:.*?)<dd><p>force \[N\]</p>')
        for path in (HTML / "reference/python").glob("*.html"):
            for field in re.findall(r'<dl class="py attribute">.*?</dl>', self.pages[path], re.S):
                self.assertNotRegex(field, r"<dd>\s*(?:<ul|<div)", path)

    def test_a_dead_link_fails(self):
        source = FOLDER / "dead"
        source.mkdir(exist_ok=True)
        for link, alive in (("#title", True), ("#nowhere", False), ("nowhere", False)):
            (source / "index").with_suffix(".md").write_text(f"# Title\n\n[x]({link})\n")
            build = [sys.executable, "-m", "sphinx", "-W", "-q", "-E", "-c", ROOT / "docs/site", source, FOLDER / "dead_html"]
            done = subprocess.run(build, capture_output=True, text=True)
            self.assertEqual(done.returncode == 0, alive, f"{link}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
