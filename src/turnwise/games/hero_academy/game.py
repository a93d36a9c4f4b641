"""Hero Academy as planners, arena and command line know it: its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from turnwise.core.game import Evaluation, Game, GameOptions, Row
from turnwise.games.hero_academy.scenario import (
    USUAL_DECK,
    HeroAcademyOptions,
    build_setup,
)

if TYPE_CHECKING:
    from turnwise.core.click_area import ClickArea
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.script import Script
    from turnwise.jit.kernel import Entry


class HeroAcademy(Game):
    """Two teams on a small grid, five action points per turn, cards that become units, spells and equipment.

    Options: see :class:`~turnwise.games.hero_academy.scenario.HeroAcademyOptions`. Players are 0 and 1 in Python and in
    a state's JSON form, and "player 1" and "player 2" in texts and pictures.
    """

    name: ClassVar[str] = "hero-academy"
    title: ClassVar[str] = "Hero Academy"
    rules_version = "1"
    Options: ClassVar[type[GameOptions]] = HeroAcademyOptions
    options: HeroAcademyOptions

    players = 2
    first_turn = 1
    policies = ("random-tree", "random-heuristic")
    metrics = ("crystal hit points", "crystals", "units", "knocked out", "cards")
    default_evaluation = "heuristic"
    evaluation_aliases: Mapping[str, str] = {
        "as-coded": "heuristic-as-coded",
        "as-published": "heuristic-as-published",
    }
    end_action = 0
    portfolio = (
        "first(stomp,attack-closest,deploy,use-item)",
        "first(heal-best,attack-weakest,use-item)",
        "first(attack-crystals,deploy)",
        "first(attack-best,heal-best,step-best,play-best)",
        "retreat",
        "nothing",
    )
    kind_portfolios: Mapping[int, tuple[str, ...]] = {
        **dict.fromkeys(range(5), ("stomp", "attack-closest", "attack-weakest", "attack-crystals", "retreat")),
        2: ("heal-best", "stomp", "attack-weakest", "retreat"),  # clerics
        **dict.fromkeys(range(6, 11), ("deploy", "play-best")),  # unit cards; a crystal, kind 5, is no actor
        **dict.fromkeys(range(11, 17), ("use-item",)),
    }

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        from turnwise.games.hero_academy.evaluation import deck_worth
        from turnwise.games.hero_academy.features import PLANES, places_for
        from turnwise.games.hero_academy.state import words_for

        super().__init__(**options)
        checked = self.options
        self.rows = checked.rows
        usual = USUAL_DECK.get(checked.map, checked.deck_name)
        self.setup = build_setup(checked, deck_worth(usual))
        squares = len(self.rows) * len(self.rows[0])
        self.state_words = words_for(squares)
        # A unit acts on every other square at most; a card type of the hand on every square, and it can be discarded.
        # No list comes near that: unit cards go to few squares, which leaves room for the overhang of ``list_bits``.
        self.max_actions = squares * (squares + 11) + 11
        self.max_actors = squares + 11
        self.indices = places_for(squares)
        self.feature_shape = (PLANES, len(self.rows[0]), len(self.rows))
        self.max_turn = max(checked.action_points, checked.first_turn_points) + 1
        self.is_stochastic = checked.draws == "random"

    def functions(self) -> Mapping[str, Entry | int]:
        """See :meth:`Game.functions`."""
        from turnwise.games.hero_academy import features, scripts
        from turnwise.games.hero_academy.rules import actions, actors, knowledge, selection
        from turnwise.games.hero_academy.rules import play as rules

        hidden = {"view": knowledge.view, "determinise": knowledge.determinise}
        return {
            "start": rules.start,
            "legal_actions": actions.legal_actions,
            "is_legal": actions.is_legal,
            "apply": rules.apply,
            "to_move": rules.to_move,
            "turn": rules.turn,
            "returns": rules.returns,
            "fingerprint": knowledge.fingerprint,
            "prune": selection.prune,
            "survives": selection.survives,
            "action_score": selection.action_score,
            "verb": actors.verb,
            "actor": actors.actor,
            "actors": actors.actors,
            "actor_kind": actors.actor_kind,
            "actor_health": actors.actor_health,
            "heir": actors.heir,
            "enemy_distance": actors.enemy_distance,
            "policy": scripts.policy,
            "index": features.index,
            "features": features.features,
            "metrics": knowledge.metrics,
            **(hidden if self.options.hands == "hidden" else {}),
        }

    def scripts(self) -> Mapping[str, Script]:
        """See :meth:`Game.scripts`."""
        from turnwise.games.hero_academy.scripts import SCRIPTS

        return SCRIPTS

    def layout(self) -> np.dtype[Any]:
        """See :meth:`Game.layout`: the fields of a state, with as many squares as the row has room for."""
        from turnwise.games.hero_academy.state import layout_for

        return layout_for(self.state_words)

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`."""
        from turnwise.games.hero_academy.evaluation import EVALUATIONS

        return EVALUATIONS

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`."""
        text = self._texts.get(action)
        if text is None:
            from turnwise.games.hero_academy import notation

            text = self._texts[action] = notation.action_text(self.setup, action)
        return text

    @cached_property
    def _texts(self) -> dict[int, str]:
        """Texts of the actions met so far; every action of a map has one text."""
        return {}

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        from turnwise.games.hero_academy import notation

        return notation.parse_action(self.setup, text)

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`."""
        from turnwise.games.hero_academy import notation

        return notation.state_dict(self.setup, row)

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`."""
        from turnwise.games.hero_academy import notation

        row = notation.state_row(self.setup, self.state_words, data)
        notation.check_possible(self.setup, row, notation.first_player(data))
        return row

    def state_dict_like(self, row: Row, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """See :meth:`Game.state_dict_like`."""
        from turnwise.games.hero_academy import notation

        return notation.state_dict(self.setup, row) if "format" in recorded else notation.engine_dict(self.setup, row)

    @classmethod
    def conformance(cls) -> ConformanceReader:
        """See :meth:`Game.conformance`."""
        from turnwise.games.hero_academy.recorded.reader import HeroAcademyReader

        return HeroAcademyReader(cls)

    def published_figures(self) -> tuple[Mapping[str, str], str]:
        """See :meth:`Game.published_figures`."""
        from turnwise.games.hero_academy.published import published_figures

        return published_figures(self.options, self.spec)

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        return self._text_board(row, colour=False)

    def coloured_board_text(self, row: Row, columns: int = 120) -> str:
        """See :meth:`Game.coloured_board_text`."""
        return self._text_board(row, colour=True, columns=columns)

    def _text_board(self, row: Row, *, colour: bool, columns: int = 120) -> str:
        from turnwise.games.hero_academy.view.text import text_board

        state = self.state_dict(row)
        hidden = self._hidden_hand(state)
        return text_board(
            state, self.rows, colour=colour, winner=self._winner(row, state), hidden_hand=hidden, columns=columns
        )

    def rules_text(self) -> str:
        """See :meth:`Game.rules_text`."""
        from turnwise.games.hero_academy.view.guide import RULES

        return RULES

    def legend_text(self, row: Row) -> str:
        """See :meth:`Game.legend_text`."""
        from turnwise.games.hero_academy.view.text import legend

        return legend()

    def info_text(self, row: Row, subject: str) -> str:
        """See :meth:`Game.info_text`."""
        from turnwise.games.hero_academy.view.guide import about

        return about(subject)

    def action_heading(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_heading`: the unit, city or card that acts."""
        from turnwise.games.hero_academy.view.guide import heading

        return heading(self.action_text(row, action), self.state_dict(row))

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        from turnwise.games.hero_academy.view.svg import draw

        state = self.state_dict(row)
        return draw(
            state,
            self.rows,
            last_action=last_action,
            winner=self._winner(row, state),
            hidden_hand=self._hidden_hand(state),
            action_points=self.options.action_points,
        )

    def click_areas(self, row: Row) -> Mapping[str, Sequence[ClickArea]]:
        """See :meth:`Game.click_areas`."""
        from turnwise.games.hero_academy.view.clicks import areas

        return areas(self.state_dict(row), self.rows)

    def click_path(self, row: Row, action: int) -> tuple[str, ...]:
        """See :meth:`Game.click_path`."""
        from turnwise.games.hero_academy.view.clicks import path

        return path(self.action_text(row, action))

    def seen_text(self, text: str, before: Row, after: Row) -> str:
        """See :meth:`Game.seen_text`: all is public; a discarded card is missing from the view's cards, too."""
        return text

    def ending_text(self, row: Row) -> str:
        """See :meth:`Game.ending_text`: "turn limit", or what the loser ran out of."""
        state = self.state_dict(row)
        if state["turn"] >= self.options.turn_limit:
            return "turn limit"
        standing = {owner for _, _, owner, kind, _, _ in state["units"] if kind == "CR"}
        return "crystals" if len(standing) < 2 else "units"

    def _hidden_hand(self, state: Mapping[str, Any]) -> int | None:
        """The player (0 or 1) whose hand this view hides.

        Only hiding leaves a hand empty while the deck is not: hands are filled at the end of a turn. The mover may have
        played all cards if it has as many action points as cards; then an empty hand is taken for what it seems.
        """
        from turnwise.games.hero_academy.rules.cards import HAND_SIZE

        if self.options.hands != "hidden" or state["terminal"]:
            return None
        mover = int(state["player"])
        for player in (1 - mover, mover) if self.options.action_points < HAND_SIZE else (1 - mover,):
            if not any(state["hands"][player]) and any(state["decks"][player]):
                return player
        return None

    def _winner(self, row: Row, state: Mapping[str, Any]) -> int | None:
        """0 or 1, -1 for a draw, None while the game runs."""
        from turnwise.core.state import State

        if not state["terminal"]:  # most boards of a report
            return None
        first = State(self, row).returns[0]
        return -1 if first == 0 else (0 if first > 0 else 1)
