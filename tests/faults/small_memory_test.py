#!/usr/bin/env python3
"""Small memory of the library is missing once in a whole program, and every program ends well.

small_memory_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM [--calls N] [--points N] [--ranks P] [--seed S] [--only CALL]... [--together N]

Draws N calls of tests/faults and counts their small allocations on each rank; then each stride-th of these throws in a job of its own, N
points at most. Such an error is agreed or ends the job (ADR 121): a job ends well if it is right, or if it ends by itself and says that
memory was missing. Whole: --calls 1000 --points 1000000.
"""
import argparse
import collections
import random
import re
import subprocess
import sys
import tempfile
from concurrent import futures

SECONDS_OF_A_JOB = 90
MISSING = re.compile(r"rank \d+: .*std::bad_alloc|has failed alone \(.*std::bad_alloc")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=12)
    options.add_argument("--points", type=int, default=40)
    options.add_argument("--ranks", type=int, default=2)
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--together", type=int, default=3)  # they mostly wait for five seconds to be over
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 10**6))
    asked = options.parse_args(sys.argv[4:])
    asked.launcher, asked.option, asked.program = sys.argv[1:4]
    draws = random.Random(asked.seed)
    calls = asked.only or subprocess.run([asked.program, "--list"], text=True, capture_output=True, check=True).stdout.splitlines()
    calls = draws.sample(calls, min(asked.calls, len(calls)))
    print(f"seed {asked.seed}", flush=True)
    bad = []
    with futures.ThreadPoolExecutor(asked.together) as together:
        points = []
        for call, (code, text) in zip(calls, together.map(lambda call: run(asked, call, 0, 0), calls)):
            counts = {int(rank): int(count) for rank, count in re.findall(r"rank (\d+): (\d+) opportunities", text)}
            print(f"{call}: {' + '.join(str(counts[rank]) for rank in sorted(counts))} small allocations", flush=True)
            if code != 0 or len(counts) != asked.ranks:
                bad.append(f"{call} without a fault: {code}\n{text}")
            points += [(call, n, rank) for rank in sorted(counts) for n in range(1, counts[rank] + 1)]
        stride = -(-len(points) // asked.points)
        chosen = points[draws.randrange(stride)::stride] if points else []
        print(f"{len(chosen)} of {len(points)} points, each {stride}th", flush=True)
        ends = collections.Counter()
        for point, (code, text) in zip(chosen, together.map(lambda point: run(asked, *point), chosen)):
            end = end_of(code, text)
            ends[end] += 1
            if end.startswith("BAD"):
                bad.append(f"{point[0]}, small allocation {point[1]} on rank {point[2]} of {asked.ranks}: {end}\n{text}")
                print(bad[-1], flush=True)
    print(f"{len(chosen)} programs: {dict(ends)}")
    if chosen and not ends.keys() - {"nothing thrown"}:
        bad.append("no fault was thrown")
    for each in bad:
        print("BAD:", each.splitlines()[0])
    return 1 if bad else 0


def run(asked, call, n, rank):
    """The code of a job, None if it hangs, and all it has printed."""
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.Popen([asked.launcher, asked.option, str(asked.ranks), asked.program, "--program", call, "--from", str(n),
                                "--rank", str(rank), "--folder", folder], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            text, _ = job.communicate(timeout=SECONDS_OF_A_JOB)
            return job.returncode, text
        except subprocess.TimeoutExpired:
            job.terminate()
            return None, job.communicate()[0]


def end_of(code, text):
    if code is None:
        return "BAD: hangs"
    if "faults: thrown on rank" not in text and code == 0:
        return "nothing thrown"  # threads allocate in another order
    if code == 0:
        return "right"
    if re.search(r"faults: (segmentation fault|abort)|terminate called|ignal: Seg", text) or not MISSING.search(text):
        return f"BAD: code {code}"
    return "has failed alone" if "has failed alone" in text else "left the others" if "left its environment" in text else "agreed"


if __name__ == "__main__":
    sys.exit(main())
