"""Games and planners by name: those of turnwise, and those of other packages through entry points."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from turnwise.core import arguments
from turnwise.core.errors import OptionError, TurnwiseError, UnknownNameError, brief, shown, unknown_name
from turnwise.core.settings import GameSettings, read_settings, settings_in
from turnwise.core.spec_text import end_of_value
from turnwise.core.text_file import json_trouble
from turnwise.core.user_classes import refuse_required_arguments, refuse_unfinished
from turnwise.search import presets

if TYPE_CHECKING:
    from turnwise.core.game import Game
    from turnwise.search.planner import Planner

GAME_GROUP, PLANNER_GROUP = "turnwise.games", "turnwise.planners"
Item = TypeVar("Item")
_SEPARATORS = ":=,"
ENGINE, _ENGINE_CLASS = "process", "turnwise.interop.engines.player:ProcessPlanner"
ENGINE_GAME, _ENGINE_GAME_MODULE = "process-game", "turnwise.interop.engines.registered"  # which registers it


class Registry(Generic[Item]):
    """Names -> classes, imported when they are first requested.

    Args:
        kind: Kind of the entries, for messages.
        group: Entry-point group in which other packages register theirs.
        own: Name -> "module:Class" of the entries in turnwise itself.
    """

    def __init__(self, kind: str, group: str, own: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._paths = dict(own)
        self._classes: dict[str, type[Item]] = {}
        self._scanned = False

    def add(self, name: str, item: type[Any]) -> None:
        """Register a class for this process (a notebook, a test, an example).

        Raises:
            TurnwiseError: The name is taken by another class.
            OptionError: The name is not a word that ``name:key=value`` can begin with, or the item is not a class, or a
                class that lacks methods or calls itself something else.
        """
        name = arguments.text(name, f"The name of a {self.kind}")
        if not name or set(name) & set(_SEPARATORS) or any(letter.isspace() for letter in name):
            raise OptionError(
                f"The name of a {self.kind} must be a word without spaces and without {' '.join(_SEPARATORS)}; got "
                f"{brief(name)}. In NAME:OPTION=VALUE,OPTION=VALUE these signs end the name. Join words by dashes, as "
                "in 'my-name'."
            )
        arguments.instance(item, type, f"What is registered as {self.kind}", "a class")
        _refuse_other_kinds(item, self.kind)
        _refuse_unusable(item, self.kind)
        self._scan()
        known, path = self._classes.get(name), self._paths.get(name)
        is_other = known is not None and known.__qualname__ != item.__qualname__
        is_of_path = known is item or path in (None, f"{item.__module__}:{item.__qualname__}")
        if is_other or not is_of_path:
            where = f" in {path.partition(':')[0]}" if path else ""
            raise TurnwiseError(f"There is already a {self.kind} {name!r}{where}; choose another name.")
        self._settle_name(name, item)
        self._classes[name] = item

    def _settle_name(self, name: str, item: type[Any]) -> None:
        """Give a class without a name of its own the one that it is registered under.

        Raises:
            OptionError: It has another name, from which the texts follow that results and seeds are kept under.
        """
        if getattr(item, "is_named_by_class", False):
            item.name, item.is_named_by_class = name, False
        own = getattr(item, "name", name)
        if own != name:
            raise OptionError(
                f"The class {item.__name__} cannot be the {self.kind} {name!r}: its own name is {brief(own)}, under "
                f"which nobody would find it. Set name = {name!r} in the class, or register it as {brief(own)}."
            )

    def _scan(self) -> None:
        if not self._scanned:
            for point in entry_points(group=self.group):
                self._paths.setdefault(point.name, point.value)
            self._scanned = True

    def names(self) -> list[str]:
        """All names, sorted."""
        self._scan()
        return sorted({*self._paths, *self._classes})

    def get(self, name: str) -> type[Item]:
        """Import the class of a name.

        Raises:
            UnknownNameError: There is no entry of that name.
            TurnwiseError: Its module cannot be imported.
            OptionError: The class lacks methods, or calls itself something else.
        """
        self._check(name)
        if name not in self._classes:
            found = load(self._paths[name], f"{self.kind} {name!r}")
            _refuse_other_kinds(found, self.kind)
            _refuse_unusable(found, self.kind)
            self._settle_name(name, found)
            self._classes[name] = found
        return self._classes[name]

    def module(self, name: str) -> str:
        """Name of the module for which a name is registered; the module is not imported.

        Raises:
            UnknownNameError: There is no entry of that name.
        """
        self._check(name)
        return self._paths[name].partition(":")[0] if name in self._paths else self._classes[name].__module__

    def _check(self, name: str) -> None:
        is_known = isinstance(name, str) and (name in self._classes or name in self._paths or name in self.names())
        if not is_known:
            raise self._unknown(name)

    def _unknown(self, name: str) -> UnknownNameError:
        """The error for a name without an entry, which may be one of the user's own."""
        error = unknown_name(self.kind, name, self.names())
        if self.kind == "game" and isinstance(name, str) and name == ENGINE_GAME:
            return UnknownNameError(
                f"The game {name!r} starts a program, so that only those who ask for it can use it: 'turnwise --import "
                f"{_ENGINE_GAME_MODULE} ...' (in Python: import it first)."
            )
        script = " A script of a game plays as 'script:script=NAME'." if self.kind == "planner" else ""
        return UnknownNameError(
            f"{error}{script} To use a {self.kind} of your own, name the module that registers it: 'turnwise --import "
            f"MODULE ...' (in Python: import it first); or install its package, with an entry point in {self.group!r}."
        )


