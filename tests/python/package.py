"""Builds the Python package for a Weft that is installed, and tests it.

package.py install AREA [-DNAME=VALUE ...]: a virtual environment in AREA and `pip install` of the package into it.
package.py ranks AREA LAUNCHER RANKS_OPTION RANKS: runs the tests under the launcher.
package.py command AREA LAUNCHER RANKS_OPTION RANKS: runs `python -m weft` under the launcher.
Nothing is skipped: where pip cannot fetch what the tests need, they fail.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ["scikit-build-core>=0.10", "nanobind>=2.4", "numpy", "scipy", "pytest>=8", "mypy", "mpi4py"]


def python_in(area: Path) -> str:
    return str(area / "venv" / "bin" / "python")


def pip(area: Path, *arguments: str) -> int:
    return subprocess.run([python_in(area), "-m", "pip", "install", "--disable-pip-version-check", "-q", *arguments],
                          check=False).returncode


def install(area: Path, defines: list[str]) -> int:
    area.mkdir(parents=True, exist_ok=True)
    if not Path(python_in(area)).exists():
        subprocess.run([sys.executable, "-m", "venv", str(area / "venv")], check=True)
    status = pip(area, *TOOLS)
    if status != 0:
        print("package: pip cannot install what the tests need:", *TOOLS)
        return status
    settings = [f"-Ccmake.define.{define.removeprefix('-D')}" for define in defines]
    return pip(area, "--no-build-isolation", "--no-deps", "--force-reinstall", "-Ccmake.source-dir=python",
               f"-Cbuild-dir={area / 'build'}", *settings, str(ROOT))


def ranks(area: Path, launcher: str, ranks_option: str, number: str) -> int:
    tests = ROOT / "tests" / "python"
    # Only what is installed is tested: no folder of the source tree is on the path.
    command = [launcher, ranks_option, number, python_in(area), str(tests / "run_rank.py"), "--rootdir", str(tests), str(tests)]
    return subprocess.run(command, check=False, cwd=area, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}).returncode


def command(area: Path, launcher: str, ranks_option: str, number: str) -> int:
    graph = area / "graph.txt"
    graph.write_text("1 2\n2 3\n4 5\n")
    done = subprocess.run([launcher, ranks_option, number, python_in(area), "-m", "weft", "components", str(graph), "--json", "-"],
                          check=False, cwd=area, stdout=subprocess.PIPE, text=True)
    print(done.stdout)
    said = json.loads(done.stdout)
    return 0 if done.returncode == 0 and (said["result"]["components"], said["ranks"]) == (2, int(number)) else 1


if __name__ == "__main__":
    action = {"install": lambda area, *defines: install(area, list(defines)), "ranks": ranks, "command": command}[sys.argv[1]]
    sys.exit(action(Path(sys.argv[2]), *sys.argv[3:]))
