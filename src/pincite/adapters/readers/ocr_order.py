"""The order in which people read boxes on a page: columns one after the other, rows within them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

BoxEdges = tuple[float, float, float, float]
"""Left, top, right, bottom; top is less than bottom."""
LEAST_IN_COLUMN = 3
MOST_CROSSING = 0.25
"""Share of the boxes that may reach over the gap between two columns: headings, figures."""


def reading_order(boxes: Sequence[BoxEdges]) -> list[int]:
    """Indices of the boxes in reading order."""
    return _ordered(list(range(len(boxes))), boxes, 0)


def column_order(boxes: Sequence[BoxEdges]) -> list[int] | None:
    """Indices in reading order where the boxes stand in columns with little that reaches over the gap between them;
    None where they do not."""
    items = list(range(len(boxes)))
    gutter = _gutter(items, boxes)
    return None if gutter is None else _by_columns(items, boxes, 0, gutter)


def _ordered(items: list[int], boxes: Sequence[BoxEdges], depth: int) -> list[int]:
    gutter = _gutter(items, boxes) if depth < 4 else None
    return _by_rows(items, boxes) if gutter is None else _by_columns(items, boxes, depth, gutter)


def _by_columns(items: list[int], boxes: Sequence[BoxEdges], depth: int, gutter: float) -> list[int]:
    crossing = sorted(
        (item for item in items if boxes[item][0] < gutter < boxes[item][2]), key=lambda item: boxes[item][1]
    )
    left = [item for item in items if boxes[item][2] <= gutter]
    right = [item for item in items if boxes[item][0] >= gutter]
    result: list[int] = []
    for wide in [*crossing, None]:
        # What stands above a line over both columns comes before it, left column first.
        edge = (boxes[wide][1] + boxes[wide][3]) / 2 if wide is not None else float("inf")
        for column in (left, right):
            above = [item for item in column if (boxes[item][1] + boxes[item][3]) / 2 < edge]
            result += _ordered(above, boxes, depth + 1)
            column[:] = [item for item in column if item not in set(above)]
        if wide is not None:
            result.append(wide)
    return result


def _gutter(items: Sequence[int], boxes: Sequence[BoxEdges]) -> float | None:
    """Where a page parts into two columns that stand side by side; None where it does not."""
    if len(items) < 2 * LEAST_IN_COLUMN:
        return None
    height = median(boxes[item][3] - boxes[item][1] for item in items)
    best: tuple[int, float, float] | None = None
    edges = sorted({boxes[item][0] for item in items})
    for edge in edges[1:]:
        place = edge - 0.5 * height
        crossing = sum(boxes[item][0] < place < boxes[item][2] for item in items)
        left = [boxes[item] for item in items if boxes[item][2] <= place]
        right = [boxes[item] for item in items if boxes[item][0] >= place]
        if min(len(left), len(right)) < LEAST_IN_COLUMN or crossing > MOST_CROSSING * len(items):
            continue
        if _side_by_side(left, right, height):
            width = min(box[0] for box in right) - max(box[2] for box in left)
            candidate = (-crossing, width, place)
            best = max(best, candidate) if best else candidate
    return best[2] if best else None


def _side_by_side(left: Sequence[BoxEdges], right: Sequence[BoxEdges], height: float) -> bool:
    """Two columns of running text: both long lines, over the same stretch of the page. The cells of a table
    stand side by side too, but are short and level with each other, and are read row by row."""
    top = max(min(box[1] for box in left), min(box[1] for box in right))
    bottom = min(max(box[3] for box in left), max(box[3] for box in right))
    shorter = min(max(box[3] for box in side) - min(box[1] for box in side) for side in (left, right))
    wide = all(median(box[2] - box[0] for box in side) > 8 * height for side in (left, right))
    return wide and shorter > 0 and bottom - top > 0.5 * shorter


def _by_rows(items: Sequence[int], boxes: Sequence[BoxEdges]) -> list[int]:
    """Rows from the top; in a row from the left. Boxes are in one row when their middles are close."""
    rows: list[list[int]] = []
    for item in sorted(items, key=lambda item: (boxes[item][1] + boxes[item][3]) / 2):
        middle, height = (boxes[item][1] + boxes[item][3]) / 2, boxes[item][3] - boxes[item][1]
        last = boxes[rows[-1][-1]] if rows else None
        if last and abs((last[1] + last[3]) / 2 - middle) < 0.5 * min(height, last[3] - last[1]):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda item: boxes[item][0])]
