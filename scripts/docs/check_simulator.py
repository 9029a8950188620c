#!/usr/bin/env python3
"""Checks the simulator of the page "Why Weft": its engines give the same time and number of messages as `weft simulate` with the
parameters that the page shows, and the buttons of the page change a run and its picture. Skipped (77) without Chromium, or if the page
was built without the simulator.

check_simulator.py SITE WEFT
"""

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_site import opened

MOST_BYTES = 3 << 20  # of the module and the scripts
SKIPPED = 77
RUNS = [
    *(f"call=exchange&way={way}&ranks=16&node=4&seed={seed}"
      for seed, way in enumerate(("nbx", "pex", "pcx", "rsx", "store_and_forward", "nbx_two_level", "pcx_two_level"), 1)),
    "call=exchange&way=nbx&ranks=2&amount=1&bytes=20000&gap=2.5",
    "call=exchange&way=nbx&ranks=61&amount=8&bytes=1000&overhead=0.3&latency=0.5",
    *(f"call=mailbox&way={way}&ranks=24&node=4&amount=70&seed=5" for way in ("direct", "node_local", "node_remote", "nlnr")),
    "call=mailbox&way=direct&ranks=7&amount=500&overhead=0.1",
    "call=blocks&way=exchange&ranks=12&amount=64",
    "call=blocks&way=iexchange&ranks=12&amount=64",
    "call=blocks&way=iexchange&ranks=27&amount=99&latency=20&gap=0.7",
]

BY_HAND = {"call=exchange&way=nbx&ranks=16": True, "call=blocks&way=iexchange&ranks=12": False}  # is the first message waited for?

# Presses the buttons of a page in a frame, and writes down the run and its picture after each.
HAND = """<!doctype html><pre id="said"></pre>
<iframe src="PAGE#simulator:RUN" width="800" height="2000"></iframe>
<script>
document.querySelector("iframe").onload = (event) => {
  const root = event.target.contentDocument.getElementById("weft-simulator");
  const press = (text) => [...root.querySelectorAll("button")].find((each) => each.textContent === text).click();
  const seen = [];
  const count = (what) => root.querySelectorAll(what).length;
  const look = (after) => seen.push([after, Number(root.dataset.seconds), count(".diagram .late[d^=M]"),
    count(".rank.stopped") + count(".diagram .stopped[d^=M]"), count(".dot")]);
  look("nothing");
  for (const text of ["delay", "undo", "stop", "undo", "step", "restart"]) { press(text); look(text); }
  document.getElementById("said").textContent = JSON.stringify(seen);
};
</script>
"""


def by_hand(browser: str, page: Path, run: str, is_waited_for: bool, folder: Path) -> list[str]:
    frame = folder / "frame.html"
    frame.write_text(HAND.replace("PAGE", f"file://{page}").replace("RUN", run), encoding="utf-8")
    document, wrong = opened(browser, f"file://{frame}")
    said = re.search(r'<pre id="said">([^<]+)</pre>', document)
    if said is None:
        return [*wrong, "the buttons of the page cannot be pressed"]
    first, delayed, undone, stopped, again, step, start = json.loads(html.unescape(said[1]))
    if not ((delayed[1] > first[1]) == is_waited_for and delayed[2] == 1):
        wrong.append(f"a delayed message: {first} became {delayed}")
    if not (stopped[1] > first[1] and stopped[3] == 2):
        wrong.append(f"a stopped rank: {first} became {stopped}")
    if not undone[1:] == again[1:] == first[1:]:
        wrong.append(f"without the changes: {first} became {undone} and {again}")
    if not (first[4] > 0 and step[1] == first[1] and start[4] == 0):
        wrong.append(f"dots under way: {first}, {step}, {start}")
    return wrong


def by_page(browser: str, page: Path, run: str) -> tuple[dict[str, str], list[str]]:
    document, said = opened(browser, f"file://{page}#simulator:{run}")
    root = re.search(r'<div id="weft-simulator"[^>]*>', document)
    return {name: html.unescape(value) for name, value in re.findall(r'data-(\w+)="([^"]*)"', root[0] if root else "")}, said


def by_command(weft: str, machine: str, command: str, folder: Path) -> dict:
    (folder / "page.toml").write_text(machine, encoding="utf-8")
    done = subprocess.run([weft, *command.split()[1:], "--json", "-"], cwd=folder, check=True, capture_output=True, text=True)
    [row] = json.loads(done.stdout)["result"]["rows"]
    return row


def main(site: Path, weft: str) -> int:
    page, module = site.resolve() / "start" / "why.html", site.resolve() / "_static" / "simulator_module.js"
    browser = shutil.which("chromium")
    if browser is None or module.stat().st_size < 100:
        print("check_simulator: skipped,", "chromium is not installed" if browser is None else "the page has no simulator", file=sys.stderr)
        return SKIPPED
    size = sum(path.stat().st_size for path in module.parent.glob("simulator*"))
    wrong = [] if size < MOST_BYTES else [f"the simulator has {size} bytes, more than {MOST_BYTES}"]
    with tempfile.TemporaryDirectory() as folder:
        for run, is_waited_for in BY_HAND.items():
            wrong += by_hand(browser, page, run, is_waited_for, Path(folder))
        for run in RUNS:
            shown, said = by_page(browser, page, run)
            wrong += said
            if "seconds" not in shown:
                wrong.append(f"{run}: the page shows no run")
                continue
            row = by_command(str(Path(weft).resolve()), shown["machine"], shown["command"], Path(folder))
            page_says = (float(shown["seconds"]), int(shown["messages"]), int(shown["seen"]))
            if page_says != (row["simulated_s"], row["messages"], row["messages"]):
                wrong.append(f"{run}: the page has {page_says}, the command {row['simulated_s']} s and {row['messages']} messages")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    print(f"check_simulator: {len(RUNS)} runs, {len(wrong)} wrong; {size} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
