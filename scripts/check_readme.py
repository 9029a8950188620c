#!/usr/bin/env python3
"""Checks that the code in README.md is that of the examples: after `<!-- from FILE -->` stands, in a fenced block,
what FILE has between its two `// [readme]` lines (`# [readme]` in Python), less the indentation.

check_readme.py [root of the source tree]
"""

import re
import sys
import textwrap
from pathlib import Path

from source_tree import finish


def marked(text: str) -> str | None:
    parts = re.split(r"^ *(?://|#) \[readme\]\n", text, flags=re.MULTILINE)
    return textwrap.dedent(parts[1]) if len(parts) == 3 else None


def complaints(root: Path) -> list[str]:
    readme = (root / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- from (\S+) -->\n```(?:cpp|python)\n(.*?)```", readme, flags=re.DOTALL)
    result = [] if blocks else ["README.md: shows no example; expected `<!-- from examples/... -->` and its code"]
    for name, shown in blocks:
        source = root / name
        code = marked(source.read_text(encoding="utf-8")) if source.is_file() else None
        if code is None:
            result.append(f"README.md: {name} has no part between two `[readme]` lines")
        elif code != shown:
            result.append(f"README.md: the code from {name} differs from the example; copy it again")
    return result


if __name__ == "__main__":
    sys.exit(finish("readme", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
