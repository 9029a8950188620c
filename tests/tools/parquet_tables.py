"""Reads the Parquet files that the command writes: flat columns that have a value in each row, in plain, uncompressed pages."""
import struct

MAGIC = b"PAR1"


class Compact:
    """Structures in the compact protocol of Thrift, as dicts from the numbers of fields."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def value(self, kind):
        if kind in (4, 5, 6):
            number = self.varint()
            return (number >> 1) ^ -(number & 1)
        if kind == 8:
            length = self.varint()
            self.at += length
            return self.data[self.at - length:self.at].decode()
        if kind == 9:
            head = self.byte()
            length = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(length)]
        assert kind == 12, kind
        return self.structure()

    def structure(self):
        fields, last = {}, 0
        while head := self.byte():
            assert head >> 4, "fields of Parquet are near each other"
            last += head >> 4
            fields[last] = self.value(head & 15)
        return fields


def plain_values(kind, data, count):
    if kind in (2, 5):
        assert len(data) == 8 * count
        return list(struct.unpack(f"<{count}{'q' if kind == 2 else 'd'}", data))
    assert kind == 6
    values, at = [], 0
    for _ in range(count):
        length, = struct.unpack_from("<I", data, at)
        values.append(data[at + 4:at + 4 + length].decode())
        at += 4 + length
    assert at == len(data)
    return values


def read_parquet(data):
    """The columns of a file by their names, the number of row groups, and the number of pages. Checks all sizes and places."""
    assert data.startswith(MAGIC) and data.endswith(MAGIC)
    length, = struct.unpack("<I", data[-8:-4])
    reader = Compact(data, len(data) - 8 - length)
    footer = reader.structure()
    assert reader.at == len(data) - 8
    root, *leaves = footer[2]
    assert root[5] == len(leaves)
    columns = {leaf[4]: [] for leaf in leaves}
    expected, pages = len(MAGIC), 0
    for group in footer[4]:
        assert group[2] == sum(chunk[3][7] for chunk in group[1])
        for leaf, chunk in zip(leaves, group[1]):
            facts = chunk[3]
            assert (facts[1], facts[3], facts[4], facts[9], facts[6]) == (leaf[1], [leaf[4]], 0, expected, facts[7])
            reader.at, values = facts[9], []
            while len(values) < facts[5]:
                page = reader.structure()
                assert page[1] == 0 and page[2] == page[3]
                values += plain_values(leaf[1], data[reader.at:reader.at + page[3]], page[5][1])
                reader.at += page[3]
                pages += 1
            expected += facts[7]
            assert reader.at == expected and len(values) == facts[5] == group[3]
            columns[leaf[4]] += values
    assert expected == len(data) - 8 - length
    assert all(len(values) == footer[3] for values in columns.values())
    return columns, len(footer[4]), pages
