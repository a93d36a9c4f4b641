"""A person who plans a turn at the prompt: numbers, texts, confirmation."""

import pytest

import turnwise
from doubles import toy_game
from doubles.cli_samples import TINY
from turnwise.cli.ui.person import Person, PersonLeftError


def test_the_prompt_says_which_numbers_there_are():
    asked = []

    def ask(prompt):
        asked.append(prompt)
        return {1: "1", 2: "undo"}.get(len(asked), "quit")

    person = Person(hint=lambda state: None, ask=ask)
    state = turnwise.make(TINY).start()
    with pytest.raises(PersonLeftError):
        person.plan(state, turnwise.Budget(iterations=1))
    listed = len(state.legal_actions()) + 1  # and 'end', which is accepted unlisted
    assert asked[0].endswith(f"actions 1 to {listed}> ")
    assert asked[1] != asked[0] == asked[2]


class Digits(toy_game.Toy):
    """A game whose actions are written as numbers."""

    def action_text(self, row, action):
        return str(action)

    def parse_action(self, row, text):
        return int(text)


def test_the_text_of_an_action_goes_before_a_number(capsys):
    state = Digits(points=3).start()
    listed = state.legal_actions()
    assert "3" in listed
    assert listed[3 - 1] != "3"
    typed = iter(["3", "quit"])
    person = Person(hint=lambda state: None, ask=lambda prompt: next(typed))
    with pytest.raises(PersonLeftError):
        person.plan(state, turnwise.Budget(iterations=1))
    assert "Played 3." in capsys.readouterr().out


def test_turns_that_end_themselves_are_confirmed():
    """If the last action ends the turn, it can still be taken back."""
    state = toy_game.Toy(points=1, end="forced", turns=4).start()
    typed = iter(["list", state.legal_actions()[0], "undo", state.legal_actions()[1], "end", ""])
    person = Person(hint=lambda state: None, ask=lambda prompt: next(typed))
    codes = person.plan(state, turnwise.Budget(iterations=1))
    assert state.text(codes[0]) == state.legal_actions()[1]


@pytest.mark.parametrize("typed", ["?", "help", "foo", "0"])
def test_a_complete_turn_says_what_can_be_done_with_it(capsys, typed):
    game = toy_game.Toy(points=1, end="forced", turns=4)
    game.end_action = None  # no action of a person ends the turn explicitly
    state = game.start()
    lines = iter([state.legal_actions()[0], "end", typed, ""])
    turn = Person(hint=lambda state: None, ask=lambda prompt: next(lines)).plan(state, turnwise.Budget(iterations=1))
    assert [state.text(turn[0])] == state.legal_actions()[:1]
    (answer,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("The turn is complete")]
    assert "Enter plays it" in answer
    assert "'undo'" in answer


def test_where_chance_falls_in_mid_turn_every_action_counts_at_once():
    state = toy_game.Toy(points=3, chance=True).start()
    action = state.legal_actions()[0]
    person = Person(hint=lambda state: None, ask=lambda prompt: action)
    assert [state.text(code) for code in person.plan(state, turnwise.Budget(iterations=1))] == [action]


def test_what_counts_at_once_is_shown_once_and_cannot_be_taken_back(capsys):
    """The board after an action is that of the game, whose chance may differ from what was tried out here."""
    state = toy_game.Toy(points=3, chance=True).start()
    typed = iter([state.legal_actions()[0], "undo", "quit"])
    person = Person(hint=lambda state: None, ask=lambda prompt: next(typed))
    codes = person.plan(state, turnwise.Budget(iterations=1))
    first = capsys.readouterr().out
    assert "every action counts at once" in first  # in the list of commands
    assert first.count(str(state).splitlines()[0]) == 1
    assert f"Played {state.text(codes[0])}." in first
    with pytest.raises(PersonLeftError):
        person.plan(state.play(codes[0]), turnwise.Budget(iterations=1))
    second = capsys.readouterr().out
    assert "none can be taken back" in second
    assert "No action has been played" not in second


def asked(state, command):
    """Type a command at the first prompt."""
    typed = iter([command, "quit"])
    with pytest.raises(PersonLeftError):
        Person(hint=lambda state: None, ask=lambda prompt: next(typed)).plan(state, turnwise.Budget(iterations=1))


@pytest.mark.parametrize(
    ("command", "method"), [("rules", "rules_text()"), ("legend", "legend_text(row)"), ("info 7", "info_text(row, ")]
)
def test_what_a_game_does_not_explain_names_the_method_that_would(capsys, command, method):
    asked(toy_game.Toy(points=3).start(), command)
    assert f"give it the method {method}" in " ".join(capsys.readouterr().out.split())


def test_turnwises_own_games_ask_for_no_method(capsys):
    asked(turnwise.make("samegame").start(), "info 99")
    said = " ".join(capsys.readouterr().out.split())
    assert "Nothing is known about '99'" in said
    assert "If the game is yours" not in said


class Explained(toy_game.Toy):
    """A game with words of its own, one of which fails."""

    def rules_text(self):
        return "Score points."

    def info_text(self, row, subject):
        raise KeyError(subject)


def test_a_text_that_fails_does_not_end_the_game(capsys):
    state = Explained(points=3).start()
    asked(state, "rules")
    assert "Score points.\n" in capsys.readouterr().out
    asked(state, "info 7")
    assert "info_text failed: KeyError: '7'" in capsys.readouterr().out


class Wordless(toy_game.Toy):
    """A game whose words for people are no texts."""

    def rules_text(self):
        return ["Score points."]

    def info_text(self, row, subject):
        return 5

    def svg(self, row, last_action=None):
        return None


def test_a_text_that_is_none_does_not_end_the_game(capsys):
    state = Wordless(points=3).start()
    asked(state, "rules")
    assert "rules_text must return a text; got ['Score points.'] (list)." in " ".join(capsys.readouterr().out.split())
    asked(state, "info 7")
    said = " ".join(capsys.readouterr().out.split())
    assert "info_text must return a text; got 5 (int)." in said
    assert "svg must return a text; got nothing (a missing return?)." in said


def test_a_hint_that_fails_does_not_end_the_game(capsys):
    def hint(state):
        raise ZeroDivisionError("a mistake in the planner")

    typed = iter(["hint", "quit"])
    person = Person(hint, ask=lambda prompt: next(typed))
    with pytest.raises(PersonLeftError):
        person.plan(turnwise.make(TINY).start(), turnwise.Budget(iterations=1))
    shown = " ".join(capsys.readouterr().out.split())
    assert "No hint: the planner failed: ZeroDivisionError: a mistake in the planner (" in shown
    assert "raise ZeroDivisionError" in shown
