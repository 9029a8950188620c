#!/bin/sh
# leak_detector_again.sh <command> [<argument>...]: runs it; once more if, and only if, the leak detector itself broke
# down: that of GCC 12 now and then crashes while it reads the thread-local memory of another library's thread.
output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$@" >"$output" 2>&1
status=$?
cat "$output"
if [ $status -ne 0 ] && grep -q "LeakSanitizer has encountered a fatal error" "$output"; then
    echo "== the leak detector crashed; running again"
    "$@"
    status=$?
fi
exit $status
