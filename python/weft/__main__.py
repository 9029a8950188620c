"""The command `weft`, as `python -m weft`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the command that the package contains."""
    command = Path(__file__).parent / "bin" / "weft"
    if not command.exists():
        sys.exit("weft: error: this package was built without the command; install it by `pip install .` from a clone")
    os.execv(command, ["weft", *sys.argv[1:]])


if __name__ == "__main__":
    main()
