"""Outlook messages: the same parts as any other mail, from a compound file."""

from __future__ import annotations

import codecs
import hashlib
import io
import struct
from collections.abc import Iterator
from typing import Any

from oxmsg import Message
from oxmsg.domain.model import UnrecognizedCodePageError, UnsupportedEncodingError
from selectolax.lexbor import LexborHTMLParser

from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.html_walk import add_html
from pincite.adapters.readers.mail import BODY, add_text, media_type_of
from pincite.core.documents import Attachment, BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

_FAULTS = (
    OSError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    TypeError,
    struct.error,
    AssertionError,
    LookupError,
    OverflowError,
    UnrecognizedCodePageError,
    UnsupportedEncodingError,
)
_HINT = "Open it in Outlook and save it again."


def _code_page(name: str) -> codecs.CodecInfo | None:
    """Outlook names code pages `windows-950`, Python `cp950`."""
    number = name.replace("-", "_").removeprefix("windows_")
    if number == name or not number.isdigit():
        return None
    try:
        return codecs.lookup(f"cp{number}")
    except LookupError:
        return None


codecs.register(_code_page)


class MsgReader:
    name = "msg/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        message = _loaded(content)
        builder = Builder(self.name)
        try:
            _add(builder, message)
            builder.attachments += [item for item, _ in _attachments(message)]
        except _FAULTS as fault:
            raise _damaged(fault) from fault
        return builder.finish()

    def attachment(self, content: Content, key: str) -> bytes | None:
        return next((data for item, data in _attachments(_loaded(content)) if item.key == key), None)


def _loaded(content: Content) -> Any:
    try:
        return Message.load(io.BytesIO(content.read()))
    except _FAULTS as fault:
        raise _damaged(fault) from fault


def _damaged(fault: Exception) -> Refused:
    return Refused(
        OutcomeKind.CORRUPT, f"The Outlook message is damaged: {type(fault).__name__}.", "bad_message", _HINT
    )


def _add(builder: Builder, message: Any) -> None:
    builder.title = message.subject or ""
    builder.add(BlockKind.HEADING, builder.title, level=1, place=Place(field="Subject"))
    receivers = ", ".join(filter(None, (person.name or person.email_address for person in message.recipients)))
    sent = message.sent_date.isoformat(" ", "seconds") if message.sent_date else ""
    for name, value in (("From", message.sender or ""), ("To", receivers), ("Date", sent)):
        if value:
            builder.add(BlockKind.PARAGRAPH, f"{name}: {value}", place=Place(field=name))
            builder.metadata[name.lower()] = value
    if (message.body or "").strip():
        add_text(builder, message.body, Place(field=BODY))
    elif message.html_body:
        add_html(builder, LexborHTMLParser(message.html_body), Place(field=BODY))


def _attachments(message: Any) -> Iterator[tuple[Attachment, bytes]]:
    for number, part in enumerate(message.attachments, start=1):
        data = part.file_bytes
        if not data:
            continue
        name = " ".join((part.file_name or f"attachment {number}").replace("/", "_").split())
        kind = media_type_of(data, name, part.mime_type or "")
        yield Attachment(str(number), name, kind, hashlib.sha256(data).hexdigest(), len(data)), data
