# The commands of this project: `make video` makes a film, `make test` proves the product.
PYTHON ?= python3
BIN := .venv/bin
VIDEO := ring-all-reduce-4.mp4

.PHONY: setup video test thorough lab bench mutants lint size readme clean

setup: .venv/ready

.venv/ready: pyproject.toml scripts/setup
	@PYTHON="$(PYTHON)" sh scripts/setup
	@touch $@

video: setup
	@$(BIN)/collectives video all-reduce ring -n 4 -q h -o $(VIDEO)

# A fixed sample of every sweep, which tests/settings.py chooses; `make thorough` tries all of it.
test: setup
	@$(BIN)/pytest -n 2

thorough: setup
	@THOROUGH=1 $(BIN)/pytest -n 2

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python scripts/readme.py --check

bench: setup
	@$(BIN)/python -m tests.benchmarks

mutants: setup
	@$(BIN)/python tests/mutation/breaks.py

size:
	@$(PYTHON) scripts/size.py

readme: setup
	@$(BIN)/python scripts/readme.py

lab: setup
	@$(BIN)/collectives lab

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache build dist media
