"""`python -m bench COMMAND`: runs one of the measurements and prints its table."""

import sys
from collections.abc import Callable, Mapping

from bench import build, corpus, crosslingual, firstanswer, judge, near_miss, pages, retrieval, wire

COMMANDS: Mapping[str, Callable[[list[str]], int]] = {
    "build": build.main,
    "browser": firstanswer.main,
    "corpus": corpus.main,
    "pages": pages.main,
    "wire": wire.main,
    "judge": judge.main,
    "retrieval": retrieval.main,
    "crosslingual": crosslingual.main,
    "near-miss": near_miss.main,
}
"""Command -> the function that takes its arguments and returns the exit code."""


def main(arguments: list[str]) -> int:
    """Run the command named first; without one, say which there are."""
    command = COMMANDS.get(arguments[0]) if arguments else None
    if command is None:
        print(f"usage: python -m bench {{{','.join(COMMANDS)}}} …", file=sys.stderr)
        return 2
    return command(arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
