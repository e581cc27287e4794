"""What every peer in Python is asked: an object on standard input, a line of rankings back for each task.

The object holds `lang`, `passages`, `questions` and `tasks`, each with `places` of the passages to search,
numbers of the `questions` to ask and the `depth` wanted. A ranking is a list of [place, score], best first.
"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence

Search = Callable[[str, int], Iterable[tuple[int, float]]]
"""A question and a depth in; positions in the indexed list and scores out, best first."""


def answer(index: Callable[[str, Sequence[str]], Search]) -> None:
    """Index the passages of every task, ask its questions, write its rankings."""
    given = json.load(sys.stdin)
    for task in given["tasks"]:
        places = task["places"]
        search = index(given["lang"], [given["passages"][place] for place in places])
        rankings = []
        for number in task["questions"]:
            found = search(given["questions"][number], task["depth"])
            rankings.append([(places[position], float(score)) for position, score in found])
        sys.stdout.write(json.dumps(rankings, separators=(",", ":")) + "\n")
