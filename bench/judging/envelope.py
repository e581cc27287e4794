"""The claim lattice: a JSON object of claims that some answerers put around their prose.

Only an object with a list `claims` of objects with a string `text` is an envelope; every other text is
returned byte for byte as it came.
"""

import json
import re

_FENCED = re.compile(r"\A[^{`]{0,200}```(?:json|JSON)?[ \t]*\n(?P<body>\{.*\})\s*```[^`]{0,200}\Z", re.DOTALL)
_PREFIXED = re.compile(r"\A[^{}\n]{1,200}:\s*\n?(?P<body>\{.*\})\s*\Z", re.DOTALL)
_TERMINATORS = ".!?。！？؟।…"
LONGEST = 1_000_000  # characters of an answer that are looked at


def unwrap(answer: str) -> str:
    """Return the claims of a bare envelope joined by a space, each ended by a stop; else `answer` itself."""
    if len(answer) > LONGEST or not answer.lstrip().startswith("{"):
        return answer
    claims = _claims(answer)
    return " ".join(map(_ended, claims)) if claims else answer


def unwrap_any(answer: str) -> str:
    """Unwrap an envelope that is bare, in a code fence, or behind a short lead-in such as "Answer:"."""
    bare = unwrap(answer)
    if bare is not answer or "{" not in answer or len(answer) > LONGEST:
        return bare
    match = _FENCED.match(answer) or _PREFIXED.match(answer)
    body = match["body"] if match else ""
    return unwrap(body) if body and _claims(body) else answer


def _claims(text: str) -> list[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list) or not claims:
        return []
    texts = [claim.get("text") if isinstance(claim, dict) else None for claim in claims]
    return [text.strip() for text in texts if isinstance(text, str)] if all(map(_is_text, texts)) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _ended(claim: str) -> str:
    return claim if claim.endswith(tuple(_TERMINATORS)) else f"{claim}."
