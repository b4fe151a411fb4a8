"""E-mail: headers people read, the body, and attachments as documents beside it. EML and mailboxes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from io import BytesIO
from typing import BinaryIO

from selectolax.lexbor import LexborHTMLParser

from pincite.adapters.media_types import sniff
from pincite.adapters.readers.builder import Builder, Refused, outcomes
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.adapters.readers.html_walk import add_html
from pincite.core.documents import Attachment, BlockKind, OutcomeKind, Reading
from pincite.core.places import Place

HEADERS = ("From", "To", "Cc", "Date")
BODY = "body"
_FAULTS = (ValueError, KeyError, IndexError, AttributeError, TypeError, LookupError, RecursionError, OverflowError)
"""What the standard library raises on headers and bodies that break the rules."""
_POLICY = policy.default.clone(max_line_length=None)
_DEEPEST = 30


class EmlReader:
    name = "eml/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        message = _parsed(content.read())
        builder = Builder(self.name)
        if not message.keys():
            raise Refused(OutcomeKind.CORRUPT, "The file is not a message: it has no headers.", "no_headers")
        builder.title = header_of(message, "Subject")
        add_message(builder, message, Place())
        builder.attachments += [attachment for attachment, _ in _attachments(message, "")]
        return builder.finish()

    def attachment(self, content: Content, key: str) -> bytes | None:
        return next((data for item, data in _attachments(_parsed(content.read()), "") if item.key == key), None)


class MboxReader:
    name = "mbox/1"

    @outcomes
    def read(self, content: Content) -> Reading:
        builder = Builder(self.name)
        with content.open() as file:
            for number, raw in enumerate(_messages(file), start=1):
                message = _parsed(raw)
                add_message(builder, message, Place("message", str(number)))
                builder.attachments += [item for item, _ in _attachments(message, f"{number}.")]
                if number % 100 == 0:
                    content.step(number, 0)
        if not builder.empty:
            return builder.finish()
        raise Refused(OutcomeKind.EMPTY, "The mailbox holds no message.")

    def attachment(self, content: Content, key: str) -> bytes | None:
        wanted, _, _ = key.partition(".")
        with content.open() as file:
            for number, raw in enumerate(_messages(file), start=1):
                if str(number) == wanted:
                    found = _attachments(_parsed(raw), f"{number}.")
                    return next((data for item, data in found if item.key == key), None)
        return None


def add_message(builder: Builder, message: EmailMessage, place: Place) -> None:
    """Subject as the heading, the headers people read, then the body."""

    def at(field: str) -> Place:
        return Place(place.unit, place.name, field=field)

    builder.add(BlockKind.HEADING, header_of(message, "Subject"), level=1, place=at("Subject"))
    for name in HEADERS:
        value = header_of(message, name)
        if value:
            builder.add(BlockKind.PARAGRAPH, f"{name}: {value}", place=at(name))
            if not place.unit:
                builder.metadata[name.lower()] = value
    for part in _bodies(message):
        _add_body(builder, part, at(BODY))


def add_text(builder: Builder, text: str, place: Place) -> None:
    """A plain body, paragraph by paragraph."""
    for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        builder.add(BlockKind.PARAGRAPH, paragraph, place=place)


def header_of(message: EmailMessage, name: str) -> str:
    """A header as words, or empty; encoded words decoded. The library's parser trips over broken ones."""
    try:
        value = message.get(name)
        return " ".join(str(value or "").split())
    except _FAULTS:
        return next((" ".join(str(v).split()) for k, v in message.raw_items() if k.lower() == name.lower()), "")


def media_type_of(data: bytes, name: str, declared: str) -> str:
    """The kind of an attachment: by its bytes as for any file, or as declared where these tell nothing."""
    found = sniff(BytesIO(data), name)
    return declared if found == "text/plain" and declared.startswith("text/") else found


