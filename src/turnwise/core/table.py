"""The function table between games and planners: names, signatures, and how to call each function.

``setup`` is the scenario's row, ``state`` a state row, ``rng`` an rng row (:mod:`turnwise.core.chance`), ``out`` memory
that the caller owns. In machine code all of them are addresses and everything else is a 64-bit number; a game's
function sees what its annotations say: its own record classes (:mod:`turnwise.jit.record`) for ``setup`` and ``state``,
``Ints`` for lists of action codes, ``Floats`` for numbers and parameters (``Floats32`` for features), ``Words`` or
``Ints`` for scratch memory, ``Address`` for a row that it passes on. Game functions do not raise and do not allocate.
For example::

    @game_function("to_move")
    def to_move(g: MySetup, s: MyState) -> int:
        return -1 if s.over else s.player

================= ======================================== =============================================================
name              arguments -> result                      meaning
================= ======================================== =============================================================
start             setup, state, rng                        write the first state
legal_actions     setup, state, out -> n                   list action codes (int64); never empty while to_move >= 0
is_legal          setup, state, action -> 0/1              accepts at least all listed actions; any code may be asked
apply             setup, state, action, rng                play a legal action in place
to_move           setup, state -> player or -1             the player to move; -1: the game is over
turn              setup, state -> number                   a turn = maximal run of actions, same mover and number
returns           setup, state, out                        result per player (float64), higher is better
fingerprint       setup, state -> word                     equal states have equal fingerprints
prune*            setup, state, actions, n -> n            drop poor actions from a list, in place, order kept
survives*         setup, state, action -> 0/1              exactly whether the action is in the pruned legal list
action_score*     setup, state, action -> float            cheap score of an action, higher is better
action_group*     setup, state, action -> number           place of a legal action's group in Game.action_groups
verb*             setup, state, action -> number           what a legal action does, from 0: moving, attacking
actor*            setup, state, action -> number           the actor (a unit, a card) that an action belongs to; below
                                                           0: none
actors*           setup, state, player, out -> n           numbers (int64) of the actors that a player has, in a fixed
                                                           order
actor_kind*       setup, state, actor -> number            the kind of an actor, from 0 (its type of unit)
actor_health*     setup, state, actor, steps -> number     health of an actor in whole steps, of which full health has
                                                           ``steps``, from 0; an actor with more has more
actor_actions*    setup, state, actor, out -> n            the part of the legal list that belongs to an actor of the
                                                           player to move, in the same order; 0: it cannot act
enemy_distance*   setup, state, actor -> number            how far an actor is from the closest enemy that its
                                                           player knows of, from 0; below 0: from none
heir*             setup, state, actor, action -> number    number that an actor has after an action played in ``state``,
                                                           its own or another's; below 0: it no longer exists
nearest*          setup, state, action -> action           the closest legal action to an illegal one
canonical*        setup, state, action -> action           the listed action that equals a legal one
neighbour_action* setup, state, action, rng -> action      a random legal action close to the given one
move_code*        setup, state, action -> number           name of a move for policies learnt over moves
move_codes*       setup, state, actions, n, out            the ``move_code`` (int64) of each of n legal actions, where
                                                           all together are cheaper
prior_logit*      setup, state, action, index, parameters, log-weight that a policy learnt over moves starts from, under
                  scratch -> float                         the named rollout policy; ``scratch`` as for ``policy``
policy*           setup, state, index, parameters, rng,    an action by the named rollout policy; ``scratch`` is what it
                  scratch -> action                        remembers during one rollout (zeroed at its start)
view*             setup, state, player, out                the state as that player may know it (deterministic)
determinise*      setup, state, player, rng                fill what that player cannot know by chance, in place
news*             setup, expected, seen, player -> 0/1     whether ``seen`` differs from ``expected`` in a way that
                                                           matters for a plan of the player; both are views of it
index*            setup, state, action -> number           place of a legal action in 0..Game.indices - 1, different for
                                                           all actions of a legal list
features*         setup, state, player, out                Game.feature_shape numbers (float32) that describe a state
                                                           as a player sees it
metrics*          setup, state, player, out                numbers for tables (float64), names in Game.metrics
================= ======================================== =============================================================

Functions marked * are optional; an absent one has address 0, and :mod:`turnwise.search.forward_model` has its default.
Evaluations are separate: ``(setup, root, state, player, parameters) -> float``. An evaluation may have a second
function that writes the values for all players at once, ``(setup, root, state, out, parameters)``.

Scripts are separate too: ``(setup, state, actor, parameters, rng, scratch) -> action``. The action is legal for the
player to move and belongs to the given actor or, with ``ALL``, to any; ``NOTHING``: the script has none. ``scratch``
is uint64[Game.script_words], with any content.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from types import FunctionType
from typing import Any

from turnwise.core.errors import OptionError, shown, unknown_name
from turnwise.core.pickling import find, importable_name
from turnwise.jit.kernel import Entry, caller, entry, f64, i64, u64, void
from turnwise.jit.record import Address, Floats, Floats32, Ints, Word, Words

SIGNATURES: dict[str, Any] = {
    "start": void(u64, u64, u64),
    "legal_actions": i64(u64, u64, u64),
    "is_legal": i64(u64, u64, i64),
    "apply": void(u64, u64, i64, u64),
    "to_move": i64(u64, u64),
    "turn": i64(u64, u64),
    "returns": void(u64, u64, u64),
    "fingerprint": u64(u64, u64),
    "prune": i64(u64, u64, u64, i64),
    "survives": i64(u64, u64, i64),
    "action_score": f64(u64, u64, i64),
    "action_group": i64(u64, u64, i64),
    "verb": i64(u64, u64, i64),
    "actor": i64(u64, u64, i64),
    "actors": i64(u64, u64, i64, u64),
    "actor_kind": i64(u64, u64, i64),
    "actor_health": i64(u64, u64, i64, i64),
    "actor_actions": i64(u64, u64, i64, u64),
    "enemy_distance": i64(u64, u64, i64),
    "heir": i64(u64, u64, i64, i64),
    "nearest": i64(u64, u64, i64),
    "canonical": i64(u64, u64, i64),
    "neighbour_action": i64(u64, u64, i64, u64),
    "move_code": i64(u64, u64, i64),
    "move_codes": void(u64, u64, u64, i64, u64),
    "prior_logit": f64(u64, u64, i64, i64, u64, u64),
    "policy": i64(u64, u64, i64, u64, u64, u64),
    "view": void(u64, u64, i64, u64),
    "determinise": void(u64, u64, i64, u64),
    "news": i64(u64, u64, u64, i64),
    "index": i64(u64, u64, i64),
    "features": void(u64, u64, i64, u64),
    "metrics": void(u64, u64, i64, u64),
}
EVALUATION = f64(u64, u64, u64, i64, u64)
EVALUATION_OF_ALL = void(u64, u64, u64, u64, u64)
SCRIPT = i64(u64, u64, i64, u64, u64, u64)
VERBS = 1 << 20  # verbs are numbers below this
ALL = -1  # as the actor of a script: any actor
NOTHING = -(1 << 63)  # what a script returns that has no action; no game uses it as an action
FORMS: dict[str, Any] = {
    **SIGNATURES,
    "evaluation": EVALUATION,
    "evaluation_of_all": EVALUATION_OF_ALL,
    "script": SCRIPT,
}
"""The signatures of everything that :func:`game_function` decorates."""
REQUIRED = ("start", "legal_actions", "is_legal", "apply", "to_move", "turn", "returns", "fingerprint")


def _caller(form: Any) -> Any:
    return caller(form.return_type, *form.args)


# How kernels call each: ``call_apply(pointer, (setup, state, action, rng))``.
call_start: Callable[[Word, tuple[Address, Address, Address]], None] = _caller(SIGNATURES["start"])
call_legal_actions: Callable[[Word, tuple[Address, Address, Ints]], int] = _caller(SIGNATURES["legal_actions"])
call_is_legal: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["is_legal"])
call_apply: Callable[[Word, tuple[Address, Address, int, Address]], None] = _caller(SIGNATURES["apply"])
call_to_move: Callable[[Word, tuple[Address, Address]], int] = _caller(SIGNATURES["to_move"])
call_turn: Callable[[Word, tuple[Address, Address]], int] = _caller(SIGNATURES["turn"])
call_returns: Callable[[Word, tuple[Address, Address, Floats]], None] = _caller(SIGNATURES["returns"])
call_fingerprint: Callable[[Word, tuple[Address, Address]], Word] = _caller(SIGNATURES["fingerprint"])
call_prune: Callable[[Word, tuple[Address, Address, Ints, int]], int] = _caller(SIGNATURES["prune"])
call_survives: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["survives"])
call_action_score: Callable[[Word, tuple[Address, Address, int]], float] = _caller(SIGNATURES["action_score"])
call_action_group: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["action_group"])
call_actor: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["actor"])
call_actors: Callable[[Word, tuple[Address, Address, int, Ints]], int] = _caller(SIGNATURES["actors"])
call_verb: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["verb"])
call_actor_kind: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["actor_kind"])
call_actor_health: Callable[[Word, tuple[Address, Address, int, int]], int] = _caller(SIGNATURES["actor_health"])
call_actor_actions: Callable[[Word, tuple[Address, Address, int, Ints]], int] = _caller(SIGNATURES["actor_actions"])
call_enemy_distance: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["enemy_distance"])
call_heir: Callable[[Word, tuple[Address, Address, int, int]], int] = _caller(SIGNATURES["heir"])
call_nearest: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["nearest"])
call_canonical: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["canonical"])
call_neighbour_action: Callable[[Word, tuple[Address, Address, int, Address]], int] = _caller(
    SIGNATURES["neighbour_action"]
)
call_move_code: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["move_code"])
call_move_codes: Callable[[Word, tuple[Address, Address, Ints, int, Ints]], None] = _caller(SIGNATURES["move_codes"])
call_prior_logit: Callable[[Word, tuple[Address, Address, int, int, Floats, Words]], float] = _caller(
    SIGNATURES["prior_logit"]
)
call_policy: Callable[[Word, tuple[Address, Address, int, Floats, Address, Words]], int] = _caller(SIGNATURES["policy"])
call_view: Callable[[Word, tuple[Address, Address, int, Address]], None] = _caller(SIGNATURES["view"])
call_determinise: Callable[[Word, tuple[Address, Address, int, Address]], None] = _caller(SIGNATURES["determinise"])
call_news: Callable[[Word, tuple[Address, Address, Address, int]], int] = _caller(SIGNATURES["news"])
call_index: Callable[[Word, tuple[Address, Address, int]], int] = _caller(SIGNATURES["index"])
call_features: Callable[[Word, tuple[Address, Address, int, Floats32]], None] = _caller(SIGNATURES["features"])
call_metrics: Callable[[Word, tuple[Address, Address, int, Floats]], None] = _caller(SIGNATURES["metrics"])
call_evaluation: Callable[[Word, tuple[Address, Address, Address, int, Floats]], float] = _caller(EVALUATION)
call_evaluation_of_all: Callable[[Word, tuple[Address, Address, Address, Floats, Floats]], None] = _caller(
    EVALUATION_OF_ALL
)
call_script: Callable[[Word, tuple[Address, Address, int, Floats, Address, Words]], int] = _caller(SCRIPT)


def game_function(name: str) -> Callable[[Callable[..., Any]], Entry]:
    """Decorator for one function of a game's table.

    Args:
        name: A name of the table, or "evaluation", "evaluation_of_all" or "script".

    Returns:
        A decorator that gives an :class:`~turnwise.jit.kernel.Entry` (compiled when first used).

    Raises:
        UnknownNameError: The table has no such name.
        OptionError: The name is not a string.
    """
    if not isinstance(name, str):
        came = f"the function {name.__name__}" if isinstance(name, FunctionType) else shown(name)
        raise OptionError(
            f'game_function takes the name of a function in the table, as in @game_function("apply"); got {came}.'
        )
    if name not in FORMS:
        raise unknown_name("function", name, FORMS, "The table of a game's functions")
    return entry(FORMS[name])


def _entry_by_name(function: Entry) -> tuple[Any, ...]:
    """Pickle a game function by name; the other process compiles it or loads it from the cache.

    Raises:
        TurnwiseError: Another process could not find it.
    """
    name = importable_name(function, function.python, f"function {function.python.__name__!r} of a game")
    return (Entry, (function.python, function.signature)) if name is None else (find, name)


copyreg.pickle(Entry, _entry_by_name)
