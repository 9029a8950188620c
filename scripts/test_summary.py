#!/usr/bin/env python3
"""Prints the ten slowest tests of some runs of ctest, and as the last line how many passed and failed.

test_summary.py <report of ctest --output-junit>...
"""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SLOWEST = 10


def main(reports: list[str]) -> int:
    tests = []
    for report in map(Path, reports):
        part = report.stem.removesuffix("-tests")
        cases = xml.parse(report).getroot().iter("testcase")
        tests += [(float(case.get("time", 0)), case.get("status"), f"{part}: {case.get('name')}") for case in cases]
    print(f"The {SLOWEST} slowest of {len(tests)} tests, in seconds:")
    for seconds, _, name in sorted(tests, reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f}  {name}")
    count = {status: sum(each == status for _, each, _ in tests) for status in ("run", "fail")}
    print(f"\n{count['run']} passed, {count['fail']} failed, {len(tests) - sum(count.values())} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
