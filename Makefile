# `make play` and `make test` are all that a newcomer needs. Paths are relative, so that a folder with a space works.
PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help docs play serve bench-server bench-crowd bench-live bench-page bench-drag cards bench-wasm bench-predict bench-gpu campaign-server campaign-faults terminal page wasm page-types page-lint screenshots setup check test test-all test-rules test-signature test-envs test-wasm test-gpu test-ray test-torch test-campaigns test-docs test-ranges test-install release rehearsal sizes lint campaign campaign-yikerz bench signature golden lock clean site edition bench-browser test-browser
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: $(READY) ## create the virtual environment and compile the rules

$(READY): pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludothèque needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m ludotheque warm
	@touch $(READY)

play: $(READY) page ## open the table in this machine's browser
	@$(BIN)/python -m ludotheque

terminal: $(READY) ## play in this terminal
	@$(BIN)/python -m ludotheque play

page: $(READY) ## build the page, if its sources have changed
	@$(BIN)/python web/build_page.py

site: $(READY) wasm ## a static site to play on without a server, into out/site; SERVER=… names a server that it leads to
	$(BIN)/python -m tools.edition $(if $(SERVER),--server '$(SERVER)')

edition: $(READY) page wasm ## put the browser edition beside the server's page: whoever plays alone there may do without the server
	$(BIN)/python -m tools.edition --page

page-types: $(READY) ## regenerate the page's message types from the server's schemas
	$(BIN)/python -m ludotheque.server.schemas | node web/scripts/types.mjs > web/src/lib/network.ts

screenshots: $(READY) page ## pictures of every page, both languages, day and night, four sizes of screen, into out/
	$(BIN)/python tests/page/screenshots.py '$(ONLY)'

bench-page: $(READY) page ## script time of a frame of Yikerz! with twenty pieces; the aim is 4 ms
	$(BIN)/python -m bench.page.frame

bench-drag: $(READY) page ## script time of a frame while something is dragged, at four times CPU slowdown; the aim is 8 ms
	$(BIN)/python -m bench.page.drag

cards: $(READY) page ## the pictures of our games that other sites show beside a link, into web/public/cards
	$(BIN)/python tests/page/cards.py

wasm: $(READY) ## compile the rules and kernels of the discrete games and the physics of Yikerz! to WebAssembly, into out/wasm, if their sources have changed
	$(BIN)/python -m tools.wasm

bench-wasm: $(READY) ## rules and kernels in WebAssembly beside native ones, in one run
	PYTHONPATH=tests $(BIN)/python -m bench.speed.wasm

bench-predict: $(READY) ## how often the page foresees what the table decides in a turn of Yikerz!, on four networks; TURNS=20 for a short run
	PYTHONPATH=tests $(BIN)/python -m bench.speed.prediction --turns $(or $(TURNS),200)

bench-browser: $(READY) site ## the browser edition in Chromium: start, level 5 beside native, long tasks, memory
	$(BIN)/python -m bench.page.browser

bench-gpu: $(READY) ## decisions a second on an NVIDIA card; needs PyTorch, and pgx with JAX for the comparison
	$(BIN)/python -m bench.speed.gpu

lint: $(READY) ## style and types of the Python sources
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

page-lint: $(READY) ## style of the page's sources
	$(BIN)/python web/build_page.py lint

check: lint page-lint ## while you work: style, types and the fast tests (under 2 minutes once set up)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m "not slow"

test: lint page-lint page ## before you hand in a change: all tests; the rules also interpreted and bounds-checked (20 minutes; the aim is 15)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile
	$(MAKE) test-rules

test-all: test test-browser test-signature test-wasm test-envs test-gpu test-ray test-campaigns test-ranges rehearsal test-docs ## before an issue is called resolved: everything else too (an hour)
	@if $(BIN)/python -c 'import torch' 2>/dev/null; then $(BIN)/python -m pytest tests/training/test_torch.py; \
	else echo 'PyTorch is not installed, so its tests were left out: make test-torch installs it.'; fi

test-browser: $(READY) page wasm ## the browser edition in Chromium, and the page's tests against both hosts
	LUDOTHEQUE_BROWSER=1 $(BIN)/python -m pytest -q tests/browser tests/page/test_without_server.py tests/page/test_browser_edition.py tests/page/test_server_away.py
	LUDOTHEQUE_BROWSER=1 $(BIN)/python -m pytest -q tests/page -m both_hosts

test-rules: $(READY) ## the rules interpreted, and compiled with bounds checking
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n $(JOBS) -m rules
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n $(JOBS) -m rules

test-campaigns: $(READY) ## shorter versions of the three campaigns (half an hour)
	LUDOTHEQUE_HOSTILE=20000 LUDOTHEQUE_EXAMPLES=20 LUDOTHEQUE_KILLS=5 LUDOTHEQUE_SECONDS=3 $(BIN)/python -m pytest -q tests/server/test_hostile.py tests/server/test_nothing_lost.py
	LUDOTHEQUE_GAMES=400 $(BIN)/python -m pytest -q tests/engine/test_against_reference.py
	LUDOTHEQUE_SCENES=40 $(BIN)/python -m pytest -q tests/yikerz/test_campaign.py

docs: $(READY) ## build the documentation site into out/docs: pages, commands, docstrings, search; it fetches nothing from elsewhere
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/docs.txt
	$(BIN)/python -m tools.site

test-docs: docs ## the documentation site, and the kit for game makers: packages of games installed, checked and played
	LUDOTHEQUE_DOCS=all $(BIN)/python -m pytest tests/kit tests/docs_site

