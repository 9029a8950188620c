#!/usr/bin/env python3
"""Writes fortran/interfaces.inc, the functions and structures of include/weft.h as Fortran sees them.

Without --fix it only tells whether the file is what the header says; a test runs it so. A pointer to a scalar is an array
that is read where it is to const, else a scalar or an array that is written, by the names below.

fortran_interfaces.py [--fix] [root of the source tree]
"""

import re
import sys
from pathlib import Path

FILE = Path("fortran") / "interfaces.inc"
SCALARS = {"int": "integer(c_int)", "int32_t": "integer(c_int32_t)", "int64_t": "integer(c_int64_t)", "size_t": "integer(c_size_t)",
           "double": "real(c_double)", "MPI_Fint": "integer(c_int)"}
MAY_BE_NULL = {"weights", "block_ids", "imbalance", "after"}  # arguments that Fortran may leave out
PUBLIC = {"weft_counters", "weft_times", "weft_location"}  # structures that programs have variables of
WRITTEN = {"numbers", "keys", "lower", "upper", "ids"}  # arrays
SKIPPED = {"weft_comm_make"}  # takes what C alone has; weft_comm_make_f does it
WIDTH = 132


def fortran_name(structure: str) -> str:
    return structure if structure in PUBLIC else structure.replace("weft_", "c_", 1)


class Header:
    """What weft.h declares."""

    def __init__(self, text: str):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
        text = text[text.index('extern "C" {'):]
        self.structures = re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.DOTALL)
        self.enums = set(re.findall(r"typedef enum (\w+)", text))
        self.callbacks = set(re.findall(r"typedef [^;{]*?\(\*(\w+)\)", text))
        text = re.sub(r"typedef (?:struct|enum) \w+ \{.*?\} \w+;|typedef [^;]*;", "", text, flags=re.DOTALL)
        self.functions = [(" ".join(kind.split()), name, " ".join(arguments.split()))
                          for kind, name, arguments in re.findall(r"^([\w\s*]+?)\b(weft_\w+)\(([^;]*?)\);", text, re.MULTILINE)]

    def is_structure(self, kind: str) -> bool:
        return kind in dict(self.structures)

    def argument(self, kind: str, name: str) -> str:
        """The declaration of a dummy argument, but for its name; %s stands for that."""
        base = kind.replace("const", "").replace("*", "").strip()
        stars, const = kind.count("*"), "const" in kind
        if base in self.callbacks:
            return "type(c_funptr), value :: %s"
        if stars == 0:
            scalar = SCALARS.get(base) or ("integer(c_int)" if base in self.enums else f"type({fortran_name(base)})")
            return f"{scalar}, value :: %s"
        if base == "char":
            return "character(kind=c_char), intent(in) :: %s(*)"
        if stars == 2:
            return "type(c_ptr) :: %s"
        if self.is_structure(base):
            return f"type({fortran_name(base)}){', intent(in)' if const else ''} :: %s"
        if base not in SCALARS or name in MAY_BE_NULL:
            return "type(c_ptr), value :: %s"
        if const:
            return f"{SCALARS[base]}, intent(in) :: %s(*)"
        return f"{SCALARS[base]} :: %s" + ("(*)" if name in WRITTEN else "")

    def result(self, kind: str) -> str:
        if "*" in kind:
            return "type(c_ptr)"
        return SCALARS.get(kind, "integer(c_int)")


def split(argument: str) -> tuple[str, str]:
    kind, name = re.fullmatch(r"(.*?)(\w+)", argument).groups()
    return kind.strip(), name


def interface(header: Header, kind: str, name: str, arguments: str) -> str:
    given = [split(each) for each in arguments.split(", ")] if arguments != "void" else []
    names = ", ".join(argument for _, argument in given)
    head = f"({names}) bind(c, name=\"{name}\")"
    bound = name.replace("weft_", "c_", 1)
    if kind == "void":
        first, last = f"subroutine {bound}{head}", "end subroutine"
    else:
        first, last = f"function {bound}{head} result(ended)", "end function"
    groups: dict[str, list[str]] = {}
    for of, argument in given:
        text = header.argument(of, argument)
        before, after = text.split("%s")
        groups.setdefault(before, []).append(argument + after)
    said = ["import"] + [before + ", ".join(of) for before, of in groups.items()]
    if kind != "void":
        said.append(f"{header.result(kind)} :: ended")
    lines, line = [], ""
    for each in said:
        if line and len(line) + len(each) + 8 > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line}; {each}" if line else each
    return "\n".join([*wrapped("    " + first), *("      " + each for each in [*lines, line])]) + f"\n    {last}\n"


def wrapped(line: str) -> list[str]:
    """A statement on lines that are not too long, broken behind a comma."""
    if len(line) <= WIDTH:
        return [line]
    at = line.rindex(", ", 0, WIDTH - 1) + 2
    return [line[:at] + "&", *wrapped("        " + line[at:])]


def structure(header: Header, name: str, body: str) -> str:
    text = f"  type, bind(c) :: {fortran_name(name)}\n"
    for field in filter(None, (" ".join(each.split()) for each in body.split(";"))):
        kind, of, length = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", field).groups()
        fortran = "type(c_ptr)" if "*" in kind else SCALARS[kind.strip()]
        start = " = 0" if name in PUBLIC else ""
        text += f"    {fortran} :: {of}{f'({length})' if length else ''}{start}\n"
    return text + "  end type\n"


def text_of(header: Header) -> str:
    head = "! The structures and functions of weft.h. Written by scripts/fortran_interfaces.py --fix, which a test runs.\n\n"
    structures = "\n".join(structure(header, name, body) for name, body in header.structures)
    functions = "".join(interface(header, *each) for each in header.functions if each[1] not in SKIPPED)
    return f"{head}{structures}\n  interface\n{functions}  end interface\n"


def main() -> int:
    root = Path(next((each for each in sys.argv[1:] if each != "--fix"), Path(__file__).resolve().parent.parent))
    text = text_of(Header((root / "include" / "weft.h").read_text(encoding="utf-8")))
    if "--fix" in sys.argv:
        (root / FILE).write_text(text, encoding="utf-8")
        return 0
    if (root / FILE).read_text(encoding="utf-8") == text:
        return 0
    print(f"{FILE} is not what include/weft.h says; run scripts/fortran_interfaces.py --fix", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
