"""``play``, with the input of a person."""

import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path

import pytest

import turnwise
from doubles.cli_samples import TINY
from doubles.counting_game import Counting
from turnwise.games.samegame.game import SameGame
from turnwise.registry import GAMES
from turnwise.replay import read_replay

COMMAND = ("play", TINY, "-p", "heuristic", "-b", "iterations=10")


def play(cli, monkeypatch, lines, *more):
    """Type lines, then end the input."""
    monkeypatch.setattr(sys, "stdin", None)
    return cli(*COMMAND, *more, typed="".join(f"{line}\n" for line in lines))


@pytest.fixture
def first():
    """Legal actions of the start."""
    return turnwise.make(TINY).start().legal_actions()


def test_an_action_by_its_text_and_quit_saves_the_replay(cli, monkeypatch, tmp_path, first):
    shown = play(cli, monkeypatch, [first[0], "end", "quit"])
    assert shown.code == 0, shown.err
    assert f"Played {first[0]}." in shown.out
    (file,) = tmp_path.iterdir()
    assert file.name == "hero-academy-1.replay.json"
    assert "Replay saved: hero-academy-1.replay.json" in shown.out
    replay = read_replay(file.read_text())
    assert replay.players == ("person", "heuristic")
    assert [step.action for step in replay.steps[:2]] == [first[0], "end"]
    assert replay.steps[2].player == 1
    assert len(list(replay.states())) == len(replay.steps) + 1


def test_quit_in_mid_turn_saves_what_was_entered(cli, monkeypatch, tmp_path, first):
    shown = play(cli, monkeypatch, [first[0], "1", "undo", "quit"])
    assert "Replay saved" in shown.out
    (file,) = tmp_path.iterdir()
    replay = read_replay(file.read_text())
    assert [step.action for step in replay.steps] == [first[0]]
    assert len(list(replay.states())) == 2


def test_quit_before_anything_was_played_says_so(cli, monkeypatch, tmp_path):
    assert "no replay is saved" in play(cli, monkeypatch, ["quit"]).out
    assert not list(tmp_path.iterdir())


