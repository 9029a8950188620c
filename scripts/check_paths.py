#!/usr/bin/env python3
"""Checks that what pages, comments and decision records name exists in the tree.

  * Paths: `src/core/door.hpp`, `core/door.hpp`, `door.hpp`, also with an ending left out; links of pages to files.
  * Decision records: ADR 26, docs/adr/0026.
  * Variables and CMake options: WEFT_EXCHANGE, and patterns of them: WEFT_TEST_*.
  * Subcommands and options of the command between backticks: `weft label --threshold`.
  * Scripts between backticks that are typed as commands: `benchmarks/kmers.py --megabytes 1` may be executed.
  * Symbols between backticks: `gather_bytes`, `agree()` and `weft.exchange` occur in the code; of `exchange_options::protocol`
    the last name occurs in a file that declares the first one.

Two places may name what is gone: CHANGELOG.md, and a record of a decision whose first line says that it was superseded or
amended. Plain symbols are passed over in docs/coming_from, which names those of other libraries, and in docs/inputs.md, which names
attributes of formats.

check_paths.py [root of the source tree]
"""

import os
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from source_tree import finish

NOT_OURS = {"build", ".git", ".venv", "__pycache__", "_build", "node_modules"}
HASH_COMMENTS = {".py", ".cmake", ".sh", ".toml", ".yml", ".yaml", ""}
C_COMMENTS = (".cpp", ".hpp", ".c", ".h")
FORTRAN = (".F90", ".f90", ".inc")
READ = HASH_COMMENTS | {*C_COMMENTS, *FORTRAN, ".md", ".in", ".txt", ".supp", ".html", ".ipynb", ".json", ".css", ".cff"}
ENDINGS = r"(?:hpp|cpp|md|py|cmake|sh|supp|ipynb|schema\.json|css)"

PATH = re.compile(rf"(?<![\w/.<>*{{}}$~@-])((?:[\w.-]+/)*[\w.-]*\w\.{ENDINGS})(?![\w/*{{}}-])")
RECORD = re.compile(r"\bADRs? (\d+)((?:(?:, | and )\d+)*)|docs/adr/(\d{4})((?:`?,? (?:and )?`\d{4}`)*)")
VARIABLE = re.compile(r"(?<![\w.])(?:-D)?(WEFT_[A-Z][A-Z0-9_]*)(\*?)")
SUBCOMMAND = re.compile(r"\bweft((?: -n \d+)?)((?: [a-z]+)+)")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
SCRIPT = re.compile(r"((?:benchmarks|packaging|scripts)/[\w/.-]+)(?: |$)")
QUALIFIED = re.compile(r"\b((?:[a-z]\w*::)+)(~?[a-z]\w*)")
SYMBOL = re.compile(r"(?<![\w.:/-])([a-z]\w*)(?=\()|(?<![\w.:/$<-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b(?!\.\w)")
PYTHON = re.compile(r"\bweft\.((?:\w+\.)*\w+)")
OTHERS = re.compile(r"^(?:std|diy|ygm|nanobind|nb|cereal|CLI|boost|MPI|PMPI|PETSc|fmt|numpy|vtk)$")
DOCSTRING = re.compile(r'(?m)^ *"""(?s:.*?)"""$')
DECLARES = r"\b(?:class|struct|union|enum|enum class|namespace|concept|using)\s+(?:\w+::)*{}\b"


# Names that pages take from the reader's own program, or from other libraries.
INVENTED = {"count.py", "mine.cpp", "mpi4py_comm", "sc_init", "snapshot_010"}
ELSEWHERE = ("build/", "usr/", "opt/", "etc/", "share/", "shared/", "weft-config")  # built, installed, or of the system


def without_comments(file: Path, text: str) -> str:
    if file.suffix in FORTRAN:
        return re.sub(r"(?m)(?:^|\s)!.*$", "", text)
    if file.suffix in C_COMMENTS:
        return re.sub(r"(?m)(?:^|\s)//.*$", "", text)
    if file.suffix in HASH_COMMENTS or file.name == "CMakeLists.txt":
        text = re.sub(r"(?m)(?:^|\s)#(?!include|define|if|el|endif).*$", "", text)
        return DOCSTRING.sub("", text) if file.suffix == ".py" else text
    return text


