"""The list of games of a tournament: their seats, order and seeds.

Games come in groups: the same start, once from every seating of the players (:mod:`.seating`). Groups are scheduled
round by round: in each round every meeting plays one group in every scenario. Therefore raising ``games_per_pair``
changes neither the order nor any number, seed or key of the games scheduled before.

All meetings of a round have the same start (common random numbers): the seed of a start depends only on the tournament
seed, the scenario and the round, so players are compared on the same starts. With ``common_starts = false`` it also
depends on the players of the meeting.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from pydantic import BaseModel, ConfigDict

from turnwise.arena.match import MatchRules
from turnwise.arena.player import Notes
from turnwise.arena.tournament.recorded_names import recorded_settings
from turnwise.arena.tournament.sampled_tables import links_all, sampled_tables
from turnwise.arena.tournament.seating import seatings
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.arena.tournament.starts import start_states
from turnwise.core import arguments
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.registry import lasting_text, make, planner
from turnwise.search.planner import Planner

FORMAT = 1
"""Part of every tournament's identity; raised whenever the same specification would give different games."""

MOST_TABLES = 100_000
"""Largest number of meetings in a scenario; each is at least one game."""


class GameJob(BaseModel):
    """One game to be played, as plain data: any worker with the same packages can play it.

    Attributes:
        key: Hash of the tournament's identity, rules version, start and seats.
        number: Increases in the tournament's order of games.
        group: Games of one group share their start, from all seatings.
        scenario: The scenario's ``spec``.
        start: First state as JSON; empty: the one that the seed gives.
        full_scenario: Its ``full_spec``, which holds the contents of scenario files; empty: it has none.
        rules: Version of its rules.
        start_seed: Seed of the start.
        names: Names by seat.
        players: Planner texts by seat.
        budgets: Budget texts by seat.
        seeds: The players' seeds by seat.
        max_turns: See :class:`~turnwise.arena.match.MatchRules`.
        forfeit_overrun: See :class:`~turnwise.arena.match.MatchRules`.
        notes: See :class:`~turnwise.arena.match.MatchRules`.
        keep_replay: Whether the record keeps the steps.
        imports: Modules that register further games and planners.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    number: int
    group: int
    scenario: str
    rules: str
    start_seed: int
    names: tuple[str, ...]
    players: tuple[str, ...]
    budgets: tuple[str, ...]
    seeds: tuple[int, ...]
    max_turns: int | None
    forfeit_overrun: float | None
    notes: Notes
    keep_replay: bool
    imports: tuple[str, ...] = ()
    full_scenario: str = ""
    start: str = ""

    @property
    def scenario_to_make(self) -> str:
        """The text from which any process can make the scenario."""
        return self.full_scenario or self.scenario

    @property
    def match_rules(self) -> MatchRules:
        """Limits and notes."""
        return MatchRules(self.max_turns, self.forfeit_overrun, self.notes if self.keep_replay else "none")


@dataclass(frozen=True)
class Schedule:
    """A tournament whose texts have been parsed.

    Attributes:
        spec: The specification.
        games: Its scenarios.
        planners: Its players by name.
        imports: Modules that register further games and planners.
        starts: States from which groups of games begin, in turn; empty: the games' own starts.
    """

    spec: TournamentSpec
    games: tuple[Game, ...]
    planners: dict[str, Planner]
    imports: tuple[str, ...] = ()
    starts: tuple[State, ...] = ()

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that can change a game, as JSON data, except the rules' versions (see ``rules``)."""
        spec = self.spec
        # Fields that came later are there only where they change a game, so that recorded tournaments can go on.
        later: dict[str, Any] = {"meetings": spec.meetings} if spec.meetings is not None else {}
        if any(game.players > 2 for game in self.games):
            later["seatings"] = "Williams squares"
        if not spec.common_starts:
            later["common_starts"] = False
        if self.starts:
            later["starts"] = [len(self.starts), hash_of([state.to_dict() for state in self.starts])]
        return {
            "format": FORMAT,
            "games": [[game.name, _all_settings(game.options)] for game in self.games],
            "players": [
                [name, [mind.name, self._recorded_settings(name, mind)], str(spec.budget_of(name))]
                for name, mind in self.planners.items()
            ],
            "pairing": [spec.pairing, spec.challengers, spec.pools, spec.tables],
            "seed": spec.seed,
            "max_turns": spec.max_turns,
            "forfeit_overrun": spec.forfeit_overrun,
            **later,
        }

    def _recorded_settings(self, name: str, mind: Planner) -> dict[str, Any]:
        is_timed, hides = self.spec.budget_of(name).is_timed, any(game.hides_information for game in self.games)
        return recorded_settings(mind.name, _all_settings(mind.parameters), hides=hides, is_timed=is_timed)

    @cached_property
    def identity_hash(self) -> str:
        """Hash of the identity."""
        return hash_of(self.identity)

    @property
    def rules(self) -> dict[str, str]:
        """Rules version of every scenario."""
        return {game.recorded_spec: game.rules_version for game in self.games}

    def tables_of(self, game: Game) -> list[tuple[str, ...]]:
        """All meetings in a scenario, each with the players in the order of their first game.

        Raises:
            OptionError: There are too few or too many meetings, or a table has the wrong size.
        """
        spec, seats = self.spec, game.players
        names = list(spec.players)
        self._check_number_of_tables(game)
        found: Iterable[tuple[str, ...]]
        if spec.pairing == "tables":
            wrong = [table for table in spec.tables if len(table) != seats]
            if wrong:
                raise OptionError(
                    f"{game.spec} has {counted(seats, 'seat')}; the table {list(wrong[0])} does not fill them."
                )
            found = spec.tables
        elif spec.pairing == "pools":
            found = dict.fromkeys(table for pool in spec.pools for table in combinations(pool, seats))
        elif spec.pairing == "gauntlet":
            others = [name for name in names if name not in spec.challengers]
            found = [(name, *rest) for name in spec.challengers for rest in combinations(others, seats - 1)]
        elif spec.meetings is not None and spec.meetings < comb(len(names), seats):
            found = self._sampled(game, spec.meetings)
        else:
            found = combinations(names, seats)
        tables = list(found)
        if not tables:
            needed = f", so it needs at least {counted(seats, 'player')}" if len(names) < seats else ""
            raise OptionError(
                f"{game.spec} has {counted(seats, 'seat')}{needed}; there is no meeting of "
                f"{counted(len(names), 'player')} in pairing {spec.pairing!r}; add players (the same planner may play "
                "under several names)."
            )
        return tables

    def _check_number_of_tables(self, game: Game) -> None:
        """Check that there are not too many meetings to list.

        Raises:
            OptionError: There are.
        """
        spec, seats = self.spec, game.players
        others = len(spec.players) - len(spec.challengers)
        count = {
            "round-robin": comb(len(spec.players), seats),
            "gauntlet": len(spec.challengers) * comb(others, seats - 1),
            "pools": sum(comb(len(pool), seats) for pool in spec.pools),
        }.get(spec.pairing, 0)
        if count > MOST_TABLES:
            raise OptionError(
                f"pairing = {spec.pairing!r}: {counted(len(spec.players), 'player')} make {count:,} meetings in "
                f"{game.spec}, a game for {seats}; expected at most {MOST_TABLES:,}. With pairing = 'sampled' and "
                f"meetings = {4 * len(spec.players)}, for example, every pair meets about equally often."
            )

    def _sampled(self, game: Game, tables: int) -> list[tuple[str, ...]]:
        """A balanced sample of the tables of a scenario.

        Raises:
            OptionError: So few tables do not link all players.
        """
        names = list(self.spec.players)
        drawn = sampled_tables(len(names), game.players, tables, derive_seed(self.spec.seed, "tables", game.spec))
        if game.players == 1 or not links_all(len(names), drawn):
            fewest = len(names) if game.players == 1 else -(-(len(names) - 1) // (game.players - 1))
            raise OptionError(
                f"meetings = {tables}: so few tables do not link all {len(names)} players of {game.spec} (seats: "
                f"{game.players}), so they could not be compared; expected at least {max(fewest, tables + 1)}, better "
                f"{max(4 * len(names), tables + 1)}."
            )
        return [tuple(names[entrant] for entrant in table) for table in drawn]

    def jobs(self) -> Iterator[GameJob]:
        """All games in order.

        Raises:
            OptionError: There are too few players or too many meetings, ``games_per_pair`` is not a multiple of the
                number of seatings, there is a sequential test of a game that is not for two players, or players of a
                game for one do not have the same starts.
        """
        spec = self.spec
        meetings = [(game, table) for game in self.games for table in self.tables_of(game)]
        for game in self.games:
            if spec.sprt is not None and game.players != 2:
                raise OptionError(
                    f"sprt: a sequential test compares two players, but {game.spec} has "
                    f"{counted(game.players, 'seat')}. Remove [sprt] or the game."
                )
            if not spec.common_starts and game.players == 1:
                raise OptionError(
                    f"common_starts = false: players of {game.spec} play alone and are compared on the same starts. "
                    "Remove it, or the game."
                )
            ways = len(seatings(game.players))
            if spec.games_per_pair % ways:
                up = -(-spec.games_per_pair // ways) * ways
                raise OptionError(
                    f"games_per_pair = {spec.games_per_pair}: {game.spec} has {counted(game.players, 'seat')} and "
                    f"every start is played from {counted(ways, 'seating')}, so that players change seats and "
                    f"neighbours evenly; expected a multiple of {ways}, for example {up}."
                )
        most_ways = max(len(seatings(game.players)) for game in self.games)
        for deal in range(spec.games_per_pair):
            for index, (game, table) in enumerate(meetings):
                ways = len(seatings(game.players))
                if deal * ways < spec.games_per_pair:
                    group = deal * len(meetings) + index
                    for way in range(ways):
                        yield self._job(group * most_ways + way, group, game, table, deal, way)

    def _job(self, number: int, group: int, game: Game, table: tuple[str, ...], deal: int, way: int) -> GameJob:
        spec, ways = self.spec, seatings(game.players)
        names = tuple(table[place] for place in ways[way])
        own = () if spec.common_starts else table
        start_seed = derive_seed(spec.seed, "start", game.recorded_spec, deal, *own)
        keep = spec.replays == "all" or (isinstance(spec.replays, int) and deal * len(ways) + way < spec.replays)
        key = hash_of([self.identity_hash, game.recorded_spec, game.rules_version, start_seed, names])
        return GameJob(
            key=key,
            number=number,
            group=group,
            scenario=game.recorded_spec,
            rules=game.rules_version,
            start_seed=start_seed,
            names=names,
            players=tuple(self.planners[name].spec for name in names),
            budgets=tuple(str(spec.budget_of(name)) for name in names),
            seeds=tuple(derive_seed(key, "player", seat) for seat in range(len(names))),
            max_turns=spec.max_turns,
            forfeit_overrun=spec.forfeit_overrun,
            notes=spec.notes,
            keep_replay=keep,
            imports=self.imports,
            full_scenario=_full_spec(game),
            start=self._start_texts[deal % len(self.starts)] if self.starts else "",
        )

    @cached_property
    def _start_texts(self) -> tuple[str, ...]:
        return tuple(json.dumps(state.to_dict()) for state in self.starts)

    @property
    def full(self) -> TournamentSpec:
        """The specification as results hold it: without names of files, neither of scenarios nor of presets."""
        games = (_full_spec(game) or text for game, text in zip(self.games, self.spec.games, strict=True))
        players = {name: lasting_text(text) for name, text in self.spec.players.items()}
        return self.spec.model_copy(update={"games": tuple(games), "players": players})


def _full_spec(game: Game) -> str:
    """A scenario's text with the contents of its files; empty if it has none."""
    return game.full_spec if game.full_spec != game.spec else ""


def make_schedule(spec: TournamentSpec, imports: Sequence[str] = ()) -> Schedule:
    """Parse a tournament's texts.

    Args:
        spec: The specification.
        imports: Modules to import first, here and in every worker: they register user-defined games and planners.

    Raises:
        UnknownNameError: No such game or planner.
        OptionError: An option or parameter is invalid, two scenarios are the same, or the starts are not of the one
            scenario.
        NotationError: An entry of the starts is no state of the game.
        TurnwiseError: A module cannot be imported.
    """
    import_modules(imports)
    arguments.instance(spec, TournamentSpec, "A tournament", "a TournamentSpec, from make_spec or read_spec")
    games = tuple(make(text) for text in spec.games)
    if len({game.spec for game in games}) != len(games):
        raise OptionError("tournament: two of the 'games' are the same scenario.")
    minds = {name: planner(text) for name, text in spec.players.items()}
    return Schedule(spec, games, minds, tuple(imports), start_states(spec.starts, games))


def import_modules(names: Sequence[str]) -> None:
    """Import modules that register games and planners.

    Raises:
        OptionError: Not a list of texts.
        TurnwiseError: A module cannot be imported.
    """
    for name in arguments.items(names, str, "The modules to import", "their names"):
        try:
            importlib.import_module(name)
        except (ImportError, ValueError) as error:  # an empty name is a ValueError
            raise TurnwiseError(
                f"The module {name!r} cannot be imported: {error}. It must be installed, or its folder must be in "
                "PYTHONPATH, on every machine that plays games."
            ) from None


def _all_settings(settings: BaseModel) -> dict[str, Any]:
    """All settings, defaults written out, so that a changed default is noticed."""
    return settings.model_dump(mode="json")


def hash_of(data: Any) -> str:
    """32 hexadecimal digits that identify JSON data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
