# Two commands on a fresh machine: `make demo` and `make test`. Both set up what they need.

VENV   ?= .venv
PEERS  ?= .venv-peers
EXTRAS ?= semantic,mcp
WORKERS ?= auto
FOUND  := $(shell for p in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
	>/dev/null 2>&1 && { echo "$$p"; break; }; done)
COMMA  := ,
BIN    := $(VENV)/bin

# The tests start ktw some thousand times: without bytecode each would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types unit coverage self upstream peers clean help

help:
	@echo "make demo   set up, then recall real questions and play an attack end to end"
	@echo "make test   set up, then run everything that can be wrong"
	@echo "make clean  remove what these two made"

demo: $(VENV)/.base
	@$(BIN)/python tools/demo.py

test: lint types unit self upstream

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test $(PEERS)/.ready
	scratch=$$(sh tools/scratch.sh) && trap 'rm -rf "$$scratch"' EXIT && \
	  TMPDIR=$$scratch KTW_UPSTREAM_LINT=$(abspath $(PEERS))/bin/ktw-lint \
	  $(BIN)/python -m pytest --numprocesses=$(WORKERS)

coverage: $(VENV)/.test
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --precision=1

self: $(VENV)/.test
	$(BIN)/keep-the-why-lint --strict .

upstream: $(PEERS)/.ready
	$(PEERS)/bin/ktw-lint --strict .

peers: $(PEERS)/.ready

python:
	@test -n "$(FOUND)" || { \
	  echo "ktw needs Python 3.11, 3.12 or 3.13 with venv, and none was found."; \
	  echo "Install one (Debian: apt install python3 python3-venv), or name it: make PYTHON=/path/to/python3"; \
	  exit 1; }
	@command -v git >/dev/null || { echo "ktw needs git, and none was found on the PATH."; exit 1; }

$(VENV)/bin/python: | python
	$(FOUND) -m venv $(VENV)

$(PEERS)/bin/python: | python
	$(FOUND) -m venv $(PEERS)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev$(if $(EXTRAS),$(COMMA)$(EXTRAS))]"
	@touch $@ $(VENV)/.base

$(PEERS)/.ready: tools/peers.txt | $(PEERS)/bin/python
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check --requirement tools/peers.txt
	@touch $@

.PHONY: python
clean:
	rm -rf $(VENV) $(PEERS) .venvs .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
