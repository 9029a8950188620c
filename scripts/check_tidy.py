#!/usr/bin/env python3
"""Checks the C++ of src/ and tools/, and the headers that it includes, by clang-tidy 14 and the list of .clang-tidy.

How each source is compiled is read from compile_commands.json of a build, joined (unity) or not. Sources of equal options in
one folder are joined here, as a unity build does: most of the time goes into headers, which are then read once for all of them. A
source with a `using namespace` of its own stands alone.

Exit status 77, which ctest shows as skipped, where there is no clang-tidy 14.

check_tidy.py <folder of a build> [root of the source tree [<source>...]]      with sources: these alone
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import finish

VERSION = 14
SKIPPED = 77
FOLDERS = ("src", "tools")
TOGETHER = 16  # sources a unit
USES = re.compile(r"^using namespace", re.MULTILINE)
# Options of g++ that clang does not know; warnings are the compiler's matter.
FOREIGN = re.compile(r"-W.*|-f(no-)?(sanitize|profile|toplevel|var-tracking|analyzer)\S*|--coverage")


def find_clang_tidy() -> str | None:
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        program = shutil.which(name)
        if program and re.search(rf"version {VERSION}\.", subprocess.run(
                [program, "--version"], capture_output=True, text=True, check=False).stdout):
            return program
    return None


def sources_of(unit: Path) -> list[Path]:
    """The sources that a unit joins; the unit itself where it is no unity source."""
    if "Unity" not in unit.parts:
        return [unit]
    return [Path(name) for name in re.findall(r'^#include "(.+)"', unit.read_text(encoding="utf-8"), re.MULTILINE)]


def options_of(command: str) -> tuple[str, ...]:
    """The options of a compilation that matter to a reader of its source."""
    kept = []
    words = iter(shlex.split(command)[1:])
    for word in words:
        if word in ("-o", "-c", "-MF", "-MT"):
            next(words, None)
        elif word not in ("-MD", "-MMD") and not FOREIGN.fullmatch(word):
            kept.append(word)
    return tuple(kept)


def units_of(build: Path, root: Path, chosen: list[Path]) -> list[tuple[tuple[str, ...], list[Path]]]:
    """Options and sources of each unit that is to be checked."""
    alike: dict[tuple[object, ...], list[Path]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        for source in sources_of(Path(entry["file"])):
            parts = source.relative_to(root).parts if source.is_relative_to(root) else ("", "")
            if parts[0] in FOLDERS and (not chosen or source in chosen):
                alone = source if USES.search(source.read_text(encoding="utf-8")) else None
                alike.setdefault((options_of(entry["command"]), parts[:2], alone), []).append(source)
    return [(options, sources[first:first + TOGETHER]) for (options, *_), each in alike.items()
            for sources in [list(dict.fromkeys(each))] for first in range(0, len(sources), TOGETHER)]


def complaints(program: str, build: Path, root: Path, chosen: list[Path]) -> list[str]:
    units = units_of(build, root, chosen)
    if not units:
        return [f"{build}/compile_commands.json: no source below {' or '.join(FOLDERS)}"]
    with tempfile.TemporaryDirectory() as folder:

        def checked(number: int) -> str:
            options, sources = units[number]
            unit = Path(folder, f"unit_{number}.cpp")
            unit.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
            done = subprocess.run([program, "--quiet", f"--config-file={root / '.clang-tidy'}",
                                   f"--header-filter=^{re.escape(str(root))}/(src|tools|include)/", str(unit), "--",
                                   *options], cwd=build, capture_output=True, text=True, check=False)
            return done.stdout if done.returncode != 0 else ""

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            said = "\n".join(pool.map(checked, range(len(units))))
    # A header is read in many units: its faults are named once.
    faults = re.findall(r"^\S+:\d+:\d+: (?:error|warning): .*(?:\n(?!\S+:\d+:\d+: (?:error|warning)).*){0,2}", said, re.MULTILINE)
    return list(dict.fromkeys(faults)) or ([said] if said.strip() else [])


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    root = Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
    program = find_clang_tidy()
    if program is None:
        print(f"tidy: skipped, no clang-tidy {VERSION}; on Debian: apt-get install clang-tidy-{VERSION}")
        return SKIPPED
    return finish("tidy", complaints(program, build, root, [Path(each).resolve() for each in sys.argv[3:]]))


if __name__ == "__main__":
    sys.exit(main())
