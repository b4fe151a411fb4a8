"""Readers by media type. To add a format: one class with `name` and `read(content)`, and one line here."""

from __future__ import annotations

_HERE = "pincite.adapters.readers."
_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."
_SHEETS = ("sheets/1", _HERE + "sheets:SheetReader")
_IMAGE = ("image/1", _HERE + "image:ImageReader")

TABLE = {
    "application/pdf": ("pdf/3", _HERE + "pdf:PdfReader"),
    "text/markdown": ("markdown/2", _HERE + "markdown:MarkdownReader"),
    "text/html": ("html/2", _HERE + "html:HtmlReader"),
    "text/plain": ("text/2", _HERE + "plaintext:TextReader"),
    "text/csv": ("delimited/1", _HERE + "delimited:DelimitedReader"),
    "text/tab-separated-values": ("delimited/1", _HERE + "delimited:DelimitedReader"),
    "application/json": ("json/1", _HERE + "structured:JsonReader"),
    "application/x-ndjson": ("jsonl/1", _HERE + "structured:JsonLinesReader"),
    "application/xml": ("xml/1", _HERE + "xmltext:XmlReader"),
    _OFFICE + "wordprocessingml.document": ("docx/1", _HERE + "docx:DocxReader"),
    _OFFICE + "presentationml.presentation": ("pptx/1", _HERE + "pptx:PptxReader"),
    _OFFICE + "spreadsheetml.sheet": _SHEETS,
    "application/vnd.ms-excel": _SHEETS,
    _OPEN + "spreadsheet": _SHEETS,
    _OPEN + "text": ("odt/1", _HERE + "odt:OdtReader"),
    _OPEN + "presentation": ("odt/1", _HERE + "odt:OdtReader"),
    "application/msword": ("doc/1", _HERE + "doc:DocReader"),
    "application/rtf": ("rtf/1", _HERE + "rtf:RtfReader"),
    "application/epub+zip": ("epub/1", _HERE + "epub:EpubReader"),
    "message/rfc822": ("eml/1", _HERE + "mail:EmlReader"),
    "application/mbox": ("mbox/1", _HERE + "mail:MboxReader"),
    "application/vnd.ms-outlook": ("msg/1", _HERE + "msg:MsgReader"),
    "image/png": _IMAGE,
    "image/jpeg": _IMAGE,
    "image/gif": _IMAGE,
    "image/tiff": _IMAGE,
    "image/webp": _IMAGE,
    "image/bmp": _IMAGE,
}
"""Media type → the name and version of its reader, and the class. Versions stand here too so that the parent
process knows them without loading any parser."""

KINDS = {
    "application/vnd.ms-powerpoint": "old PowerPoint slides",
    "application/x-ole-storage": "compound files of unknown kind",
    "application/vnd.sqlite3": "databases",
    "application/zip": "archives",
    "application/gzip": "archives",
    "image/svg+xml": "drawings",
}
"""What people call the kinds that have no reader."""
