"""Builds the Python package for a Weft that is installed, and tests it.

package.py install AREA [-DNAME=VALUE ...]: a virtual environment in AREA and `pip install` of the package into it.
package.py ranks AREA LAUNCHER RANKS_OPTION RANKS: runs the tests under the launcher.
package.py endings AREA LAUNCHER RANKS_OPTION RANKS: programs that one rank leaves, or that are interrupted.
package.py command AREA LAUNCHER RANKS_OPTION RANKS: runs `python -m weft` under the launcher.
Nothing is skipped: where pip cannot fetch what the tests need, they fail.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ["scikit-build-core>=0.10", "nanobind>=2.4", "numpy", "scipy", "pytest>=8", "mypy", "mpi4py", "networkx", "pandas", "pyarrow"]


def python_in(area: Path) -> str:
    return str(area / "venv" / "bin" / "python")


def pip(area: Path, *arguments: str, **environment: str) -> int:
    return subprocess.run([python_in(area), "-m", "pip", "install", "--disable-pip-version-check", "-q", *arguments],
                          check=False, env={**os.environ, **environment}).returncode


def install(area: Path, defines: list[str]) -> int:
    area.mkdir(parents=True, exist_ok=True)
    if not Path(python_in(area)).exists():
        subprocess.run([sys.executable, "-m", "venv", str(area / "venv")], check=True)
    status = pip(area, *TOOLS)
    if status != 0:
        print("package: pip cannot install what the tests need:", *TOOLS)
        return status
    # Debian's MPICH has another name than the one that the wheel of mpi4py looks for.
    compilers = [each.partition("=")[2] for each in defines if each.startswith("-DMPI_CXX_COMPILER=")]
    if compilers and "mpich" in compilers[0]:
        compiler = compilers[0].replace("mpicxx", "mpicc")
        status = pip(area, "--no-binary=mpi4py", "--force-reinstall", "--no-deps", "mpi4py", MPICC=compiler,
                     CFLAGS="-O0")  # half a minute instead of three
        if status != 0:
            print("package: pip cannot build mpi4py with", compiler)
            return status
    # What is installed is the source distribution, so that nothing is missing there.
    shutil.rmtree(area / "dist", ignore_errors=True)
    made = subprocess.run([python_in(area), "-c", "import sys, scikit_build_core.build as b; print(b.build_sdist(sys.argv[1]))",
                           str(area / "dist")], check=False, cwd=ROOT)
    if made.returncode != 0:
        return made.returncode
    (source,) = (area / "dist").glob("weft_mpi-*.tar.gz")
    settings = [f"-Ccmake.define.{define.removeprefix('-D')}" for define in defines]
    return pip(area, "--no-build-isolation", "--no-deps", "--force-reinstall", "-Ccmake.source-dir=python",
               f"-Cbuild-dir={area / 'build'}", *settings, str(source))


def ranks(area: Path, launcher: str, ranks_option: str, number: str) -> int:
    tests = ROOT / "tests" / "python"
    # Only what is installed is tested: no folder of the source tree is on the path.
    command = [launcher, ranks_option, number, python_in(area), str(tests / "run_rank.py"), "--rootdir", str(tests), str(tests)]
    return subprocess.run(command, check=False, cwd=area, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}).returncode


UNDER_MPI4PY = """
import sys
from mpi4py import MPI
import weft
comm = weft.Communicator(MPI.COMM_WORLD)
if comm.rank == 0:
    {ending}
weft.all_reduce(comm, 1)
"""

ENDINGS = {
    "a rank raises while the others wait": ("""
import weft
comm = weft.Communicator()
if comm.rank == comm.size - 1:
    raise ValueError("on its own")
weft.all_reduce(comm, 1)
""", "ValueError: on its own"),
    "a rank raises in a timeline while the others wait": ("""
import weft
comm = weft.Communicator()
with weft.timeline("run.html", comm=comm):
    if comm.rank == 0:
        raise ValueError("in a timeline")
    weft.all_reduce(comm, 1)
