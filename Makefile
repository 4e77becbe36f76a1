# Every target sets up what it needs: Python 3.11 or later is all that has to be there.
PYTHON ?= python3
REQUIREMENTS ?= dev
BIN := .venv/bin
CODE := sandbox text_memory tool_library codifier runtime tests evals scripts

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint format types image docs evals requirements clean

help: ## Show what there is to make
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## (.*)/  \1\t\2/' | expand -t 16

setup: ## Make .venv from the pinned requirements (REQUIREMENTS=all adds the language-model and PostgreSQL extras)
	@$(PYTHON) scripts/setup.py --requirements $(REQUIREMENTS)

demo: setup ## Watch recurring plans become tested tools
	@if $(BIN)/python scripts/engine.py 2>/dev/null; then $(BIN)/nucleate sandbox build; fi
	@$(BIN)/nucleate demo

test: setup ## Run every check: format, lint, types, import arrows, tests
	@scripts/test

check: setup ## Run the same without Docker and without what is slow: the inner loop
	@scripts/test quick

lint: setup ## Run the linters alone
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports

format: setup ## Format the code and mend what the linter can mend
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

types: setup ## Check the types
	@$(BIN)/mypy $(CODE)

docs: setup ## Build the documentation into site/, a warning being a failure
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

image: setup ## Build the sandbox image
	@$(BIN)/nucleate sandbox build

evals: setup ## Run the evaluations that need no data of others on disk; writes evals/out/
	@mkdir -p evals/out
	@$(BIN)/python -m evals.bfcl --json evals/out/bfcl.json --png evals/out/bfcl.png
	@$(BIN)/python -m evals.sandbox --json evals/out/sandbox.json --png evals/out/sandbox.png
	@$(BIN)/python -m evals.sandbox.endurance --json evals/out/endurance.json --png evals/out/endurance.png
	@$(BIN)/python -m evals.admission --json evals/out/admission.json --png evals/out/admission.png
	@$(BIN)/python -m evals.library --json evals/out/library.json --png evals/out/library.png
	@$(BIN)/python -m evals.loop --json evals/out/loop.json --png evals/out/loop.png
	@$(BIN)/python -m evals.models --json evals/out/models.json

requirements: setup ## Pin the newest versions that pyproject.toml allows
	@scripts/pin

clean: ## Remove what the other targets made
	@rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache evals/out dist site
