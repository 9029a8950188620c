#!/usr/bin/env python3
"""Names in the C++ reference without a sentence, as Doxygen's XML has them.

undocumented.py [XML]: prints one a line, with the file, and exits with 1 where there is one.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

# Special members of a class and comparisons say by their signature what they do.
UNSAID = ("operator=", "operator==", "operator<=>", "operator!=", "operator<", "begin", "end")


def has_text(element: ET.Element) -> bool:
    return any("".join(part.itertext()).strip()
               for name in ("briefdescription", "detaileddescription") for part in element.findall(name))


def is_special(member: ET.Element, of: str) -> bool:
    name = member.findtext("name", "")
    class_name = of.split("::")[-1].split("<")[0].strip()
    deleted = "=delete" in member.findtext("argsstring", "").replace(" ", "")
    defaulted = "=default" in member.findtext("argsstring", "").replace(" ", "")
    moves_or_copies = name == class_name and class_name in member.findtext("argsstring", "")
    return name in UNSAID or name.startswith("~") or deleted or defaulted or moves_or_copies or (
        name == class_name and not member.findall("param"))


def header_of(element: ET.Element) -> str:
    place = element.find("location")
    return "" if place is None else place.get("file", "")


def found(xml: Path) -> tuple[int, list[str]]:
    """How many names there are for users, and those without a sentence."""
    count, missing = 0, []
    seen = set()
    for file in sorted(xml.glob("*.xml")):
        if not file.name.startswith(("class", "struct", "group")):
            continue
        for compound in ET.parse(file).getroot().iter("compounddef"):
            name = compound.findtext("compoundname", "")
            is_class = compound.get("kind") in ("class", "struct")
            if "detail" in name.split("::") or compound.get("prot", "public") != "public":
                continue
            header = header_of(compound)
            if is_class:
                if "/detail/" in header or not header.startswith("weft/"):
                    continue
                count += 1
                if not has_text(compound):
                    missing.append(f"{header}: {name}")
            for member in compound.iter("memberdef"):
                header = header_of(member)
                whole = f"{name}::{member.findtext('name')}" if is_class else member.findtext("qualifiedname") or member.findtext("name")
                if (member.get("prot") != "public" or member.get("id") in seen or member.get("kind") in ("friend", "define")
                        or "/detail/" in header or not header.startswith("weft/") or "::detail::" in f"::{whole}"):
                    continue
                seen.add(member.get("id"))
                if is_class and is_special(member, name):
                    continue
                count += 1
                if not has_text(member) and not member.findall("reimplements"):
                    missing.append(f"{header}:{member.find('location').get('line')}: {whole}")
                for value in member.findall("enumvalue"):
                    count += 1
                    if not has_text(value):
                        missing.append(f"{header}: {whole}::{value.findtext('name')}")
    return count, missing


def main(xml: Path) -> int:
    count, missing = found(xml)
    print(*missing, f"undocumented: {len(missing)} of {count} names", sep="\n")
    return 1 if missing or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs/doxygen/xml")))
