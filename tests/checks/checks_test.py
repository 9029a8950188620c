#!/usr/bin/env python3
"""Tests of the checks of scripts/: each must find what it is there to find.

checks_test.py [compiler]
"""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from tree import TreeTest

import check_arrows
import check_collectives
import check_compile_failure
import check_docstrings
import check_door
import check_format
import check_headers
import check_lengths
import check_mirror
import check_public
import check_python
import check_spelling
import check_tidy

COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "g++"


class Door(TreeTest):
    def found(self):
        return check_door.complaints(self.root)

    def test_calls_that_wait_for_nobody(self):
        self.write("src/core/a.cpp", "void f() {\n    MPI_Isend(x);\n    MPI_Comm_rank(c, &r); // MPI_Barrier(c)\n}\n")
        self.assertEqual(self.found(), [])

    def test_behind_the_door(self):
        self.write("src/core/a.cpp", "void f(all_ranks_here) {\n    MPI_Barrier(c);\n}\n")
        self.assertEqual(self.found(), [])

    def test_beside_the_door(self):
        self.write("src/core/a.cpp", "void f(all_ranks_here) {\n}\n\nvoid g() {\n    check(\n        MPI_Comm_dup(c, &d));\n}\n")
        self.assert_complaint(self.found(), r"src/core/a\.cpp:6: MPI_Comm_dup may block", "all_ranks_here")


class Lengths(TreeTest):
    def found(self, text):
        self.write("src/core/a.cpp", text)
        return check_lengths.complaints(self.root)

    def test_a_long_file_says_why(self):
        self.assertEqual(self.found("int x;\n" * check_lengths.LONGEST), [])
        self.assertEqual(self.found("// In one file: one table.\n" + "int x;\n" * check_lengths.LONGEST), [])
        self.assert_complaint(self.found("int x;\n" * (check_lengths.LONGEST + 1)), r"src/core/a\.cpp: 401 lines of code", "divide it")

    def test_comments_are_no_code(self):
        self.assertEqual(self.found("// A reason.\n\nint x;\n" * check_lengths.LONGEST), [])
        docstring = 'def f():\n    """Does\n\n    it."""\n    # now\n    return 1\n'
        self.assertEqual(check_lengths.code_lines(docstring, ".py"), 2)


class Spelling(TreeTest):
    def setUp(self):
        super().setUp()
        self.program = shutil.which("codespell")
        if self.program is None:
            self.skipTest("no codespell")

    def test_a_word(self):
        self.write("src/core/a.cpp", "// The mailbox.\n")
        self.assertEqual(check_spelling.complaints(self.program, self.root), [])
        self.write("docs/page.md", "A recieve.\n")
        self.assert_complaint(check_spelling.complaints(self.program, self.root), r"docs/page\.md:1: recieve ==> receive")

    def test_a_word_that_is_right_here(self):
        self.write(check_spelling.WORDS, "recieve\n")
        self.write("docs/page.md", "A recieve.\n")
        self.assertEqual(check_spelling.complaints(self.program, self.root), [])


class Python(TreeTest):
    def found(self, text):
        here = Path(__file__).resolve().parents[2]
        program = check_python.find_ruff(here)
        if program is None:
            self.skipTest("no ruff")
        self.write("pyproject.toml", (here / "pyproject.toml").read_text(encoding="utf-8"))
        self.write("scripts/a.py", text)
        return check_python.complaints(program, self.root)

    def test_names(self):
        self.assertEqual(self.found("import sys\nprint(sys.path)\n"), [])
        self.assert_complaint(self.found("import sys\nprint(path)\nsys.exit()\n"), r"scripts/a\.py:2:7: F821")


class Tidy(TreeTest):
    def found(self, text):
        program = check_tidy.find_clang_tidy()
        if program is None:
            self.skipTest("no clang-tidy")
        self.write(".clang-tidy", (Path(__file__).resolve().parents[2] / ".clang-tidy").read_text(encoding="utf-8"))
        self.write("src/core/a.cpp", text)
        self.write("src/core/b.cpp", "int two() {\n    return 2;\n}\n")
        root = self.root.resolve()
        unit = f"#include \"{root}/src/core/a.cpp\"\n#include \"{root}/src/core/b.cpp\"\n"
        self.write("build/core.dir/Unity/unity_0_cxx.cxx", unit)
        name = str(root / "build/core.dir/Unity/unity_0_cxx.cxx")
        self.write("build/compile_commands.json", json.dumps([{"directory": str(root), "file": name,
                                                               "command": f"g++ -std=c++20 -Wno-restrict -o x.o -c {name}"}]))
        return check_tidy.complaints(program, root / "build", root, [])

    def test_a_fault(self):
        self.assertEqual(self.found("int one(int value) {\n    return value;\n}\n"), [])
        self.assert_complaint(self.found("bool one(int value) {\n    return value == value;\n}\n"),
                              r"src/core/a\.cpp:2:\d+: .*misc-redundant-expression")

    def test_code_that_does_not_compile(self):
        self.assert_complaint(self.found("int one() {\n    return nothing;\n}\n"), r"src/core/a\.cpp:2:\d+: error: .*nothing")


class Public(TreeTest):
    def setUp(self):
        super().setUp()
        self.write(check_public.LIST, check_public.text_of(check_public.public_headers(self.root)))

    def test_all_are_listed(self):
        self.assertEqual(check_public.complaints(self.root), [])

    def test_a_new_header(self):
        self.write("include/weft/detail/core/b.hpp", "")
        self.assert_complaint(check_public.complaints(self.root), r"weft/detail/core/b\.hpp: public, but not in")

    def test_a_header_that_has_gone(self):
        (self.root / "include/weft/core/error.hpp").unlink()
        self.assert_complaint(check_public.complaints(self.root), r"weft/core/error\.hpp: in .*, but not there")


class Docstrings(TreeTest):
    def found(self):
        return check_docstrings.complaints(self.root)

    def test_all_is_said(self):
        self.write("include/weft/core/b.hpp", "/// Sums up. Collective: yes. Does not block. Cost: a word. Throws: nothing.\nvoid f();\n"
                   "/// Sums up. Collective, Blocks,\n/// Cost, Throws: as `f`.\nvoid g(communicator const& comm);\n"
                   "/// Sums up. Collective: no.\nvoid h();\n/// A type. Collective: its construction.\nclass c {};\n")
        self.assertEqual(self.found(), [])

    def test_something_is_missing(self):
        self.write("include/weft/core/b.hpp", "/// Returns one.\nint one();\n\n/// Sums up. Collective: yes.\n/// Cost: a word.\nvoid f();\n")
        self.assert_complaint(self.found(), r"weft/core/b\.hpp:4: .* Blocks, Throws")

    def test_functions_begin_with_a_verb(self):
        self.write("include/weft/core/b.hpp", "/// No items.\nclass c {\n    /// As many.\n    explicit c(int n) : n_(n) {}\n"
                   "    /// The number.\n    std::int64_t n_ = f(1);\n    /// Returns the number.\n    [[nodiscard]] int size() const;\n};\n")
        self.assertEqual(self.found(), [])
        for begin in ("The number.", "Size of it.", "As `f`.", "Values of it.", "Whether it is."):
            self.write("include/weft/core/b.hpp", f"/// {begin}\ntemplate <class T>\n[[nodiscard]] int size(T x);\n")
            self.assert_complaint(self.found(), r"weft/core/b\.hpp:1: the docstring begins with \"" + begin.split()[0])

    def test_details_are_left_out(self):
        for end in ("}", "} // namespace detail"):
            self.write("include/weft/core/b.hpp", "namespace detail {\n/// Of it.\nint f(int a);\ninline int g() {\n    return '{';\n}\n"
                       + end + "\n\n/// Size of it.\nint size();\n")
            self.assertEqual(len(self.found()), 1)
            self.assert_complaint(self.found(), r"weft/core/b\.hpp:9: the docstring begins with \"Size")

    def test_who_takes_part(self):
        self.write("include/weft/core/b.hpp", "/// Sums up.\ntemplate <class T>\nvoid f(\n    communicator const& comm, T x);\n")
        self.assert_complaint(self.found(), r"weft/core/b\.hpp:1: .* Collective or Local")


