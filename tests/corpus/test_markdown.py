"""The parser makes the tokens markdown-it-py makes, though it takes text without marks a shorter way."""

import random
from pathlib import Path

from markdown_it import MarkdownIt

from builder.markdown import MAX_NESTING, PARSER

ROOT = Path(__file__).resolve().parents[2]
PIECES = [
    *"ab \n*_`[]()!&<>\\#-:.|~\"'1",
    "&amp;",
    "**",
    "](x)",
    "![",
    "http://x",
    "\n\n",
    "\t",
    "سلام",
    "日本",
]


def plain_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.options.update(html=False, maxNesting=4 * MAX_NESTING, store_labels=True)
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


def test_tokens_are_those_of_the_plain_parser() -> None:
    plain = plain_parser()
    drawn = random.Random(5)  # noqa: S311  not a secret
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "corpus").rglob("*.md"))]
    texts += ["".join(drawn.choices(PIECES, k=drawn.randint(1, 60))) for _ in range(2000)]
    for text in texts:
        assert PARSER.parse(text) == plain.parse(text)
