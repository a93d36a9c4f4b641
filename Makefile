# make run   plays the five players of a paper and turn-maximin against one another in Hero Academy and writes an HTML report
# make test  checks everything
# Both first set up a virtual environment in .venv; the only requirement is Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= $(shell $(PYTHON) -c "import os; print(len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1)")
RUN_TIME ?= 30ms
RUN_GAMES ?= 6

.PHONY: run test lint docs bench lock coverage study clean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# Installed versions: those of constraints.txt; with CONSTRAINTS= the newest that pyproject.toml allows.
CONSTRAINTS ?= constraints.txt

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit('turnwise needs Python 3.11 or newer; this is %d.%d. Try: make PYTHON=python3.12 ...' % sys.version_info[:2] if sys.version_info < (3, 11) else 0)"
	@echo "Setting up a virtual environment in $(VENV), once; this takes a minute or two ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS)) --editable ".[dev]"
	@touch $(STAMP)

run: $(STAMP)
	@$(BIN)/turnwise study oe-2016 --only table --only against-random --only turn-maximin --reading sound --time $(RUN_TIME) --games $(RUN_GAMES) --workers $(WORKERS) --out runs/first-look

test: $(STAMP) lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# make docs  builds the documentation in docs/_build/html
docs: $(STAMP)
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html

# make bench measures the speed of all games
bench: $(STAMP)
	for game in hero-academy samegame search-race; do $(BIN)/turnwise bench $$game || exit 1; done

# make lock  rewrites constraints.txt with the newest versions that pyproject.toml allows
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	build/lock/bin/python -m pip freeze --exclude-editable > constraints.txt

# make coverage runs the tests of rules, searches and planners uncompiled (ten minutes) and shows which lines they miss
COVERED ?= tests/planners tests/games tests/core tests/search tests/plain_python tests/statistics tests/arena tests/report tests/testing tests/test_golden.py

coverage: $(STAMP)
	$(BIN)/coverage erase
	TURNWISE_COMPILE=0 $(BIN)/coverage run -m pytest -q -n $(WORKERS) --dist load -m "not slow and not browser" $(COVERED)
	$(BIN)/coverage combine
	$(BIN)/coverage report

# make study plays the published experiment at the paper's effort (about two hours on two cores)
study: $(STAMP)
	$(BIN)/turnwise study oe-2016 --effort paper --games 100 --reading both --workers $(WORKERS) --out runs/oe-2016-paper

clean:
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache
