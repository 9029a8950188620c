#!/usr/bin/env python3
"""Runs every command line of README.md and docs/: each block of `sh`, in a folder that has the files that the text talks of.
A block that cannot be run here stands behind `<!-- not run: the reason -->`. A block of text behind `<!-- prints -->` is what
the block of commands before it prints, in any order of lines. The lines of any other block of text directly behind commands are among
the printed ones, in their order, but for times, traffic and bars. A build without VTK may say so. What is large in the text is small
here, see SMALLER, unless the text shows what is printed: such a block runs as it is written, on the files of scripts/sample_files.py.
Without a file of the brain its output is not compared. A block that names a file of a package of Debian runs if the file is there.
With --as-written nothing is made smaller: some minutes, and 64 ranks.

documents_test.py WEFT EXAMPLES ROOT [--as-written] [BRAIN.nii.gz]
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
AS_WRITTEN = "--as-written" in sys.argv[4:]
KEPT = ("build/demo/data", "../shared/data/volumes")  # the brain lies in the first after `make demo`
BRAIN = next((Path(name) for name in sys.argv[4:] if not name.startswith("--")),
             next((file for folder in KEPT for file in (ROOT / folder).glob("mni_icbm152_t1*.nii.gz")), None))
sys.path.insert(0, str(ROOT / "scripts"))

from check_readme import documents  # noqa: E402
import sample_files  # noqa: E402
import small_inputs  # noqa: E402

AT_A_TIME = 1 if AS_WRITTEN else 3
SECONDS = 1800 if AS_WRITTEN else 300 # for a block; a busy machine takes long for graphs of 2^18 vertices
BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(\S*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SMALLER = ((r"-n 64\b", "-n 3"), (r"\brmat:\d+", "rmat:8"), (r"--particles \d+", "--particles 300"),
           (r"--steps 100\b", "--steps 2"), (r"--scale 18\b", "--scale 8"),
           (r"--ranks 64 1024(?: 8192)?", "--ranks 8 64"), (r"--(threshold|iso) (?:89\.5|69)\b", r"--\1 1"))
CHANGES = re.compile(r" *(?:time|traffic|steps) .*[A-Za-z]$| *\.\.\.$")  # lines that differ from run to run
BAR = re.compile("[\u2588-\u258f]+")


class Block:
    """Commands of a page; `shows` are lines that they print, all of them if `whole`."""
    def __init__(self, where, commands, shows=None, whole=False):
        self.where, self.commands, self.shows, self.whole = where, commands, shows, whole


def command_blocks():
    """Each block that is to be run."""
    for page in documents(ROOT):
        text = page.read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        for number, block in enumerate(blocks):
            if block[2] != "sh" or "<!-- not run: " in block[1]:
                continue
            if not all(Path(file).exists() for file in re.findall(r"/usr/share/\S+", block[3])):
                continue
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            shown = after and after[2] == "text" and not text[block.end():after.start()].strip()
            yield Block(f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, block.start()) + 1}", block[3],
                        after[3] if shown else None, bool(shown and "<!-- prints -->" in after[1]))


def examples_of_help():
    """The lines that the help of commands shows."""
    for question in small_inputs.graph_questions(WEFT):
        yield from (Block("tools/commands/graph_questions.cpp", line) for line in question["examples"])
    text = (ROOT / "tools" / "texts" / "examples.cpp").read_text(encoding="utf-8")
    for line in re.findall(r'example\{"[^"]+", "([^"]+)"\}', text):
        yield Block("tools/texts/examples.cpp", line + (" --repeats 1" if line.startswith("weft-bench ") else ""))


def environment(folder):
    paths = [str(WEFT.parent), str(EXAMPLES), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(paths), "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder)}


def first_missing(shown, printed):
    """The first line of `shown` that is not among those of `printed` behind the lines before it; None if all are there."""
    printed = iter([same_for_all_runs(line) for line in printed.splitlines()])
    for line in shown.splitlines():
        if not CHANGES.match(line) and same_for_all_runs(line) not in printed:
            return line
    return None


def same_for_all_runs(line):
    return " ".join(BAR.sub("", line).split())


def run_block(small_files, samples, block):
    as_written = AS_WRITTEN or block.shows is not None and not block.whole
    commands, inputs = block.commands, samples if as_written else small_files
    for pattern, small in () if as_written else SMALLER:
        commands = re.sub(pattern, small, commands)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        shutil.copytree(inputs, folder)
        try:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment(folder), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{block.where}: not done after {SECONDS} s\n{commands}"
    if done.returncode != 0:
        said = f"{block.where}: exit code {done.returncode}\n{commands}\n{done.stdout}\n{done.stderr}"
        return None if "built without VTK" in done.stderr else said
    return complaint_about_output(block, done.stdout)


def complaint_about_output(block, printed):
    if block.shows is None or BRAIN is None and "brain.nii.gz" in block.commands:
        return None
    if block.whole:
        same = sorted(block.shows.splitlines()) == sorted(printed.splitlines())
        return None if same else f"{block.where}: the text shows\n{block.shows}\nand this was printed:\n{printed}"
    missing = first_missing(block.shows, printed)
    return None if missing is None else f"{block.where}: this line of the text was not printed:\n{missing}\nbut these:\n{printed}"


class Documents(unittest.TestCase):
    def test_commands_do_what_the_text_says(self):
        blocks = [*command_blocks(), *examples_of_help()]
        self.assertGreater(len(blocks), 30)
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(AT_A_TIME) as pool:
            small, samples = Path(name) / "small", Path(name) / "samples"
            small.mkdir()
            small_inputs.write(WEFT, small)
            sample_files.write(WEFT, samples, BRAIN)
            wrong = [said for said in pool.map(partial(run_block, small, samples), blocks) if said]
        self.assertFalse(wrong, "\n\n".join(wrong))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
