"""A corpus of a few lines for the engine's tests, made without the builder."""

from collections.abc import Iterable

from cairn_core.index import Index, build_shard
from cairn_core.passage import DocumentRef, Passage


def document(name: str, lang: str, title: str, *texts: str, reviewed: str = "") -> list[Passage]:
    """The passages of one document of the family `name`, one a text, all paragraphs."""
    ref = DocumentRef(f"{name}-{lang}", title, lang, name, f"{lang}/{name}.html", reviewed)
    return [
        Passage(ref, ordinal, f"p{ordinal}", title, text, "p" * (text.count("\n") + 1))
        for ordinal, text in enumerate(texts, start=1)
    ]


def index_of(*documents: Iterable[Passage]) -> Index:
    by_lang: dict[str, list[Passage]] = {}
    for passages in documents:
        for passage in passages:
            by_lang.setdefault(passage.lang, []).append(passage)
    return Index.of(build_shard(lang, passages) for lang, passages in by_lang.items())


WATER_EN = document(
    "water",
    "en",
    "Water Meters",
    "A cracked meter is replaced without charge within two working weeks.",
    "The yearly reading takes place in April; leave the cellar unlocked.",
    "Large families pay a lower rate from the third child onwards.",
)
WATER_ES = document(
    "water",
    "es",
    "Contadores de agua",
    "Un contador roto se sustituye gratis en dos semanas.",
    "La lectura anual es en abril; deje el sótano abierto.",
    "Las familias numerosas pagan menos desde el tercer hijo.",
)
WATER_AR = document(
    "water",
    "ar",
    "عدادات المياه",
    "يُستبدل العداد المكسور مجانًا خلال أسبوعين.",
    "تجري القراءة السنوية في أبريل، فاترك القبو مفتوحًا.",
    "تدفع الأسر الكبيرة سعرًا أقل ابتداءً من الطفل الثالث.",
)
TREES_EN = document(
    "trees",
    "en",
    "Street Trees",
    "Fallen branches are collected the morning after a storm.",
    "A sapling may be adopted; its keeper waters it twice in dry weeks.",
    "Roots that lift the pavement are reported to the forester.",
)

SMALL = index_of(WATER_EN, WATER_ES, WATER_AR, TREES_EN)