def _base_of(kind: str) -> type[Any]:
    """The base class of a kind; those of planners import the compiler, which games do not need to be described."""
    if kind == "game":
        from turnwise.core.game import Game

        return Game
    from turnwise.search.planner import Planner

    return Planner


def _refuse_other_kinds(item: type[Any], kind: str) -> None:
    """Refuse a class without the texts under which results are kept.

    Raises:
        OptionError: It does not derive from the base class of its kind.
    """
    base = _base_of(kind)
    if not issubclass(item, base):
        own = "PythonGame for a game" if kind == "game" else "Planner, or PythonPlanner for a planner"
        raise OptionError(
            f"The class {item.__name__} cannot be registered: expected one that derives from turnwise.{base.__name__}, "
            "whose name and parameters commands show and results are kept under. Derive it from "
            f"turnwise.{own} in plain Python."
            + (
                ""
                if kind == "game"
                else " From Python, turnwise.arena.play_game and check_planner also take an object that has only plan."
            )
        )


def _refuse_unusable(item: type[Any], kind: str) -> None:
    """Refuse a class whose objects could not be made or called.

    Raises:
        OptionError: It lacks methods that its base class asks for, or has them with other arguments.
    """
    refuse_unfinished(item, kind)
    refuse_required_arguments(item, kind)
    check = getattr(item, "refuse_wrong_methods", None)
    if inspect.ismethod(check):
        check()


def load(path: str, what: str) -> Any:
    """Import an object by its path.

    Args:
        path: ``module:attribute``.
        what: Description of the object, for messages.

    Raises:
        TurnwiseError: There is no such module, or it has no such attribute.
    """
    module, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise TurnwiseError(f"The {what} cannot be loaded from {module!r}: {error}.") from error


GAMES = Registry["Game"](
    "game",
    GAME_GROUP,
    {
        "hero-academy": "turnwise.games.hero_academy:HeroAcademy",
        "samegame": "turnwise.games.samegame:SameGame",
        "search-race": "turnwise.games.search_race:SearchRace",
        "stratega": "turnwise.games.stratega:Stratega",
        "tribes": "turnwise.games.tribes:Tribes",
    },
)
PLANNERS = Registry["Planner"](
    "planner",
    PLANNER_GROUP,
    {
        "do-nothing": "turnwise.planners.baselines:DoNothing",
        "random": "turnwise.planners.baselines:Random",
        "heuristic": "turnwise.planners.baselines:Heuristic",
        "random-heuristic": "turnwise.planners.baselines:RandomHeuristic",
        "script": "turnwise.planners.baselines:ScriptPlayer",
        "greedy-action": "turnwise.planners.baselines:GreedyAction",
        "osla": "turnwise.planners.baselines:OSLA",
        "greedy-turn": "turnwise.planners.greedy_turn:GreedyTurn",
        "mcts": "turnwise.planners.mcts:MCTS",
        "mcts-non-exploring": "turnwise.planners.mcts:NonExploringMCTS",
        "mcts-bridge-burning": "turnwise.planners.mcts:BridgeBurningMCTS",
        "mcts-unit-ordered": "turnwise.planners.mcts:UnitOrderedMCTS",
        "portfolio-mcts": "turnwise.planners.mcts:PortfolioMCTS",
        "sp-mcts": "turnwise.planners.single_player_mcts:SPMCTS",
        "rhea-mcts": "turnwise.planners.hybrids:RHEAMCTS",
        "mcts-rhea": "turnwise.planners.hybrids:MCTSRHEA",
        "ea-alt-actions": "turnwise.planners.hybrids:EAAltActions",
        "online-evolution": "turnwise.planners.online_evolution:OnlineEvolution",
        "oep": "turnwise.planners.online_evolution:OEP",
        "emcts": "turnwise.planners.evolutionary_mcts:EMCTS",
        "fh-emcts": "turnwise.planners.evolutionary_mcts:FlexibleHorizonEMCTS",
        "tbets": "turnwise.planners.turn_tree:TBETS",
        "nrpa": "turnwise.planners.nrpa:NRPA",
        "beam-search": "turnwise.planners.beam_search:BeamSearch",
        "turn-maximin": "turnwise.planners.turn_maximin:TurnMaximin",
        "nmcs": "turnwise.planners.nmcs:NMCS",
        "flat-mc": "turnwise.planners.flat_mc:FlatMC",
        "rhea": "turnwise.planners.rhea:RHEA",
        "ea-roll": "turnwise.planners.rhea:EARoll",
        "pgs": "turnwise.planners.portfolio_greedy:PGS",
        "ngs": "turnwise.planners.portfolio_greedy:NGS",
        "sss": "turnwise.planners.portfolio_greedy:SSS",
        "prhea": "turnwise.planners.portfolio_evolution:PRHEA",
        "mo-prhea": "turnwise.planners.portfolio_evolution:MOPRHEA",
        "s-prhea": "turnwise.planners.portfolio_evolution:SPRHEA",
        "poe": "turnwise.planners.portfolio_evolution:POE",
        "naive-mcts": "turnwise.planners.naive_mcts:NaiveMCTS",
        "lsi": "turnwise.planners.naive_mcts:LSI",
    },
)


