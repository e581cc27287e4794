"""Thresholds with a stated rate: what a gate lets through of questions like the ones it was calibrated on.

Split-conformal (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005): nothing is assumed
about the scores, only that later questions are drawn as the calibrating ones were. Where probes come from and
where thresholds are kept is the builder's and `config`'s concern.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def conformal_threshold(scores: Sequence[float], alpha: float) -> float:
    """The lowest threshold that accepts a further such score with a probability of at most `alpha`.

    scores: of questions that must be refused. 1 / alpha - 1 of them are needed; with fewer the threshold is
    just above the highest, and the rate that can be stated is 1 / (n + 1).
    """
    if not scores:
        raise ValueError("there are no scores to calibrate on")
    rising = sorted(scores)
    rank = min(len(rising), math.ceil((len(rising) + 1) * (1 - alpha)))
    return math.nextafter(rising[rank - 1], math.inf)
