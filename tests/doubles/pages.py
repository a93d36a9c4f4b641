"""Code in pages of the documentation that the tests run."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^```python[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """(line number, code) of every block that is run."""
    text = page.read_text()
    return [(text[: match.start(1)].count("\n"), match[1]) for match in BLOCK.finditer(text)]
