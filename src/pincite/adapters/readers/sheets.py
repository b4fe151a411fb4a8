"""Workbooks: XLSX, XLS and ODS, each table of each sheet with the cells that it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from typing import Any, BinaryIO

import python_calamine as calamine

from pincite.adapters.readers.archive import Archive, check_open_document
from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.office import core_properties
from pincite.adapters.readers.tables import add_table, areas_of, header_rows
from pincite.core.documents import BlockKind, Outcome, OutcomeKind, Reading
from pincite.core.places import Place, column_letters

MOST_CELLS = 1_000_000
"""Of one workbook, empty ones inside the used area counted."""
MOST_COLUMNS = 1_024
_ZIP = b"PK\x03\x04"
_OPEN = "Save a copy without the password and ingest that."


class SheetReader:
    name = "sheets/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        builder = Builder(self.name)
        with content.open() as file:
            packed = file.read(4) == _ZIP
            file.seek(0)
            if packed:
                _look_at_archive(content, builder)
            cut = _add_sheets(builder, _opened(file), content)
        return builder.finish(_partial(cut) if cut else None)


def _add_sheets(builder: Builder, book: Any, content: Content) -> list[str]:
    """Every sheet of cells; the names of those that were cut short."""
    left, cut, hidden = MOST_CELLS, [], []
    metas = book.sheets_metadata
    for number, meta in enumerate(metas, start=1):
        if meta.typ is not calamine.SheetTypeEnum.WorkSheet:
            continue
        rows, first_row, first_column, whole = _cells(book, meta.name, left)
        left -= sum(len(row) for row in rows)
        if not whole:
            cut.append(meta.name)
        if meta.visible is not calamine.SheetVisibleEnum.Visible:
            hidden.append(meta.name)
        _add_sheet(builder, meta.name, rows, first_row, first_column)
        content.step(number, len(metas))
    if hidden:
        builder.metadata["hidden_sheets"] = ", ".join(hidden)
    book.close()
    return cut


def _look_at_archive(content: Content, builder: Builder) -> None:
    """Measure the container before another library opens it, and take the properties on the way."""
    with Archive(content.open()) as archive:
        archive.measure()
        check_open_document(archive)
        builder.title, properties = core_properties(archive)
        builder.metadata.update(properties)


@contextmanager
def _guarded(what: str) -> Iterator[None]:
    """What calamine raises on damaged workbooks is a refusal; it also panics, which Python sees as no Exception."""
    hint = "Open it in its program and save it again."
    try:
        yield
    except calamine.PasswordError as fault:
        raise Refused(OutcomeKind.PASSWORD, "The workbook asks for a password.", "encrypted", _OPEN) from fault
    except (calamine.CalamineError, OSError, ValueError) as fault:
        message = f"{what} cannot be read: {str(fault)[:120]}."
        raise Refused(OutcomeKind.CORRUPT, message, "bad_workbook", hint) from fault
    except BaseException as fault:
        if type(fault).__name__ != "PanicException":
            raise
        raise Refused(OutcomeKind.CORRUPT, f"{what} is damaged.", "bad_workbook", hint) from fault


def _opened(file: BinaryIO) -> Any:
    with _guarded("The workbook"):
        return calamine.CalamineWorkbook.from_filelike(file)


def _cells(book: Any, name: str, most: int) -> tuple[list[list[str]], int, int, bool]:
    """The used cells of a sheet as words, the row and column (from 1) of the first, and whether that is all."""
    with _guarded(f"The sheet {name}"):
        sheet = book.get_sheet_by_name(name)
        start = sheet.start or (0, 0)
        rows: list[list[str]] = []
        count = 0
        # The rows come from the top of the sheet, their cells from its first used column.
        for index, values in enumerate(sheet.iter_rows()):
            if index < start[0] and not any(value != "" for value in values):
                continue
            if not rows:
                start = (index, start[1])
            row = [_word(value) for value in values[:MOST_COLUMNS]]
            count += len(row)
            if count > most:
                return rows, start[0] + 1, start[1] + 1, False
            rows.append(row)
    return rows, start[0] + 1, start[1] + 1, True


def _add_sheet(builder: Builder, name: str, rows: list[list[str]], first_row: int, first_column: int) -> None:
    if not any(cell for row in rows for cell in row):
        return
    builder.add(BlockKind.HEADING, name, level=1, place=Place("sheet", name))
    for number, area in enumerate(areas_of(rows), start=1):
        cells = [row[area.left : area.right] for row in rows[area.top : area.bottom]]
        if area.right - area.left == 1 and not header_rows(cells):
            column = column_letters(first_column + area.left)
            span = (first_row + area.top, first_row + area.bottom - 1)
            place = Place("sheet", name, rows=span, columns=(column, column))
            builder.add(BlockKind.PARAGRAPH, "\n".join(cell for (cell,) in cells), place=place)
            continue
        add_table(
            builder,
            cells,
            first_row=first_row + area.top,
            first_column=first_column + area.left,
            unit="sheet",
            name=name,
            table=number,
        )


def _partial(cut: list[str]) -> Outcome:
    return Outcome(
        OutcomeKind.PARTIAL,
        "cells",
        f"Only the first {MOST_CELLS:,} cells were read; these sheets were cut short: {', '.join(cut)[:200]}.",
        "Split the workbook, or export the large sheets as CSV.",
    )


def _word(value: Any) -> str:
    """A cell as a person writes it: whole numbers without a point, dates as ISO 8601."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(round(value, 12))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    return value.isoformat() if isinstance(value, date | time) else str(value)
