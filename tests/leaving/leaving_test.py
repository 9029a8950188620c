#!/usr/bin/env python3
"""Programs that end in ways of their own: with dropped handles, by an exception, alone.

leaving_test.py LAUNCHER OPTION_FOR_RANKS PROGRAM RANKS...
"""
import os
import subprocess
import sys
import tempfile
import unittest

launcher, option, program, ranks = "", "", "", []
SECONDS = 60


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
                for scenario in ("drop", "drop_with_own_mpi"):
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
