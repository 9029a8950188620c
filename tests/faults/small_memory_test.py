#!/usr/bin/env python3
"""Small memory of the library is missing once in a whole program, and every program ends well.

small_memory_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM [--calls N] [--points N] [--ranks P...] [--seed S] [--only CALL]... [--together N]

Draws N calls of tests/faults and counts their small allocations on each rank; then some of these throw, each in a job of its own, as many
of each call, N points at most. Such an error is agreed or ends the job (ADR 121): a job ends well if it is right, or if it ends by itself and says that
memory was missing. Whole: --calls 1000 --points 1000000, some hours.
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
# The third says how much memory is left, on a rank that could not even ask: none.
MISSING = re.compile(r"rank \d+: .*std::bad_alloc|has failed alone \(.*std::bad_alloc|needs at least .* of memory.*, and 0 B are left")
# The innermost frame outside of the allocation is not in this program: libraries such as VTK do not expect an exception everywhere.
OF_OTHERS = re.compile(r"terminate called(?:.*\n)*?.*\(_Zn[wa]m\+.*\n(?:.*/libstdc\+\+.*\n)*/\S+/lib(?!stdc\+\+|c\.so)\S+\.so")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=12)
    options.add_argument("--points", type=int, default=40)
    options.add_argument("--ranks", type=int, nargs="+", default=[2])
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--together", type=int, default=3)
    options.add_argument("--patience", type=int, default=1)  # of a rank with the others; 0: five seconds, as in any program
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 10**6))
    asked = options.parse_args(sys.argv[4:])
    asked.launcher, asked.option, asked.program = sys.argv[1:4]
    draws = random.Random(asked.seed)
    calls = asked.only or subprocess.run([asked.program, "--list"], text=True, capture_output=True, check=True).stdout.splitlines()
    calls = draws.sample(calls, min(asked.calls, len(calls)))
    print(f"seed {asked.seed}", flush=True)
    bad = []
    with futures.ThreadPoolExecutor(asked.together) as together:
        every, chosen = 0, []
        whole = [(call, ranks) for call in calls for ranks in asked.ranks]
        for (call, ranks), (code, text) in zip(whole, together.map(lambda each: run(asked, *each, 0, 0), whole)):
            counts = {int(rank): int(count) for rank, count in re.findall(r"rank (\d+): (\d+) opportunities", text)}
            print(f"{call} at {ranks} ranks: {' + '.join(str(counts[rank]) for rank in sorted(counts))} small allocations", flush=True)
            if code != 0 or len(counts) != ranks:
                bad.append(f"{call} at {ranks} ranks without a fault: {code}\n{text}")
            points = [(call, ranks, n, rank) for rank in sorted(counts) for n in range(1, counts[rank] + 1)]
            every += len(points)
            stride = max(1, -(-len(points) // max(1, asked.points // len(whole))))  # each call has as many
            chosen += points[draws.randrange(stride)::stride]
        chosen = draws.sample(chosen, asked.points) if len(chosen) > asked.points else chosen
        print(f"{len(chosen)} of {every} points", flush=True)
        ends = collections.Counter()
        functions = set()
        for point, (code, text) in zip(chosen, together.map(lambda point: run(asked, *point), chosen)):
            end = end_of(code, text)
            ends[end] += 1
            functions.update(re.findall(r"faults: thrown on rank \d+ in (\S+)", text))
            if end.startswith("BAD"):
                call, ranks, n, rank = point
                bad.append(f"{call}, small allocation {n} on rank {rank} of {ranks}: {end}\n{text}")
                print(bad[-1], flush=True)
    covered = len({point[0] for point in chosen})
    print(f"{len(chosen)} points of failure at {' and '.join(map(str, asked.ranks))} ranks, in {covered} calls and {len(functions)} functions "
          f"of Weft: {dict(ends)}")
    if chosen and not ends.keys() - {"nothing thrown"}:
        bad.append("no fault was thrown")
    for each in bad:
        print("BAD:", each.splitlines()[0])
    return 1 if bad else 0


def run(asked, call, ranks, n, rank):
    """The code of a job, None if it hangs, and all it has printed."""
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.Popen([asked.launcher, asked.option, str(ranks), asked.program, "--program", call, "--from", str(n),
                                "--rank", str(rank), "--folder", folder, "--patience", str(asked.patience)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
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
    if OF_OTHERS.search(text):
        return "ended by another library"
    if re.search(r"faults: (segmentation fault|abort)|terminate called|ignal: Seg", text) or not MISSING.search(text):
        return f"BAD: code {code}"
    return "has failed alone" if "has failed alone" in text else "left the others" if "left its environment" in text else "agreed"


if __name__ == "__main__":
    sys.exit(main())
