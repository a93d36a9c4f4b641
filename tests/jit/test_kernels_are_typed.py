"""Every kernel and game function says what its arguments and its result are; public ones have a docstring."""

import ast
import re
from pathlib import Path

import pytest

import turnwise

SOURCE = Path(turnwise.__file__).parent
DECORATORS = {"kernel", "entry", "game_function"}


def name_of(expression):
    """The last name of a decorator: ``kernel``, ``jit.kernel``, ``game_function("apply")``."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def compiled_functions(tree):
    """Functions of a module that are decorated as kernels or functions of a game's table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and DECORATORS & {name_of(d) for d in node.decorator_list}:
            yield node


def annotations(function):
    """Name and annotation (None: missing) of every argument and of the result."""
    given = function.args
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if argument is not None:
            yield argument.arg, argument.annotation
    yield "return", function.returns


def faults(tree):
    """What is missing in a module, one line each."""
    for function in compiled_functions(tree):
        for name, annotation in annotations(function):
            if annotation is None:
                yield f"{function.name}: {name} has no annotation"
            elif re.search(r"\bAny\b", ast.unparse(annotation)):
                yield f"{function.name}: {name} is {ast.unparse(annotation)}"
        if not function.name.startswith("_") and not ast.get_docstring(function):
            yield f"{function.name} has no docstring"


def test_every_kernel_is_typed_and_described():
    trees = {str(file.relative_to(SOURCE)): ast.parse(file.read_text("utf-8")) for file in SOURCE.rglob("*.py")}
    assert sum(len(list(compiled_functions(tree))) for tree in trees.values()) > 400, "decorators were renamed"
    found = [f"{file}: {fault}" for file, tree in trees.items() for fault in faults(tree)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("@kernel\ndef f(n: int) -> int:\n    'Text.'", []),
        ("@kernel\ndef _f(n: Floats | None = None) -> None: ...", []),
        ("def f(n): ...", []),
        ("@kernel\ndef f(n: int) -> int: ...", ["f has no docstring"]),
        ("@kernel\ndef _f(n) -> int: ...", ["_f: n has no annotation"]),
        ("@kernel\ndef _f(n: int): ...", ["_f: return has no annotation"]),
        ("@kernel\ndef _f(*n, m: int) -> None: ...", ["_f: n has no annotation"]),
        ("@jit.kernel\ndef _f(n: Any) -> int: ...", ["_f: n is Any"]),
        ("@entry(SIGNATURE)\ndef _f(n: NDArray[Any]) -> int: ...", ["_f: n is NDArray[Any]"]),
        ("@game_function('apply')\ndef _f(n: int) -> Any: ...", ["_f: return is Any"]),
    ],
)
def test_what_is_missing_is_noticed(code, expected):
    assert list(faults(ast.parse(code))) == expected
