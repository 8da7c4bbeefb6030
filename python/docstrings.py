#!/usr/bin/env python3
"""Docstrings of the Python module, taken from the comments of the C++ headers, so that each fact stands once.

    docstrings.py OUTPUT HEADER...

Writes a C++ table of (key, text). Keys are "Class", "Class.member" and "header:function", where a second overload with a
comment of its own is "header:function#2". Fields have the comment behind them, everything else the /// block above;
declarations that follow each other share it. `Throws` becomes `Raises`; what is said about real time is about C++ and left
out.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^(?:struct|class|enum class)\s+(\w+)[^;]*\{(.*\};)?$")
FIELD = re.compile(r"^  (?! |using|friend|return|explicit)[\w:<>,*& ]+?[ >&*](\w+(?:,\s*\w+)*)(?:\s*(?:=[^;]*|\{[^;]*\}))?;")
CALL = re.compile(r"(\w+|operator\[\])\(")
ENUMERATOR = re.compile(r"^  (\w+),?\s*(?:///?<?\s*(.*))?$")
COMMENT = re.compile(r"\s*///?<?\s?(.*)$")


def tidy(lines):
    """Comment lines as a docstring: real time left out, runs of blanks kept (formulas are aligned by them)."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    text = re.sub(r"(?m)[ ]*Real-time(?:, for validated laws)?\.", "", text)
    text = re.sub(r"\b([Tt])hrow(s?)\b", lambda word: ("R" if word[1] == "T" else "r") + "aise" + word[2], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


class Header:
    """Walks one header and collects its comments."""

    def __init__(self, docs, name):
        self.docs = docs
        self.header = name
        self.block = []  # the /// lines above
        self.used = False  # by a declaration: the next /// line begins another block
        self.scope = ""  # class we are in
        self.field = ""  # whose comment goes on in the next line

    def add(self, key, lines):
        text = tidy(lines)
        if not text:
            return
        if key in self.docs:
            if self.docs[key] == text:
                return
            number = 2
            while f"{key}#{number}" in self.docs:
                number += 1
            key = f"{key}#{number}"
        self.docs[key] = text

    def line(self, line):
        if line.strip().startswith("///") and not line.strip().startswith("///<"):
            self.block = [] if self.used else self.block
            self.used = False
            self.block.append(COMMENT.match(line).group(1))
            return
        self.used = True
        if self.field and re.match(r"^ {8,}//", line):  # the comment behind a field goes on
            for key in self.field:
                self.docs[key] = tidy([self.docs[key] + " " + COMMENT.match(line).group(1).strip()])
            return
        self.field = ""
        if not line.strip():
            self.block = []
        elif not self.scope and (block := BLOCK.match(line)):
            self.add(block.group(1), self.block)
            self.scope = "" if block.group(2) else block.group(1)
            self.block = []
        elif line == "};":
            self.scope = ""
        elif self.scope:
            self.member(line)
        elif re.match(r"^[\w\[]", line) and not line.startswith(("namespace", "#", "using", "static_assert", "template")):
            self.name(line, self.header + ":")

    def member(self, line):
        code, _, behind = line.partition("//")
        behind = [behind.lstrip("/< ").strip()] if behind else []
        if (field := FIELD.match(code)) and "(" not in code.split("=")[0].split("{")[0]:
            names = [name.strip() for name in field.group(1).split(",")]
            self.field = [f"{self.scope}.{name}" for name in names] if behind else []
            for name in names:
                self.add(f"{self.scope}.{name}", behind or self.block)
        elif re.match(r"^  \w", code) and "(" in code:
            self.name(line, self.scope + ".", behind)
        elif enumerator := ENUMERATOR.match(line):
            self.field = [f"{self.scope}.{enumerator.group(1)}"] if enumerator.group(2) else []
            self.add(f"{self.scope}.{enumerator.group(1)}", [enumerator.group(2) or ""])

    def name(self, line, prefix, behind=()):
        constant = re.match(r"^inline (?:constexpr|const) [\w:]+(?: [\w:]+)? (\w+)", line)
        if call := CALL.search(line):
            key = call.group(1)
            key = "__init__" if prefix == key + "." else key
            self.add(prefix + key, behind or self.block)
        elif constant:
            self.add(prefix + constant.group(1), self.block)


def docstrings(headers):
    docs = {}
    for header in headers:
        reader = Header(docs, Path(header).stem)
        for line in Path(header).read_text().splitlines():
            reader.line(line)
    return docs


def main(output, *headers):
    rows = [f'    {{"{key}", R"doc({text})doc"}},\n' for key, text in sorted(docstrings(headers).items())]
    Path(output).write_text("// Made by docstrings.py from the headers.\n" + "".join(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
