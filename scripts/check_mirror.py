#!/usr/bin/env python3
"""Checks that each public header has its mirror test: include/weft/<module>/<name>.hpp, of any tier, is
tested by tests/<module>/<name>_test.cpp (weft/mpi.hpp by tests/core/mpi_test.cpp; weft/weft.hpp only includes).

check_mirror.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from source_tree import finish, module_of, public_headers


def mirror_of(header: Path) -> Path:
    return Path("tests", module_of(header) or "core", header.stem + "_test.cpp")


def complaints(root: Path) -> list[str]:
    result = []
    headers = [header for header in public_headers(root) if header != Path("weft/weft.hpp")]
    if not headers:
        result.append(f"{root}: no header below include/: is this the root of the source tree?")
    for header in headers:
        test = mirror_of(header)
        if not (root / test).is_file():
            result.append(f"include/{header}: no test; write {test}")
        elif not re.search(r"^\s*(TYPED_)?TEST(_F|_P)?\(", (root / test).read_text(encoding="utf-8"), re.MULTILINE):
            result.append(f"{test}: has no TEST")
    return result


if __name__ == "__main__":
    sys.exit(finish("mirror tests", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
