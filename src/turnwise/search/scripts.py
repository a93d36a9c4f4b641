"""Expressions of scripts in a search: a table of nodes that one kernel walks, so that nothing is compiled for them.

A node either runs one script or draws a branch. An action that a script finds is the action of the whole expression;
a script without one leads to the node of the next script. Nodes only lead to nodes before them in the table.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from turnwise.core import arguments, table
from turnwise.core.calls import script_room
from turnwise.core.chance import draw, uniform
from turnwise.core.errors import CapacityError, OptionError, UnknownNameError, unknown_name
from turnwise.core.game import Game
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.memory import at
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words, array_address
from turnwise.search.actors import actor_actions, actor_buffer, of_actor
from turnwise.search.expressions import Expression, First, Named, names_of, parse
from turnwise.search.forward_model import PLAY_EXPRESSION, action_score, is_legal, legal, pruned
from turnwise.search.problem_record import ProblemRecord

NO_NODE = -1
SCRIPT, RANDOM, BEST_SCORED, END, BRANCH = range(5)
BUILT_IN = {
    "random": "a uniform legal action (of the actor)",
    "best-scored": "the best by the game's action score among the pruned legal actions (of the actor)",
    "end": "the action that ends the turn; never one for a single actor",
    "nothing": "no action",
}
"""The scripts of every game, with summaries; a game's own script of the same name comes first."""
_KINDS = {"random": RANDOM, "best-scored": BEST_SCORED, "end": END}
_MOST_NODES = 1 << 20  # of all expressions of one game object


class ScriptNode(Record):
    """One step of an expression."""

    kind: int  # SCRIPT, one of the built-in scripts, or BRANCH
    function: Word  # for SCRIPT: its pointer
    parameters: Floats
    probability: float  # for BRANCH: of ``chosen``
    chosen: int  # for BRANCH
    otherwise: int  # node to go on with if there is no action here, or the draw is above; NO_NODE: there is none


class ScriptTable(Record):
    """What the kernels of one search need for scripts."""

    nodes: Records[ScriptNode]
    scratch: Words  # uint64[script_words, at least max_actions]
    listed: Ints  # int64[max_actions], scratch of the built-in scripts
    # Candidates (search/portfolio.py):
    portfolio: Ints  # first nodes of its ``size`` expressions; then number and nodes of those of each kind of actors
    size: int
    form: int
    kind_begin: Ints  # int64[kinds]: where the portfolio of each kind begins; below 0: it has the common one
    kinds: int
    weighted: int  # whether scripts have weights, and lists votes
    weights: Floats  # float64, at the places of ``portfolio``
    unweighted: float  # vote for an action that no script has chosen
    votes: Floats  # float64[max_actions]: for each action of the last list, sum of the weights of its scripts
    groups: Ints  # int64[group_count]: groups of actions that are left out
    group_count: int
    unrestricted: int  # number of actors whose actions are not restricted
    actors: Ints  # int64[actor_capacity], scratch
    pruned: Ints  # int64[max_actions], scratch


script_table = at(ScriptTable)


@kernel
def script_action(p: ProblemRecord, expression: int, state: Address, actor: int) -> int:
    """The action of an expression for an actor or ``ALL``; NOTHING if it has none.

    Chance comes from the problem's generator. Nothing is counted: no action is played.

    Args:
        p: The problem, which knows the expression (``Problem.expression``).
        expression: Its first node, as ``Problem.expression`` returns it.
        state: Address of a state that is not over.
        actor: Number of an actor of the player to move, or ``ALL``.
    """
    t = script_table(p.scripts)
    here = expression
    while here != NO_NODE:
        node = t.nodes[here]
        here = node.otherwise
        if node.kind == BRANCH:
            if uniform(p.rng) < node.probability:
                here = node.chosen
            continue
        if node.kind == SCRIPT:
            arguments = (p.setup, state, actor, node.parameters, p.rng, t.scratch)
            action = table.call_script(node.function, arguments)
        else:
            action = built_in_action(p, t, node.kind, state, actor)
        if action != NOTHING:
            return action
    return NOTHING


@kernel
def built_in_action(p: ProblemRecord, t: ScriptTable, kind: int, state: Address, actor: int) -> int:
    """The action of a built-in script, or NOTHING; see :data:`BUILT_IN`."""
    if kind == END:
        return p.end_action if actor == ALL and p.has_end != 0 and is_legal(p, state, p.end_action) else NOTHING
    if kind == RANDOM:
        n = legal(p, state, t.listed) if actor == ALL else actor_actions(p, state, actor, t.listed)
        return t.listed[draw(p.rng, n)] if n > 0 else NOTHING
    n = pruned(p, state, t.listed)
    if actor != ALL:
        n = of_actor(p, state, actor, t.listed, n)
    best, best_score = NOTHING, -np.inf
    for i in range(n):
        score = action_score(p, state, t.listed[i])
        if score > best_score:
            best, best_score = t.listed[i], score
    return best


