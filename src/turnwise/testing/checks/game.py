"""``check_game``: all checks of a game on a random sample of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from turnwise.core import arguments
from turnwise.core.errors import TurnwiseError
from turnwise.core.game import Game, as_game
from turnwise.testing.checks import actors, batches, forms, learning, players, rules
from turnwise.testing.checks.failures import Broken, ConformanceError, Failure
from turnwise.testing.checks.sample import MOST_STATES, StateSample

Check = Callable[[StateSample], None]

GAME_CHECKS: Mapping[str, Check] = {
    "legal-lists": rules.legal_lists,
    "listed-accepted": rules.listed_accepted,
    "unlisted-refused": rules.unlisted_refused,
    "pure-questions": rules.pure_questions,
    "replays": rules.replays,
    "declared-chance": rules.declared_chance,
    "undrawn-actions": rules.undrawn_actions,
    "turns": rules.turns,
    "results": rules.results,
    "action-texts": forms.action_texts,
    "state-forms": forms.state_forms,
    "scenarios": forms.scenarios,
    "equal-forms": forms.equal_forms,
    "damaged-states": forms.damaged_states,
    "fingerprints": forms.fingerprints,
    "drawings": forms.drawings,
    "pruning": players.pruning,
    "surviving": players.surviving,
    "ordering": players.ordering,
    "grouping": players.grouping,
    "completion": players.completion,
    "nearest": players.nearest,
    "canonical": players.canonical,
    "varying": players.varying,
    "naming": players.naming,
    "biases": players.biases,
    "policies": players.policies,
    "actors": actors.actors,
    "distances": actors.distances,
    "heirs": actors.heirs,
    "scripts": actors.scripts,
    "hidden-information": players.hidden_information,
    "views": players.views,
    "determinisations": players.determinisations,
    "hidden-parts": players.hidden_parts,
    "known-choices": players.known_choices,
    "declared-revealing": players.declared_revealing,
    "news": players.news,
    "evaluations": players.evaluations,
    "rollouts": players.rollouts,
    "metrics": players.metrics,
    "places": learning.places,
    "features": learning.features,
    "layout": learning.layout,
    "batches": batches.batches,
}


def game_failures(game: Game, seed: int = 0, states: int = 60) -> list[Failure]:
    """Run all checks.

    Args:
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Approximate number of states for each check.

    Returns:
        The first failure of every check that failed; empty for a correct game.

    Raises:
        OptionError: The game, the seed or the number of states has another type or is out of range.
    """
    as_game(game)
    seed = arguments.seed(seed)
    states = arguments.whole_number(states, "The number of states", 1, MOST_STATES)
    try:
        sample = StateSample(game, seed, states)
    except Exception as error:  # the kit reports every error of a game
        return [_failure("playable", error)]
    found = []
    for name, check in GAME_CHECKS.items():
        try:
            check(sample)
        except Exception as error:
            found.append(_failure(name, error))
    return found


def check_game(game: Game, seed: int = 0, states: int = 60) -> None:
    """Check that a game follows the contract of :mod:`turnwise.core.table`.

    Args:
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Approximate number of states for each check.

    Raises:
        ConformanceError: A check failed; the message names check, state and action.
    """
    failures = game_failures(game, seed, states)
    if failures:
        raise ConformanceError(game.spec, failures)


def _failure(check: str, error: Exception) -> Failure:
    if isinstance(error, Broken):
        return Failure(check, error.message, error.state, error.action)
    message = str(error) if isinstance(error, TurnwiseError) else f"{type(error).__name__}: {error}"
    return Failure(check, message)
