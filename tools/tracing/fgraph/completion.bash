# SPDX-License-Identifier: GPL-2.0
#
# Completion of fgraph(1) for bash

_fgraph()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i

	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W 'why slow top record report --help' -- "$cur")
		return
	fi
	# The command that is traced has its own completion.
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-[eftuipdobksn])
			((i++))
			;;
		-*)
			;;
		*)
			_command_offset "$i"
			return
			;;
		esac
	done
	case $prev in
	-u)
		mapfile -t COMPREPLY < <(compgen -u -- "$cur")
		;;
	-p)
		mapfile -t COMPREPLY < <(compgen -W "$(ps -e -o pid=)" -- "$cur")
		;;
	-o | -i)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	-[eftdbksn])
		;;
	*)
		case $cur in
		-*)
			mapfile -t COMPREPLY < <(compgen -W '-e -f -t -k -s -n -u -p -a -i -d -o -b -v -h --follow --folded --json --html
				--color=always --color=never --color=auto' -- "$cur")
			;;
		*)
			_command_offset "$COMP_CWORD"
			;;
		esac
	esac
}
complete -F _fgraph fgraph
