# SPDX-License-Identifier: GPL-2.0
#
# Drives the series.  The scripts in series/ apply the patches to a kernel tree, and write
# patches and the sparse tree from it; the harness in tools/testing/selftests/ftrace/qemu/
# builds that tree and boots it.

HARNESS := tools/testing/selftests/ftrace/qemu
SIGNATURES := $(CURDIR)/tools/testing/selftests/ftrace/signatures

# The tests of the reader of DWARF compile for all machines that it knows.
COMPILERS := $(addprefix gcc-,aarch64-linux-gnu arm-linux-gnueabihf \
	     i686-linux-gnu riscv64-linux-gnu) clang-16

# What the oracle of signatures runs their code in
ORACLE := python3-pyelftools python3-unicorn

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

# Also if the command line has them
override BUILD := $(abspath $(or $(BUILD),build))
override LINUX := $(and $(LINUX),$(abspath $(LINUX)))
export BUILD LINUX

# The harness runs elsewhere: paths that are relative to here become absolute.
harness := $(MAKE) --no-print-directory -C $(HARNESS) BUILD=$(BUILD) \
	   KERNEL=$(BUILD)/linux KERNEL_BASE=$(BUILD)/base/linux \
	   SCRIPT='$(and $(SCRIPT),$(abspath $(SCRIPT)))' FILES='$(abspath $(FILES))' \
	   CONFIG='$(and $(CONFIG),$(abspath $(CONFIG)))'

help:
	@echo 'make run      everything from a fresh machine to the demo: a trace that'
	@echo '              names the function that failed'
	@echo 'make test     all tests, on all architectures or those in ARCH'
	@echo 'make test-deep  what takes too long for it; goes on where it was broken off'
	@echo 'make plan     make the plans of tests agree with the last runs of both'
	@echo 'make deps     install the Debian packages that ARCH needs'
	@echo 'make prepare  unpack Linux 6.1 to build/linux, apply series/*.patch'
	@echo 'make refresh  write the commits of build/linux to series/ and the sparse tree'
	@echo 'make build    build the kernel for ARCH'
	@echo 'make boot     run SCRIPT=file.sh in a guest, exit with its status'
	@echo 'make shell    start a shell in a guest'
	@echo 'make why      ask in a guest why CMD fails'
	@echo 'make ftracetest  the ftrace selftests in a guest, or TESTS of them'
	@echo 'make kunit    the KUnit cases of the series, or those of SUITE and CASE'
	@echo 'make mutants  break the code as a list says: its tests must fail; or ONLY=name'
	@echo 'make compare  these selftests on the base and here, and what differs'
	@echo 'make bench    cost of tracing, unpatched base beside the series'
	@echo 'make test-report  what fgraph report prints, in a browser'
	@echo 'make cost     what signatures cost to build and to carry, beside BTF'
	@echo 'make stress   MINUTES of what SEED decides on, while functions are traced'
	@echo 'make sweep    interrupt a traced call at each of its instructions'
	@echo 'make coverage  how many functions have a signature; CONFIG=file: of that'
	@echo 'make places   check that parameters are where the ABI has them, with GCC'
	@echo 'make truth    signatures of the kernel, compared with what gdb says'
	@echo 'make gcov     which lines of the series its tests run'
	@echo 'make others   build ftrace for architectures that no guest here is of'
	@echo 'make configs  compile what the series touches without each of its options'
	@echo 'make fuzz     feed broken input to what makes and reads signatures'
	@echo 'make series   copy series/*.patch to build/series'
	@echo 'make check    spelling, pages, checkpatch; refresh changes nothing; commits build'
	@echo 'make clean    remove build/'
	@echo
	@echo 'ARCH=x86_64|i386|arm|arm64|riscv, FLAVOR=debug|ibt|module|thumb2|bench|gcov,'
	@echo 'LLVM=-16 (clang-16), BASE=1 (unpatched), LINUX=dir (base tree), SMP=n'
	@echo 'ICOUNT=1 MODULES=1 FILES= VARS= MEM= APPEND= TIMEOUT= (boot and shell): see the head of'
	@echo '$(HARNESS)/Makefile'

