# Everything here sets up .venv by itself and can be run again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test lint audit coverage bench attacks docs wheels clean
help: ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(READY) ## Install Softmarks and its course into .venv

$(READY): pyproject.toml packaging/attention/pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (Python 3.11 or newer, 1.5 GB or, with the CUDA build of PyTorch, several, a few minutes the first time)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Softmarks needs Python 3.11 or newer; try: make PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt torch numpy
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[instructor,audit,dask,dev]'
	@touch $@

demo: $(READY) ## Grade the example class
	@echo "Grading the 15 made-up students of examples/classroom (a minute or two)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/softmarks grade examples/classroom/submissions -o demo-results \
		--only transfer_weights,causal_mask,causal_attention,sinusoidal_encoding

test: lint ## Run all tests
	@$(BIN)/python -m compileall -q src  # where nobody writes bytecode, hundreds of processes would compile it
	@echo "Running the tests (several minutes)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n 2

lint: $(READY) ## Format, lint, types, layers, and whether exercises/ is up to date
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/softmarks build --check

audit: $(READY) ## Grade the graders with up to 200 run seeds, run the long tests, throw odd bytes at all that reads some (hours)
	@$(BIN)/softmarks audit
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n 2 -m long
	@PATH="$(CURDIR)/$(BIN):$$PATH" FUZZ_MINUTES=20 $(BIN)/python -m pytest -n 2 tests/fuzz

coverage: $(READY) ## Which lines of src/ the tests run, those behind a wall apart
	@rm -f .coverage .coverage.*
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/coverage run -m pytest -n 2
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --skip-covered

bench: $(READY) ## Compare the cost of grading with nbgrader, otter-grader and plain pytest, of names with checks, and the wait after a save
	@$(BIN)/python benchmarks/peers.py
	@$(BIN)/python benchmarks/profile_submission.py
	@$(BIN)/python benchmarks/class_run.py
	@$(BIN)/python benchmarks/growth.py
	@$(BIN)/python benchmarks/diagnosis.py
	@$(BIN)/python benchmarks/nbgrader_batch.py
	@$(BIN)/python benchmarks/watching.py

docs: $(READY) ## Build the documents as a site into site/, every link checked
	@$(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

attacks: $(READY) ## Hand the attacks of the tests in to nbgrader and otter-grader (an hour), and write docs/threat-model.md
	@$(BIN)/python benchmarks/attacks_elsewhere.py

wheels: $(READY) ## Build both distributions into dist/, as source archives and as wheels
	@$(BIN)/python -m build --outdir dist . >/dev/null
	@$(BIN)/python -m build --outdir dist packaging/attention >/dev/null
	@ls dist

clean: ## Remove .venv and everything that was made
	rm -rf $(VENV) dist site demo-results .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
