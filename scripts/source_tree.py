"""What the check scripts share: the source files of a tree, its includes, and how a check reports."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

CODE_FOLDERS = ("include", "src", "tools", "tests", "examples", "benchmarks", "python")
SUFFIXES = {".hpp", ".cpp"}


TIERS = ("extend", "detail")  # folders of include/weft that hold modules, as include/weft itself does


@dataclass(frozen=True)
class Include:
    file: Path  # relative to the root
    line: int
    name: str
    quoted: bool


def code_files(root: Path, folders=CODE_FOLDERS) -> list[Path]:
    """All C++ files below the folders, relative to the root."""
    found = [path.relative_to(root) for folder in folders for path in (root / folder).rglob("*")
             if path.suffix in SUFFIXES and path.is_file()]
    return sorted(found)


def public_headers(root: Path) -> list[Path]:
    """The public headers, as one includes them: weft/core/error.hpp."""
    return sorted(path.relative_to(root / "include") for path in (root / "include").rglob("*.hpp"))


def tier_of(header: Path) -> str:
    """`user` for a header that programs include, `extend` for those who write engines, `detail` for nobody."""
    return header.parts[1] if header.parts[1] in TIERS else "user"


def module_of(header: Path) -> str | None:
    """The module of a public header: `core` of weft/core/error.hpp and of weft/detail/core/owned.hpp; nothing for weft/weft.hpp."""
    rest = header.parts[1:-1]
    return rest[-1] if rest and rest[-1] not in TIERS else None


def includes(root: Path, file: Path) -> list[Include]:
    """The #include lines of a file; not those in comments."""
    text = (root / file).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), text, flags=re.DOTALL)
    result = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            result.append(Include(file, number, match.group(2), match.group(1) == '"'))
    return result


def without_details(text: str) -> str:
    """The text of a header in which the lines inside `namespace detail` (or `weft::detail`) are empty, so that line numbers stay right."""
    lines, depth = [], 0
    for line in text.splitlines():
        if depth or re.match("namespace (weft::)?detail {", line):
            code = line.split("//")[0].replace("'{'", "").replace("'}'", "")
            lines.append("" if depth else line)
            depth += code.count("{") - code.count("}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def finish(what: str, complaints: list[str]) -> int:
    """Prints the verdict; the exit status."""
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if complaints:
        print(f"{what}: {len(complaints)} complaints", file=sys.stderr)
        return 1
    print(f"{what}: all is well")
    return 0
