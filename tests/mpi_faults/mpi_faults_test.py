#!/usr/bin/env python3
"""Each call of MPI in src/core and src/transport fails at least once, and every run ends well.

mpi_faults_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM ROOT [--jobs N] [--seconds S] [--failures N] [--ranks P] [--seed S] [--of-a-verb N]

First many runs of the calls of tests/faults in one job (main.cpp), for so many seconds; then jobs of their own, one for each
place that has not failed yet and, up to N of them, for others: there the begin and the end of a program fail too. A job ends
well if it is right, or if it ends by itself with the text of the failure. With --of-a-verb: N failures of each verb at points that are drawn (verb_runs.hpp).
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent import futures

from sites import sites

# Ways to run one program: between them they reach every call. Ranks that are apart are as on nodes of their own.
WAYS = (
    ((), {}),
    (("--by-run",), {}),
    (("--own-mpi",), {}),
    ((), {"WEFT_ALL_REDUCE": "collective"}),
    ((), {"WEFT_PROBE": "plain"}),
    (("--apart",), {}),
)
SECONDS_OF_A_JOB = 90
NAMED_FROM = 50  # from this number of failures for each verb on, calls of MPI that failed in no verb are printed
ENDS = re.compile(r"weft: rank \d+ has failed alone|caught: |rank \d+: .*MPI_|MPI_Init")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--jobs", type=int, default=24)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--failures", type=int, default=3)
    options.add_argument("--ranks", type=int, default=2)
    options.add_argument("--of-a-verb", type=int, default=0)
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 10**6))
    asked = options.parse_args(sys.argv[5:])
    asked.launcher, asked.option, asked.program, asked.root = sys.argv[1:5]  # the option looks like one of ours
    draws = random.Random(asked.seed)
    every = sites(asked.root)
    print(f"{len(every)} calls of MPI in src/core and src/transport, seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        return judge_verbs(asked, every, folder) if asked.of_a_verb else judge(asked, draws, every, folder)


def command(asked, *arguments):
    return [asked.launcher, asked.option, str(asked.ranks), asked.program, *arguments]


def run(asked, way, arguments):
    """The code of a job, None if it hangs, and all it has printed."""
    flags, environment = way
    done = subprocess.Popen(command(asked, "--job", *flags, *arguments), env={**os.environ, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        text, _ = done.communicate(timeout=SECONDS_OF_A_JOB)
        return done.returncode, text
    except subprocess.TimeoutExpired:
        done.terminate()
        return None, done.communicate()[0]


def read_sites(asked, every, file):
    """For each rank, the calls that were reached and those that have failed, as places in `every`."""
    reached, failed = [set() for _ in range(asked.ranks)], [set() for _ in range(asked.ranks)]
    for rank in range(asked.ranks):
        if not os.path.exists(f"{file}.{rank}"):
            continue
        for line in open(f"{file}.{rank}"):
            where, number, name, fails, calls = line.split()
            for site in every:
                if site[0] == where and site[3] == name and site[1] <= int(number) <= site[2]:
                    if int(calls) > 0 or int(fails) > 0:
                        reached[rank].add((site, int(number)))
                    if int(fails) > 0:
                        failed[rank].add(site)
    return reached, failed


def judge_verbs(asked, every, folder):
    """So many failures of each verb; then the calls of MPI that no verb has let fail are named."""
    bad, covered, counted, reached = 0, set(), set(), set()
    for extra in ((), ("--apart", "--only", "exchange")):  # ranks of one node have no remote counters
        file = os.path.join(folder, "verbs" + "".join(extra))
        bad |= subprocess.run(command(asked, "--of-a-verb", str(asked.of_a_verb), "--seed", str(asked.seed), "--sites", file,
                                      "--patience", "120", *extra), check=False).returncode
        for there, failed in zip(*read_sites(asked, every, file)):
            counted |= {site for site, _ in there}
            covered |= failed
        for rank in range(asked.ranks):
            lines = [line.split() for line in open(f"{file}.{rank}")] if os.path.exists(f"{file}.{rank}") else []
            reached |= {site for site in every for line in lines if line[0] == site[0] and site[1] <= int(line[1]) <= site[2]}
    print(f"{len(covered)} of {len(every)} calls of MPI have failed in a verb. The test mpi_faults lets each of the others fail:")
    others = {
        "not drawn": counted - covered,
        "made before and after the verbs, as communicators begin and end": reached - counted - covered,
        "made as programs begin and end, or with other settings": set(every) - reached - counted - covered,
    }
    for why, those in others.items():
        print(f"  {len(those)} {why}")
        if asked.of_a_verb >= NAMED_FROM:
            print("".join(f"    {site[0]}:{site[1]} {site[3]}\n" for site in sorted(those)), end="")
    return bad


def judge(asked, draws, every, folder):
    bad = []
    # Many runs in one job.
    covered = set()
    for extra in ((), ("--apart", "--only", "rsx")):
        file = os.path.join(folder, "many" + "".join(extra))
        done = subprocess.run(command(asked, "--failures", str(asked.failures), "--seconds", str(asked.seconds), "--seed",
                                      str(asked.seed), "--sites", file, *extra), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        print(done.stdout, flush=True)
        if done.returncode != 0:
            bad.append(f"the job of many runs has ended with {done.returncode}")
        for failed in read_sites(asked, every, file)[1]:
            covered |= failed
    print(f"{len(covered)} calls of MPI have failed in runs of single calls of Weft", flush=True)

    # Which jobs reach which calls.
    ways = {}
    for number, way in enumerate(WAYS):
        file = os.path.join(folder, f"way{number}")
        code, text = run(asked, way, ["--sites", file])
        if code != 0:
            bad.append(f"a job without a failure has ended with {code}: {way}\n{text}")
        for rank, there in enumerate(read_sites(asked, every, file)[0]):
            for site, line in there:
                ways.setdefault(site, []).append((number, rank, line))
    # Others are made only once a call has failed; so does this one, on the same rank.
    first = next(site for site in every if site[3] == "MPI_Isend")
    tries = [(site, 0, 1, line, ["--fail", first[0], str(ways[first][0][2])]) for site in every
             if site not in ways and site not in covered for line in range(site[1], site[2] + 1)]
    after_a_failure = {site for site, *_ in tries}

    # Jobs of their own.
    chosen = [site for site in every if site in ways and site not in covered]
    others = [site for site in every if site in ways and site in covered]
    draws.shuffle(others)
    chosen += others[:max(0, asked.jobs - len(chosen))]
    tries += [(site, *draws.choice(ways[site]), []) for site in chosen]

    def one(attempt):
        site, number, rank, line, others = attempt
        return run(asked, WAYS[number], ["--fail", site[0], str(line), "--rank", str(rank), *others])

    counts = {"right": 0, "ended with a text": 0}
    with futures.ThreadPoolExecutor(3) as together:  # they mostly wait for five seconds to be over
        for attempt, (code, text) in zip(tries, together.map(one, tries)):
            site, number, rank, line, _ = attempt
            if f"mpi_faults: {site[0]}:{line} {site[3]} has failed" in text:
                covered.add(site)
            what = f"{site[0]}:{site[1]} {site[3]} on rank {rank}, {WAYS[number]}"
            if code == 0:
                counts["right"] += 1
            elif code is not None and ENDS.search(text) and "ignal: Seg" not in text and "terminate called" not in text:
                counts["ended with a text"] += 1
            else:
                bad.append(f"{what}: {'hangs' if code is None else f'code {code}'}\n{text}")
    print(f"{len(tries)} jobs with a failure: {counts}")
    print(f"{len(covered)} of {len(every)} calls of MPI have failed")
    for site in every:
        if site not in covered:
            bad.append(f"{site[0]}:{site[1]} {site[3]} has never failed{', also not after a failure' if site in after_a_failure else ''}")
    for each in bad:
        print("BAD:", each)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
