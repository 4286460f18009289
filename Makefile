# The everyday commands. CI runs .ci/run, which needs nothing from here.
ENV := .venv-test
BIN := $(ENV)/bin

.PHONY: install test slower golden mutants forge slow exhaustive check bench calibration site linkcheck dist

install:  ## a development environment in .venv-test, with whatever some test needs
	python3 -m venv $(ENV)
	$(BIN)/pip install --quiet -e '.[ci]'

test:  ## the fast tests
	$(BIN)/pytest -n auto

slower:  ## which fast tests take long: they join tests/slower.txt, and CI runs them (on a quiet machine)
	$(BIN)/pytest -n 2 --junitxml=build/times.xml
	$(BIN)/python tests/slower.py build/times.xml

golden:  ## write anew what every format says of every kind of result, and show what has changed
	$(BIN)/python tests/golden

mutants:  ## which random changes of the package do the tests of CI miss? make mutants ROOM=effects,wings/page/guard SEED=1 N=15
	$(BIN)/python tests/mutants --room "$(ROOM)" --seed $(or $(SEED),1) --n $(or $(N),15)

slow:  ## what .ci/run adds: the rules of CONTRIBUTING.md, calibration in short, kills, browser and LaTeX (some minutes)
	$(BIN)/pytest -n auto -m "slow and not exhaustive" -rs

exhaustive:  ## the rest: every case of every test, calibration in full (an hour; use a quiet machine)
	$(BIN)/pytest -n auto -m exhaustive -rs

check:  ## ruff, mypy --strict, layers, the rules of CONTRIBUTING.md
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto tests/repository

forge:  ## 2000 random changes of reports and 2000 of pages against verify, and 10 000 mutated files against the readers (half an hour)
	$(BIN)/pytest -n auto -m "slow or exhaustive" tests/contract/test_forged_reports.py tests/contract/test_forged_pages.py
	PYTHONPATH=tests $(BIN)/python tests/faults/mutated_files.py 10000

bench:  ## measure speed, memory and accuracy (minutes; use a quiet machine)
	$(BIN)/python -m benchmarks

calibration:  ## simulate how often statements are false, and write docs/trust/calibration.md (three hours; use a quiet machine)
	$(BIN)/python docs/generate/calibration.py --measure

DOCS := $(if $(wildcard $(BIN)/sphinx-build),$(BIN),.venv-docs/bin)

.venv-docs/bin/sphinx-build:
	python3 -m venv .venv-docs
	.venv-docs/bin/pip install --quiet -e '.[docs]'

site: $(DOCS)/sphinx-build  ## the documentation, into build/site; open build/site/index.html, or say bakeoff docs
	rm -rf build/site
	$(DOCS)/sphinx-build -q -b html -E -W --keep-going -n -j auto -d build/doctrees docs build/site

linkcheck: $(DOCS)/sphinx-build  ## do the links to other sites still lead somewhere? Needs a network
	$(DOCS)/sphinx-build -q -b linkcheck -d build/doctrees docs build/linkcheck

dist: site  ## wheel and source distribution, the same bytes wherever this commit is built
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m hatchling build
	sha256sum dist/*
