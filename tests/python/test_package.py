"""What is true of the package as a whole."""

import ast
import doctest
import importlib
import importlib.metadata
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import reads_meshes

import weft

# A program of its own, not of this job.
ALONE = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "PRTE_"))}


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, env=ALONE, timeout=120, **options)


@pytest.fixture
def first_rank(comm):
    """For what one rank does for all."""
    return comm.rank == 0


def test_examples_of_docstrings(comm):
    # Public names say that they are of the package, whatever file they are in.
    runner = doctest.DocTestRunner()
    for module in ("weft", "weft.handlers"):
        for each in doctest.DocTestFinder().find(importlib.import_module(module)):
            if reads_meshes() or not each.name.startswith(("weft.Mesh", "weft.read_mesh")):
                runner.run(each)
    assert runner.failures == 0
    assert runner.tries > 200


def test_every_public_name_has_a_docstring_with_an_example():
    handlers = [weft.handlers.add_at, weft.handlers.minimum_at, weft.handlers.maximum_at]
    for what in [getattr(weft, name) for name in weft.__all__ if name != "handlers"] + handlers:
        assert ">>> " in (what.__doc__ or ""), what


def test_every_field_of_a_result_has_a_sentence():
    lacking = []
    for file in sorted(Path(weft.__file__).parent.glob("_*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name in weft.__all__ and not issubclass(getattr(weft, node.name), weft.Error):
                fields = [(each, after) for each, after in zip(node.body, [*node.body[1:], None]) if isinstance(each, ast.AnnAssign)]
                lacking += [f"{node.name}.{ast.unparse(each.target)}" for each, after in fields
                            if isinstance(each.target, ast.Name) and not each.target.id.startswith("_") and not isinstance(after, ast.Expr)]
    assert lacking == []


def test_names_are_of_the_package():
    for name in weft.__all__:
        what = getattr(weft, name)
        assert not callable(what) or what.__module__ == "weft" and pickle.loads(pickle.dumps(what)) is what, name


def test_every_object_says_what_it_is(comm):
    grid = weft.RegularGrid((2 * comm.size,), comm.size, ghosts=1)
    blocks = weft.BlockSet(3, lambda id: id)
    said = [repr(blocks.ids and port) for port in ports(blocks)]
    with weft.Mailbox() as mail:
        said += [repr(mail), repr(mail.channel(np.int64, print)), repr(mail.service(np.int64, np.int64, abs))]
    plan = weft.ExchangePlan([comm.rank], [2])
    said += [repr(each) for each in (
        mail, plan, weft.Route([comm.rank]), weft.exchange([comm.rank], [1]), weft.exchange([comm.rank], {"id": [1]}), comm, blocks, grid,
        weft.start_exchange({}), weft.Halo(grid), weft.KdTree(np.eye(3), 2), weft.BlockToPart(8, [0, 3]), weft.PartToBlock(8, [0, 3]),
        weft.Directory([1, 2]), weft.SparseMatrix(([0], [1], [1.0]) if comm.rank == 0 else ([], [], []), shape=(3, 3)), weft.Graph("grid:3x3"))]
    assert not [each for each in said if " object at 0x" in each or not each.startswith("<weft.")], said
    assert "<weft.ExchangePlan: 2 items to 1 ranks, 2 from 1>" in said and "<weft.SparseMatrix of shape (3, 3): 1 entries>" in said
    assert {"<weft.Mailbox: 0 sent, 0 handled>", "<weft.Mailbox, closed>", "<weft.Channel of int64>", "<weft.Graph: 9 vertices, undirected>"} <= set(said)


def ports(blocks):
    """A port, while it is valid, as text."""
    seen = []
    blocks.exchange(lambda block, port: seen.append(repr(port)))
    assert seen == [f"<weft.BlockPort of block {id}>" for id in blocks.ids]
    return []


def test_what_is_installed():
    files = {str(file) for file in importlib.metadata.files("weft-mpi")}
    assert {"weft/py.typed", "weft/_weft.pyi", "weft/bin/weft", "weft/bin/weft-volumes.so", "weft/__init__.py"} <= files
    assert [file for file in files if file.startswith("weft/_weft.") and file.endswith(".so")]
    assert not [file for file in files if file.startswith(("include/", "lib/", "weft/include/")) or file.endswith(".cpp")]
    assert importlib.metadata.version("weft-mpi") == weft.__version__


def test_the_command(first_rank, tmp_path):
    if not first_rank:
        return
    graph = tmp_path / "graph.txt"
    graph.write_text("1 2\n2 3\n4 5\n")
    done = run(sys.executable, "-m", "weft", "components", str(graph))
    assert done.returncode == 0 and "components" in done.stdout, done
    version = run(sys.executable, "-m", "weft", "--version")
    assert weft.__version__ in version.stdout, version


TYPED = """
from typing import Any
import numpy as np
import weft
from mpi4py import MPI

comm = weft.Communicator()
inbox: weft.Inbox = weft.exchange(None, np.zeros(3, int), np.ones(3))
inbox = weft.exchange(comm, {1: [1.0]}, dtype=float)
inbox = weft.exchange(0, [1.0], comm=MPI.COMM_WORLD)
inbox = weft.exchange(MPI.COMM_WORLD, [0], [1], protocol="nbx")
rows: weft.TableInbox[dict[str, np.ndarray[Any, Any]]] = weft.exchange([0], {"id": [1]})
found: int = weft.label(np.ones((3, 3)), 1, neighbors=4).components + weft.label(comm, np.ones((3, 3)), 1).components
routes = [weft.Route(comm, [0]), weft.Route([0], comm=comm)]
total: int = int(inbox.counts.sum())
weft.exchange(5, "garbage", object())  # wrong
weft.exchange(comm, [0], [1], protocol="nbxx")  # wrong
weft.start_exchange(object(), [0], [1])  # wrong
weft.label(object(), threshold="a")  # wrong
weft.label(np.ones(3), 1, neighbors=5)  # wrong
weft.Route(comm, [0], 3)  # wrong
weft.KdTree(comm, [[0.0]], 3, split="foo")  # wrong
weft.all_reduce(comm, 1, "plus")  # wrong
weft.broadcast(comm, 1, root="a")  # wrong
weft.barrier(5)  # wrong
weft.Mailbox(route="foo")  # wrong
text: str = weft.Communicator().rank  # wrong
"""


def test_types(first_rank, tmp_path):
    if not first_rank:
        return
    program = (tmp_path / "program").with_suffix(".py")
    program.write_text(TYPED)
    wrong = [number for number, line in enumerate(TYPED.splitlines(), 1) if line.endswith("# wrong")]
    done = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program), cwd=tmp_path)
    found = [int(line.split(":")[1]) for line in done.stdout.splitlines() if " error: " in line]
    assert found == wrong, done.stdout + done.stderr
    done = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "-p", "weft", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_import_is_quick(first_rank):
    """Without what numpy takes, in time of the processor; the best of some, since machines are busy."""
    if not first_rank:
        return
    code = "import numpy, time; t = time.process_time(); import weft; print(time.process_time() - t)"
    best = min(float(run(sys.executable, "-c", code).stdout) for _ in range(5))
    assert best < 0.15


