"""The page of the C reference: the comments and declarations of include/weft.h, part by part, with Fortran and C++ beside them."""

import re
from pathlib import Path

from languages import cxx_calls, fortran_calls

PART = re.compile(r"^/\* (.+) \*/\n", re.MULTILINE)
# A comment, and the declaration behind it: up to a semicolon outside of braces.
ENTRY = re.compile(r"^((?:///.*\n)+)(typedef (?:struct|enum) \w+ \{[\s\S]*?^\} \w+;|[^\n/][^;]*;)", re.MULTILINE)


def name_of(declaration: str) -> str:
    if declaration.startswith("typedef"):
        pointer = re.search(r"\(\*(\w+)\)", declaration)
        return pointer[1] if pointer else re.findall(r"\w+", declaration)[-1]
    return re.search(r"(\w+)\(", declaration)[1]


def text_of(comment: str) -> str:
    return " ".join(line.removeprefix("///").strip() for line in comment.splitlines())


def page(root: Path) -> str:
    head, *parts = PART.split((root / "include" / "weft.h").read_text(encoding="utf-8"))
    said = re.match(r"(?:///.*\n)+", head)[0]
    fortran, cxx = fortran_calls(root), cxx_calls(root)
    fortran["weft_comm_make"] = fortran["weft_comm_make_f"]
    text = "# C, Fortran and C++\n\n" + "\n\n".join(text_of(each) for each in re.split(r"^///$\n", said, flags=re.MULTILINE)) + "\n\n"
    for title, body in zip(parts[::2], parts[1::2]):
        text += f"## {title}\n\n"
        for comment, declaration in ENTRY.findall(body):
            name = name_of(declaration)
            text += f"### `{name}`\n\n```c\n{declaration}\n```\n\n{text_of(comment)}\n\n"
            beside = {"Fortran": ", ".join(fortran.get(name, [])), "C++": cxx.get(name, "")}
            text += "".join(f"- {language}: {calls}\n" for language, calls in beside.items() if calls) + "\n"
    return text
