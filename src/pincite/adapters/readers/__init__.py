"""Readers by media type. To add a format: one class with `name` and `read(path)`, and one line here."""

from __future__ import annotations

TABLE = {
    "application/pdf": ("pdf/1", "pincite.adapters.readers.pdf:PdfReader"),
    "text/markdown": ("markdown/1", "pincite.adapters.readers.markdown:MarkdownReader"),
    "text/html": ("html/1", "pincite.adapters.readers.html:HtmlReader"),
    "text/plain": ("text/1", "pincite.adapters.readers.plaintext:TextReader"),
}
"""Media type → the name and version of its reader, and the class. Versions stand here too so that the parent
process knows them without loading any parser."""

KINDS = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word documents",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel workbooks",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint slides",
    "application/vnd.oasis.opendocument.text": "OpenDocument texts",
    "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument sheets",
    "application/msword": "old Word documents",
    "application/vnd.ms-excel": "old Excel workbooks",
    "application/vnd.ms-powerpoint": "old PowerPoint slides",
    "application/vnd.ms-outlook": "Outlook messages",
    "application/epub+zip": "e-books",
    "application/rtf": "RTF documents",
    "application/xml": "XML files",
    "application/json": "JSON files",
    "application/x-ndjson": "JSON lines",
    "application/zip": "archives",
    "application/gzip": "archives",
    "message/rfc822": "e-mail messages",
    "application/mbox": "mailboxes",
    "text/csv": "CSV tables",
    "text/tab-separated-values": "TSV tables",
}
"""What people call the kinds that have no reader yet."""
