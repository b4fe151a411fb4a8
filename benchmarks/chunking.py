"""Which chunk profile finds best? nDCG@10 and recall of the fused ranking for every profile, over collections of
short abstracts, long runbooks, law, and web passages; a row counts when any of its chunks is hit.
"""

from __future__ import annotations

from typing import Any

from benchmarks.common import CachedEmbedder, arguments, need_shared, report
from benchmarks.metrics import mean
from benchmarks.retrieval import measure
from pincite.adapters.embedders.onnx import OnnxEmbedder
from pincite.core.chunking import DEFAULT_PROFILE, PROFILES

COLLECTIONS = ("runbooks", "codes", "cranfield", "cisi", "medline", "time", "clapnq-dev", "mtrag-un")


def main() -> None:
    options = arguments(__doc__ or "")
    root = need_shared("eval")
    embedder = CachedEmbedder(OnnxEmbedder())
    chosen = COLLECTIONS[:2] if options.quick else COLLECTIONS
    details: dict[str, dict[str, Any]] = {}
    for name in chosen:
        details[name] = {
            profile: measure(root / name, embedder, options.quick, ("fused",), profile)["fused"] for profile in PROFILES
        }
        told = "".join(f"  {profile} {found['ndcg@10']:.4f}" for profile, found in details[name].items())
        print(f"{name:<12}{told}", flush=True)
    means = {profile: mean([details[name][profile]["ndcg@10"] for name in chosen]) for profile in PROFILES}
    best = max(means, key=lambda profile: means[profile])
    headline = {**{f"ndcg_{profile}": value for profile, value in means.items()}, "best": best}
    report("chunking", {**headline, "default": DEFAULT_PROFILE}, details, options)


if __name__ == "__main__":
    main()
