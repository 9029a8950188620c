#!/usr/bin/env python3
"""Checks that a file of more than 400 lines of code, without blanks, comments and docstrings, says near its top why it is one: a
sentence that begins with "In one file:".

check_lengths.py [root of the source tree]
"""

import ast
import re
import sys
from pathlib import Path

from source_tree import CODE_FOLDERS, finish

LONGEST = 400
TOP = 8  # lines
SUFFIXES = {".hpp", ".cpp", ".py"}


def code_lines(text: str, suffix: str) -> int:
    """Lines that are neither blank nor comment nor docstring."""
    if suffix != ".py":
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//"))
    passed: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        first = node.body[0] if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            passed.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return sum(1 for number, line in enumerate(text.splitlines(), start=1)
               if line.strip() and not line.lstrip().startswith("#") and number not in passed)


def complaints(root: Path) -> list[str]:
    result = []
    for folder in (*CODE_FOLDERS, "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            lines = code_lines(text, path.suffix)
            if lines > LONGEST and not any("In one file:" in line for line in text.splitlines()[:TOP]):
                result.append(f"{path.relative_to(root)}: {lines} lines of code; divide it, or say at its top why not: "
                              '"In one file: ..."')
    return result


if __name__ == "__main__":
    sys.exit(finish("lengths", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
