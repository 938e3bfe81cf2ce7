# SPDX-License-Identifier: GPL-2.0
#
# What function_graph costs, in instructions per traced call and return: for one
# user, with return values recorded and shown or not, and for several users of
# one function.  Runs on the base, too, as far as that has the feature.
#
# One function is traced, in a loop of system calls; the cost is the difference
# to the same loop untraced.  Lines are "bench NAME VALUE".

FUNCTION=$(grep -m 1 -E '^(__[a-z0-9]+_)?sys_getppid$' available_filter_functions)

loop() { callbench; }

# The loop prints hundredths of an instruction.
report() { # NAME HUNDREDTHS
	echo "bench $1 $(($2 / 100)).$(printf '%02d' $(($2 % 100)))"
}

cost() { # NAME
	report "$1" $(($(loop) - untraced))
}

trace_instance() { # NAME
	mkdir "instances/$1"
	echo "$FUNCTION" >"instances/$1/set_ftrace_filter"
	echo function_graph >"instances/$1/current_tracer" 2>/dev/null
}

untraced=$(loop)
report untraced "$untraced"

echo "$FUNCTION" >set_ftrace_filter
echo function_graph >current_tracer
cost one-user

if [ -e options/funcgraph-retval ]; then
	echo 1 >options/funcgraph-retval
	cost one-user-retval
	echo 0 >options/funcgraph-retval
fi

# The same function for more users, where there can be more
users=1
for many in 2 4 8 16; do
	while [ $users -lt $many ] && trace_instance "u$users"; do
		users=$((users + 1))
	done
	[ $users -eq $many ] || break
	cost "$many-users"
done

# A user alone again must cost what it did
for dir in instances/u*; do
	[ ! -d "$dir" ] || { echo nop >"$dir/current_tracer"; rmdir "$dir"; }
done
cost one-user-again

# All functions, for what a call costs when many are traced
echo nop >current_tracer
echo >set_ftrace_filter
echo 4096 >buffer_size_kb
echo function_graph >current_tracer
cost all-functions
echo nop >current_tracer
