#!/usr/bin/env python3
"""Makes the tables of docs/papers.md and draws the figures of the five papers.

    scripts/papers.py build/release/tools/weft [PAPER ...] [--pictures FOLDER]

Runs `weft reproduce` for each paper, and puts its table between the two marks of that paper in docs/papers.md. Needs some
8 GB of memory for the largest machines."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "papers.md"
PAPERS = ["dsde", "versatile", "iexchange", "ygm", "frames"]


def table_of(weft, paper, pictures):
    drawn = ["--plot", pictures / f"{paper}.png"] if pictures else []
    done = subprocess.run([weft, "reproduce", paper, "--markdown", "-", *map(str, drawn)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"of {', '.join(PAPERS)}; left out: all")
    parser.add_argument("--pictures", type=Path, help="a folder for the pictures")
    options = parser.parse_args()
    if unknown := set(options.papers) - set(PAPERS):
        parser.error(f"no paper is known by the name {' or '.join(sorted(unknown))}")
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    for paper in options.papers or PAPERS:
        print(f"== {paper}", flush=True)
        table = table_of(options.weft, paper, options.pictures)
        text, marks = re.subn(rf"(<!-- weft reproduce {paper} -->\n).*?(<!-- end -->)", lambda found: found[1] + table + found[2],
                              PAGE.read_text(), flags=re.DOTALL)
        if marks != 1:
            sys.exit(f"{PAGE}: expected one pair of marks of {paper}, found {marks}")
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
