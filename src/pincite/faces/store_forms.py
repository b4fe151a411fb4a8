"""Text and JSON forms of what is done to a store as a whole: names, copies, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pincite.core.upkeep import CheckReport, CompactReport, CopyReport, CorpusReport
from pincite.faces.json_form import SCHEMA, check_json, ingest_json
from pincite.faces.text_form import checks_text, clean, ingest_text

Json = dict[str, Any]
_SHOWN = 5


class Entry(Protocol):
    """A named store, as the registry gives it."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> Path: ...
    @property
    def active(self) -> bool: ...
    @property
    def bytes(self) -> int: ...
    @property
    def outside(self) -> bool: ...
    @property
    def there(self) -> bool: ...


def size_text(count: int) -> str:
    """Bytes for people."""
    value = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def stores_text(entries: Sequence[Entry]) -> str:
    lines = [
        f"{'*' if entry.active else ' '} {entry.name:<20} {clean(str(entry.path))}{_gone(entry)}" for entry in entries
    ]
    return "\n".join(lines) or "No stores yet. The first ingest makes one: pincite ingest PATH"


def _gone(entry: Entry) -> str:
    return "" if entry.there else "  (the file is not there)"


def stores_json(entries: Sequence[Entry]) -> Json:
    rows = [
        {
            "name": entry.name,
            "path": str(entry.path),
            "active": entry.active,
            "bytes": entry.bytes,
            "outside": entry.outside,
            "there": entry.there,
        }
        for entry in entries
    ]
    return {"schema": SCHEMA, "stores": rows}


def dropped_text(name: str, path: Path, *, purged: bool, kept_in_home: bool, active: str) -> str:
    """What became of a store, how to take it back, and what is active from now on."""
    if purged:
        lines = [f"Deleted the store {name}: {path}"]
    elif kept_in_home:
        lines = [f"Dropped the store {name}. Its file is kept: {path}"]
    else:
        lines = [f"Dropped the store {name} from the list. Its file stays where it is: {path}"]
    if not purged:
        lines.append(f"Take it back with: pincite store new {name} --file '{path}'")
    if active:
        lines.append(f"The active store is now {active}.")
    return "\n".join(lines)


def copy_json(store: str, report: CopyReport) -> Json:
    return {
        "schema": SCHEMA,
        "store": store,
        "path": report.path,
        "bytes": report.bytes,
        "rows": dict(report.rows) or None,
        "kept": report.kept or None,
    }


def rows_text(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {table}" for table, count in rows.items() if count) or "no rows"


def check_text(report: CheckReport) -> str:
    lines = [f"{report.passages:,} passages of {report.revisions:,} revisions were cut anew and compared."]
    if report.checks:
        lines.append(checks_text(report.checks))
    if report.ok:
        return "\n".join([*lines, "The store is sound."])
    lines.extend(f"Fault: {clean(fault)}" for fault in report.faults)
    lines.append("Mend the full-text index with: pincite store rebuild")
    lines.append("Anything else: pincite store restore-backup FILE, or read the files again: store rebuild --corpus")
    return "\n".join(lines)


def store_check_json(store: str, report: CheckReport) -> Json:
    return {
        "schema": SCHEMA,
        "store": store,
        "ok": report.ok,
        "revisions": report.revisions,
        "passages": report.passages,
        "faults": list(report.faults),
        "checks": [check_json(check) for check in report.checks],
    }


def compact_text(report: CompactReport) -> str:
    text = f"{size_text(report.before)} before, {size_text(report.after)} now."
    if report.waiting:
        text += " A reader has the store open: the write-ahead log is cut when it has gone."
    return text


def compact_json(store: str, report: CompactReport) -> Json:
    return {
        "schema": SCHEMA,
        "store": store,
        "before": report.before,
        "after": report.after,
        "waiting": report.waiting,
    }


def corpus_text(report: CorpusReport) -> str:
    lines = [ingest_text(report.ingest)]
    if report.gone:
        names = ", ".join(clean(path) for path in report.gone[:_SHOWN])
        more = f" and {len(report.gone) - _SHOWN} more" if len(report.gone) > _SHOWN else ""
        lines.append(f"Not there any more, the last good revision stays: {names}{more}")
    return "\n".join(lines)


def corpus_json(store: str, report: CorpusReport) -> Json:
    return {**ingest_json(report.ingest), "store": store, "gone": list(report.gone)}
