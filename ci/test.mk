# SPDX-License-Identifier: GPL-2.0
#
# make test: runs all tests on MACHINES, three jobs at a time on two CPUs: a kernel is built
# while two guests, which have one thread each, run what is built. Each test prints a line;
# its output is in $(BUILD)/test.

CI      := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
sub     := env -u MAKEFLAGS $(MAKE) --no-print-directory -f $(CI)/Makefile
results := env ARCH=host FLAVOR= $(HARNESS)/results.sh
machine  = ARCH=$(firstword $(subst -, ,$*)) FLAVOR=$(word 2,$(subst -, ,$*))

# debug finds mistakes that no test looks for. The table of the flavor module has
# relocations: RELA on x86_64 and arm64, REL on arm and i386, pairs on riscv. One machine of
# each kind has this flavor. The guests that take longest come first.
flavors_x86_64 := debug module
flavors_arm    := thumb2 module
flavors_riscv  := module
guests := $(foreach arch,$(MACHINES),$(arch) $(addprefix $(arch)-,$(flavors_$(arch))))
x86_64 := $(filter x86_64,$(MACHINES))
host   := harness $(notdir $(HOST_TESTS))

all: built-$(firstword $(guests)) $(host:%=host-%) $(guests:%=guest-%) \
     $(if $(x86_64),coverage complaints configs-x86_64 truth) \
     $(addprefix places-,$(filter arm64 x86_64,$(MACHINES))) \
     $(addprefix configs-,$(filter arm,$(MACHINES)))

# $(call try,NAME,COMMAND)
define try
@mkdir -p $(BUILD)/test; log=$(BUILD)/test/$(1).log; start=$$(date +%s); result=ok; \
	$(2) >$$log 2>&1 || result='not ok'; \
	[ "$$result" = ok ] || grep -v '\[PASSED\]' $$log | tail -n 100 | sed 's/^/# /'; \
	echo "$$result $(1): $$(($$(date +%s) - start)) s$$(tail -n 1 $$log | \
		sed -n 's/^\(\[[0-9:]*\] \)\?\([^ ]\)/, \2/p')"; \
	[ "$$result" = ok ]
endef

# One kernel is built at a time. A guest has precedence over builds and over tests that run
# on the host.
built := built-$(firstword $(guests))
$(foreach guest,$(wordlist 2,99,$(guests)),$(eval built-$(guest): $(lastword $(built))) \
	$(eval built += built-$(guest)))

built-%:
	$(call try,build-$*,nice -n 5 $(sub) build MODULES=1 $(machine))

guest-%: built-%
	$(call try,$*,$(sub) test-guest $(machine))

host-harness:
	$(call try,harness,nice -n 5 $(results) $(CI)/test-harness.sh)

host-%:
	$(call try,$*,nice -n 5 $(results) $(filter %/$*,$(HOST_TESTS)))

# A directory has one guest at a time.
demo: guest-x86_64
	$(call try,demo,$(sub) boot SCRIPT=$(HARNESS)/tests/demo.sh)

cmdline: demo
	$(call try,cmdline,$(sub) cmdline)

previous := cmdline
$(foreach test,$(notdir $(DEMO_TESTS)),$(eval demo-$(test): $(previous)) \
	$(eval previous := demo-$(test)))

demo-%:
	$(call try,$*,$(results) $(filter %/$*,$(DEMO_TESTS)))

coverage: $(previous)
	$(call try,coverage,$(sub) coverage)

complaints: guest-x86_64-debug
	$(call try,complaints,$(sub) complaints)

# These need no guest, and come last.
truth: $(lastword $(built))
	$(call try,truth,nice $(sub) truth)

# Its build waits for a guest in the same directory, so it comes after that.
places-%: guest-%
	$(call try,places-$*,$(sub) places ARCH=$*)

configs-%: $(lastword $(built))
	$(call try,configs-$*,nice $(sub) configs ARCH=$*)

.PHONY: all
