"""`weft count`, `weft distinct` and `weft join` against Python's own counting, at several numbers of ranks.

text_commands_test.py WEFT
"""
import bz2
import collections
import csv
import gzip
import json
import random

from command_case import CommandCase, main

WORDS = ["the", "and", "weft", "Käse", "a,b", 'quote"d', "x" * 200]


class TextCommands(CommandCase):
    def text(self, lines=2000, seed=1):
        draw = random.Random(seed)
        return "".join(" ".join(draw.choices(WORDS + [str(draw.randrange(300))], k=draw.randrange(6))) + "\n"
                       for _ in range(lines))

    def counts_in(self, file):
        return [(item, int(count)) for item, count in list(csv.reader(file.open(encoding="utf-8", newline="")))[1:]]

    @staticmethod
    def by_frequency(counter):
        return sorted(counter.items(), key=lambda each: (-each[1], each[0].encode()))

    def expect_counts(self, counter, *arguments):
        for ranks in (1, 2, 3):
            out = self.file(f"out{ranks}.csv")
            result = self.result_of("-n", ranks, "count", *arguments, "--top", 4, "--histogram", "--out", out)["result"]
            expected = self.by_frequency(counter)
            self.assertEqual(self.counts_in(out), expected)
            self.assertEqual([(each["item"], each["count"]) for each in result["top"]], expected[:4])
            self.assertEqual((result["items"], result["distinct"]), (sum(counter.values()), len(counter)))
            of_counts = collections.Counter(counter.values())
            self.assertEqual(result["histogram"], {str(count): of_counts[count] for count in sorted(of_counts)})

    def test_words_and_lines_are_counted(self):
        text = self.text()
        plain = self.file("a.txt", text)
        self.expect_counts(collections.Counter(text.split()), plain, "--words")
        self.expect_counts(collections.Counter(text.splitlines()), plain)
        packed = self.file("a.txt.gz")
        packed.write_bytes(gzip.compress(text.encode()))
        self.expect_counts(collections.Counter(text.split()), packed, "--words")
        empty = self.result_of("-n", 2, "count", self.file("empty.txt", ""))["result"]
        self.assertEqual(empty, {"records": 0, "items": 0, "distinct": 0, "top": []})

    def test_folders_and_several_files_are_one_text(self):
        folder = self.file("many")
        folder.mkdir()
        parts = [self.text(200, seed) for seed in range(5)]
        for i, part in enumerate(parts):
            (folder / f"{i}.txt.bz2").write_bytes(bz2.compress(part.encode()))
        more = self.file("more.txt", self.text(300, 9))
        self.expect_counts(collections.Counter(("".join(parts) + more.read_text()).split()), folder, more, "--words")

    def table(self, name, rows, delimiter=","):
        path = self.file(name)
        with path.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, delimiter=delimiter).writerows(rows)
        return path

    def test_fields_of_csv_are_counted(self):
        draw = random.Random(2)
        rows = [(i, draw.choice([*WORDS, "two\nlines", "", "\r\n"]), draw.random()) for i in range(3000)]
        counter = collections.Counter(row[1] for row in rows)
        table = self.table("a.csv", [("id", "name", "x"), *rows])
        self.expect_counts(counter, table, "--field", "name")
        self.expect_counts(counter, self.table("b.txt", rows, ";"), "--field", 2, "--header", "no", "--delimiter", ";")

    def test_values_in_json_are_counted(self):
        draw = random.Random(3)
        events = [{"user": {"name": draw.choice(WORDS), "tags": None}, "n": draw.choice([1, 2.5, 2**60 + 1, True, None]),
                   "tags": [{"t": draw.choice("abc")} for _ in range(draw.randrange(4))]} for _ in range(1500)]
        file = self.file("a.ndjson", "".join(json.dumps(each) + "\n" for each in events) + "\n")
        self.expect_counts(collections.Counter(each["user"]["name"] for each in events), file, "--json-path", "user.name")
        self.expect_counts(collections.Counter(tag["t"] for each in events for tag in each["tags"]), file, "--json-path", "tags[].t")
        self.expect_counts(collections.Counter(json.dumps(each["n"]) for each in events if each["n"] is not None), file,
                           "--json-path", "n")

    def test_what_differs_is_written_once(self):
        text = self.text()
        plain = self.file("a.txt", text)
        for ranks in (1, 3):
            out = self.file("words.txt")
            result = self.result_of("-n", ranks, "distinct", plain, "--words", "--out", out)["result"]
            counter = collections.Counter(text.split())
            self.assertEqual(out.read_text().splitlines(), sorted(counter, key=str.encode))
            self.assertEqual(result["once"], list(counter.values()).count(1))
            self.run_weft("-n", ranks, "distinct", plain, "--words", "--out", self.file("words.csv"), "-q")
            self.assertEqual(list(csv.reader(self.file("words.csv").open(encoding="utf-8", newline="")))[1:],
                             [[word] for word in sorted(counter, key=str.encode)])

    def test_tables_are_joined(self):
        draw = random.Random(4)
        left = [(draw.choice(WORDS), draw.randrange(9), i) for i in range(900)]
        right = [(draw.choice([*WORDS, "nowhere"]), draw.randrange(9), f"r,{i}") for i in range(120)]
        a = self.table("a.csv", [("key", "k2", "x"), *left])
        b = self.table("b.tsv", [("name", "k2", "x"), *right], "\t")
        packed = self.file("a.csv.gz")
        packed.write_bytes(gzip.compress(a.read_bytes()))
        of_key = collections.defaultdict(list)
        for name, k2, x in right:
            of_key[name, str(k2)].append(x)
        partners = [of_key.get((key, str(k2)), []) for key, k2, _ in left]
        rows = [tuple(map(str, row)) for row in left]
        expected = {
            "inner": [(*row, x) for row, found in zip(rows, partners) for x in found],
            "left": [(*row, x) for row, found in zip(rows, partners) for x in found or [""]],
            "semi": [row for row, found in zip(rows, partners) if found],
            "anti": [row for row, found in zip(rows, partners) if not found]}
        for ranks, first in ((1, a), (2, a), (3, packed)):
            for keep, wanted in expected.items():
                out = self.file("joined.csv")
                result = self.result_of("-n", ranks, "join", first, b, "--on", "key=name,k2", "--keep", keep, "--out", out)["result"]
                head, *got = csv.reader(out.open(encoding="utf-8", newline=""))
                self.assertEqual(head, ["key", "k2", "x"] + (["x_right"] if len(wanted[0]) == 4 else []))
                self.assertEqual([tuple(row) for row in got], wanted)
                self.assertEqual(result, {"left": 900, "right": 120, "matched": sum(map(bool, partners)), "records": len(wanted)})

    def test_json_is_joined(self):
        draw = random.Random(5)
        left = [{"user": {"id": draw.choice([1, 2, "3", 2**60 + 1, None])}, "k": draw.choice("ab"), "i": i} for i in range(400)]
        del left[7]["user"]["id"]
        right = [{"id": draw.choice([1, "2", 3, 2**60 + 1, None, "x"]), "k": draw.choice("ab"), "text": f"\u00e4\"{i}"} for i in range(60)]
        a = self.file("a.ndjson", "".join(json.dumps(each) + "\n" for each in left))
        b = self.file("b.ndjson.gz")
        b.write_bytes(gzip.compress("".join(json.dumps(each, ensure_ascii=False) + "\r\n" for each in right).encode()))
        partners = [[y for y in right if y["id"] is not None and (str(y["id"]), y["k"]) == (str(x["user"].get("id")), x["k"])] for x in left]
        expected = {
            "inner": [{"left": x, "right": y} for x, found in zip(left, partners) for y in found],
            "left": [{"left": x, "right": y} for x, found in zip(left, partners) for y in found or [None]],
            "semi": [x for x, found in zip(left, partners) if found],
            "anti": [x for x, found in zip(left, partners) if not found]}
        for ranks in (1, 3):
            for keep, wanted in expected.items():
                out = self.file("joined.ndjson")
                result = self.result_of("-n", ranks, "join", a, b, "--ndjson", "--on", "user.id=id,k", "--keep", keep, "--out", out)["result"]
                self.assertEqual([json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()], wanted)
                self.assertEqual(result, {"left": 400, "right": 60, "matched": sum(map(bool, partners)), "records": len(wanted)})

    def test_mistakes_are_told_in_a_line(self):
        table = self.file("a.csv", "id,x\n1,2\n3\n")
        for ranks in (1, 3):
            for arguments, expected in (
                    (("count", table, "--field", "x"), f"{table}:3:1: expected 2 fields, found 1"),
                    (("count", table, "--field", "y"), f'{table}:1:1: expected a column "y", found id, x'),
                    (("count", self.file("a.ndjson", '{"a": 1}\n{"a": }\n'), "--json-path", "a"), "a.ndjson:2:7: expected JSON, found"),
                    (("count", self.file("b.ndjson", '{"a": 1}\n{"a": {}}\n'), "--json-path", "a"),
                     "b.ndjson:2:7: expected a text or a number at that path, found an object"),
                    (("count", self.file("b.ndjson"), "--json-path", "a..b"), "--json-path: expected names of members"),
                    (("join", self.file("b.ndjson"), self.file("b.ndjson"), "--ndjson", "--on", "a"), "b.ndjson:2:7: expected a text"),
                    (("distinct", self.file("none.txt")), "no such file"),
                    (("join", table, table, "--on", "id"), "expected 2 fields"),
                    (("count", self.file("ok.txt", "x\n"), "--out", self.file("a.npy")), "has texts")):
                said = self.run_weft("-n", ranks, *arguments, expect=1).stderr
                self.assertIn(expected.lower(), said.lower())
        for arguments in (("count",), ("count", table, "--words", "--field", "x"), ("count", table, "--delimiter", ";"),
                          ("join", table, table), ("join", table, table, "--on", "=x"), ("join", table, table, "--on", "x", "--ndjson", "--header", "no"),
                          ("join", table, table, "--on", "x", "--ndjson", "--out", self.file("a.csv")), ("count", table, "--top", -1)):
            self.run_weft(*arguments, expect=2)


if __name__ == "__main__":
    main(TextCommands)
