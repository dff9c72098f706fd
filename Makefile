# `make play` and `make test` set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools

.PHONY: setup play terminal test quick browser display postgres lint types layers fast plain format oracle minimax budgets bench pins clean

setup: $(TOOLS)

# Dependencies for playing.
$(READY): pyproject.toml constraints-play.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: Plyboard needs Python 3.11 or newer; $$($(PYTHON) --version) is $(PYTHON). Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing pinned dependencies into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints-play.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Tools for testing and development.
$(TOOLS): $(READY) constraints.txt
	@echo "Installing development tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	@touch $@

# Opens the page of the games in a browser.
play: $(READY)
	@$(BIN)/plyboard serve --open || test $$? -eq 130  # left by Ctrl-C

# Plays at the prompt of the terminal.
terminal: $(READY)
	@$(BIN)/plyboard play || test $$? -eq 130

test: fast plain

# Installs a browser and Node.js for the tests of pages, or says what is missing.
browser: setup
	@tests/browser/install.sh
	@tests/web/install.sh
	@$(BIN)/python tests/browser/chromium.py

# Installs a virtual display for the tests of windows, or says what is missing.
display: setup
	@tests/window/install.sh
	@$(BIN)/python tests/window/virtual_display.py

# Installs PostgreSQL for the tests of the store, or says what is missing.
postgres: setup
	@tests/server/install.sh
	@$(BIN)/python tests/server/postgres.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

# Two workers more than there are cores, because tests also wait. Style, types and import layers are
# tests too, in tests/checks.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
fast: browser display postgres
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

# Only the files that have the mark are collected: to import the others takes each worker longer.
plain: setup
	PLYBOARD_JIT=off $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m kernels $$(grep -rl --include='test_*.py' 'mark\.kernels' tests)

# What to run after each edit: style, types, layers, and tests without compiler, browser, display,
# database and network.
ORIGINS := alice/test_columns.py conniption/test_tuples.py extended/test_case.py \
  extended/test_moves.py squatter/test_board.py squatter/test_symbols.py squatter/test_winner.py
quick: setup
	PLYBOARD_JIT=off $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile tests/checks tests/games \
	  tests/golden tests/evaluate tests/session tests/terminal tests/conformance/test_conformance.py \
	  tests/kernel/test_bits.py tests/kernel/test_wide.py tests/kernel/test_square.py tests/test_*.py \
	  $(addprefix tests/origins/, $(ORIGINS))

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Compares GAMES random games per rule set with the slow oracles.
GAMES ?= 1000000
oracle: setup
	$(BIN)/python tests/oracles/compare.py --games $(GAMES)

# Compares alpha-beta with plain minimax on POSITIONS random positions.
POSITIONS ?= 100000
minimax: setup
	$(BIN)/python tests/oracles/compare_search.py --positions $(POSITIONS)

# Checks the choices of SEARCHES searches that a node budget cuts off.
SEARCHES ?= 20000
budgets: setup
	$(BIN)/python tests/oracles/compare_budgets.py --searches $(SEARCHES)

# The benchmarks need other programs to compare with, in an environment of their own.
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

# Updates the pinned dependencies; needs uv on the path.
pins:
	uv pip compile --quiet --universal --generate-hashes --extra dev --extra server --extra postgres --extra arena --extra ray --python-version 3.11 --no-header --no-annotate pyproject.toml -o constraints.txt
	uv pip compile --quiet --universal --generate-hashes --extra install --extra server --python-version 3.11 --no-header --no-annotate --constraints constraints.txt pyproject.toml -o constraints-play.txt

clean:
	rm -rf $(VENV) .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis
