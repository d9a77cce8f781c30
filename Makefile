.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

BIN := .venv/bin
UV := $(BIN)/uv -q pip
TO := --python $(BIN)/python
COMPILE := $(UV) compile $(TO) --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)

# An environment that .venv is a link to is somebody else's: setting up would clear it, or have it run this copy of Clew.
OWN_VENV = @if [ -L .venv ]; then echo ".venv is a link to another environment, which setting up would change." \
	"Remove the link first: rm .venv" >&2; exit 1; fi

# Stamps: each tells what .venv holds. The development environment contains the one for playing,
# so once it is there it is the one to keep up to date.
HAS_UV := .venv/.has-uv
HAS_RUNTIME := .venv/.has-runtime
HAS_DEV := .venv/.has-dev
HAS_DOCS := .venv/.has-docs
HAS_PEER := .venv-peer/.has-peer
HAS_DOORS := .venv-doors/.has-doors
HAS_NODE := web/node_modules/.package-lock.json
HAS_BOARDGAMEIO := bench/boardgameio/node_modules/.package-lock.json
PAGE := src/clew/web/index.html
HAS_CLEW := $(if $(wildcard $(HAS_DEV)),$(HAS_DEV),$(HAS_RUNTIME))

.PHONY: help setup play test services lint web types screenshots bench peer bench-peer bench-doors bench-server docs pictures \
	lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(HAS_DEV) ## Create .venv with all that development needs (PYTHON=... picks the Python)

play: $(HAS_CLEW) $(PAGE) ## Serve the games for the browser (PORT=... picks the port)
	@$(BIN)/clew serve --port $(or $(PORT),8000)

# PostgreSQL and Redis are for tests of several workers, Chromium for those of the page. Who cannot install them runs all
# other tests; where they can be installed, nothing is skipped.
services: ## Install PostgreSQL, Redis and Chromium for the tests, where apt-get can
	@if [ -x "$$(command -v redis-server)" ] && [ -x "$$(command -v chromium)" ] \
		&& ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && [ -x "$$(command -v apt-get)" ]; then \
		echo "Installing PostgreSQL, Redis and Chromium for the tests"; \
		(apt-get install -qq -y --no-install-recommends postgresql redis-server chromium \
			|| (apt-get update -qq && apt-get install -qq -y --no-install-recommends postgresql redis-server chromium)) \
			>/dev/null 2>&1 || { echo "They could not be installed: try apt-get install postgresql redis-server" \
				"chromium." >&2; exit 1; }; \
	else \
		echo "Some tests may be skipped: they need the packages postgresql, redis-server and chromium."; \
	fi

# Half of the time a test waits, for a browser or a server: one more of them than there are cores keeps these busy.
test: lint services $(PAGE) ## Run all checks and tests
	@cd web && npm test --silent
	$(BIN)/pytest -q -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') --dist loadgroup

lint: $(HAS_DEV) $(HAS_NODE) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@cd web && npm run --silent check

web: $(PAGE) ## Build the table in the browser

types: $(HAS_DEV) ## Make the browser's types from the shapes in Python
	@$(BIN)/python web/scripts/make_types.py

bench: $(HAS_CLEW) ## Measure the speed of the engine
	@$(BIN)/python bench/engine.py

peer: $(HAS_PEER) ## Create .venv-peer, an environment with OpenSpiel: for its tests and benchmarks

bench-peer: $(HAS_PEER) ## Play against OpenSpiel's bot, in an environment of its own (PEER="--games 8" and the like)
	@.venv-peer/bin/python bench/peer.py $(PEER)

bench-doors: $(HAS_DOORS) ## Measure arrays and environments next to Pgx and PettingZoo (DOORS="--repeats 3" and the like)
	@.venv-doors/bin/python bench/doors.py $(DOORS)

bench-server: $(HAS_CLEW) $(HAS_BOARDGAMEIO) ## Measure the server next to boardgame.io's (SERVER="--quick" and the like)
	@$(BIN)/python bench/server.py $(SERVER)

docs: $(HAS_DOCS) ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site

pictures: $(HAS_CLEW) ## Draw the pictures of the documentation
	@$(BIN)/python docs/pictures/draw.py

screenshots: $(HAS_DEV) $(PAGE) ## Take the pictures of the table in the browser (needs Chromium)
	@$(BIN)/python web/scripts/screenshots.py

