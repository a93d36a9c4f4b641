"""``check_game``: all checks of a game on a random sample of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from turnwise.core import arguments
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, unknown_name
from turnwise.core.game import Game, as_game
from turnwise.testing.checks import actors, batches, forms, knowledge, learning, outcomes, players, rules, worlds
from turnwise.testing.checks.failures import (
    Begun,
    Checked,
    ConformanceError,
    Failure,
    Failures,
    failure_of,
    unwatched,
)
from turnwise.testing.checks.sample import MOST_STATES, StateSample

Check = Callable[[StateSample], None]
_STARTS = 8

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
    "ends": outcomes.ends,
    "stubborn-play": outcomes.stubborn_play,
    "varied-results": outcomes.varied_results,
    "shared-goal": outcomes.shared_goal,
    "action-texts": forms.action_texts,
    "state-forms": forms.state_forms,
    "scenarios": forms.scenarios,
    "equal-forms": forms.equal_forms,
    "damaged-states": forms.damaged_states,
    "fingerprints": forms.fingerprints,
    "drawings": forms.drawings,
    "explanations": forms.explanations,
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
    "hidden-information": knowledge.hidden_information,
    "views": knowledge.views,
    "hiding-views": knowledge.hiding_views,
    "hidden-from-each": knowledge.hidden_from_each,
    "own-views": knowledge.own_views,
    "playable-views": knowledge.playable_views,
    "determinisations": worlds.determinisations,
    "hidden-parts": worlds.hidden_parts,
    "playable-worlds": worlds.playable_worlds,
    "known-choices": knowledge.known_choices,
    "known-order": knowledge.known_order,
    "declared-revealing": knowledge.declared_revealing,
    "news": knowledge.news,
    "evaluations": players.evaluations,
    "winning-values": outcomes.winning_values,
    "better-values": outcomes.better_values,
    "varied-values": outcomes.varied_values,
    "own-values": outcomes.own_values,
    "rollouts": players.rollouts,
    "metrics": players.metrics,
    "places": learning.places,
    "features": learning.features,
    "layout": learning.layout,
    "batches": batches.batches,
}


def game_failures(game: Game, seed: int = 0, states: int = 60, without: Sequence[str] = ()) -> list[Failure]:
    """Run all checks.

    Args:
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Approximate number of states for each check.
        without: Names of checks that do not fit the game.

    Returns:
        The first failure of every kind, with the names of all checks that failed in this way; empty for a correct game.

    Raises:
        OptionError: The game, the seed, the number of states or the names of checks have another type or are out of
            range, or all checks are left out.
    """
    return list(checked_game(game, seed, states, without).failures)


def checked_game(
    game: Game, seed: int = 0, states: int = 60, without: Sequence[str] = (), begun: Begun = unwatched
) -> Checked:
    """Run all checks of a game, as :func:`game_failures` does.

    Args:
        game: The scenario.
        seed: Seed of the sample.
        states: Approximate number of states for each check.
        without: Names of checks that do not fit the game.
        begun: Called before each check.

    Returns:
        The checks that ran, and their failures; a game that cannot be played at all fails the check ``playable``.

    Raises:
        OptionError: See :func:`game_failures`.
    """
    as_game(game)
    seed = arguments.seed(seed)
    for name in arguments.sequence(without, "The checks to leave out", "names"):
        if name not in GAME_CHECKS:
            raise unknown_name("check", name, GAME_CHECKS)
    states = arguments.whole_number(states, "The number of states", 1, MOST_STATES)
    names = tuple(name for name in GAME_CHECKS if name not in without)
    if not names:
        raise OptionError("There is nothing to check: expected at least one check, but all are left out. Keep some.")
    try:
        sample = StateSample(game, seed, states)
    except (Exception, SystemExit) as error:  # the kit reports every error of a game
        return Checked(("playable",), (failure_of("playable", error),))
    if all(game.start(derive_seed(seed, "start", number)).is_over for number in range(_STARTS)):
        words = (
            f"the game is over in its first state, with each of {_STARTS} seeds: to_move is below 0 there; expected a "
            "player, from 0"
        )
        return Checked(("playable",), (Failure("playable", words),))
    skipped = {name: game.unfit_checks[name] for name in names if name in game.unfit_checks}
    names = tuple(name for name in names if name not in skipped)
    failures = Failures()
    for number, name in enumerate(names):
        begun(name, number, len(names))
        try:
            GAME_CHECKS[name](sample)
        except (Exception, SystemExit) as error:
            failures.add(failure_of(name, error), error)
    return Checked(names, tuple(failures.found), skipped)


def check_game(game: Game, seed: int = 0, states: int = 60, without: Sequence[str] = ()) -> None:
    """Check that a game follows the contract of :mod:`turnwise.core.table`.

    Args:
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Approximate number of states for each check.
        without: Names of checks that do not fit the game.

    Raises:
        ConformanceError: A check failed; the message names check, state and action.
    """
    failures = game_failures(game, seed, states, without)
    if failures:
        raise ConformanceError(game.spec, failures)
