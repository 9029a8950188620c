"""Runs the command `weft`, by `python -m weft`."""

from __future__ import annotations

import os
import sys

from ._mpi_library import command_and_environment


def main() -> None:
    """Replaces this process by the command `weft` of the package."""
    command, environment = command_and_environment()
    if not command.exists():
        sys.exit("weft: error: this package was built without the command; install it by `pip install .` from a clone")
    os.execve(command, ["weft", *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
