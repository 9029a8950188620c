#!/usr/bin/env python3
"""Each row of tools/commands/graph_questions.cpp has what CONTRIBUTING.md asks of a question about graphs.

questions_test.py WEFT ROOT
"""
import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "docs"))

import small_inputs
from python_reference import public_names


def text_of(root, pattern):
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(root.glob(pattern)))


def complaints(weft, root):
    headers, tests = text_of(root, "include/weft/graph/*.hpp"), text_of(root, "tests/graph/*_test.cpp")
    shapes = json.loads((root / "docs/reference/report.schema.json").read_text(encoding="utf-8"))["$defs"]
    names, wrong = public_names(), []
    for row in small_inputs.graph_questions(weft):
        name, function = row["name"], row["function"].split("::")[-1]
        wrong += [f"{name}: {what}" for is_wrong, what in (
            (not re.search(rf"\b{function}\(", headers), f"no header in include/weft/graph has {function}"),
            (not re.search(rf"\b{function}\(", tests), f"no test in tests/graph calls {function}"),
            (name not in shapes, "no shape in docs/reference/report.schema.json"),
            (row["in_python"] and name not in names, "no function of this name in Python"),
            (not row["in_python"] and name in names, "Python has it, and its row says that it has not"),
            (not row["examples"], "no example")) if is_wrong]
    return wrong


class Questions(unittest.TestCase):
    def test_rows_have_all_they_need(self):
        weft, root = map(Path, sys.argv[1:3])
        self.assertGreater(len(small_inputs.graph_questions(weft)), 5)
        self.assertEqual(complaints(weft, root), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
