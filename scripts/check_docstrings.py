#!/usr/bin/env python3
"""Checks that public docstrings say what a caller of collective functions needs.

  * One that says Collective says Blocks, Cost and Throws too ("Blocks: as `exchange`" will do, "does not block" too).
  * One of a function that takes a communicator first says Collective or Local, or that it is the same as another one.
  * One of a function begins with a verb in the third person ("Returns", "Sends", "Waits until"), but for constructors.

`namespace detail` and the tiers for those who write engines are left out.

check_docstrings.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from source_tree import finish, public_headers, tier_of, without_details

COMMENT = re.compile(r"((?:^[ \t]*///.*\n)+)(?=((?:[ \t]*[^/\s].*\n){1,4}))", re.MULTILINE)
OF_OTHERS = re.compile(r"\bas `|\b[Tt]he same\b|\b[Oo]therwise as\b")

VERB = re.compile(r"(?:[A-Z][a-z]*s|Called|Act|Do|Combine)\b")
NO_VERB = re.compile(r"(?:As|Its|This|Ids|Values|Messages|Entries|Loops|Links|Items|Blocks|Bytes|Sizes|Spans|Ticks|Ranks|Points|Cells)\b")


def said(comment: str) -> str:
    return " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())


def is_type(code: str) -> bool:
    return re.match(r"\s*(template\s*<[^\n]*>\s*)?(requires[^\n]*\s*)?(class|struct|enum)\b", code) is not None


def is_function(code: str) -> bool:
    """True for code that declares a function, and no constructor, in its first lines."""
    head = re.sub(r"\[\[[^\]]*\]\]|^\s*(?:template|requires)\b.*$", "", code, flags=re.MULTILINE)
    head = re.split(r"[{;]|(?<![=<>!])=(?!=)", head.replace("operator==", "operator").replace("operator=", "operator"))[0]
    before, call, _ = head.partition("(")
    words = [word for word in before.split() if word not in ("explicit", "constexpr", "static", "inline", "virtual", "friend")]
    declares_type = re.match(r"\s*(?:class|struct|enum|using|concept|namespace|#|extern)\b|.*\bstd::function<", head) is not None
    return bool(call) and len(words) > 1 and not declares_type


def missing(text: str, code: str) -> list[str]:
    if "Collective" in text and not re.search(r"Collective: no\b", text) and not is_type(code):
        return [word for word in ("Blocks", "Cost", "Throws")
                if word not in text and not (word == "Blocks" and re.search(r"not block\b", text))]
    takes_ranks = re.search(r"^[^;{]*?\(\s*communicator const& \w+", code) is not None
    if takes_ranks and "Local" not in text and not OF_OTHERS.search(text) and "Collective" not in text:
        return ["Collective or Local"]
    return []


def complaints_of(name: str, text: str) -> list[str]:
    text = without_details(text)
    result = []
    for found in COMMENT.finditer(text):
        words = missing(said(found[1]), found[2])
        line = text.count("\n", 0, found.start()) + 1
        if is_function(found[2]) and (not VERB.match(said(found[1])) or NO_VERB.match(said(found[1]))):
            result.append(f"{name}:{line}: the docstring begins with \"{said(found[1]).split(' ')[0]}\"; begin it with a verb: "
                          "Returns, Sends, Waits until")
        if words:
            result.append(f"{name}:{line}: the docstring says nothing of {', '.join(words)}")
    return result


def complaints(root: Path) -> list[str]:
    result = []
    for header in public_headers(root):
        if tier_of(header) == "user":
            result += complaints_of(str(header), (root / "include" / header).read_text(encoding="utf-8"))
    return result


if __name__ == "__main__":
    sys.exit(finish("docstrings", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
