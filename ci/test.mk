# SPDX-License-Identifier: GPL-2.0
#
# make test and make test-all: run tests on MACHINES, three jobs at a time on two CPUs: a
# kernel is built while two guests, which have one thread each, run what is built. Each part
# prints a line; its output is in $(BUILD)/test. With ALL, it runs what only few changes can
# break, too, and leaves out each part that has passed on the same sources.

CI      := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
make    := env -u MAKEFLAGS $(MAKE) --no-print-directory -f $(CI)/Makefile
sub     := nice -n 5 $(make)
results := nice -n 5 env ARCH=host FLAVOR= BUILT=1 $(HARNESS)/results.sh
arch     = $(firstword $(subst -, ,$*))
second   = $(word 2,$(subst -, ,$*))
machine  = ARCH=$(arch) FLAVOR=$(second)

# debug finds mistakes that no test looks for. The guests that take longest come first.
gate_x86_64 := debug

# The table of the flavor module has relocations: RELA on x86_64 and arm64, REL on arm and
# i386, pairs on riscv. One machine of each kind has this flavor.
more_x86_64 := module
more_arm    := thumb2 module
more_riscv  := module

# Other targets that test a machine, the longest first; and scripts that boot one
checks := x86_64-configs x86_64-truth x86_64-cmdline x86_64-coverage x86_64-complaints \
	  x86_64-places arm64-places arm-configs
demos  := demo $(notdir $(DEMO_TESTS))
host   := harness $(notdir $(HOST_TESTS))

guests := $(foreach arch,$(MACHINES),$(arch) $(addprefix $(arch)-,$(gate_$(arch)) \
	  $(if $(ALL),$(more_$(arch)))))
parts  := $(if $(filter x86_64,$(MACHINES)),guest-x86_64-base) $(guests:%=guest-%) \
	  $(host:%=host-%) $(if $(filter x86_64,$(MACHINES)),$(demos:%=demo-%)) \
	  $(if $(ALL),$(foreach arch,$(MACHINES),$(patsubst %,check-%,$(filter $(arch)-%,$(checks)))))

# A part that has passed leaves a file, in a directory for the commits, here and in KERNEL,
# and for what is not committed. Without git, nothing has passed before.
describe = git -C $(1) rev-parse HEAD || date +%s; git -C $(1) diff HEAD;
passed  := $(BUILD)/test/passed/$(firstword \
	   $(shell { $(call describe,$(CI)/..) $(call describe,$(KERNEL)) } | sha1sum))
before := $(if $(ALL),$(filter $(parts),$(notdir $(wildcard $(passed)/*))))

all: $(filter-out $(before),$(parts))
	@$(foreach part,$(before),echo 'ok $(part): it has passed on these sources';)

# $(call try,NAME,COMMAND)
define try
@mkdir -p $(BUILD)/test $(passed); export RUN=$(BUILD)/test/$(1); log=$$RUN.log; \
	start=$$(date +%s); result=ok; \
	$(2) >$$log 2>&1 || { result='not ok'; : >$$RUN.failed; }; \
	times >$$RUN.times; cpu=$$(awk -F '[ms ]+' 'NR == 2 { print int(($$1 + $$3) * 60 + \
		$$2 + $$4) }' $$RUN.times); \
	[ "$$result" = ok ] || grep -v '\[PASSED\]' $$log | tail -n 100 | sed 's/^/# /'; \
	echo "$$result $(1): $$(($$(date +%s) - start)) s, $$cpu s of CPU time$$(tail -n 1 $$log | \
		sed -n 's/^\(\[[0-9:]*\] \)\?\([^ ]\)/, \2/p')"; \
	[ "$$result" = ok ] && : >$(passed)/$@
endef

# One kernel is built at a time. The guests that run all tests take longest, so they have
# precedence over all else.
built := built-$(firstword $(guests))
$(foreach guest,$(wordlist 2,99,$(guests)),$(eval built-$(guest): $(lastword $(built))) \
	$(eval built += built-$(guest)))

built-%:
	$(call try,build-$*,$(sub) build MODULES=1 $(machine))

guest-%: built-%
	$(call try,$*,$(make) test-guest BUILT=1 $(machine))

# The selftests of the base run on one machine.
guest-x86_64-base: built-x86_64
	$(call try,x86_64-base,$(make) base-tests BUILT=1 ARCH=x86_64)

host-harness:
	$(call try,harness,$(results) $(CI)/test-harness.sh)

# It takes long. It fills gaps of the first build. If all is built, long guests start first.
host-test.sh: $(if $(wildcard $(BUILD)/x86_64-debug),$(filter built-x86_64-debug,$(built)))

# With ALL, it tests twice as many prototypes.
host-test.sh: export BATCHES := $(if $(ALL),6,3)

host-%:
	$(call try,$*,$(results) $(filter %/$*,$(HOST_TESTS)))

# The guests of x86_64 take longest. What follows waits until all of them can start.
demo-%: built-x86_64-debug
	$(call try,$*,$(results) $(filter %/$*,$(DEMO_TESTS)))

demo-demo: built-x86_64-debug
	$(call try,demo,$(sub) boot BUILT=1 SCRIPT=$(HARNESS)/tests/demo.sh)

.SECONDEXPANSION:
check-%: $$(lastword $$(filter built-$$(arch) built-$$(arch)-debug,$$(built)))
	$(call try,$*,$(sub) $(second) BUILT=1 ARCH=$(arch))

# These compile, so they come last.
check-x86_64-configs check-arm-configs check-x86_64-truth: $(lastword $(built))

.PHONY: all
