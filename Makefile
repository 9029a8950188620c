# The commands of this project; cmake presets do the work. `make help` lists them.
JOBS ?= $(shell nproc)
export JOBS

.DEFAULT_GOAL := help
.PHONY: help bootstrap build docs test test-all demo bench bench-check bench-update papers format clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## Install the packages that are missing (Debian 12; needs root or sudo only then)
	@scripts/bootstrap

build: bootstrap ## Build the release preset, without its tests, into build/release
	@TESTS=OFF scripts/build release

test: ## Build and test on the default MPI
	@scripts/bootstrap tests
	@scripts/test $(or $(PARTS),release)

test-all: ## What `test` leaves out: 7 ranks, mutation tests, packages, a wheel, sanitizers, MPICH; PARTS=smpi: 1,024 ranks on SimGrid
	@scripts/bootstrap tests
	@scripts/test $(or $(PARTS),more mutants packages wheel dev mpich)

demo: ## Build the command and run it on real graphs, winds and a head
	@scripts/bootstrap demo
	@TESTS=OFF scripts/build release weft_command
	@scripts/demo.sh

docs: ## Make the documentation site in build/docs/html
	@scripts/bootstrap docs
	@TESTS=OFF scripts/build release weft_command
	@scripts/docs/build build/release/tools/weft

bench: ## Build the command and run the benchmarks
	@scripts/bootstrap tests
	@scripts/build release weft_command weft_bench
	@benchmarks/run

bench-check: ## Measure the ratios of benchmarks/ratios.json and name those that are worse
	@scripts/bootstrap tests
	@scripts/build release weft_command weft_bench
	@benchmarks/ratios.py check

bench-update: ## Measure them on a quiet machine and write them to the ledger, on purpose
	@scripts/bootstrap tests
	@scripts/build release weft_command weft_bench
	@benchmarks/ratios.py update

papers: ## Make the tables of docs/papers.md and draw the figures of the papers into build/papers
	@scripts/bootstrap
	@TESTS=OFF scripts/build release weft_command
	@scripts/papers.py build/release/tools/weft --pictures build/papers

format: ## Format all C++ with the pinned clang-format
	@python3 scripts/check_format.py --fix

clean: ## Remove everything that was built
	rm -rf build
