"""The calls of C++ and Fortran that stand beside each call of C: from the tables of docs/guides/c.md, and from the module itself."""

import re
from pathlib import Path

CALLED = re.compile(r"\bc_(\w+)\(")
PROCEDURE = re.compile(r"^(?:pure |logical |integer\(?\w*\)? )*(?:subroutine|function) (?:(NAME|OF)\()?(\w+)\)?\(([^)]*)\)(.*?)"
                       r"^end (?:subroutine|function)", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^  type :: (\w+)\n(.*?)^  end type", re.MULTILINE | re.DOTALL)


def bound_names(text: str) -> dict[str, tuple[str, str]]:
    """Of each procedure of the module the type that it belongs to, and its name there."""
    names = {}
    for kind, body in TYPE.findall(text):
        for name, procedure in re.findall(r"procedure :: (\w+) => (\w+)", body):
            names[procedure] = (kind, name)
        for name, targets in re.findall(r"generic :: (\w+) => (.*?)(?<!&)\n", body, re.DOTALL):
            typed = {re.sub(r"_(int|real)\d+$", "", each) for each in re.findall(r"\w+", targets)}
            for procedure in re.findall(r"EACH\d\((\w+)\)", targets) or typed:
                names[procedure] = (kind, name)
    return names


def fortran_calls(root: Path) -> dict[str, list[str]]:
    """Of each function of C the calls of the module that run it."""
    folder = root / "fortran"
    types = "".join((folder / name).read_text(encoding="utf-8") for name in ("weft.F90", "frame_types.inc", "block_types.inc"))
    names = bound_names(types)
    parts = [PROCEDURE.findall((folder / name).read_text(encoding="utf-8"))
             for name in ("handles.inc", "frames.inc", "blocks.inc", "typed.inc", "shaped.inc")]
    inner: dict[str, set[str]] = {}  # what procedures of the module's own call
    for _, name, _, body in (each for part in parts for each in part):
        inner[name] = set(CALLED.findall(body))
    result: dict[str, list[str]] = {}
    for _, name, arguments, body in (each for part in parts for each in part):
        given = [each for each in re.split(r",\s*(?:&\s*)?", arguments) if each not in ("stat", "errmsg")]
        if name in names:
            kind, bound = names[name]
            said = f"`{kind}`: `%{bound}({', '.join(given[1:])})`"
        elif name.startswith("weft_"):
            said = f"`{name}({', '.join(given)})`"
        else:
            continue
        calls = set(CALLED.findall(body))
        for other in set(re.findall(r"call (\w+_bytes)\(", body)):
            calls |= inner.get(other, set())
        for function in calls:
            into = result.setdefault("weft_" + function, [])
            if said not in into:
                into.append(said)
    for kind, release in re.findall(r"#define TYPE_ (\w+)\n#define RELEASE c_(\w+)", types):
        result.setdefault("weft_" + release, []).append(f"`{kind}`: `%free()`")
    return result


def cxx_calls(root: Path) -> dict[str, str]:
    """Of each function of C what does the same in C++, by the tables of the guide."""
    result = {}
    guide = (root / "docs" / "guides" / "c.md").read_text(encoding="utf-8")
    for cxx, c in re.findall(r"^\| ([^|]*`[^|]*) \| (`weft_[^|]*) \|$", guide, re.MULTILINE):
        whole = ""
        for name in re.findall(r"`(\w+)`", c):
            whole = whole.rsplit("_", 1)[0] + name if name.startswith("_") else name
            result[whole] = cxx.strip()
    return result
