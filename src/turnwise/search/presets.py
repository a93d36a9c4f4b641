"""Presets of planners: their own, those that games declare in their settings, and those of files that a user names.

Only the registry knows the games, and it is above this package; ``turnwise/__init__.py`` connects the two.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing would cost 30 ms of "import turnwise"

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from turnwise.core.settings import GameSettings, Parameters
    from turnwise.search.planner import Planner

_READING = "reading"  # key of a game's preset
_source: Callable[[], Mapping[str, GameSettings]] = dict
_added: dict[str, GameSettings] = {}  # path -> the presets of a file that was loaded in this process


def connect(source: Callable[[], Mapping[str, GameSettings]]) -> None:
    """Set where the settings of all games come from.

    Args:
        source: Returns game -> settings; called when presets are looked up.
    """
    global _source
    _source = source


def add(path: str, settings: GameSettings) -> None:
    """Make the presets of a file known in this process, in place of those that it held before.

    Args:
        path: Identifies the file.
        settings: Its content.
    """
    _added[path] = settings


def settings_of(path: str) -> GameSettings | None:
    """What a file has added; None: it was not added."""
    return _added.get(path)


def remove(*paths: str) -> None:
    """Forget the presets of files."""
    for path in paths:
        _added.pop(path, None)


def added() -> tuple[str, ...]:
    """The files that were added, by their paths."""
    return tuple(_added)


def is_added(planner: str, preset: str) -> bool:
    """Whether a file that was added declares a preset: other processes do not know it."""
    return any(preset in settings.presets.get(planner, {}) for settings in _added.values())


def source_of(planner: str, preset: str) -> str:
    """The settings file that declares a preset, for messages; empty if none does."""
    files = (*_source().values(), *_added.values())
    found = [settings.source for settings in files if preset in settings.presets.get(planner, {})]
    return found[0] if found else ""


def games_of(planner: str, preset: str) -> tuple[str, ...]:
    """The games whose settings declare a preset; empty if the planner itself or a file of the user does."""
    return tuple(game for game, settings in _source().items() if preset in settings.presets.get(planner, {}))


def note_on_games(planner: Planner[Any], game: str) -> str:
    """A sentence for errors if a planner has the settings of a preset that another game declares; empty: it has not."""
    its = planner.parameters.model_dump(mode="json")
    for preset, declared in planner.all_presets().items():
        games = games_of(planner.name, preset)
        changes = planner.Parameters(**declared).model_dump(mode="json", exclude_defaults=True)
        if games and game not in games and changes and changes.items() <= its.items():
            return f" The preset {preset!r} of planner {planner.name} is for the game {', '.join(games)}."
    return ""


def presets_of(planner: str, own: Mapping[str, Parameters]) -> dict[str, Parameters]:
    """All presets of a planner, its own first.

    Args:
        planner: Its name.
        own: Its own presets.

    Raises:
        TurnwiseError: Two presets of one name, or a game's settings that cannot be read.
    """
    from turnwise.core.errors import TurnwiseError

    found = dict(own)
    homes = dict.fromkeys(own, "the planner itself")
    files = {settings.source: settings for settings in _source().values()}  # several games may share a package
    for settings in (*files.values(), *_added.values()):
        for preset, parameters in settings.presets.get(planner, {}).items():
            if preset in found:
                raise TurnwiseError(
                    f"The preset {preset!r} of planner {planner} is declared twice, by {homes[preset]} and in "
                    f"{settings.source}; rename one of them."
                )
            found[preset], homes[preset] = _with_reading(parameters, own, f"{planner}.{preset}"), settings.source
    return found


def _with_reading(parameters: Parameters, own: Mapping[str, Parameters], name: str) -> Parameters:
    """A declared preset with those parameters of a reading, a preset of the planner itself, that it does not set.

    Raises:
        TurnwiseError: The planner has no such reading.
    """
    from turnwise.core.errors import TurnwiseError

    if _READING not in parameters:
        return parameters
    reading = parameters[_READING]
    if reading not in own:
        raise TurnwiseError(f"[{name}] {_READING}: expected one of {', '.join(own) or 'none'}; got {reading!r}.")
    return {**own[reading], **{key: value for key, value in parameters.items() if key != _READING}}
