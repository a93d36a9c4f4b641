"""A tournament as data: games, players, number of games, seeds.

As a TOML file::

    name = "three players"
    games = ["hero-academy:map=a"]
    budget = "time=30ms"
    games_per_pair = 6
    seed = 1

    [players]
    mcts = "mcts"
    evolution = "online-evolution:population=100"
    greedy = "greedy-turn"

    [budgets]                  # for players with a different budget
    mcts = "iterations=1000"

    [sprt]                     # optional: end a pair's games when a sequential test decides
    elo0 = 0
    elo1 = 50

Every meeting (a pair, or a table in games of more players) plays the same starts from all its seatings
(:mod:`turnwise.arena.tournament.seating`). ``pairing`` says who meets whom:

=============== ====================================================================================================
``round-robin`` every combination of as many players as the game has seats
``sampled``     ``meetings`` of these combinations, in which every pair meets about equally often
``gauntlet``    the ``challengers`` meet all others, but not one another
``pools``       a round robin in each of the ``pools``
``tables``      exactly the ``tables`` that are listed
=============== ====================================================================================================

``starts`` names a file of states, one per line, from which the groups of games begin in turn, in place of the game's
own starts (:mod:`turnwise.arena.tournament.starts`). With ``common_starts = false`` no two meetings share a start: a
rating of many players who meet only a few times each then holds for more starts.

A tournament's identity is everything that can change a game: scenarios, players with *all* their parameters
(defaults written out), budgets, pairing, seed, limits. Its name, ``games_per_pair``, ``sprt``, ``replays`` and
``notes`` are not part of it: raising ``games_per_pair`` and running again plays only the missing games, and lowering it
discards none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from turnwise.arena.player import Notes
from turnwise.arena.tournament.starts import MOST_STARTS, read_starts
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError, unknown_name
from turnwise.core.specification import make_specification, read_specification
from turnwise.statistics.sprt import Sprt

Pairing = Literal["round-robin", "sampled", "gauntlet", "pools", "tables"]


class SprtSpec(BaseModel):
    """A sequential test of every pair: see :class:`.Sprt` and :mod:`turnwise.arena.tournament.stopping`.

    Elo differences are those of the first player of a meeting over the second, in the order of ``players`` (gauntlet:
    the challenger first; tables: as listed).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    elo0: float = Field(description="Elo difference of one hypothesis")
    elo1: float = Field(description="Elo difference of the other hypothesis, above elo0")
    alpha: float = Field(0.05, description="probability of accepting elo1 if elo0 is true")
    beta: float = Field(0.05, description="probability of accepting elo0 if elo1 is true")
    least: int = Field(0, ge=0, description="games of a pair before the test may end them")

    @model_validator(mode="after")
    def _possible(self) -> SprtSpec:
        """Check that the numbers define a test.

        Raises:
            ValueError: They do not.
        """
        self.test()
        return self

    def test(self) -> Sprt:
        """The test itself."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)


class TournamentSpec(BaseModel):
    """A tournament. Texts are those that :func:`turnwise.make` and :func:`turnwise.planner` read.

    Raises:
        OptionError: From :func:`make_spec` and :func:`read_spec`: a field is missing, unknown or invalid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("tournament", description="name for people")
    games: tuple[str, ...] = Field(min_length=1, description="scenarios")
    players: Mapping[str, str] = Field(
        min_length=1, description="name -> planner; players in a list are named by their texts"
    )
    budget: str = Field(description="budget of every turn or action, for every player")
    budgets: Mapping[str, str] = Field(
        default_factory=dict, description="name -> budget of a player with a different one"
    )
    pairing: Pairing = Field("round-robin", description="who meets whom")
    meetings: int | None = Field(
        None, ge=1, le=10**5, description="sampled: this many tables in every scenario, all if there are no more"
    )
    challengers: tuple[str, ...] = Field((), description="gauntlet: these meet all others, but not one another")
    pools: tuple[tuple[str, ...], ...] = Field((), description="pools: a round robin in each")
    tables: tuple[tuple[str, ...], ...] = Field((), description="tables: exactly these meetings")
    games_per_pair: int = Field(
        2, ge=1, le=10**7, description="games of every meeting in every scenario; a multiple of its number of seatings"
    )
    sprt: SprtSpec | None = Field(None, description="end a pair's games when a sequential test decides")
    starts: tuple[Mapping[str, Any], ...] = Field(
        (),
        max_length=MOST_STARTS,
        description="states, or a file of states, from which games begin",
    )
    common_starts: bool = Field(
        True,
        description="whether all meetings of a round have the same start, so that players are compared on the same "
        "ones; false: every meeting has its own, so that ratings hold for more starts (not in games for one player)",
    )
    seed: int = Field(0, description="seed of all starts and of all players' choices: any whole number")
    max_turns: int | None = Field(None, ge=1, description="turns after which a game is drawn by limit")
    forfeit_overrun: float | None = Field(
        None, ge=1, description="multiple of the time budget above which a player forfeits"
    )
    replays: Literal["all", "none"] | int = Field(
        "all", description="replays to keep: all, none, or the first n per meeting"
    )
    notes: Notes = Field("full", description="contents of plans in replays: full, plans, none")

    @field_validator("games", mode="before")
    @classmethod
    def _one_game(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @field_validator("players", mode="before")
    @classmethod
    def _named_by_text(cls, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            if not all(isinstance(text, str) for text in value):
                raise ValueError("a list of players must hold their texts")
            if len(set(value)) != len(value):
                raise ValueError("a player is listed twice; give names as in players = {one = ..., two = ...}")
            return {text: text for text in value}
        return value

    @field_validator("starts", mode="before")
    @classmethod
    def _of_a_file(cls, value: Any) -> Any:
        return read_starts(Path(value)) if isinstance(value, str | Path) else value

    @field_validator("replays")
    @classmethod
    def _not_negative(cls, value: Any) -> Any:
        if isinstance(value, int) and value < 0:
            raise ValueError("expected all, none, or a number of games from 0")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> TournamentSpec:
        """Check conditions on several fields.

        Raises:
            OptionError: A list does not belong to the pairing, a scenario or player is listed twice, or listed starts
                are not to be common ones.
            UnknownNameError: A name is not that of a player.
        """
        for text in (self.budget, *self.budgets.values()):
            parse_budget(text)
        if len(set(self.games)) != len(self.games):
            raise OptionError("tournament: a scenario is listed twice in 'games'.")
        if self.starts and not self.common_starts:
            raise OptionError(
                "tournament: common_starts = false but 'starts' is given; listed starts are played by all meetings. "
                "Remove one of the two."
            )
        fields = {"sampled": "meetings", "gauntlet": "challengers", "pools": "pools", "tables": "tables"}
        for pairing, field in fields.items():
            if bool(getattr(self, field)) != (pairing == self.pairing):
                raise OptionError(
                    f"tournament: pairing = {self.pairing!r} but {field!r} is "
                    f"{'given' if getattr(self, field) else 'missing'}; {field!r} belongs to pairing = {pairing!r}."
                )
        groups = (self.challengers, *self.pools, *self.tables)
        for name in (*self.budgets, *(name for group in groups for name in group)):
            if name not in self.players:
                raise unknown_name("player", name, self.players, "This tournament")
        if any(len(set(group)) != len(group) for group in groups):
            raise OptionError("tournament: a player is listed twice in one pool, table or list of challengers.")
        return self

    def budget_of(self, player: str) -> Budget:
        """The budget of a player."""
        return parse_budget(self.budgets.get(player, self.budget))

    @property
    def is_timed(self) -> bool:
        """Whether wall time limits any player, so that results depend on the machine."""
        return any(self.budget_of(name).is_timed for name in self.players)


def make_spec(**fields: Any) -> TournamentSpec:
    """Make a tournament from Python; see :class:`TournamentSpec`.

    Raises:
        OptionError: A field is missing, unknown or invalid.
    """
    return make_specification(TournamentSpec, fields, "tournament")


def read_spec(path: str | Path) -> TournamentSpec:
    """Read a tournament from a TOML file.

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not TOML.
        OptionError: A field is missing, unknown or invalid.
    """
    return read_specification(TournamentSpec, path, "a tournament")
