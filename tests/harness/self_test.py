#!/usr/bin/env python3
"""Runs tests that go wrong on purpose and checks what the harness makes of them.

self_test.py <scenario> <launcher> <option for the number of ranks> <probe program>
"""

import os
import re
import subprocess
import sys
import time

# scenario: ranks, filter, environment, must succeed, longest time in seconds, what the output must contain
SCENARIOS = {
    "passes": (3, "passes:random*", {}, True, 60,
               [r"ok +probe\.passes", r"2 passed, 0 failed, 0 skipped at 3 ranks"]),
    "passes_everywhere": (3, "passes:random*", {}, True, 60, [r"(?s)(exit status 0\b.*){3}"]),
    "fails_on_one_rank": (3, "fails_on_rank_1:follows", {}, False, 60,
                          [r"rank 1 of 3: .*probe\.cpp:\d+: probe\.fails_on_rank_1 failed",
                           r"the failure of rank 1",
                           r"FAILED +probe\.fails_on_rank_1",
                           r"ok +probe\.follows",
                           r"1 passed, 1 failed"]),
    "fails_everywhere": (3, "fails_on_rank_1:follows", {}, True, 60, [r"(?s)(exit status 1\b.*){3}"]),
    "throws": (2, "throws_on_rank_1:follows", {}, False, 60,
               [r"rank 1 of 2: .*probe\.throws_on_rank_1 failed", r"thrown by rank 1", r"1 passed, 1 failed"]),
    "failure_leaves_others_waiting": (2, "fails_before_a_message", {}, False, 75,
                                      [r"so the others wait for ever",
                                       r"rank 1 of 2: test probe\.fails_before_a_message failed here, and the other "
                                       r"ranks have not ended it since: ending the job"]),
    "hangs": (3, "hangs", {"WEFT_TEST_TIMEOUT": "2"}, False, 75,
              [r"rank 0 of 3: test probe\.hangs: in a long wait for [1-3]\.\d s, no progress for [1-3]\.\d s",
               r"rank 1 of 3: test probe\.hangs: in an endless loop for",
               r"rank 2 of 3: test probe\.hangs: in an endless loop for"]),
    "hangs_at_a_named_place": (1, "hangs_at_a_named_place", {"WEFT_TEST_TIMEOUT": "1"}, False, 75,
                               [r"in a place of its own for"]),
    "exits": (2, "exits_on_rank_1", {}, False, 75, [r"the program exits in the middle of the tests"]),
    "dies": (2, "dies_on_rank_1", {}, False, 75, []),
    "seed_is_printed": (1, "fails_with_a_seed", {"WEFT_TEST_SEED": "4711"}, False, 60, [r"WEFT_TEST_SEED=4711"]),
    # Only where the address sanitizer is on: MPI's own leaks are suppressed, ours are not.
    "leaks": (2, "leaks", {}, False, 60, [r"1 passed", r"leaked in [12] allocation", r"probe\.cpp:\d+"]),
}

# Each rank's exit status is printed by a shell that then succeeds: or mpirun would end the others at the first failure.
TOLD_BY_A_SHELL = {"fails_everywhere", "passes_everywhere"}
SHELL = '"$0" "$@"; echo "exit status $?"'


def main() -> int:
    scenario, launcher, ranks_option, program = sys.argv[1:]
    ranks, wanted, environment, must_succeed, seconds, patterns = SCENARIOS[scenario]
    tests = ":".join("probe." + name for name in wanted.split(":"))
    shell = ["sh", "-c", SHELL] if scenario in TOLD_BY_A_SHELL else []
    command = [launcher, ranks_option, str(ranks), *shell, program, "--gtest_filter=" + tests]
    began = time.monotonic()
    run = subprocess.run(command, env={**os.environ, "WEFT_TEST_TIMEOUT": "25", **environment}, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    took = time.monotonic() - began
    print(run.stdout)

    complaints = [f"the output lacks /{pattern}/" for pattern in patterns if not re.search(pattern, run.stdout)]
    if (run.returncode == 0) != must_succeed:
        complaints.append(f"exit status {run.returncode}; expected {'0' if must_succeed else 'another than 0'}")
    if took > seconds:
        complaints.append(f"it took {took:.1f} s; expected at most {seconds} s")
    for complaint in complaints:
        print(f"{scenario}: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
