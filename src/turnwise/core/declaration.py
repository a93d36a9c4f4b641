"""What a game declares: its sizes, function table, evaluations, notation, JSON form and drawing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from turnwise.core import returned
from turnwise.core.click_area import ClickArea
from turnwise.core.errors import GameFunctionError, NotationError
from turnwise.core.evaluation import ROLLOUTS, Evaluation
from turnwise.core.game_options import Configured
from turnwise.core.script import Script

if TYPE_CHECKING:
    from turnwise.core.file_option import FileOption
    from turnwise.jit.kernel import Entry

Row = NDArray[np.uint64]


class Declaration(Configured, ABC):
    """What a subclass supplies or overrides; :class:`~turnwise.core.scenario.Scenario` derives the rest from it.

    A subclass is one game; an instance is one *scenario* of it (map, options). Subclasses set the attributes below in
    ``__init__`` and implement the abstract methods. Rows are uint64 arrays; only the game knows their layout.

    Attributes:
        title: Name for people.
        rules_version: Changes whenever recorded games would replay differently. A scenario whose rules come from a
            data file adds the file's hash, so that results from different data are never mixed.
        players: Number of players.
        setup: uint64 row of everything that never changes in this scenario; owned by the game, read-only.
        state_words: Width of a state row in 8-byte words.
        max_actions: Capacity of a list of legal actions: a bound that the rules prove, since nothing checks it while a
            search runs. The conformance kit and ``TURNWISE_BOUNDSCHECK=1`` put guard words after lists.
        max_turn: Capacity of a plan in actions. Longer turns are planned in parts, so it should be the largest number
            of actions in one turn where the rules limit that, and a generous one elsewhere.
        turn_word: What the numbers of turns count, for people: "turn", "round", or "" if they count something else.
        first_turn: The number of the first turn; text for people counts turns and rounds from 1.
        scratch_words: Size in 8-byte words of the memory of a rollout policy during a rollout.
        is_stochastic: Whether chance takes part after the start.
        reveals_in_turn: Whether a player can learn something new in the middle of its own turn (chance or hidden
            information), so that a plan may have to be revised.
        shares_goal: Whether several players win and lose together: nobody is anybody's opponent, and at the end of a
            game all have the same result.
        completion: How searches complete a turn that they have not planned to its end: "action-score" (the best-scored
            action), "end" (end the turn, where that is legal), "uniform" (a random legal action), one of the game's
            policies, or an expression of scripts. Empty: the first of these three for which the game has the function
            or action.
        policies: Names of the game's rollout policies, in the order of their index.
        objective: The metric by which solutions of a single-player game are reported ("score"); empty: the return.
        less_is_better: Whether a smaller objective is better.
        seats: Names of the players, one for each; empty: "player 1" and so on.
        metrics: Names of the numbers that the function ``metrics`` writes.
        action_groups: Names of the groups that the function ``action_group`` sorts actions into, as "city" and "move";
            empty: the game has no such function.
        max_actors: Capacity of a list of actors, for games with the function ``actors``; 0: that of a legal list.
        script_words: Size in 8-byte words of a script's scratch memory; it always has room for a legal list.
        portfolio: Scripts, or expressions of them, that searches for assignments choose from by default; empty: all of
            the game's own.
        kind_portfolios: Kind of actor (see the function ``actor_kind``) -> scripts that suit it, for searches whose
            actors choose from the portfolio of their kind; other kinds have ``portfolio``.
        actor_kinds: Number of kinds of actors, which are numbered from 0, for messages; 0: not known.
        portfolio_aliases: Reading ("as-coded", "as-published") -> scripts that this reading chooses from in this game.
        indices: Number of places that the function ``index`` gives actions; 0: the game has no such function.
        feature_shape: Shape of the array that the function ``features`` writes; empty: the game has no such function.
        default_evaluation: The evaluation that planners use by default; "rollouts" in games without evaluations.
        evaluation_aliases: Reading ("as-coded", "as-published") -> evaluation that this reading uses in this game.
        objective_aliases: Reading -> evaluations by which this reading rates states together in this game.
        files: Options of the command line that take a name or a file (a board, a track).
        measured_players: Planners whose games show the size of the game, for ``turnwise stats``.
        measured_budget: Their budget.
        is_plain_python: Whether the game's functions are Python methods, for messages.
    """

    title: ClassVar[str]
    rules_version: str

    players: int
    setup: Row
    state_words: int
    max_actions: int
    max_turn: int
    turn_word: str = "turn"
    first_turn: int = 0
    scratch_words: int = 0
    is_stochastic: bool = False
    reveals_in_turn: bool = False
    shares_goal: bool = False
    completion: str = ""
    policies: tuple[str, ...] = ()
    max_actors: int = 0
    script_words: int = 0
    portfolio: tuple[str, ...] = ()
    kind_portfolios: Mapping[int, tuple[str, ...]] = {}
    actor_kinds: int = 0
    portfolio_aliases: Mapping[str, tuple[str, ...]] = {}
    indices: int = 0
    feature_shape: tuple[int, ...] = ()
    is_plain_python: ClassVar[bool] = False
    metrics: tuple[str, ...] = ()
    action_groups: tuple[str, ...] = ()
    default_evaluation: str = ROLLOUTS
    evaluation_aliases: Mapping[str, str] = {}
    objective_aliases: Mapping[str, tuple[str, ...]] = {}
    objective: str = ""
    less_is_better: bool = False
    seats: tuple[str, ...] = ()
    files: tuple[FileOption, ...] = ()
    end_action: int | None = None  # the code that ends a turn early, if the rules accept one at (nearly) any time
    end_can_wait: bool = False  # whether they refuse it in some states, where something else must be decided first
    lists_all_legal: bool = False  # whether ``is_legal`` accepts nothing but the actions of the legal list
    measured_players: ClassVar[tuple[str, ...]] = ("online-evolution",)
    measured_budget: ClassVar[str] = "iterations=30"
    poll_every: int = 64  # largest number of cheap steps of a search between two readings of the clock

    # --------------------------------------------------------------------------------- rules, notation, JSON form

    @abstractmethod
    def functions(self) -> Mapping[str, Entry | int]:
        """The function table: all required names and any optional ones of :mod:`turnwise.core.table`."""

    @abstractmethod
    def evaluations(self) -> Mapping[str, Evaluation]:
        """The game's evaluations by name."""

    def scripts(self) -> Mapping[str, Script]:
        """The game's scripts by name; the first one of a single-player game also completes turns without search."""
        return {}

    def return_bounds(self) -> tuple[float, float]:
        """Smallest and largest result of a player, to which the built-in evaluation "rollouts" cuts its values."""
        return -1.0, 1.0

    @abstractmethod
    def action_text(self, row: Row, action: int) -> str:
        """Text of an action in a state, even if it is not legal there.

        Raises:
            NotationError: No action has that code, which may be any 64-bit number.
        """

    @abstractmethod
    def parse_action(self, row: Row, text: str) -> int:
        """Code of an action's text; the inverse of :meth:`action_text`.

        Raises:
            NotationError: The text is not an action of this game.
        """

    @abstractmethod
    def state_dict(self, row: Row) -> dict[str, Any]:
        """Canonical JSON form of a state; equal dictionaries mean equal states."""

    @abstractmethod
    def state_row(self, data: Mapping[str, Any]) -> Row:
        """Row of a canonical JSON form; the inverse of :meth:`state_dict`.

        Raises:
            NotationError: Fields are missing or invalid.
        """

    def state_dict_like(self, row: Row, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """Write a state in the version of the JSON form that a recorded state has, to compare the two.

        Only games whose form has changed, and whose :meth:`state_row` still reads the older form, need to override it.
        """
        return self.state_dict(row)

    def check_row(self, row: Row) -> None:
        """Refuse a row of the right width that is not a valid state, before a compiled function reads it.

        The default converts the row to its JSON form and back. Override it if that form omits part of the row.

        Args:
            row: uint64[state_words], from the caller.

        Raises:
            NotationError: No state of this scenario has this row.
        """
        try:
            is_state = np.array_equal(self.state_row(self.state_dict(row)), row)
        except Exception:  # a row may hold anything, so any function that reads it may fail in any way
            is_state = False
        if not is_state:
            raise NotationError(
                f"No state of {self.spec} has this row. Take rows from states of the same scenario (state.row), or "
                "read a state with game.from_dict."
            )

    def layout(self) -> np.dtype[Any]:
        """The fields of a state row: ``rows.view(game.layout())`` gives an array of NumPy records.

        The default is the record class that the game's functions read, if it describes the whole row.

        Returns:
            A structured dtype of 8 * state_words bytes.

        Raises:
            GameFunctionError: The game does not name the fields of its rows.
        """
        from turnwise.jit.kernel import Entry
        from turnwise.jit.record import Record

        for function in self.functions().values():
            seen = function.classes()[1] if isinstance(function, Entry) else None
            if isinstance(seen, type) and issubclass(seen, Record) and seen.dtype.itemsize == 8 * self.state_words:
                return seen.dtype
        raise GameFunctionError(
            f"{self.name} does not name the fields of its rows. Override layout() so that it returns a NumPy dtype of "
            f"{8 * self.state_words} bytes, or read states as dictionaries (state.to_dict())."
        )

    def ending_text(self, row: Row) -> str:
        """The game's own name for its ending ("crystals", "turn limit"); empty if it has none.

        "turn limit" means to the arena that a limit caused a draw, not the winning conditions.
        """
        return ""

    def objective_of(self, value: float, evaluation: str) -> float | None:
        """The objective of a game that ends with a value, for displays while a search runs.

        Args:
            value: A value of the evaluation.
            evaluation: Its own name, followed by its parameters if any of them was changed: "progress(lead=2)".

        Returns:
            The objective; None if it does not follow from the value.
        """
        return None

    # ------------------------------------------------------------------------------------------------- for people

    def turn_text(self, number: int) -> str:
        """What people call the turn with a number ("Round 1"); empty if the numbers count neither turns nor rounds."""
        return f"{self.turn_word.capitalize()} {number - self.first_turn + 1}" if self.turn_word else ""

    def board_text(self, row: Row) -> str:
        """The state for a terminal."""
        import json

        return json.dumps(self.state_dict(row), indent=1)

    def coloured_board_text(self, row: Row, columns: int = 120) -> str:
        """The state for a terminal with colours (ANSI codes); games without colours show plain text.

        Args:
            row: The state.
            columns: Width of the terminal; games with wide boards have a compact form for narrow ones.
        """
        return self.board_text(row)

    def rules_text(self) -> str:
        """The rules and the form of the actions for a person at the terminal; empty: not written.

        ``rules`` in ``turnwise play`` and reports show them. Lines flow together into paragraphs; an empty line ends a
        paragraph, and a line that begins with two spaces, such as the form of an action, stays on its own.
        """
        return ""

    def legend_text(self, row: Row) -> str:
        """What the codes on the board mean, for a person at the terminal; empty: not written.

        ``legend`` in ``turnwise play`` shows it; lines flow as those of :meth:`rules_text`.

        Args:
            row: The state whose board is shown.
        """
        return ""

    def info_text(self, row: Row, subject: str) -> str:
        """What the game knows about something that a person asks for by ``info`` in ``turnwise play``.

        Args:
            row: The state.
            subject: Code or name of a card, a kind of unit, a technology and the like, in any case of letters.

        Returns:
            Some lines; empty: nothing. The command line adds what the picture and the legal actions say about it.
        """
        return ""

    def action_heading(self, row: Row, action: int) -> str:
        """The heading under which lists for people show an action: by default its first word, if it is one."""
        word = returned.action_text(self, row, action).split(" ", 1)[0]
        return word if word.isalpha() else ""

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """The state as a self-contained SVG; games without a drawing show the board's text."""
        from html import escape

        lines = returned.board_text(self, row).splitlines()
        spans = "".join(f'<tspan x="8" dy="1.2em">{escape(line)}</tspan>' for line in lines)
        height = 20 + 17 * len(lines)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" role="img">'
            f'<rect width="640" height="{height}" fill="#fff"/>'
            f'<text xml:space="preserve" font-family="monospace" font-size="14" y="8">{spans}</text></svg>'
        )

    def svg_of(self, rows: Sequence[Row], last_action: str | None = None) -> str:
        """The last of a game's states as an SVG that may show how the game got there (a path, for example).

        Args:
            rows: All states so far in order, at least one.
            last_action: Text of the action that led to the last one.
        """
        return self.svg(rows[-1], last_action)

    def click_areas(self, row: Row) -> Mapping[str, Sequence[ClickArea]]:
        """Parts of the state's SVG that a person points at to choose an action, by name; by default there are none.

        Clicks on different areas of one name mean the same. The Tab key stops at the first one only, whose label stands
        for all of them.
        """
        return {}

    def click_path(self, row: Row, action: int) -> tuple[str, ...]:
        """The areas that a person clicks for an action, one after the other: a unit and its target, for example.

        Args:
            row: The state.
            action: A legal action.

        Returns:
            Names of :meth:`click_areas`; empty: the action can only be chosen from a list. The click on the last one
            plays the action, but the click on an only one shows a button, unless the area has the action's text as its
            name.
        """
        return ()

    def seen_text(self, text: str, before: Row, after: Row) -> str:
        """An action of another player as a player learns of it; asked only where something is hidden.

        The end of a turn is public.

        Args:
            text: The whole text of the action.
            before: What the player knew before the action.
            after: What the player knows after it.

        Returns:
            The text, with "?" in the place of what the player does not see; empty, as by default: nothing is seen.
        """
        return ""

    # ------------------------------------------------------------------------------------------ pickles and copies

    def packed_row(self, row: Row) -> Any:
        """The picklable form of a state."""
        return self.state_dict(row)

    def unpacked_row(self, packed: Any) -> Row:
        """The row of a state's picklable form."""
        return self.state_row(packed)

    def packed_evaluation(self, evaluation: Evaluation) -> Any:
        """The picklable form of an evaluation that was added to this game."""
        return evaluation

    def unpacked_evaluation(self, packed: Any) -> Evaluation:
        """The evaluation of a picklable form."""
        evaluation: Evaluation = packed
        return evaluation

    def packed_script(self, script: Script) -> Any:
        """The picklable form of a script that was added to this game."""
        return script

    def unpacked_script(self, packed: Any) -> Script:
        """The script of a picklable form."""
        script: Script = packed
        return script

    def hold(self, row: Row) -> object:
        """An object that a :class:`State` must keep alive for its row to stay valid."""
        return None

    def raise_failure(self) -> None:
        """Raise the error of a failed game function, if there is one."""
