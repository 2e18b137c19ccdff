# `make` lists the targets. Targets that need .venv make it first, and again after a change of pyproject.toml.

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
NODE := workshop/page/node_modules
INSTALL := -m pip install --quiet --no-compile --disable-pip-version-check --editable
OUT := dist/submission.py
MATCH := tengen seed004 --env gobang_1v1 --games 1
LEAVES := build/gobang_leaves.jsonl
DEEP_LEAVES := build/gobang_deep_leaves.jsonl
WIDE_GAMES := build/gobang_wide_games.jsonl
REVERSI_GAMES := build/reversi_games
REVERSI_NUMBER := 100000
REVERSI_FIRST := 1
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quiet --timeout=600 --numprocesses=auto --dist=worksteal
STRENGTH := --rules stated --games 20 --seed 1 --quiet
GAUNTLET := tengen:off_turn_seconds=0 seed000 seed001 --schedule gauntlet --rounds 50 --openings test --rules stated --seed 100
ABLATED := $$($(BIN)/python -m workshop.gobang.ablations) --schedule gauntlet --rounds 25 --openings tune --seed 1 --each seconds=0.2,off_turn_seconds=0
SERVE ?=  # more options of tengen serve
DOCS ?=  # more options of python -m workshop.site

# $(call tournament,AGENTS AND OPTIONS,FILE): play a tournament into FILE, or continue the tournament in FILE.
tournament = $(BIN)/tengen tournament $(if $(wildcard $(2)),--resume $(2),$(1) --out $(2))

.DEFAULT_GOAL := help
.PHONY: help match test slow long coverage cluster lint bundle check bench latency strength faults weights network order reversi book ablations native prove verify-proof messages docs serve webspeed pictures python37 clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

match: $(READY)  ## watch our agent play one game of gobang against the rule-based agent of seed 004
	@echo "A game of gobang, about 20 seconds."
	$(BIN)/tengen match $(MATCH)
	@echo "Next:"
	@echo "  make serve                       play and analyse in the browser; 在浏览器里下棋、复盘"
	@echo "  $(BIN)/tengen play level2     play in the terminal; 在终端里下棋"
	@echo "  $(BIN)/tengen init my_agent   write an agent of your own; 写自己的智能体"

test: $(TOOLS)  ## run the quick tests, on all cores
	$(PYTEST)

slow: $(TOOLS)  ## run the tests that `make test` leaves out (TESTS=tests/local_runner: those of one folder; SECONDS=120: no longer)
	$(PYTEST) -m slow $(if $(SECONDS),--seconds=$(SECONDS)) $(TESTS)

long: $(TOOLS)  ## run the tests that take minutes to hours
	$(BIN)/python -m pytest -m long $(TESTS)

coverage: $(TOOLS)  ## run quick and slow tests and show their coverage of submission/
	$(PYTEST) -m 'not long' --cov --cov-report=term

cluster: $(TOOLS)  ## install ray and test a tournament on a cluster of two nodes that loses one
	$(BIN)/python $(INSTALL) '.[cluster]'
	$(BIN)/python -m pytest -m long tests/local_runner/matches/tournament/test_ray.py

lint: $(TOOLS)  ## run ruff (rules and format), mypy, vermin on the code for Python 3.7, and eslint and tsc on the page if npm is there
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/vermin --no-config-file --no-tips --violations --quiet --target=3.7- submission local_runner/processes/hosts local_runner/processes/portable local_runner/agents/opponents local_runner/agents/engines workshop/lab/bench/host.py
	@if node -e 'const [major, minor] = process.versions.node.split("."); process.exit(Number(100 * major + +minor < 2019))' 2>/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory $(NODE)/.ready && \
		$(NODE)/.bin/eslint --config workshop/page/eslint.config.js local_runner/html/page && $(NODE)/.bin/tsc --project workshop/page; \
	else \
		echo "eslint and tsc were left out: the page's JavaScript needs npm and Node.js 20.19 or newer to be checked."; \
	fi

bundle: $(READY)  ## write dist/submission.py, the one file to upload (SET="seconds=0.7": with this setting)
	$(BIN)/tengen bundle --out $(OUT) $(foreach change,$(SET),--set $(change))

check: $(READY)  ## play whole games with dist/submission.py as the site does and say which games it is ready for; two minutes
	$(BIN)/tengen bundle --out $(OUT) --unless-edited
	$(BIN)/tengen check $(OUT)

serve: $(READY)  ## open the page in the browser: play, replay, analyse, watch; Ctrl-C ends it
	@$(BIN)/python -c 'import fastapi, uvicorn, websockets' 2>/dev/null || $(BIN)/python $(INSTALL) '.[serve]'
	@trap : INT; $(BIN)/tengen serve $(SERVE) || [ $$? = 130 ]

webspeed: $(TOOLS)  ## measure a move's round trip with 20 games at once, and how fast the page loads (in Chromium)
	$(BIN)/python -m workshop.page.web_speed
	$(BIN)/python -m workshop.page.page_speed

pictures: $(TOOLS)  ## make the moving pictures at the top of the READMEs (in Chromium)
	$(BIN)/python -m workshop.page.pictures

bench: $(READY)  ## measure import time, time per call, memory and nodes per second
	$(BIN)/tengen bench

