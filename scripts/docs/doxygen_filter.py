#!/usr/bin/env python3
"""Prepares a header for Doxygen, which calls this for each file: the fields of docstrings (Collective, Blocks, ...) become
paragraphs with a title, each header a group (weft/core/error.hpp is "core_error"), and requires-clauses are left out. Overloads
for encoded values, which only such a clause tells apart from those for bare ones, call their type `Encoded`.

doxygen_filter.py FILE
"""

import re
import sys
from pathlib import Path

FIELDS = "Collective|Blocks|Cost|Order|Throws|Source"
FIELD = re.compile(rf"(?:(?<=\. )|(?<=\.\n)|^)((?:{FIELDS})(?:, (?:{FIELDS}))*):\s", re.MULTILINE)
# What Sphinx cannot parse or would see twice: declarations without a body, definitions outside of their class, and the
# one alias that is made of a decltype.
FORWARD = re.compile(r"^(template <[^\n]*>\n)?(class|struct) \w+;.*\n", re.MULTILINE)
ENCODED = re.compile(r"template <wire_type T[^>]*>\s*requires\(!bare_type<T>.*?(?=[{;])", re.DOTALL)
OUTSIDE = re.compile(r"^template <[^\n]*>\n[^\n;=]* \w+::(\w+|operator\(\))\([^{]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


def fields_as_paragraphs(comment: list[str]) -> list[str]:
    """A docstring, a line an element, with `\\par` before each field."""
    indent = re.match(r" *", comment[0]).group()
    lines = [line.strip().removeprefix("///").removeprefix(" ") for line in comment]
    text = "\n".join(lines)
    if "\\code" not in text:  # <memory> is a header, not a tag of HTML
        parts = text.split("`")
        text = "`".join(part if place % 2 else part.replace("<", r"\<") for place, part in enumerate(parts))
    text = FIELD.sub(lambda found: f"\n\\par {found[1]}\n", text)
    return [f"{indent}/// {line}".rstrip() for line in text.split("\n")]


def without_requires(code: str) -> str:
    """Leaves out requires-clauses of templates, whose concepts the docstrings name where they matter."""
    code = ENCODED.sub(lambda found: re.sub(r"\bT\b", "Encoded", found[0]), code)
    result, at = [], 0
    for found in re.finditer(r"\brequires\b", code):
        if found.start() < at or not is_clause(code, found.start()):
            continue
        result.append(code[at:found.start()])
        at = end_of_clause(code, found.end())
    return "".join(result) + code[at:]


def is_clause(code: str, start: int) -> bool:
    """True behind `template <...>` or a parameter list, false for a requires-expression."""
    before = code[:start].rstrip()
    return before.endswith((">", ")", "const", "noexcept")) and not before.endswith("requires")


def end_of_clause(code: str, at: int) -> int:
    """Behind the primaries of a clause, joined by && and ||."""
    while True:
        at += len(code[at:]) - len(code[at:].lstrip())
        if code[at] == "(":
            at = behind_bracket(code, at)
        else:
            at += len(re.match(r"!?[\w:]+", code[at:]).group())
            if code[at] == "<":
                at = behind_bracket(code, at)
        rest = code[at:].lstrip()
        if not rest.startswith(("&&", "||")):
            return at
        at = len(code) - len(rest) + 2


def behind_bracket(code: str, at: int) -> int:
    pairs = {"(": ")", "<": ">", "{": "}"}
    opened, closed, depth = code[at], pairs[code[at]], 0
    while True:
        depth += (code[at] == opened) - (code[at] == closed)
        at += 1
        if depth == 0:
            return at


def main(path: Path) -> None:
    result, comment, code = [], [], []

    def flush_code():
        result.append(without_requires("\n".join(code)))
        code.clear()

    for line in path.read_text(encoding="utf-8").split("\n") + [None]:
        if line is not None and re.match(r" *///(?!<)", line):
            comment.append(line)
            continue
        if comment:
            flush_code()
            result.extend(fields_as_paragraphs(comment))
            comment.clear()
        if line is not None:
            code.append(line)
    flush_code()
    text = FORWARD.sub("", "\n".join(result))
    text = OUTSIDE.sub("", text)
    text = re.sub(r"= typename decltype\(.*\)::value_type;", "= value_type_of_range;", text)
    group = f"{path.parent.name}_{path.stem}" # of either tier: no two headers of a module have one name
    text = re.sub(r"^namespace weft \{$", rf"\g<0>\n/// \\addtogroup {group}\n/// @{{", text, flags=re.MULTILINE)
    print(re.sub(r"^\} // namespace weft$", r"/// @}\n\g<0>", text, flags=re.MULTILINE))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
