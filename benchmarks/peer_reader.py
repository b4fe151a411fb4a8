"""Run by another Python, which has a peer installed: one PDF through the peer's own reader, its pages as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any


def kreuzberg(path: str) -> list[tuple[int | None, str]]:
    import kreuzberg as peer  # type: ignore[import-not-found]

    config: Any = peer.ExtractionConfig(pages=peer.PageConfig(extract_pages=True))
    result = peer.extract_file_sync(path, config=config)
    return [(_of(page, "page_number"), _of(page, "content")) for page in result.pages or ()]


def markitdown(path: str) -> list[tuple[int | None, str]]:
    from markitdown import MarkItDown  # type: ignore[import-not-found]

    # It has no pages of its own; the form feeds that its PDF library leaves tell them.
    return list(enumerate(MarkItDown().convert(path).text_content.split("\f"), start=1))


def _of(page: Any, name: str) -> Any:
    return page[name] if isinstance(page, dict) else getattr(page, name)


if __name__ == "__main__":
    read = {"kreuzberg": kreuzberg, "markitdown": markitdown}[sys.argv[1]]
    sys.stdout.write(json.dumps(read(sys.argv[2])))
