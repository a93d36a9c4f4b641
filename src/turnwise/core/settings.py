"""A game's ``settings.toml``: tuned settings of planners, and the recommended planners.

    [recommended]
    playing = "turn-maximin"
    by-options = [{ map = "a-tiny", planner = "turn-maximin:least-width=128" }]
    solving = "nrpa:preset=recommended-my-game"
    by-seconds = [{ from = 0.0, planner = "nrpa" }, { from = 5.0, planner = "beam-search" }]
    contest = "rhea"

    [contest]
    driver = "my_game.first_answers:Driver"

    [rhea.my-game]
    population = 100

    [ea-roll.my-game]
    based-on = "rhea.my-game"
    rollouts = 2

All other tables are presets: ``[PLANNER.PRESET]`` with parameters. ``based-on`` names a preset in the same file whose
parameters are applied first; ``reading`` names a preset of the planner itself ("as-coded"), whose parameters come
before all of these. The file is in the folder of the game's package and is read as data, without importing
anything of the game.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import DamagedFileError, brief
from turnwise.core.text_file import read_toml

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

FILE = "settings.toml"
LARGEST_FILE = 256 * 1024
_BASE = "based-on"

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The content of a game's settings file.

    Attributes:
        presets: Planner -> preset -> parameters, with names as in Python.
        solving: Text of the planner recommended for whole games; empty: none.
        by_seconds: Planners for whole games, each with the seconds from which it is the strongest, in rising order.
        contest: Text of the planner for contests, where a referee waits for every turn; empty: that for whole games.
        driver: ``module:Class`` of the contest's :class:`~turnwise.core.contest.Driver`; empty: none.
        source: The file, for messages.
        playing: Text of the planner recommended for playing turn by turn; empty: none.
        by_options: Planners for playing scenarios with certain options, option -> value; the first that fits is taken.
    """

    presets: Mapping[str, Mapping[str, Parameters]] = field(default_factory=dict)
    solving: str = ""
    by_seconds: tuple[tuple[float, str], ...] = ()
    contest: str = ""
    driver: str = ""
    source: str = ""
    playing: str = ""
    by_options: tuple[tuple[Parameters, str], ...] = ()


def package_folder(module: str) -> Path | None:
    """The folder of a package, or of the package that a module belongs to; None: it belongs to none.

    Args:
        module: Name of the module. It is not imported, but the packages that contain it are.
    """
    spec = _spec(module)
    if spec is not None and spec.submodule_search_locations is None:
        spec = _spec(spec.parent) if spec.parent else None
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return Path(places[0]) if places else None


def _spec(module: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError):  # a package that is gone, or a module outside packages (a notebook)
        return None


def settings_in(module: str) -> GameSettings:
    """The settings of the game in a module; empty if its package has no settings file.

    Raises:
        DamagedFileError: The file cannot be read, or its content is invalid.
    """
    folder = package_folder(module)
    return GameSettings() if folder is None or not (folder / FILE).is_file() else read_settings(folder / FILE)


def read_settings(path: Path, what: str = "a game's settings") -> GameSettings:
    """Read a settings file.

    Args:
        path: The file.
        what: What it holds, for messages.

    Raises:
        DamagedFileError: It cannot be read, or its content is invalid; the message names file, place and remedy.
    """
    data = read_toml(path, LARGEST_FILE, f"{what} in TOML")
    try:
        return _settings(data, str(path))
    except ValueError as error:
        raise DamagedFileError(f"{path}: {error}.") from None


def _settings(data: dict[str, Any], source: str) -> GameSettings:
    """Check the tables of a file, and sort them into settings.

    Raises:
        ValueError: A table is invalid.
    """
    recommended = _table(data, "recommended", "playing", "by-options", "solving", "by-seconds", "contest")
    contest = _table(data, "contest", "driver")
    by_seconds = tuple(_step(entry) for entry in _list(recommended, "by-seconds", "{ from, planner }"))
    if [least for least, _ in by_seconds] != sorted({least for least, _ in by_seconds}):
        raise ValueError("[recommended] by-seconds: expected rising numbers for 'from'")
    planners = {name: table for name, table in data.items() if name not in ("recommended", "contest")}
    return GameSettings(
        {planner: _presets(planners, planner) for planner in planners},
        _text(recommended, "recommended", "solving"),
        by_seconds,
        _text(recommended, "recommended", "contest"),
        _text(contest, "contest", "driver"),
        source,
        _text(recommended, "recommended", "playing"),
        tuple(_scenario(entry) for entry in _list(recommended, "by-options", "{ OPTION, planner }")),
    )


def _table(data: dict[str, Any], name: str, *keys: str) -> dict[str, Any]:
    found = data.get(name, {})
    unknown = [key for key in found if key not in keys] if isinstance(found, dict) else [found]
    if unknown:
        raise ValueError(f"[{name}]: expected a table with {', '.join(keys)}; got {brief(unknown[0])}")
    return dict(found)


def _text(table: dict[str, Any], name: str, key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"[{name}] {key}: expected a string, got {brief(value)}")
    return value


def _list(table: dict[str, Any], key: str, entries: str) -> list[Any]:
    found = table.get(key, [])
    if not isinstance(found, list):
        raise ValueError(f"[recommended] {key}: expected a list of {entries}, got {brief(found)}")
    return found


def _step(entry: Any) -> tuple[float, str]:
    known = isinstance(entry, dict) and set(entry) == {"from", "planner"}
    if not known or not isinstance(entry["from"], int | float) or not isinstance(entry["planner"], str):
        raise ValueError(
            f'[recommended] by-seconds: expected entries such as {{ from = 5.0, planner = "nrpa" }}; got {brief(entry)}'
        )
    return float(entry["from"]), entry["planner"]


def _scenario(entry: Any) -> tuple[Parameters, str]:
    known = isinstance(entry, dict) and len(entry) > 1 and isinstance(entry.get("planner"), str)
    if not known:
        raise ValueError(
            '[recommended] by-options: expected entries such as { map = "small", planner = "mcts" }; got '
            f"{brief(entry)}"
        )
    options = {name.replace("-", "_"): value for name, value in entry.items() if name != "planner"}
    return options, entry["planner"]


def _presets(planners: dict[str, Any], planner: str) -> dict[str, Parameters]:
    presets = planners[planner]
    if not isinstance(presets, dict):
        raise ValueError(f"[{planner}]: expected a table of presets, got {brief(presets)}")
    return {preset: _parameters(planners, planner, preset) for preset in presets}


def _parameters(planners: dict[str, Any], planner: str, preset: str, seen: tuple[str, ...] = ()) -> dict[str, Any]:
    """Parameters of a preset, applied after those of the preset that it is based on."""
    name = f"{planner}.{preset}"
    presets = planners.get(planner)
    table = presets.get(preset) if isinstance(presets, dict) else None
    if not seen and not isinstance(table, dict):
        raise ValueError(f"[{planner}] {preset}: expected a table of parameters, got {brief(table)}")
    if not isinstance(table, dict) or name in seen:
        raise ValueError(f"{_BASE} = {name!r}: expected PLANNER.PRESET of another preset in this file")
    own = {key.replace("-", "_"): value for key, value in table.items() if key != _BASE}
    if _BASE not in table:
        return own
    other, _, base = str(table[_BASE]).partition(".")
    return {**_parameters(planners, other, base, (*seen, name)), **own}
