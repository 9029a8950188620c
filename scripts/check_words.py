#!/usr/bin/env python3
"""Checks the words of comments and documentation: the subject of a sentence is a thing. A sentence that begins with What,
Who or Whether has none: "True if a request is under way" for "Whether a request is under way". A thing "that is none" is invalid.

Comments are read in include, src and tools, pages in the README, ARCHITECTURE and docs. Questions are welcome.

Sentences for users (pages, headers, docstrings of Python), which may go over several lines, are read more strictly: none begins with Which either,
nothing "is no number" ("is not a number") or "stands for none" ("marks missing data"), and there are not "so many".

Words of those who build Weft (census, epoch, adversary, mutants, leases, glances) stay in ARCHITECTURE, CONTRIBUTING and decision records: README, the
other pages, headers for users, docstrings of Python and the command say it in words of the field, also in the names of folders. No variable of the environment
and no option has such a word in its name, but for WEFT_ADVERSARY (ADR 305).

Messages and comments of the library (include, src, python) name no options of the command: `header_bytes`, not --header-bytes. The
command shows a field between backticks as its option.

check_words.py [root of the source tree]
"""

import ast
import re
import sys
from pathlib import Path

from source_tree import code_files, finish

PUZZLE = re.compile(r"\b(?:that|which) (?:is|are) none(?! of\b)")  # "for an invalid rank" for "for a rank that is none"
SENTENCE = re.compile(r"(?:^|[.:;] )(What|Who|Whether) [a-z][^.?]*(?P<end>[.?]|$)")
INTERNAL = re.compile(r"\b(adversar\w+|census(?:es)?|epochs?|mutants?|leas(?:e|es|ed|ing)|glanc(?:e|es|ed|ing))\b", re.IGNORECASE)
STRICT = (
    (re.compile(r"(?:^|[.:;] )(What|Who|Whether|Which) [a-z][^.?]*(?:[.;]|$)"), "begin it with a thing"),
    (re.compile(r"(?<!\b[Tt]here )\b(?:is|are) no (?!longer\b|more\b|less\b)\w+"), 'say "is not a ..."'),
    (re.compile(r"(?<!\b[Tt]here )\b(?:(?:is|are)|stands? for) none\b(?! of\b)"), "name the thing"),
    (re.compile(r"\bso many\b"), "name the number"))
