#!/usr/bin/env python3
"""Runs every command line of README.md and docs/: each block of `sh`, in a folder that has the files that the text talks of.
A block that cannot be run here stands behind `<!-- not run: the reason -->`; a block of text behind `<!-- prints -->` is what
the block of commands before it prints, in any order of lines. A build without VTK may say so. What is large in the text is small here: see SMALLER.
With --as-written nothing is made smaller, and the files are those of scripts/sample_files.py: some minutes, and 64 ranks.

documents_test.py WEFT EXAMPLES ROOT [--as-written [BRAIN.nii.gz]]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

WEFT, EXAMPLES, ROOT = map(Path, sys.argv[1:4])
AS_WRITTEN = sys.argv[4:5] == ["--as-written"]
BRAIN = Path(sys.argv[5]) if len(sys.argv) > 5 else None
sys.path.insert(0, str(ROOT / "scripts"))

from check_readme import documents  # noqa: E402
import sample_files  # noqa: E402
import small_inputs  # noqa: E402

AT_A_TIME = 1 if AS_WRITTEN else 3
SECONDS = 1800 if AS_WRITTEN else 300 # for a block; a busy machine takes long for graphs of 2^18 vertices
BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(sh|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SMALLER = ((r"-n 64\b", "-n 3"), (r"\brmat:\d+", "rmat:8"), (r"--particles \d+", "--particles 300"),
           (r"--steps 100\b", "--steps 2"), (r"--scale 18\b", "--scale 8"),
           (r"--ranks 64 1024(?: 8192)?", "--ranks 8 64"), (r"--(threshold|iso) (?:89\.5|69)\b", r"--\1 1"))


def command_blocks():
    """(where, commands, what they print or None) for each block that is to be run."""
    for page in documents(ROOT):
        text = page.read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        for number, block in enumerate(blocks):
            if block[2] != "sh" or "<!-- not run: " in block[1]:
                continue
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            prints = after[3] if after and after[2] == "text" and "<!-- prints -->" in after[1] else None
            yield f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, block.start()) + 1}", block[3], prints


def examples_of_help():
    """The lines that the help of commands shows."""
    for question in small_inputs.graph_questions(WEFT):
        yield from (("tools/commands/graph_questions.cpp", line, None) for line in question["examples"])
    text = (ROOT / "tools" / "texts" / "examples.cpp").read_text(encoding="utf-8")
    for line in re.findall(r'example\{"[^"]+", "([^"]+)"\}', text):
        yield "tools/texts/examples.cpp", line + (" --repeats 1" if line.startswith("weft-bench ") else ""), None


def environment(folder):
    paths = [str(WEFT.parent), str(EXAMPLES), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(paths), "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder)}


def run_block(inputs, block):
    where, commands, prints = block
    for pattern, small in () if AS_WRITTEN else SMALLER:
        commands = re.sub(pattern, small, commands)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        shutil.copytree(inputs, folder)
        try:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment(folder), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{where}: not done after {SECONDS} s\n{commands}"
    if done.returncode != 0 and "built without VTK" not in done.stderr:
        return f"{where}: exit code {done.returncode}\n{commands}\n{done.stdout}\n{done.stderr}"
    if prints is not None and sorted(prints.splitlines()) != sorted(done.stdout.splitlines()):
        return f"{where}: the text shows\n{prints}\nand this was printed:\n{done.stdout}"
    return None


class Documents(unittest.TestCase):
    def test_commands_do_what_the_text_says(self):
        blocks = [*command_blocks(), *examples_of_help()]
        self.assertGreater(len(blocks), 30)
        with tempfile.TemporaryDirectory() as inputs, ThreadPoolExecutor(AT_A_TIME) as pool:
            if AS_WRITTEN:
                sample_files.write(WEFT, Path(inputs), BRAIN)
            else:
                small_inputs.write(WEFT, Path(inputs))
            wrong = [said for said in pool.map(partial(run_block, inputs), blocks) if said]
        self.assertFalse(wrong, "\n\n".join(wrong))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
