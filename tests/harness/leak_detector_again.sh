#!/bin/sh
# leak_detector_again.sh <command> [<argument>...]: runs it; again if, and only if, the leak detector itself broke down:
# that of GCC 12 now and then crashes while it reads the thread-local memory of another library's thread, on some
# machines more than once in a row. The last try goes without it: the tests decide then, and the output says so.
output=$(mktemp)
trap 'rm -f "$output"' EXIT

broke_down() { [ "$status" -ne 0 ] && grep -q "LeakSanitizer has encountered a fatal error" "$output"; }

for attempt in 1 2 3; do
    "$@" >"$output" 2>&1
    status=$?
    broke_down || break
    echo "== the leak detector crashed, time $attempt"
done
cat "$output"
if broke_down; then
    echo "== the leak detector cannot work here: the last try is without it"
    ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" "$@"
    status=$?
fi
exit "$status"
