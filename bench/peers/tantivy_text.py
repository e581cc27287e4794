"""Peer: tantivy with the analyzer named on the command line: `stem` (words and the stemmer of the language,
where it has one) or `ngram` (three characters), asked for any of the question's tokens.
"""

import sys
from collections.abc import Sequence

import tantivy
from tantivy import Filter, Occur, Query, TextAnalyzer, TextAnalyzerBuilder, Tokenizer
from tasks import Search, answer

STEMMERS = {
    "ar": "arabic",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "no": "norwegian",
    "ro": "romanian",
    "ru": "russian",
    "tr": "turkish",
}


def analyzer(lang: str) -> TextAnalyzer:
    if sys.argv[1] == "ngram":
        grams = Tokenizer.ngram(min_gram=3, max_gram=3, prefix_only=False)
        return TextAnalyzerBuilder(grams).filter(Filter.lowercase()).build()
    words = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(40)).filter(Filter.lowercase())
    return (words.filter(Filter.stemmer(STEMMERS[lang])) if lang in STEMMERS else words).build()


def index(lang: str, passages: Sequence[str]) -> Search:
    analyze = analyzer(lang)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="peer")
    builder.add_unsigned_field("place", stored=True)
    schema = builder.build()
    held = tantivy.Index(schema)
    held.register_tokenizer("peer", analyze)
    writer = held.writer(heap_size=50_000_000, num_threads=1)
    for place, text in enumerate(passages):
        writer.add_document(tantivy.Document(text=text, place=place))
    writer.commit()
    held.reload()
    searcher = held.searcher()

    def search(question: str, depth: int) -> list[tuple[int, float]]:
        tokens = dict.fromkeys(analyze.analyze(question))
        wanted = [(Occur.Should, Query.term_query(schema, "text", token)) for token in tokens]
        found = searcher.search(Query.boolean_query(wanted), depth).hits if wanted else []
        places = [(searcher.doc(address)["place"][0], score) for score, address in found]
        return sorted(places, key=lambda one: (-one[1], one[0]))

    return search


answer(index)