latency: $(READY)  ## time 10,000 calls of our agent on each Python, alone and beside a busy process; two hours
	$(BIN)/tengen bench latency --calls 10000 --load alone --load hog --jobs 2 --quiet

strength: $(READY)  ## play the matches that docs/developers/measurements.md shows; four hours
	$(BIN)/tengen match tengen seed004 --env gobang_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen scorer --env gobang_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen seed004 --env gomoku_11x11_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen greedy --env tictactoe_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen random --env tictactoe_1v1 $(STRENGTH)
	@mkdir -p build
	$(call tournament,$(GAUNTLET) --env reversi_1v1,build/reversi_1v1.db)
	$(call tournament,$(GAUNTLET) --env reversi_8x8_1v1,build/reversi_8x8_1v1.db)

faults: $(READY)  ## play every agent in all its games and find faults; an hour, can be interrupted
	$(BIN)/python -m workshop.lab.faults

.DELETE_ON_ERROR:

weights: $(TOOLS)  ## learn the gobang evaluation from leaves of the engine's searches; half an hour
	$(BIN)/python -m workshop.gobang.leaves $(LEAVES)
	$(BIN)/python -m workshop.gobang.weights $(LEAVES)

network: $(TOOLS)  ## learn the network of the gobang evaluation from leaves; an hour, with a compiler
	$(BIN)/python -m workshop.gobang.leaves $(DEEP_LEAVES) --games 3500 --nodes 8000
	$(BIN)/python -m workshop.gobang.network $(DEEP_LEAVES)

order: $(TOOLS)  ## learn the move order of gobang; half an hour
	$(BIN)/python -m workshop.gobang.games $(WIDE_GAMES) --width 60
	$(BIN)/python -m workshop.gobang.move_order $(WIDE_GAMES)

reversi: $(TOOLS)  ## learn the Reversi evaluations of 8x8 and 10x10, one round; two hours with a compiler
	for size in 8 10; do \
		games=$(REVERSI_GAMES)_$$size weights="--previous submission/data/reversi_$$size.bin" && \
		$(BIN)/python -m workshop.reversi.games $$games.jsonl --size $$size --nodes 1000 \
			--first $(REVERSI_FIRST) --games $(REVERSI_NUMBER) && \
		$(BIN)/python -m workshop.reversi.weights $$games.jsonl $$weights || exit 1; \
	done

book: $(TOOLS)  ## extend the opening book of gobang, 10 s a position (FIRST_STONES=6: deeper)
	$(BIN)/python -m workshop.gobang.book $(if $(FIRST_STONES),--stones $(FIRST_STONES))

ablations: $(TOOLS)  ## play the gobang engine against versions that lack one part each; an hour
	@mkdir -p build
	$(call tournament,$(ABLATED),build/ablations.db)

native: $(TOOLS)  ## compile the engines again in C++, for experiments (needs g++ or clang++)
	$(BIN)/python -m workshop.native.build

prove: $(TOOLS)  ## prove the open replies of Black's win at gobang, at low priority; can be stopped at any moment
	nice -n 19 $(BIN)/python -m workshop.proof run
	$(BIN)/python -m workshop.proof export
	$(BIN)/python -m workshop.proof status

verify-proof: $(TOOLS) bundle  ## walk all that White can do against the proof, and play games; 40 minutes (SECOND=h8m14: one second move; SECONDS=30: of games)
	$(BIN)/python -m workshop.proof.verify --native $(if $(SECOND),--second $(SECOND))
	$(BIN)/python -m workshop.proof.paths $(if $(SECONDS),--seconds $(SECONDS))

messages: $(TOOLS)  ## collect the messages of the runner, update their translation and compile it
	$(BIN)/python -m workshop.page.messages

docs: $(READY)  ## build the documentation site into build/site, in Chinese and English (DOCS=--serve: and serve it here)
	@$(BIN)/python -c 'import furo, myst_parser, sphinx, sphinx_copybutton' 2>/dev/null || { \
		echo "Installing what the site needs into $(VENV), once: about 70 MB."; $(BIN)/python $(INSTALL) '.[docs]'; }
	$(BIN)/python -m workshop.site $(DOCS)

python37: $(READY)  ## make .venv37 with the platform's Python 3.7 and numpy, for tests and checks (needs a Python 3.7)
	$(BIN)/python -m local_runner.processes.interpreters

clean:  ## remove all generated files, also the environments
	rm -rf $(VENV) $(NODE) .venv37 build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Make the virtual environment with PYTHON, or else with the first Python that is new enough.
$(READY): pyproject.toml
	@for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.10 python); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "tengen needs Python 3.10 or newer and found none; name one with make PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	$$found -m venv $(VENV) || { \
		echo "$$found cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing tengen into $(VENV), once: about 130 MB, half a minute."
	@$(BIN)/python $(INSTALL) .
	@touch $@

# Install into it all packages that tests, lint and workshop/ need.
$(TOOLS): $(READY)
	@echo "Installing what tests and lint need into $(VENV), once: about 500 MB, a minute."
	@$(BIN)/python $(INSTALL) '.[dev]'
	@touch $@

# Install eslint and tsc, which check the page's JavaScript.
$(NODE)/.ready: workshop/page/package-lock.json
	@echo "Installing eslint and TypeScript into $(NODE), once: about 45 MB."
	@npm ci --prefix workshop/page --loglevel=error --no-audit --no-fund >/dev/null
	@touch $@
