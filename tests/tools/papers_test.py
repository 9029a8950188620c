#!/usr/bin/env python3
"""`weft reproduce` at small sizes, and docs/papers.md: its rows are those of the command, its verdicts follow the rule."""
import csv
import io
import re
from pathlib import Path

from command_case import CommandCase, main

PAGE = Path(__file__).parent.parent.parent / "docs" / "papers.md"
PAPERS = ("dsde", "versatile", "iexchange", "ygm", "frames")
SEVERITY = ("reproduced", "in shape", "differs")
EXACT = ("table-1", "table-2", "figure-1a", "figure-1b", "figure-1c")  # these take no time at full size


def rows_on_page(paper):
    table = re.search(rf"<!-- weft reproduce {paper} -->\n(.*?)<!-- end -->", PAGE.read_text(), flags=re.DOTALL)[1]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def worst_number(papers, ours):
    """The rule once more, for the claims of a row that are numbers."""
    found = 0
    for paper, here in zip(papers.split("<br>"), ours.split("<br>")):
        if number(paper) is None or number(here) is None:
            continue
        times = number(here) / number(paper)
        found = max(found, 0 if abs(times - 1) <= 0.251 else 1 if 0.499 <= times <= 2.01 else 2)
    return found


class PapersTest(CommandCase):
    def figures(self, *arguments):
        return self.result_of("reproduce", *arguments)["result"]["figures"]

    def test_rows_of_the_page(self):
        good = 0
        for paper in PAPERS:
            figures = self.figures(paper, "--small", "--plot", self.file(f"{paper}.png"))
            for each in figures:
                picture = self.file(f"{paper}-{each['figure']}.png")
                self.assertEqual(picture.exists(), bool(each["panels"]), picture)
                if each["panels"]:
                    self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            self.assert_judged_by_the_rule(figures)
            page = rows_on_page(paper)
            self.assertEqual([row[0] for row in page], [f"{each['figure']}: {each['title']}" for each in figures],
                             f"docs/papers.md has other rows than weft reproduce {paper}: run scripts/papers.py")
            for row, figure in zip(page, figures):
                with self.subTest(paper=paper, figure=figure["figure"]):
                    self.assertEqual(row[1], "<br>".join(each["claim"] for each in figure["claims"]))
                    self.assertEqual(row[2], "<br>".join(each["paper"] for each in figure["claims"]))
                    if figure["claims"]:
                        said = "differs" if row[4].startswith("not, because") else row[4]
                        if not said.startswith("not judged"):
                            self.assertGreaterEqual(SEVERITY.index(said), worst_number(row[2], row[3]))
                    else:
                        self.assertEqual(row[4], figure["verdict"])  # the reason why nothing is run
                    good += row[4] in SEVERITY
        self.assertGreaterEqual(good, 12)

    def assert_judged_by_the_rule(self, figures):
        for figure in figures:
            if not figure["claims"]:
                continue
            judged = [each["verdict"] for each in figure["claims"] if each["verdict"] != "not run"]
            worst = max(map(SEVERITY.index, judged), default=None)
            if worst is None:
                self.assertTrue(figure["verdict"].startswith("not judged"), figure["verdict"])
            elif SEVERITY[worst] == "differs":
                self.assertTrue(figure["verdict"].startswith("not, because "), figure["verdict"])
            else:
                self.assertEqual(figure["verdict"], SEVERITY[worst])
            for each in figure["claims"]:
                if each["number"] is not None and each["paper_number"] is not None:
                    times = each["number"] / each["paper_number"]
                    rule = 0 if abs(times - 1) <= 0.25 else 1 if 0.5 <= times <= 2 else 2
                    self.assertEqual(each["verdict"], SEVERITY[rule], each["claim"])

    def test_quick_figures_at_full_size(self):
        made = self.run_weft("reproduce", "dsde", *EXACT, "--markdown", "-").stdout.splitlines()[2:]
        self.assertEqual(len(made), len(EXACT))
        for line in made:
            self.assertIn(line + "\n", PAGE.read_text())

    def test_outputs(self):
        said = self.run_weft("reproduce").stdout
        for paper in PAPERS:
            self.assertIn(f"{paper}: ", said)
        rows = list(csv.DictReader(io.StringIO(
            self.run_weft("reproduce", "dsde", "table-2", "figure-6a", "--csv", "-").stdout)))
        self.assertEqual(len(rows), 6 + 1)
        self.assertEqual({row["verdict"] for row in rows}, {"reproduced", "not run"})
        table = self.run_weft("reproduce", "dsde", "figure-1c").stdout
        self.assertRegex(table, r"dsde figure-1c: [^\n]*\n(?:  [^\n]* reproduced\n){3}  reproduced, in ")
        lines = self.figures("dsde", "figure-1b")[0]["commands"]
        self.assertTrue(all(line.startswith("weft simulate exchange ") for line in lines) and lines)
        self.run_weft(*lines[0].split()[1:])  # what it tells can be typed

    def test_mistakes(self):
        said = self.run_weft("reproduce", "dsde", "figure-9", expect=1).stderr
        self.assertIn("dsde has no figure-9; it has table-1", said)
        self.run_weft("reproduce", "dsd", expect=2)
        self.assertIn("expected a paper", self.run_weft("reproduce", "--small", expect=1).stderr)
        self.assertIn("leave --plot away", self.run_weft("reproduce", "dsde", "table-1", "--plot", self.file("p.png"), expect=1).stderr)
        self.assertIn("without -n", self.run_weft("-n", "2", "reproduce", "dsde", "table-1", expect=1).stderr)


if __name__ == "__main__":
    main(PapersTest)
