"""Pages of reference: one a header, from the header itself; one a header's part of the Python module, from its stub."""

import ast
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import docstrings  # noqa: E402

ORPHAN = "---\norphan: true\n---\n"  # the indices list these pages: a table of contents would carry them on every page
KEY = r"[A-Z][a-z]+\d\d[a-z]?(?:, \([^)]+\))?"  # of a citation
ITEM = re.compile(r"^(\w[\w., ]{0,30}?) {2,}(\S.*)$")  # "speed  of the point [m/s]"


def escaped(text: str) -> str:
    """Text of a comment as Markdown: `code` stays, citations and pages are links, all else is plain."""
    parts = re.split(r"(`[^`\n]+`)", re.sub(r" {2,}", " ", text))
    for i in range(0, len(parts), 2):
        plain = re.sub(r"([\\*_{}\[\]<>|#~$^])", r"\\\1", parts[i])
        plain = re.sub(r"\bdocs/([\w\\]+)\.md\b", lambda page: f"[{page[0]}](/docs/{page[1].replace(chr(92), '')}.md)", plain)
        parts[i] = re.sub(rf"\\\[({KEY})\\\]", r"[\\[\1\\]](/docs/equations.md)", plain)
    return "".join(parts)


def markdown(comment: str) -> str:
    """A comment as Markdown. Indented lines are formulas, `name  meaning` an item of a list, the rest prose."""
    out: list[str] = []
    kind = ""

    def begin(new: str) -> None:
        nonlocal kind
        if kind == "formula":
            while not out[-1]:
                out.pop()
            out.append("```")
        if new != kind or new == "item":
            out.append("")
        kind = new
        if new == "formula":
            out.append("```none")

    for line in comment.splitlines():
        if not line.strip():
            if kind != "formula":
                begin("")
            else:
                out.append("")
        elif kind == "item" and line.startswith("        "):
            out.append("  " + escaped(line.strip()))
        elif line.startswith("  "):
            if kind != "formula":
                begin("formula")
            out.append(line[2:])
        elif (item := ITEM.match(line)) and not re.fullmatch(rf"\[{KEY}\]", item[2]):
            begin("item")
            out.append(f"- `{item[1]}` {escaped(item[2])}")
        else:
            if kind != "prose":
                begin("prose")
            text = escaped(line.strip())
            out.append(re.sub(r"^([-+>=]|\d+[.)])", r"\\\1", text))
    begin("")
    return "\n".join(out).strip() + "\n"


def field_markdown(doc: str) -> str:
    """What a field is. In the one line behind it, blanks align the units: they make no item of a list."""
    return markdown(doc if "\n" in doc else re.sub(r" {2,}", " ", doc))


def heading(*names: str) -> str:
    return "\n## " + ", ".join(names).replace("_", r"\_") + "\n\n"


class Declarations(docstrings.Header):
    """Remembers in which line of its header each name is declared."""

    def __init__(self, name: str) -> None:
        super().__init__({}, name)
        self.number = 0
        self.names: dict[int, str] = {}

    def add(self, key: str, lines: list[str]) -> None:
        self.docs[key] = "\n".join(lines)
        if "." not in key:
            self.names.setdefault(self.number, key.rpartition(":")[2])

    def read(self, text: str) -> None:
        for self.number, line in enumerate(text.splitlines()):
            self.line(line)


def chunks(text: str) -> list[tuple[int, list[str]]]:
    """The declarations inside of the namespace: their first line, and lines with the comment above, up to an empty one."""
    found: list[tuple[int, list[str]]] = []
    inside, deep, new = False, 0, True
    for number, line in enumerate(text.splitlines()):
        if re.match(r"(inline )?namespace (THUD_EXPORT )?thud \{", line):
            inside = True
        elif line.startswith("}  // namespace thud"):
            inside = False
        elif inside:
            if not line.strip() and deep == 0:
                new = True
                continue
            comment = line.startswith("///")
            if new or (comment and not found[-1][1][-1].startswith("///")):
                found.append((number, []))
            new = False
            found[-1][1].append(line)
            if not comment:
                deep += line.count("{") - line.count("}")
    return found


def without_insides(code: list[str]) -> list[str]:
    """A class without its private part."""
    if not any(line.strip() == "private:" for line in code):
        return code
    end = next(i for i, line in enumerate(code) if line.strip() == "private:")
    last = max(i for i, line in enumerate(code) if line.startswith("}"))
    kept = code[:end]
    while kept and not kept[-1].strip():
        kept.pop()
    return kept + code[last:]


