# The product's door. Every target sets up what it needs on a bare Debian 12 machine (root, or a user with sudo).

export CMAKE_CXX_COMPILER_LAUNCHER := $(shell command -v ccache)

.PHONY: help setup build test study bench clean
.DEFAULT_GOAL := help

help:
	@echo 'make build   set up and build; the program is then build/release/thud'
	@echo 'make test    set up, build and run every test (GCC, Clang with sanitizers, fuzzers, oracles, packaging, style)'
	@echo "make study   set up, build, and predict the paper's three configurations"
	@echo 'make bench   rivals side by side: the fit against Ceres and SciPy, profiles against Odeint'
	@echo 'make clean   remove build/, .venv/ and web/node_modules/'

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

study: build
	build/release/three_configurations

bench: setup
	cmake --preset bench
	cmake --build --preset bench --target bench_fit bench_profile
	.venv/bin/python bench/fit_rivals.py build/bench/bench_fit --json build/bench/fit.json
	build/bench/bench_profile --json build/bench/profile.json

clean:
	rm -rf build .venv web/node_modules