def _parsed(raw: bytes) -> EmailMessage:
    # Mail that a program saved as UTF-16 text is no longer mail by the letter; its words are the same.
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or raw[:3] == b"\xef\xbb\xbf" or b"\x00" in raw[:64]:
        raw = decode(raw).text.encode("utf-8")
    try:
        return BytesParser(EmailMessage, policy=_POLICY).parsebytes(raw)
    except _FAULTS as fault:
        message = f"The message cannot be read: {type(fault).__name__}."
        raise Refused(OutcomeKind.CORRUPT, message, "bad_message") from fault


def _messages(file: BinaryIO) -> Iterator[bytes]:
    """The messages of a mailbox: each begins at a line `From ` after a blank line or at the start."""
    lines: list[bytes] = []
    blank = True
    for line in file:
        if blank and line.startswith(b"From "):
            if lines:
                yield b"".join(lines)
            lines = []
        else:
            lines.append(line[1:] if line.startswith(b">From ") else line)
        blank = not line.strip()
    if any(line.strip() for line in lines):
        yield b"".join(lines)


def _bodies(message: EmailMessage, depth: int = 0) -> Iterator[EmailMessage]:
    """The text parts that a mail program shows: of alternatives the plain one, else the HTML."""
    if depth > _DEEPEST:
        return
    kind = message.get_content_type()
    if kind == "multipart/alternative":
        parts = list(_children(message))
        plain = [part for part in parts if part.get_content_type() == "text/plain" and _content(part).strip()]
        for part in plain[:1] or parts[-1:]:
            yield from _bodies(part, depth + 1)
    elif message.is_multipart() and kind != "message/rfc822":
        for part in _children(message):
            yield from _bodies(part, depth + 1)
    elif kind in ("text/plain", "text/html") and not _is_attached(message):
        yield message


def _children(message: EmailMessage) -> Iterator[EmailMessage]:
    try:
        payload = message.get_payload()
    except _FAULTS:
        return
    if isinstance(payload, list):
        yield from (part for part in payload if isinstance(part, EmailMessage))


def _add_body(builder: Builder, part: EmailMessage, place: Place) -> None:
    text = _content(part)
    if part.get_content_type() == "text/html":
        add_html(builder, LexborHTMLParser(text), place)
    else:
        add_text(builder, text, place)


def _content(part: EmailMessage) -> str:
    """The words of a text part, in the encoding it declares if that fits."""
    try:
        charset = part.get_content_charset("") or ""
    except _FAULTS:
        charset = ""
    return decode(_payload(part), charset).text


def _payload(part: EmailMessage) -> bytes:
    try:
        raw = part.get_payload(decode=True)
    except _FAULTS:
        return b""
    return raw if isinstance(raw, bytes) else b""


def _is_attached(part: EmailMessage) -> bool:
    try:
        return part.get_content_disposition() == "attachment" or bool(part.get_filename())
    except _FAULTS:
        return False


def _attachments(message: EmailMessage, prefix: str) -> Iterator[tuple[Attachment, bytes]]:
    """Every attached file with its bytes; pictures that the HTML shows in its text are not files."""
    for number, part in enumerate(_attached_parts(message), start=1):
        if part.get_content_type() == "message/rfc822":
            inner = next(_children(part), None)
            data = inner.as_bytes() if inner is not None else b""
            name = (header_of(inner, "Subject") if inner is not None else "") or "message"
            name, kind = f"{name[:80]}.eml", "message/rfc822"
        else:
            data = _payload(part)
            name = _filename(part) or f"attachment {number}"
            kind = media_type_of(data, name, part.get_content_type())
        if data:
            yield Attachment(f"{prefix}{number}", name, kind, hashlib.sha256(data).hexdigest(), len(data)), data


def _attached_parts(message: EmailMessage, depth: int = 0) -> Iterator[EmailMessage]:
    if depth > _DEEPEST:
        return
    for part in _children(message):
        inline = part.get("Content-ID") and part.get_content_maintype() == "image"
        if part.get_content_type() == "message/rfc822" or (_is_attached(part) and not part.is_multipart()):
            if not inline:
                yield part
        elif part.is_multipart():
            yield from _attached_parts(part, depth + 1)


def _filename(part: EmailMessage) -> str:
    try:
        return " ".join((part.get_filename() or "").replace("/", "_").split())
    except _FAULTS:
        return ""
