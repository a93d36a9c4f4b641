"""The strategy engine as planners, arena and command line know it: its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from turnwise.core.game import Evaluation, Game, GameOptions, Row
from turnwise.core.setup_row import row_of_record
from turnwise.games.stratega.scenario import StrategaOptions, build_setup

if TYPE_CHECKING:
    from turnwise.core.bench import Programme
    from turnwise.core.click_area import ClickArea
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.script import Script
    from turnwise.jit.kernel import Entry


class Stratega(Game):
    """A strategy game on a grid whose rules are a file: units that move, attack, heal and push, under fog of war.

    Options: see :class:`~turnwise.games.stratega.scenario.StrategaOptions`. Everything about a mode is data, so a new
    mode compiles nothing.
    """

    name: ClassVar[str] = "stratega"
    title: ClassVar[str] = "Stratega"
    Options: ClassVar[type[GameOptions]] = StrategaOptions
    options: StrategaOptions

    turn_word = "round"
    metrics = ("units", "health")
    portfolio = ("attack-closest", "attack-weakest", "run-away", "use-special-ability", "run-to-friends", "random")
    portfolio_aliases: Mapping[str, tuple[str, ...]] = {
        "as-coded": (*(f"{script}-as-coded" for script in portfolio[:-1]), "random"),
        "as-published": (*(f"first({script},random)" for script in portfolio[:-1]), "random"),
    }
    default_evaluation = "linear-sum"
    objective_aliases: Mapping[str, tuple[str, ...]] = {
        "as-coded": ("linear-sum", "closeness-as-coded(nan=1)"),
        "as-published": ("linear-sum", "closeness"),
    }
    end_action = 0

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        from turnwise.games.stratega.agents.push_search import words_of_search
        from turnwise.games.stratega.features import places_for, planes_for
        from turnwise.games.stratega.state import words_for

        super().__init__(**options)
        checked = self.options
        mode = checked.mode.content
        self.rules_version = f"1+{checked.mode.hash}"
        self.tables = g = build_setup(checked)
        self.setup = row_of_record(g)
        self.unit_types = tuple(sorted(mode.Units))
        self.actor_kinds = len(self.unit_types)
        self.kind_portfolios = {
            kind: _portfolio_of(mode.Units[name].Actions) for kind, name in enumerate(self.unit_types)
        }
        self.tile_types = tuple(sorted(mode.Tiles))
        self.players = g.players
        self.state_words = words_for(g.units, g.cells)
        own = [[name for owner, name, _ in mode.unit_list if owner == player] for player in range(g.players)]
        # A state from outside may give all units to one player, and any number any type.
        self.max_actors = g.units
        self.max_actions = 2 + g.units * max(_most_actions(g, kind) for kind in range(len(self.unit_types)))
        self.max_turn = 1 + max(sum(mode.Units[name].ActionsPerTurn for name in units) for units in own)
        self.script_words = max(self.max_actions, words_of_search(g.cells, g.units))
        self.reveals_in_turn = checked.has_fog
        self.indices = places_for(g.units, g.cells)
        self.feature_shape = (planes_for(g.players, g.types), g.width, g.height)

    def functions(self) -> Mapping[str, Entry | int]:
        """See :meth:`Game.functions`."""
        from turnwise.games.stratega import features
        from turnwise.games.stratega.rules import actions, actors, knowledge, play, start

        hidden = {"view": knowledge.view, "news": knowledge.news}
        if not self.options.forgets_units:  # otherwise nothing is known of what could be filled in
            hidden["determinise"] = knowledge.determinise
        return {
            "start": start.start,
            "legal_actions": actions.legal_actions,
            "is_legal": actions.is_legal,
            "apply": play.apply,
            "to_move": play.to_move,
            "turn": play.turn,
            "returns": play.returns,
            "fingerprint": knowledge.fingerprint,
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
            **(hidden if self.options.has_fog else {}),
        }

    def layout(self) -> np.dtype[Any]:
        """See :meth:`Game.layout`."""
        from turnwise.games.stratega.state import layout_for

        return layout_for(self.tables.units, self.tables.cells)

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`."""
        from turnwise.games.stratega.evaluation import evaluations_for

        return evaluations_for(self.options)

    def scripts(self) -> Mapping[str, Script]:
        """See :meth:`Game.scripts`."""
        from turnwise.games.stratega.scripts import SCRIPTS

        return SCRIPTS

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`."""
        from turnwise.games.stratega import notation

        return notation.action_text(self, action)

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        from turnwise.games.stratega import notation

        return notation.parse_action(self, text)

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`."""
        from turnwise.games.stratega import notation

        return notation.state_dict(self, row)

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`."""
        from turnwise.games.stratega import notation

        return notation.state_row(self, data)

    @classmethod
    def conformance(cls) -> ConformanceReader:
        """See :meth:`Game.conformance`."""
        from turnwise.games.stratega.recorded.reader import StrategaReader

        return StrategaReader(cls)

    @classmethod
    def bench(cls) -> Programme:
        """See :meth:`Game.bench`."""
        from turnwise.games.stratega.bench import PROGRAMME

        return PROGRAMME

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        return self._text_board(row, colour=False)

    def coloured_board_text(self, row: Row, columns: int = 120) -> str:
        """See :meth:`Game.coloured_board_text`."""
        return self._text_board(row, colour=True, columns=columns)

    def _text_board(self, row: Row, *, colour: bool, columns: int = 120) -> str:
        from turnwise.games.stratega.view.text import text_board

        return text_board(
            self.options.mode.content, self.options.rows, self.state_dict(row), colour=colour, columns=columns
        )

    def rules_text(self) -> str:
        """See :meth:`Game.rules_text`."""
        from turnwise.games.stratega.view.guide import rules_of

        return rules_of(self.options.mode.content)

    def legend_text(self, row: Row) -> str:
        """See :meth:`Game.legend_text`."""
        from turnwise.games.stratega.view.text import legend

        return legend(self.options.mode.content, self.options.rows, self.state_dict(row))

    def info_text(self, row: Row, subject: str) -> str:
        """See :meth:`Game.info_text`."""
        from turnwise.games.stratega.view.guide import about

        return about(self.options.mode.content, subject, self.state_dict(row))

    def action_heading(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_heading`: the unit, city or card that acts."""
        from turnwise.games.stratega.view.guide import heading

        return heading(self.action_text(row, action), self.state_dict(row))

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        return self.svg_of([row], last_action)

    def svg_of(self, rows: Sequence[Row], last_action: str | None = None) -> str:
        """See :meth:`Game.svg_of`; the state before the last action shows where units came from."""
        from turnwise.games.stratega.view.svg import draw

        before = self.state_dict(rows[-2]) if last_action and len(rows) > 1 else None
        state, mode = self.state_dict(rows[-1]), self.options.mode.content
        return draw(mode, self.options.rows, state, last_action=last_action, before=before)

    def click_areas(self, row: Row) -> Mapping[str, Sequence[ClickArea]]:
        """See :meth:`Game.click_areas`."""
        from turnwise.games.stratega.view.clicks import areas

        return areas(self.options.mode.content, self.options.rows, self.state_dict(row))

    def click_path(self, row: Row, action: int) -> tuple[str, ...]:
        """See :meth:`Game.click_path`."""
        from turnwise.games.stratega.view.clicks import path

        return path(self.action_text(row, action), self.state_dict(row))

    def seen_text(self, text: str, before: Row, after: Row) -> str:
        """See :meth:`Game.seen_text`: a part is seen where the player sees what it names, or sees it change."""
        from turnwise.games.stratega.view.onlooker import seen_text

        return seen_text(self, text, before, after)

    @property
    def unfit_checks(self) -> Mapping[str, str]:
        """See :attr:`Game.unfit_checks`."""
        why = "armies that do not plan rarely meet: random and greedy players draw by the limit of rounds"
        return {"varied-results": why, "winning-values": why}

    def ending_text(self, row: Row) -> str:
        """See :meth:`Game.ending_text`."""
        state, needed = self.state_dict(row), self.options.mode.content.needed.lower()
        if state["winner"] >= 0:
            return f"{needed} lost" if needed else "last one standing"
        if state["turn"] >= self.tables.round_limit:
            return "turn limit"
        return f"no {needed} left" if needed else "nobody left"


def _portfolio_of(kinds: Sequence[str]) -> tuple[str, ...]:
    """Scripts for a type of unit that can do these kinds of actions; "random" where it can do none of the scripts'."""
    scripts = ["attack-closest", "attack-weakest"] if "Attack" in kinds else []
    scripts += ["run-away", "run-to-friends"] if "Move" in kinds else []
    scripts += ["use-special-ability"] if {"Heal", "Push"} & set(kinds) else []
    return (*scripts, "random")


def _most_actions(g: Any, kind: int) -> int:
    """An upper bound of the number of actions of one unit of a type."""
    first = g.moves_first[kind]
    moves = max(g.moves_begin[first + cell + 1] - g.moves_begin[first + cell] for cell in range(g.cells))
    return int(moves) + 3 * int(g.units)
