"""What the tests of the command `weft` have in common."""
import concurrent.futures
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

from command_run import run_command

AT_A_TIME = 3
TRIANGLE_AND_EDGE = "# two components\n1 2\n2 3\n3 1\n5 5\n10 11\n"
MATRIX = "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 2\n1 4 -1\n3 2 0\n3 3 .5\n"


class CommandCase(unittest.TestCase):
    """A folder with a graph and a matrix, and the command, which is the argument of the test."""

    weft = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.graph = self.file("graph.txt", TRIANGLE_AND_EDGE)
        self.matrix = self.file("matrix.mtx", MATRIX)

    def file(self, name, text=None):
        path = Path(self.folder.name) / name
        if text is not None:
            path.write_text(text)
        return path

    def run_weft(self, *arguments, expect=0, **environment):
        done = run_command([self.weft, *arguments], 120, environment)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def result_of(self, *arguments, **environment):
        return json.loads(self.run_weft(*arguments, "--json", "-", **environment).stdout)


def run_one(test):
    outcome = unittest.TextTestRunner(stream=io.StringIO(), verbosity=2).run(unittest.TestSuite([test]))
    return outcome.wasSuccessful(), outcome.stream.getvalue()


def main(case):
    CommandCase.weft = sys.argv[1]
    # Launchers mostly wait, so that several tests at a time take little longer than one.
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        outcomes = list(pool.map(run_one, unittest.defaultTestLoader.loadTestsFromTestCase(case)))
    print(*(text for _, text in outcomes), sep="\n")
    sys.exit(not all(passed for passed, _ in outcomes))
