"""The optional NLI tier: an ONNX entailment model from a folder the operator names; nothing is downloaded.

The folder holds model.onnx, tokenizer.json and labels.json (id -> entailment, neutral or contradiction; the
order differs between models, so a missing map is a refusal). Without folder or libraries the tier is
unavailable and the rules decide alone.
"""

import hashlib
import importlib
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = "CAIRN_NLI_DIR"
FILES = ("model.onnx", "tokenizer.json", "labels.json")
CLASSES = ("entailment", "neutral", "contradiction")
LONGEST = 384  # tokens of one pair
STRIDE = 1200  # characters of gold in one window
OVERLAP = 200
MOST_WINDOWS = 16


@dataclass(frozen=True, slots=True)
class ShadowResult:
    """What the model says, or why there is none; probabilities are those of the window that tells most."""

    available: bool
    entailment: float = 0.0
    neutral: float = 0.0
    contradiction: float = 0.0
    model_id: str = ""
    sha256: str = ""
    windows: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model with its tokenizer and the class of each output."""

    session: Any  # onnxruntime.InferenceSession, which has no types
    tokenizer: Any  # tokenizers.Tokenizer, an optional library
    order: tuple[str, ...]
    model_id: str
    sha256: str


class ModelError(ValueError):
    """The folder does not hold a model this module can run."""


def shadow_check(answer: str, gold: str, folder: str | None = None) -> ShadowResult:
    """Return what the model in `folder`, else in the folder CAIRN_NLI_DIR names, says of gold and answer."""
    place = folder or os.environ.get(FOLDER, "")
    if not place:
        return ShadowResult(False, reason=f"{FOLDER} is not set")
    try:
        model = load(place)
    except ModelError as error:
        return ShadowResult(False, reason=str(error))
    parts = windows(gold)
    results = [_probabilities(model, part, answer) for part in parts]
    best = max(results, key=lambda found: max(found["entailment"], found["contradiction"]))
    return ShadowResult(
        True,
        entailment=round(best["entailment"], 4),
        neutral=round(best["neutral"], 4),
        contradiction=round(best["contradiction"], 4),
        model_id=model.model_id,
        sha256=model.sha256,
        windows=len(parts),
    )


@contextmanager
def named(folder: Path | None) -> Iterator[None]:
    """Name a model to this process and those it starts; raises `ModelError` for one that cannot be used."""
    if folder is None:
        yield
        return
    load(str(folder))
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(FOLDER)
        if before is not None:
            os.environ[FOLDER] = before


def windows(gold: str) -> list[str]:
    """Cut gold into overlapping stretches, at most sixteen of them."""
    starts = range(0, max(1, len(gold) - OVERLAP), STRIDE - OVERLAP)
    return [gold[start : start + STRIDE] for start in list(starts)[:MOST_WINDOWS]]


@lru_cache(maxsize=2)
def load(folder: str) -> Model:
    """Load the model of a folder; raises `ModelError` naming what is wrong with it."""
    path = Path(folder)
    for name in FILES:
        if not (path / name).is_file():
            raise ModelError(f"{name} is missing in the model folder")
    order = _order(path / "labels.json")
    try:
        runtime, tokenizers = map(importlib.import_module, ("onnxruntime", "tokenizers"))
    except ImportError as error:
        raise ModelError("onnxruntime and tokenizers are not installed: pip install cairn[nli]") from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    data = (path / "model.onnx").read_bytes()
    try:
        session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(path / "tokenizer.json"))
    except Exception as error:  # the libraries raise classes of their own that share no base but this
        raise ModelError(f"the model cannot be loaded: {type(error).__name__}") from error
    tokenizer.enable_truncation(LONGEST, strategy="only_first")
    return Model(session, tokenizer, order, path.name, hashlib.sha256(data).hexdigest())


def _order(path: Path) -> tuple[str, ...]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError("labels.json is not JSON") from error
    if not isinstance(table, dict):
        raise ModelError("labels.json is not an object of id and label")
    names = [str(table.get(str(place), "")).lower() for place in range(len(table))]
    if sorted(names) != sorted(CLASSES):
        raise ModelError(f"labels.json does not name each of {', '.join(CLASSES)} once")
    return tuple(names)


def _probabilities(model: Model, premise: str, claim: str) -> Mapping[str, float]:
    numpy = importlib.import_module("numpy")
    encoded = model.tokenizer.encode(premise, claim)
    rows = {
        "input_ids": encoded.ids,
        "attention_mask": encoded.attention_mask,
        "token_type_ids": encoded.type_ids,
    }
    wanted = {node.name for node in model.session.get_inputs()}
    feed = {name: numpy.asarray([row], dtype=numpy.int64) for name, row in rows.items() if name in wanted}
    logits = model.session.run(None, feed)[0][0]
    return dict(zip(model.order, softmax([float(value) for value in logits]), strict=True))


def softmax(logits: Sequence[float]) -> list[float]:
    """Return the probabilities of logits."""
    top = max(logits)
    powers = [math.exp(value - top) for value in logits]
    return [power / sum(powers) for power in powers]
