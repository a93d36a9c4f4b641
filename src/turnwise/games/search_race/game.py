"""Search Race as planners, arena and command line know it: its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from turnwise.core.game import Evaluation, Game, GameOptions, Improver, Row
from turnwise.games.search_race.files import FILES
from turnwise.games.search_race.scenario import ACTION_SETS, SearchRaceOptions, build_setup
from turnwise.games.search_race.state import FEATURES, STATE_WORDS, RaceState

if TYPE_CHECKING:
    from turnwise.core.bench import Programme
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.contest import ContestProtocol
    from turnwise.core.script import Script
    from turnwise.jit.kernel import Entry


class SearchRace(Game):
    """A car passes checkpoints in order, for three laps, as fast as it can; one turn is one action.

    Options: see :class:`~turnwise.games.search_race.scenario.SearchRaceOptions`.
    """

    name: ClassVar[str] = "search-race"
    title: ClassVar[str] = "Search Race"
    rules_version = "1"
    Options: ClassVar[type[GameOptions]] = SearchRaceOptions
    options: SearchRaceOptions

    players = 1
    files = FILES
    max_turn = 1
    state_words = STATE_WORDS
    policies = ("ten-moves", "towards-target")
    metrics = ("time", "checkpoints", "turns")
    feature_shape = (FEATURES,)
    default_evaluation = "progress"
    objective = "time"
    less_is_better = True
    seats = ("driver",)

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        super().__init__(**options)
        self.setup = build_setup(self.options)
        (_, _, turns), (_, _, thrusts) = ACTION_SETS[self.options.moves]
        self.max_actions = self.indices = turns * thrusts
        self.total = len(self.options.points) * self.options.laps

    def functions(self) -> Mapping[str, Entry | int]:
        """See :meth:`Game.functions`."""
        from turnwise.games.search_race import features, scripts
        from turnwise.games.search_race.rules import actions, ordering
        from turnwise.games.search_race.rules import play as rules

        return {
            "start": rules.start,
            "legal_actions": actions.legal_actions,
            "is_legal": actions.is_legal,
            "apply": rules.apply,
            "to_move": rules.to_move,
            "turn": rules.turn,
            "returns": rules.returns,
            "fingerprint": rules.fingerprint,
            "action_score": ordering.action_score,
            "actor": actions.actor,
            "nearest": actions.nearest,
            "neighbour_action": actions.neighbour_action,
            "move_code": actions.move_code,
            "policy": scripts.policy,
            "index": features.index,
            "features": features.features,
            "metrics": rules.metrics,
        }

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`."""
        from turnwise.games.search_race.evaluation import evaluations

        return evaluations(self.total)

    def scripts(self) -> Mapping[str, Script]:
        """See :meth:`Game.scripts`."""
        from turnwise.games.search_race.scripts import SCRIPTS

        return SCRIPTS

    def return_bounds(self) -> tuple[float, float]:
        """See :meth:`Game.return_bounds`: from a lost race to one that takes no time."""
        from turnwise.games.search_race.rules.play import LOST

        return -LOST, 0.0

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`."""
        from turnwise.games.search_race import notation

        return notation.action_text(action)

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        from turnwise.games.search_race import notation

        return notation.parse_action(row, text)

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`."""
        from turnwise.games.search_race import notation

        return notation.state_dict(self.setup, row)

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`."""
        from turnwise.games.search_race import notation

        return notation.state_row(self.setup, data)

    def objective_of(self, value: float, evaluation: str) -> float | None:
        """See :meth:`Game.objective_of`: the time, from the value of a race that is won."""
        from turnwise.games.search_race.scenario import MOST_TURNS

        least, scale = {"progress": (1 - 1 / self.total, self.total), "route": (0.0, 1)}.get(
            evaluation.partition("(")[0], (1.0, 0)
        )
        return round((1.0 - value) * scale * MOST_TURNS, 2) if value > least else None

    def improver(self) -> Improver | None:
        """See :meth:`Game.improver`; only with ``moves=all``, since it uses every move."""
        if self.options.moves != "all":
            return None
        from turnwise.games.search_race.polish import improved_races

        points, total = self.options.points, self.total
        targets = np.array([points[(number + 1) % len(points)] for number in range(total)], float)
        return partial(improved_races, targets)

    @classmethod
    def contest(cls, **options: Any) -> ContestProtocol:
        """See :meth:`Game.contest`."""
        from turnwise.games.search_race.contest import SearchRaceProtocol

        return SearchRaceProtocol(cls, **options)

    @classmethod
    def bench(cls) -> Programme:
        """See :meth:`Game.bench`."""
        from turnwise.games.search_race.bench import PROGRAMME

        return PROGRAMME

    @classmethod
    def conformance(cls) -> ConformanceReader:
        """See :meth:`Game.conformance`."""
        from turnwise.games.search_race.recorded.reader import SearchRaceReader

        return SearchRaceReader(cls)

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        from turnwise.games.search_race.view.text import text_board

        return text_board(self.options.points, self.total, self.state_dict(row))

    def rules_text(self) -> str:
        """See :meth:`Game.rules_text`."""
        from turnwise.games.search_race.view.guide import RULES

        return RULES

    def legend_text(self, row: Row) -> str:
        """See :meth:`Game.legend_text`."""
        from turnwise.games.search_race.view.text import legend

        return legend()

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        return self.svg_of([row], last_action)

    def svg_of(self, rows: Sequence[Row], last_action: str | None = None) -> str:
        """See :meth:`Game.svg_of`: with the line that was driven, coloured by speed."""
        from turnwise.games.search_race.view.svg import draw

        driven = [(int(place["x"]), int(place["y"])) for place in (row.view(RaceState.dtype)[0] for row in rows)]
        return draw(self.options.points, self.total, self.state_dict(rows[-1]), driven, last_action)

    @property
    def unfit_checks(self) -> Mapping[str, str]:
        """See :attr:`Game.unfit_checks`."""
        why = "a car that does not steer on purpose never arrives: random and greedy drivers all run out of time"
        return {"varied-results": why}

    def ending_text(self, row: Row) -> str:
        """See :meth:`Game.ending_text`; the time is the objective."""
        return "finished" if "col_time" in self.state_dict(row) else "turn limit"
