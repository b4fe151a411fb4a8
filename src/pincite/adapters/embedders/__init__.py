"""Embedding models. Each is imported when it is chosen."""

from __future__ import annotations

NAMES = {"minilm": "pincite.adapters.embedders.onnx:OnnxEmbedder"}
"""Names that the setting `embedder` takes, with the class behind each."""
