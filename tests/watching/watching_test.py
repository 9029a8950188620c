#!/usr/bin/env python3
"""Running programs, seen from outside: roll calls by a signal and in reports of stalls, `weft top`, and tools that hear of operations.

watching_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM SOURCE RANKS...
WATCHED_TOOL is a file for WEFT_TOOL, WATCHED_NO_TOOL a library that is none, WATCHED_CALIPER the adapter to Caliper.
With WATCHED_PYTHON, an interpreter that finds the package, a program in Python too; with WATCHED_COMMAND, the command.
"""
import contextlib
import json
import os
import pty
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

launcher, option, program, source, ranks = "", "", "", "", []
SECONDS = 60
TIME = r"\d+(\.\d)? s"


def line_of(mark, file=None):
    """The place in the source behind which a mark stands, as a roll call tells it."""
    file = Path(file or source)
    lines = file.read_text(encoding="utf-8").splitlines()
    (number,) = [at for at, line in enumerate(lines, 1) if re.search(f"  ?(//|#) line: {mark}$", line)]
    return f"{file.name}:{number}"


def ancestors_of(entry):
    """The processes above one: some launchers put one of their own between themselves and the ranks."""
    parent = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
    return [parent, *(ancestors_of(entry.parent / str(parent)) if parent > 1 else [])]


