#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make series: writes the mails of each topic to build/series/NN-name, its cover letter with
# shortlog and diffstat, and its patches.  Subjects have the number of the topic, and the
# number in the topic: [PATCH 03/15 02/21].

. "$(dirname "$0")/lib.sh"

mails() { git -C "$tmp/mails" "$@"; }

# git format-patch takes the cover letter from the description of a branch.  The branch is
# in a repository of its own, which has the objects of build/linux.
make_repository() {
	git init -q --bare "$tmp/mails"
	echo "$TREE/.git/objects" >"$tmp/mails/objects/info/alternates"
}

based_on() { # TOPIC-BEFORE
	version=$(tree show base:Makefile |
		sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) = //p' | paste -sd .)
	echo "Based on Linux $version${1:+, after the topic $1}."
}

# The author of the last patch sends the cover letter.
write_mails() { # NUMBER TOPIC-BEFORE NAME COVER LAST
	letter=$(cover_letter "$4")
	letter=$(printf '%s\n\n%s' "$letter" "$(based_on "$2")")
	mails update-ref refs/heads/topic "$5"
	GIT_COMMITTER_NAME=$(mails log -1 --format=%an topic) \
	GIT_COMMITTER_EMAIL=$(mails log -1 --format=%ae topic) \
	GIT_COMMITTER_DATE=$(mails log -1 --format=%aI topic) \
	mails -c branch.topic.description="$letter" format-patch -q \
		--cover-letter --cover-from-description=subject --numbered \
		--subject-prefix="PATCH $1" --base="$4" --zero-commit --no-signature \
		-o "$BUILD/series/$3" "$4..topic"
}

lock
check_applied
topics applied >"$tmp/topics"
make_repository
rm -rf "$BUILD/series"
number=0
before=
while read -r name cover last; do
	number=$((number + 1))
	write_mails "$(printf '%02d/%02d' $number "$(wc -l <"$tmp/topics")")" \
		"$before" "$name" "$cover" "$last"
	before=$name
done <"$tmp/topics"
say "wrote the mails of $number topics to $BUILD/series"
