#!/usr/bin/env python3
"""Programs that end in ways of their own: with dropped handles, by an exception, alone.

leaving_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM RANKS...
"""
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent import futures

launcher, option, program, ranks = "", "", "", []
SECONDS = 60
WITHOUT_SANITIZER = unittest.skipIf("ASAN_OPTIONS" in os.environ, "the address sanitizer needs terabytes of addresses")


# A launcher ends the other ranks when the first of them fails; a shell ends well whatever the program says.
SHELL = ["sh", "-c", '"$0" "$@"; true']


class Leaving(unittest.TestCase):
    def run_program(self, count, *arguments, shell=(), **environment):
        command = [launcher, option, str(count), *shell, program, *arguments]
        try:
            return subprocess.run(command, env={**os.environ, **environment}, text=True, timeout=SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired as late:
            self.fail(f"{arguments} with {count} ranks hangs\n{late.stdout}")

    def for_ranks(self):
        for count in ranks:
            with self.subTest(ranks=count):
                yield count

    def test_a_rank_that_dropped_its_handle_may_leave_first(self):
        for count in self.for_ranks():
            for how in ("nbx", "pex", "rsx", "store_and_forward", "automatic"):
                for scenario in ("drop", "drop_with_own_mpi", "drop_on_freed"):
                    done = self.run_program(count, scenario, how)
                    self.assertEqual(done.stdout.count("left in peace"), count, (scenario, how, done.stdout))
                    self.assertEqual(done.returncode, 0)

    def test_mail_that_nobody_drains_does_not_keep_anybody(self):
        for count in self.for_ranks():
            for nodes in ("", "1"):
                done = self.run_program(count, "drop_mailbox", WEFT_RANKS_PER_NODE=nodes)
                self.assertEqual(done.stdout.count("left in peace"), count, done.stdout)

    def test_an_exception_after_all_communication_ends_the_program_normally(self):
        for count in self.for_ranks():
            done = self.run_program(count, "throw_at_the_end", shell=SHELL)
            self.assertIn("caught: the harvest is lost", done.stdout)
            self.assertNotIn("the job is aborted", done.stdout)
            self.assertEqual(done.stdout.count("left in peace"), count - 1, done.stdout)

    def test_the_text_of_an_exception_that_others_do_not_follow_is_told(self):
        done = self.run_program(ranks[-1], "throw_before_an_exchange")
        self.assertIn("caught: the harvest is lost", done.stdout)
        self.assertIn("weft: rank 1 left its environment by an exception", done.stdout)
        self.assertNotEqual(done.returncode, 0)

    def test_a_rank_that_leaves_does_not_meet_others_that_block_in_mpi(self):
        ends = {"throw_before_a_split": "weft: rank 1 left its environment by an exception",
                "leave_before_a_split": "weft: rank 1 has ended the program, and no other rank gets on without it"}
        for count in self.for_ranks():
            for scenario, end in ends.items():
                done = self.run_program(count, scenario)
                self.assertIn(end, done.stdout, (scenario, count))
                self.assertIn("the job is aborted", done.stdout)
                self.assertNotEqual(done.returncode, 0)

    @WITHOUT_SANITIZER
    def test_a_rank_without_memory_in_an_exchange_says_so_and_ends_the_job(self):
        count = ranks[0]
        protocols = self.run_program(1, "protocols").stdout.split()
        self.assertIn("nbx", protocols)
        with futures.ThreadPoolExecutor() as together:  # they mostly wait for five seconds to be over
            all_done = list(together.map(lambda how: self.run_program(count, "no_memory", how), protocols))
        for how, done in zip(protocols, all_done):
            self.assertIn("caught: std::bad_alloc", done.stdout, how)
            self.assertIn(f"weft: rank {count - 1} has failed alone (exchange: std::bad_alloc)", done.stdout, how)
            self.assertNotEqual(done.returncode, 0, how)

    @WITHOUT_SANITIZER
    def test_a_rank_without_memory_that_goes_on_gets_no_further(self):
        done = self.run_program(ranks[-1], "no_memory_caught", "nbx")
        self.assertIn("goes on", done.stdout)
        self.assertIn("this rank has failed alone before (exchange: std::bad_alloc)", done.stdout)
        self.assertIn("the job is aborted", done.stdout)
        self.assertNotEqual(done.returncode, 0)

    def test_a_second_environment_after_the_end_of_mpi_is_an_error(self):
        for count in self.for_ranks():
            done = self.run_program(count, "second_environment", shell=SHELL)
            self.assertEqual(done.stdout.count("caught: environment: MPI has been finalised"), count, done.stdout)

    def test_run_tells_an_exception_in_one_line(self):
        name = os.path.basename(program)
        for count in [1, *ranks]:
            last = count - 1
            rank = lambda number: f"rank {number}: " if count > 1 else ""
            expected = {"run_throw_on_all": f"{name}: the barn is empty",
                        "run_throw_in_a_handler": f"{name}: {rank(last)}the harvest of rank {last}"}
            if count > 1:
                expected["run_throw_on_two"] = f"{name}: rank 1: the harvest of rank 1"
            for scenario, line in expected.items():
                done = self.run_program(count, scenario, shell=SHELL)
                self.assertEqual(done.stdout.splitlines(), [line], (scenario, count))
                self.assertEqual(self.run_program(count, scenario).returncode, 1, (scenario, count))

    def test_run_returns_what_its_body_returns(self):
        for count in self.for_ranks():
            self.assertEqual(self.run_program(count, "run_good").returncode, 0)
            self.assertEqual(self.run_program(count, "run_good", shell=SHELL).stdout, "")
            self.assertEqual(self.run_program(count, "run_code").returncode, 4)

    def test_run_tells_an_exception_that_others_do_not_follow(self):
        done = self.run_program(ranks[-1], "run_throw_before_an_exchange")
        self.assertIn(": rank 1: the harvest of rank 1\n", done.stdout)
        self.assertIn("weft: rank 1 left its environment by an exception", done.stdout)
        self.assertNotEqual(done.returncode, 0)

    def test_run_tells_of_an_environment_that_cannot_begin(self):
        for count in [1, *ranks]:
            done = self.run_program(count, "run_good", shell=SHELL, WEFT_MACHINE=tempfile.gettempdir())
            self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
            self.assertRegex(done.stdout, "it is a directory")
            self.assertEqual(self.run_program(count, "run_good", WEFT_MACHINE=tempfile.gettempdir()).returncode, 1)

    def test_ranks_that_wait_for_one_that_has_ended_end_the_job(self):
        for count in self.for_ranks():
            done = self.run_program(count, "leave_before_a_drain")
            self.assertIn("weft: rank 1 has ended the program, and no other rank gets on without it; rank 0 waits in ", done.stdout)
            self.assertIn("the job is aborted", done.stdout)
            self.assertNotEqual(done.returncode, 0)

    def test_a_rank_that_has_ended_lets_others_work_and_wait_for_each_other(self):
        for count in self.for_ranks():
            done = self.run_program(count, "leave_before_others_work")
            self.assertEqual(done.stdout.count("left in peace"), count, done.stdout)
            self.assertEqual(done.returncode, 0)

    def test_stalls_are_told_where_the_user_asks_for_it(self):
        command = [launcher, option, "2", program, "leave_before_a_drain"]
        with tempfile.TemporaryFile("w+") as out:
            run = subprocess.Popen(command, env={**os.environ, "WEFT_STALL_SECONDS": "0.5"}, stdout=out,
                                   stderr=subprocess.STDOUT)
            try:
                run.wait(8)
            except subprocess.TimeoutExpired:
                run.terminate()
            run.wait()
            out.seek(0)
            told = out.read()
        self.assertRegex(told, r"weft: rank 0 of 2 has waited [\d.]+ s in ")
        self.assertRegex(told, r"weft: rank 1 of 2 has waited [\d.]+ s in leaving the environment")

    def test_a_machine_that_is_a_folder_is_an_error_on_all_ranks(self):
        for count in self.for_ranks():
            done = self.run_program(count, "drop", shell=SHELL, WEFT_MACHINE=tempfile.gettempdir())
            self.assertEqual(done.stdout.count("it is a directory"), count, done.stdout)


if __name__ == "__main__":
    launcher, option, program = sys.argv[1:4]
    ranks = [int(each) for each in sys.argv[4:]]
    unittest.main(argv=sys.argv[:1], verbosity=2)
