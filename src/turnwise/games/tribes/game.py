"""Tribes as planners, arena and command line know it: its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from turnwise.core.game import Evaluation, Game, GameOptions, Row
from turnwise.core.setup_row import row_of_record
from turnwise.games.tribes.scenario import TribesOptions

if TYPE_CHECKING:
    from turnwise.core.bench import Programme
    from turnwise.core.click_area import ClickArea
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.script import Script
    from turnwise.jit.kernel import Entry

MOST_TURN = 512  # actions in a turn for which a plan has room; longer turns are planned in parts


class Tribes(Game):
    """Tribes that explore, settle, research, build, trade and fight on a map of tiles.

    Options: see :class:`~turnwise.games.tribes.scenario.TribesOptions`. Player k is the tribe whose capital is the k-th
    one on the map, row by row.
    """

    name: ClassVar[str] = "tribes"
    title: ClassVar[str] = "Tribes"
    Options: ClassVar[type[GameOptions]] = TribesOptions
    options: TribesOptions
    rules_version = "1"
    is_stochastic = True
    metrics = ("score", "technologies", "cities", "production", "units", "kills")
    default_evaluation = "diff"
    completion = "rest"
    max_turn = MOST_TURN
    turn_word = "round"
    end_action = 0
    end_can_wait = True  # for the choices of growing cities
    measured_players = ("script:script=tribes-rules", "osla", "mcts", "rhea", "random")
    measured_budget = "forward=2000/action"

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        from turnwise.games.tribes.build import build_setup
        from turnwise.games.tribes.features import places_for, planes_for
        from turnwise.games.tribes.rules.capacity import most_actions, most_actors
        from turnwise.games.tribes.rules.groups import GROUPS
        from turnwise.games.tribes.scripts import KIND_PORTFOLIOS, PORTFOLIO
        from turnwise.games.tribes.state import words_for

        super().__init__(**options)
        checked = self.options
        self.tables = g = build_setup(checked)
        self.setup = row_of_record(g)
        self.players = g.players
        self.rounds = g.limit + ("extra-round" not in checked.without)
        self.state_words = words_for(g)
        self.max_actions = most_actions(g)
        self.max_actors = most_actors(g)
        self.script_words = self.max_actions
        self.indices = places_for(g)
        self.feature_shape = (planes_for(g.players), g.side, g.side)
        self.portfolio, self.kind_portfolios = PORTFOLIO, KIND_PORTFOLIOS
        self.action_groups = GROUPS
        self.reveals_in_turn = True  # ruins, and tiles that come into sight
        self.lists_all_legal = checked.copies == "sound"

    def functions(self) -> Mapping[str, Entry | int]:
        """See :meth:`Game.functions`."""
        from turnwise.games.tribes import features
        from turnwise.games.tribes.rules import actors, filling, groups, knowledge, legal, play, start

        hidden = {"view": knowledge.view, "determinise": filling.determinise, "news": knowledge.news}
        return {
            "start": start.start,
            "legal_actions": legal.legal_actions,
            "is_legal": legal.is_feasible if self.options.copies == "as-coded" else legal.is_legal,
            "apply": play.apply,
            "to_move": play.to_move,
            "turn": play.turn,
            "returns": play.returns,
            "fingerprint": knowledge.fingerprint,
            "action_group": groups.action_group,
            "verb": actors.verb,
            "actor": actors.actor,
            "actors": actors.actors,
            "actor_kind": actors.actor_kind,
            "actor_health": actors.actor_health,
            "actor_actions": actors.actor_actions,
            "enemy_distance": actors.enemy_distance,
            "index": features.index,
            "features": features.features,
            "metrics": knowledge.metrics,
            **(hidden if self.options.hides else {}),
        }

    def layout(self) -> np.dtype[Any]:
        """See :meth:`Game.layout`."""
        from turnwise.games.tribes.state import layout_for

        return layout_for(self.tables)

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`."""
        from turnwise.games.tribes.evaluation import EVALUATIONS

        return EVALUATIONS

    def scripts(self) -> Mapping[str, Script]:
        """See :meth:`Game.scripts`."""
        from turnwise.games.tribes.scripts import SCRIPTS

        return SCRIPTS

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`."""
        from turnwise.games.tribes import notation

        return notation.action_text(self, row, action)

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        from turnwise.games.tribes import notation

        return notation.parse_action(self, row, text)

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`."""
        from turnwise.games.tribes.state_dict import state_dict

        return state_dict(self, row)

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`."""
        from turnwise.games.tribes.state_row import state_row

        return state_row(self, data)

    @classmethod
    def conformance(cls) -> ConformanceReader:
        """See :meth:`Game.conformance`."""
        from turnwise.games.tribes.recorded.reader import TribesReader

        return TribesReader(cls)

    @classmethod
    def bench(cls) -> Programme:
        """See :meth:`Game.bench`."""
        from turnwise.games.tribes.bench import PROGRAMME

        return PROGRAMME

    def published_figures(self) -> tuple[Mapping[str, str], str]:
        """See :meth:`Game.published_figures`."""
        from turnwise.games.tribes.published import published_figures

        return published_figures(self.options, self.spec)

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        return self._text_board(row, colour=False)

    def coloured_board_text(self, row: Row, columns: int = 120) -> str:
        """See :meth:`Game.coloured_board_text`."""
        return self._text_board(row, colour=True, columns=columns)

    def _text_board(self, row: Row, *, colour: bool, columns: int = 120) -> str:
        from turnwise.games.tribes.view.text import text_board

        return text_board(self.state_dict(row), colour=colour, rounds=self.rounds, columns=columns)

    def rules_text(self) -> str:
        """See :meth:`Game.rules_text`."""
        from turnwise.games.tribes.view.guide import RULES

        return RULES

    def legend_text(self, row: Row) -> str:
        """See :meth:`Game.legend_text`."""
        from turnwise.games.tribes.view.text import legend

        return legend(self.state_dict(row))

    def info_text(self, row: Row, subject: str) -> str:
        """See :meth:`Game.info_text`."""
        from turnwise.games.tribes.view.guide import about

        return about(subject)

    def action_heading(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_heading`: the unit, city or card that acts."""
        from turnwise.games.tribes.view.guide import heading

        return heading(self.action_text(row, action), self.state_dict(row))

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        return self.svg_of([row], last_action)

    def svg_of(self, rows: Sequence[Row], last_action: str | None = None) -> str:
        """See :meth:`Game.svg_of`; the state before the last action shows where units came from."""
        from turnwise.games.tribes.view.svg import draw

        before = self.state_dict(rows[-2]) if last_action and len(rows) > 1 else None
        return draw(self.state_dict(rows[-1]), last_action, before, rounds=self.rounds)

    def click_areas(self, row: Row) -> Mapping[str, Sequence[ClickArea]]:
        """See :meth:`Game.click_areas`."""
        from turnwise.games.tribes.view.clicks import areas

        return areas(self.state_dict(row), self.rounds)

    def click_path(self, row: Row, action: int) -> tuple[str, ...]:
        """See :meth:`Game.click_path`."""
        from turnwise.games.tribes.view.clicks import path

        return path(self.action_text(row, action), self.state_dict(row))

    def seen_text(self, text: str, before: Row, after: Row) -> str:
        """See :meth:`Game.seen_text`: a part is seen where the player sees what it names, or sees it change."""
        from turnwise.games.tribes.view.onlooker import seen_text

        return seen_text(self, text, before, after)

    @property
    def unfit_checks(self) -> Mapping[str, str]:
        """See :attr:`Game.unfit_checks`."""
        if not self.options.fog:
            return {}
        return {"known-order": "as in the original, the order of moves follows paths that what is hidden may block"}

    def ending_text(self, row: Row) -> str:
        """See :meth:`Game.ending_text`."""
        state = self.state_dict(row)
        if state["tick"] >= self.rounds:
            return "turn limit"
        return "last tribe" if self.options.mode == "score" else "all capitals"
