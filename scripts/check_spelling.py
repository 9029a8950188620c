#!/usr/bin/env python3
"""Checks the spelling of sources and pages by codespell. Words that are right here, and those that tests misspell on purpose, are
listed in scripts/spelled.txt.

Exit status 77, which ctest shows as skipped, where there is no codespell.

check_spelling.py [root of the source tree]
"""

import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import CODE_FOLDERS, finish

SKIPPED = 77
WORDS = "scripts/spelled.txt"
FOLDERS = (*CODE_FOLDERS, "cmake", "docs", "packaging", "scripts")


def complaints(program: str, root: Path) -> list[str]:
    places = [name for name in (*FOLDERS, *(path.name for path in sorted(root.glob("*.md")))) if (root / name).exists()]
    words = ["--ignore-words", WORDS] if (root / WORDS).is_file() else []
    done = subprocess.run([program, "--quiet-level", "3", "--skip", f"{WORDS},*.svg,*.png,__pycache__", *words, *places],
                          cwd=root, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.splitlines() if done.returncode != 0 else []


def main() -> int:
    program = shutil.which("codespell")
    if program is None:
        print("spelling: skipped, no codespell; on Debian: apt-get install codespell")
        return SKIPPED
    return finish("spelling", complaints(program, Path(sys.argv[1] if len(sys.argv) > 1 else ".")))


if __name__ == "__main__":
    sys.exit(main())
