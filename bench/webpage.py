"""The frame of every page the bench writes: one style, no script, logical properties only."""

from html import escape

STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-inline-size: 70rem; margin-inline: auto; padding: 1rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem }
@media (width < 45rem) { .pair { grid-template-columns: 1fr } }
blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: .25rem solid currentColor }
mark { padding-inline: .15em; border-radius: .2em }
mark.specific { background: #ffd6d6; color: #5c0000 } mark.cue { background: #ffe9b8; color: #4d3800 }
mark.quote { background: #d9ecff; color: #002e5c }
table { border-collapse: collapse }
td, th { padding: .2rem .75rem; text-align: start; border-block-end: 1px solid }
"""


def page(title: str, body: str) -> str:
    """Return a whole HTML page; `body` is markup."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n"
        f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )
