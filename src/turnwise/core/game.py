"""A game with one scenario and its states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.core import arguments, returned
from turnwise.core.declaration import Row
from turnwise.core.errors import GameFunctionError, OptionError, TurnwiseError, shown
from turnwise.core.evaluation import ROLLOUTS, Evaluation
from turnwise.core.game_options import GameOptions
from turnwise.core.pickling import ByName, class_of
from turnwise.core.scenario import A_GAME, Scenario
from turnwise.core.script import NAME, Script, name_fault
from turnwise.core.spec_text import settings_text

if TYPE_CHECKING:
    from turnwise.core.bench import Programme
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.contest import ContestProtocol
    from turnwise.core.state import State

__all__ = [
    "Evaluation",
    "Game",
    "GameOptions",
    "Improver",
    "Row",
    "RunningSearch",
    "as_game",
    "restored_game",
    "settings_text",
]


class RunningSearch(Protocol):
    """A search in progress, as a game sees it."""

    def stop(self, reason: int) -> None:
        """End the search at its next check of the limits, unless it is already ending.

        Args:
            reason: One of the stop words of :mod:`turnwise.search.forward_model`.
        """


Improver = Callable[["State", Sequence[int], Callable[[], bool]], Iterator[Sequence[int]]]
"""Takes a state, the codes of a game from there to its end, and whether the time is up; yields ever better games."""


class Game(Scenario):
    """The interface of a game for planners, arena and command line.

    A subclass is one game; an instance is one *scenario* of it (map, options). Subclasses set the attributes of
    :class:`~turnwise.core.declaration.Declaration` in ``__init__`` and implement its abstract methods.
    """

    def start(self, seed: int = 0, outcomes: Sequence[int] | None = None) -> State:
        """The first state.

        Args:
            seed: Seed of the state's own chance stream.
            outcomes: Recorded chance outcomes to follow instead of the seed.

        Raises:
            OptionError: The seed is not a whole number.
            NotationError: The recorded outcomes do not fit.
        """
        from turnwise.core.state import State

        return State.started(self, seed, outcomes)

    def from_dict(self, data: Mapping[str, Any], seed: int = 0) -> State:
        """Make a state from its canonical JSON form, with the seed of its own chance stream.

        Raises:
            NotationError: Fields are missing or invalid.
            OptionError: The seed is not a whole number.
        """
        from turnwise.core.state import State

        return State._made(self, self.row_copy(returned.state_row(self, data)), arguments.seed(seed))

    def register_evaluation(self, name: str, evaluation: Evaluation, states: int = 20) -> None:
        """Add a user-defined evaluation to this game object, after testing it on random states.

        Args:
            name: A new name.
            evaluation: The evaluation; its values must be finite and within its bounds.
            states: Number of randomly reached states to test it on.

        Raises:
            OptionError: The name is empty or not a string, or another argument has the wrong type.
            GameFunctionError: The name is taken, the function has another signature, or a value is not finite or is out
                of bounds.
        """
        from turnwise.core.checks import check_evaluation

        if not arguments.text(name, "The name of an evaluation"):
            raise OptionError("An evaluation needs a name that is not empty; the empty name means the game's default.")
        if NAME.fullmatch(name) is None:
            raise OptionError(
                "The name of an evaluation must be a word of letters, digits, dashes, dots and underscores, which "
                f"begins with a letter; got {shown(name)}."
            )
        arguments.instance(evaluation, Evaluation, "The evaluation", "an Evaluation(function, low, high, summary)")
        states = arguments.whole_number(states, "The number of states to test an evaluation on", 0, 100_000)
        if name in self._registered or name == ROLLOUTS:
            raise GameFunctionError(f"{self.name} already has an evaluation {name!r}; choose another name.")
        check_evaluation(self.start, name, evaluation, states)
        self.add_evaluation(name, evaluation)

    def register_script(self, name: str, script: Script, states: int = 20) -> None:
        """Add a user-defined script to this game object, after testing it on random states.

        Args:
            name: A new name: letters, digits, dashes, dots and underscores, beginning with a letter or underscore.
            script: The script; its actions must be legal and belong to the actor that it is asked for.
            states: Number of randomly reached states to test it on.

        Raises:
            OptionError: The name has another form, or another argument has the wrong type.
            GameFunctionError: The name is taken, the function has another signature, or an action is illegal or
                another actor's.
        """
        from turnwise.core.checks import check_script

        if fault := name_fault(arguments.text(name, "The name of a script")):
            raise OptionError(f"{fault}.")
        arguments.instance(script, Script, "The script", "a Script(function, summary)")
        states = arguments.whole_number(states, "The number of states to test a script on", 0, 100_000)
        if name in self.script_names:
            raise GameFunctionError(f"{self.name} already has a script {name!r}; choose another name.")
        check_script(self.start, name, script, states)
        self.add_script(name, script)

    @classmethod
    def contest(cls, **options: Any) -> ContestProtocol | None:
        """Start a conversation with the game's original referee for ``turnwise contest``; None: there is no referee.

        Args:
            **options: Scenario options other than the board or map, which the referee sends.

        Raises:
            OptionError: An option is unknown or has an invalid value.
        """
        return None

    @classmethod
    def conformance(cls) -> ConformanceReader | None:
        """Reader of this game's recorded play for ``turnwise verify``; None: there are no such files."""
        return None

    @classmethod
    def bench(cls) -> Programme | None:
        """The measurements of ``turnwise bench`` for this game; None: the standard figures."""
        return None

    def improver(self) -> Improver | None:
        """What makes finished games of this single-player game better without a planner; None: nothing does."""
        return None

    def published_figures(self) -> tuple[Mapping[str, str], str]:
        """Published figures of this scenario's size, for ``turnwise stats``.

        Returns:
            Texts by row of the table ("branching", "actions", "turn", "outcomes", "length", "tree"), and a note; both
            are empty if nothing was published.
        """
        return {}, ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a game as its class, its options and the evaluations and scripts that were added to it."""
        added = {name: self.packed_evaluation(evaluation) for name, evaluation in self._added.items()}
        kind = ByName(type(self), f"game {self.name!r}")
        scripts = {name: self.packed_script(script) for name, script in self._added_scripts.items()}
        return restored_game, (kind, self.changed_options(), self.rules_version, added, scripts)

    # The hooks below do nothing for compiled games; the bridge for plain Python games implements them.

    def before_plan(self, search: RunningSearch) -> None:
        """Called before a search begins: from now on the search's arrays hold rows of this game."""

    def after_plan(self, search: RunningSearch) -> None:
        """Called when that search has ended, with or without an error.

        Raises:
            GameFunctionError: A game function failed during the search; the original error is its cause.
        """


def restored_game(
    reference: Any,
    options: Mapping[str, Any],
    rules: str,
    evaluations: Mapping[str, Any],
    scripts: Mapping[str, Any],
) -> Game:
    """Make a game from the result of :meth:`Game.__reduce__`.

    Raises:
        TurnwiseError: The game has another rules version in this process.
    """
    game: Game = class_of(reference)(**options)
    if game.rules_version != rules:
        raise TurnwiseError(
            f"{game.name} was pickled under rules version {rules}; this process has version {game.rules_version}. Use "
            "the same version of the game in all processes, or keep states as JSON (State.to_json)."
        )
    for name, packed in evaluations.items():
        game.add_evaluation(name, game.unpacked_evaluation(packed))
    for name, packed in scripts.items():
        game.add_script(name, game.unpacked_script(packed))
    return game


def as_game(value: object) -> Game:
    """Check a game object.

    Raises:
        OptionError: The value is not a Game.
    """
    if not isinstance(value, Game):
        raise OptionError(f"The game must be {A_GAME}; got {shown(value)}.")
    return value