def split_text(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``name:key=value,key=value``; dashes in keys become underscores.

    Commas within parentheses belong to the value: ``script=first(attack,retreat)``. A value with other commas, a list
    or a table is written as JSON: ``units=["king","archer"]``. After ``process:`` and ``process-game:`` comes a
    command as it stands, unless it begins with ``command=``.

    Raises:
        OptionError: A part has no ``=``, a value begins like JSON but is not valid, a parenthesis stays open, or the
            argument is not a string.
    """
    if not isinstance(text, str):
        raise OptionError(
            f"Expected a name, with options if needed, as in NAME or NAME:OPTION=VALUE,OPTION=VALUE; got {shown(text)}."
        )
    name, _, settings = text.partition(":")
    if name in (ENGINE, ENGINE_GAME) and not settings.startswith("command="):
        return name, {"command": settings.strip()}
    found: dict[str, Any] = {}
    decoder = json.JSONDecoder(object_pairs_hook=_table)
    at = 0
    while at < len(settings):
        key, equals, rest = settings[at:].partition("=")
        if not equals or "," in key:
            part, hint = key.partition(",")[0], ""
            if found:  # a list without quotes, as in portfolio=drink,fly
                option, begun = next(reversed(found.items()))
                value = f"{begun},{part.strip()}" if isinstance(begun, str) else "..."
                option = option.replace("_", "-")
                hint = (
                    f' If it belongs to the value of {option!r}, put that in quotes: {option}="{value}" (in a shell '
                    "with single quotes around the whole text)."
                )
            raise OptionError(f"{text!r}: {part!r} is not of the form OPTION=VALUE.{hint}")
        at += len(key) + 1
        if rest[:1] in ('"', "[", "{"):
            try:
                value, length = decoder.raw_decode(rest)
            except OptionError as error:
                raise OptionError(f"{text!r:.80}: the value of {key.strip()!r}: {error}") from None
            except (ValueError, RecursionError) as error:
                trouble = json_trouble(error, rest)
                raise OptionError(f"{text!r:.80}: the value of {key.strip()!r}: {trouble}.") from None
        else:
            length = end_of_value(rest)
            if length < 0:
                raise OptionError(f"{text!r:.80}: ')' is missing in the value of {key.strip()!r}: {brief(rest)}.")
            value = rest[:length].strip()
        if rest[length : length + 1] not in ("", ","):
            raise OptionError(f"{text!r}: a comma is missing after the value of {key.strip()!r}.")
        at += length + 1
        key = key.strip()
        name_in_python = key.replace("-", "_")
        if not key:
            raise OptionError(f"{text!r:.80}: there is no name before '={value}'; expected OPTION=VALUE.")
        if name_in_python in found:
            raise OptionError(
                f"{text!r:.80}: {key!r} is given twice, as {brief(found[name_in_python])} and as {brief(value)}; give "
                "one of them."
            )
        found[name_in_python] = value
    return name.strip(), found


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The table of a JSON object.

    Raises:
        OptionError: A key is given twice.
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise OptionError(f"{brief(key)} is given twice in one table; remove one of them.")
        found[key] = value
    return found


def make(text: str, **options: Any) -> Game:
    """Make a game.

    Args:
        text: Its name, with options if needed: ``"hero-academy:map=a-small,deck=small"``.
        **options: Further scenario options.

    Raises:
        UnknownNameError: There is no game of that name.
        OptionError: An option is unknown or has an invalid value.
    """
    name, settings = split_text(text)
    return GAMES.get(name)(**_joined(text, settings, options))


def planner(text: str, **parameters: Any) -> Planner:
    """Make a planner.

    Args:
        text: Its name, with parameters if needed: ``"online-evolution:population=50,preset=as-coded"``; or
            ``"process:COMMAND"``, an engine in another process.
        **parameters: Further parameters.

    Raises:
        UnknownNameError: There is no planner of that name.
        OptionError: A parameter is unknown or has an invalid value.
    """
    name, settings = split_text(text)
    kind = load(_ENGINE_CLASS, "engines") if name == ENGINE else PLANNERS.get(name)
    made: Planner = kind(**_joined(text, settings, parameters))
    return made


def _joined(text: str, settings: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a text and those in addition to it.

    Raises:
        OptionError: A setting is in both.
    """
    twice = [name for name in more if name in settings]
    if twice:
        name = twice[0]
        raise OptionError(
            f"{text!r:.80}: {name.replace('_', '-')!r} is given twice, as {brief(settings[name])} in the text and as "
            f"the argument {name}={brief(more[name])}; give one of them."
        )
    return {**settings, **more}


def game_settings(game: Game | str) -> GameSettings:
    """A game's settings in its ``settings.toml``, read without importing the game.

    Args:
        game: A game, or its name.

    Raises:
        UnknownNameError: There is no game of that name.
        DamagedFileError: The file cannot be read, or its content is invalid.
    """
    if isinstance(game, str):
        return _settings_in(GAMES.module(game))
    return _settings_in(GAMES.module(game.name) if game.name in GAMES.names() else type(game).__module__)


@cache
def _settings_in(module: str) -> GameSettings:
    return settings_in(module)


def all_settings() -> dict[str, GameSettings]:
    """Game -> its settings in its ``settings.toml``.

    Raises:
        DamagedFileError: A file cannot be read, or its content is invalid.
    """
    return {name: game_settings(name) for name in GAMES.names()}


def load_presets(path: str | Path) -> list[str]:
    """Make the presets of a file known in this process: one that ``turnwise tune --write-preset`` wrote, or your own.

    Args:
        path: The file, with tables ``[PLANNER.PRESET]`` as in a game's ``settings.toml``. If it was loaded before, its
            presets are replaced, unless it is refused now.

    Returns:
        The presets as texts, such as ``"mcts:preset=tuned-mcts"``.

    Raises:
        DamagedFileError: The file cannot be read, is not TOML, or holds something that is no preset.
        UnknownNameError: There is no planner of a name in it.
        OptionError: The planner refuses the parameters of a preset, there is no preset in the file, or not a path.
        TurnwiseError: There is another preset of that name.
    """
    path = arguments.path(path, "The file of presets")
    settings = read_settings(path, "presets of planners")
    if replace(settings, presets={}, source="") != GameSettings():
        raise OptionError(
            f"{path}: expected presets only, got [recommended] or [contest], which only a game's own settings have. "
            "Remove these tables."
        )
    if not any(settings.presets.values()):
        raise OptionError(
            f"{path}: there is no preset in it; expected a table [PLANNER.PRESET] with parameters, as 'turnwise tune "
            "--write-preset' writes it."
        )
    for name in settings.presets:
        if name not in PLANNERS.names():
            raise unknown_name("planner", name, PLANNERS.names(), f"{path}")
    key = str(path.resolve())
    earlier = presets.settings_of(key)
    presets.add(key, settings)
    try:
        found = [f"{name}:preset={preset}" for name, tables in settings.presets.items() for preset in tables]
        for text in found:
            planner(text)
    except BaseException:
        presets.remove(key)
        if earlier is not None:
            presets.add(key, earlier)
        raise
    return found


def lasting_text(text: str) -> str:
    """A planner's text that any process understands: a preset of a loaded file is replaced by its parameters."""
    name, settings = split_text(text)
    return planner(text).spec if presets.is_added(name, str(settings.get("preset", ""))) else text


def games() -> list[str]:
    """Names of all games."""
    return GAMES.names()


def planners() -> list[str]:
    """Names of all planners."""
    return PLANNERS.names()
