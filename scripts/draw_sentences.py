#!/usr/bin/env python3
"""Draws ten sentences at random for a reader who knows MPI but not Weft: three of pages, three of headers for users, two of the help
of the command, two of docstrings of the Python package. The same seed draws the same ten from the same tree.

Each is printed with the place where a reader meets it: the heading of a page, the declaration below a comment, the option, the parameter.
Lists of choices and defaults, examples, and names of papers are no sentences.

The test: a reader reads each sentence once, with its place and nothing else, and writes down at once what it says, with each "it" replaced
by the thing that is meant. Somebody else compares this with the code. A sentence is understood if thing, action and condition are right.

draw_sentences.py SEED [folder with the manual pages that `weft manual FOLDER` writes]
"""

import ast
import random
import re
import sys
from pathlib import Path

from check_words import docstrings, is_for_users, paragraphs
from source_tree import code_files, without_details

ROOT = Path(__file__).resolve().parents[1]
BREAK = "\0"  # stands where a sentence may end without a full stop: before code, an item of a list or a further paragraph
END = re.compile(r"(?<=[.?!])(?<!\b[A-Z]\.)(?<!\be\.g\.)(?<!\bal\.)\s+(?=[A-Z`])")
CHOICES = re.compile(r"(?:One of|Default|Takes|Source): ")
TYPE = re.compile(r"\**\w+(?:, \**\w+)* : \S")
QUOTES = ('"""', "def ", "class ", "-")
CONDITION = re.compile(r"\s*(?:requires\b\s*)?[\w:]*")  # of a requires clause, up to its brackets


