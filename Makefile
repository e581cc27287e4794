# Thin names for the project's commands. Each first brings .venv to the state it needs (scripts/setup).
PYTHON := .venv/bin/python
export PATH := $(CURDIR)/.venv/bin:$(PATH)
.PHONY: site test check browser screenshots endurance bench peers golden lock clean

site: ## build corpus/demo into site/
	@sh scripts/setup base
	@$(PYTHON) -m builder corpus/demo --out site

test: check ## everything: check, then the slow tests and those in browsers
	@sh scripts/setup test
	$(PYTHON) -m pytest -m "slow or browser"

check: ## format, lint, types and the fast tests
	@sh scripts/setup dev
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m ruff check
	$(PYTHON) -m mypy --strict
	npm run check
	$(PYTHON) -m pytest -m "not slow and not browser"
	$(PYTHON) -m builder check corpus/demo
	$(PYTHON) -m builder check corpus/showcase

browser: ## the tests that open the built site in real browsers
	@sh scripts/setup test
	$(PYTHON) -m pytest -m browser

endurance: ## 10,000 questions in one tab of each browser, and workers that die; takes long
	@sh scripts/setup test
	$(PYTHON) -m pytest tests/browser/test_endurance.py --questions 10000

screenshots: ## pictures of every kind of page into test-results/, to look at
	@sh scripts/setup test
	$(PYTHON) -m tests.browser.screenshots

bench: ## the measurements
	@sh scripts/setup dev
	$(PYTHON) -m bench build

peers: ## install the search engines that `python -m bench retrieval --peers` measures
	@sh scripts/setup dev
	@sh scripts/setup peers

golden: ## write the golden files anew
	@sh scripts/setup dev
	$(PYTHON) -m pytest -m "not slow and not browser" --update-golden

lock: ## write requirements/*.txt anew; UPGRADE=--upgrade takes newer versions
	@sh scripts/lock $(UPGRADE)

clean: ## remove what these commands made, but not the golden files
	rm -rf .venv .cairn .cache node_modules bench/peers/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find site -mindepth 1 -not -name README.md -delete
