# Everything a clone needs is python3 (3.11 or later) and make. `make help` lists what there is.
PYTHON ?= python3
BIN := .venv/bin
WORLD ?= busy
# Tests wait for half of their time. Four at a time keep two processors busy.
JOBS ?= 4
COUNT ?= 100
# The parts of `make faults`, for machines that are not quiet for long.
FAULTS_healing := $(addprefix tests/faults/,test_every_kind.py test_coming_back.py test_stories.py test_bad_answers.py)
FAULTS_screens := $(addprefix tests/,faults/test_painted.py terminal/test_standing_still.py)
FAULTS_texts := $(addprefix tests/,faults/test_texts.py faults/test_hostile_screens.py terminal/test_hostile_terminal.py)
FAULTS_soak := tests/faults/test_soak.py
FAULTS_service := $(addprefix tests/,service/test_alert_histories.py service/test_cursors.py service/test_durability.py \
	service/test_event_channel.py service/test_floods.py service/test_hostile_requests.py service/test_limits.py \
	service/test_once.py service/test_patterns.py service/test_storage_faults.py contract/test_roles.py)
FAULTS := $(FAULTS_$(or $(PART),healing)) $(if $(PART),,$(FAULTS_screens) $(FAULTS_texts) $(FAULTS_service) $(FAULTS_soak))
# What `make test` leaves to `make test-rest`: the short forms of long runs, whatever is tried with texts and requests by
# the hundred, and what builds or copies the project.
REST := $(addprefix tests/,faults bench packaging/test_pictures.py packaging/test_recipes.py packaging/test_wheel.py \
	service/test_fuzz.py service/test_durability.py service/test_floods.py service/test_hostile_requests.py service/test_storage_faults.py \
	service/worlds/test_simulator.py live/test_true_to_service.py contract/test_roles.py terminal/test_hostile_terminal.py \
	unit/test_raw_rows.py kinds/test_bounds.py)
# One of each of them, for those who have half a minute.
REST_QUICK := $(addprefix tests/,faults/test_stories.py faults/test_bad_answers.py faults/test_texts.py \
	faults/test_coming_back.py faults/test_soak.py faults/test_figures.py service/test_durability.py service/test_floods.py \
	service/test_hostile_requests.py unit/test_raw_rows.py packaging/test_wheel.py \
	bench/test_measuring.py::test_every_part_measures_something[ingest])
SAFETY := $(addprefix tests/,live/test_journal.py live/test_decisions.py live/test_durable_intents.py live/test_group_editors.py \
	live/test_racing_backends.py unit/test_private_files.py client/test_client_tls.py client/test_client_asking.py cli/test_canaries.py terminal/test_canaries.py \
	terminal/test_ending.py behaviour/test_conflicts.py behaviour/test_read_only.py)

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Every process that tests start would compile the whole program anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test test-rest test-elsewhere faults fuzz safety mutants bench check snapshots pictures docs format lock

help:  ## Say what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# The stamps make the second time quick; a changed lock or project file makes them old.
.venv/runtime.stamp: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "make: Python 3.11 or later is needed; name one with PYTHON=...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev.stamp: .venv/runtime.stamp requirements-dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@# Compiles the tests once: the processes of the first run would each do it.
	@$(BIN)/pytest --collect-only >/dev/null || true
	@touch $@

setup: .venv/dev.stamp  ## Make .venv with everything for working on the console

demo: .venv/runtime.stamp  ## Open the console on the embedded service: make demo WORLD=busy
	@$(BIN)/console demo --world $(WORLD)

test: setup  ## Run the tests, and say which took longest
	@$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations 15 $(addprefix --ignore=,$(REST))

test-rest: setup  ## Run the other tests: short forms of faults, fuzzing and bench; the pictures; or QUICK=1
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(if $(QUICK),$(REST_QUICK),$(REST))

test-elsewhere: setup  ## Run tests as on other machines: make test-elsewhere ONLY="tmp-150 user+umask-077", or QUICK=1
	@$(BIN)/python -m tools.elsewhere --jobs $(JOBS) $(if $(QUICK),--quick) $(ONLY)

fuzz: setup  ## Ask the service whatever its OpenAPI document allows, and more: make fuzz COUNT=200
	@FUZZ_COUNT=$(COUNT) $(BIN)/python -m tools.measure "make fuzz COUNT=$(COUNT)" $(BIN)/pytest -n $(JOBS) --timeout 3600 tests/service/test_fuzz.py

faults: setup  ## Break everything many times and watch it heal: make faults COUNT=50, or PART=soak MINUTES=30, or ONLY="black hole"
	@FAULTS_SOAK=$(MINUTES) FAULTS_COUNT=$(COUNT) FAULTS_STORIES=$$(( 40 * $(COUNT) )) FAULTS_STEPS=50 \
		FAULTS_TEXTS=$$(( 400 * $(COUNT) )) FAULTS_ONLY="$(ONLY)" \
		$(BIN)/python -m tools.measure "make faults COUNT=$(COUNT)$(if $(PART), PART=$(PART))$(if $(MINUTES), MINUTES=$(MINUTES))" $(BIN)/pytest --timeout 36000 $(FAULTS)

safety: setup  ## Collide, kill, tamper and look for secrets many times: make safety COUNT=1000
	@SAFETY_COUNT=$(COUNT) $(BIN)/python -m tools.measure "make safety COUNT=$(COUNT)" $(BIN)/pytest -n $(JOBS) --timeout 3600 $(SAFETY)

mutants: setup  ## Plant nearly ninety bugs in copies of the source, and see whether the tests notice each
	@$(BIN)/python -m tools.measure "make mutants" $(BIN)/python -m tools.plant --jobs $(JOBS)

bench: setup  ## Measure speed and memory against baselines: make bench ONLY="keys poll" QUICK=1
	@$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(ONLY)

check: setup  ## Lint, format, types, import rules, fresh generated pages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tools.generate_docs --check

snapshots: setup  ## Accept how the screens look now, once their pictures have been looked at
	@$(BIN)/pytest tests/snapshots --snapshot-update

pictures: setup  ## Make the pictures of the README anew
	@$(BIN)/python -m tools.make_pictures

docs: setup  ## Write the generated pages anew
	@$(BIN)/python -m tools.generate_docs

format: setup  ## Format the code and sort imports
	@$(BIN)/ruff check --fix --exit-zero --quiet
	@$(BIN)/ruff format

lock: setup  ## Compile both lock files from pyproject.toml
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build --output-file requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group dev --constraint requirements.lock \
		--output-file requirements-dev.lock
