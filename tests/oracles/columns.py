"""The drawing of a board whose columns are strings of discs, from the bottom up."""


def draw(columns: tuple[str, ...], rows: int) -> str:
    """Return the rows from the top, joined by slashes, with dots for empty cells."""
    upright = [column.ljust(rows, ".") for column in columns]
    from_the_bottom = ["".join(row) for row in zip(*upright, strict=True)]
    return "/".join(reversed(from_the_bottom))


def read(drawing: str, size: tuple[int, int], discs: str) -> tuple[str, ...]:
    """Return the columns of a drawing of this many (columns, rows); ValueError if it is none."""
    width, height = size
    rows = drawing.split("/")
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"not {height} rows of {width} cells: {drawing!r}")
    columns = tuple("".join(cells).rstrip(".") for cells in zip(*reversed(rows), strict=True))
    for column in columns:
        if not set(column) <= set(discs):
            raise ValueError(f"a floating disc or an unknown symbol in {drawing!r}")
    return columns
