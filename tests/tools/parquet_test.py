#!/usr/bin/env python3
"""Tables in Parquet files are those in CSV files, at any number of ranks.

Usage: parquet_test.py WEFT
"""
import csv
import io

from command_case import CommandCase, main
from parquet_tables import read_parquet


class Parquet(CommandCase):
    def same_table(self, ranks, *arguments):
        """Writes the table of the last option as CSV and as Parquet; returns the columns, and the numbers of groups and of pages."""
        table, parquet = self.file("table.csv"), self.file("table.parquet")
        self.run_weft("-n", ranks, *arguments, table)
        self.run_weft("-n", ranks, *arguments, parquet)
        columns, groups, pages = read_parquet(parquet.read_bytes())
        names, *rows = csv.reader(io.StringIO(table.read_text(), newline=""))
        self.assertEqual(list(columns), names)
        for place, values in enumerate(columns.values()):
            of_csv = [type(value)(row[place]) for value, row in zip(values, rows)]
            self.assertEqual(values, of_csv)
            self.assertEqual(len(values), len(rows))
        return columns, groups, pages

    def test_vertices_with_numbers_and_names(self):
        numbers = self.file("numbers.txt", "1 2\n2 3\n7 9\n")
        names = self.file("names.csv", 'source,target\nAda,"Grace, H."\n"Grace, H.",Zoë\n')
        for ranks in (1, 2, 3):
            columns, groups, _ = self.same_table(ranks, "components", numbers, "--labels")
            self.assertEqual(columns, {"vertex": [1, 2, 3, 7, 9], "label": [1, 1, 1, 7, 7]})
            self.assertEqual(groups, ranks)
            columns, _, _ = self.same_table(ranks, "pagerank", names, "--out")
            self.assertEqual(columns["vertex"], ["Ada", "Grace, H.", "Zoë"])
            self.assertAlmostEqual(sum(columns["value"]), 1)

    def test_ranks_without_rows_have_no_group(self):
        edge = self.file("edge.txt", "4 5\n")
        columns, groups, _ = self.same_table(3, "degrees", edge, "--out")
        self.assertEqual((columns, groups), ({"vertex": [4, 5], "degree": [1, 1]}, 2))
        text = self.file("empty.txt", "")
        for ranks in (1, 3):
            columns, groups, _ = self.same_table(ranks, "count", text, "--words", "--out")
            self.assertEqual((list(columns.values()), groups), ([[], []], 0))

    def test_many_rows_are_several_pages(self):
        for ranks in (1, 2):
            columns, _, pages = self.same_table(ranks, "degrees", "er:300000:4", "--out")
            self.assertEqual(len(columns["vertex"]), len(set(columns["vertex"])))
            self.assertGreater(pages, 4)

    def test_tables_of_texts_and_of_volumes(self):
        people = self.file("people.csv", "name,city\nAda,London\nAlan,\"a \"\"b\"\"\nc\"\nEve,\n")
        cities = self.file("cities.csv", "city,country\nLondon,UK\n\"a \"\"b\"\"\nc\",XY\n")
        columns, _, _ = self.same_table(2, "join", people, cities, "--on", "city", "--out")
        self.assertEqual(columns["city"], ["London", 'a "b"\nc'])
        columns, _, _ = self.same_table(2, "distinct", people, "--field", "name", "--out")
        self.assertEqual(columns, {"field": ["Ada", "Alan", "Eve"]})
        volume = self.file("volume.raw")
        volume.write_bytes(bytes([0, 5, 6, 0, 9, 0, 0, 7]))
        raw = [volume, "--dims", "2,2,2", "--type", "uint8"]
        columns, _, _ = self.same_table(2, "label", *raw, "--threshold", 5, "--regions")
        self.assertEqual((columns["voxels"], columns["least"]), ([1, 1, 1, 1], [5.0, 6.0, 9.0, 7.0]))
        columns, _, _ = self.same_table(1, "histogram", *raw, "--bins", 3, "--out")
        self.assertEqual(columns["count"], [4, 1, 3])

    def test_outputs_that_are_no_tables(self):
        for arguments in (["convert", "er:10:2", "g.parquet"], ["spmv", "grid:3x3", "--out", "y.parquet"]):
            refused = self.run_weft(*arguments, expect=2)
            self.assertIn("this output is not a table", refused.stderr)


if __name__ == "__main__":
    main(Parquet)
