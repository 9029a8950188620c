#!/usr/bin/env python3
"""Checks that all files that name the version name the same: that of CMakeLists.txt. Programs of this tree that use an
installed Weft ask for that interface.

check_versions.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from source_tree import finish

PLACES = {"README.md": r"^Version ([\d.]+) ", "CMakeLists.txt": r"project\(weft VERSION ([\d.]+)", "pyproject.toml": r'^version = "([\d.]+)"',
          "CITATION.cff": r"^version: ([\d.]+)", "packaging/conda/meta.yaml": r'set version = "([\d.]+)"',
          "packaging/spack/package.py.in": r'version\("([\d.]+)", tag="v\1"', "python/weft/__init__.py": r'^__version__ = "([\d.]+)"',
          "include/weft/core/version.hpp": r'^#define WEFT_VERSION_TEXT "([\d.]+)"'}
ASKING = ("python/CMakeLists.txt", "tests/consumers/find_package/CMakeLists.txt")
ASKS = r"find_package\(weft ([\d.]+)"


def complaints(root: Path) -> list[str]:
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
        found[name] = match[1] if match else "none"
    right = found["CMakeLists.txt"]
    result = [f"{name}: version {version}, CMakeLists.txt has {right}" for name, version in found.items()
              if version != right]
    interface = ".".join(right.split(".")[:2])
    for name in ASKING:
        match = re.search(ASKS, (root / name).read_text(encoding="utf-8"))
        if not match or match[1] != interface:
            result.append(f"{name}: asks for {match[1] if match else 'no version'}, the interface is {interface}")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(right)}\b", changes, flags=re.MULTILINE):
        result.append(f"CHANGELOG.md: has no section {right}")
    return result


if __name__ == "__main__":
    sys.exit(finish("versions", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
