#!/usr/bin/env python3
"""Checks that a file of more than 400 lines says near its top why it is one: a sentence that begins with "In one file:".

check_lengths.py [root of the source tree]
"""

import sys
from pathlib import Path

from source_tree import CODE_FOLDERS, finish

LONGEST = 400
TOP = 8  # lines
SUFFIXES = {".hpp", ".cpp", ".py"}


def complaints(root: Path) -> list[str]:
    result = []
    for folder in (*CODE_FOLDERS, "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            lines = path.read_text(encoding="utf-8").splitlines()
            if len(lines) > LONGEST and not any("In one file:" in line for line in lines[:TOP]):
                result.append(f"{path.relative_to(root)}: {len(lines)} lines; divide it, or say at its top why not: "
                              '"In one file: ..."')
    return result


if __name__ == "__main__":
    sys.exit(finish("lengths", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
