#!/usr/bin/env python3
"""Checks that the public headers are those of a list, tests/checks/public_headers.txt, so that their number grows on
purpose: a header for users is one more thing to read, and one more promise.

check_public.py [--fix] [root of the source tree]
"""

import argparse
import sys
from pathlib import Path

from source_tree import finish, public_headers, tier_of

LIST = Path("tests/checks/public_headers.txt")
TITLES = {
    "user": "For programs",
    "extend": "For those who write engines, channels and bindings of their own",
    "detail": "For nobody: what templates of the others need",
}


def text_of(headers: list[Path]) -> str:
    parts = []
    for tier, title in TITLES.items():
        names = [str(header) for header in headers if tier_of(header) == tier]
        parts.append(f"# {title}: {len(names)}\n" + "".join(f"{name}\n" for name in names))
    return "\n".join(parts)


def complaints(root: Path) -> list[str]:
    there = {str(header) for header in public_headers(root)}
    listed = {line for line in (root / LIST).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}
    cure = "scripts/check_public.py --fix writes the list"
    return ([f"{name}: public, but not in {LIST}; move it to src/, or, if programs need it, {cure}" for name in sorted(there - listed)] +
            [f"{name}: in {LIST}, but not there; {cure}" for name in sorted(listed - there)])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("root", nargs="?", type=Path, default=Path("."))
    chosen = parser.parse_args()
    if chosen.fix:
        (chosen.root / LIST).write_text(text_of(public_headers(chosen.root)), encoding="utf-8")
    return finish("public headers", complaints(chosen.root))


if __name__ == "__main__":
    sys.exit(main())
