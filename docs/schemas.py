"""JSON schemas of scenario files, for editors: completion, explanations of fields, and marks at mistakes.

Run ``python docs/schemas.py`` after a change of a scenario file's model; the tests fail while a schema and the code
differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from turnwise.games.stratega.mode import Mode

DOCS = Path(__file__).parent
SCHEMAS: Mapping[Path, tuple[type[BaseModel], str]] = {
    DOCS / "games" / "stratega-mode.schema.json": (Mode, "A mode of the strategy engine of turnwise"),
}


class _Schema(GenerateJsonSchema):
    """Fields have no titles of their own, so that editors show their names and descriptions."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_text(model: type[BaseModel], title: str) -> str:
    """The schema of a model, as the text of its file."""
    found = model.model_json_schema(schema_generator=_Schema)
    top = {"$schema": GenerateJsonSchema.schema_dialect, "title": title, "description": model.__doc__}
    return json.dumps(top | {key: value for key, value in found.items() if key not in top}, indent=2) + "\n"


def main() -> None:
    """Write all schemas, and name those that have changed."""
    for path, (model, title) in SCHEMAS.items():
        text = schema_text(model, title)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"renewed {path.relative_to(DOCS)}\n")


if __name__ == "__main__":
    main()