test-signature: $(READY) ## the bot signature with kernels compiled for a generic processor
	NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= $(BIN)/python -m pytest tests/signature

test-envs: $(READY) ## the environments, with the conformance tests of PettingZoo, Gymnasium and OpenSpiel
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/envs.txt
	$(BIN)/python -m pytest tests/envs

test-wasm: $(READY) wasm ## rules and kernels in WebAssembly: golden matches, conformance, the plain rules, the bots' decisions
	LUDOTHEQUE_KERNELS=all $(BIN)/python -m pytest -q tests/wasm
	LUDOTHEQUE_TARGET=wasm $(BIN)/python -m pytest -q -k "not yikerz" tests/test_golden.py tests/test_conformance.py tests/engine/test_against_reference.py tests/signature

test-gpu: $(READY) ## batches on an NVIDIA card beside those on the processor; where there is no card they are skipped
	LUDOTHEQUE_KERNELS=all $(BIN)/python -m pytest tests/gpu tests/kernels/test_ptx.py

test-ray: $(READY) ## the arena and training on a Ray cluster of two on this machine
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/ray.txt
	RAY_raylet_start_wait_time_s=240 $(BIN)/python -m pytest tests/arena/test_ray.py tests/training/test_ray.py

test-torch: $(READY) ## learning with PyTorch beside learning without it
	$(BIN)/python -m pip install -q --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pytest tests/training/test_torch.py

test-ranges: $(READY) ## the lowest and the newest version of every dependency, each in an environment of its own; RANGES_PYTHON=… for another Python
	$(BIN)/python -m pip install -q --disable-pip-version-check uv
	$(BIN)/python -m tools.release.ranges $(if $(RANGES_PYTHON),--python $(RANGES_PYTHON))

test-install: $(READY) ## build the wheel from the commit, install it offline and without Node, wait for a first move, and run the container's commands
	$(BIN)/python -m tools.release --install

rehearsal: $(READY) ## the whole release, of a clone whose changelog is ready for today, into out/rehearsal: what make release would find
	$(BIN)/python -m tools.release --rehearsal --out out/rehearsal

release: $(READY) ## check version, changelog and migrations; build twice, install, and write wheel, sdist, notices and SBOM into dist/
	$(BIN)/python -m tools.release

sizes: $(READY) ## how large an installation is, by dependency
	$(BIN)/python -m tools.release --sizes

serve: $(READY) page ## open the table to everyone in the house: phones and other machines join by the address it shows
	@$(BIN)/python -m ludotheque serve --host 0.0.0.0

bench-server: $(READY) ## the server's speed and memory, beside boardgame.io's own server in the same run
	cd bench/server/boardgame && npm install --no-audit --no-fund --no-package-lock --silent
	$(BIN)/python bench/server/run.py

bench-crowd: $(READY) ## 10,000 idle sockets and 2,000 tables at 2,000 actions a second on one core, beside boardgame.io
	cd bench/server/boardgame && npm install --no-audit --no-fund --no-package-lock --silent
	$(BIN)/python bench/server/crowd.py

bench-live: $(READY) ## how many live Yikerz! turns one core can run
	$(BIN)/python bench/server/live.py

campaign-server: $(READY) ## 100 000 hostile messages, long fuzzing of the OpenAPI, fifty kills (an hour)
	LUDOTHEQUE_HOSTILE=100000 LUDOTHEQUE_EXAMPLES=100 LUDOTHEQUE_KILLS=25 LUDOTHEQUE_SECONDS=5 $(BIN)/python -m pytest tests/server

campaign-faults: $(READY) ## an hour of play through kills, suspensions, partitions and clock jumps; goes on where it was stopped (SECONDS=3600)
	PYTHONPATH=tests $(BIN)/python -m server.fault_campaign --seconds $(or $(SECONDS),3600)

campaign: $(READY) ## thousands of random games through the engine's process beside the plain rules, with every option (an hour)
	LUDOTHEQUE_GAMES=2000 $(BIN)/python -m pytest tests/engine/test_against_reference.py

campaign-yikerz: $(READY) ## magnets: sleeping pieces beside full stepping over 200 turns, 2000 wild hands, bots in all modes (an hour)
	LUDOTHEQUE_SCENES=200 $(BIN)/python -m pytest -s tests/yikerz/test_campaign.py tests/yikerz/test_modes.py

bench: $(READY) ## speed, beside OpenSpiel in the same run
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bench.txt
	$(BIN)/python -m ludotheque bench

signature: $(READY) ## rewrite the list of the bots' decisions; then measure the new strength
	PYTHONPATH=tests $(BIN)/python tests/signature/decisions.py

golden: $(READY) ## rewrite the golden playthroughs; read the difference before you commit it
	$(BIN)/python -m pytest tests/test_golden.py --write-golden

lock: $(READY) ## pin the dependencies again, by name and hash
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --no-emit-index-url --group dev pyproject.toml requirements/build.in -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --no-emit-index-url --group bench -c requirements/dev.txt pyproject.toml -o requirements/bench.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --no-emit-index-url --extra ray -c requirements/dev.txt pyproject.toml -o requirements/ray.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --no-emit-index-url --extra envs -c requirements/dev.txt pyproject.toml -o requirements/envs.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --no-emit-index-url --group docs -c requirements/dev.txt -o requirements/docs.txt

clean: ## delete the virtual environment
	rm -rf .venv
