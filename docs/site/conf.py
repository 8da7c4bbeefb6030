"""Sphinx's settings. `build.py` lays out what it reads."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

project = "thud"
author = "the authors of thud"
version = release = re.search(r"project\(thud VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["ref.python"]  # a type in a signature that is also the name of several fields
smartquotes = False
highlight_language = "none"

html_theme = "furo"
html_title = f"thud {version}"
html_static_path = [str(ROOT / "docs/site/style.css")]
html_css_files = ["style.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
add_module_names = False
toc_object_entries = False
maximum_signature_line_length = 100
