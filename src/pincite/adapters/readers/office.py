"""What office files have in common: properties, and in Office Open XML the relations between parts."""

from __future__ import annotations

import posixpath

from pincite.adapters.readers.archive import Archive, attribute, local

_PROPERTIES = {"creator": "author", "created": "created", "modified": "modified", "subject": "subject"}
_OPEN_PROPERTIES = {"creator": "author", "creation-date": "created", "date": "modified", "subject": "subject"}


def core_properties(archive: Archive) -> tuple[str, dict[str, str]]:
    """The title, and author and dates, as the file tells them."""
    if "docProps/core.xml" in archive:
        elements, words = archive.xml("docProps/core.xml").iter(), _PROPERTIES
    elif "meta.xml" in archive:
        elements, words = archive.xml("meta.xml", doctype=True).iter(), _OPEN_PROPERTIES
    else:
        return "", {}
    values = {local(element): (element.text or "").strip() for element in elements}
    return values.get("title", ""), {word: values[key] for key, word in words.items() if values.get(key)}


def relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """For each relation of a part: its kind (the last word of its type) and the part it leads to."""
    folder, _, name = part.rpartition("/")
    listing = f"{folder}/_rels/{name}.rels"
    found: dict[str, tuple[str, str]] = {}
    if listing not in archive:
        return found
    for relation in archive.xml(listing):
        if attribute(relation, "TargetMode") == "External":
            continue
        target = attribute(relation, "Target")
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
        found[attribute(relation, "Id")] = (attribute(relation, "Type").rpartition("/")[2], path)
    return found
