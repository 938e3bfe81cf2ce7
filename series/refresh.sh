#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make refresh: writes the commits of build/linux to series/, a folder for each topic, and
# the sparse tree from them: a new file as it is, a file of the base as a patch, or as it is
# if more than half of its lines are new.

. "$(dirname "$0")/lib.sh"

# The series contains files in these paths only. Other files, such as Makefile, drive it.
SPARSE_PATHS='arch drivers fs include init kernel lib mm samples scripts tools
	Documentation Kconfig* MAINTAINERS* Makefile.patch'

in_base() { tree cat-file -e "base:$1" 2>/dev/null; }

# Prints the first mistake in the order of covers and patches.
wrong_order() {
	tree log --reverse --format='%T %s' base..HEAD |
	awk -v before="$(tree rev-parse 'base^{tree}')" '
		function wrong(mistake, advice) {
			print mistake ": " advice " with git rebase -i base"
			found = 1
			exit
		}
		{
			subject = "\"" substr($0, length($1) + 2) "\""
			empty = $1 == before
			before = $1
		}
		$2 != "cover:" {
			if (empty) wrong(subject " is empty, and no cover", "drop it")
			if (!topic) wrong(subject " is before the first cover", "move it behind one")
			patches++
			next
		}
		!empty { wrong(subject " changes files", "move them to a commit after it") }
		$3 !~ /^[0-9][0-9]-[a-z0-9-]+:$/ || NF < 4 {
			wrong(subject " is not \"cover: NN-name: Title\"", "reword it")
		}
		{ name = substr($3, 1, length($3) - 1) }
		topic && !patches { exit }
		name in seen { wrong("two topics have the name " name, "reword or drop a cover") }
		name < topic {
			wrong("topic " name " comes after " topic, "put the names in order")
		}
		{ seen[name]; topic = name; patches = 0 }
		END {
			if (found) exit
			if (!topic) wrong("there is no cover", "add \"cover: NN-name: Title\"")
			if (!patches) wrong("topic " topic " has no patch", "drop its cover")
		}'
}

# Each stops here, before anything is written.
check_commits() {
	prepared || die "$TREE is not there: run make prepare"
	for state in rebase-merge rebase-apply; do
		[ ! -e "$TREE/.git/$state" ] ||
			die "a git rebase or git am is not finished in $TREE"
	done
	[ -z "$(edited_files)" ] ||
		die "$TREE has edits that are in no commit: git commit --fixup=COMMIT, then git rebase -i --autosquash base"
	fixup=$(tree log --format=%s base..HEAD | grep -m 1 -E '^(fixup|squash|amend)! ') &&
		die "\"$fixup\" is a commit of its own: run git rebase -i --autosquash base"
	deleted=$(tree diff --no-renames --diff-filter=D --name-only base HEAD | head -n 1)
	[ -z "$deleted" ] || die "$deleted: the series cannot delete a file of the base"
	wrong=$(wrong_order)
	[ -z "$wrong" ] || die "$wrong"
	# build/linux may be older than series/: its commits would undo what is there.
	check_applied
}

# An unchanged file keeps its time stamp, a changed one is replaced.
update() { # FROM TO
	! cmp -s "$1" "$2" || return 0
	mkdir -p "$(dirname "$2")"
	rm -f "$2"
	cp "$1" "$2"
	say "updated ${2#"$TOP"/}"
}

remove() { # PATH
	rm -f "$TOP/$1"
	say "removed $1"
}

# A folder goes with its last file.
remove_patch() { # NAME
	remove "series/$1"
	rmdir --ignore-fail-on-non-empty "$SERIES/${1%/*}"
}

write_topic() { # NAME COVER LAST
	tree format-patch -q --zero-commit --no-signature --no-stat --no-numbered --abbrev=12 \
		--no-renames --diff-algorithm=myers -o "$tmp/series/$1" "$2..$3"
	cover_letter "$2" >"$tmp/series/$1/cover"
}

write_stack() {
	topics HEAD >"$tmp/topics"
	while read -r name cover last; do
		write_topic "$name" "$cover" "$last"
	done <"$tmp/topics"
	stack_files "$tmp/series" >"$tmp/new-files"
	while read -r _ name; do
		update "$tmp/series/$name" "$SERIES/$name"
	done <"$tmp/new-files"
	while read -r _ name; do
		[ -e "$tmp/series/$name" ] || remove_patch "$name"
	done <"$tmp/files"
	tree rev-list --reverse base..HEAD | paste -d ' ' "$tmp/new-files" - >"$TREE/.git/stack"
	tree update-ref refs/tags/applied HEAD
}

# Whether more than half of the lines are not those of the base
mostly_new() { # PATH
	added=$(tree diff --no-renames --numstat base HEAD -- "$1" | cut -f 1)
	[ "$added" = - ] || [ $((2 * added)) -gt "$(wc -l <"$TREE/$1")" ]
}

# Nothing but the lines that patch needs: no index line, no modes.
sparse_patch() { # PATH
	tree diff --no-color --no-ext-diff --no-renames --unified=3 \
		--diff-algorithm=myers --no-indent-heuristic \
		--src-prefix=a/ --dst-prefix=b/ base HEAD -- "$1" |
	sed -n '/^--- /,$p'
}

write_sparse() {
	tree diff --no-renames --name-only base HEAD >"$tmp/changed"
	while read -r path; do
		if ! in_base "$path" || mostly_new "$path"; then
			update "$TREE/$path" "$TOP/$path"
			echo "$path"
		else
			sparse_patch "$path" >"$tmp/patch"
			update "$tmp/patch" "$TOP/$path.patch"
			echo "$path.patch"
		fi
	done <"$tmp/changed" | sort >"$tmp/sparse"
	# shellcheck disable=SC2086 # the paths are meant to be split
	git -C "$TOP" ls-files -co --exclude-standard -- $SPARSE_PATHS | sort -u |
	comm -23 - "$tmp/sparse" | while read -r path; do
		[ ! -f "$TOP/$path" ] || remove "$path"
	done
}

lock
check_commits
write_stack
write_sparse
