#!/usr/bin/env python3
"""Compares docs/errors.md with the faults that random programs draw, and with the public headers: each collective
function is in it.

errors_table_test.py PROGRAM ROOT [--fix]
"""

import re
import subprocess
import sys
from pathlib import Path

BEGIN = "<!-- begin: random_programs --faults -->\n"
END = "<!-- end -->\n"
# Engines and compiled cores: their users are the calls in the table.
INNER = {"block_core", "settle", "exchange_bytes", "gather_bytes", "broadcast_bytes", "read", "find_clock_offset",
         "deal_anew", "moved", "balance_blocks", "block_storage", "share", "multiply", "reduce_arrays", "merge_ranks",
         "reduce_small", "scan_ranks"}


def collective_functions(header):
    """Names of what a header calls collective."""
    text = header.read_text(encoding="utf-8")
    for comment, code in re.findall(r"((?:^[ \t]*///.*\n)+)((?:.*\n){1,6})", text, re.MULTILINE):
        if not re.search(r"Collective:\s+(///\s+)?yes", comment):
            continue
        code = re.sub(r"\[\[nodiscard\]\]|\b(explicit|static|inline|friend)\b", "", code)
        code = re.sub(r"requires .*?(?=\b[\w:<>]+ \w+\()", "", code)
        name = re.search(r"(\w+)\(", re.sub(r"template <[^\n]*>\n", "", code))
        if name:
            yield name.group(1)


def main(program, root, fix):
    path = root / "docs" / "errors.md"
    text = path.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    table = subprocess.run([program, "--faults"], check=True, text=True, stdout=subprocess.PIPE).stdout
    complaints = []
    if text[begin:end] != table:
        if fix:
            text = text[:begin] + table + text[end:]
            path.write_text(text, encoding="utf-8")
        else:
            complaints.append("its table is not what random_programs --faults prints; --fix replaces it")
    for header in sorted((root / "include" / "weft").rglob("*.hpp")):
        for name in collective_functions(header):
            if name not in INNER and not re.search(rf"`[^`]*\b{name}\b[^`]*`", text):
                complaints.append(f"{name} of {header.relative_to(root)} is not in it")
    for complaint in complaints:
        print(f"docs/errors.md: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), "--fix" in sys.argv))
