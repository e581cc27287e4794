"""Language codes of documents and folders: what counts as one, and how it is written.

A code is lower case: a primary subtag of two or three letters, then a script and a region when given
(`zh-hans`, `pt-br`). What a language looks like to a reader (direction, own name, messages) is left to
`cairn_core.language`.
"""

import re

from builder.problems import nearest

_SHAPE = re.compile(r"[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?")
_TWO_LETTERS = frozenset(
    re.findall(
        "[a-z]{2}",
        """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu
        cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi
        ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks
        ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl
        nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl
        sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve
        vi vo wa wo xh yi yo za zh zu""",
    )
)
"""ISO 639-1, with `tl` in use for Filipino and without the withdrawn codes."""
_COUNTRIES = {
    "cn": "zh",
    "jp": "ja",
    "gr": "el",
    "dk": "da",
    "se": "sv",
    "ua": "uk",
    "cz": "cs",
    "ph": "tl",
    "us": "en",
    "gb": "en",
}
_NAMES = {
    "arabic": "ar",
    "bengali": "bn",
    "chinese": "zh",
    "english": "en",
    "español": "es",
    "espanol": "es",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "korean": "ko",
    "portuguese": "pt",
    "russian": "ru",
    "spanish": "es",
    "tagalog": "tl",
    "vietnamese": "vi",
}


def normal(code: str) -> str | None:
    """Return a language code as Cairn writes it, or None when it is none."""
    lowered = code.strip().lower().replace("_", "-")
    if _SHAPE.fullmatch(lowered) is None:
        return None
    primary = lowered.partition("-")[0]
    return lowered if len(primary) == 3 or primary in _TWO_LETTERS else None


def hint(code: str) -> str:
    """Return what to write instead of a code that is none."""
    lowered = code.strip().lower()
    meant = _NAMES.get(lowered) or _COUNTRIES.get(lowered)
    return (
        f"write {meant!r}"
        if meant
        else nearest(lowered, _TWO_LETTERS) or 'use a code such as "en" or "zh-hans"'
    )


def of_name(name: str, languages: tuple[str, ...]) -> str | None:
    """Return the language a folder or file-name part stands for, or None.

    Where the site lists its languages only those count; else a name must be a two-letter code of ISO 639-1,
    with subtags or not, for three letters are as often a word (`doc`, `faq`).
    """
    code = normal(name)
    if code is None:
        return None
    if languages:
        return code if code in languages else None
    return code if len(code.partition("-")[0]) == 2 else None
