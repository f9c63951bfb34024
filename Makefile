# A clone needs only python3 (3.11 or later) and make. `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin
WORLD ?= busy
# Tests spend half of their time waiting: four at a time keep two processors busy.
JOBS ?= 4
COUNT ?= 100
# The parts of `make faults`, to run them one at a time.
FAULTS_healing := $(addprefix tests/faults/,test_every_kind.py test_reconnecting.py test_random_faults.py test_bad_answers.py)
FAULTS_screens := $(addprefix tests/,faults/test_painted.py terminal/test_suspension.py)
FAULTS_texts := $(addprefix tests/,faults/test_texts.py faults/test_hostile_screens.py terminal/test_hostile_terminal.py)
FAULTS_soak := tests/faults/test_soak.py
FAULTS_wallboard := tests/faults/test_wallboard.py
FAULTS_service := $(addprefix tests/,service/test_alert_histories.py service/test_cursors.py service/test_durability.py \
	service/test_event_channel.py service/test_floods.py service/test_hostile_requests.py service/test_limits.py \
	service/test_once.py service/test_storage_faults.py contract/test_roles.py)
FAULTS := $(FAULTS_$(or $(PART),healing)) $(if $(PART),,$(FAULTS_screens) $(FAULTS_texts) $(FAULTS_service) $(FAULTS_soak) $(FAULTS_wallboard))
# Run by `make test-rest` and not by `make test`: short forms of long runs, tests with hundreds of texts, requests or keys,
# and tests that build or copy the project.
REST := $(addprefix tests/,faults bench night cluster contract/test_statements.py packaging/test_pictures.py packaging/test_recipes.py packaging/test_wheel.py \
	service/test_fuzz.py service/test_durability.py service/test_floods.py service/test_hostile_requests.py service/test_storage_faults.py \
	service/test_node_processes.py service/worlds/test_simulator.py live/test_list_accuracy.py report/test_night.py mutants/test_types.py contract/test_roles.py terminal/test_hostile_terminal.py \
	unit/test_raw_rows.py unit/test_textual_reports.py kinds/test_bounds.py behaviour/test_dead_keys.py \
	behaviour/test_contrast.py)
# Run again with PostgreSQL: some by `make test`, all by `make test-rest`. test_postgresql.py and test_postgresql_faults.py
# always run with it; test_storage_faults.py damages a file of SQLite.
POSTGRESQL_SHARE := $(addprefix tests/service/,test_once.py test_cursors.py test_event_channel.py)
POSTGRESQL := $(POSTGRESQL_SHARE) $(addprefix tests/,contract/test_every_operation.py contract/test_roles.py service/test_list_scopes.py \
	service/test_permissions.py service/test_offers.py service/test_domain_services.py service/test_hidden_secrets.py \
	service/test_renaming.py service/test_users_over_http.py service/test_groups_over_http.py service/test_sessions_over_http.py \
	service/test_provisioning_over_http.py service/test_contacts_over_http.py service/test_sip_over_http.py \
	service/test_deliveries.py service/test_unchanged_lists.py service/test_row_cache.py service/test_passing_time.py \
	service/test_slow_clients.py service/test_hostile_requests.py service/test_alert_histories.py)
# Some of each, which take half a minute.
REST_QUICK := $(addprefix tests/,faults/test_random_faults.py faults/test_bad_answers.py faults/test_texts.py \
	faults/test_reconnecting.py faults/test_soak.py faults/test_figures.py service/test_durability.py service/test_floods.py \
	service/test_hostile_requests.py unit/test_raw_rows.py packaging/test_wheel.py \
	packaging/test_recipes.py::test_every_recipe_works_as_written \
	behaviour/test_dead_keys.py::test_every_key_that_is_shown_works[calls] \
	behaviour/test_contrast.py::test_everything_painted_has_enough_contrast[mono] \
	$(patsubst %,bench/test_measuring.py::test_every_part_measures_something[%],start idle peers keys ingest))
SAFETY := $(addprefix tests/,live/test_journal.py live/test_decisions.py live/test_durable_intents.py live/test_group_editors.py \
	live/test_racing_backends.py unit/test_private_files.py client/test_client_tls.py client/test_client_requests.py cli/test_canaries.py terminal/test_canaries.py \
	terminal/test_ending.py behaviour/test_conflicts.py behaviour/test_read_only.py)

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Otherwise every process of the tests would compile the whole program.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo demo-replay test test-rest test-elsewhere faults fuzz night cluster safety mutants bench budgets check snapshots pictures docs reference strings format lock

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# Stamps skip the installation unless a lock or project file has changed.
.venv/runtime.stamp: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "make: Python 3.11 or later is needed; name one with PYTHON=...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev.stamp: .venv/runtime.stamp requirements-dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@# Compile the tests once; otherwise each process of the first run would do it.
	@$(BIN)/pytest --collect-only >/dev/null || true
	@touch $@

setup: .venv/dev.stamp  ## Create .venv with all development dependencies

demo-replay: .venv/night.rec  ## Open the recording of an hour in which the carrier fails
	@$(BIN)/console replay $< --at -18m

.venv/night.rec: tools/record_night.py .venv/runtime.stamp
	@echo "An hour of a night is played and recorded, once; it takes half a minute." >&2
	@$(BIN)/python -m tools.record_night $@

