"""Checks of what players know: views, surprises in the middle of a turn, news."""

from __future__ import annotations

from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken, described
from turnwise.testing.checks.sample import StateSample, text_of

_DRAWS = 8  # chance outcomes of an action that are compared


def hidden_information(sample: StateSample) -> None:
    """A game that hides something has both functions, ``view`` and ``determinise``."""
    both = ("view", "determinise")
    has = [name for name in both if sample.game.pointers[name]]
    if len(has) == 1:
        other = both[1 - both.index(has[0])]
        raise Broken(
            f"the game has the function {has[0]}, but not {other}. A game that hides something needs both, else "
            f"searches treat it as one that hides nothing: add {other}, or remove {has[0]}"
        )


def views(sample: StateSample) -> None:
    """A view is deterministic, equals its own view, and has the same player to move and turn number."""
    for state in sample.states:
        for player in range(sample.game.players):
            view = state.view(player)
            if view.to_dict() != state.view(player).to_dict():
                raise Broken(f"two views by player {player} (counted from 0) differ", state)
            if view.view(player).to_dict() != view.to_dict():
                raise Broken(f"the view of player {player} (counted from 0) and the view of that view differ", state)
            if (view.to_move, view.turn) != (state.to_move, state.turn):
                raise Broken(f"player {player} (counted from 0): the view has another mover or turn number", state)


def hiding_views(sample: StateSample) -> None:
    """A game that hides something shows some player less than the state somewhere."""
    game = sample.game
    if not game.hides_information:
        return
    states = sample.all_states
    if any(state.view(player).to_dict() != state.to_dict() for state in states for player in range(game.players)):
        return
    raise Broken(
        f"view hides nothing: in all {len(states)} states of {counted(len(sample.games), 'random game')} the views of "
        "all players are the full state. Replace what the player cannot know, or remove view and determinise, so that "
        "searches do not draw worlds without need. If hiding is an option of the game that is off here, leave this "
        'check out: without=("hiding-views",)',
        states[-1],
    )


def playable_views(sample: StateSample) -> None:
    """A view is a state like any other: it has values, and its mover's actions can be played on it."""
    if not sample.game.hides_information:
        return
    for state in sample.states:
        for player in range(sample.game.players):
            _play_on(sample, state, player)


def _play_on(sample: StateSample, state: State, player: int) -> None:
    action = ""
    try:
        view = state.view(player)
        questions = (
            view.returns,
            view.fingerprint,
            str(view),
            [view.evaluate(seat) for seat in range(view.game.players)],
        )
        del questions
        if not view.is_over and view.to_move == player:
            for code in sample.some_actions(view):
                action = text_of(view, code)
                view.play(code)
    except TurnwiseError as error:
        what = "playing an action on the view" if action else "a question to the view"
        remedy = "give hidden parts a value that the rules accept (such as -1), not None, and let the rules expect it"
        if "None" not in str(error):
            remedy = "let the rules accept every value by which the view stands for what is hidden"
        raise Broken(
            f"{what} of player {player} (counted from 0) failed: {error} A view is a state on which planners play: "
            f"{remedy}",
            state,
            action,
        ) from error


def hidden_from_each(sample: StateSample) -> None:
    """If something is hidden from one player, something is hidden from each, somewhere in the games."""
    game = sample.game
    if not game.hides_information:
        return
    states = sample.all_states
    sees_all = [
        player
        for player in range(game.players)
        if all(state.view(player).to_dict() == state.to_dict() for state in states)
    ]
    if 0 < len(sees_all) < game.players:  # where all see all, the check of hiding views fails
        raise Broken(
            f"nothing is hidden from player {sees_all[0]} (counted from 0) in all {len(states)} states of "
            f"{counted(len(sample.games), 'random game')}, though something is hidden from another player. Likely "
            "cause: view(state, player) does not hide for every player what belongs to the others. If this player "
            'really knows all, leave this check out: without=("hidden-from-each",)',
            states[-1],
        )


def own_views(sample: StateSample) -> None:
    """Players know different things: somewhere in the games their views differ."""
    game = sample.game
    if not game.hides_information or game.players == 1:
        return
    states = sample.all_states
    hiding: list[State] = []
    for state in states:
        views = [state.view(player).to_dict() for player in range(game.players)]
        if any(view != views[0] for view in views):
            return
        hiding += [state] if views[0] != state.to_dict() else []
    if hiding:
        raise Broken(
            f"in all {len(states)} states of {counted(len(sample.games), 'random game')} the views of all players are "
            "the same, though something is hidden. Likely cause: view ignores its argument player, so that a player's "
            "own hand is hidden from it, or another one's is shown. If all players know the same in this game, as "
            'where only a deck is hidden, leave this check out: without=("own-views",)',
            hiding[0],
        )


def known_choices(sample: StateSample) -> None:
    """What the mover may do follows from its view: state, view and drawn worlds have the same actions and actors."""
    if not sample.game.hides_information:
        return
    for state in sample.running:
        _equal_choices(state.view(state.to_move), state, "in the state", state)
    for seed, state in enumerate(sample.running):
        known = state.view(state.to_move)
        world = known.determinise(state.to_move, seed)
        _equal_choices(known, world, f"in a world that determinise drew from its view with the seed {seed}", state)


