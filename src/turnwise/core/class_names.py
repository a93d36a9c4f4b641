"""The names of classes that declare none."""

from __future__ import annotations

import re

_WORD = re.compile(r"A+(?!a)|A?[a0]+")
"""A word by the kinds of its signs: an abbreviation, or small letters and digits, perhaps after a capital."""


def registry_name(kind: type) -> str:
    """The class's name as one of the registry: ``BestOfMany`` is "best-of-many"."""
    return "-".join(_words(kind.__name__)).lower()


def title_of(kind: type) -> str:
    """The class's name for people: ``BestOfMany`` is "Best Of Many"."""
    return " ".join(_words(kind.__name__))


def _words(name: str) -> list[str]:
    kinds = "".join(map(_kind, name))
    return [name[found.start() : found.end()] for found in _WORD.finditer(kinds)]


def _kind(sign: str) -> str:
    """The kind of a sign of a class's name in any language: A, a, 0 or _."""
    if sign == "_":
        return sign
    if sign.isupper() or sign.istitle():
        return "A"
    return "0" if sign.isdecimal() else "a"