@dataclass
class Tree:
    root: Path
    code: dict[Path, str] = field(default_factory=dict)  # the text of each file, less comments and pages
    prose: dict[Path, list[tuple[int, str]]] = field(default_factory=dict)  # numbered lines of pages and comments
    names: set[str] = field(default_factory=set)  # every file and folder: its path, and what the path ends with

    def __post_init__(self):
        for path in sorted(self.root.rglob("*")):
            file = path.relative_to(self.root)
            if NOT_OURS & set(file.parts):
                continue
            for first in range(len(file.parts)):
                self.names.add("/".join(file.parts[first:]))
            if path.is_file() and file.suffix in READ:
                self.take(file, path.read_text(encoding="utf-8", errors="replace"))

    def take(self, file: Path, text: str):
        if file.suffix == ".md":
            if file.name != "CHANGELOG.md":
                self.prose[file] = list(lines_of_page(file, text))
        else:
            self.code[file] = without_comments(file, text)
            self.prose[file] = list(comment_lines(file, text))

    @cached_property
    def words(self) -> set[str]:
        return set(re.findall(r"[A-Za-z_]\w*", "\n".join(self.code.values())))

    @cached_property
    def options(self) -> set[str]:
        return {option for file, text in self.code.items() if file.parts[0] not in ("src", "include")
                for option in OPTION.findall(text)}

    @cached_property
    def subcommands(self) -> set[str]:
        tools = "\n".join(text for file, text in self.code.items() if file.parts[0] == "tools")
        made = re.findall(r"\bmake_(\w+)\(CLI::App", tools)
        return {*made, *re.findall(r'words\[0\] [!=]= "(\w+)"', tools), "help"} if made else set()

    @cached_property
    def python_words(self) -> set[str]:
        package = [text for file, text in self.code.items() if file.parts[0] == "python"]
        return set(re.findall(r"[A-Za-z_]\w*", "\n".join(package)))

    def scope(self, name: str) -> set[str] | None:
        """The words of all files that declare a type or namespace of this name; None if no file does."""
        if name not in self.scopes:
            declares = re.compile(DECLARES.format(re.escape(name)))
            found = [text for text in self.code.values() if name in text and declares.search(text)]
            self.scopes[name] = set(re.findall(r"[A-Za-z_]\w*", "\n".join(found))) if found else None
        return self.scopes[name]

    @cached_property
    def scopes(self) -> dict[str, set[str] | None]:
        return {}

    def has_path(self, path: str) -> bool:
        path = re.sub(r"^(?:\.\.?/)+", "", path).rstrip("/")
        return path in self.names or path in INVENTED or self.is_generated(path) or path.startswith(ELSEWHERE)

    def is_generated(self, path: str) -> bool:
        """A page or picture of the site that the scripts in scripts/docs make, by a name that one of them has."""
        scripts = "\n".join(text for file, text in self.code.items() if file.parts[:2] == ("scripts", "docs"))
        return bool(re.search(r"(?:reference|pictures|knobs|examples)", path)) and bool(
            re.search(rf"\b{re.escape(Path(path).stem)}\b", scripts))


def lines_of_page(file: Path, text: str):
    """Lines outside of blocks of code: what stands in these is compared with programs, or run, by other tests."""
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        fenced ^= line.lstrip().startswith("```")
        if fenced:
            continue
        if "coming_from" in file.parts and line.startswith("|"):
            line = "|".join(["", *line.split("|")[2:]])
        yield number, line


def comment_lines(file: Path, text: str):
    mark = r"///?<?" if file.suffix in C_COMMENTS else "!>?" if file.suffix in FORTRAN else "#+"
    if file.suffix not in (*C_COMMENTS, *FORTRAN) and file.suffix not in HASH_COMMENTS and file.name != "CMakeLists.txt":
        return
    for number, line in enumerate(text.splitlines(), start=1):
        found = re.search(rf"(?:^|\s){mark}\s?(.*)$", line)
        if found and line[:found.start()].count('"') % 2 == 0:
            yield number, found[1]
    for docstring in DOCSTRING.finditer(text) if file.suffix == ".py" else ():
        first = text.count("\n", 0, docstring.start()) + 1
        yield from enumerate(docstring[0].splitlines(), start=first)


