#!/usr/bin/env python3
"""Checks that wrong code does not compile, and is told why.

A file has sections, numbered from 1, each with the error that it must give:

    #if WEFT_SECTION == 1
    // EXPECT-ERROR: a regular expression for the output of the compiler
    ...
    #endif

Section 0 is the file without any of them; it must compile, so that a section fails for its own reason alone.

check_compile_failure.py <file> <compiler> [option]...
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from source_tree import finish

SECTION = re.compile(r"^\s*#\s*(?:el)?if\s+WEFT_SECTION\s*==\s*(\d+)\s*$")
EXPECTED = re.compile(r"^\s*// EXPECT-ERROR: (.+?)\s*$")


def sections(text: str) -> tuple[dict[int, str | None], list[str]]:
    """The expected error of each section, and what is wrong with the file."""
    expected: dict[int, str | None] = {}
    wrong = []
    current = None
    for number, line in enumerate(text.splitlines(), start=1):
        if match := SECTION.match(line):
            current = int(match.group(1))
            if current in expected or current == 0:
                wrong.append(f"line {number}: section {current} is taken")
            expected[current] = None
        elif match := EXPECTED.match(line):
            if current is None or expected[current] is not None:
                wrong.append(f"line {number}: EXPECT-ERROR belongs to no section, or is its second one")
            else:
                expected[current] = match.group(1)
        elif "WEFT_SECTION" in line or "EXPECT-ERROR" in line:
            wrong.append(f"line {number}: not understood: {line.strip()}")
    wrong += [f"section {number} has no EXPECT-ERROR" for number, pattern in expected.items() if pattern is None]
    if not expected:
        wrong.append("has no section")
    return expected, wrong


def compile_section(file: Path, compiler: list[str], section: int) -> tuple[bool, str]:
    done = subprocess.run([*compiler, "-fsyntax-only", f"-DWEFT_SECTION={section}", str(file)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env={**os.environ, "LC_ALL": "C"})  # plain quotes in the messages
    return done.returncode == 0, done.stdout


def complaints(file: Path, compiler: list[str]) -> list[str]:
    expected, result = sections(file.read_text(encoding="utf-8"))
    if result:
        return [f"{file}: {complaint}" for complaint in result]
    compiles, said = compile_section(file, compiler, 0)
    if not compiles:
        return [f"{file}: section 0 does not compile:\n{said}"]
    for section, pattern in sorted(expected.items()):
        compiles, said = compile_section(file, compiler, section)
        if compiles:
            result.append(f"{file}: section {section} compiles; expected the error /{pattern}/")
        elif not re.search(pattern, said):
            result.append(f"{file}: section {section} fails without the expected error /{pattern}/:\n{said}")
    return result


if __name__ == "__main__":
    sys.exit(finish(f"compile failures of {Path(sys.argv[1]).name}", complaints(Path(sys.argv[1]), sys.argv[2:])))
