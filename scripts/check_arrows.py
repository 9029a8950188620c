#!/usr/bin/env python3
"""Checks who includes whom.

- A module includes only itself and the modules that its CMakeLists.txt says it needs, directly or not. The compiler sees to it for
  sources; this check also for headers that no source of their module includes.
- Public headers include no private ones. Examples include none of weft/detail.
- Only weft/mpi.hpp includes <mpi.h>, and examples/coming_from_*, which show programs in MPI alone; no other public header includes weft/mpi.hpp.
- The library does not include weft/weft.hpp, which is everything.

check_arrows.py [root of the source tree]
"""

import itertools
import re
import sys
from pathlib import Path, PurePosixPath

from source_tree import Include, code_files, finish, includes, module_of, tier_of

ABOVE_ALL = ("tools", "python")  # they may use every module


def arrows(root: Path) -> dict[str, set[str]]:
    """The modules that those of each folder need, directly or not: from src/<folder>/CMakeLists.txt."""
    direct: dict[str, set[str]] = {}
    for file in sorted((root / "src").glob("*/CMakeLists.txt")):
        needs = direct.setdefault(file.parent.name, set())
        for call in re.findall(r"weft_module\(([^)]*)\)", file.read_text(encoding="utf-8")):
            words = call.split()
            if "NEEDS" in words:
                listed = words[words.index("NEEDS") + 1:]
                needs.update(itertools.takewhile(lambda word: not word.isupper(), listed))

    def reached(module: str) -> set[str]:
        return set().union({module}, *(reached(each) for each in direct.get(module, set()) - {module}))

    return {module: reached(module) for module in direct}


MPI_DOOR = PurePosixPath("weft/mpi.hpp")
EVERYTHING = PurePosixPath("weft/weft.hpp")


def module_of_file(file: Path) -> str | None:
    """The module that a file belongs to; None for one that may include anything (tests, examples, weft.hpp)."""
    parts = file.parts
    if parts[0] == "include":
        return module_of_public_header(PurePosixPath(*parts[1:]))
    if parts[0] == "src":
        return parts[1]
    return parts[0] if parts[0] in ABOVE_ALL else None


def module_of_public_header(header: PurePosixPath) -> str | None:
    if header == MPI_DOOR:
        return "core"
    if header == EVERYTHING:
        return None
    return module_of(header)


def private_module(root: Path, include: Include) -> str | None:
    """The module of a private header of src/ that an include names; None if it names none."""
    for base in (root / include.file.parent, root / "src"):
        target = (base / include.name).resolve()
        source = (root / "src").resolve()
        if target.is_file() and target.is_relative_to(source):
            return target.relative_to(source).parts[0]
    return None


def complaint_about(root: Path, include: Include, needs: dict[str, set[str]]) -> str | None:
    at = f"{include.file}:{include.line}"
    user = module_of_file(include.file)
    public = include.file.parts[0] == "include"
    name = PurePosixPath(include.name)

    if include.name == "mpi.h":
        shows_mpi_alone = include.file.parts[0] == "examples" and include.file.name.startswith("coming_from_")
        if include.file != Path("include", MPI_DOOR) and not shows_mpi_alone:
            return f"{at}: includes <mpi.h>; only weft/mpi.hpp does, include that"
        return None
    if name.parts[0] == "weft":
        if name == MPI_DOOR and public:
            return f"{at}: a public header includes weft/mpi.hpp, so its users would need the headers of MPI"
        if name == EVERYTHING and include.file.parts[0] in ("include", "src"):
            return f"{at}: the library includes weft/weft.hpp, which is everything; include what is used"
        if include.file.parts[0] == "examples" and tier_of(name) == "detail":
            return f"{at}: includes {include.name}, which nobody outside of Weft does"
        used = module_of_public_header(name)
    else:
        used = private_module(root, include)
        if used is not None and public:
            return f"{at}: a public header includes the private header {include.name}"
    if used is None or user is None or used == user:
        return None
    if user in ABOVE_ALL:
        return None
    for module in (user, used):
        if module not in needs:
            return f"{at}: '{module}' is no module: there is no src/{module}/CMakeLists.txt"
    if used in needs[user]:
        return None
    why = f"{used} stands above {user}" if user in needs[used] else "they do not know each other"
    return f"{at}: {user} includes {used} ({include.name}), against the arrow: {why}"


def complaints(root: Path) -> list[str]:
    needs = arrows(root)
    found = [complaint_about(root, include, needs) for file in code_files(root) for include in includes(root, file)]
    result = [complaint for complaint in found if complaint is not None]
    if not any(file.parts[0] == "include" for file in code_files(root)):
        result.append(f"{root}: no header below include/: is this the root of the source tree?")
    return result


if __name__ == "__main__":
    sys.exit(finish("arrows", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