def known_order(sample: StateSample) -> None:
    """State, view and drawn worlds list the mover's actions in the same order, so that a place in a list means one."""
    if not sample.game.hides_information:
        return
    for state in sample.running:
        _equal_order(state, state.view(state.to_move), "the state", state)
    for seed, state in enumerate(sample.running):
        known = state.view(state.to_move)
        world = known.determinise(state.to_move, seed)
        _equal_order(world, known, f"a world that determinise drew from its view with the seed {seed}", state)


def _equal_order(full: State, known: State, where: str, shown: State) -> None:
    """A full state lists the actions of its mover in the order of the view; other actions are another check's."""
    codes, seen = full.legal_codes().tolist(), known.legal_codes().tolist()
    if codes == seen or sorted(codes) != sorted(seen):
        return
    action = next(one for one, other in zip(codes, seen, strict=True) if one != other)
    raise Broken(
        f"for player {known.to_move} (counted from 0), who is to move, the legal list in {where} has another order "
        f"than in its view: {[text_of(full, code) for code in codes]!r:.300} and "
        f"{[text_of(known, code) for code in seen]!r:.300}; a choice by its place in the list, as of a random policy, "
        "then depends on what is hidden",
        shown,
        text_of(full, action),
    )


def _equal_choices(known: State, full: State, where: str, shown: State) -> None:
    """A full state offers its mover the actions that the view offers.

    Args:
        known: The mover's view.
        full: The state of which it is the view, or a world.
        where: Which of both, for the message.
        shown: The state to show.
    """
    mover = known.to_move
    who = f"for player {mover} (counted from 0), who is to move,"
    rule = "what the mover may do must follow from what it knows (its view), else its planners play illegal actions"
    codes, seen = full.legal_codes().tolist(), known.legal_codes().tolist()
    if sorted(codes) != sorted(seen):
        action = next((code for code in (*codes, *seen) if (code in codes) != (code in seen)), codes[0])
        listed = [[text_of(full, code) for code in listed] for listed in (codes, seen)]
        raise Broken(
            f"{who} the legal list {where} has other actions than in its view: {listed[0]!r:.300} and "
            f"{listed[1]!r:.300}; {rule}",
            shown,
            text_of(full if action in codes else known, action),
        )
    for code in codes:
        if full.is_legal(code) != known.is_legal(code):
            raise Broken(
                f"{who} is_legal says {full.is_legal(code)} {where} and {known.is_legal(code)} in its view; {rule}",
                shown,
                text_of(full, code),
            )
    if full.actors() != known.actors():
        message = f"{who} actors are {full.actors()} {where} and {known.actors()} in its view; the mover must know them"
        raise Broken(message, shown)
    for code in codes:
        if full.actor(code) != known.actor(code):
            message = f"{who} the action is of actor {full.actor(code)} {where} and of {known.actor(code)} in its view"
            raise Broken(f"{message}; the mover must know it", shown, text_of(full, code))


def declared_revealing(sample: StateSample) -> None:
    """A game in which an own action reveals something in mid-turn, by chance or by what is seen, declares it."""
    if sample.game.reveals_in_turn:
        return
    for number, state in enumerate(sample.running):
        player = state.to_move
        for code in sample.some_actions(state):
            after = state.play(code)
            if after.is_over or (after.to_move, after.turn) != (player, state.turn):
                continue
            what = _chance_seen(state, code) if after.outcomes else _sight(state, code, after, number)
            if what:
                message = (
                    f"after this action player {player} (counted from 0) sees {what}, but reveals_in_turn is False. "
                    "Set it to True, so that plans are revised, or let the view show it only after the turn"
                )
                raise Broken(message, state, text_of(state, code))


def _chance_seen(state: State, code: int) -> str:
    """What the mover sees of the chance in its action."""
    views = [state.with_chance(seed).play(code).view(state.to_move).to_dict() for seed in range(_DRAWS)]
    return "what chance decided in the middle of its turn" if any(view != views[0] for view in views) else ""


def _sight(state: State, code: int, after: State, seed: int) -> str:
    """What the mover sees after an action without chance, beyond what follows from its view and from a world."""
    player = state.to_move
    known, seen = state.view(player), after.view(player).to_dict()
    for world in (known, known.determinise(player, seed)) if state.game.hides_information else ():
        expected = world.play(code) if world.is_legal(code) else None
        if expected is not None and not expected.outcomes and expected.view(player).to_dict() != seen:
            return "something in the middle of its turn that does not follow from what it knew"
    return ""


def news(sample: StateSample) -> None:
    """A state brings no news against its own copy, and always news where another player or turn was expected."""
    game = sample.game
    if not game.pointers["news"]:
        return
    for state in sample.running:
        player = state.to_move
        seen = state.view(player)
        codes = state.legal_codes().tolist()
        for code in dict.fromkeys((*codes[:4], *codes[-4:])):  # the end of a turn is often the last one
            after = state.play(code).view(player)
            answer, again = after.has_news(seen, player), after.has_news(seen, player)
            if answer != again:
                message = f"news returned {answer}, then {again} for the same two states; seen was {described(after)}"
                raise Broken(message, state, text_of(state, code))
            if not answer and (after.to_move, after.turn) != (state.to_move, state.turn):
                message = (
                    f"news returned {answer} for player {player} (counted from 0), with the state before the action as "
                    "expected and the state after it as seen; expected True, since the player to move or the turn is "
                    f"another one; seen was {described(after)}"
                )
                raise Broken(message, state, text_of(state, code))
        if game.from_dict(seen.to_dict()).has_news(seen, player):
            raise Broken(f"a copy of the view of player {player} (counted from 0) brings news", state)