def missing_paths(tree: Tree, file: Path, line: str):
    line = re.sub(r"https?://\S+", "", line)
    for found in PATH.finditer(line):
        if not tree.has_path(found[1]):
            yield f"there is no file {found[1]}"
    for span in re.findall(r"`([\w./-]+/)`", line):
        if (tree.root / span.split("/")[0]).is_dir() and not tree.has_path(span):
            yield f"there is no folder {span}"
    if file.suffix == ".md":
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
            if "://" not in link and not (tree.root / file.parent / link).exists() and not tree.is_generated(link):
                yield f"the link to {link} leads nowhere"


def missing_records(tree: Tree, _file: Path, line: str):
    for found in RECORD.finditer(line):
        for number in re.findall(r"\d+", found[0]):
            if not any(re.match(rf"0*{int(number)}-", name) for name in tree.names):
                yield f"there is no decision record {int(number)}"


def missing_variables(tree: Tree, _file: Path, line: str):
    for name, pattern in VARIABLE.findall(line):
        if not (any(word.startswith(name) for word in tree.words) if pattern or name.endswith("_") else name in tree.words):
            yield f"there is no variable or option {name}"


def missing_of_command(tree: Tree, span: str):
    if tree.subcommands and (found := SUBCOMMAND.match(span)):
        name = found[2].split()[0]
        if name not in tree.subcommands:
            yield f"the command has no subcommand {name}"
    if span.startswith(("--", "weft ")):
        for option in OPTION.findall(span):
            if option not in tree.options:
                yield f"there is no option --{option}"


def not_executable(tree: Tree, span: str):
    path = tree.root / found[1] if (found := SCRIPT.match(span)) else None
    if path and path.is_file() and path.read_bytes().startswith(b"#!") and not os.access(path, os.X_OK):
        yield f"{found[1]} is not executable"


def missing_symbols(tree: Tree, file: Path, span: str):
    for scopes, name in QUALIFIED.findall(span):
        scope = scopes.removesuffix("::").split("::")[-1]
        if OTHERS.match(scopes.split("::")[0]) or scope == "weft" and name in tree.words:
            continue
        words = tree.scope(scope)
        if words is None and scope not in tree.words:
            yield f"nothing is called {scope}"
        elif name not in (words if words is not None else tree.words):
            yield f"{scope} has no {name}"
    for path in PYTHON.findall(span):
        yield from (f"the Python package has no {name}" for name in path.split(".")
                    if tree.python_words and name not in tree.python_words)
    if file == Path("docs/inputs.md") or "coming_from" in file.parts:
        return
    for called, plain in SYMBOL.findall(span):
        if (called or plain) not in tree.words | INVENTED:
            yield f"nothing is called {called or plain}"


def may_name_the_past(tree: Tree, file: Path) -> bool:
    if "adr" not in file.parts:
        return False
    first = (tree.root / file).read_text(encoding="utf-8").split("\n", 1)[0]
    return re.search(r"\((?:superseded|amended) by ", first) is not None


def complaints(root: Path) -> list[str]:
    tree = Tree(root)
    result = []
    for file, lines in tree.prose.items():
        if may_name_the_past(tree, file):
            continue
        for number, line in lines:
            found = [complaint for check in (missing_paths, missing_records, missing_variables)
                     for complaint in check(tree, file, line)]
            for span in re.findall(r"`([^`]+)`", line):
                found += missing_of_command(tree, span)
                found += not_executable(tree, span)
                found += missing_symbols(tree, file, span)
            result += [f"{file}:{number}: {complaint}" for complaint in dict.fromkeys(found)]
    return result


if __name__ == "__main__":
    sys.exit(finish("paths", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
