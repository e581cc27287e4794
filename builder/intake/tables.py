"""Tables as Markdown can write them: one header row, one line a cell, no cell over two places."""

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

from builder.intake.notes import Notes, quoted

_MAX_SPAN = 50
_BLOCKS = (
    "p",
    "div",
    "ul",
    "ol",
    "li",
    "br",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
)


def rewrite(root: Tag, notes: Notes) -> None:
    """Rewrite the tables of a tree; one that only lays out the page becomes its cells, one after another."""
    for table in reversed(root("table")):
        rows = [row for row in table("tr") if row.find_parent("table") is table]
        if _lays_out(table, rows):
            _take_apart(table, rows, notes)
        else:
            _flatten(table, rows, notes)


def _lays_out(table: Tag, rows: list[Tag]) -> bool:
    if table.get("role") in ("presentation", "none") or table.find("table") is not None:
        return True
    cells = [cell for row in rows for cell in row.find_all(["td", "th"], recursive=False)]
    widest = max((len(row.find_all(["td", "th"], recursive=False)) for row in rows), default=0)
    return widest <= 1 or all(not cell.get_text(strip=True) for cell in cells)


def _take_apart(table: Tag, rows: list[Tag], notes: Notes) -> None:
    holder = BeautifulSoup("", "html.parser").new_tag("div")
    for row in rows:
        for cell in row.find_all(["td", "th"], recursive=False):
            cell.name = "div"
            cell.attrs = {}
            holder.append(cell.extract())
    if holder.get_text(strip=True):
        notes.before(
            table, "a table that only lays out the page was taken apart: compare the order of its parts"
        )
    table.replace_with(holder)


def _flatten(table: Tag, rows: list[Tag], notes: Notes) -> None:
    caption = table.find("caption")
    if isinstance(caption, Tag):
        caption.name = "p"
        table.insert_before(caption.extract())
    name = f"the table {quoted(table.get_text(' '), 40)}"
    if _one_line_cells(rows):
        notes.before(table, f"{name} had lines or lists in its cells; they stand on one line now")
    grid, spanned = _grid(rows)
    if spanned:
        notes.before(table, f"{name} had joined cells; their text is repeated in each place")
    if not grid:
        table.decompose()
        return
    if not _has_header(table, rows[0]):
        notes.before(table, f"{name} had no header row; its first row stands as one")
    table.replace_with(_simple(grid))


def _one_line_cells(rows: list[Tag]) -> bool:
    """Flatten the blocks in cells; tell whether words of two blocks came to stand beside each other."""
    joined = False
    for row in rows:
        for cell in row.find_all(["td", "th"], recursive=False):
            joined = joined or sum(bool(block.get_text(strip=True)) for block in cell(["p", "li", "div"])) > 1
            joined = joined or cell.find("br") is not None
            for block in cell(_BLOCKS):
                list_item = block.name == "li" and block.find_next_sibling("li") is not None
                block.insert_after(NavigableString("; " if list_item else " "))
                block.unwrap()
    return joined


def _grid(rows: list[Tag]) -> tuple[list[list[Tag]], bool]:
    """Return the cells by row and column, joined ones in each of their places, and whether there were any."""
    grid: list[list[Tag | None]] = [[] for _ in rows]
    spanned = False
    for number, row in enumerate(rows):
        for cell in row.find_all(["td", "th"], recursive=False):
            column = next((i for i, held in enumerate(grid[number]) if held is None), len(grid[number]))
            down, right = _span(cell, "rowspan"), _span(cell, "colspan")
            spanned = spanned or ((down > 1 or right > 1) and bool(cell.get_text(strip=True)))
            for line in grid[number : number + down]:
                line += [None] * (column + right - len(line))
                line[column : column + right] = [cell] * right
    width = max(map(len, grid), default=0)
    empty = BeautifulSoup("", "html.parser").new_tag("td")
    full = [[cell or empty for cell in line] + [empty] * (width - len(line)) for line in grid]
    return [line for line in full if any(cell.get_text(strip=True) for cell in line)], spanned


def _span(cell: Tag, side: str) -> int:
    written = str(cell.get(side, "1")).strip()
    return min(max(int(written), 1), _MAX_SPAN) if written.isdecimal() and len(written) < 5 else 1


def _has_header(table: Tag, first: Tag) -> bool:
    in_head = first.find_parent("thead") is not None and table.find("thead") is not None
    return in_head or not first.find_all("td", recursive=False)


def _simple(grid: list[list[Tag]]) -> Tag:
    soup = BeautifulSoup("", "html.parser")
    table = soup.new_tag("table")
    for number, line in enumerate(grid):
        row = soup.new_tag("tr")
        for cell in line:
            copy = soup.new_tag("td" if number else "th")
            for child in cell.contents:
                copy.append(child.__copy__())
            row.append(copy)
        table.append(row)
    return table
