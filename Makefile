# The two commands of the README are `make play` and `make test`; both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools

.PHONY: setup play test browser lint types layers fast plain format oracle minimax budgets bench pins clean

setup: $(TOOLS)

# What it takes to play.
$(READY): pyproject.toml constraints-play.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: Plyboard needs Python 3.11 or newer; $$($(PYTHON) --version) is $(PYTHON). Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing pinned dependencies into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints-play.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# And what it takes to test and change it.
$(TOOLS): $(READY) constraints.txt
	@echo "Installing the tools of developers into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	@touch $@

play: $(READY)
	@$(BIN)/plyboard play

test: fast plain

# Pages are tested in a browser; where there is none, this installs one or says what is missing.
browser: setup
	@tests/browser/install.sh
	@$(BIN)/python tests/browser/chromium.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

# Style, types and import layers are among these tests, in tests/checks.
fast: browser
	$(BIN)/python -m pytest -n auto --dist worksteal

plain: setup
	PLYBOARD_JIT=off $(BIN)/python -m pytest -n auto --dist worksteal -m kernels

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# So many random games per rule set against the slow oracles.
GAMES ?= 1000000
oracle: setup
	$(BIN)/python tests/oracles/compare.py --games $(GAMES)

# So many random positions at which alpha-beta must find what plain minimax finds.
POSITIONS ?= 100000
minimax: setup
	$(BIN)/python tests/oracles/compare_search.py --positions $(POSITIONS)

# So many searches that a node budget cuts off, whose choices must be sound.
SEARCHES ?= 20000
budgets: setup
	$(BIN)/python tests/oracles/compare_budgets.py --searches $(SEARCHES)

# The peers that the benchmarks measure against live in an environment of their own.
BENCH := .venv-bench
$(BENCH)/.ready: constraints.txt benchmarks/requirements.txt pyproject.toml
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt -r benchmarks/requirements.txt
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

bench: $(BENCH)/.ready
	$(BENCH)/bin/python benchmarks/playouts.py
	$(BENCH)/bin/python benchmarks/mcts.py
	$(BENCH)/bin/python benchmarks/perft.py
	$(BENCH)/bin/python benchmarks/alpha_beta.py
	$(BENCH)/bin/python benchmarks/startup.py
	$(BENCH)/bin/python benchmarks/solver.py

# Resolves the dependencies anew; needs uv on the path.
pins:
	uv pip compile --quiet --universal --generate-hashes --extra dev --python-version 3.11 --no-header --no-annotate pyproject.toml -o constraints.txt
	uv pip compile --quiet --universal --generate-hashes --extra install --python-version 3.11 --no-header --no-annotate --constraints constraints.txt pyproject.toml -o constraints-play.txt

clean:
	rm -rf $(VENV) .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis
