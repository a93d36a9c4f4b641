"""Texts such as ``name:key=value,...`` that name a game or planner with its settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def settings_text(name: str, settings: Mapping[str, Any]) -> str:
    """``name:key=value,...`` as :func:`turnwise.registry.split_text` reads it back."""
    changed = settings_list(settings)
    return f"{name}:{changed}" if changed else name


def settings_list(settings: Mapping[str, Any]) -> str:
    """Settings without the name: ``key=value,...``."""

    def shown(value: Any) -> str:
        plain = str(value)
        is_plain = isinstance(value, (str, int, float)) and not (plain == "" or set(plain) & set('"[{'))
        return plain if is_plain and end_of_value(plain) == len(plain) else json.dumps(value)

    return ",".join(f"{key.replace('_', '-')}={shown(value)}" for key, value in settings.items())


def end_of_value(text: str) -> int:
    """Length of the plain value that a text begins with: up to a comma outside parentheses; -1: one stays open."""
    depth = 0
    for place, sign in enumerate(text):
        if sign == "," and depth == 0:
            return place
        depth += (sign == "(") - (sign == ")" and depth > 0)
    return len(text) if depth == 0 else -1
