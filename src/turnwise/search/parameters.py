"""Parameters that several planners share, and the rollout policies that they use where none is named."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.script import expression_text
from turnwise.search.expressions import checked_policy, parse
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.portfolio import PRUNED, candidates_text, parse_candidates
from turnwise.search.reply import LineReplyText, ReplyText

Candidates = Annotated[str, BeforeValidator(candidates_text), AfterValidator(normaliser(parse_candidates))]
"""What a search considers, in its normal form (:mod:`turnwise.search.portfolio`)."""
ScriptText = Annotated[str, BeforeValidator(expression_text), AfterValidator(normaliser(parse))]
"""An expression of scripts in its normal form (:mod:`turnwise.search.expressions`)."""
PolicyText = Annotated[str, BeforeValidator(expression_text), AfterValidator(checked_policy)]
"""A rollout policy: a name, which only a game can check, or an expression of scripts; empty: a default."""
CANDIDATES = (
    "actions that are tried: those that the game's pruner keeps ('pruned'), 'all' legal ones, all but those of groups "
    "('without(GROUP,...)'), or those of scripts: 'portfolio(SCRIPT,...)', 'per-actor(SCRIPT,...)', "
    "'mixed(NUMBER;SCRIPT,...)', 'per-kind'"
)


class CandidateParameters(PlannerParameters):
    """Parameters of every planner that lists candidates."""

    candidates: Candidates = Field(default=PRUNED, description=CANDIDATES)


Scale = Literal["bounds", "range"]
SCALE: Scale = Field(
    default="bounds",
    description="what values are scaled by: the evaluation's bounds, or the range of values seen in the search",
)


ROLLOUT_POLICY: PolicyText = Field(
    default="",
    description="rollout policy; empty: the game's 'random-heuristic' where it has one, else 'epsilon-greedy'",
)
ROLLOUT_GREEDINESS: float = Field(
    default=0.5, ge=0, le=1, description="probability of the best-scored action in rollouts"
)
BUILT_IN_GREEDINESS: float = Field(
    default=0.5, ge=0, le=1, description="probability of the best-scored action in built-in rollouts"
)
FIRST_POLICY: PolicyText = Field(default="", description="rollout policy; empty: the game's first, else 'uniform'")
EPSILON_GREEDINESS: float = Field(
    default=0.5, ge=0, le=1, description="for policy epsilon-greedy: probability of the best action"
)


class EvaluationParameters(PlannerParameters):
    """Parameters of every planner that rates states."""

    evaluation: str = Field(
        default="",
        description="evaluation of the game; empty: its default; 'as-coded' or 'as-published': the one that the game "
        "assigns to that reading, else its default",
    )


class SearchParameters(EvaluationParameters):
    """Parameters of every planner that searches by rating states."""

    worlds: int = Field(
        default=0,
        ge=0,
        le=1000,
        description="where information is hidden: number of determinised worlds that share the budget; 1: search the "
        "state as the mover knows it; 0: 4 in games that hide something, else 1",
    )


class RankingParameters(SearchParameters, CandidateParameters):
    """Parameters of every planner that can name other good turns in addition to the best one."""

    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")


class ReplyParameters(SearchParameters):
    """Parameters of every planner whose lines can go on after the own turn."""

    reply: ReplyText = Field(
        default="none",
        description="how the other seats play in lines that go on after the own turn: none (the line ends), pass (they "
        "end their turns), policy(NAME), script(EXPRESSION), assignment(ACTOR:EXPRESSION;...), genes (the genome has "
        "their actions too); several, separated by '/': one for each seat in order of play",
    )
    count: Literal["all", "own"] = Field(
        default="all", description="which forward calls count towards the budget: all, or not those for other seats"
    )


class LineParameters(ReplyParameters):
    """Parameters of every planner that searches for whole lines of own actions."""

    reply: LineReplyText = Field(
        default="none",
        description="how the other seats play in lines that go on after the own turn: none (the line ends), pass (they "
        "end their turns), policy(NAME), script(EXPRESSION), assignment(ACTOR:EXPRESSION;...); several, separated by "
        "'/': one for each seat in order of play",
    )


LINE_HORIZON = (
    "how far lines go: own-turn, actions=n, turns=n, game; a number: at most so many actions, to the end of a game of "
    "one player without chance, elsewhere of the turn"
)


class StreamParameters(PlannerParameters):
    """Parameters of every planner that can divide a decision among several searches (:mod:`turnwise.search.streams`).

    The number of threads changes no result, except where the budget limits time, alone or with others.
    """

    streams: int = Field(
        default=1,
        ge=1,
        le=1024,
        description="searches that work on one decision, each with its own seed and memory; limits are divided among "
        "them",
    )
    threads: int = Field(
        default=1,
        ge=1,
        le=256,
        description="how many streams run at a time, each on its own core; at most as many as there are streams",
    )

    @model_validator(mode="after")
    def _no_idle_threads(self) -> Self:
        if self.threads > self.streams:
            raise ValueError(
                f"threads ({self.threads}) must not exceed streams ({self.streams}): a thread runs whole streams, so "
                f"{self.threads - self.streams} would be idle. Give threads={self.streams}, or streams={self.threads}, "
                "which divides the budget among more searches and changes the result"
            )
        return self


def rollout_policy(game: Game, name: str) -> str:
    """The rollout policy to use.

    That is the named one, or an expression of scripts; for an empty name, the game's "random-heuristic" if it has one,
    else "epsilon-greedy".

    Args:
        game: The scenario.
        name: Name of a policy, or empty.
    """
    return name or ("random-heuristic" if "random-heuristic" in game.policies else "epsilon-greedy")


def first_policy(game: Game, name: str) -> str:
    """The rollout policy to use: the named one; for an empty name, the game's first, else "uniform"."""
    return name or next(iter(game.policies), "uniform")
