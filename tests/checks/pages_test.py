#!/usr/bin/env python3
"""Tests of those checks of scripts/ that read pages and comments: each must find what it is there to find."""

import unittest

from tree import TreeTest

import check_decisions
import check_paths
import check_readme
import check_versions
import check_words


class Readme(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("README.md", "")
        self.write("examples/a.cpp", "// [readme]\nint a;\n// [readme]\n    // [part]\n    int b;\n    // [part]\n")

    def found(self, text):
        self.write("docs/guides/page.md", text)
        return check_readme.complaints(self.root)

    def test_code_of_programs(self):
        self.assertEqual(self.found("<!-- from examples/a.cpp -->\n```cpp\nint a;\n```\n"), [])
        self.assertEqual(self.found("<!-- from examples/a.cpp#part -->\n```cpp\nint b;\n```\n"), [])
        self.assertEqual(self.found("<!-- all of examples/a.cpp -->\n```cpp\nint a;\n    int b;\n```\n"), [])
        self.assertEqual(self.found("<!-- not run: of another library -->\n```cpp\nint c;\n```\n"), [])

    def test_other_code(self):
        self.assert_complaint(self.found("text\n```cpp\nint a;\n```\n"), "page.md:2.*no test runs")
        self.assert_complaint(self.found("<!-- from examples/a.cpp -->\n```cpp\nint b;\n```\n"), "differs")
        self.assert_complaint(self.found("<!-- from examples/a.cpp#none -->\n```cpp\nint b;\n```\n"), r"two `\[none\]` lines")

    def test_copied_again(self):
        text = "<!-- from examples/a.cpp#part -->\n```cpp\nold\n```\n"
        self.assertEqual(check_readme.fixed(self.root, text), text.replace("old", "int b;"))


class Versions(TreeTest):
    def test_they_agree(self):
        self.write("README.md", "Version 1.2.0 and the changes since\n")
        self.write("CMakeLists.txt", "project(weft VERSION 1.2.0 LANGUAGES CXX)\n")
        self.write("pyproject.toml", 'version = "1.2.0"\n')
        self.write("CITATION.cff", "version: 1.2.0\n")
        self.write("packaging/conda/meta.yaml", '{% set version = "1.2.0" %}\n')
        self.write("packaging/spack/package.py.in", '    version("1.2.0", tag="v1.2.0")\n')
        self.write("python/weft/__init__.py", '__version__ = "1.2.0"\n')
        self.write("include/weft/core/version.hpp", '#define WEFT_VERSION_TEXT "1.2.0"\n')
        for name in check_versions.ASKING:
            self.write(name, "find_package(weft 1.2 REQUIRED)\n")
        self.write("CHANGELOG.md", "## 1.2.0 (unreleased)\n")
        self.assertEqual(check_versions.complaints(self.root), [])
        self.write("CITATION.cff", "version: 1.1.0\n")
        self.assert_complaint(check_versions.complaints(self.root), "CITATION.cff: version 1.1.0")

    def test_programs_ask_for_this_interface(self):
        self.test_they_agree()
        self.write("CITATION.cff", "version: 1.2.0\n")
        self.write("python/CMakeLists.txt", "find_package(weft 1.1 REQUIRED)\n")
        self.assert_complaint(check_versions.complaints(self.root), "python/CMakeLists.txt: asks for 1.1")


class Words(TreeTest):
    def found(self):
        return check_words.complaints(self.root)

    def test_a_thing_begins_a_sentence(self):
        self.write("src/core/a.cpp", "/// True if it ends. It does what it must.\n// Who sends to me?\nvoid f(); // tells who waits\n")
        self.write("docs/page.md", "# A page\n\nWho sends to me? None does. `What is here`\n\n```\nWhat a line of output says.\n```\n")
        self.assertEqual(self.found(), [])

    def test_a_comment_begins_with_whether(self):
        self.write("src/core/a.cpp", "/// A flag. Whether it ends.\nbool f();\n")
        self.assert_complaint(self.found(), r'src/core/a\.cpp:1: .*"Whether"')

    def test_a_thing_that_is_none(self):
        self.write("src/core/a.cpp", "/// Throws for one that is none of these.\n/// Throws for a rank that is none.\nvoid f();\n")
        self.assert_complaint(self.found(), r'src/core/a\.cpp:2: "that is none"; say "invalid"')

    def test_the_library_speaks_of_fields(self):
        self.write("src/core/a.cpp", 'throw error("a file of `weft tune --file`, or `header_bytes`"); // or `tar --extract`\n')
        self.write("tools/a.cpp", 'add_option("--header-bytes");\n')
        self.assertEqual(self.found(), [])
        self.write("src/core/a.cpp", 'throw error(name +\n    ": leave --header-bytes out");\n')
        self.assert_complaint(self.found(), r"src/core/a\.cpp:2: .* names --header-bytes; name the field")

    def test_words_of_builders_stay_with_them(self):
        self.write("ARCHITECTURE.md", "The adversary reorders messages.\n")
        self.write("docs/page.md", "Broken copies come from `mutate.py`, [all](mutants.md).\n")
        self.write("include/weft/extend/a.hpp", "/// Leases tags.\nvoid f();\n")
        self.assertEqual(self.found(), [])
        self.write("docs/page.md", "It runs under the adversary.\n")
        self.assert_complaint(self.found(), r"docs/page\.md:1: 'adversary' is a word of those who build Weft")
        self.write("docs/page.md", "Broken copies lie in `tests/mutants`.\n")
        self.assert_complaint(self.found(), r"docs/page\.md:1: '`tests/mutants' is a word of those who build Weft")
        self.write("docs/page.md", "")
        self.write("include/weft/core/a.hpp", "/// Leases tags.\nvoid f();\n")
        self.assert_complaint(self.found(), r"include/weft/core/a\.hpp:1: 'Leases'")

    def test_settings_and_options_have_words_of_the_field(self):
        self.write("src/core/a.cpp", 'knob("WEFT_RELEASE_EPOCHAL"); // of an epoch\n')
        self.assertEqual(self.found(), [])
        self.write("src/core/a.cpp", 'knob("WEFT_EPOCH_WINDOW");\n')
        self.assert_complaint(self.found(), r"src/core/a\.cpp:1: WEFT_EPOCH has a word of those who build Weft")
        self.write("src/core/a.cpp", "")
        self.write("tools/a.cpp", 'add_option("--small-census");\n')
        self.assert_complaint(self.found(), r"tools/a\.cpp:1: --small-census has a word")
        self.write("tools/a.cpp", "")
        self.write("docs/page.md", "Set `WEFT_CENSUS`.\n")
        self.assert_complaint(self.found(), r"docs/page\.md:1: 'WEFT_CENSUS' is a word")

    def test_an_item_of_a_page_begins_with_what(self):
        self.write("docs/page.md", "Text.\n\n- What remains is drawn.\n")
        self.assert_complaint(self.found(), r'docs/page\.md:3: .*"What"')

    def test_users_read_sentences_of_several_lines(self):
        self.write("docs/page.md", "Each rank sends. Which ranks\nreceive is found by the library.\n")
        self.assert_complaint(self.found(), r"docs/page\.md:1: .*begin it with a thing")
        self.write("docs/page.md", "A value that is no\nnumber; is there no other?\n")
        self.assert_complaint(self.found(), r'docs/page\.md:1: "is no number')
        self.write("docs/page.md", "Here there is no limit.\n")
        self.assertEqual(self.found(), [])
        self.write("include/weft/core/a.hpp", "/// At most so many.\nvoid f();\n")
        self.assert_complaint(self.found(), r"include/weft/core/a\.hpp:1: .*name the number")


class Paths(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("src/core/state.cpp", 'enum class way { near_by };\nvoid step_on() { knob("WEFT_WAY"); }\n')
        self.write("tools/command.hpp", "command make_label(CLI::App& app);\n")
        self.write("tools/label.cpp", 'auto x = option("--threshold");\n')
        self.write("python/weft/__init__.py", "def label(values): pass\n")
        self.write("docs/adr/0007-ways.md", "# 7. Ways\n")

    def found(self, text, file="docs/page.md"):
        self.write(file, text)
        return check_paths.complaints(self.root)

    def test_all_exists(self):
        self.assertEqual(self.found(
            "`src/core/state.cpp`, core/error.hpp, `state.hpp`, `src/core/`, [ADR 7](adr/0007-ways.md), `docs/adr/0007`\n"
            "WEFT_WAY, `WEFT_*`, `weft label --threshold 3`, `--threshold`, `weft.label(x)`, `weft::way::near_by`, `step_on()`\n"
            "`MPI_Barrier`, `std::no_such_thing`, `a word`, https://example.org/no/such/file.md\n\n"
            "```sh\nweft nothing --no-option WEFT_NOTHING\n```\n"), [])
        self.assertEqual(self.found("// see core/error.hpp: `step_on`\n", "src/core/a.cpp"), [])

    def test_paths(self):
        for text, name in (("`src/core/gone.hpp`", "src/core/gone.hpp"), ("see core/gone.hpp", "core/gone.hpp"),
                           ("weft/core/state.hpp", "weft/core/state.hpp"), ("`src/gone/`", "src/gone/")):
            self.assert_complaint(self.found(text), r"docs/page\.md:1: there is no (file|folder) " + name)

    def test_links_and_records(self):
        self.assertRegex(self.found("[a page](gone.md)")[-1], "the link to gone.md leads nowhere")
        self.assert_complaint(self.found("as ADR 8 says"), "no decision record 8")
        self.assert_complaint(self.found("(`docs/adr/0007`, `0009`)"), "no decision record 9")

    def test_variables_and_the_command(self):
        self.assert_complaint(self.found("`-DWEFT_GONE=ON`"), "no variable or option WEFT_GONE")
        self.assert_complaint(self.found("`WEFT_GONE_*`"), "no variable or option WEFT_GONE_")
        self.assert_complaint(self.found("`weft -n 2 paint`"), "no subcommand paint")
        self.assert_complaint(self.found("`weft label --gone`"), "no option --gone")

    def test_scripts_that_are_typed(self):
        self.write("scripts/draw.py", "#!/usr/bin/env python3\n")
        self.write("scripts/part.py", "import draw\n")
        for text in ("`scripts/draw.py --all`", "`scripts/draw.py`"):
            self.assert_complaint(self.found(text), "scripts/draw.py is not executable")
        self.assertEqual(self.found("`python3 scripts/draw.py`, `scripts/part.py`"), [])
        (self.root / "scripts/draw.py").chmod(0o755)
        self.assertEqual(self.found("`scripts/draw.py --all`"), [])

    def test_symbols(self):
        self.assert_complaint(self.found("`gone_by`"), "nothing is called gone_by")
        self.assert_complaint(self.found("`gone(x)`"), "nothing is called gone")
        self.assert_complaint(self.found("`weft::way::far_off`"), "way has no far_off")
        self.assert_complaint(self.found("`weft.paint(x)`"), "the Python package has no paint")

    def test_comments(self):
        self.assert_complaint(self.found("/// As `gone_by`.\n", "include/weft/core/a.hpp"), r"a\.hpp:1: nothing is called gone_by")
        (self.root / "include/weft/core/a.hpp").unlink()
        self.assert_complaint(self.found('def f():\n    """As\n    `gone_by`."""\n', "python/weft/a.py"), r"a\.py:3: .* gone_by")

    def test_records_of_the_past(self):
        self.assert_complaint(self.found("# 8. Paths\n\n`gone_by`\n", "docs/adr/0008-paths.md"), "gone_by")
        self.assertEqual(self.found("# 8. Paths (superseded by ADR 7)\n\n`gone_by`\n", "docs/adr/0008-paths.md"), [])


class Decisions(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("docs/adr/0007-ways.md", "# 7. Ways (amended by ADR 9)\n\nSubject: blocks.\n\nText.\n")
        self.write("docs/adr/0009-paths.md", "# 9. Paths\n\nSubject: project.\n\nText.\n")
        self.write("docs/adr/README.md", check_decisions.index_of(check_decisions.read_all(self.root)[0]))

    def found(self):
        return check_decisions.complaints(self.root)

    def test_good_index(self):
        self.assertEqual(self.found(), [])
        self.assertIn("| 7 | [Ways](0007-ways.md) | amended by ADR 9 |", (self.root / "docs/adr/README.md").read_text())

    def test_a_record_that_the_index_lacks(self):
        self.write("docs/adr/0010-new.md", "# 10. New\n\nSubject: blocks.\n")
        self.assert_complaint(self.found(), r"README\.md: differs from the records; run: ")

    def test_first_lines(self):
        for text, complaint in (("# Paths\n\nSubject: project.\n", "expected '# NUMBER"), ("# 8. Paths\n\nSubject: project.\n", "has number 8"),
                                ("# 9. Paths\n\nText.\n", "expected 'Subject"), ("# 9. Paths\n\nSubject: cheese.\n", "expected .Subject: NAME.* one of exchange")):
            self.write("docs/adr/0009-paths.md", text)
            self.assertRegex(self.found()[0], r"docs/adr/0009-paths\.md:1: " + complaint)

    def test_numbers(self):
        self.write("docs/adr/0009-again.md", "# 9. Again\n\nSubject: project.\n")
        self.assertRegex(self.found()[0], "another record has number 9")
        (self.root / "docs/adr/0009-again.md").unlink()
        self.write("docs/adr/0007-ways.md", "# 7. Ways (superseded by ADR 8)\n\nSubject: blocks.\n")
        self.assert_complaint(self.found(), "there is no later record 8")


if __name__ == "__main__":
    unittest.main()