QUOTED = re.compile(r"`[^`]*`|\]\([^)]*\)")  # names of files and symbols
FOLDERS = ("include", "src", "tools")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
NAMED_INSIDE = re.compile(r"(?:\bWEFT_(?!ADVERSARY\b)|(?<![\w-])--)(?:[A-Za-z0-9]+[-_])*(?:adversary|census|epochs?|mutants?|leases?|glances?)(?![A-Za-z])", re.IGNORECASE)
FOLDER_INSIDE = re.compile(r"`tests/(?:adversary|mutants)\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def comment_lines(text: str):
    """Line number and text of each comment line."""
    for number, line in enumerate(text.splitlines(), start=1):
        found = re.search(r"(?:^|\s)//[/]?<?\s?(.*)$", line)
        if found and '"' not in line[:found.start()]:
            yield number, found[1]


def page_lines(text: str):
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        fenced ^= line.startswith("```")
        if not fenced:
            yield number, re.sub(r"^(?:[-*>#|]|\d+\.)?\s*", "", line)


def paragraphs(lines):
    """(number of the first line, text) of lines that follow each other, up to an empty one."""
    first, texts = 0, []
    for number, line in [*lines, (0, "")]:
        if texts and (not line.strip() or number != first + len(texts)):
            yield first, " ".join(texts)
            texts = []
        if line.strip():
            first = first if texts else number
            texts.append(line.strip())


def docstrings(text: str):
    """(number, line) of the docstrings of a Python file, without examples."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            first = node.body[0]
            for number, line in enumerate(first.value.value.splitlines(), start=first.lineno):
                if line.lstrip().startswith(">>>"):
                    break
                yield number, "" if set(line.strip()) == {"-"} else line


def strict_complaints(name: str, lines) -> list[str]:
    return [f'{name}:{number}: "{found[0][:60]}"; {cure}' for number, text in paragraphs(lines)
            for rule, cure in STRICT for found in rule.finditer(QUOTED.sub("", text)) if not found[0].endswith("?")]


def complaints_of_users(name: str, lines) -> list[str]:
    """Also by the stricter rules, a line once."""
    result = complaints_of(name, lines)
    known = {each.split(": ", 1)[0] for each in result}
    return result + [each for each in strict_complaints(name, lines) if each.split(": ", 1)[0] not in known]


def complaints_of(name: str, lines) -> list[str]:
    result = []
    for number, line in lines:
        found = SENTENCE.search(line)
        if found and found["end"] != "?":
            result.append(f'{name}:{number}: a sentence begins with "{found[1]}"; begin it with a thing')
        if puzzle := PUZZLE.search(line):
            result.append(f'{name}:{number}: "{puzzle[0]}"; say "invalid", or name the thing')
    return result


def internal_words(name: str, lines) -> list[str]:
    return [f"{name}:{number}: '{found[0]}' is a word of those who build Weft; say it in words of the field"
            for number, line in lines
            if (found := INTERNAL.search(QUOTED.sub("", line)) or NAMED_INSIDE.search(line) or FOLDER_INSIDE.search(line))]


def internal_names(name: str, text: str) -> list[str]:
    """Of variables and options that a source defines or writes."""
    return [f"{name}:{number}: {found[0]} has a word of those who build Weft; name it in words of the field"
            for number, line in enumerate(text.splitlines(), start=1) if (found := NAMED_INSIDE.search(" ".join(TEXT.findall(line))))]


def is_for_users(file: Path) -> bool:
    return file.parts[0] == "tools" or file.parts[0] == "include" and not {"extend", "detail"} & set(file.parts)


def option_complaints(name: str, text: str) -> list[str]:
    result = []
    for number, line in enumerate(text.splitlines(), start=1):
        line = re.sub(r"`\w+ [^`]*`", "", line)  # a command line
        comment = re.search(r"(?:^|\s)(?://|#(?! *include)|\"\"\")(.*)$", line)
        texts = " ".join([*TEXT.findall(line), comment[1] if comment else ""])
        found = OPTION.search(texts)
        if found:
            result.append(f"{name}:{number}: a message of the library names {found[0]}; name the field between backticks")
    return result


def complaints(root: Path) -> list[str]:
    result = []
    python = [file.relative_to(root) for file in sorted((root / "python").rglob("*.py")) if file.name != "__main__.py"]
    for file in [*code_files(root, ("include", "src", "python")), *python]:
        result += option_complaints(str(file), (root / file).read_text(encoding="utf-8"))
    for file in code_files(root, FOLDERS):
        result += internal_names(str(file), (root / file).read_text(encoding="utf-8"))
        lines = list(comment_lines((root / file).read_text(encoding="utf-8")))
        strictly = is_for_users(file) and file.parts[0] == "include"
        result += complaints_of_users(str(file), lines) if strictly else complaints_of(str(file), lines)
        result += internal_words(str(file), lines) if is_for_users(file) else []
    for file in python:
        lines = list(docstrings((root / file).read_text(encoding="utf-8")))
        result += strict_complaints(str(file), lines) + internal_words(str(file), lines)
    pages = [root / "README.md", root / "ARCHITECTURE.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        if page.is_file() and "adr" not in page.parts:
            lines = list(page_lines(page.read_text(encoding="utf-8")))
            name = str(page.relative_to(root))
            if name == "ARCHITECTURE.md":
                result += complaints_of(name, lines)
            else:
                result += complaints_of_users(name, lines) + internal_words(name, lines)
    return result


if __name__ == "__main__":
    sys.exit(finish("words", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
