#!/usr/bin/env python3
"""Checks that all C++ is as the pinned clang-format 14 writes it, or (--fix) makes it so.

Exit status 77, which ctest shows as skipped, where there is no clang-format 14.

check_format.py [--fix] [root of the source tree]
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import code_files, finish

VERSION = 14
SKIPPED = 77


def find_clang_format() -> str | None:
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program is None:
            continue
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if re.search(rf"version {VERSION}\.", said):
            return program
    return None


def complaints(program: str, root: Path) -> list[str]:
    files = code_files(root)
    if not files:
        return [f"{root}: no C++ files: is this the root of the source tree?"]
    done = subprocess.run([program, "--dry-run", "--Werror", *map(str, files)], cwd=root, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return []
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error:", done.stdout, re.MULTILINE)))
    return [f"{file}: not formatted; run: make format" for file in wrong] or [done.stdout]


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--fix"]
    root = Path(arguments[0] if arguments else ".")
    program = find_clang_format()
    if program is None:
        print(f"format: skipped, no clang-format {VERSION}; on Debian: apt-get install clang-format-{VERSION}")
        return SKIPPED
    if "--fix" in sys.argv:
        return subprocess.run([program, "-i", *map(str, code_files(root))], cwd=root, check=False).returncode
    return finish("format", complaints(program, root))


if __name__ == "__main__":
    sys.exit(main())