""", "ValueError: in a timeline"),
    "a rank raises SystemExit": ("""
import weft
comm = weft.Communicator()
if comm.rank == 0:
    raise SystemExit("ends itself")
weft.all_reduce(comm, 1)
""", "ends itself"),
    "a rank ends well while the others wait": ("""
import sys, weft
comm = weft.Communicator()
if comm.rank == 0:
    sys.exit(0)
weft.all_reduce(comm, 1)
""", "rank 0 has ended the program, and no other rank gets on without it; rank 1 waits in all_reduce"),
    "a rank ends well where mpi4py began MPI": (UNDER_MPI4PY.format(ending="sys.exit(0)"), "rank 0 has ended the program"),
    "a rank exits where mpi4py began MPI": (UNDER_MPI4PY.format(ending='sys.exit("ends itself")'), "ends itself"),
    "a rank raises where mpi4py began MPI": (UNDER_MPI4PY.format(ending='raise ValueError("on its own")'), "ValueError: on its own"),
    "a rank is interrupted while it waits for another": ("""
import os, signal, threading, time
import weft
comm = weft.Communicator()
if comm.rank == 0:
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    weft.barrier(comm)
time.sleep(600)
""", "interrupted (SIGINT) in weft.barrier"),
    "an interrupt while all wait": ("""
import weft
comm = weft.Communicator()
if comm.rank > 0:
    print("waiting", flush=True)
    with weft.Mailbox(comm) as mail:
        mail.drain()
import time
time.sleep(600)
""", None),
    "a handler that waits for room is named in a report of the stall": ("""
import os, time
os.environ["WEFT_STALL_SECONDS"] = "0.3"
import numpy as np, weft
comm = weft.Communicator()
with weft.Mailbox(comm, buffer_bytes=65536) as mail:
    def flood(batch):
        time.sleep(0.1)
        back.send(1, np.zeros(2_000_000))
    back = mail.channel(np.float64, lambda batch: None)
    start = mail.channel(np.int64, flood)
    if comm.rank == 1:
        start.send(0, [1])
        for _ in range(20):
            mail.poll()
        time.sleep(2)
    mail.drain()
raise SystemExit(3)
""", "s in handler flood"),
}


def endings(area: Path, launcher: str, ranks_option: str, number: str) -> int:
    """Each of these ends in time, and not well."""
    def ends_as_it_should(what: str) -> bool:
        code, said = ENDINGS[what]
        began = time.monotonic()
        program = subprocess.Popen([launcher, ranks_option, number, python_in(area), "-c", code], cwd=area, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        if said is None:
            assert program.stdout.readline() == "waiting\n"
            program.send_signal(signal.SIGINT)
        try:
            output, _ = program.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            output = "it did not end\n" + program.communicate()[0]
        good = program.returncode != 0 and "it did not end" not in output and (said or "") in output
        print(f"{'passed' if good else 'FAILED'} after {time.monotonic() - began:.1f} s: {what}")
        if not good:
            print(output)
        return good

    with ThreadPoolExecutor(3) as at_once:  # they mostly wait
        return 0 if all(list(at_once.map(ends_as_it_should, ENDINGS))) else 1


def command(area: Path, launcher: str, ranks_option: str, number: str) -> int:
    graph = area / "graph.txt"
    graph.write_text("1 2\n2 3\n4 5\n")
    done = subprocess.run([launcher, ranks_option, number, python_in(area), "-m", "weft", "components", str(graph), "--json", "-"],
                          check=False, cwd=area, stdout=subprocess.PIPE, text=True)
    print(done.stdout)
    said = json.loads(done.stdout)
    return 0 if done.returncode == 0 and (said["result"]["components"], said["ranks"]) == (2, int(number)) else 1


if __name__ == "__main__":
    action = {"install": lambda area, *defines: install(area, list(defines)), "ranks": ranks, "endings": endings, "command": command}[sys.argv[1]]
    sys.exit(action(Path(sys.argv[2]), *sys.argv[3:]))
