#!/bin/sh
# fuzz.sh BUILD NAME SECONDS FLOOR: one bounded fuzz run. Fails on any finding, and when fewer inputs were tried than the
# floor: a fuzzer that hangs or stops at once would otherwise pass for ever.
build=$1 name=$2 seconds=$3 floor=$4
log=$build/$name.log
# In memory where there is such a place: the directories are made and emptied thousands of times a second.
FUZZ_DIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" holdfast-fuzz-XXXXXX)
export FUZZ_DIR
trap 'rm -rf "$FUZZ_DIR"' EXIT
if [ -x "$build/${name}_fuzz" ]; then
  # A corpus of its own in each run: the same work every time, and nothing grows in the tree.
  rm -rf "$build/corpus-$name" && mkdir "$build/corpus-$name"
  "$build/${name}_fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$build/$name-" "$build/corpus-$name" "$build/seeds/$name" >"$log" 2>&1
  status=$? how=libFuzzer
else
  "$build/${name}_loop" "$build/seeds/$name"/* "$seconds" >"$log" 2>&1
  status=$? how="a plain loop, as there is no libFuzzer"
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
echo "fuzz $name: ${runs:-0} inputs in $seconds s by $how"
if [ "$status" -eq 0 ] && [ "${runs:-0}" -ge "$floor" ]; then
  echo "fuzz $name: 1 passed, 0 failed"
else
  tail -40 "$log"
  echo "fuzz $name: exit code $status, the floor is $floor inputs"
  echo "fuzz $name: 0 passed, 1 failed"
  exit 1
fi