def of_pages():
    """Paragraphs and items of lists; no code, tables or directives."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if "adr" not in page.parts:
            heading, text, is_code = "", "", False
            for line in [*page.read_text(encoding="utf-8").splitlines(), ""]:
                is_fence = line.lstrip().startswith(("```", ":::"))
                is_code ^= is_fence
                starts = re.match(r"\s*(?:[-*] |\d+\. )", line)
                is_text = not is_code and not is_fence and re.match(r"\s*[^\s|#<>!]", line)
                if text and (starts or not is_text):
                    yield page, heading, text
                    text = ""
                if is_text:
                    text += line[starts.end() if starts else 0:].strip() + " "
                elif line.startswith("#") and not is_code:
                    heading = line.lstrip("# ")


def behind(text: str, at: int) -> int:
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    text = re.sub("->|[<>]=| [<>] ", lambda sign: "_" * len(sign[0]), text)  # are no brackets
    for place in range(at, len(text)):
        depth += (text[place] in "<([{") - (text[place] in ">)]}")
        if depth == 0:
            return place + 1
    return len(text)


def declaration(lines) -> str:
    """The declaration with which the lines begin, up to its end or its body, without `template <...>` and a requires clause before it."""
    text = " ".join(re.sub(r"//.*", "", line).strip() for line in lines[:30] if not line.startswith("#"))
    while start := re.match(r"template\s*(?=<)|requires\b", text):
        at = start.end()
        if text.startswith("template"):
            at = behind(text, at)
        else:
            while True:
                at = CONDITION.match(text, at).end()
                while bracket := re.compile(r"\s*(?=[<({])").match(text, at):
                    at = behind(text, bracket.end())
                more = re.compile(r"\s*(?:&&|\|\|)").match(text, at)
                if not more:
                    break
                at = more.end()
        text = text[at:].lstrip()
    flat = re.sub(r"operator\s*[^\w\s(]+", lambda name: "o" * len(name[0]), text)
    at = 0
    while at < len(flat) and flat[at] not in "{;,":
        at = behind(flat, at) if flat[at] in "<([" else at + 1
    return text[:at].removesuffix("= ").strip()


def of_headers():
    """Comments that the reference shows: of a declaration, which stands below, or behind `///<`, beside. Private members are not shown."""
    for file in code_files(ROOT, ("include",)):
        if is_for_users(file):
            text, is_code, hidden = "", False, False
            lines = without_details(re.sub(r"\n *///<|\n *(?={[^\n]*///<)", "", (ROOT / file).read_text(encoding="utf-8"))).splitlines()
            for at, line in enumerate([*lines, ""]):
                hidden = (hidden or line.startswith("private:")) and not line.startswith(("};", "} //", "public:"))
                said = re.match(r"\s*///(?!<)\s?(.*)", line)
                if said:
                    is_code = is_code or "\\code" in said[1]
                    starts = is_code or re.match(r"$|    |[-*] ", said[1])
                    text += (BREAK + " " if starts else "") + ("" if is_code or said[1].startswith("    ") else said[1] + " ")
                    is_code = is_code and "\\endcode" not in said[1]
                elif text and line.strip() and not line.startswith("#pragma"):
                    if not hidden:
                        yield ROOT / file, "the head of the file" if line.startswith("#include") else declaration(lines[at:]), text
                    text = ""
                if not hidden and (beside := re.search(r"///<\s?(.*)", line)):
                    yield ROOT / file, line[:beside.start()].strip(), beside[1]


def of_helps(folder: Path):
    """Lines of the manual pages; in notes, lines are joined to paragraphs, and to items, which begin with two blanks."""
    for page in sorted(folder.glob("*.1")):
        section = name = note = ""
        for line in [*page.read_text(encoding="utf-8").splitlines(), ".SH "]:
            line = re.sub(r"\\f[BIR]|\\&", "", line.replace("\\-", "-"))
            if note and re.match(r"\.|  \S", line):
                yield page, "", note
                note = ""
            if line.startswith(".SH "):
                section, name = line[4:], ""
            elif section == "NOTES" and not line.startswith("."):
                note += line + " "
            elif not line.startswith(".") and section not in ("SYNOPSIS", "EXAMPLES", "SEE ALSO", ""):
                if not name and section in ("OPTIONS", "ARGUMENTS", "OPTIONS OF EVERY COMMAND", "ENVIRONMENT", "COMMANDS"):
                    name = line
                else:
                    yield page, name, line.split(" - ", 1)[-1] if section == "NAME" else line
            elif line.startswith(".TP"):
                name = ""


def of_docstrings():
    """Docstrings of public names and their public members."""
    public = set(re.findall(r'^    "(\w+)",$', (ROOT / "python" / "weft" / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE))
    for file in sorted((ROOT / "python" / "weft").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        own = re.findall(r'^    "(\w+)",$|"(\w+)"[,\]]', text.split("__all__ = [", 1)[-1].split("]", 1)[0] + "]") if "__all__ = [" in text else []
        owners = {}
        for top in ast.parse(text).body:
            if isinstance(top, (ast.ClassDef, ast.FunctionDef)) and (top.name in public or top.name in {a or b for a, b in own}):
                for node in [top, *(each for each in top.body if isinstance(each, ast.FunctionDef))]:
                    owners.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.name))
        lines = list(docstrings(text))
        for place, (number, line) in enumerate(lines):  # what stands above a deeper line is the name of a parameter or of a section
            below = lines[place + 1] if place + 1 < len(lines) else (0, "")
            is_title = below[0] == number + 1 and len(below[1]) - len(below[1].lstrip()) > len(line) - len(line.lstrip()) > 0
            lines[place] = (number, "" if is_title or TYPE.match(line.strip()) else line.strip())
        for number, said in paragraphs(lines):
            if number not in owners or re.match("_[^_]", owners[number]):
                continue
            above = text.splitlines()[number - 2].strip() if number > 1 else ""
            yield file, f"{owners[number]}{', ' + above if above and not above.startswith(QUOTES) else ''}", said


def sentences(texts):
    """(file, its place there, sentence) for each sentence of five words and more, once."""
    found = {}
    for file, place, text in texts:
        parts = [" ".join(part.split()).removeprefix("- ").removeprefix("* ") for part in text.split(BREAK)]
        for each in (each for part in parts for each in END.split(part)):
            if len(each.split()) >= 5 and not CHOICES.match(each):
                found.setdefault(each, (file, place, each))
    return list(found.values())


def main(seed: str, manual: str = "build/release/tools/self_description/man") -> int:
    chance = random.Random(seed)
    kinds = (of_pages(), of_headers(), of_helps(ROOT / manual), of_docstrings())
    number = 0
    for texts, share in zip(kinds, (3, 3, 2, 2)):
        for file, place, sentence in chance.sample(sentences(texts), share):
            number += 1
            print(f"{number:2}. {sentence}\n    {file.relative_to(ROOT) if ROOT in file.parents else file.name}: {place[:200]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
