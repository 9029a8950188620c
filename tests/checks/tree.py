"""A source tree for the tests of the checks of scripts/, which can be imported from here on."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))


class TreeTest(unittest.TestCase):
    """A source tree in a temporary folder that all checks are content with; tests put one thing wrong."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("include/weft/core/error.hpp", "#pragma once\nnamespace weft {\nstruct error {};\n} // namespace weft\n")
        self.write("include/weft/exchange/inbox.hpp", "#pragma once\n#include <weft/core/error.hpp>\n")
        self.write("src/core/state.hpp", "#pragma once\n")
        self.write("tests/core/error_test.cpp", "TEST(error, is) {\n    check();\n}\n")
        self.write("tests/exchange/inbox_test.cpp", "TEST(inbox, is) {\n    check();\n}\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def assert_complaint(self, complaints, *patterns):
        self.assertEqual(len(complaints), 1, complaints)
        for pattern in patterns:
            self.assertRegex(complaints[0], pattern)
