#!/usr/bin/env python3
"""How the command behaves in a shell: completions, manual pages, colours, progress on a terminal, quiet outputs.

Usage: manners_test.py WEFT
"""
import csv
import io
import json
import os
import pty
import re
import select
import shutil
import subprocess
import time

from command_case import CommandCase, main
from command_run import run_command

ESCAPE = "\x1b["
GROUPS = ("generate", "simulate")

# A shell on a terminal of its own, in which the words are typed, with a tab behind them.
ZSH_ASKS = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -D -u; source $1; stty columns 200; print rea''dy"
zpty -r shell shown $'*ready*'
for line want in "${@[2,-1]}"; do
    zpty -w -n shell $'\x15'$line$'\t'
    shown= ; for i in {1..400}; do # a busy machine takes its time
        while zpty -rt shell piece; do shown+=$piece; done
        [[ ${shown//[^[:print:]]/} == *$want* ]] && break
        sleep 0.05
    done
    print -r -- "$shown<end>"
done
zpty -d shell
"""


class Manners(CommandCase):
    def commands_of(self, *path):
        listed = self.run_weft(*path, "--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
        return re.findall(r"^  (\w\S*)", listed, flags=re.MULTILINE)

    def all_commands(self):
        for name in self.commands_of():
            yield [name]
            if name in GROUPS:
                yield from ([name, each] for each in self.commands_of(name))

    def completed(self, script, *words):
        """What bash offers for the last of the words."""
        call = (f"source {script}; COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _weft; "
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True, cwd=self.folder.name)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands_about_graphs_load_nothing_that_reads_volumes_or_draws(self):
        said = subprocess.run(["ldd", self.weft], check=True, capture_output=True, text=True).stdout
        for library in ("libvtk", "libnetcdf", "libhdf5", "libtiff", "libcairo", "libcurl"):
            self.assertNotIn(library, said)

    def test_a_command_alone_says_what_is_missing(self):
        alone = shutil.copy(self.weft, self.file("weft"))
        done = run_command([alone, "label", "--help"], 60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^weft: error: cannot load a part of this command: .*weft-volumes.so: .*; install Weft again")
        self.assertEqual(run_command([alone, "components", self.graph], 60).returncode, 0)
        for words in (["components", "edges.h5:/edges"], ["-n", "2", "components", "edges.h5:/edges"]):
            done = run_command([alone, *words], 60)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot load a part of this command", done.stderr)
        done = run_command([alone, "-n", "2", "--color=never", "bench", "exchange"], 60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("build it with the target weft_bench", done.stderr)

    def test_benchmarks_are_found_beside_the_command(self):
        self.assertNotIn("bench", self.commands_of())
        ours = self.run_weft("bench", "blocks", "--help").stdout
        self.assertIn("Usage: weft-bench blocks", ours)
        self.assertEqual(run_command([str(self.weft) + "-bench", "blocks", "--help"], 60).stdout, ours)

    def test_bash_completes(self):
        script = self.file("weft.bash", self.run_weft("completion", "bash").stdout)
        self.assertEqual(self.completed(script, "weft", "compo"), ["components"])
        self.assertEqual(self.completed(script, "weft", "-n", "4", "simulate", "exch"), ["exchange"])
        self.assertEqual(self.completed(script, "weft", "degrees", "--engine", "m"), ["mailbox"])
        self.assertEqual(self.completed(script, "weft", "degrees", "--jso"), ["--json"])
        self.assertEqual(self.completed(script, "weft", "degrees", "--color", "n"), ["never"])
        self.assertEqual(self.completed(script, "weft", "degrees", "graph"), ["graph.txt"])
        commands = list(self.all_commands())
        for *above, name in commands:
            longer = [other for *theirs, other in commands if theirs == above and other.startswith(name)]  # graph, graph500
            self.assertEqual(self.completed(script, "weft", *above, name), sorted(longer))

    def test_scripts_of_other_shells_are_whole(self):
        for shell in ("zsh", "fish"):
            script = self.file(f"weft.{shell}", self.run_weft("completion", shell).stdout)
            self.assertIn("Connected components", script.read_text() if shell == "fish" else "Connected components")
            self.assertIn("--engine" if shell == "zsh" else "-l engine", script.read_text())
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", script], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("fish"):
            said = subprocess.run(["fish", "-c", f"source {script}; complete -C 'weft compo'"], capture_output=True,
                                  text=True, env={**os.environ, "HOME": self.folder.name}).stdout
            self.assertEqual(said, "components\tConnected components of a graph\n")
        self.assertIn("expected bash, zsh or fish", self.run_weft("completion", "csh", expect=2).stderr)

    def test_zsh_completes(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        script = self.file("weft.zsh", self.run_weft("completion", "zsh").stdout)
        asks = self.file("asks.zsh", ZSH_ASKS)
        typed = {"weft compo": "components", "weft degrees --engine m": "mailbox", "weft -n 4 simulate exch": "exchange",
                 "weft simulate exchange --protoc": "--protocol"}
        done = subprocess.run(["zsh", "-f", asks, script, *(word for pair in typed.items() for word in pair)],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual([re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]|[\x00-\x1f]", "", line).rpartition("weft ")[2].strip()
                          for line in done.stdout.split("<end>")[:-1]],
                         ["components", "degrees --engine mailbox", "-n 4 simulate exchange", "simulate exchange --protocol"])

    def test_manual_has_a_page_for_each_command(self):
        folder = self.file("man")
        folder.mkdir()
        self.run_weft("manual", folder)
        pages = {"weft", *("-".join(["weft", *path]) for path in self.all_commands())}
        self.assertEqual({page.name for page in folder.iterdir()}, {f"{name}.1" for name in pages})
        self.assertIn("WEFT_EXCHANGE", (folder / "weft.1").read_text())
        if not shutil.which("groff"):
            self.skipTest("no groff")
        for name in sorted(pages):
            done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww", folder / f"{name}.1"], capture_output=True, text=True)
            self.assertEqual(done.stderr, "", name)
            self.assertIn("SYNOPSIS", done.stdout)
        self.run_weft("manual", "/nowhere/at/all", expect=2)

    def test_examples_are_of_the_command(self):
        for path in self.all_commands():
            shown = self.run_weft(*path, "--help").stdout.partition("Examples:\n")[2]
            for line in re.findall(r"^  (\S*weft .*)$", shown, flags=re.MULTILINE):
                self.assertIn(" ".join(path), line)

    def test_what_is_not_expected_is_named_in_order(self):
        said = self.run_weft("degrees", self.graph, "--above", "0.3", "--below", "0.4", expect=2).stderr
        self.assertIn("not expected: --above 0.3 --below 0.4 (--help tells more)", said)

    def test_colours(self):
        self.assertNotIn(ESCAPE, self.run_weft("degrees", self.graph).stdout)
        self.assertIn(ESCAPE, self.run_weft("degrees", self.graph, "--color", "always", NO_COLOR="1").stdout)
        self.assertIn(ESCAPE, self.run_weft("-n", 2, "degrees", "nowhere.txt", "--color", "always", expect=1).stderr)
        self.assertIn("expected always, auto, never", self.run_weft("info", "--color", "pink", expect=2).stderr)
        self.assertIn(ESCAPE, self.on_terminal("degrees", self.graph))
        self.assertNotIn(ESCAPE + "1;", self.on_terminal("degrees", self.graph, NO_COLOR="1"))
        self.assertNotIn(ESCAPE + "1;", self.on_terminal("degrees", self.graph, "--color", "never"))

    def on_terminal(self, *arguments, **environment):
        """What a run shows on a terminal."""
        leader, follower = pty.openpty()
        run = subprocess.Popen([self.weft, *map(str, arguments)], stdin=follower, stdout=follower, stderr=follower,
                               env={**os.environ, **environment}, start_new_session=True)
        os.close(follower)
        shown = b""
        end = time.monotonic() + 100
        while time.monotonic() < end and (run.poll() is None or select.select([leader], [], [], 0.2)[0]):
            try:
                shown += os.read(leader, 65536) if select.select([leader], [], [], 0.2)[0] else b""
            except OSError:
                break
        self.assertEqual(run.wait(10), 0, shown)
        os.close(leader)
        return shown.decode()

    def test_lines_are_as_wide_as_the_terminal(self):
        for words in (["degrees", "--help"], ["tune", "--help"], []):
            shown = self.run_weft(*words, COLUMNS="60").stdout
            self.assertLessEqual(max(len(line) for line in shown.splitlines()
                                     if " weft " not in line and len(line.split()) > 1 and "{" not in line), 60)
        self.assertIn("  -q,--quiet", self.run_weft("degrees", "--help", COLUMNS="60").stdout)
        shown = self.on_terminal("degrees", self.graph, COLUMNS="60").splitlines()
        drawn = [line for line in shown if line.rstrip().endswith(("█", "#"))]
        self.assertTrue(drawn)
        self.assertLessEqual(max(map(len, drawn)), 60)

    def test_progress_on_a_terminal_with_ranks(self):
        for scale in (18, 20, 22):  # it shows after half a second
            shown = self.on_terminal("-n", 2, "components", f"rmat:{scale}")
            if "\x1b[K" in shown:
                break
        self.assertIn("\r\x1b[K", shown)
        self.assertRegex(shown, r"(building the graph|finding components) \.\.\.")
        self.assertRegex(shown, r"components +\d")

    def test_timeline_names_the_phases(self):
        self.run_weft("-n", 2, "components", "rmat:12", "-q", "--timeline", self.file("run.json"))
        names = {event["name"] for event in json.loads(self.file("run.json").read_text())["traceEvents"]}
        self.assertLessEqual({"building the graph", "finding components"}, names)

    def test_quiet_json_and_csv(self):
        for words in (["bench", "termination", "--case", "empty", "--empty-phases", 2, "--repeats", 1],
                      ["simulate", "exchange", "--machine", "jaguar", "--ranks", 8]):
            self.assertEqual(self.run_weft(*words, "--quiet").stdout, "")
            rows = json.loads(self.run_weft(*words, "--json", "-").stdout)["result"]["rows"]
            table = list(csv.DictReader(io.StringIO(self.run_weft(*words, "--csv", "-").stdout)))
            self.assertEqual([list(row) for row in rows], [list(row) for row in table])
            self.assertGreater(len(rows), 0)

    def test_endings_decide(self):
        volume = self.file("v.raw")
        volume.write_bytes(bytes(8))
        shape = [volume, "--dims", "2,2,2", "--type", "uint8", "--threshold", "1"]
        said = self.run_weft("label", *shape, "--labels", self.file("x.nii.gz"), expect=2).stderr
        self.assertRegex(said, r"^weft: error: --labels: expected a file that ends in .vti, .vtr, .nrrd, .nii, .raw or .bin, found \S+x.nii.gz")
        self.run_weft("label", *shape, "--labels", self.file("x.RAW"), "-q")
        said = self.run_weft("simulate", "exchange", "--ranks", 8, "--plot", self.file("p.svg"), expect=2).stderr
        self.assertIn("pictures are PNG", said)


if __name__ == "__main__":
    main(Manners)