def test_a_read_only_folder_is_reported_before_the_game(cli, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    play(cli, monkeypatch, ["quit"]).refused("cannot write in the folder")


def test_the_opponents_turn_is_shown(cli, monkeypatch):
    shown = play(cli, monkeypatch, ["end", "quit"]).out
    assert "heuristic (" in shown
    replies = shown.split("heuristic (", 1)[1].splitlines()[1:]
    assert replies[0].startswith("  ")


def test_a_number_is_the_place_in_the_legal_list_in_any_list_shown(cli, monkeypatch, tmp_path, first):
    wanted = [action for action in first if action.startswith("drop")][1]
    number = first.index(wanted) + 1
    shown = play(cli, monkeypatch, ["drop", number, "end", "quit"])
    assert f"{number:>3}) {wanted}" in shown.out
    assert f"Played {wanted}." in shown.out
    (file,) = tmp_path.iterdir()
    assert read_replay(file.read_text()).steps[0].action == wanted


def test_a_number_means_the_same_whether_a_list_was_shown_or_not(cli, monkeypatch, first):
    second = turnwise.make(TINY).start().play(first[2]).legal_actions()[0]
    shown = play(cli, monkeypatch, ["3", "1", "quit"]).out
    assert f"Played {first[2]}." in shown
    assert f"Played {second}." in shown


def test_the_list_is_the_legal_list(cli, monkeypatch, first):
    shown = play(cli, monkeypatch, ["list", "quit"]).out
    assert all(f"{number:>3}) {action}" in shown for number, action in enumerate(first, start=1))


def test_a_part_of_an_action_filters_too_and_nonsense_is_answered(cli, monkeypatch):
    shown = play(cli, monkeypatch, [">0,0", "flarp", "999", "quit"]).out
    assert ") drop" in shown
    assert "No legal action begins with 'flarp'" in shown
    assert "There is no action 999; the legal actions have the numbers 1 to " in shown


def test_undo_within_the_turn(cli, monkeypatch, tmp_path, first):
    shown = play(cli, monkeypatch, ["undo", first[0], "undo", first[1], "end", "quit"])
    assert "No action has been played in this turn." in shown.out
    assert f"Took back {first[0]}." in shown.out
    (file,) = tmp_path.iterdir()
    assert [step.action for step in read_replay(file.read_text()).steps[:2]] == [first[1], "end"]


def test_a_hint_is_a_legal_turn(cli, monkeypatch):
    shown = play(cli, monkeypatch, ["hint", "quit"]).out
    (line,) = [line for line in shown.splitlines() if "Hint" in line]
    state = turnwise.make(TINY).start()
    for action in line.split(": ", 1)[1].split("; "):
        state = state.play(action)
    assert state.to_move == 1


def test_leaving_without_having_played_saves_nothing(cli, monkeypatch, tmp_path):
    assert play(cli, monkeypatch, ["quit"]).code == 0
    assert play(cli, monkeypatch, []).code == 0
    assert not list(tmp_path.iterdir())


def test_the_end_of_the_input_leaves_and_saves(cli, monkeypatch, tmp_path):
    assert play(cli, monkeypatch, ["end"]).code == 0
    assert len(list(tmp_path.iterdir())) == 1
    assert play(cli, monkeypatch, ["end"]).code == 0
    assert {p.name for p in tmp_path.iterdir()} == {"hero-academy-1.replay.json", "hero-academy-2.replay.json"}


def test_ctrl_c_leaves_and_saves(cli, monkeypatch, tmp_path):
    from turnwise.cli.ui import person

    def interrupt(self, command):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(person.Person, "_show_hint", interrupt)
    shown = play(cli, monkeypatch, ["end", "hint"])
    assert shown.code == 130
    assert "Traceback" not in shown.err
    assert "games" not in shown.err
    assert len(list(tmp_path.iterdir())) == 1


def test_the_last_words_begin_below_an_open_prompt(cli, monkeypatch):
    left = play(cli, monkeypatch, ["end"]).out  # the input ends at the prompt
    assert "> \nReplay saved: hero-academy-1.replay.json\n" in left
    assert "> \nNo action was played" in play(cli, monkeypatch, []).out


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_at_the_prompt_leaves_its_line(process, name):
    started = process(*COMMAND)
    started.stdin.write("1\n")
    started.stdin.flush()
    shown = ""
    while re.search(r" 1 played, actions 1 to \d+> $", shown) is None:
        letter = started.stdout.read(1)
        assert letter, started.communicate()
        shown += letter
    started.send_signal(getattr(signal, name))
    rest, _ = started.communicate(timeout=60)
    assert rest.startswith("\nReplay saved: ")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_saves_and_says_how_to_go_on(cli, monkeypatch, tmp_path, name):
    from turnwise.cli.ui import person

    number = getattr(signal, name)
    before = signal.getsignal(number)
    monkeypatch.setattr(person.Person, "_show_hint", lambda self, state: os.kill(os.getpid(), number))
    shown = play(cli, monkeypatch, ["end", "1", "hint"])
    assert shown.code == 128 + number
    (file,) = tmp_path.iterdir()
    assert f"To go on: turnwise play hero-academy --resume {file.name} --planner heuristic" in shown.out
    assert signal.getsignal(number) is before
    entered = read_replay(file.read_text()).steps[-1]
    assert (entered.player, entered.action) == (0, [*read_replay(file.read_text()).states()][-2].legal_actions()[0])


def test_a_second_signal_does_not_interrupt_the_saving(cli, monkeypatch, tmp_path):
    from turnwise.cli.ui import watched_game
    from turnwise.cli.ui.output import write_whole

    def closed_meanwhile(*arguments, **more):
        os.kill(os.getpid(), signal.SIGHUP)
        write_whole(*arguments, **more)

    monkeypatch.setattr(watched_game, "write_whole", closed_meanwhile)
    assert play(cli, monkeypatch, ["1"]).code == 128 + signal.SIGHUP
    assert len(list(tmp_path.iterdir())) == 1


def test_a_terminal_that_is_gone_saves(cli, monkeypatch, tmp_path):
    from turnwise.cli.ui import person

    monkeypatch.setattr(person, "plain", os.listdir)  # an OSError below turnwise's own line
    assert play(cli, monkeypatch, ["1", "1"]).code == 0
    (file,) = tmp_path.iterdir()
    assert len(read_replay(file.read_text()).steps) == 1


@pytest.mark.parametrize("failing", ["to_move", "play", "legal_actions"])
def test_a_game_whose_own_code_fails_is_saved(request, cli, monkeypatch, tmp_path, failing):
    honest = getattr(Counting, failing)

    def later(game, state, *more):
        if state.turn == 2:
            raise ZeroDivisionError("a mistake in the game")
        return honest(game, state, *more)

    monkeypatch.setattr(Counting, failing, later)
    GAMES.add("counting", Counting)
    request.addfinalizer(lambda: GAMES._classes.pop("counting"))
    monkeypatch.setattr(sys, "stdin", None)
    shown = cli("play", "counting", "-p", "random", "--out", "game.json", typed=2 * "1\n1\n1\n\n")
    assert shown.code == 2
    assert "a mistake in the game" in shown.err
    assert "Replay saved: game.json" in shown.out + shown.err
    assert "To go on: turnwise play counting --resume game.json" in shown.out + shown.err
    assert len(read_replay((tmp_path / "game.json").read_text()).steps) >= 1


@pytest.fixture
def drawn(monkeypatch):
    """A compiled game of the user's; the test says which code draws its board."""
    monkeypatch.setattr(sys, "stdin", None)

    class Drawn(SameGame):
        name = "drawn"

    GAMES.add("drawn", Drawn)
    yield Drawn
    GAMES._classes.pop("drawn")


@pytest.mark.parametrize(("error", "failing"), [(FileNotFoundError, 2), (ZeroDivisionError, 2), (OSError, 4)])
def test_a_board_of_the_user_that_fails_is_no_fault_of_the_person(drawn, cli, tmp_path, error, failing):
    boards = 0

    def board_text(game, row):
        nonlocal boards
        boards += 1
        if boards == failing:
            raise error("a mistake in the board")
        return SameGame.board_text(game, row)

    drawn.board_text = board_text
    shown = cli("play", "drawn", "-p", "random", "--out", "game.json", typed=5 * "1\n\n")
    assert shown.code == 2
    words = " ".join(shown.err.split())
    assert f"drawn: code of the game failed: {error.__name__}: a mistake in the board (" in words
    assert "raise error(" in words
    assert "To go on: turnwise play drawn --resume game.json" in shown.out + shown.err
    replay = read_replay((tmp_path / "game.json").read_text())
    assert (bool(replay.steps), replay.result) == (True, "")


def test_a_saved_game_goes_on(cli, monkeypatch, tmp_path):
    assert play(cli, monkeypatch, ["end", "1"]).code == 0
    before = read_replay((tmp_path / "hero-academy-1.replay.json").read_text())
    cli("play", "hero-academy", "--resume", "hero-academy-1.replay.json", *COMMAND[2:], typed="1\nquit\n")
    after = read_replay((tmp_path / "hero-academy-2.replay.json").read_text())
    assert after.start == before.start
    assert after.steps[: len(before.steps)] == before.steps
    assert len(after.steps) == len(before.steps) + 1
    assert after.players == before.players
    *_, last = after.states()
    assert last.to_move == 0


def test_what_cannot_be_resumed(cli, monkeypatch, tmp_path):
    (tmp_path / "no.json").write_text("{}")
    cli(*COMMAND, "--resume", "no.json").refused("no.json", "not a replay")
    cli(*COMMAND, "--resume", "no.json", "--state", "no.json").refused("--resume and --state")
    play(cli, monkeypatch, ["end"] * 3, "--out", "whole.json")
    cli("play", "hero-academy", "--resume", "whole.json").refused("this game is over")
    cli("play", "samegame", "--resume", "whole.json").refused("expected a game of samegame")


def test_letters_of_any_case(cli, monkeypatch, first):
    shown = play(cli, monkeypatch, [first[0].swapcase(), "INFO kn", "QUIT"]).out
    assert f"Played {first[0]}." in shown
    assert "KN Knight: 1000 hit points, speed 2" in shown


def test_rules_and_info(cli, monkeypatch, first):
    shown = play(cli, monkeypatch, ["rules", "info 0,1", "info", "info 77,7", "quit"]).out
    assert "Destroy all enemy crystals" in shown
    assert "Player 1 Crystal at 0,1; 4500 of 4500 hit points" in shown
    assert "Ask for what actions and board name" in shown
    assert "Nothing is known about '77,7'" in shown
    named = [f"{first.index(action) + 1:>3}) {action}" for action in first if action.endswith(">0,0")]
    explained = play(cli, monkeypatch, ["info 0,0", "quit"]).out.split("Legal actions that name it:")[1]
    assert named
    assert all(entry in explained for entry in named)


def test_rules_and_help_are_as_wide_as_the_terminal(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    answers = play(cli, monkeypatch, ["rules", "help", "quit"]).out.split("actions 1 to ")[1:3]
    rules, shown_help = (answer.split("> ", 1)[1].rpartition("\n")[0].splitlines() for answer in answers)
    assert rules[:2] == [
        "Destroy all enemy crystals, or leave the enemy without units",
        "on the board, in the hand and in the deck. By default a turn",
    ]
    assert shown_help[0] == "Type an action, its number in the list of all legal actions,"
    assert max(map(len, rules + shown_help)) <= 60


def test_the_legend_on_demand(cli, monkeypatch):
    before, shown = play(cli, monkeypatch, ["legend", "quit"]).out.split("actions 1 to", 1)
    assert "legend     what the codes on the board mean" in before
    assert "Pieces: 1>KN is player 1's Knight" in shown
    assert "AR Archer, CL Cleric" in shown


def test_a_number_alone_is_not_a_place(cli, monkeypatch):
    shown = play(cli, monkeypatch, ["info 0", "quit"]).out
    assert "Nothing is known about '0'. Ask for what actions and board name, as they write it" in shown
    example = shown.split("for example 'info ")[1].split("'")[0]
    assert "Legal actions that name it:" in play(cli, monkeypatch, [f"info {example}", "quit"]).out


def test_the_number_of_a_unit(cli):
    shown = cli("play", "stratega", "-p", "random", "-b", "iterations=1", typed="info 0\nquit\n").out
    answer = shown.split("> ", 1)[1]
    assert answer.startswith("W Warrior: health 200, moves 2")
    assert answer.count(" of player 1 at ") == 1
    assert "Warrior 0 of player 1 at" in answer
    assert ") move 0 " in answer


def test_the_list_is_grouped_by_who_acts(cli, monkeypatch, first):
    shown = play(cli, monkeypatch, [next(a for a in first if a.startswith("drop AR")), "list", "quit"]).out
    listed = shown.split("Played drop")[1].replace("> ", ">\n").splitlines()  # what is typed is not shown here
    assert "Archer at 0,0:" in listed
    assert ") move 0,0>" in listed[listed.index("Archer at 0,0:") + 1]


def test_where_only_the_end_is_left_it_is_not_needed(cli, monkeypatch, tmp_path, first):
    shown = play(cli, monkeypatch, ["1", "1", "1", "undo", "2", "", "quit"])
    assert shown.out.count("The turn is complete.") == 2
    assert "heuristic (" in shown.out
    (file,) = tmp_path.iterdir()
    steps = read_replay(file.read_text()).steps
    assert [step.player for step in steps[:5]] == [0, 0, 0, 0, 1]
    assert steps[3].action == "end"


def test_a_game_to_its_end(cli, monkeypatch, tmp_path):
    shown = play(cli, monkeypatch, ["end"] * 3, "--out", "whole.json")
    assert shown.code == 0
    replay = read_replay((tmp_path / "whole.json").read_text())
    assert "\nA draw by a limit (turn limit).\n" in shown.out
    assert replay.result == "drawn by limit"
    assert replay.returns
    assert json.loads((tmp_path / "whole.json").read_text())["result"]


def test_the_second_seat(cli, monkeypatch, tmp_path):
    shown = play(cli, monkeypatch, ["end", "quit"], "--seat", 2)
    assert shown.out.index("heuristic (") < shown.out.index("\nplayer 2, actions 1 to")
    (file,) = tmp_path.iterdir()
    assert read_replay(file.read_text()).players == ("heuristic", "person")


def test_wrong_seats_files_and_states(cli, monkeypatch, tmp_path):
    play(cli, monkeypatch, [], "--seat", 3).refused("--seat 3", "2 seats")
    (tmp_path / "there.json").write_text("mine")
    play(cli, monkeypatch, [], "--out", "there.json").refused("already exists", "--force")
    play(cli, monkeypatch, [], "--state", "nowhere.json").refused("nowhere.json")
    assert (tmp_path / "there.json").read_text() == "mine"


@pytest.mark.parametrize("game", ["hero-academy", "samegame", "search-race", "stratega", "tribes"])
def test_the_help_has_examples_of_this_game(cli, monkeypatch, game):
    monkeypatch.setattr(sys, "stdin", None)
    shown = cli("play", game, "-p", "random", typed="help\ninfo\nquit\n")
    assert shown.code == 0, shown.err
    texts = turnwise.make(game).start().legal_actions()
    begins = re.findall(r'list matching actions \("(.+?)"\)', " ".join(shown.out.split()))
    assert bool(begins) == (game != "samegame")  # whose actions are numbers
    assert all(any(text.startswith(begin) for text in texts) for begin in begins)
    subjects = re.findall(r"what X is and can do \(info (.+?)\)", shown.out)
    subjects += re.findall(r"for example 'info (.+?)'", shown.out)
    assert bool(subjects) == (game != "samegame")
    assert all(any(subject in text for text in texts) for subject in subjects)
    assert not any(example.isdecimal() for example in (*begins, *subjects))


def test_a_turn_of_one_action_is_played_at_once(cli, monkeypatch, tmp_path):
    first = turnwise.make("samegame:board=7").start()
    second = first.play(first.legal_actions()[0])
    wanted = second.legal_actions()[1]
    monkeypatch.setattr(sys, "stdin", None)
    shown = cli("play", "samegame:board=7", "-p", "random", typed=f"{first.legal_actions()[0]}\nlist\n2\nquit\n")
    assert shown.code == 0, shown.err
    assert f"  2) {wanted}" in shown.out
    (file,) = tmp_path.iterdir()
    assert [step.action for step in read_replay(file.read_text()).steps] == [first.legal_actions()[0], wanted]


def test_the_command_that_goes_on_has_all_options(cli, monkeypatch):
    more = ("--as-coded", "--seed", 7, "--seat", 1)
    shown = play(cli, monkeypatch, ["end", "quit"], "-p", "online-evolution", *more)
    (line,) = [line for line in shown.out.splitlines() if line.startswith("To go on: ")]
    words = shlex.split(line.removeprefix("To go on: "))
    assert words[-5:] == ["--seed", "7", "--seat", "1", "--as-coded"]
    assert cli(*words[1:], typed="quit\n").code == 0


def test_a_single_player_game_ends_with_its_result(cli, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", None)
    shown = cli("play", "samegame:board=1", "-p", "random", "--out", "g.json", typed="1\n" * 300)
    assert shown.code == 0, shown.err
    replay = read_replay((tmp_path / "g.json").read_text())
    last = [line for line in shown.out.splitlines() if line.startswith("The game is over: score ")]
    assert len(last) == 1
    assert "won" not in shown.out
    assert "lost" not in shown.out
    assert replay.result == "won"  # as the arena calls every game of a single player that was played to its end


def test_the_command_that_goes_on_names_what_was_imported():
    from turnwise.cli.ui.resumed_game import resuming_command

    words = resuming_command(
        Path("street 1.json"), "skyline", ["--planner", "random", "--budget", "forward=50"], ("my_game",)
    )
    assert words == (
        "turnwise --import my_game play skyline --resume 'street 1.json' --planner random --budget forward=50"
    )
