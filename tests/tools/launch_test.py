#!/usr/bin/env python3
"""Ranks that `weft -n` started and that end before their time: killed, or by Ctrl-C.

Usage: launch_test.py WEFT
"""
import os
import signal
import subprocess
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from command_case import CommandCase, main
from command_run import run_command

RANKS = 3
RANK_VARIABLES = (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK")


def status_of(process):
    """Its state, a letter, and its parent."""
    state, parent = (process / "stat").read_text().rsplit(")", 1)[1].split()[:2]
    return state, int(parent)


def started_with(mark):
    """The living processes whose environment has the mark: process id -> (parent, rank or None)."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            variables = dict(line.partition(b"=")[::2] for line in (process / "environ").read_bytes().split(b"\0"))
            state, parent = status_of(process)
        except OSError:
            continue
        if variables.get(b"LAUNCH_TEST_MARK") == mark.encode() and state != "Z":
            rank = next((int(variables[name]) for name in RANK_VARIABLES if name in variables), None)
            found[int(process.name)] = (parent, rank)
    return found


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError("nothing of the kind within the time")
        time.sleep(0.05)
    return found


class Launch(CommandCase):
    def start(self):
        """A run that lasts until it is ended."""
        self.mark = uuid.uuid4().hex
        self.objects_before = {path.name for path in Path("/dev/shm").glob("weft-*")}
        command = [self.weft, "-n", str(RANKS), "bench", "termination", "--case", "empty", "--empty-phases", "1000000000"]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "LAUNCH_TEST_MARK": self.mark}, start_new_session=True)
        self.addCleanup(lambda: [os.kill(each, signal.SIGKILL) for each in started_with(self.mark)])
        return run

    def ranks(self):
        """rank -> its process, once all are there: the child of a process of the same rank, which outlives it."""
        running = started_with(self.mark)
        ranks = {rank: process for process, (parent, rank) in running.items()
                 if rank is not None and running.get(parent, (0, None))[1] == rank}
        return ranks if len(ranks) == RANKS else None

    def ranks_at_work(self):
        wait_until(self.ranks)
        time.sleep(1)  # a rank is in MPI_Init at first
        return self.ranks()

    def assert_nothing_is_left(self):
        wait_until(lambda: not started_with(self.mark))
        left = {path.name for path in Path("/dev/shm").glob("weft-*")} - self.objects_before
        self.assertFalse({name for name in left if not self.is_of_living(name)})

    def is_of_living(self, name):
        return Path("/proc", name.split("-")[1]).exists()  # of a test that runs at the same time

    def test_killed_rank_is_named(self):
        for number, text in ((signal.SIGKILL, "killed by signal 9 (Killed); the system sends it where memory runs out"),
                             (signal.SIGXCPU, "killed by signal 24 (CPU time limit exceeded)")):
            with self.subTest(signal=number):
                run = self.start()
                os.kill(self.ranks_at_work()[1], number)
                _, errors = run.communicate(timeout=40)
                self.assertNotEqual(run.returncode, 0)
                self.assertEqual([line for line in errors.splitlines() if line.startswith("weft:")],
                                 [f"weft: error: rank 1 was {text}"])
                self.assert_nothing_is_left()

    def test_one_rank_starts_no_helper(self):
        # Open MPI would look for its daemon there.
        done = run_command([self.weft, "components", "rmat:3"], 40, {"OPAL_BINDIR": "/nowhere"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 rank on 1 node", done.stdout)

    def test_lone_processes_do_not_meet(self):
        # Two in a hundred failed when all had one folder of Open MPI.
        with ThreadPoolExecutor(8) as pool:
            runs = list(pool.map(lambda _: run_command([self.weft, "degrees", self.graph, "-q"], 60), range(60)))
        self.assertEqual([run.stderr for run in runs if run.returncode != 0], [])

    def test_interrupt_ends_all(self):
        run = self.start()
        self.ranks_at_work()
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        _, errors = run.communicate(timeout=40)
        self.assertEqual(run.returncode, 130, errors)
        self.assertEqual([line for line in errors.splitlines() if line.startswith("weft:")], ["weft: interrupted"])
        self.assert_nothing_is_left()

    def test_interrupt_ends_one(self):
        run = subprocess.Popen([self.weft, "degrees", "rmat:24"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=40)
        self.assertEqual((run.returncode, errors), (-signal.SIGINT, "weft: interrupted\n"))  # 130 in a shell


if __name__ == "__main__":
    main(Launch)
