"""The command ``wayfare``, also as ``python -m wayfare``."""

from __future__ import annotations

import signal
import sys

from . import _wayfare


def main() -> int:
    """Runs the command with the arguments of this process."""
    # The command handles signals itself; Python's handler would wait until the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _wayfare.main(["wayfare", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
