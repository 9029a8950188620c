#!/usr/bin/env python3
"""Checks that each public collective function is tried with faults and with wrong arguments.

A function whose docstring says Collective must be called in tests/faults, where memory and callbacks fail on one rank,
and in tests/arguments, where arguments differ or are impossible. `--list` prints all of them with the gate that agrees on
their errors, as far as one of their name is opened.

check_collectives.py [--list] [root of the source tree]
"""

import re
import sys
from pathlib import Path

from check_docstrings import COMMENT, is_type, said
from source_tree import finish, public_headers, tier_of

# Of each, why one of the two programs cannot call it.
WITHOUT_FAULTS = {
    "deal_anew": "is called by `block_set::move`, `assign` and `balance`",
    "block_storage": "is made by a `block_set`",
    "make_communicator": "what it needs goes by the ranks; tests/leaving runs it where nothing works",
    "refuse": "takes an error",
    "combine_all": "sends one census and calls nothing of the user's",
    "agree": "is what `agreed` ends in",
    "with": "local but for its tags",
}
WITHOUT_ARGUMENTS = {
    "agree": "takes an error",
    "refuse": "takes an error",
    "deal_anew": "is called by `block_set::move`, `assign` and `balance`",
    "block_storage": "is made by a `block_set`",
    "agreed": "takes a callback",
    "all_gather": "takes one value a rank, of one type",
    "combine_all": "takes one census a rank",
    "exclusive_sum": "takes a number a rank",
    "sum": "takes a number a rank",
    "max": "takes a number a rank",
    "min": "takes a number a rank",
    "scan": "takes a value a rank",
    "for_each": "takes a callback",
    "all_to_all": "takes callbacks",
    "count_triangles": "takes a graph",
    "totals": "takes nothing",
    "record": "takes nothing",
    "make_communicator": "takes a communicator of MPI",
    "with": "the knob is drawn by random programs",
}


def name_of(code: str) -> str:
    """The function that a declaration names."""
    code = re.sub(r"\[\[.*?\]\]", "", code, flags=re.DOTALL)
    calls = (found[1] for found in re.finditer(r"(~?\w+)\s*\(", code) if found[1] not in ("requires", "noexcept"))
    return next(calls, "")


def collectives_of(text: str) -> list[str]:
    # Details are called by what is public.
    text = re.sub(r"^namespace (?:weft::)?detail \{\n.*?^\} // namespace (?:weft::)?detail", "", text, flags=re.MULTILINE | re.DOTALL)
    found = []
    for each in COMMENT.finditer(text):
        words = said(each[1])
        if "Collective" in words and not re.search(r"Collective: no\b", words) and not is_type(each[2]):
            found.append(name_of(text[each.start(2) : each.start(2) + 800]))
    return found


def gates(root: Path) -> set[str]:
    """The names under which gates are opened."""
    names: set[str] = set()
    for folder in ("src", "include"):
        for file in sorted((root / folder).rglob("*.[hc]pp")):
            names |= set(re.findall(r'\bgate\s+(?:const\s+)?\w+\s*[({][^;"]*?"([^"]+)"', file.read_text(encoding="utf-8")))
    return names


def words_in(folder: Path) -> set[str]:
    return {word for file in folder.glob("*_calls.cpp") for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}


def complaints(root: Path, prints: bool) -> list[str]:
    opened = gates(root)
    programs = (("tests/faults", WITHOUT_FAULTS), ("tests/arguments", WITHOUT_ARGUMENTS))
    tried = {folder: words_in(root / folder) for folder, _ in programs}
    result = []
    seen = set()
    for header in public_headers(root):
        if tier_of(header) != "user":
            continue
        for name in collectives_of((root / "include" / header).read_text(encoding="utf-8")):
            seen.add(name)
            if prints:
                own = sorted(gate for gate in opened if gate == name or gate.endswith("::" + name))
                print(f"{header}: {name}: {'a gate of its name' if own else 'the census of what it calls'}")
            result += [f"{header}: {name} is called nowhere in {folder}" for folder, without in programs
                       if name not in tried[folder] and name not in without]
    for folder, without in programs:
        result += [f"{Path(__file__).name}: {name} is no public collective function" for name in without if name not in seen]
    return result


if __name__ == "__main__":
    arguments = [each for each in sys.argv[1:] if each != "--list"]
    sys.exit(finish("collectives", complaints(Path(arguments[0] if arguments else "."), "--list" in sys.argv)))
