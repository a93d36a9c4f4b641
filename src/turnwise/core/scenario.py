"""A game with one scenario, without its states: pointers, evaluations and scripts by name, checks of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core import arguments
from turnwise.core.compiling import address_of
from turnwise.core.declaration import Declaration, Row
from turnwise.core.declaration_checks import check_declaration
from turnwise.core.errors import CapacityError, GameFunctionError, OptionError, counted, unknown_name
from turnwise.core.evaluation import ROLLOUTS, Evaluation, joined_name, split_name
from turnwise.core.script import Script
from turnwise.jit.record import Address, array_address

if TYPE_CHECKING:
    from turnwise.jit.kernel import Entry

A_GAME = "a game object, as turnwise.make(NAME) returns it"


class Scenario(Declaration):
    """What follows from a game's declaration, without its states; :class:`~turnwise.core.game.Game` adds these."""

    # ------------------------------------------------------------------------------------------------ for kernels

    @cached_property
    def pointers(self) -> dict[str, int]:
        """Address of every table function, 0 if it is absent; compiles on first use.

        Raises:
            GameFunctionError: A required function is missing, a name is unknown, or an attribute is wrong.
        """
        from turnwise.core.table import SIGNATURES
        from turnwise.jit.cache import compiled_together

        given = self._checked_functions
        with compiled_together(f"{self.name}'s rules"):
            return {name: self._address(name, given[name]) if name in given else 0 for name in SIGNATURES}

    @cached_property
    def _checked_functions(self) -> dict[str, Entry | int]:
        """The checked function table."""
        from turnwise.core.table_checks import checked_table

        check_declaration(self)
        return checked_table(self)

    def _address(self, name: str, function: Entry | int) -> int:
        return address_of(function, f"The function {name!r} of {self.name!r}")

    @cached_property
    def hides_information(self) -> bool:
        """Whether players do not know the whole state: the game has the functions ``view`` and ``determinise``."""
        return {"view", "determinise"} <= set(self._checked_functions)

    @property
    def unfit_checks(self) -> Mapping[str, str]:
        """Checks of the kit that do not fit this scenario, each with the reason; ``turnwise check`` skips them."""
        return {}

    @cached_property
    def pointer_row(self) -> Row:
        """uint64[functions]: the pointers in the table's order."""
        return np.array(list(self.pointers.values()), np.uint64)

    @property
    def setup_address(self) -> Address:
        """Address of the setup row."""
        if self._setup_place[0] is not self.setup:
            self._setup_place = (self.setup, array_address(self.setup))
        return self._setup_place[1]

    _setup_place: tuple[Row | None, Address] = (None, Address(0))

    # ---------------------------------------------------------------------------------------- evaluations, scripts

    @cached_property
    def _registered(self) -> dict[str, Evaluation]:
        from turnwise.core.table_checks import checked_evaluations

        check_declaration(self)
        return checked_evaluations(self)

    @cached_property
    def _added(self) -> dict[str, Evaluation]:
        return {}

    @property
    def evaluation_names(self) -> tuple[str, ...]:
        """Names of the game's evaluations, including user-defined ones; "rollouts" is built in."""
        return tuple(self._registered)

    def evaluation(self, name: str = "") -> tuple[str, Evaluation]:
        """Look up an evaluation by name or by the name of a reading ("as-coded").

        A game that assigns no evaluation to a reading has its default there, so that the presets of planners that
        reproduce a publication play every game.

        Args:
            name: Name of the evaluation, which may set its parameters: ``linear(cities=2)``; "rollouts" is built in.
                Empty: the game's default.

        Returns:
            The evaluation's own name, with the parameters that were set, and the evaluation.

        Raises:
            OptionError: The name is not a string, or sets parameters in another form.
            UnknownNameError: There is no evaluation of that name, or it has no such parameter.
        """
        name = arguments.text(name, "The name of an evaluation")
        if name in ("as-coded", "as-published") and name not in self._registered:
            name = self.evaluation_aliases.get(name, "")
        name = name or self.default_evaluation
        if name in self._registered:
            return name, self._registered[name]
        if name == ROLLOUTS:
            return name, self._rollouts
        if "(" not in name:
            raise unknown_name("evaluation", name, [*self._registered, ROLLOUTS], f"Game {self.name}")
        name, changes = split_name(name)
        name, plain = self.evaluation(name)
        return joined_name(name, changes), plain.with_parameters(name, changes)

    @property
    def _rollouts(self) -> Evaluation:
        """The built-in evaluation, with the game's bounds."""
        return Evaluation(0, *self.return_bounds(), "result of a rollout to the end of the game")

    @cached_property
    def _scripts(self) -> dict[str, Script]:
        """The game's own scripts and those that were registered, by name.

        Raises:
            GameFunctionError: The game does not give its scripts by name, or one has a name that expressions cannot
                contain.
        """
        from turnwise.core.table_checks import checked_scripts

        return checked_scripts(self)

    @cached_property
    def _added_scripts(self) -> dict[str, Script]:
        return {}

    @property
    def script_names(self) -> tuple[str, ...]:
        """Names of all scripts, including user-defined ones."""
        return tuple(self._scripts)

    def script(self, name: str) -> Script:
        """Look up a script.

        Raises:
            OptionError: The name is not a string.
            UnknownNameError: There is no script of that name.
        """
        name = arguments.text(name, "The name of a script")
        if name not in self._scripts:
            raise unknown_name("script", name, self._scripts, f"Game {self.name}")
        return self._scripts[name]

    def add_evaluation(self, name: str, evaluation: Evaluation) -> None:
        """Add an evaluation that has already been tested; see :meth:`register_evaluation`."""
        self._registered[name] = self._added[name] = evaluation

    def add_script(self, name: str, script: Script) -> None:
        """Add a script that has already been tested; see :meth:`register_script`."""
        self._scripts[name] = self._added_scripts[name] = script

    # ------------------------------------------------------------------------------------------ pickles and copies

    # ------------------------------------------------------------------------------------------- rows and players

    def shares_rows(self, other: Scenario) -> bool:
        """Whether rows of another game object are valid for this one: it is the same scenario."""
        return self is other or (type(self) is type(other) and self.spec == other.spec)

    def checked_player(self, value: object) -> int:
        """Check a player's number, from 0, that a caller passed.

        Raises:
            OptionError: There is no such player.
        """
        if type(value) is int and 0 <= value < self.players:
            return value
        hint = (
            f"{self.spec} has {counted(self.players, 'player')}. The Python interface counts players from 0, notation "
            "and displays from 1."
        )
        return arguments.whole_number(value, "A player", 0, self.players - 1, hint=hint)

    def row_copy(self, value: object) -> Row:
        """A contiguous copy of an array of the form of a state row; :meth:`check_row` checks its content.

        Returns:
            uint64[state_words].

        Raises:
            OptionError: The value is not an array of uint64.
            CapacityError: The array has another shape.
        """
        given = arguments.instance(value, np.ndarray, "A state row", f"an array uint64[{self.state_words}]")
        if given.dtype != np.uint64:
            raise OptionError(f"A state row must be an array of uint64; got one of {given.dtype}.")
        if given.shape != (self.state_words,):
            raise CapacityError(
                f"A state of {self.spec} has {counted(self.state_words, 'word')}; got an array of shape {given.shape}. "
                "Check that it is a row of this scenario."
            )
        return np.array(given, np.uint64, order="C")

    def without(self, function: str) -> GameFunctionError:
        """The error of a question that needs a function which the game does not have."""
        size = {"index": "indices", "features": "feature_shape"}[function]
        if self.is_plain_python:
            remedy = f"Write the method {function} and set the attribute {size} in its class to use this."
        else:
            remedy = f"Add it to the game's functions and set Game.{size} to use this."
        return GameFunctionError(f"{self.name} has no function {function!r}. {remedy}")

    def seat_name(self, player: int) -> str:
        """Name of a player, counted from 0.

        Raises:
            OptionError: No such player.
        """
        player = self.checked_player(player)
        return self.seats[player] if player < len(self.seats) else f"player {player + 1}"