def kill(pid):
    """Ends a process, unless its launcher has done it meanwhile."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Job:
    """A program on some ranks, whose lines are read as they come."""

    def __init__(self, count, *arguments, command=None, **environment):
        self.command = command or [program]
        self.process = subprocess.Popen([launcher, option, str(count), *self.command, *arguments], text=True,
                                        env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.lines = queue.Queue()
        self.seen = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.pids():
            kill(pid)
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def line_like(self, pattern, seconds=SECONDS):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                line = self.lines.get(timeout=0.1)
            except queue.Empty:
                continue
            self.seen.append(line)
            if re.search(pattern, line):
                return line
        raise AssertionError(f"no line like {pattern}, but\n{''.join(self.seen)}")

    def pids(self):
        """Of the ranks, by rank: those that run the program below the launcher."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if os.path.samefile(entry / "exe", self.command[0]):
                    variables = (entry / "environ").read_bytes().split(b"\0")
                    if self.process.pid in ancestors_of(entry):
                        rank = [v for v in variables if v.startswith((b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK="))]
                        found[int(rank[0].split(b"=")[1])] = int(entry.name)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return [found[rank] for rank in sorted(found)]

    def wait_for_ranks(self, count):
        until = time.monotonic() + SECONDS
        while len(self.pids()) < count:
            if time.monotonic() > until:
                raise AssertionError(f"{len(self.pids())} of {count} ranks began")
            time.sleep(0.05)


def where_all_are(count):
    """The sentence of a roll call while rank 1 stays in user code; of one rank, which waits for nobody."""
    others = f"{count - 1} of {count} ranks wait" if count > 2 else f"rank 0 of {count} waits"
    there = rf"rank 1 is in user code at {line_of('user code')}, last Weft call mailbox drain \({TIME} ago\)"
    return rf"{others} in mailbox drain at {line_of('drain')} \(for {TIME}\); {there}\n"


class RollCalls(unittest.TestCase):
    def of_several(self):
        for count in ranks:
            if count > 1:
                with self.subTest(ranks=count):
                    yield count

    def test_a_report_of_a_stall_begins_with_one(self):
        for count in self.of_several():
            with Job(count, "hang", WEFT_STALL_SECONDS="1") as job:
                job.line_like(f"^weft: {where_all_are(count)}")
                job.line_like(r"^weft: rank \d of \d has waited .* in mailbox drain: mailbox: this rank has sent 1 ")
                self.assertEqual(sum("is in user code" in line for line in job.seen), 1, "one rank calls for all")

    def test_a_signal_to_any_rank_asks_for_one(self):
        for count in self.of_several():
            with Job(count, "hang") as job:
                job.line_like("all have drained once")
                time.sleep(0.2)
                for pid in (job.pids()[0], job.pids()[1]):  # one that waits, one in user code
                    os.kill(pid, signal.SIGUSR1)
                    job.line_like(f"^weft: {where_all_are(count)}", 5)
                    time.sleep(0.6)

    def test_a_signal_to_the_launcher_gives_one_line(self):
        count = ranks[-1]
        with Job(count, "hang") as job:
            job.line_like("all have drained once")
            time.sleep(0.2)
            job.process.send_signal(signal.SIGUSR1)
            job.line_like(f"^weft: {where_all_are(count)}", 5)
            time.sleep(0.3)
            self.assertTrue(job.lines.empty())

    def test_a_rank_that_is_stopped_is_named_within_a_second(self):
        count = ranks[-1]
        with Job(count, "hang") as job:
            job.line_like("all have drained once")
            time.sleep(0.2)
            stopped = job.pids()[2]
            os.kill(stopped, signal.SIGSTOP)
            os.kill(job.pids()[0], signal.SIGUSR1)
            line = job.line_like("^weft: ", 5)
            self.assertRegex(line, rf"rank 2 is stopped by a signal, in mailbox drain \(for {TIME}\)")

    @unittest.skipUnless("WATCHED_PYTHON" in os.environ, "no package of Python was built")
    def test_lines_of_python_are_told(self):
        count = ranks[-1]
        file = Path(__file__).with_name("program.py")
        with Job(count, command=[os.environ["WATCHED_PYTHON"], str(file)]) as job:
            job.line_like("all have summed once")
            time.sleep(0.5)
            os.kill(job.pids()[0], signal.SIGUSR1)
            line = job.line_like("^weft: ", 5)
            self.assertRegex(line, rf"{count - 1} of {count} ranks wait in all_reduce at {line_of('sum', file)} ")
            self.assertRegex(line, rf"rank 1 is in user code at {line_of('user code', file)}, last Weft call all_reduce")

    def test_one_rank_tells_of_itself(self):
        with Job(1, "run", "30") as job:
            job.wait_for_ranks(1)
            time.sleep(1)
            os.kill(job.pids()[0], signal.SIGUSR1)
            job.line_like("^weft: rank 0 of 1 (is in user code|works in|waits in) ", 5)


def job_of_program(*arguments):
    """The one job of this program that `weft top` sees; None without one."""
    done = subprocess.run([os.environ["WATCHED_COMMAND"], "top", "--once", "--json", "-", *arguments, Path(program).name],
                          text=True, capture_output=True, timeout=SECONDS, check=True)
    jobs = json.loads(done.stdout)["result"]["jobs"]
    if len(jobs) > 1:
        raise AssertionError(f"one job was expected: {jobs}")
    return jobs[0] if jobs else None


@unittest.skipUnless("WATCHED_COMMAND" in os.environ, "the command was not built")
class Top(unittest.TestCase):
    def test_each_rank_is_a_row_with_its_rates(self):
        for count in ranks:
            with self.subTest(ranks=count), Job(count, "run", "60") as job:
                job.wait_for_ranks(count)
                time.sleep(0.5)
                shown = job_of_program("--interval", "1")
                self.assertEqual((shown["size"], [row["rank"] for row in shown["ranks"]]), (count, list(range(count))))
                self.assertEqual([row["pid"] for row in shown["ranks"]], job.pids())
                self.assertGreaterEqual(shown["imbalance"], 1)
                for row in shown["ranks"]:
                    self.assertAlmostEqual(sum(row["share"].values()), 1, 6)
                    self.assertGreater(row["rate"]["items"], 1000, row)
                    self.assertGreater(row["rate"]["calls"], 1, row)
                    self.assertIn(row["call"], ("mailbox drain", "mailbox send", "combine_all"))
                    if count > 1:
                        self.assertGreater(row["rate"]["messages"], 1, row)
                        self.assertGreater(row["rate"]["bytes"], 1000, row)

    def test_it_says_who_waits_for_whom(self):
        count = ranks[-1]
        with Job(count, "hang") as job:
            job.line_like("all have drained once")
            time.sleep(0.3)
            rows = job_of_program("--interval", "0.5")["ranks"]
            self.assertEqual(["compute" if row["rank"] == 1 else "wait" for row in rows], [row["state"] for row in rows])
            self.assertEqual({row["call"] for row in rows}, {"mailbox drain"})
            self.assertIn(1, {rank for row in rows for rank in row["waits_for"]}, rows)
            self.assertGreater(rows[1]["share"]["compute"], 0.9)
            self.assertGreater(rows[0]["share"]["wait"], 0.9)

    def test_a_stopped_rank_is_named(self):
        count = ranks[-1]
        with Job(count, "hang") as job:
            job.line_like("all have drained once")
            os.kill(job.pids()[0], signal.SIGSTOP)
            began = time.monotonic()
            rows = job_of_program("--interval", "0.1")["ranks"]
            print(f"named after {time.monotonic() - began:.2f} s", file=sys.stderr)
            self.assertEqual(rows[0]["state"], "stopped")

    def test_nothing_is_left_of_what_was_killed(self):
        with Job(ranks[-1], "run", "60") as job:
            job.wait_for_ranks(ranks[-1])
            time.sleep(0.5)
            self.assertIsNotNone(job_of_program("--interval", "0.1"))
            before = {name for name in os.listdir("/dev/shm") if "weft" in name}
            for pid in [*job.pids(), job.process.pid]:
                kill(pid)
            job.process.wait()
            self.assertIsNone(job_of_program("--interval", "0.1"))
            self.assertLessEqual({name for name in os.listdir("/dev/shm") if "weft" in name}, before)

    def test_it_shows_nothing_itself(self):
        command = os.environ["WATCHED_COMMAND"]
        with subprocess.Popen([command, "top", "--interval", "60"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as top:
            time.sleep(1)
            done = subprocess.run([command, "top", "--once", "--json", "-", "--interval", "0.1", str(top.pid)], text=True,
                                  capture_output=True, timeout=SECONDS, check=True)
            pages = [each for each in Path(f"/proc/{top.pid}/fd").iterdir() if "weft-rank-page" in os.readlink(each)]
            kill(top.pid)
        self.assertEqual((json.loads(done.stdout)["result"]["jobs"], pages), ([], []))

    def test_q_leaves(self):
        with Job(ranks[-1], "hang") as job:
            job.line_like("all have drained once")
            keyboard, terminal = pty.openpty()
            with subprocess.Popen([os.environ["WATCHED_COMMAND"], "top", "--interval", "0.3", Path(program).name],
                                  stdin=terminal, stdout=terminal) as top:
                shown = b""
                while b"hang" not in shown and b"mailbox drain" not in shown:
                    shown += os.read(keyboard, 4096)
                os.write(keyboard, b"q")
                self.assertEqual(top.wait(SECONDS), 0)
            os.close(terminal)
            os.close(keyboard)


class Tools(unittest.TestCase):
    """Tools that WEFT_TOOL names hear of operations, one inside of the other, until the program turns them off."""

    def run_with(self, count, tool, what="verbs", rounds=8, **environment):
        done = subprocess.run([launcher, option, str(count), program, what, str(rounds)], text=True, capture_output=True,
                              timeout=SECONDS, env={**os.environ, "WEFT_TOOL": tool, **environment}, check=True)
        self.assertIn(f"{2 * rounds * count} items\n", done.stdout)
        return done

    def begun(self, count, tool, what="verbs"):
        """For each rank, the operations that the tool was told of; each has ended, the last begun first."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_with(count, tool, what, WEFT_TEST_TOOL_FOLDER=folder)
            files = sorted(Path(folder).iterdir())
            self.assertEqual(len(files), count)
            for file in files:
                is_open, begun = [], []
                for line in file.read_text().splitlines():
                    kind, name, within = line.split("\t")
                    if kind == "began":
                        is_open.append((name, within))
                        begun.append(name)
                    else:
                        self.assertEqual(is_open.pop(), (name, within))
                self.assertEqual(is_open, [])
                yield begun

    def test_every_operation_is_told_from_its_begin_to_its_end(self):
        for count in ranks:
            with self.subTest(ranks=count):
                for begun in self.begun(count, os.environ["WATCHED_TOOL"]):
                    # Half of the 8 rounds; the first operation of all may be one of making the communicator.
                    self.assertEqual((begun.count("exchange"), begun.count("mailbox drain")), (4, 4), begun)

    def test_caliper_hears_of_regions_that_end_also_where_an_operation_throws(self):
        for count in ranks:
            with self.subTest(ranks=count):
                for begun in self.begun(count, os.environ["WATCHED_CALIPER"]):
                    self.assertEqual((begun.count("exchange"), begun.count("mailbox drain")), (4, 4), begun)
                for begun in self.begun(count, os.environ["WATCHED_CALIPER"], "throwing"):
                    self.assertEqual((begun.count("exchange"), begun.count("mailbox drain")), (8, 8), begun)

    def test_a_tool_that_is_none_is_named_and_the_program_goes_on(self):
        for tool in ("/nowhere/tool.so", os.environ["WATCHED_NO_TOOL"]):
            with self.subTest(tool=tool):
                self.assertIn(f"weft: WEFT_TOOL={tool}: ", self.run_with(ranks[-1], tool).stderr)


@unittest.skipUnless("WATCHED_COMMAND" in os.environ, "the command was not built")
class Unwatched(unittest.TestCase):
    """With WEFT_WATCHING=off nobody sees the ranks, and they listen to no signal."""

    def test_no_rank_is_a_row_and_none_listens(self):
        with Job(ranks[-1], "run", "60", WEFT_WATCHING="off") as job:
            job.wait_for_ranks(ranks[-1])
            time.sleep(0.5)
            self.assertIsNone(job_of_program("--interval", "0.1"))
            statuses = [Path(f"/proc/{pid}/status").read_text() for pid in job.pids()]
            asking = signal.SIGRTMAX - 5  # MPICH listens to SIGUSR1 itself
            self.assertEqual([int(re.search(r"SigCgt:\s*(\w+)", each)[1], 16) >> (asking - 1) & 1 for each in statuses], [0] * ranks[-1])


if __name__ == "__main__":
    launcher, option, program, source = sys.argv[1:5]
    ranks = [int(word) for word in sys.argv[5:]]
    unittest.main(argv=[sys.argv[0]])
