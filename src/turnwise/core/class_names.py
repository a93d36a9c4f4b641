"""The names of classes that declare none."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[^\W_]+")


def registry_name(kind: type) -> str:
    """The class's name as one of the registry: ``BestOfMany`` is "best-of-many"."""
    return "-".join(_WORDS.findall(kind.__name__)).lower()


def title_of(kind: type) -> str:
    """The class's name for people: ``BestOfMany`` is "Best Of Many"."""
    return " ".join(_WORDS.findall(kind.__name__))
