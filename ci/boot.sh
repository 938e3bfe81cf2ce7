# SPDX-License-Identifier: GPL-2.0
#
# Guest script: fgraph why --boot explains what failed since the kernel began to trace its
# boot. The makefile has the command line. Prints "ok" or "not ok" for each check.

check() { # NAME COMMAND...
	local name=$1

	shift
	"$@" >/tmp/log 2>&1 || { sed 's/^/# /' /tmp/log; printf 'not '; }
	echo "ok $name"
}

# A driver that fails while the kernel traces its boot
modprobe fgraph_driver
for what in registers supplier irq; do
	echo $what >/sys/module/fgraph_driver/parameters/fail
done
cat options/funcgraph-* >/tmp/options
fgraph why --boot >/tmp/report 2>/tmp/errors
sed 's/^/# /' /tmp/report

has_rules() { [ "$(cat set_graph_keep)" = error ]; }
refuses_a_rule() { dmesg | grep -q 'ftrace_graph_keep=: nonsense: refused'; }

explains_a_probe() {
	grep -A 1 '^really_probe(dev="fgraph_driver", drv="fgraph_driver") = 22 (EINVAL) ' \
		/tmp/report | grep 'platform_probe.* → devm_platform_ioremap_resource(.*) = -22'
}

explains_a_deferral() {
	grep -A 1 '^really_probe(dev="fgraph_driver", .*) = -517 (EPROBE_DEFER) ' /tmp/report |
		grep '^  device_links_check_suppliers('
}

understands_all() { cat /tmp/errors; [ ! -s /tmp/errors ]; }
restores_options() { cat options/funcgraph-* | cmp - /tmp/options; }

says_what_is_needed() {
	echo nop >current_tracer
	! fgraph why --boot 2>/tmp/errors
	grep '^fgraph: --boot: the kernel did not trace its boot' /tmp/errors
}

check 'ftrace_graph_keep= has rules' has_rules
check 'ftrace_graph_keep= names a rule that is wrong' refuses_a_rule
check '--boot explains a probe that failed' explains_a_probe
check '--boot explains a deferred probe' explains_a_deferral
check '--boot understands each line' understands_all
check '--boot restores the options' restores_options
check '--boot says what it needs' says_what_is_needed
