"""Small files of every format, made here: the tests need no stored binaries."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
ODF = "urn:oasis:names:tc:opendocument:xmlns:"


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP container of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def run(text: str, bold: bool = False) -> str:
    mark = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{mark}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str = "", style: str = "", inner: str = "") -> str:
    mark = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{mark}{run(text) if text else ''}{inner}</w:p>"


def table(rows: Sequence[Sequence[str]], heads: int = 0) -> str:
    made = []
    for number, row in enumerate(rows):
        mark = "<w:trPr><w:tblHeader/></w:trPr>" if number < heads else ""
        made.append(f"<w:tr>{mark}{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>")
    return f"<w:tbl>{''.join(made)}</w:tbl>"


def docx(body: str, extra: Mapping[str, str | bytes] | None = None) -> bytes:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2, 3)
    )
    parts: dict[str, str | bytes] = {
        "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
    }
    return packed({**parts, **(extra or {})})


def pptx(slides: Sequence[Sequence[str]], notes: Mapping[int, str] | None = None) -> bytes:
    """Slides of a title and paragraphs each; `notes` by slide number."""
    ids, relations, parts = [], [], {}
    for number, (title, *texts) in enumerate(slides, start=1):
        shapes = shape(title, '<p:ph type="title"/>') + "".join(shape(text, "") for text in texts)
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        parts[f"ppt/slides/slide{number}.xml"] = f'<p:sld xmlns:p="{P}" xmlns:a="{A}">{tree}</p:sld>'
        ids.append(f'<p:sldId id="{255 + number}" r:id="rId{number}"/>')
        relations.append(f'<Relationship Id="rId{number}" Type="{R}/slide" Target="slides/slide{number}.xml"/>')
        if notes and number in notes:
            shapes = shape(notes[number], '<p:ph type="body"/>')
            tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
            parts[f"ppt/notesSlides/n{number}.xml"] = f'<p:notes xmlns:p="{P}" xmlns:a="{A}">{tree}</p:notes>'
            to = f'<Relationship Id="rId1" Type="{R}/notesSlide" Target="../notesSlides/n{number}.xml"/>'
            parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = f'<Relationships xmlns="{RELS}">{to}</Relationships>'
    listing = f"<p:sldIdLst>{''.join(ids)}</p:sldIdLst>"
    parts["ppt/presentation.xml"] = f'<p:presentation xmlns:p="{P}" xmlns:r="{R}">{listing}</p:presentation>'
    rels = f'<Relationships xmlns="{RELS}">{"".join(relations)}</Relationships>'
    return packed({**parts, "ppt/_rels/presentation.xml.rels": rels})


def shape(text: str, placeholder: str) -> str:
    body = f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>"
    return f"<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>{body}</p:sp>"


def xlsx(sheets: Mapping[str, Mapping[str, str | float]]) -> bytes:
    """Sheets by name, cells by place (`B3`)."""
    parts: dict[str, str | bytes] = {}
    listed, relations, types = [], [], []
    for number, (name, cells) in enumerate(sheets.items(), start=1):
        rows: dict[int, list[str]] = {}
        for place, value in cells.items():
            row = int("".join(c for c in place if c.isdigit()))
            inner = f"<v>{value}</v>" if isinstance(value, int | float) else f"<is><t>{value}</t></is>"
            kind = "" if isinstance(value, int | float) else ' t="inlineStr"'
            rows.setdefault(row, []).append(f'<c r="{place}"{kind}>{inner}</c>')
        data = "".join(f'<row r="{row}">{"".join(made)}</row>' for row, made in sorted(rows.items()))
        parts[f"xl/worksheets/sheet{number}.xml"] = f'<worksheet xmlns="{S}"><sheetData>{data}</sheetData></worksheet>'
        listed.append(f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>')
        relations.append(f'<Relationship Id="rId{number}" Type="{R}/worksheet" Target="worksheets/sheet{number}.xml"/>')
        types.append(f"/xl/worksheets/sheet{number}.xml")
    parts["xl/workbook.xml"] = f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{"".join(listed)}</sheets></workbook>'
    parts["xl/_rels/workbook.xml.rels"] = f'<Relationships xmlns="{RELS}">{"".join(relations)}</Relationships>'
    parts["_rels/.rels"] = (
        f'<Relationships xmlns="{RELS}"><Relationship Id="r" Type="{R}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>"
    )
    return packed(parts)


def odt(body: str, kind: str = "text") -> bytes:
    """A text, or with `kind` a presentation, of this body; prefixes text, table, draw and office are bound."""
    names = "".join(
        f' xmlns:{n}="{ODF}{u}:1.0"' for n, u in (("text", "text"), ("table", "table"), ("office", "office"))
    )
    names += f' xmlns:draw="{ODF}drawing:1.0"'
    content = f"<office:document-content{names}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    manifest = f'<manifest:manifest xmlns:manifest="{ODF}manifest:1.0"/>'
    parts = {"mimetype": mimetype, "META-INF/manifest.xml": manifest}
    return packed({**parts, "content.xml": f"{content}</office:document-content>"})


def ods(rows: Sequence[Sequence[str]]) -> bytes:
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>' for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    return odt(f'<table:table table:name="Prices">{cells}</table:table>', "spreadsheet")


def epub(chapters: Mapping[str, str], title: str = "A book") -> bytes:
    """Chapters (XHTML bodies) by file name, in reading order."""
    items = "".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    dc = "http://purl.org/dc/elements/1.1/"
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="{dc}"><metadata><dc:title>{title}</dc:title>'
        f"<dc:creator>Ada</dc:creator></metadata><manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    parts: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": container}
    parts["OEBPS/book.opf"] = package
    for name, body in chapters.items():
        parts[f"OEBPS/{name}"] = f"<html><body>{body}</body></html>"
    return packed(parts)


def eml(subject: str, body: str, attached: Mapping[str, bytes] | None = None) -> bytes:
    from email.message import EmailMessage

    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "ada@example.org", "bob@example.org"
    message["Date"] = "Mon, 02 Nov 2026 09:00:00 +0000"
    message.set_content(body)
    for name, data in (attached or {}).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def mbox(messages: Sequence[bytes]) -> bytes:
    return b"".join(b"From someone Mon Nov  2 09:00:00 2026\n" + message + b"\n" for message in messages)
