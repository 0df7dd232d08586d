# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What a user of nacre types. Each target does its own set-up: on a fresh
# Debian machine `make demo` and `make test` are all that is needed. CMake and
# ninja do the building; see CMakePresets.json for the presets.

PRESET ?= release
BUILD  := build/$(PRESET)
# Two at a time: some of MLIR's files take more than a gigabyte to compile.
JOBS   ?= 2
# Debian's own python, where the packages of .ci/setup.sh land; another one may
# come first on PATH.
PYTHON ?= /usr/bin/python3
LLVM_BIN := /usr/lib/llvm-22/bin
# ON makes every compiler warning an error. A build folder keeps what it had,
# which is OFF in a new one: another value compiles everything again.
NACRE_WERROR ?=
# release puts its tools in build/bin, every other preset in its own folder.
BIN := $(if $(filter release,$(PRESET)),build,$(BUILD))/bin
export NACRE_BIN_DIR := $(CURDIR)/$(BIN)

SOURCES := git ls-files -z -- '*.cpp' '*.h' '*.c'

.DEFAULT_GOAL := help
.PHONY: help setup configure build demo test fuzz bench check check-format \
        check-linkage check-tidy format clean install package

help:
	@echo "nacre compiles ONNX models to native libraries."
	@echo
	@echo "  make demo            compile a digit classifier and run it"
	@echo "  make demo MODEL=F    the same for the ONNX model F, on random input"
	@echo "  make test            run every test (SUITES=\"lit unit\" runs some)"
	@echo "  make fuzz            compare the backends on 2000 random graphs, run"
	@echo "                       500 of dynamic sizes against numpy, and refuse"
	@echo "                       20000 models of broken meaning"
	@echo "  make bench           race ONNX Runtime over models and operators"
	@echo "                       (needs npm), and oneDNN over kernels"
	@echo "  make build           build the tools into $(BIN)"
	@echo "  make setup           install the Debian packages that are missing"
	@echo "  make format          format the C++ sources"
	@echo "  make check           what CI checks besides tests: formatting,"
	@echo "                       compiler warnings, linkage, clang-tidy over"
	@echo "                       what changed and a sample (TIDY=--all: over all)"
	@echo "  make install         install the tools, the Python package and what"
	@echo "                       find_package(nacre) needs (PREFIX=FOLDER)"
	@echo "  make package         the same as a Debian package in build"
	@echo "  make clean           remove the build folder"
	@echo
	@echo "PRESET=debug|asan chooses another build, JOBS=N its parallelism,"
	@echo "BENCH=\"--model=NAME --rounds=3\" what is raced and how,"
	@echo "FUZZ=\"--seed=7 --graphs=500\" which graphs."

setup:
	@.ci/setup.sh

# CMake rereads its own lists when they change; what it cannot see is another
# value of an option, so configuring again is left to it and costs a second.
configure: setup
	@echo "configure: $(PRESET) in $(BUILD)"
	@cmake --preset $(PRESET) -DPython3_EXECUTABLE=$(PYTHON) \
	  $(if $(NACRE_WERROR),-DNACRE_WERROR=$(NACRE_WERROR))

build: configure
	@echo "build: $(BUILD), $(JOBS) jobs"
	@ninja -C $(BUILD) -j$(JOBS) all nacre-unittests

install: build
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix '$(PREFIX)')

# Leaves build/nacre_VERSION_ARCH.deb.
package: build
	@cpack --config $(BUILD)/CPackConfig.cmake -B build

demo: build
	@$(PYTHON) python/scripts/demo.py $(if $(MODEL),--model '$(MODEL)')

test: build
	@$(PYTHON) python/scripts/run_tests.py --build '$(CURDIR)/$(BUILD)' $(SUITES)

fuzz: build
	@$(PYTHON) python/scripts/fuzz.py $(FUZZ)
	@$(PYTHON) python/scripts/fuzz_sizes.py
	@$(PYTHON) python/scripts/mutated_models.py --count=20000

bench: build
	@$(PYTHON) python/scripts/bench.py $(BENCH)
	@$(PYTHON) python/scripts/bench_kernels.py
	@$(PYTHON) python/scripts/bench_onednn.py
	@$(PYTHON) python/scripts/bench_operators.py
	@$(PYTHON) python/scripts/bench_quantization.py
	@$(PYTHON) python/scripts/bench_cost.py

check: check-format check-linkage check-tidy

check-format: setup
	@echo "check-format"
	@$(SOURCES) | xargs -0 -r $(LLVM_BIN)/clang-format --dry-run -Werror

check-linkage: build
	@echo "check-linkage"
	@$(PYTHON) python/scripts/check_linkage.py $(BIN)

# Needs the build for what TableGen writes. TIDY=--all checks every file.
check-tidy: build
	@echo "check-tidy"
	@$(PYTHON) python/scripts/check_tidy.py $(BUILD) --jobs=$(JOBS) $(TIDY)

format: setup
	@$(SOURCES) | xargs -0 -r $(LLVM_BIN)/clang-format -i

clean:
	rm -rf build
