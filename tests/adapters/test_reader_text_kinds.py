"""Markdown, HTML and plain text: plain words as people read them, structure kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.adapters.readers.content import Content
from pincite.adapters.readers.decoding import decode
from pincite.adapters.readers.html import HtmlReader
from pincite.adapters.readers.markdown import MarkdownReader
from pincite.adapters.readers.plaintext import TextReader
from pincite.core.documents import BlockKind, OutcomeKind, Reading


def read(reader: object, tmp_path: Path, content: str | bytes) -> Reading:
    path = tmp_path / "file"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    reading: Reading = reader.read(Content(path))  # type: ignore[attr-defined]
    return reading


def outline(reading: Reading) -> list[tuple[str, str]]:
    return [(block.kind.value, reading.text[block.start : block.end]) for block in reading.blocks]


MARKDOWN = """---
title: "Local Provisions"
chapter_no: 1503
---

# Fire *prevention*

**404.2.3 Clear Width.** Door openings [shall](http://x.y) provide\\
32 inches.

1. _(a)_ First item
   - nested item
2. Second

| Width | Unit |
|-------|------|
| 32    | inch |

```sh
# not a heading
ls -la
```

<strong>Clear Width of Doorways</strong>
"""


def test_markdown_is_rendered_to_plain_words(tmp_path: Path) -> None:
    reading = read(MarkdownReader(), tmp_path, MARKDOWN)
    assert outline(reading) == [
        ("heading", "Fire prevention"),
        ("paragraph", "404.2.3 Clear Width. Door openings shall provide\n32 inches."),
        ("list_item", "1. (a) First item"),
        ("list_item", "- nested item"),
        ("list_item", "2. Second"),
        ("table", "Width | Unit\n32 | inch"),
        ("code", "# not a heading\nls -la"),
        ("paragraph", "Clear Width of Doorways"),
    ]
    assert reading.title == "Local Provisions"
    assert reading.metadata["chapter_no"] == "1503"


def test_markdown_keeps_line_numbers_of_the_file(tmp_path: Path) -> None:
    reading = read(MarkdownReader(), tmp_path, MARKDOWN)
    lines = MARKDOWN.splitlines()
    for block in reading.blocks:
        assert block.lines is not None
        words = reading.text[block.start : block.end].split()
        assert words[-1].strip(".") in "\n".join(lines[block.lines[0] - 1 : block.lines[1]])


def test_a_bold_beginning_is_noted(tmp_path: Path) -> None:
    reading = read(MarkdownReader(), tmp_path, MARKDOWN)
    block = reading.blocks[1]
    assert reading.text[block.start : block.title_end] == "404.2.3 Clear Width."
    assert reading.blocks[0].title_end == 0


HTML = """<!doctype html><html><head><title> The  Code </title><style>x{}</style></head><body>
<nav>Home | About</nav><h1 id="top">Gates</h1><p><b>404.2 Manual.</b> A gate<br>is <i>open</i>.</p>
<ul><li>one</li><li>two <ul><li>deep</li></ul></li></ul>
<table><tr><th>Width</th><th>Unit</th></tr><tr><td>32</td><td>in</td></tr></table>
<pre>a  b
c</pre><script>alert(1)</script><p hidden>unseen</p><footer>Contact</footer></body></html>"""


def test_html_is_what_a_reader_sees(tmp_path: Path) -> None:
    reading = read(HtmlReader(), tmp_path, HTML)
    assert outline(reading) == [
        ("furniture", "The Code"),
        ("heading", "Gates"),
        ("paragraph", "404.2 Manual. A gate\nis open."),
        ("list_item", "one"),
        ("list_item", "two"),
        ("list_item", "deep"),
        ("table", "Width | Unit\n32 | in"),
        ("code", "a  b\nc"),
    ]
    assert reading.title == "The Code"
    assert reading.blocks[1].anchor == "top"
    block = reading.blocks[2]
    assert reading.text[block.start : block.title_end] == "404.2 Manual."


def test_deep_html_is_read_without_recursion(tmp_path: Path) -> None:
    reading = read(HtmlReader(), tmp_path, "<div>" * 20_000 + "the middle" + "</div>" * 20_000)
    assert "the middle" in reading.text or reading.outcome.kind is OutcomeKind.EMPTY


def test_deep_markdown_is_read(tmp_path: Path) -> None:
    reading = read(MarkdownReader(), tmp_path, "> " * 5_000 + "the middle\n\nthe end")
    assert "the end" in reading.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    sentence = "Größe und Übermaß der Türöffnung müssen für Rollstühle genügen. " * 8
    reading = read(TextReader(), tmp_path, sentence.encode(encoding))
    assert "Türöffnung müssen" in reading.text
    assert reading.metadata["encoding"]


def test_a_declared_encoding_is_believed_only_if_it_fits() -> None:
    assert decode("naïve".encode("cp1252"), "windows-1252").text == "naïve"
    assert decode("naïve".encode(), "us-ascii").text == "naïve"
    assert decode("naïve".encode(), "no-such-encoding").text == "naïve"


def test_plain_text_is_paragraphs_with_lines(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, "First line\nsecond line\n\n\n  Third paragraph.\n")
    assert outline(reading) == [("paragraph", "First line\nsecond line"), ("paragraph", "Third paragraph.")]
    assert [block.lines for block in reading.blocks] == [(1, 2), (5, 5)]


def test_noise_is_not_text(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, bytes(range(1, 32)) * 40)
    assert reading.outcome.kind is OutcomeKind.UNSUPPORTED
    assert reading.outcome.code == "binary"


def test_control_characters_and_half_emoji_are_cleaned_and_noted(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, "A gate\x00 shall be\x1b[31m open. " * 20)
    assert "\x00" not in reading.text
    assert "\x1b" not in reading.text
    assert reading.metadata["control_characters_removed"] == "40"


def test_an_unbroken_run_stays_out_of_the_index(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, "Words to find.\n\n" + "QUJD" * 5_000)
    assert [block.kind for block in reading.blocks] == [BlockKind.PARAGRAPH, BlockKind.FURNITURE]
    assert reading.metadata["unbroken_runs"] == "1"


def test_a_line_of_twenty_megabytes_is_read(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, "word " * 4_000_000)
    assert len(reading.text) > 19_000_000


def test_lines_are_counted_to_the_end_of_a_long_text(tmp_path: Path) -> None:
    reading = read(TextReader(), tmp_path, "a word\n\n" * 150_000 + "two\nlines\n")
    assert len(reading.text) > 1_000_000
    assert [block.lines for block in reading.blocks[-2:]] == [(299_999, 299_999), (300_001, 300_002)]