class Arrows(TreeTest):
    NEEDS = {"core": "", "observe": "core", "transport": "core observe", "protocol": "transport", "exchange": "protocol",
             "mailbox": "protocol", "graph": "exchange mailbox", "io": "graph"}

    def setUp(self):
        super().setUp()
        for module, needs in self.NEEDS.items():
            needs = f"NEEDS {needs}" if needs else ""
            self.write(f"src/{module}/CMakeLists.txt", f"weft_module({module}\n  {needs}\n  SOURCES\n    a.cpp)\n")

    def found(self):
        return check_arrows.complaints(self.root)

    def test_good_tree(self):
        self.assertEqual(self.found(), [])

    def test_upwards(self):
        self.write("src/core/a.cpp", "\n#include <weft/exchange/inbox.hpp>\n")
        self.assert_complaint(self.found(), r"src/core/a\.cpp:2: core includes exchange", "exchange stands above core")

    def test_core_does_not_know_observe(self):
        self.write("src/core/a.cpp", "#include <weft/observe/counters.hpp>\n")
        self.assert_complaint(self.found(), "observe stands above core")

    def test_everybody_may_observe(self):
        self.write("src/transport/a.cpp", "#include <weft/observe/counters.hpp>\n")
        self.assertEqual(self.found(), [])

    def test_sideways(self):
        self.write("include/weft/mailbox/m.hpp", "#  include <weft/exchange/inbox.hpp>\n")
        self.assert_complaint(self.found(), r"m\.hpp:1: mailbox includes exchange", "do not know each other")

    def test_private_header_of_a_higher_module(self):
        self.write("src/io/i.hpp", "")
        self.write("src/graph/a.cpp", '#include "io/i.hpp"\n')
        self.assert_complaint(self.found(), "graph includes io")
        self.write("src/graph/a.cpp", '#include "../io/i.hpp"\n')
        self.assert_complaint(self.found(), "graph includes io")

    def test_tiers_are_of_their_modules(self):
        self.write("include/weft/detail/core/b.hpp", "#include <weft/exchange/inbox.hpp>\n")
        self.assert_complaint(self.found(), r"weft/detail/core/b\.hpp:1: core includes exchange")

    def test_a_detail_in_an_example(self):
        self.write("examples/a.cpp", "#include <weft/detail/core/owned.hpp>\n")
        self.assert_complaint(self.found(), r"examples/a\.cpp:1: includes weft/detail/core/owned\.hpp, which nobody")

    def test_private_header_in_a_public_one(self):
        self.write("include/weft/core/b.hpp", '#include "core/state.hpp"\n')
        self.assert_complaint(self.found(), r"b\.hpp:1: a public header includes the private header")

    def test_a_second_module_of_a_folder(self):
        self.write("src/exchange/CMakeLists.txt",
                   "weft_module(exchange NEEDS protocol SOURCES a.cpp)\nweft_module(more FOLDER exchange NEEDS exchange mailbox SOURCES b.cpp)\n")
        self.write("src/exchange/b.cpp", "#include <weft/mailbox/m.hpp>\n")
        self.assertEqual(self.found(), [])

    def test_unknown_module(self):
        self.write("src/knitting/a.cpp", "#include <weft/core/error.hpp>\n")
        self.assert_complaint(self.found(), "'knitting' is no module")

    def test_mpi_has_one_door(self):
        self.write("include/weft/mpi.hpp", "#include <mpi.h>\n")
        self.write("src/transport/t.cpp", "#include <weft/mpi.hpp>\n")
        self.assertEqual(self.found(), [])
        for file in ("src/transport/a.cpp", "tools/a.cpp", "tests/core/a_test.cpp"):
            self.write(file, "#include <mpi.h>\n")
            self.assert_complaint(self.found(), f"{file}:1: includes <mpi.h>")
            (self.root / file).unlink()
        self.write("include/weft/core/b.hpp", "#include <weft/mpi.hpp>\n")
        self.assert_complaint(self.found(), r"b\.hpp:1: a public header includes weft/mpi\.hpp")

    def test_everything_is_for_users(self):
        self.write("include/weft/weft.hpp", "#include <weft/exchange/inbox.hpp>\n")
        self.write("tools/a.cpp", "#include <weft/weft.hpp>\n")
        self.assertEqual(self.found(), [])
        self.write("src/io/a.cpp", "#include <weft/weft.hpp>\n")
        self.assert_complaint(self.found(), "which is everything")

    def test_comments_do_not_count(self):
        self.write("src/core/a.cpp", "// #include <mpi.h>\n/*\n#include <mpi.h>\n*/\n")
        self.assertEqual(self.found(), [])

    def test_wrong_folder(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assert_complaint(check_arrows.complaints(Path(empty)), "root of the source tree")


class Mirror(TreeTest):
    def found(self):
        return check_mirror.complaints(self.root)

    def test_good_tree(self):
        self.write("include/weft/weft.hpp", "")
        self.assertEqual(self.found(), [])

    def test_missing(self):
        self.write("include/weft/core/ids.hpp", "")
        self.assert_complaint(self.found(), r"core/ids\.hpp: no test; write tests/core/ids_test\.cpp")
        self.write("tests/exchange/ids_test.cpp", "#include <weft/core/ids.hpp>\nTEST(ids, are) {\n}\n") # another folder
        self.assertEqual(len(self.found()), 1)

    def test_tested_with_its_users(self):
        self.write("include/weft/core/ids.hpp", "")
        self.write("tests/core/table_test.cpp", "#include <weft/core/ids.hpp>\nTEST(table, is) {\n}\n")
        self.assertEqual(self.found(), [])

    def test_empty(self):
        self.write("tests/core/error_test.cpp", "// TEST(error, is) {}\n")
        self.assert_complaint(self.found(), r"error_test\.cpp: has no TEST")

    def test_mpi_header(self):
        self.write("include/weft/mpi.hpp", "")
        self.assert_complaint(self.found(), r"write tests/core/mpi_test\.cpp")

    def test_wrong_folder(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assert_complaint(check_mirror.complaints(Path(empty)), "root of the source tree")


class Headers(TreeTest):
    def found(self, check):
        return check_headers.complaints(check, self.root, COMPILER, [])

    def test_good_tree(self):
        for check in (check_headers.alone, check_headers.lines):
            self.assertEqual(self.found(check), [])

    def test_not_alone(self):
        self.write("include/weft/core/b.hpp", "#pragma once\ninline std::string text;\n")
        self.assert_complaint(self.found(check_headers.alone), r"core/b\.hpp: does not compile alone", "std")

    def test_not_twice(self):
        self.write("include/weft/core/b.hpp", "struct twice {};\n")
        self.assert_complaint(self.found(check_headers.alone), "redefinition")

    def test_needs_mpi(self):
        self.write("include/weft/core/b.hpp", "#pragma once\n#include <mpi.h>\n")
        self.assert_complaint(self.found(check_headers.alone), r"mpi\.h")

    def test_warns(self):
        self.write("include/weft/core/b.hpp", "#pragma once\ninline int f(int unused) { return 0; }\n")
        self.assert_complaint(self.found(check_headers.alone), "unused")

    def test_warns_where_templates_are_used(self):
        self.write("include/weft/core/b.hpp", "#pragma once\ntemplate <class t> int f(t x) { return x; }\n")
        self.write("examples/a.cpp", "#include <weft/core/b.hpp>\nint unused(int) { int of_the_program = f(1); }\n")
        found = lambda: check_headers.strict_complaints(self.root, COMPILER, [])
        self.assertEqual(found(), [])
        self.write("examples/a.cpp", "#include <weft/core/b.hpp>\nint main() { return f(1L); }\n")
        self.assert_complaint(found(), r"examples/a\.cpp", r"core/b\.hpp:2", "conver|shorten")

    def test_long(self):
        self.write("include/weft/core/b.hpp", "#pragma once\n" + "extern int x;\n" * (check_headers.LONGEST + 1))
        self.assert_complaint(self.found(check_headers.lines), r"75,001 preprocessed lines; at most 75,000")

    def test_costly(self):
        self.write("include/weft/core/b.hpp", "#pragma once\ntemplate <int n> struct s { s<n - 1> x; };\n"
                   "template <> struct s<0> {};\n" +
                   "".join(f"struct t{n} {{ int x[{n + 1}]; }};\n" for n in range(60_000)))
        self.assert_complaint(self.found(check_headers.alone), r"b\.hpp: the compiler uses \d+ MB; at most 84 MB")

    def test_wrong_folder(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assert_complaint(check_headers.complaints(check_headers.lines, Path(empty), COMPILER, []),
                                  "root of the source tree")


class CompileFailures(TreeTest):
    GOOD = ("struct error {};\n#if WEFT_SECTION == 1\n// EXPECT-ERROR: no member named 'x'\n"
            "int x = error{}.x;\n#endif\n")

    def found(self, text):
        self.write("wrong.cpp", text)
        return check_compile_failure.complaints(self.root / "wrong.cpp", [COMPILER, "-std=c++20"])

    def test_good_file(self):
        self.assertEqual(self.found(self.GOOD), [])

    def test_section_compiles(self):
        self.assert_complaint(self.found(self.GOOD.replace("error{}.x", "0")), "section 1 compiles")

    def test_other_error(self):
        self.assert_complaint(self.found(self.GOOD.replace("error{}.x", "error{}.y")), "without the expected error")

    def test_section_0_fails(self):
        self.assert_complaint(self.found(self.GOOD + "nonsense\n"), "section 0 does not compile")

    def test_malformed(self):
        self.assert_complaint(self.found("int x;\n"), "has no section")
        self.assert_complaint(self.found(self.GOOD.replace("EXPECT-ERROR: ", "")), "section 1 has no EXPECT-ERROR")
        self.assert_complaint(self.found(self.GOOD + "// EXPECT-ERROR nothing\n"), "line 6: not understood")
        self.assert_complaint(self.found(self.GOOD * 2), "section 1 is taken")


class Collectives(TreeTest):
    def found(self):
        return check_collectives.complaints(self.root)

    def test_each_is_tried(self):
        self.write("include/weft/core/b.hpp", "/// Sums up. Collective: yes.\ntemplate <class T>\n[[nodiscard]] T add(T a);\n"
                   "/// Adds. Collective: no.\nint local(int a);\nnamespace detail {\n/// Collective: yes.\nvoid part();\n"
                   "} // namespace detail\n")
        for folder in ("faults", "arguments"):
            self.write(f"tests/{folder}/a_calls.cpp", "void f() { weft::add(1); }\n")
        self.assertEqual(self.found(), [])

    def test_one_is_missing(self):
        self.write("include/weft/core/b.hpp", "class c {\n    /// Makes one. Collective: yes.\n    explicit c(int n);\n};\n"
                   "/// Sums up. Collective: yes.\nint add(int a);\n")
        self.write("tests/faults/a_calls.cpp", "void f() { c made(1); } // add\n")
        self.write("tests/arguments/a_calls.cpp", "void f() { c made(1); add(1); }\n")
        self.assert_complaint(self.found(), "weft/core/b.hpp: `add` is collective, and no call of tests/faults tries it")


@unittest.skipUnless(check_format.find_clang_format(), "no clang-format 14")
class Format(TreeTest):
    def found(self):
        return check_format.complaints(check_format.find_clang_format(), self.root)

    def setUp(self):
        super().setUp()
        self.write(".clang-format", (Path(__file__).parents[2] / ".clang-format").read_text(encoding="utf-8"))

    def test_good_tree(self):
        self.assertEqual(self.found(), [])

    def test_not_formatted(self):
        self.write("src/core/a.cpp", "int   x;\n")
        self.assert_complaint(self.found(), r"src/core/a\.cpp: not formatted; run: make format")

    def test_wrong_folder(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assert_complaint(check_format.complaints("clang-format", Path(empty)), "root of the source tree")


if __name__ == "__main__":
    unittest.main()
