#!/usr/bin/env python3
"""Tables of labelled volumes, and values that mark missing data, on small files.

Usage: label_commands_test.py WEFT
"""
import struct

from command_case import CommandCase, main


class LabelCommands(CommandCase):
    def binary(self, name, content):
        path = self.file(name)
        path.write_bytes(content)
        return path

    def test_regions_of_labels(self):
        """Two rods along x, one beside a corner of the other, and a single voxel: 4 x 3 x 2 voxels of int16."""
        volume = [[[5, 6, 7, 0], [0, 0, 0, 0], [0, 0, 0, 9]],
                  [[0, 0, 0, 0], [0, 0, 0, 5], [0, 0, 0, 8]]]
        raw = self.binary("rods.raw", struct.pack("<24h", *(value for plane in volume for row in plane for value in row)))
        head = "component,voxels,x,y,z,x_first,x_last,y_first,y_last,z_first,z_last,least,greatest,mean,contacts\n"
        for ranks in (1, 2, 3):
            said = self.run_weft("-n", ranks, "label", raw, "--dims", "4,3,2", "--type", "int16", "--threshold", 5, "--neighbors", 6,
                                 "--blocks", 2, "--regions", "-")
            self.assertEqual(said.stdout, head + "1,3,1,0,0,0,2,0,0,0,0,5,7,6,7\n"
                             "2,3,3,1.6666666666666667,0.6666666666666666,3,3,1,2,0,1,5,9,7.333333333333333,8\n")
        none = self.run_weft("-n", 3, "label", raw, "--dims", "4,3,2", "--type", "int16", "--threshold", 50, "--regions", "-")
        self.assertEqual(none.stdout, head)
        table, array = self.file("regions.tsv"), self.file("regions.npy")
        for ranks in (1, 3):
            run = ["-n", ranks, "label", raw, "--dims", "4,3,2", "--type", "int16", "--threshold", 5]
            found = self.result_of(*run, "--largest", 1, "--regions", table)["result"]
            self.assertEqual((found["components"], found["foreground"], found["dropped_components"], found["dropped_voxels"]), (1, 3, 1, 3))
            self.assertEqual(table.read_text(), head.replace(",", "\t") + "1,3,1,0,0,0,2,0,0,0,0,5,7,6,7\n".replace(",", "\t"))
            self.run_weft(*run, "--dust", 3, "--regions", array)
            start, _, rows = array.read_bytes().partition(b"}")
            self.assertIn(b"'shape': (2,)", start)
            self.assertIn(b"('mean', '<f8'), ('contacts', '<i8')", start)
            row = struct.Struct("<2q3d8qdq")
            self.assertEqual([each[-2:] for each in row.iter_unpack(rows.lstrip(b" ").removeprefix(b"\n"))], [(6.0, 7), (22 / 3, 8)])
        self.assertEqual(self.result_of(*run, "--dust", 4)["result"]["components"], 0)

    def test_contacts_of_components(self):
        """A voxel that touches one component at an edge and another at a corner; a third one touches nothing."""
        voxels = {(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 2, 1), (5, 0, 1)}
        raw = self.binary("touch.raw", bytes(int((x, y, z) in voxels) for z in range(2) for y in range(3) for x in range(6)))
        run = ["label", raw, "--dims", "6,3,2", "--type", "uint8", "--threshold", 1]
        for ranks in (1, 2, 3):
            for blocks in (1, 3):
                said = self.run_weft("-n", ranks, *run, "--neighbors", 6, "--blocks", blocks, "--contacts", "-")
                self.assertEqual(said.stdout, "component,other,pairs\n1,2,1\n2,4,1\n")
        refused = self.run_weft(*run, "--neighbors", 26, "--contacts", "-", expect=2)
        self.assertIn("needs --neighbors 6", refused.stderr)
        refused = self.run_weft(*run, "--labels", "r.parquet", expect=2)
        self.assertIn("this output is not a table", refused.stderr)

    def test_values_that_mark_missing_data(self):
        raw = self.binary("marks.raw", bytes([9, 1, 2, 3, 9, 9]))
        volume = [raw, "--dims", "6,1,1", "--type", "uint8", "--missing", 9]
        found = self.result_of("-n", 2, "histogram", *volume)["result"]
        self.assertEqual((found["missing"], found["max"]), (3, 3))
        self.assertEqual(self.result_of("label", *volume, "--threshold", 1)["result"]["foreground"], 3)
        seen = self.result_of("render", *volume, "--projection", "mip", "--view", "z")["result"]
        self.assertEqual((seen["max"], seen["mean"]), (3, 2))
        bins = self.file("bins.tsv")
        self.run_weft("histogram", *volume, "--bins", 2, "--out", bins)
        self.assertEqual(bins.read_text(), "from\tto\tcount\n1\t2\t1\n2\t3\t2\n")


if __name__ == "__main__":
    main(LabelCommands)
