"""What the tests of answers on real data share: where the command and the data are, and how ranks are compared."""

import itertools
import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from command_run import run_command

# The command, the folder of data, the numbers of ranks, and one in how many inputs are run.
given = SimpleNamespace(weft="", data=Path(), ranks=[], share=1)
turns = itertools.count()


def some(inputs):
    """One in `share` of the inputs of a command. Each command begins at another one, and takes one at least."""
    inputs = list(inputs)
    return inputs[next(turns) % min(given.share, len(inputs))::given.share]


def report_of(command, graph, count, *options):
    done = run_command([given.weft, "-n", count, command, graph, "--json", "-", *options], 300)
    if done.returncode != 0:
        raise AssertionError(f"{command} {graph} with {count} ranks: exit code {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    assert report["command"] == command and report["ranks"] == count, report
    return report


class ReferenceCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reference = json.loads((given.data / "reference.json").read_text())
        cls.graphs = reference["2_graphs"]
        cls.ecosystem = reference["8_ecosystem"]
        cls.matrices = reference["1_matrices"]
        cls.volumes = reference["4_volumes"]
        cls.meshes = reference["5_meshes"]
        cls.sequences = reference["6_sequences"]
        cls.fields = reference["3_vectorfields"]
        cls.clouds = reference["7_nbody"]

    def same_at_all_ranks(self, command, file, option, arguments, check):
        """Calls check(result, lines of the output); the result, but for neighbours, and the output must not depend
        on the number of ranks."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in given.ranks:
                with self.subTest(command=command, file=file.name, arguments=arguments, ranks=count):
                    out = Path(folder) / f"out{count}"
                    result = report_of(command, file, count, *map(str, arguments), option, str(out))["result"]
                    written = out.read_bytes()
                    lines = written.decode().split("\n")
                    self.assertEqual(lines.pop(), "")
                    check(result, lines, count)
                    result.pop("neighbors", None)
                    first = first or (result, written)
                    self.assertEqual(result, first[0], "the result depends on the number of ranks")
                    self.assertTrue(written == first[1], "the output depends on the number of ranks")