@pytest.mark.parametrize("first", ["weft", "mpi4py"])
def test_either_import_comes_first(first_rank, first):
    if not first_rank:
        return
    imports = ["import weft; alone = weft.Communicator()", "from mpi4py import MPI"]
    code = "; ".join(imports if first == "weft" else imports[::-1])
    done = run(sys.executable, "-c", f"{code}; print(weft.Communicator(MPI.COMM_WORLD).size, MPI.COMM_WORLD.allreduce(3))")
    assert (done.stdout, done.returncode) == ("1 3\n", 0), done


def test_what_is_left_open_ends_with_the_program(first_rank):
    if not first_rank:
        return
    code = """
import numpy as np, weft
comm = weft.Communicator()
mail = weft.Mailbox(comm)
channel = mail.channel(np.int64, print)
channel.send(0, [1])
handle = weft.start_exchange(comm, [0], [1])
plan = weft.ExchangePlan(comm, [0], [1])
inbox = weft.exchange(comm, [0], [1])
"""
    done = run(sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (0, ""), done


AFTER_FINALIZE = """
from mpi4py import MPI
import numpy as np, weft
comm = weft.Communicator(MPI.COMM_WORLD)
mail = weft.Mailbox(comm)
channel = mail.channel(np.int64, print)
blocks = weft.BlockSet(comm, 2, int)
plan = weft.ExchangePlan(comm, [0], [1])
handle = weft.start_exchange(comm, [0], [1])
MPI.Finalize()
calls = [lambda: weft.Communicator(MPI.COMM_WORLD), lambda: weft.exchange(comm, [0], [1]), lambda: weft.all_reduce(comm, 1),
         lambda: weft.gather(comm, 1), lambda: channel.send(0, [1]), mail.drain, lambda: blocks.exchange(), lambda: plan.exchange([1]),
         handle.get, lambda: weft.label(np.ones(3), 1), lambda: comm.split(0), lambda: weft.Mailbox(comm)]
for call in calls:
    try:
        call()
    except weft.UsageError as error:
        print(str(error).startswith("MPI has been finalised"))
"""


def test_calls_after_mpi_are_errors(first_rank):
    if not first_rank:
        return
    done = run(sys.executable, "-c", AFTER_FINALIZE)
    assert (done.stdout.count("True"), done.returncode) == (12, 0), done


def test_a_launcher_of_another_mpi_is_told(first_rank):
    if not first_rank:
        return
    code = "import warnings; warnings.simplefilter('error'); import weft; weft.Communicator()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env={**ALONE, "PMI_SIZE" if "Open MPI" in weft._weft.library_version() else "OMPI_COMM_WORLD_SIZE": "3"})
    assert "a launcher started 3 processes, but this one is alone" in done.stderr, done


def test_one_rank_waits_for_no_other(first_rank):
    """A process that is suspended during a call with a bad communicator is not ended by the alarm of the call."""
    if not first_rank:
        return
    code = """
import threading, weft
threading.Timer = None
try:
    weft.barrier(comm=5)
except weft.UsageError as error:
    print(error)
"""
    done = run(sys.executable, "-c", code)
    assert (done.stdout[:5], done.returncode) == ("comm:", 0), done


def test_an_interrupt_ends_the_program(first_rank):
    if not first_rank:
        return
    code = """
import weft
mail = weft.Mailbox()
print("ready", flush=True)
while True: mail.poll()
"""
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ALONE)
    assert program.stdout.readline() == "ready\n"
    time.sleep(0.2)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode != 0 and "KeyboardInterrupt" in said


def test_another_interpreter_is_refused(first_rank):
    if not first_rank:
        return
    code = """
import weft
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    raise SystemExit(77)
made = interpreters.create()
try:
    interpreters.run_string(made, "import weft")
except interpreters.RunFailedError as error:
    print("refused", error)
"""
    done = run(sys.executable, "-c", code)
    assert done.returncode == 77 or "refused" in done.stdout, done
