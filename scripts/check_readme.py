#!/usr/bin/env python3
"""Checks that the code in README.md and docs/ is that of programs that the tests run. A block of C++ or Python stands behind
`<!-- from FILE -->`: it is what FILE has between its two `// [readme]` lines (`# [readme]` in Python, `! [readme]` in Fortran), less the indentation;
of `<!-- from FILE#part -->` between its two `// [part]` lines, which may lie within another part; of `<!-- all of FILE -->` the whole file. A block that cannot be
run, of another library say, stands behind `<!-- not run: the reason -->`. Blocks of commands (sh) are run by
tests/tools/documents_test.py.

check_readme.py [root of the source tree]
"""

import re
import sys
import textwrap
from pathlib import Path

from source_tree import finish

CODE = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(cpp|c|fortran|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def documents(root: Path) -> list[Path]:
    """README.md and the pages of the site; decisions are history, and may show code that is gone."""
    pages = sorted((root / "docs").rglob("*.md"))
    return [root / "README.md", *(page for page in pages if "adr" not in page.parts)]


def marked(text: str, part: str = "readme") -> str | None:
    parts = re.split(rf"^ *(?://|#|!) \[{part}\]\n", text, flags=re.MULTILINE)
    return textwrap.dedent(without_marks(parts[1])) if len(parts) == 3 else None


def without_marks(text: str) -> str:
    return re.sub(r"^ *(?://|#|!) \[\w+\]\n", "", text, flags=re.MULTILINE)


def complaint_about(root: Path, heads: str, shown: str) -> str | None:
    if re.search(r"<!-- not run: \S.* -->", heads):
        return None
    source = re.search(r"<!-- (from|all of) (\S+?)(?:#(\w+))? -->", heads)
    if source is None:
        return "code that no test runs; expected `<!-- from examples/... -->` above it"
    whole, name, part = source[1] == "all of", source[2], source[3] or "readme"
    text = (root / name).read_text(encoding="utf-8") if (root / name).is_file() else ""
    code = without_marks(text) if whole else marked(text, part)
    if not code:
        return f"{name} has no part between two `[{part}]` lines"
    return f"the code from {name} differs from the example; copy it again" if code != shown else None


def complaints(root: Path) -> list[str]:
    result = []
    for page in documents(root):
        text = page.read_text(encoding="utf-8")
        for block in CODE.finditer(text):
            if said := complaint_about(root, block[1], block[3]):
                line = text.count("\n", 0, block.start()) + 1
                result.append(f"{page.relative_to(root)}:{line}: {said}")
    return result


def fixed(root: Path, text: str) -> str:
    """The text with the code of its blocks copied again."""
    def copied(block):
        source = re.search(r"<!-- (from|all of) (\S+?)(?:#(\w+))? -->", block[1])
        if source is None or not (root / source[2]).is_file():
            return block[0]
        code = (root / source[2]).read_text(encoding="utf-8")
        code = without_marks(code) if source[1] == "all of" else marked(code, source[3] or "readme")
        return f"{block[1]}```{block[2]}\n{code}```" if code else block[0]
    return CODE.sub(copied, text)


if __name__ == "__main__":
    arguments = [each for each in sys.argv[1:] if each != "--fix"]
    tree = Path(arguments[0] if arguments else ".")
    if "--fix" in sys.argv:
        for page in documents(tree):
            page.write_text(fixed(tree, page.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(finish("readme", complaints(tree)))
