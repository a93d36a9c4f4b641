"""YAML and JSON files with line numbers: values, lines, limits, errors."""

import json
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.errors import DamagedFileError
from turnwise.core.parsed_file import DEEPEST, LARGEST_FILE, MOST_VALUES, parse_file, parse_text


def of(text, *, is_json=False):
    return parse_text(text, "m.yaml", "a mode", is_json=is_json)


YAML = """\
# a comment
name: "King: of the hill"
turns: 30
ratio: 1.5e2
none:
flags: [true, False, ~, yes, "no", 010, 0x1F, 0o17]
units:
  - kind: knight
    health: .5
  - {kind: archer, health: -2}
text: |
  two
  lines
"""


def test_yaml_values_and_lines():
    document = of(YAML)
    assert document.data == {
        "name": "King: of the hill",
        "turns": 30,
        "ratio": 150.0,
        "none": None,
        "flags": [True, False, None, "yes", "no", 10, 31, 15],
        "units": [{"kind": "knight", "health": 0.5}, {"kind": "archer", "health": -2}],
        "text": "two\nlines\n",
    }
    lines = {("name",): 2, ("flags", 3): 6, ("units", 0, "health"): 9, ("units", 1): 10, ("units", 1, "health"): 10}
    assert {place: document.line(place) for place in lines} == lines
    assert document.line(("units", 1, "no such", "place")) == 10
    assert document.line(("no such",)) == document.line(()) == 2


def test_json_values_and_lines():
    text = (
        '{\n\t"a": [1, -2.5e1,\n\t\ttrue, false, null],\n"b": {"c": "x\\n\\u00e9\\ud83d\\ude00"}, "d": [], "e": {}}\n'
    )
    document = of(text, is_json=True)
    assert document.data == json.loads(text)
    assert [document.line(place) for place in ((), ("a", 1), ("a", 2), ("b", "c"), ("e",))] == [1, 2, 3, 4, 4]


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def is_writable(value):
    """Whether every text is one that UTF-8 can hold."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(plain.filter(is_writable), st.sampled_from([None, 1, "\t"]), st.booleans())
@settings(deadline=None)
def test_json_is_read_as_python_reads_it(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert of(text, is_json=True).data == value


names = st.text("abcdefgh_", min_size=1, max_size=6).filter(lambda name: name not in ("null", "true", "false"))
documents = st.dictionaries(
    names,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | names,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
        max_leaves=15,
    ),
    min_size=1,
)


@given(documents, st.sampled_from([True, False, None]))
@settings(deadline=None)
def test_yaml_that_pyyaml_writes_is_read_back(value, flow):
    assert of(yaml.safe_dump(value, default_flow_style=flow)).data == value


def laughs(levels):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


def test_aliases_count_again():
    assert of("a: &x [1, 2]\nb: *x\nc: [*x]").data == {"a": [1, 2], "b": [1, 2], "c": [[1, 2]]}
    began = time.perf_counter()
    with pytest.raises(DamagedFileError, match=rf"m\.yaml, line 5: more than {MOST_VALUES} values"):
        of(laughs(9))
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    ("text", "is_json", "words"),
    [
        ("", False, "line 1: the file is empty; expected a mode"),
        ("a: 1\nb: [1, 2\nc: 3", False, "line 3: not valid YAML"),
        ("a: 1\n\tb: 2", False, "line 2: not valid YAML"),
        ("a: 1\n\x07", False, "line 2: not valid YAML"),
        ("a: 1\nb: 2\na: 3", False, "line 3: 'a' is given twice"),
        ("a: !!python/object:os.system x", False, "line 1: the tag .* is not allowed; remove it"),
        ("a: 1\n---\nb: 2", False, "line 2: a second document begins"),
        ("a: *b", False, r"line 1: there is no complete value &b above \*b"),
        ("a: &a [*a]", False, r"line 1: there is no complete value &a above \*a"),
        ("b: &b {c: 1}\na:\n  <<: *b", False, "line 3: merge keys .* write the fields out"),
        ("? [1, 2]\n: 3", False, "line 1: a key is not a plain text"),
        ("a: .inf", False, "line 1: .inf is not a finite number"),
        ("a: 1e999", False, "too large; give a finite number"),
        ("a: " + "9" * 500, False, "a number of 500 characters; at most 400"),
        ('a: "\\ud83d"', False, "half of a character"),
        ("[" * 60 + "]" * 60, False, "nested more than 32 deep"),
        ("[" * 10**5, True, "nested more than 32 deep"),
        ('{"a": "\\ud83d"}', True, "half of a character"),
        ('{"a": 1,\n "a": 2}', True, "line 2: 'a' is given twice"),
        ('{"a": 1,}', True, "a key in quotes is missing before '}'"),
        ('{"a" 1}', True, "':' is missing before '1}'"),
        ("[1,\n2\n3]", True, "line 3: not valid JSON: ',' is missing before '3]'"),
        ("[1, NaN]", True, "a value is missing before 'NaN]'"),
        ("[01]", True, "',' is missing"),
        ("[1] 2", True, "the end of the file is missing before '2'"),
        ("", True, "a value is missing before the end of the file"),
        ('["a\nb"]', True, "line 1: not valid JSON: Invalid control character"),
    ],
)
def test_errors_name_file_line_trouble_and_remedy(text, is_json, words):
    with pytest.raises(DamagedFileError, match=words) as caught:
        of(text, is_json=is_json)
    assert str(caught.value).startswith("m.yaml, line ")
    assert str(caught.value).endswith("expected a mode.")


def test_files(tmp_path):
    for name, text in (("a.yaml", "x: 1"), ("a.YML", "x: 1"), ("a.json", '\ufeff{"x": 1}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert parse_file(tmp_path / name, "a mode").data == {"x": 1}
    (tmp_path / "a.txt").write_text("x: 1")
    with pytest.raises(DamagedFileError, match=r"expected a mode in a file whose name ends in \.yaml, \.yml, \.json"):
        parse_file(tmp_path / "a.txt", "a mode")
    (tmp_path / "b.yaml").write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(DamagedFileError, match="larger than"):
        parse_file(tmp_path / "b.yaml", "a mode")
    with pytest.raises(DamagedFileError, match="cannot be read"):
        parse_file(tmp_path / "none.yaml", "a mode")


@pytest.mark.parametrize(
    "text", ['a: 1\nb: "\\UFFFFFFFF"', 'a: 1\nb: "\\U00110000"', f"%YAML 1.{'1' * 5000}\n---\na: 1"]
)
def test_what_the_yaml_parser_does_not_check_is_a_damaged_file(text):
    with pytest.raises(DamagedFileError, match=r"m\.yaml, line 1: not valid YAML: here or later, an escape such as"):
        of(text)


def test_aliases_in_aliases_are_not_nested_deeper_than_other_values():
    chain = ["- &a0 [1]", *(f"- &a{i} [*a{i - 1}]" for i in range(1, DEEPEST))]
    assert len(of("\n".join(chain[:-1])).data) == DEEPEST - 1
    with pytest.raises(DamagedFileError, match=f"line {DEEPEST}: nested more than {DEEPEST} deep"):
        of("\n".join(chain))
