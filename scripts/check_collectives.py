#!/usr/bin/env python3
"""Checks that tests/faults and tests/arguments try each public collective function: its name occurs in the sources there.

A function is collective where its docstring says so. In tests/faults memory and callbacks fail on one rank; in
tests/arguments an argument differs on one rank or is impossible. `namespace detail` and the tiers for those who write
engines are left out. Functions of weft.h are called by tests/c, collective ones also wrongly (calls_of_c.py). `--list` prints all
collective functions of C++, and which open a gate under their own name.

check_collectives.py [--list] [root of the source tree]
"""

import re
import sys
from pathlib import Path

import calls_of_c
from check_docstrings import COMMENT, is_type, said
from source_tree import code_files, finish, public_headers, tier_of

KEYWORDS = {"requires", "explicit", "noexcept", "decltype"}
PARTS = {  # of other public functions, which call them
    "deal_anew": "move",
    "block_storage": "block_set",
    "reduce_array": "reduce",
    "reduce_scatter_array": "reduce_scatter",
    "broadcast_array": "broadcast",
    "pending_exchange": "start_exchange",
}
DETAILS = re.compile(r"^namespace (?:weft::)?detail \{\n.*?^\} // namespace (?:weft::)?detail", re.MULTILINE | re.DOTALL)
GATE = re.compile(r'\bgate\s+\w+\s*[({][^;"]*?"(?:\w+::)?(\w+)"')
SHARED = "tests/harness/graph_questions.hpp"  # which both programs go by
# By program: the functions that have nothing it could make wrong, and why.
EXCEPTIONS = {
    "tests/faults": {},
    "tests/arguments": {
        "agree": "takes an error",
        "refuse": "takes an error",
        "agreed": "takes a callback",
        "for_each": "takes a callback",
        "all_to_all": "takes callbacks",
        "combine_all": "takes any values",
        "sum": "takes any number",
        "max": "takes any number",
        "min": "takes any number",
        "exclusive_sum": "takes any number",
        "all_gather": "takes any value",
        "scan": "takes any value",
        "totals": "takes nothing",
        "record": "takes nothing",
        "make_communicator": "takes a communicator of MPI",
        "with": "random programs draw its knobs",
    },
}


def collective_functions(text: str) -> list[str]:
    """The names of those that the docstrings of a header call collective; constructors have that of their class."""
    names = []
    for comment, code in COMMENT.findall(DETAILS.sub("", text)):
        if "Collective" not in comment or re.search(r"Collective: no\b", said(comment)) or is_type(code):
            continue
        called = [name for name in re.findall(r"(\w+)\s*\(", re.split(r"[{;]", code)[0]) if name not in KEYWORDS]
        names += called[:1]
    return names


def all_collectives(root: Path) -> list[tuple[str, str]]:
    """Pairs of a header and a function."""
    return [(str(header), name) for header in public_headers(root) if tier_of(header) == "user"
            for name in collective_functions((root / "include" / header).read_text(encoding="utf-8"))]


def text_of(root: Path, folder: str) -> str:
    files = [(root / file).read_text(encoding="utf-8") for file in (*code_files(root, (folder,)), *root.glob(SHARED))]
    return re.sub(r"//.*", "", "\n".join(files))


def complaints(root: Path) -> list[str]:
    result = []
    found = all_collectives(root)
    for folder, exceptions in EXCEPTIONS.items():
        words = set(re.findall(r"\w+", text_of(root, folder)))
        result += [f"{header}: `{name}` is collective, and no call of {folder} tries it; add one to its *_calls.cpp"
                   for header, name in found if PARTS.get(name, name) not in words and name not in exceptions]
    return result + (calls_of_c.complaints(root) if (root / "include" / "weft.h").exists() else [])


def print_all(root: Path) -> None:
    gates = set(GATE.findall(text_of(root, "src") + text_of(root, "include")))
    for header, name in all_collectives(root):
        print(f"{header}: {name}: {'a gate of its name' if name in gates else 'the census of what it calls'}")


if __name__ == "__main__":
    roots = [each for each in sys.argv[1:] if each != "--list"]
    tree = Path(roots[0] if roots else ".")
    if "--list" in sys.argv:
        print_all(tree)
    sys.exit(finish("collectives", complaints(tree)))
