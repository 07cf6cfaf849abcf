#!/bin/sh
# Runs a fuzz target: run.sh NAME [SECONDS]. It starts from its corpus, from what earlier runs found, and from the merges
# in Fixtures. New inputs go to .build/found/NAME, a crash to .build/crashes.
set -eu
cd "$(dirname "$0")"
name=$1
found=.build/found/$name
mkdir -p "$found" .build/crashes

# The sides of the merges of an engine, each for itself, or all three with a byte 0xFF between them.
documents() {
  for side in ../../Fixtures/merges/"$1"/*/*.*; do
    cp "$side" "$found/$(echo "$side" | tr / _)"
  done
}
merges() {
  for merge in ../../Fixtures/merges/"$1"/*/; do
    seed=$found/$(basename "$merge")
    cat "$merge"base.* >"$seed" 2>/dev/null || :
    for side in ours theirs; do
      printf '\377' >>"$seed"
      cat "$merge$side".* >>"$seed"
    done
  done
}

case $name in
FuzzNotebook) merges notebook ;;
FuzzProse) merges text ;;
FuzzTable) merges table ;;
FuzzPropertyListMerge) merges plist ;;
FuzzPropertyList | FuzzOpenStep | FuzzBinaryPropertyList) documents plist ;;
Fuzz*Merge) merges "$(echo "${name#Fuzz}" | sed 's/Merge$//' | tr A-Z a-z)" ;;
FuzzBibliography | FuzzCalendar | FuzzGettext | FuzzHTML | FuzzJSON | FuzzSet | FuzzSettings | FuzzTOML | FuzzXML | FuzzYAML) documents "$(echo "${name#Fuzz}" | tr A-Z a-z)" ;;
esac
# Of the scenarios there is a corpus already.
corpus=Corpus/$name
[ "$name" = FuzzScenario ] && corpus=../../Fixtures
[ -d "$corpus" ] || corpus=
exec env SWIFT_BACKTRACE=enable=no .build/release/"$name" -max_total_time="${2:-300}" -max_len=16384 \
  -rss_limit_mb=2048 -timeout=20 -artifact_prefix=.build/crashes/"$name"- "$found" $corpus
