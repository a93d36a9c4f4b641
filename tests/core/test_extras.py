"""Optional libraries: those that are installed pass, a missing one is named with its extra."""

import importlib.util
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from turnwise.core.errors import TurnwiseError
from turnwise.core.extras import LIBRARIES, need

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture
def missing(monkeypatch):
    """A set of names; importlib finds every module that is not in it."""
    names = set()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in names else object())
    return names


@pytest.mark.parametrize("extra", LIBRARIES)
def test_an_installed_extra_is_enough(missing, extra):
    others = {name for other in LIBRARIES for name in LIBRARIES[other]}
    missing.update(others.difference(LIBRARIES[extra]))  # two extras may share a module
    need(extra, "A report")


@pytest.mark.parametrize("extra", LIBRARIES)
def test_each_module_of_an_extra_is_needed(missing, extra):
    for name in LIBRARIES[extra]:
        missing.clear()
        missing.add(name)
        with pytest.raises(TurnwiseError) as caught:
            need(extra, "A report")
        assert str(caught.value) == (
            f"A report needs {name}, which is not installed. Install the extra: pip install 'turnwise[{extra}]'."
        )


def test_all_that_is_missing_is_named_and_what_works_without_it(missing):
    missing.update(("matplotlib", "jinja2"))
    with pytest.raises(TurnwiseError, match="needs matplotlib and jinja2, which are not installed") as caught:
        need("report", "An HTML report", "Tables need nothing.")
    assert str(caught.value).endswith("pip install 'turnwise[report]'. Tables need nothing.")


def test_extras_are_those_of_the_project():
    declared = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    for extra, modules in LIBRARIES.items():
        requirements = " ".join(declared[extra]).lower()
        for module in modules:
            packages = [name.lower().replace("_", "-") for name in packages_distributions()[module]]
            assert any(package in requirements for package in packages)
    assert set(declared) - set(LIBRARIES) == {"all", "docs", "dev"}
