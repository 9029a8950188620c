#!/usr/bin/env python3
"""Checks that tests/faults tries every public collective function: its name occurs in the sources there.

A function is collective where its docstring says so. `namespace detail` and the tiers for those who write engines are left out.

check_faults.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from check_docstrings import COMMENT, is_type, said
from source_tree import code_files, finish, public_headers, tier_of

FAULTS = "tests/faults"
KEYWORDS = {"requires", "explicit", "noexcept", "decltype"}
PARTS = {"deal_anew": "move", "block_storage": "block_set"}  # of other public functions, which call them
DETAILS = re.compile(r"^namespace (?:weft::)?detail \{\n.*?^\} // namespace (?:weft::)?detail", re.MULTILINE | re.DOTALL)


def collective_functions(text: str) -> list[str]:
    """The names of those that the docstrings of a header call collective; constructors have that of their class."""
    names = []
    for comment, code in COMMENT.findall(DETAILS.sub("", text)):
        if "Collective" not in comment or re.search(r"Collective: no\b", said(comment)) or is_type(code):
            continue
        called = [name for name in re.findall(r"(\w+)\s*\(", re.split(r"[{;]", code)[0]) if name not in KEYWORDS]
        names += called[:1]
    return names


def complaints(root: Path) -> list[str]:
    tried = " ".join((root / file).read_text(encoding="utf-8") for file in code_files(root, (FAULTS,)))
    words = set(re.findall(r"\w+", re.sub(r"//.*", "", tried)))
    result = []
    for header in public_headers(root):
        if tier_of(header) != "user":
            continue
        for name in collective_functions((root / "include" / header).read_text(encoding="utf-8")):
            if PARTS.get(name, name) not in words:
                result.append(f"{header}: `{name}` is collective, and no call of {FAULTS} tries it; add one to its *_calls.cpp")
    return result


if __name__ == "__main__":
    sys.exit(finish("faults", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
