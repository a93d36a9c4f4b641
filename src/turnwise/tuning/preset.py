"""The result of a tuning as a preset: a table for :func:`.load_presets` or a game's ``settings.toml``."""

from __future__ import annotations

import json
import re
from typing import Any

from turnwise.core.errors import OptionError, brief
from turnwise.registry import planner
from turnwise.tuning.page import fitness_words, scenario_labels
from turnwise.tuning.run import Tuning
from turnwise.tuning.specification import TuningSpec

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


def check_preset(spec: TuningSpec, name: str) -> None:
    """Check that a tuning can be written as a preset of a name.

    Raises:
        OptionError: The name is no word, or no planner is tuned.
    """
    if spec.function:
        raise OptionError(
            f"A preset holds parameters of a planner, but fitness = {spec.fitness!r} is a function; expected a tuning "
            "of a planner."
        )
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"The name of a preset: expected letters, digits and dashes, such as 'tuned-my-game'; got {brief(name)}."
        )


def preset_text(spec: TuningSpec, tuning: Tuning, name: str) -> str:
    """The best settings of a tuning as TOML: ``[PLANNER.NAME]`` with all parameters that are not the default.

    Args:
        spec: The tuning, of a planner.
        tuning: Its result.
        name: Name of the preset.

    Raises:
        OptionError: See :func:`check_preset`; or the planner refuses the settings.
    """
    check_preset(spec, name)
    best = planner(spec.planner, **tuning.best)
    parameters: dict[str, Any] = best.parameters.model_dump(mode="json", exclude_defaults=True)
    # Tuned parameters are named even where the default won: a later default must not change the preset.
    values = best.parameters.model_dump(mode="json")
    parameters |= {key: values[key] for key in tuning.best if key in values}
    lines = [
        f"# Found by 'turnwise tune' ({_comment(spec.name)}) with {len(tuning.evaluations)} evaluations in",
        f"# {_comment(', '.join(scenario_labels(spec)))} against {_comment(', '.join(spec.opponents) or 'nobody')}, "
        f"{_comment(spec.budget)};",
        f"# fitness {fitness_words(tuning.interval)}.",
        f"[{best.name}.{name}]",
        *(f"{key.replace('_', '-')} = {_toml(value)}" for key, value in parameters.items() if value is not None),
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """A text that may stand in a comment: one line of printable characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _toml(value: Any) -> str:
    """A plain value in TOML."""
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)  # texts, numbers, true and false are the same in JSON and TOML
