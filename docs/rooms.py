"""Draw the rooms of the source and what they import: ``python docs/rooms.py`` writes docs/images/rooms.svg.

The rows are the layers of import-linter's contract in pyproject.toml, the arrows are counted from the code's own import
statements (those for type checkers only are left out). A test compares the picture with the code.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "turnwise"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"

WIDTH, ROW, BOX, GAP = 1080, 92, 62, 18
STYLE = """
text { font-family: system-ui, sans-serif; fill: #1c2733; }
.name { font-size: 15px; font-weight: 600; }
.note { font-size: 11px; fill: #52606d; }
.room { fill: #eef3f8; stroke: #8aa0b4; }
.arrow { fill: none; stroke: #52789a; stroke-opacity: 0.45; }
"""


def layers() -> list[list[str]]:
    """The rooms by layer, the highest first; rooms that do not exist yet are left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    rows = [[name.strip(" ()") for name in layer.split("|")] for layer in contract["layers"]]
    there = [[name for name in row if files_of(name)] for row in rows]
    return [row for row in there if row]


def files_of(room: str) -> list[Path]:
    """A room's source files."""
    folder = SOURCE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [p for p in [SOURCE / f"{room}.py"] if p.is_file()]


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms that a file's import statements name, once per statement."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "turnwise":
            parts = node.module.split(".")
            yield from [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]


def imports() -> Counter[tuple[str, str]]:
    """How many import statements lead from one room to another."""
    rooms = [room for row in layers() for room in row]
    return Counter(
        (room, other)
        for room in rooms
        for path in files_of(room)
        for other in imported_rooms(path)
        if other in rooms and other != room
    )


def summary(room: str, longest: int) -> str:
    """The first line of a room's docstring, shortened to so many characters."""
    path = SOURCE / room / "__init__.py"
    text = ast.get_docstring(ast.parse((path if path.is_file() else SOURCE / f"{room}.py").read_text(encoding="utf-8")))
    first = (text or "").split("\n")[0].rstrip(".")
    return first if len(first) <= longest else first[: longest - 1].rsplit(" ", 1)[0] + " …"


def picture() -> str:
    """The SVG text; equal code gives equal text."""
    rows = layers()
    places: dict[str, tuple[float, float, float]] = {}
    boxes = []
    for number, row in enumerate(rows):
        top = GAP + number * ROW
        width = (WIDTH - GAP * (len(row) + 1)) / len(row) if len(row) > 1 else WIDTH / 2
        left = GAP if len(row) > 1 else WIDTH / 4
        for room in row:
            count = len(files_of(room))
            words = escape(summary(room, int(width / 6.3)))
            boxes.append(
                f'<rect class="room" x="{left:.0f}" y="{top}" width="{width:.0f}" height="{BOX}" rx="6"/>'
                f'<text class="name" x="{left + 12:.0f}" y="{top + 22}">{escape(room)}</text>'
                f'<text class="note" x="{left + 12:.0f}" y="{top + 38}">{words}</text>'
                f'<text class="note" x="{left + 12:.0f}" y="{top + 53}">{count} file{"s" if count != 1 else ""}</text>'
            )
            places[room] = (left, top, width)
            left += width + GAP
    arrows = []
    for (room, other), count in sorted(imports().items()):
        (x1, y1, w1), (x2, y2, w2) = places[room], places[other]
        thick = min(6.0, 0.8 + count / 12)
        begin, end = (x1 + w1 / 2, y1 + BOX), (x2 + w2 / 2, y2)
        bend = (end[1] - begin[1]) / 2
        arrows.append(
            f'<path class="arrow" stroke-width="{thick:.1f}" marker-end="url(#tip)" d="M{begin[0]:.0f} {begin[1]:.0f} '
            f'C{begin[0]:.0f} {begin[1] + bend:.0f} {end[0]:.0f} {end[1] - bend:.0f} {end[0]:.0f} {end[1]:.0f}">'
            f"<title>{room} imports {other} {count} times</title></path>"
        )
    height = GAP + len(rows) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Rooms of the source, higher ones import lower ones">\n<style>{STYLE}</style>\n'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#52789a"/></marker></defs>\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n' + "\n".join([*arrows, *boxes]) + "\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(PICTURE)
