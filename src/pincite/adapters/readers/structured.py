"""JSON and JSON lines: one record a block, as lines of `key: value`, each with its pointer (RFC 6901)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.core.documents import BlockKind, Outcome, OutcomeKind, Reading
from pincite.core.places import Place

RECORD = 1_200
"""Characters of a record up to which it stays one block; a longer one is opened."""
_DEEPEST = 100
_MOST_NAMED = 20


class JsonReader:
    name = "json/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        decoded = decode(content.read())
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        try:
            value = json.loads(decoded.text)
        except RecursionError as fault:
            raise _too_deep() from fault
        except json.JSONDecodeError as fault:
            reading = _lines(builder, decoded.text, content)
            if reading is not None:
                return reading
            if not decoded.text.strip():
                return builder.finish()
            message = f"The file is not JSON: {fault.msg} in line {fault.lineno}, column {fault.colno}."
            raise Refused(OutcomeKind.CORRUPT, message, "bad_json", "Mend it and ingest again.") from fault
        _add(builder, value, "", None)
        return builder.finish()


class JsonLinesReader:
    name = "jsonl/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        decoded = decode(content.read())
        builder = Builder(self.name)
        builder.metadata.update(decoded.metadata)
        reading = _lines(builder, decoded.text, content)
        if reading is None:
            if not decoded.text.strip():
                return builder.finish()
            raise Refused(OutcomeKind.CORRUPT, "No line of the file is JSON.", "bad_json", "Mend it and ingest again.")
        return reading


def _lines(builder: Builder, text: str, content: Content) -> Reading | None:
    """A record a line. Lines that are not JSON are named; None when none is, or they hold no records at all."""
    bad: list[int] = []
    good = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            bad.append(number)
            continue
        good += isinstance(value, dict | list)
        _add(builder, value, "", (number, number))
        if number % 10_000 == 0:
            content.step(number, 0)
    if not good or len(bad) > good:
        return None
    if not bad:
        return builder.finish()
    named = ", ".join(map(str, bad[:_MOST_NAMED])) + (" …" if len(bad) > _MOST_NAMED else "")
    message = f"{len(bad)} lines are not JSON: {named}."
    return builder.finish(Outcome(OutcomeKind.PARTIAL, "bad_lines", message, "Mend them and ingest again."))


def _add(builder: Builder, value: Any, pointer: str, lines: tuple[int, int] | None, depth: int = 0) -> None:
    """A value as blocks: whole where it is short, opened where it is not. A list is always opened, so that each
    of its records can be cited by itself."""
    if depth > _DEEPEST:
        raise _too_deep()
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            _add(builder, item, f"{pointer}/{index}", lines, depth + 1)
        return
    text = "\n".join(_flat(value, ""))
    if len(text) <= RECORD or not isinstance(value, dict | list):
        builder.add(BlockKind.PARAGRAPH, text, lines=lines, place=Place(field=pointer or "/"))
        return
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    plain = {key: item for key, item in pairs if not isinstance(item, dict | list) and len(str(item)) < RECORD}
    builder.add(BlockKind.PARAGRAPH, "\n".join(_flat(plain, "")), lines=lines, place=Place(field=pointer or "/"))
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if key not in plain:
            builder.add(BlockKind.PARAGRAPH, f"{key}:", lines=lines, place=Place(field=f"{pointer}/{_escaped(key)}"))
            _add(builder, item, f"{pointer}/{_escaped(key)}", lines, depth + 1)


def _flat(value: Any, prefix: str, depth: int = 0) -> Iterator[str]:
    """`key.key: value` for every value inside; a list of plain values is one line."""
    if depth > _DEEPEST:
        raise _too_deep()
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{prefix}.{key}" if prefix else str(key), depth + 1)
    elif isinstance(value, list):
        if any(isinstance(item, dict | list) for item in value):
            for index, item in enumerate(value):
                yield from _flat(item, f"{prefix}[{index}]", depth + 1)
        elif value:
            yield _named(prefix, ", ".join(_word(item) for item in value))
    elif value not in (None, ""):
        yield _named(prefix, _word(value))


def _named(prefix: str, text: str) -> str:
    return f"{prefix}: {text}" if prefix else text


def _word(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return value if isinstance(value, str) else str(value)


def _escaped(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _too_deep() -> Refused:
    return Refused(OutcomeKind.CORRUPT, "The file nests too deeply.", "too_deep")
