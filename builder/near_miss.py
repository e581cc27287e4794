"""The near-miss model that comes with the builder, for sites with `strict = true`.

`python -m bench near-miss` writes the file; what the model does is `cairn_core.strictness`'s concern.
"""

import json
from functools import cache
from pathlib import Path

from cairn_core.nearmiss import NearMiss

FILE = Path(__file__).with_name("near_miss.json")


@cache
def shipped() -> NearMiss:
    """Return the model. Raises ConfigError for a damaged file."""
    return NearMiss.from_json(json.loads(FILE.read_text(encoding="utf-8")))