demo: .venv/runtime.stamp  ## Open the console with the embedded service: make demo WORLD=busy
	@$(BIN)/console demo --world $(WORLD)

test: setup  ## Run the tests and list the slowest; some of the service also with PostgreSQL
	@$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations 15 $(addprefix --ignore=,$(REST))
	@TEST_ENGINE=postgresql $(BIN)/pytest -n 2 --dist loadfile $(POSTGRESQL_SHARE)

test-rest: setup  ## Run the other tests: short forms of faults, fuzzing and bench; the pictures; the service with PostgreSQL; QUICK=1 for some
	@$(BIN)/pytest -n $(JOBS) --dist worksteal --timeout 300 $(if $(QUICK),$(REST_QUICK),$(REST))
	@$(if $(QUICK),,TEST_ENGINE=postgresql $(BIN)/pytest -n $(JOBS) --dist worksteal --timeout 300 $(POSTGRESQL))

test-elsewhere: setup  ## Run tests under conditions of other machines: make test-elsewhere ONLY="tmp-150 user+umask-077", QUICK=1
	@$(BIN)/python -m tools.elsewhere --jobs $(JOBS) $(if $(QUICK),--quick) $(ONLY)

fuzz: setup  ## Send generated requests to the service, and try every property with new examples: make fuzz COUNT=200
	@FUZZ_COUNT=$(COUNT) $(BIN)/python -m tools.measure "make fuzz COUNT=$(COUNT)" $(BIN)/pytest -n $(JOBS) --timeout 3600 -m hypothesis

faults: setup  ## Inject faults and measure the recovery: make faults COUNT=50, PART=soak MINUTES=30, PART=wallboard HOURS=12, ONLY="black hole"
	@FAULTS_SOAK=$(MINUTES) FAULTS_HOURS=$(HOURS) FAULTS_COUNT=$(COUNT) FAULTS_STORIES=$$(( 40 * $(COUNT) )) FAULTS_STEPS=50 \
		FAULTS_TEXTS=$$(( 400 * $(COUNT) )) FAULTS_ONLY="$(ONLY)" \
		$(BIN)/python -m tools.measure "make faults COUNT=$(COUNT)$(if $(PART), PART=$(PART))$(if $(MINUTES), MINUTES=$(MINUTES))$(if $(HOURS), HOURS=$(HOURS))" $(BIN)/pytest --timeout 36000 $(FAULTS)

night: COUNT = 5
night: setup  ## Play whole nights with people who react to notices only: make night COUNT=5, HOURS=1
	@NIGHT_COUNT=$(COUNT) NIGHT_HOURS=$(HOURS) $(BIN)/python -m tools.measure "make night COUNT=$(COUNT)$(if $(HOURS), HOURS=$(HOURS))" $(BIN)/pytest -n 2 --timeout 36000 -s tests/night tests/recording/test_shown.py

cluster: CLIENTS = 100
cluster: setup  ## Let clients work at two nodes while nodes, database and lines fail: make cluster COUNT=100, CLIENTS=100, SEED=7, ONLY=disk
	@CLUSTER_COUNT=$(COUNT) CLUSTER_CLIENTS=$(CLIENTS) CLUSTER_SEED="$(or $(SEED),$(shell date +%s))" CLUSTER_ONLY="$(ONLY)" \
		$(BIN)/pytest --timeout 36000 -s tests/cluster

safety: setup  ## Repeat the tests of conflicts, kills, tampering and secrets: make safety COUNT=1000
	@SAFETY_COUNT=$(COUNT) $(BIN)/python -m tools.measure "make safety COUNT=$(COUNT)" $(BIN)/pytest -n $(JOBS) --timeout 3600 $(SAFETY)

mutants: setup  ## Plant over 120 bugs without type errors in copies of the source, and check that the tests detect each
	@$(BIN)/python -m tools.measure "make mutants" $(BIN)/python -m tools.plant --jobs $(JOBS)

bench: setup  ## Measure speed and memory against baselines: make bench ONLY="keys poll" QUICK=1
	@$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(ONLY)

budgets: setup  ## Count the work of the console and the service; UPDATE=1 makes the figures the budgets
	@$(BIN)/python -m tests.budgets $(if $(UPDATE),--update)

check: setup  ## Check lint rules, format, types, import rules and generated pages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tools.generate_docs --check

snapshots: setup  ## Accept the current pictures of the screens, after checking them
	@$(BIN)/pytest tests/snapshots --snapshot-update

pictures: setup  ## Generate the pictures of the README
	@$(BIN)/python -m tools.make_pictures

docs: setup  ## Generate the pages in docs/
	@$(BIN)/python -m tools.generate_docs

reference: setup  ## Write the pages of all operations and of the contract into a file
	@file=$$(mktemp --suffix=.md) && $(BIN)/python -m tools.generate_docs --reference > "$$file" && echo "$$file"

strings: setup  ## Write every text that a person may read into a file, for review
	@file=$$(mktemp --suffix=.md) && $(BIN)/python -m tools.strings_page > "$$file" && echo "$$file"

format: setup  ## Format the code and sort imports
	@$(BIN)/ruff check --fix --exit-zero --quiet
	@$(BIN)/ruff format

lock: setup  ## Compile both lock files from pyproject.toml
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build --output-file requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group dev --constraint requirements.lock \
		--output-file requirements-dev.lock
