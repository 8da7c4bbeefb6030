"""docs/performance.svg as a function of what was measured: bars of one query, by a logarithmic axis."""
import math
from xml.sax.saxutils import escape

from performance_page import OWN, by_median, number, widest

WIDTH, LEFT, RIGHT, TOP, ROW = 840, 230, 150, 62, 30

# Colours follow the reader's: GitHub shows an SVG with the page's light or dark.
STYLE = """text{font:13px Helvetica,Arial,sans-serif;fill:#1f2328}.soft{fill:#59636e}.title{font-size:16px;font-weight:600}
.grid{stroke:#d1d9e0}.thud{fill:#0072b2}.rival{fill:#8c959f}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.soft{fill:#9198a1}.grid{stroke:#3d444d}
.thud{fill:#56b4e9}.rival{fill:#6e7681}}"""


def two_digits(x):
    return f"{x:.0f}" if x >= 10 else f"{x:.2g}"


def chart(data):
    end = widest(data)
    rows = [(name.removesuffix(end), row) for name, row in by_median(data["query"]["rivals"])
            if name.endswith(end) or not name.startswith("thud")]
    own = data["query"]["rivals"][OWN + end]["median_ns"]
    times = [row["median_ns"] for _, row in rows]
    low, high = math.floor(math.log10(min(times) / 2)), math.log10(max(times))
    x = lambda ns: LEFT + (math.log10(ns) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    bottom = TOP + ROW * len(rows)
    size = f'viewBox="0 0 {WIDTH} {bottom + 34}" width="{WIDTH}" height="{bottom + 34}"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
           "<title>Time of one query: thud and its rivals</title>", f"<style>{STYLE}</style>",
           f'<text class="title" x="{LEFT}" y="24">One query of the Panda on one core</text>',
           f'<text class="soft" x="{LEFT}" y="44">median of {data["query"]["rounds"]} interleaved rounds; '
           "×: of thud's single query</text>"]
    for power in range(low, math.floor(high) + 1):
        for factor in (1, 2, 5):
            ns = factor * 10 ** power
            if ns <= 10 ** high:
                out.append(f'<path class="grid" d="M{x(ns):.1f} {TOP}V{bottom}"/>')
                out.append(f'<text class="soft" x="{x(ns):.1f}" y="{bottom + 20}" text-anchor="middle">{ns:g}</text>')
    out.append(f'<text class="soft" x="{WIDTH - RIGHT + 18}" y="{bottom + 20}">ns</text>')
    for i, (name, row) in enumerate(rows):
        ns = row["median_ns"]
        y, end = TOP + ROW * i, x(ns)
        kind = "thud" if name.startswith("thud") else "rival"
        out += [f'<text x="{LEFT - 10}" y="{y + 20}" text-anchor="end">{escape(name)}</text>',
                f'<rect class="{kind}" x="{LEFT}" y="{y + 5}" width="{end - LEFT:.1f}" height="{ROW - 10}" rx="2"/>',
                f'<text x="{end + 8:.1f}" y="{y + 20}">{number(ns)} ns, {two_digits(ns / own)}×</text>']
    return "\n".join([*out, "</svg>"]) + "\n"
