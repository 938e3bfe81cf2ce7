# SPDX-License-Identifier: GPL-2.0
#
# Completion of fgraph(1) for bash. The program's help says which commands and options there
# are, and what the value of an option is.

# Set values: the word in the help for the value of each option, "" if it has none.
_fgraph_read_options() # PROGRAM COMMAND
{
	local line option='^(-(.), )?(--[a-z-]+)(=([^ ]+))?'

	while read -r line; do
		[[ $line =~ $option ]] || continue
		values[${BASH_REMATCH[3]}]=${BASH_REMATCH[5]}
		[ -z "${BASH_REMATCH[2]}" ] || values[-${BASH_REMATCH[2]}]=${BASH_REMATCH[5]}
	done < <("$1" "$2" --help 2>/dev/null)
}

# Set value: the word for the value that follows an option, "" if none does. Letters may be
# together, and a value may be in the same word as its option.
_fgraph_find_value() # OPTION
{
	local i

	value=
	if [[ $1 == --* ]]; then
		value=${values[$1]}
		return
	fi
	for ((i = 1; i < ${#1}; i++)); do
		[ -n "${values[-${1:i:1}]}" ] || continue
		((i < ${#1} - 1)) || value=${values[-${1:i:1}]}
		return
	done
}

_fgraph_complete_value() # WORD CURRENT
{
	local last=${2##*,}

	case $1 in
	USER)
		mapfile -t COMPREPLY < <(compgen -u -- "$2")
		;;
	PID,...)
		mapfile -t COMPREPLY < <(compgen -P "${2%"$last"}" -W "$(ps -e -o pid=)" -- "$last")
		;;
	FILE | TRACE)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
		;;
	COLUMN)
		mapfile -t COMPREPLY < <(compgen -W 'calls time errors' -- "$2")
		;;
	WHEN)
		mapfile -t COMPREPLY < <(compgen -W 'always never auto' -- "$2")
		;;
	esac
}

_fgraph()
{
	local command=${COMP_WORDS[1]} cur=${COMP_WORDS[COMP_CWORD]} value='' i
	local -A values=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "--help --version $("$1" --help 2>/dev/null |
			sed -n 's/^[usage: ]* fgraph \([a-z]*\) .*/\1/p')" -- "$cur")
		return
	fi
	_fgraph_read_options "$1" "$command"
	# Find the word that CMD or TRACE is. In --option=value, bash makes "=" a word.
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [ -n "$value" ]; then
			[ "${COMP_WORDS[i]}" = = ] || value=
		elif [ "${COMP_WORDS[i]}" = -- ]; then
			((i++))
			break
		elif [[ ${COMP_WORDS[i]} == -?* ]]; then
			_fgraph_find_value "${COMP_WORDS[i]}"
		else
			break
		fi
	done
	if [ -n "$value" ]; then
		_fgraph_complete_value "$value" "${cur#=}"
	elif [[ $cur == -* ]] && ((i == COMP_CWORD)) && [ "${COMP_WORDS[i - 1]}" != -- ]; then
		mapfile -t COMPREPLY < <(compgen -W "${!values[*]}" -- "$cur")
	elif [ "$command" = report ]; then
		((i < COMP_CWORD)) || _fgraph_complete_value TRACE "$cur"
	elif [[ $command != @(top|where) ]] && declare -F _command_offset >/dev/null; then
		# The command that is traced has its own completion.
		_command_offset "$i"
	elif [[ $command != @(top|where) ]] && ((i == COMP_CWORD)); then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	fi
}
complete -F _fgraph fgraph
