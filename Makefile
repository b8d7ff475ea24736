# The commands of this project: `make video` makes a film, `make test` proves the product.
PYTHON ?= python3
BIN := .venv/bin
VIDEO := ring-all-reduce-4.mp4

# Compiled modules are kept: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup setup-video video test thorough hostile oracles lab bench mutants lint style types size readme contact-sheet site course pin clean

# Takes the versions in constraints/, which last passed; LATEST=1 takes the newest of each.
setup:
	@LATEST="$(LATEST)" $(PYTHON) scripts/setup.py all

setup-video:
	@LATEST="$(LATEST)" $(PYTHON) scripts/setup.py video

video: setup-video
	@$(BIN)/collectives video all-reduce ring -n 4 -q h -o $(VIDEO)

# A fixed sample of every sweep and of every test's cases, which tests/settings.py and
# tests/conftest.py choose; `make thorough` tries all of it.
test: setup
	@SAMPLE=1 $(BIN)/pytest -n 3 --dist worksteal

thorough: setup
	@THOROUGH=1 $(BIN)/pytest -n 3 --dist worksteal

# Everything a user or an enemy may type, hand over or break off, within limits of time and memory.
hostile: setup
	@HOSTILE=1 $(BIN)/pytest tests/hostile

# Other libraries run live; TORCH=PYTHON names a Python that has torch, on which programs
# run, too; MPICH=FOLDER and OPEN_MPI=FOLDER virtual environments with their wheels and mpi4py.
oracles: setup
	@THOROUGH=1 $(foreach name,TORCH MPICH OPEN_MPI,$(if $($(name)),$(name)="$($(name))")) $(BIN)/pytest tests/oracles

# Each part's output is printed when it ends: types take one core, all else the other.
lint: setup
	@$(MAKE) --no-print-directory -j2 --output-sync types style

style:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python scripts/readme.py --check

types:
	@$(BIN)/mypy
	@if command -v tsc > /dev/null; then tsc --project .; \
	else echo "no tsc: the types of the player's modules are not checked"; test -z "$$NO_SKIPS"; fi

bench: setup
	@$(BIN)/python -m tests.benchmarks

mutants: setup
	@$(BIN)/python tests/mutation/breaks.py

size:
	@$(PYTHON) scripts/size.py

# All that is drawn, each as a picture in build/contact-sheet; scripts/contact_sheet.py compares two.
contact-sheet: setup
	@$(BIN)/python scripts/contact_sheet.py build/contact-sheet

# Static pages in build/site, which need no server: players, lectures, questions, docs; FILMS=1
# renders films at 720p, too.
site: setup
	@FILMS="$(FILMS)" $(BIN)/python scripts/site.py build/site

# Papers of all lectures, labs, inventory and syllabus in build/course; FILMS=1 renders films, too.
course: setup
	@FILMS="$(FILMS)" $(BIN)/python scripts/course.py build/course

readme: setup
	@$(BIN)/python scripts/readme.py

# After `make test LATEST=1` has passed: these versions are the ones that last passed.
pin:
	@$(BIN)/python -m pip freeze --exclude-editable > constraints/new
	@mv constraints/new constraints/python$$($(BIN)/python -c 'import sys; print("3.%d" % sys.version_info[1])').txt

lab: setup
	@$(BIN)/collectives lab

clean:
	rm -rf .venv .venv-unfinished setup.log .mypy_cache .ruff_cache .pytest_cache build dist media
