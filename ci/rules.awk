# SPDX-License-Identifier: GPL-2.0
#
# Writes random rules to set_graph_keep of some instances, for MINUTES: rules that are mostly
# right, and rules with a few bytes changed.
#
#	awk -v seed=1 -v minutes=10 -v pause=0 -f rules.awk instances/a instances/b
#
# With a pause, in seconds, others do something meanwhile.

function one_of(list,	words) {
	return words[1 + int(rand() * split(list, words, ";"))]
}

function space() {
	return one_of(" ; ; ;;\t;   ")
}

function comparison() {
	if (rand() < 0.2)
		return one_of("error;!error;error:EIO,-ENOMEM;!error:5;error:;error:ENOSUCH")
	return one_of(VALUES) space() one_of("==;!=;<;<=;>;>=;&;~") space() one_of(CONSTANTS)
}

function expression(depth,	r) {
	r = rand()
	if (depth > 4 || r < 0.5)
		return comparison()
	if (r < 0.7)
		return one_of(";!") "(" space() expression(depth + 1) space() ")"
	return expression(depth + 1) space() one_of("&&;||") space() expression(depth + 1)
}

function rule(	text) {
	text = one_of(RULES)
	if (text == "")
		text = one_of(FUNCTIONS) ":" space() expression(0)
	if (rand() < 0.1)
		text = "!" text
	while (rand() < 0.2)
		text = text space() "|" space() one_of("stack;stack;snapshot;stop;halt;")
	return text
}

# Remove, repeat or replace some bytes.
function spoil(text,	at, len) {
	do {
		at = 1 + int(rand() * length(text))
		len = int(rand() * 4)
		text = substr(text, 1, at - 1) \
			one_of(";(;);\";';!;|;:;,;0;\\;\377;" substr(text, at, 9)) \
			substr(text, at + len)
	} while (rand() < 0.3)
	return text
}

BEGIN {
	FUNCTIONS = "vfs_read;vfs_write;vfs_s* vfs_r*;vfs_* !vfs_read;do_filp_open;v*:mod:ext4;" \
		"filename_lookup;kmem_cache_alloc;no_such;security_*;[p-q]*e;*_getattr"
	RULES = ";;;;;error;error:EIO;error: -EIO , 12;!error:EAGAIN;null;slow:1ms;slow:1.5us;" \
		"slow:99999999999999999999s;slow;# comment;"
	VALUES = "ret;ret;count;count;time;comm;pid;uid;cpu;name;pathname;file;buf;pos;dfd;flags"
	CONSTANTS = "0;-1;5;0x10;0644;EIO;-ENOENT;NULL;true;count;ret;pos;100us;1.5ms;8:17;" \
		"GFP_KERNEL;__GFP_ZERO;'c';'\\n';'\\'';\"/etc/*\";\"a | stop\";\"\";comm;time;" \
		"18446744073709551615;-9223372036854775809;99999999999999999999;x"
	srand(seed)
	for (end = systime() + minutes * 60; systime() < end; n++) {
		file = ARGV[1 + int(rand() * (ARGC - 1))] "/set_graph_keep"
		text = rule()
		for (lines = int(rand() * 4); lines; lines--)
			text = text "\n" rule()
		if (rand() < 0.4)
			text = spoil(text)
		if (rand() < 0.5)
			print text > file
		else
			print text >> file
		close(file)
		if (pause)
			system("sleep " pause)
	}
	print "# " n " writes of rules with seed " seed
}