lock: $(HAS_UV) ## Bring the lock files in line with pyproject.toml (UPGRADE=1 takes newer versions)
	@echo "Locking dependencies"
	@$(COMPILE) --group uv -o requirements-uv.lock >/dev/null
	@$(COMPILE) pyproject.toml --group build -o requirements.lock >/dev/null
	@$(COMPILE) pyproject.toml --group build --extra dev -c requirements.lock \
		-o requirements-dev.lock >/dev/null
	@$(COMPILE) --group docs -c requirements-dev.lock -o requirements-docs.lock >/dev/null
	@$(COMPILE) pyproject.toml --group build --extra peer -c requirements-dev.lock \
		-o requirements-peer.lock >/dev/null
	@$(COMPILE) pyproject.toml --group build --extra doors -c requirements-dev.lock \
		-o requirements-doors.lock >/dev/null

clean: ## Remove .venv and everything that was built
	rm -rf .venv .venv-peer .venv-doors build dist site web/node_modules bench/boardgameio/node_modules src/clew/web .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A Python without ensurepip (some systems split it off) cannot make a usable environment.
$(HAS_UV): requirements-uv.lock
	$(OWN_VENV)
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
			2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Clew needs Python 3.11 or newer with its venv module: install it or name it with" \
			"make PYTHON=/path/to/python." >&2; exit 1; \
	fi; \
	echo "Creating .venv with $$("$$found" --version)"; \
	"$$found" -m venv --clear .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes \
		-r requirements-uv.lock
	@touch $@

# Syncing removes what a lock does not name, so uv is named each time and the package comes last.
$(HAS_RUNTIME): $(HAS_UV) requirements.lock pyproject.toml
	$(OWN_VENV)
	@echo "Installing what playing needs"
	@$(UV) sync $(TO) --compile-bytecode --require-hashes requirements-uv.lock requirements.lock
	@$(UV) install $(TO) --no-deps --no-build-isolation -e .
	@touch $@

$(HAS_DEV): $(HAS_UV) requirements-dev.lock pyproject.toml
	$(OWN_VENV)
	@echo "Installing what development needs"
	@$(UV) sync $(TO) --compile-bytecode --require-hashes requirements-uv.lock requirements-dev.lock
	@$(UV) install $(TO) --no-deps --no-build-isolation -e .
	@touch $@

$(HAS_DOCS): $(HAS_CLEW) requirements-docs.lock
	$(OWN_VENV)
	@echo "Installing what the documentation needs"
	@$(UV) install $(TO) --require-hashes -r requirements-docs.lock
	@touch $@

$(HAS_NODE): web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "Building the page needs Node.js 20 or newer with npm." >&2; exit 1; }
	@echo "Installing what the page is built with"
	@cd web && npm ci --silent
	@touch $@

$(HAS_BOARDGAMEIO): bench/boardgameio/package.json bench/boardgameio/package-lock.json
	@command -v npm >/dev/null || { echo "boardgame.io needs Node.js 20 or newer with npm." >&2; exit 1; }
	@echo "Installing boardgame.io, to be measured"
	@cd bench/boardgameio && npm ci --silent --ignore-scripts
	@touch $@

$(PAGE): $(HAS_NODE) web/index.html web/vite.config.ts web/svelte.config.js $(shell find web/src web/public -type f)
	@echo "Building the page"
	@cd web && npm run --silent build -- --logLevel error
	@touch $@

# Apart from .venv: OpenSpiel needs SciPy, which Numba imports at each start where it finds it.
$(HAS_PEER): $(HAS_UV) requirements-peer.lock pyproject.toml
	@echo "Installing what the contest with OpenSpiel needs"
	@$(BIN)/python -m venv --clear --without-pip .venv-peer
	@$(UV) sync --python .venv-peer/bin/python --compile-bytecode --require-hashes requirements-peer.lock
	@$(UV) install --python .venv-peer/bin/python --no-deps --no-build-isolation -e .
	@touch $@

# Likewise: JAX needs SciPy.
$(HAS_DOORS): $(HAS_UV) requirements-doors.lock pyproject.toml
	@echo "Installing what is measured next to the doors"
	@$(BIN)/python -m venv --clear --without-pip .venv-doors
	@$(UV) sync --python .venv-doors/bin/python --compile-bytecode --require-hashes requirements-doors.lock
	@$(UV) install --python .venv-doors/bin/python --no-deps --no-build-isolation -e .
	@touch $@
