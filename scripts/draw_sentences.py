#!/usr/bin/env python3
"""Draws ten sentences at random for a reader who knows MPI but not Weft: three of pages, three of headers for users, two of the help
of the command, two of docstrings of the Python package. The same seed draws the same ten from the same tree.

draw_sentences.py SEED [folder with the manual pages that `weft manual FOLDER` writes]
"""

import random
import re
import sys
from pathlib import Path

from check_words import comment_lines, docstrings, is_for_users, page_lines, paragraphs
from source_tree import code_files

ROOT = Path(__file__).resolve().parents[1]
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")


def of_pages():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if "adr" not in page.parts:
            lines = page.read_text(encoding="utf-8").splitlines()
            apart = [line if re.match(r"[A-Za-z`*\[( ]", line) or line.startswith("```") else "" for line in lines]
            yield from ((page, text) for _, text in paragraphs(list(page_lines("\n".join(apart)))))


def of_headers():
    for file in code_files(ROOT, ("include",)):
        if is_for_users(file):
            text = (ROOT / file).read_text(encoding="utf-8")
            behind = {number for number, line in enumerate(text.splitlines(), start=1) if "///<" in line}  # code
            lines = list(comment_lines(text))
            yield from ((ROOT / file, each) for number, each in lines if number in behind)
            yield from ((ROOT / file, each) for _, each in paragraphs([one for one in lines if one[0] not in behind]))


def of_helps(folder: Path):
    for page in sorted(folder.glob("*.1")):
        for block in re.split(r"\n(?:\.(?!R).*\n)+", page.read_text(encoding="utf-8").replace("\\-", "-")):
            yield page, re.sub(r"\\f[BIR]|\\&|\n\.R?\w*", " ", block).replace("\n", " ")


def of_docstrings():
    for file in sorted((ROOT / "python" / "weft").rglob("*.py")):
        lines = docstrings(file.read_text(encoding="utf-8"))
        yield from ((file, text) for _, text in paragraphs([(n, line.strip()) for n, line in lines]))


def sentences(texts):
    return [(file, each) for file, text in texts for each in SENTENCE.split(" ".join(text.split())) if len(each.split()) >= 5]


def main(seed: str, manual: str = "build/release/tools/self_description/man") -> int:
    chance = random.Random(seed)
    kinds = (of_pages(), of_headers(), of_helps(ROOT / manual), of_docstrings())
    number = 0
    for texts, share in zip(kinds, (3, 3, 2, 2)):
        for file, sentence in chance.sample(sentences(texts), share):
            number += 1
            print(f"{number:2}. {sentence}\n    {file.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
