"""The functions of include/weft.h, and which of them the tests in C call, and call wrongly, for scripts/check_collectives.py."""

import re
from pathlib import Path

ENTRY = re.compile(r"^((?:///.*\n)+)(?!typedef)([^\n/][^;(]*\((?:[^;]*)\);)", re.MULTILINE)
LIKE_THE_ONE_BEFORE = re.compile(r"Do(?:es)? the same|Otherwise as|Copies|Puts|Takes for each|Combines the|Brings|Joins")
# Collective functions without an argument that could be wrong on one rank alone, or whose error another test has.
EXCEPTIONS = {
    "weft_comm_make": "takes a communicator of MPI",
    "weft_comm_make_f": "called by Fortran",
    "weft_exclusive_sum": "takes any number",
    "weft_exchange_start": "has the errors of weft_exchange_finish",
    "weft_block_set_exchange_neighbors": "has its errors at the next exchange",
    "weft_planned_start": "has the errors of weft_planned_wait",
}


def functions(root: Path) -> list[tuple[str, bool]]:
    """Names, and whether a function is collective: said so, or said to be like the one before, which is."""
    result, before = [], False
    for comment, declaration in ENTRY.findall((root / "include" / "weft.h").read_text(encoding="utf-8")):
        said = " ".join(line.removeprefix("///").strip() for line in comment.splitlines())
        before = bool(re.search(r"Collective\b(?!: no)", said)) or (before and bool(LIKE_THE_ONE_BEFORE.search(said)))
        result.append((re.search(r"(\w+)\(", declaration)[1], before))
    return result


def complaints(root: Path) -> list[str]:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (root / "tests" / "c").glob("*.[ch]"))
    tests = re.sub(r"//[^\n]*|/\*.*?\*/", "", tests, flags=re.DOTALL)
    result = []
    for name, collective in functions(root):
        if name in EXCEPTIONS:
            continue
        if not re.search(rf"\b{name}\(", tests):
            result.append(f"weft.h: no test of tests/c calls `{name}`")
        elif collective and not re.search(rf"CHECK\(\s*{name}\([^;]*?\bweft_(?:usage_error|failed)", tests):
            result.append(f"weft.h: `{name}` is collective, and no test of tests/c has an error of it")
    return result
