#!/usr/bin/env python3
"""Runs the tests of a mutant at one rank and says which run of the adversary found it.

expect.py caught|failed|passed <program> <gtest filter>...

The program runs without a launcher, as MPI allows for one rank: a launcher takes two seconds to clear up after a failure.

"caught": for every filter some test must fail in a run that has a number, by an expectation or because the schedule
found the ranks stuck. A crash is not a catch: it may come from anywhere. "failed": some test must fail; for tests
without the adversary. "passed": all must pass.
"""

import re
import subprocess
import sys

SECONDS = 250  # of one filter; the schedule's own limit of turns speaks long before


def verdict(expected: str, status: int, said: str) -> tuple[bool, str]:
    if not re.search(r"^\d+ passed, \d+ failed", said, re.MULTILINE):
        return False, f"the tests did not come to their end (exit status {status})"
    run = re.search(r"WEFT_TEST_RUN=(\d+)", said)
    failed = re.search(r"^FAILED +(\S+)", said, re.MULTILINE)
    passed = re.search(r"^([1-9]\d*) passed, 0 failed", said, re.MULTILINE)
    if expected == "passed":
        return bool(passed) and status == 0, f"{passed.group(1)} tests passed" if passed else "a test failed"
    if expected == "failed":
        return bool(failed) and status != 0, f"{failed.group(1)} failed" if failed else "not caught"
    if failed and run and status != 0:
        return True, f"caught in schedule {int(run.group(1)) + 1}"
    return False, "not caught" if passed else "no test was run, or one failed outside a run"


def main() -> int:
    expected, program, *filters = sys.argv[1:]
    all_well = True
    for each in filters:
        try:
            done = subprocess.run([program, f"--gtest_filter={each}"], text=True, errors="replace", check=False, timeout=SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as late:
            print(f"WRONG: {each}: not over after {late.timeout} s")
            return 1
        well, what = verdict(expected, done.returncode, done.stdout)
        print(f"{'ok' if well else 'WRONG'}: {each}: {what}")
        if not well:
            print(done.stdout[-4000:])
        all_well = all_well and well
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())
