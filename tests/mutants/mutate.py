#!/usr/bin/env python3
"""Makes a broken copy of a source, or checks that all can be made.

A comment `// mutant: <name>, <name>` in a source marks a place; CMakeLists.txt has, under the same name, the text behind the mark and
what takes its place. Blanks, line ends and comments between the words of the text do not count, so code may be formatted anew.

mutate.py <root of the source tree> <name> <output>
mutate.py <root of the source tree>                     checks marks against mutants
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

LIST = "tests/mutants/CMakeLists.txt"
ENTRY = re.compile(r"^weft_(?:header_)?mutant\((\w+) (\S+)\s+\[\[(.*?)\]\]\s+\[\[(.*?)\]\]", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^ *// mutant: ([\w, ]+)$", re.MULTILINE)
NEAR = 6  # lines


@dataclass(frozen=True)
class Mutant:
    name: str
    source: str  # below src/, or a header below the root
    text: str
    replacement: str


class Misplaced(Exception):
    """A mutant whose place or text is not where it should be."""


def path_of(root: Path, source: str) -> Path:
    return root / source if source.startswith("include/") else root / "src" / source


def mutants(root: Path) -> list[Mutant]:
    return [Mutant(*fields) for fields in ENTRY.findall((root / LIST).read_text(encoding="utf-8"))]


def marks(code: str) -> dict[str, int]:
    """The name in each mark, and where its line ends."""
    return {name.strip(): mark.end() for mark in MARK.finditer(code) for name in mark[1].split(",")}


def pattern_of(text: str) -> str:
    words = re.findall(r"\w+|[^\w\s]", text)
    return r"(?:\s|//[^\n]*\n)*".join(map(re.escape, words))


def mutated(code: str, mutant: Mutant) -> str:
    if not mutant.text: # a control
        return code
    place = marks(code).get(mutant.name)
    if place is None:
        raise Misplaced(f"{mutant.source}: no '// mutant: {mutant.name}'")
    found = re.compile(pattern_of(mutant.text)).search(code, place)
    if found is None or code.count("\n", place, found.start()) > NEAR:
        raise Misplaced(f"{mutant.source}: behind '// mutant: {mutant.name}' there is no '{mutant.text}'; {LIST} replaces it")
    return code[:found.start()] + mutant.replacement + code[found.end():]


def complaints(root: Path) -> list[str]:
    result = []
    known: dict[str, set[str]] = {}
    for mutant in mutants(root):
        names = known.setdefault(mutant.source, set())
        if mutant.name in names:
            result.append(f"{LIST}: {mutant.name} is there twice")
        names.add(mutant.name)
        try:
            mutated(path_of(root, mutant.source).read_text(encoding="utf-8"), mutant)
        except Misplaced as misplaced:
            result.append(str(misplaced))
    headers = sorted((root / "include").rglob("*.hpp"))
    for path in sorted((root / "src").rglob("*.cpp")) + headers:
        source = str(path.relative_to(root if path in headers else root / "src"))
        for name in marks(path.read_text(encoding="utf-8")):
            if name not in known.get(source, set()):
                result.append(f"{source}: '// mutant: {name}' has no row in {LIST}")
    return result


def main() -> int:
    root = Path(sys.argv[1])
    if len(sys.argv) == 2:
        wrong = complaints(root)
        print("\n".join(wrong) if wrong else "mutants: all is well")
        return 1 if wrong else 0
    mutant = next(each for each in mutants(root) if each.name == sys.argv[2])
    output = Path(sys.argv[3])
    output.parent.mkdir(parents=True, exist_ok=True)
    try:
        code = mutated(path_of(root, mutant.source).read_text(encoding="utf-8"), mutant)
    except Misplaced as misplaced:
        sys.exit(str(misplaced))
    output.write_text(code, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
