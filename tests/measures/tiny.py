"""A set of questions small enough for every test: four articles of two paragraphs each."""

import json
from pathlib import Path

ARTICLES = (
    (
        ("The ferry leaves the pier at seven.", "When does the ferry leave the pier?"),
        ("Tickets for the ferry cost nine crowns.", "What do tickets for the ferry cost?"),
    ),
    (
        ("Bees make honey from the nectar of clover.", "What do bees make from nectar?"),
        ("A hive of bees has one queen.", "How many queens does a hive have?"),
    ),
    (
        ("The kiln fires clay at a thousand degrees.", "At what heat does the kiln fire clay?"),
        ("Glaze gives the pots their colour.", "What gives pots their colour?"),
    ),
    (
        ("The choir rehearses in the chapel on Fridays.", "Where does the choir rehearse?"),
        ("Its conductor is called Ilse Marrow.", "Who is the conductor called?"),
    ),
)


def write(path: Path) -> Path:
    """Write the set in SQuAD format."""
    data = [
        {
            "paragraphs": [
                {"context": text, "qas": [{"id": question, "question": question}]}
                for text, question in article
            ]
        }
        for article in ARTICLES
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    return path