def header_page(path: Path, room: str, library: str, in_python: bool) -> str:
    text = path.read_text()
    reader = Declarations(path.stem)
    reader.read(text)
    out = [f"# {path.name}\n", f"`#include <thud/{path.name}>`, room `{room}`, library `{library}`."
           + (f" In Python: [{path.stem}](../python/{path.stem}.md)." if in_python else "") + " All headers: [C++ reference](index.md).\n"]
    essay = [docstrings.COMMENT.match(line)[1] for line in re.split(r"^namespace", text, flags=re.M)[0].splitlines() if line.startswith("///")]
    out.append(markdown("\n".join(essay)))
    seen: set[str] = set()
    for number, lines in chunks(text):
        comment = [docstrings.COMMENT.match(line)[1] for line in lines if line.startswith("///")]
        code = without_insides([line for line in lines if not line.startswith("///")])
        names = [reader.names[i] for i in range(number, number + len(lines)) if i in reader.names]
        new = [name for name in dict.fromkeys(names) if name not in seen]
        if new:
            out.append(heading(*new))
        seen.update(new)
        out.append(markdown("\n".join(comment)))
        if code:
            out.append("```cpp\n" + "\n".join(code) + "\n```\n")
    return "\n".join(out)


class Plain(ast.NodeTransformer):
    """Annotations as people read them: an array is an array, whatever its strides."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = ast.unparse(node.value)
        if name == "Annotated":
            return self.visit(node.slice.elts[0])
        if name == "NDArray":
            return ast.Name("ndarray")
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = ast.unparse(node)
        return ast.Name(name.rpartition(".")[2]) if name.startswith(("numpy.", "os.")) else node


def plain(node: ast.AST | None) -> str:
    return ast.unparse(Plain().visit(node)).replace("\n", " ") if node else ""


def signature(function: ast.FunctionDef, method: bool) -> str:
    arguments = function.args
    if method and arguments.posonlyargs:
        arguments.posonlyargs = arguments.posonlyargs[1:]
    elif method:
        arguments.args = arguments.args[1:]
    text = f"({plain(arguments)})"
    return text + (f" -> {plain(function.returns)}" if function.returns and function.name != "__init__" else "")


def directive(kind: str, what: str, body: str, index: bool = True, options: str = "", depth: int = 4) -> str:
    fence = ":" * depth
    return f"{fence}{{py:{kind}}} {what}\n" + ("" if index else ":no-index:\n") + options + f"\n{body}\n{fence}\n"


# What every value can do is told once, in docs/python.md.
COMMON = {"__repr__", "__getstate__", "__setstate__", "__eq__", "__hash__", "to_dict", "replace", "_repr_html_", "__reduce__"}


def class_page(node: ast.ClassDef) -> str:
    out: list[str] = []
    constructor: list[str] = []
    seen: set[str] = set()
    body = node.body
    for i, item in enumerate(body):
        doc = ""  # of a field: the text behind it
        if i + 1 < len(body) and isinstance(body[i + 1], ast.Expr) and isinstance(body[i + 1].value, ast.Constant):
            doc = inspect.cleandoc(str(body[i + 1].value.value))
        if isinstance(item, ast.FunctionDef):
            doc = ast.get_docstring(item) or ""
            decorators = [plain(each) for each in item.decorator_list]
            if item.name in COMMON:
                continue
            if "property" in decorators:
                kind = f":type: {plain(item.returns)}\n" if item.returns else ""
                out.append(directive("attribute", f"{node.name}.{item.name}", field_markdown(doc), options=kind))
            elif item.name == "__init__":
                constructor.append(directive("method", f"{node.name}.__init__{signature(item, True)}", markdown(doc), "__init__" not in seen))
            else:
                out.append(directive("method", f"{node.name}.{item.name}{signature(item, True)}", markdown(doc), item.name not in seen))
            seen.add(item.name)
        elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            name = item.targets[0].id
            if not name.startswith("__"):
                out.append(directive("attribute", f"{node.name}.{name}", field_markdown(doc)))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            out.append(directive("attribute", f"{node.name}.{item.target.id}", field_markdown(doc),
                                 options=f":type: {plain(item.annotation)}\n"))
    head = markdown(ast.get_docstring(node) or "")
    return directive("class", node.name, head + "\n" + "".join(constructor + out), depth=5)


def python_pages(root: Path, headers: list[str]) -> dict[str, str]:
    """Name of a page: its text. A name stands on the page of the first header that declares it."""
    home: dict[str, str] = {}
    for header in headers:
        reader = Declarations(header)
        reader.read((root / f"include/thud/{header}.hpp").read_text())
        for name in reader.names.values():
            home.setdefault(name, header)
    stub = ast.parse((root / "python/thud/__init__.pyi").read_text())
    pages: dict[str, list[str]] = {}
    seen: set[str] = set()

    def add(name: str, text: str) -> None:
        page = pages.setdefault(home.get(name, "more"), [])
        page.append(("" if name in seen else heading(name)) + text)
        seen.add(name)

    def take(tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                add(node.name, class_page(node))
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                add(node.name, directive("function", node.name + signature(node, False), markdown(ast.get_docstring(node) or ""), node.name not in seen))
            elif isinstance(node, ast.AnnAssign) and tree is stub:
                value = f":value: {plain(node.value)}\n" if node.value and plain(node.value) != "..." else ""
                add(node.target.id, directive("data", node.target.id, "", options=value))

    take(stub)
    for name in ("error", "mujoco", "pinocchio"):
        take(ast.parse((root / f"python/thud/{name}.py").read_text()))
    return {page: "".join(text) for page, text in pages.items()}


def logs_page(root: Path) -> str:
    """thud.logs: what its __init__ names, from where it is defined."""
    init = ast.parse((root / "python/thud/logs/__init__.py").read_text())
    out = ["# thud.logs\n", markdown(ast.get_docstring(init) or ""), "\n```{py:currentmodule} thud.logs\n```\n"]
    for line in init.body:
        if not isinstance(line, ast.ImportFrom):
            continue
        module = ast.parse((root / f"python/thud/logs/{line.module}.py").read_text())
        wanted = {alias.name for alias in line.names}
        for node in module.body:
            if getattr(node, "name", "") not in wanted:
                continue
            out.append(heading(node.name))
            out.append(class_page(node) if isinstance(node, ast.ClassDef)
                       else directive("function", node.name + signature(node, False), markdown(ast.get_docstring(node) or "")))
    return "\n".join(out)


def rooms_of_headers(root: Path) -> dict[str, tuple[str, str]]:
    """Header: its room and library, as CMake and the map of CONTRIBUTING have them."""
    libraries = dict(re.findall(r"^\| `(\w+)` \|.*\| `?([\w:]+)`?(?:, `[\w:]+`)* \|$", (root / "CONTRIBUTING.md").read_text(), re.M))
    return {header: (file.parent.name, libraries[file.parent.name])
            for file in sorted((root / "src").glob("*/CMakeLists.txt"))
            for header in re.findall(r"\b(\w+)\.hpp\b", file.read_text().split("SOURCES")[0])}


def write_index(folder: Path, pages: list[str], suffix: str, words: str) -> None:
    """The pages of a folder with what each declares, or how it begins."""
    rows = []
    for page in pages:
        text = (folder / f"{page}.md").read_text()
        names = re.findall(r"^## (.*)$", text, re.M) or re.findall(r"index\.md\)\.\n+(.*?\.)(?: |$)", text, re.M)
        rows.append(f"| [{page}{suffix}]({page}.md) | {', '.join(names)} |")
    (folder / "index.md").write_text(f"{words}\n| page | declares |\n|---|---|\n" + "\n".join(rows) + "\n")


def write(root: Path, folder: Path) -> None:
    rooms = rooms_of_headers(root)
    layers = re.findall(r"#include <thud/(\w+)\.hpp>", (root / "include/thud/thud.hpp").read_text())
    headers = [*layers, *sorted({path.stem for path in (root / "include/thud").glob("*.hpp")} - {*layers, "thud"})]
    pages = python_pages(root, headers)
    cpp, python = folder / "cpp", folder / "python"
    cpp.mkdir(parents=True)
    python.mkdir()
    for header in headers:
        (cpp / f"{header}.md").write_text(ORPHAN + header_page(root / f"include/thud/{header}.hpp", *rooms[header], header in pages))
    for page, text in pages.items():
        home = f"In C++: [{page}.hpp](../cpp/{page}.md). " if page in headers else ""
        (python / f"{page}.md").write_text(
            f"{ORPHAN}# thud: {page}\n\n{home}All pages: [Python reference](index.md).\n\n```{{py:currentmodule}} thud\n```\n{text}")
    (python / "logs.md").write_text(ORPHAN + logs_page(root))
    write_index(cpp, headers, ".hpp", "# C++ reference\n\nOne page a header, in layer order: a header uses those above it. `#include <thud/thud.hpp>` includes "
                "all but the\nlast. Units, frames and signs: [conventions.hpp](conventions.md).\n")
    write_index(python, [*(header for header in headers if header in pages), *(page for page in pages if page not in headers), "logs"], "",
                "# Python reference\n\nOne page for each C++ header that is bound, then what Python alone has. [How C++ becomes Python](../../docs/python.md)\n"
                "tells what every value can do besides: compare, `replace`, `to_dict`.\n")
