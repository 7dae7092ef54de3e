# Targets of the README. Everything is installed into .venv; torch first, pinned, so that pip takes the CPU wheel.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
SITE = $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# pip compiles on one core, and everything: compileall comes after it and leaves out what checks of scripts seldom import
SELDOM := tests?|testing|_inductor|pip|setuptools|mypyc?|debugpy|playwright|networkx|fontTools|pygments
SELDOM := /($(SELDOM))/|transformers/models/(?!auto|bert|gpt2|llama|distilbert|vit)
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

.PHONY: cases cases-fix demo lint test setup clean docs goldens site pictures

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --upgrade pip
	$(PIP) torch==2.13.0
	$(PIP) -e '.[train,dev]'
	$(PIP) --no-deps torchvision
	cp tests/environment/torchvision_cpu.py $(SITE)
	echo 'import torchvision_cpu' > $(SITE)/torchvision_cpu.pth
	$(BIN)/python -m compileall -qq -j 0 -x '$(SELDOM)' $(SITE) src || true
	touch $@

demo: $(STAMP)
	$(BIN)/shapewright check examples/reward_model.py || test $$? -eq 1
	@echo
	$(BIN)/shapewright check examples/next_token.py || test $$? -eq 1

# without the plugins of other packages, whose every module pytest would rewrite for its asserts
test: $(STAMP)
	OMP_NUM_THREADS=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/python -m pytest -p xdist -n 3 --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(STAMP)
	$(BIN)/python -m shapewright.report.docs docs/rules

# a link that leads nowhere stops it; with --quiet it would not, since what is not printed is not counted
site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

pictures: $(STAMP)
	$(BIN)/python docs/pictures.py

goldens: $(STAMP)
	SHAPEWRIGHT_GOLDENS=write $(BIN)/python -m pytest tests/report/test_goldens.py

cases: $(STAMP)
	$(BIN)/python benchmarks/cases_table.py

cases-fix: $(STAMP)
	$(BIN)/python benchmarks/cases_table.py --fix

clean:
	rm -rf .venv
