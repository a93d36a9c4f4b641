"""The list of games of a tournament: their seats, order and seeds.

Games come in groups: the same start, once with every rotation of the seats. Groups are scheduled round by round: in
each round every meeting plays one group in every scenario. Therefore raising ``games_per_pair`` changes neither the
order nor any number, seed or key of the games scheduled before.

All meetings of a round have the same starts (common random numbers): the seed of a start depends only on the tournament
seed, the scenario and the round, so players are compared on the same starts.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from pydantic import BaseModel, ConfigDict

from turnwise.arena.match import MatchRules
from turnwise.arena.player import Notes
from turnwise.arena.tournament.recorded_names import recorded_settings
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.game import Game
from turnwise.registry import make, planner
from turnwise.search.planner import Planner

FORMAT = 1
"""Part of every tournament's identity; raised whenever the same specification would give different games."""


class GameJob(BaseModel):
    """One game to be played, as plain data: any worker with the same packages can play it.

    Attributes:
        key: Hash of the tournament's identity, rules version, start and seats.
        number: Increases in the tournament's order of games.
        group: Games of one group share their start, with seats rotated.
        scenario: Text of the scenario.
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
    """

    spec: TournamentSpec
    games: tuple[Game, ...]
    planners: dict[str, Planner]
    imports: tuple[str, ...] = ()

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that can change a game, as JSON data, except the rules' versions (see ``rules``)."""
        spec = self.spec
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
        }

    def _recorded_settings(self, name: str, mind: Planner) -> dict[str, Any]:
        is_timed = self.spec.budget_of(name).is_timed
        return recorded_settings(mind.name, _all_settings(mind.parameters), is_timed=is_timed)

    @cached_property
    def identity_hash(self) -> str:
        """Hash of the identity."""
        return hash_of(self.identity)

    @property
    def rules(self) -> dict[str, str]:
        """Rules version of every scenario."""
        return {game.spec: game.rules_version for game in self.games}

    def tables_of(self, game: Game) -> list[tuple[str, ...]]:
        """All meetings in a scenario, each with the players in the order of their first game.

        Raises:
            OptionError: There are too few players, or a table has the wrong size.
        """
        spec, seats = self.spec, game.players
        names = list(spec.players)
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
        else:
            found = combinations(names, seats)
        tables = list(found)
        if not tables:
            raise OptionError(
                f"{game.spec} has {counted(seats, 'seat')}, but there is no meeting of {counted(len(names), 'player')} "
                f"in pairing {spec.pairing!r}; add players (the same planner may play under several names)."
            )
        return tables

    def jobs(self) -> Iterator[GameJob]:
        """All games in order.

        Raises:
            OptionError: There are too few players, ``games_per_pair`` is not a multiple of the number of seats, or
                there is a sequential test of a game that is not for two players.
        """
        spec = self.spec
        meetings = [(game, table) for game in self.games for table in self.tables_of(game)]
        for game in self.games:
            if spec.sprt is not None and game.players != 2:
                raise OptionError(
                    f"sprt: a sequential test compares two players, but {game.spec} has "
                    f"{counted(game.players, 'seat')}. Remove [sprt] or the game."
                )
            if spec.games_per_pair % game.players:
                up = -(-spec.games_per_pair // game.players) * game.players
                raise OptionError(
                    f"games_per_pair = {spec.games_per_pair}: {game.spec} has {counted(game.players, 'seat')} and "
                    f"every start is played from all of them; expected a multiple of {game.players}, for example {up}."
                )
        most_seats = max(game.players for game in self.games)
        for deal in range(spec.games_per_pair):
            for index, (game, table) in enumerate(meetings):
                if deal * game.players < spec.games_per_pair:
                    group = deal * len(meetings) + index
                    for rotation in range(game.players):
                        yield self._job(group * most_seats + rotation, group, game, table, deal, rotation)

    def _job(self, number: int, group: int, game: Game, table: tuple[str, ...], deal: int, rotation: int) -> GameJob:
        spec = self.spec
        names = table[rotation:] + table[:rotation]
        start_seed = derive_seed(spec.seed, "start", game.spec, deal)
        keep = spec.replays == "all" or (
            isinstance(spec.replays, int) and deal * game.players + rotation < spec.replays
        )
        key = hash_of([self.identity_hash, game.spec, game.rules_version, start_seed, names])
        return GameJob(
            key=key,
            number=number,
            group=group,
            scenario=game.spec,
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
        )


def make_schedule(spec: TournamentSpec, imports: Sequence[str] = ()) -> Schedule:
    """Parse a tournament's texts.

    Args:
        spec: The specification.
        imports: Modules to import first, here and in every worker: they register user-defined games and planners.

    Raises:
        UnknownNameError: No such game or planner.
        OptionError: An option or parameter is invalid, or two scenarios are the same.
        TurnwiseError: A module cannot be imported.
    """
    import_modules(imports)
    games = tuple(make(text) for text in spec.games)
    if len({game.spec for game in games}) != len(games):
        raise OptionError("tournament: two of the 'games' are the same scenario.")
    minds = {name: planner(text) for name, text in spec.players.items()}
    return Schedule(spec, games, minds, tuple(imports))


def import_modules(names: Sequence[str]) -> None:
    """Import modules that register games and planners.

    Raises:
        TurnwiseError: A module cannot be imported.
    """
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
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
