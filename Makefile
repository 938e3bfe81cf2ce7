# SPDX-License-Identifier: GPL-2.0
#
# Drives the series. The scripts in series/ apply the patches to a kernel tree, and write
# patches and the sparse tree from it. The harness in tools/testing/selftests/ftrace/qemu/
# builds that tree and boots it, and ci/ adds what only this repository needs.

SIGNATURES := $(CURDIR)/tools/testing/selftests/ftrace/signatures

# The tests of the reader of DWARF compile for all machines that it knows, and compare.
COMPILERS := $(addprefix gcc-,aarch64-linux-gnu arm-linux-gnueabihf \
	     i686-linux-gnu riscv64-linux-gnu) clang-16 llvm-16

# The oracle of signatures runs their code in these.
ORACLE := python3-pyelftools python3-unicorn

# This package checks JSON.
SCHEMA := python3-jsonschema

# The pages are spelled and built with these.
PAGES := codespell python3-sphinx python3-sphinx-rtd-theme

# Those with the function graph tracer that have one in Debian, but no guest here
OTHERS := $(addsuffix -linux-gnu,gcc-hppa gcc-powerpc64le gcc-s390x gcc-sh4 \
	  gcc-sparc64) gcc-mips64el-linux-gnuabi64

# make splits a path at a space, and so would nearly all that follows.
define refuse_space # NAME
$(if $(filter-out 0 1,$(words $($(1)))),$(error $(1)=$($(1)): make cannot work with a space in a path))
endef
$(foreach path,CURDIR BUILD LINUX,$(call refuse_space,$(path)))

## DBG=1: for deb, also the package with debug information
export DBG ?=
## LINUX=dir: a 6.1.y tree to apply the series to
override LINUX := $(and $(LINUX),$(abspath $(LINUX)))
override BUILD := $(abspath $(or $(BUILD),build))
export BUILD LINUX
export KERNEL      := $(BUILD)/linux
export KERNEL_BASE := $(BUILD)/base/linux

# All targets need these packages, on every machine.
export PACKAGES := git git-absorb $(if $(LINUX),,linux-source-6.1 xz-utils)

# make test: scripts that run on the host, and scripts that boot the kernel of x86_64
export HOST_TESTS := $(addprefix $(CURDIR)/series/,test-tree.sh test-pages.sh test-lines.py) \
		     $(SIGNATURES)/test.sh
export DEMO_TESTS := $(addprefix $(CURDIR)/series/,test-readme.sh test-doc.py test-fgraph.py \
		     test-trace-cmd.sh)

## run: the demo, from a fresh machine to a trace that names the function that failed
run: deps prepare
	@$(again) boot SCRIPT=$(HERE)/tests/demo.sh

# The commands that people need first
HELP := help-short
help-short:
	@for group in 'First steps: run why shell' \
			'Work: prepare build boot kunit ftracetest refresh' \
			'Tests: check test test-all mutants fuzz' \
			'Measurements: bench cost compare gcov' \
			'Packages: deb patch'; do \
		echo "$${group%%:*}"; \
		for name in $${group#*:}; do \
			sed -n "s/^## $$name: /  make $$name\t/p" $(MAKEFILE_LIST) | expand -t 20; \
		done; \
	done
	@echo 'make help-all lists all commands and their variables.'

include ci/Makefile

# Bad arguments and missing programs show before anything is unpacked.
## prepare: unpack Linux 6.1 to build/linux, apply series/*/*.patch
prepare: tools $(if $(filter boot,$(MAKECMDGOALS)),script)
	@series/prepare.sh $(if $(filter bench compare,$(MAKECMDGOALS))$(BASE),base)

## refresh: write the commits of build/linux to series/ and the sparse tree
refresh:
	@series/refresh.sh

## series: write the mails of each topic to build/series, with a cover letter
series:
	@series/mails.sh

# These do without the harness, and so without QEMU.
## deb: Debian packages of the kernel and of fgraph, of CONFIG=amd64, cloud-amd64 or a file
## patch: the series as one patch, for patch -p1
deb patch: more-deps
	@series/prepare.sh
	@packaging/$@.sh

## test-patch: to which revisions of linux-source-6.1 the patch applies
test-patch: patch
	@packaging/patch.sh revisions

## check: what a reviewer runs first: sizes, style, spelling, pages; each commit builds
check: deps more-deps
	@series/check.sh

## fuzz: broken input to what reads signatures, traces and rules, each for MINUTES
fuzz: more-deps
	@$(SIGNATURES)/fuzz.sh $(MINUTES)
	@tools/tracing/fgraph/tests/fuzz.sh $(MINUTES)
	@$(MAKE) --no-print-directory fuzz-rules ARCH=x86_64

# The screenshots in build/report are to be looked at.
## test-report: what fgraph report prints, in a browser
test-report: tools prepare more-deps
	@mkdir -p $(BUILD)/report
	@npm install --silent --prefix $(BUILD)/report speedscope
	@series/test-fgraph.py $(BUILD)/report/trace
	@/usr/bin/python3 series/test-report.py $(BUILD)/report/trace $(BUILD)/report

# A target that builds needs a tree, and some targets need more packages. The commands that
# a newcomer runs first install all that they need.
test test-all why: deps
build boot shell why ftracetest kunit test-guest test test-all stress fuzz fuzz-rules sweep cmdline \
coverage places truth gcov configs others mutants bench compare base-tests cost test-tools test-deb stress-sched: prepare

mutants fuzz: MORE := $(COMPILERS) $(ORACLE) libelf-dev afl++
test test-all: MORE := $(COMPILERS) $(ORACLE) $(SCHEMA) $(PAGES) gdb libelf-dev \
		 libtraceevent-dev patch pkg-config trace-cmd
check: MORE := $(PAGES) perl python3-git python3-ply
cost: MORE := dwarves time
gcov: MORE := gcovr
truth: MORE := gdb
others: MORE := $(OTHERS)
test-tools test-deb stress-sched: MORE := dwarves e2fsprogs mmdebstrap
deb: MORE := bc bison ccache cpio dpkg-dev dwarves flex gcc git kmod libc6-dev libelf-dev \
	     libssl-dev libtraceevent-dev $(if $(LINUX),,linux-source-6.1) linux-config-6.1 \
	     make openssl pkg-config python3-docutils xz-utils
patch test-patch: MORE := git $(if $(LINUX),,linux-source-6.1) make patch xz-utils
# npm may be there without Debian's package, which conflicts with another node.
test-report: MORE = chromium chromium-driver python3-selenium $(if $(shell command -v npm),,npm)
mutants test test-all cost gcov truth others test-tools test-deb stress-sched: more-deps
more-deps:
	@$(HERE)/deps.sh $(MORE)

.PHONY: run prepare refresh series check fuzz test-report more-deps deb patch test-patch
