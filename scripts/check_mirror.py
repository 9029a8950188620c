#!/usr/bin/env python3
"""Checks that each public header has its test: include/weft/<module>/<name>.hpp, of any tier, is tested by
tests/<module>/<name>_test.cpp, or by a test of that folder that includes it, as small headers are by the test of their users.
(weft/mpi.hpp by tests/core/mpi_test.cpp; weft/weft.hpp only includes.)

check_mirror.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from source_tree import finish, module_of, public_headers


def mirror_of(header: Path) -> Path:
    return Path("tests", module_of(header) or "core", header.stem + "_test.cpp")


def has_tests(file: Path) -> bool:
    return re.search(r"^\s*(TYPED_)?TEST(_F|_P)?\(", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


def is_included(root: Path, header: Path, folder: Path) -> bool:
    """True if a file with tests in the folder includes the header itself."""
    return any(has_tests(file) and f"#include <{header}>" in file.read_text(encoding="utf-8")
               for file in (root / folder).glob("*_test.cpp"))


def complaints(root: Path) -> list[str]:
    result = []
    headers = [header for header in public_headers(root) if header != Path("weft/weft.hpp")]
    if not headers:
        result.append(f"{root}: no header below include/: is this the root of the source tree?")
    for header in headers:
        test = mirror_of(header)
        if not (root / test).is_file():
            if not is_included(root, header, test.parent):
                result.append(f"include/{header}: no test; write {test}, or include it in a test of {test.parent}")
        elif not has_tests(root / test):
            result.append(f"{test}: has no TEST")
    return result


if __name__ == "__main__":
    sys.exit(finish("mirror tests", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
