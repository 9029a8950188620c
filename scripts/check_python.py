#!/usr/bin/env python3
"""Checks all Python by ruff and the rules of pyproject.toml, which find faults and leave style alone.

Debian 12 has no ruff: scripts/bootstrap puts it into build/ruff, from the Python index. Exit status 77, which ctest shows as
skipped, where there is none.

check_python.py [root of the source tree]
"""

import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import finish

SKIPPED = 77
FOLDERS = ("benchmarks", "docs", "examples", "python", "scripts", "tests")


def find_ruff(root: Path) -> str | None:
    return shutil.which("ruff", path=root / "build/ruff/bin") or shutil.which("ruff")


def complaints(program: str, root: Path) -> list[str]:
    places = [name for name in FOLDERS if (root / name).is_dir()]
    # Scripts of Python without the ending of its sources.
    for folder in places:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not path.suffix and path.open("rb").readline(80).endswith(b"python3\n"):
                places.append(str(path.relative_to(root)))
    done = subprocess.run([program, "check", "--no-cache", "--quiet", "--output-format=concise", *places], cwd=root, text=True,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.splitlines() if done.returncode != 0 else []


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    program = find_ruff(root)
    if program is None:
        print("python: skipped, no ruff; scripts/bootstrap tests installs it from the Python index")
        return SKIPPED
    return finish("python", complaints(program, root))


if __name__ == "__main__":
    sys.exit(main())
