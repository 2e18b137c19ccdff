# Targets for those who change the project; `make help-all` lists them. The Makefile includes this file.

LEAVES := build/gobang_leaves.jsonl
DEEP_LEAVES := build/gobang_deep_leaves.jsonl
WIDE_GAMES := build/gobang_wide_games.jsonl
BOOK_FILE := build/gobang_book.jsonl
REVERSI_GAMES := build/reversi_games
REVERSI_NUMBER := 100000
REVERSI_FIRST := 1
STRENGTH := --rules stated --games 20 --seed 1 --quiet
GAUNTLET := tengen:off_turn_seconds=0 seed000 seed001 --schedule gauntlet --rounds 50 --openings test --rules stated --seed 100
LADDER := $(foreach level,1 2 3 4,"gtp:gtp-rhino -l $(level)")
# Options that each switch off one part of the gobang search.
WITHOUT := lmr=False iir_depth=99 futility=False razoring=False killers=False improving_plies=0 defence_nodes=0 table_entries=1 \
	learnt_order=False fours_in_candidates=False hold_nodes=0 candidates=16 root_candidates=16 \
	candidates=1000000000,root_candidates=1000000000 lazy_evaluation=False null_window=False extension_plies=0 vcf_nodes=0 \
	vct_nodes=0 vct_effort=1000000000 root_nodes=0 effort_from_value=False
ABLATED := tengen $(addprefix tengen:,$(WITHOUT)) --schedule gauntlet --rounds 25 --openings tune --seed 1 --each seconds=0.2,off_turn_seconds=0

# $(call tournament,AGENTS AND OPTIONS,FILE): play a tournament into FILE, or continue the tournament in FILE.
tournament = $(BIN)/tengen tournament $(if $(wildcard $(2)),--resume $(2),$(1) --out $(2))

.PHONY: slow long coverage cluster latency strength ladder weights network order reversi book ablations native prove verify-proof messages release

## run the tests that `make test` leaves out (TESTS=tests/local_runner: those of one folder; SECONDS=120: no longer)
slow: $(TOOLS)
	$(PYTEST) -m slow $(if $(SECONDS),--seconds=$(SECONDS)) $(TESTS)

## run the tests that take minutes to hours
long: $(TOOLS)
	$(BIN)/python -m pytest -m long $(TESTS)

## run quick and slow tests and show their coverage of submission/
coverage: $(TOOLS)
	$(PYTEST) -m 'not long' --cov --cov-report=term

## install ray and test a tournament on a cluster of two nodes that loses one
cluster: $(TOOLS)
	$(BIN)/python $(INSTALL) '.[cluster]'
	$(BIN)/python -m pytest -m long tests/local_runner/matches/test_cluster.py

## time 10,000 calls of our agent on each Python; two hours
latency: $(READY)
	$(BIN)/tengen bench latency --calls 10000 --quiet

## play the matches that docs/developers/measurements.md shows; four hours
strength: $(READY)
	$(BIN)/tengen match tengen seed004 --env gobang_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen scorer --env gobang_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen seed004 --env gomoku_11x11_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen greedy --env tictactoe_1v1 $(STRENGTH)
	$(BIN)/tengen match tengen random --env tictactoe_1v1 $(STRENGTH)
	@mkdir -p build
	$(call tournament,$(GAUNTLET) --env reversi_1v1,build/reversi_1v1.jsonl)
	$(call tournament,$(GAUNTLET) --env reversi_8x8_1v1,build/reversi_8x8_1v1.jsonl)

## play our agent against GRhino at four levels of Reversi 8x8; two hours, goes on after a stop (needs Debian's grhino)
ladder: $(READY)
	@mkdir -p build
	export PATH="$$PATH:/usr/games"; $(call tournament,tengen $(LADDER) --env reversi_8x8_1v1 --schedule gauntlet --openings test --rules stated --time 60 --rounds 20,build/ladder.jsonl)
	$(BIN)/tengen report build/ladder.jsonl

.DELETE_ON_ERROR:

## learn the gobang evaluation from leaves of the engine's searches; half an hour
weights: $(TOOLS)
	$(BIN)/python -m workshop.gobang.leaves $(LEAVES)
	$(BIN)/python -m workshop.gobang.weights $(LEAVES)

## learn the network of the gobang evaluation from leaves; an hour
network: $(TOOLS)
	$(BIN)/python -m workshop.gobang.leaves $(DEEP_LEAVES) --games 3500 --nodes 8000
	$(BIN)/python -m workshop.gobang.network $(DEEP_LEAVES)

## learn the move order of gobang; half an hour
order: $(TOOLS)
	$(BIN)/python -m workshop.gobang.games $(WIDE_GAMES) --width 60
	$(BIN)/python -m workshop.gobang.move_order $(WIDE_GAMES)

## learn the Reversi evaluations of 8x8 and 10x10, one round; two hours
reversi: $(TOOLS)
	for size in 8 10; do \
		games=$(REVERSI_GAMES)_$$size weights="--previous submission/data/reversi_$$size.bin" && \
		$(BIN)/python -m workshop.reversi.games $$games.jsonl --size $$size --nodes 1000 \
			--first $(REVERSI_FIRST) --games $(REVERSI_NUMBER) && \
		$(BIN)/python -m workshop.reversi.weights $$games.jsonl $$weights || exit 1; \
	done

## make White's opening book of gobang from games; an hour (BOOK_GAMES=20000: deeper)
book: $(TOOLS)
	$(BIN)/python -m workshop.gobang.book $(BOOK_FILE) $(if $(BOOK_GAMES),--games $(BOOK_GAMES))

## play the gobang engine against versions that lack one part each; an hour
ablations: $(TOOLS)
	@mkdir -p build
	$(call tournament,$(ABLATED),build/ablations.jsonl)

## compile the engines for every processor into submission/native/data (CHECK="--check x86_64": compare one)
native: $(TOOLS)
	$(BIN)/python $(INSTALL) '.[native]'
	$(BIN)/python -m workshop.native.build $(CHECK)

## prove the open replies of Black's win at gobang, at low priority; can be stopped at any moment
prove: $(TOOLS)
	nice -n 19 $(BIN)/python -m workshop.proof run
	$(BIN)/python -m workshop.proof export
	$(BIN)/python -m workshop.proof status

## walk all that White can do against the proof, and play games; 40 minutes (SECOND=h8m14: one second move; SECONDS=30: of games)
verify-proof: $(TOOLS) bundle
	$(BIN)/python -m workshop.proof.verify --native $(if $(SECOND),--second $(SECOND))
	$(BIN)/python -m workshop.proof.paths $(if $(SECONDS),--seconds $(SECONDS))

## build the wheel with its pages, the sdist, the upload and the release notes into dist and check them; publishes nothing
release: $(TOOLS) docs
	rm -rf dist
	$(BIN)/tengen bundle --out $(OUT)
	$(BIN)/python -m build --sdist --wheel --outdir dist .
	version=$$(basename dist/*.whl | cut -d - -f 2) && awk '/^##/ { on = $$2 == "'$$version'" } on' CHANGELOG.md > dist/NOTES.md
	test -s dist/NOTES.md && cd dist && sha256sum submission.py *.whl *.tar.gz | sed 's/^/    /' >> NOTES.md
	$(BIN)/tengen check $(OUT)
	$(PYTEST) -m 'not long' tests/house/test_package.py --made dist

## collect the messages of the runner, update their translation and compile it
messages: $(TOOLS)
	$(BIN)/python -m workshop.page.messages