deps:
	@$(harness) deps
	@$(HARNESS)/deps.sh git git-absorb $(if $(LINUX),,linux-source-6.1 xz-utils)

# Bad arguments and missing programs show before anything is unpacked.
tools:
	@$(harness) $(if $(filter boot,$(MAKECMDGOALS)),script) tools

prepare:
	@series/prepare.sh $(BASE:1=base)

refresh:
	@series/refresh.sh

build boot shell ftracetest kunit stress sweep: tools prepare
	@$(harness) $@

mutants: tools prepare
	@$(HARNESS)/deps.sh $(COMPILERS) $(ORACLE) libelf-dev
	@$(harness) $@ BASE= FLAVOR= CONFIG=

# These boot the unpatched base, too.
bench compare: BASE := 1
bench compare: tools prepare
	@$(harness) $@ BASE=

cost: tools prepare
	@$(HARNESS)/deps.sh dwarves time
	@$(harness) $@

# Scripts of make test: on the host alone, and after the demo
HOST_TESTS := $(addprefix $(CURDIR)/series/,test-tree.sh test-pages.sh) $(SIGNATURES)/test.sh
DEMO_TESTS := $(addprefix $(CURDIR)/series/,test-readme.sh test-doc.py test-fgraph.py)

test: export ARCH ?= x86_64 i386 arm arm64 riscv
test: deps prepare
	@$(HARNESS)/deps.sh $(COMPILERS) $(ORACLE) $(PAGES) gdb libelf-dev
	@$(harness) $@ BASE= \
		HOST_TESTS='$(HOST_TESTS)' DEMO_TESTS='$(DEMO_TESTS)'

test-deep: export ARCH ?= x86_64 i386 arm arm64 riscv
test-deep: deps prepare
	@$(harness) $@ BASE= TOP=$(CURDIR) TOP_PARTS='others gcov'

# Where it can be committed
plan:
	@$(harness) $@
	@cp $(HARNESS)/plan $(HARNESS)/plan-deep $(BUILD)/linux/$(HARNESS)
	@echo 'the plans are in $(BUILD)/linux, too: commit them there, then run make refresh'

run: deps prepare
	@$(harness) boot SCRIPT=$(CURDIR)/$(HARNESS)/tests/demo.sh

why: deps prepare
	@$(harness) $@

# The screenshots in build/report are to be looked at.
test-report: tools prepare
	@$(HARNESS)/deps.sh chromium chromium-driver python3-selenium npm
	@mkdir -p $(BUILD)/report
	@npm install --silent --prefix $(BUILD)/report speedscope
	@series/test-fgraph.py $(BUILD)/report/trace
	@/usr/bin/python3 series/test-report.py $(BUILD)/report/trace $(BUILD)/report

coverage places: tools prepare
	@$(harness) $@

truth: tools prepare
	@$(HARNESS)/deps.sh gdb
	@$(harness) $@

gcov: tools prepare
	@$(harness) $@

configs: tools prepare
	@$(harness) $@

others: tools prepare
	@$(HARNESS)/deps.sh $(OTHERS)
	@$(harness) $@

fuzz:
	@$(HARNESS)/deps.sh $(COMPILERS) $(ORACLE) afl++ libelf-dev
	@$(SIGNATURES)/fuzz.sh $(MINUTES)

# The stack is the series: this is a copy of it without the scripts beside it.
series:
	@rm -rf $(BUILD)/series && mkdir -p $(BUILD)/series
	@cp series/[0-9]*.patch $(BUILD)/series

check: deps
	@$(HARNESS)/deps.sh $(PAGES) perl python3-git python3-ply
	@series/check.sh

clean:
	rm -rf $(BUILD)

.PHONY: help deps tools prepare refresh build boot shell ftracetest kunit mutants compare \
	bench cost stress sweep configs test test-deep plan coverage places truth gcov others fuzz run why test-report \
	series check clean