@entry(PLAY_EXPRESSION)
def play_expression(p: ProblemRecord, expression: int, state: Address, actor: int) -> int:
    """:func:`script_action` as a pointer, for :func:`turnwise.search.forward_model.scripted`."""
    return script_action(p, expression, state, actor)


class ScriptBook:
    """The expressions of one game object in node form; searches of any number share it.

    Attributes:
        nodes: ScriptNode[...]; the first ``count`` are in use and never change.
        address: Where the nodes are now; they move when there is no more room.
        count: How many.
    """

    def __init__(self, game: Game) -> None:
        self._name = game.name
        self._scripts: dict[str, Script] = {name: game.script(name) for name in game.script_names}
        self._first: dict[str, int] = {}
        self._parameters: list[Floats] = []  # keeps their memory alive
        self._memory = np.zeros(16, ScriptNode.dtype)
        self.address = array_address(self._memory)
        self.count = 0

    @property
    def nodes(self) -> Records[ScriptNode]:
        """A pointer to the nodes, which stay where they are as long as it lives."""
        return Records.of_array(ScriptNode, self._memory)

    def add(self, game: Game, text: str) -> int:
        """The first node of an expression, which is added if it is new.

        Raises:
            OptionError: The text is not an expression, or sets a parameter that a script does not have.
            UnknownNameError: The game has no script of a name in it.
            CapacityError: There are too many different expressions.
        """
        if text not in self._first:
            expression = checked(game, parse(text))
            self._scripts = {name: game.script(name) for name in game.script_names}
            self._first[text] = self._add(expression, NO_NODE)
        return self._first[text]

    def _add(self, expression: Expression, otherwise: int) -> int:
        """Add the nodes of an expression, and say where to go if it has no action; returns its first node."""
        if isinstance(expression, Named):
            return self._script(expression, otherwise)
        if isinstance(expression, First):
            for part in reversed(expression.parts):
                otherwise = self._add(part, otherwise)
            return otherwise
        rest, first = expression.weights[-1], self._add(expression.parts[-1], otherwise)
        for weight, part in zip(expression.weights[-2::-1], expression.parts[-2::-1], strict=True):
            rest += weight
            chosen = self._add(part, otherwise)
            place = self._new(BRANCH, first)
            node = self.nodes[place]
            node.probability, node.chosen = weight / rest, chosen
            first = place
        return first

    def _script(self, named: Named, otherwise: int) -> int:
        script = self._scripts.get(named.name)
        if script is None:
            return otherwise if named.name == "nothing" else self._new(_KINDS[named.name], otherwise)
        place = self._new(SCRIPT, otherwise)
        values = script.values_with(dict(named.values))
        parameters = Floats.of(arguments.parameters(values, f"Script {named.name!r}"))
        self._parameters.append(parameters)
        node = self.nodes[place]
        node.function = Word(script.address)
        node.parameters = parameters
        return place

    def _new(self, kind: int, otherwise: int) -> int:
        """A new node.

        Raises:
            CapacityError: There is no room for it.
        """
        if self.count == _MOST_NODES:
            raise CapacityError(
                f"The expressions used with one game object of {self._name} have more than {_MOST_NODES} nodes. Make a "
                "new game object from time to time."
            )
        if self.count == len(self._memory):
            self._memory = np.concatenate([self._memory, np.zeros_like(self._memory)])
            self.address = array_address(self._memory)
        node = self.nodes[self.count]
        node.kind, node.otherwise = kind, otherwise
        self.count += 1
        return self.count - 1


_books: WeakKeyDictionary[Game, ScriptBook] = WeakKeyDictionary()


def book_of(game: Game) -> ScriptBook:
    """The expressions of a game object."""
    book = _books.get(game)
    if book is None:
        book = _books[game] = ScriptBook(game)
    return book


def new_table(game: Game) -> ScriptTable:
    """The table of one search, without nodes."""
    t = ScriptTable()
    t.scratch = Words.of(np.zeros(script_room(game), np.uint64))
    t.listed = Ints.of(np.zeros(game.max_actions, np.int64))
    t.pruned = Ints.of(np.zeros(game.max_actions, np.int64))
    t.actors = Ints.of(actor_buffer(game))
    return t


def script_names(game: Game) -> list[str]:
    """Names of all scripts that expressions of a game may contain, its own first."""
    return [*game.script_names, *(name for name in BUILT_IN if name not in game.script_names)]


def checked(game: Game, expression: Expression) -> Expression:
    """Check the names of an expression.

    Raises:
        UnknownNameError: The game has no script of a name.
        OptionError: A script has no parameter of a name.
    """
    for named in names_of(expression):
        own = game.script_names
        if named.name not in own and named.name not in BUILT_IN:
            wrong = unknown_name("script", named.name, script_names(game), f"game {game.name}")
            raise UnknownNameError(f"Character {named.at + 1} of {str(expression)!r:.200}: {wrong}")
        known = game.script(named.name).parameter_names if named.name in own else ()
        for name, _ in named.values:
            if name not in known:
                raise OptionError(
                    f"Expression {str(expression)!r:.200}: the script {named.name!r} has no parameter {name!r}; it has "
                    f"{', '.join(known) or 'none'}."
                )
    return expression
