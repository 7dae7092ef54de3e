"""Writes the files of a tokenizer that has the true special tokens, ids and size, and a small real vocabulary in between.

The pieces are 4,977 byte-pair merges learnt from English text (`merges.txt`), so that the number of tokens of a sentence is
near the real one. Ids beyond them are filled with pronounceable names, so that every id below `size` decodes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

_MERGES = Path(__file__).parent / "merges.txt"
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ai", "ou")]


@cache
def merges() -> tuple[tuple[str, str], ...]:
    """Byte-level merges in order of rank; `Ġ` is a space."""
    lines = _MERGES.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split(" ")) for line in lines)  # type: ignore[misc]


def byte_symbols() -> list[str]:
    """GPT-2's 256 printable stand-ins for bytes, in byte order of its own table."""
    keep = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in set(keep)]
    return [chr(byte) for byte in keep] + [chr(256 + index) for index in range(len(rest))]


def fillers(prefix: str = "") -> Iterator[str]:
    """Pronounceable names, the same ones in the same order for ever, no two equal."""
    for a, b, c in itertools.product(_SYLLABLES, repeat=3):
        yield prefix + a + b + c


def place(pieces: list[str], special: dict[str, int], size: int, prefix: str) -> list[str]:
    """The token of every id below `size`: special tokens at their own ids, pieces in order, then fillers."""
    seen = set(special)
    pieces = [piece for piece in dict.fromkeys(pieces) if piece not in seen]
    seen.update(pieces)
    inner = {index: token for token, index in special.items() if index < size}
    free = size - len(inner)
    pieces = pieces[:free]
    pieces += itertools.islice((name for name in fillers(prefix) if name not in seen), free - len(pieces))
    for index in sorted(inner):
        pieces.insert(index, inner[index])
    return pieces


def _byte_bpe(spec: dict[str, Any]) -> dict[str, Any]:
    pairs = merges()
    known = byte_symbols() + [left + right for left, right in pairs]
    tokens = place(known, spec["special"], spec["size"], "Ġ")
    prefix = bool(spec.get("add_prefix_space", False))
    level = {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": True}
    return {
        "pre_tokenizer": level,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": False, "byte_fallback": False, "vocab": tokens, "merges": [" ".join(pair) for pair in pairs],
        },
    }


_KINDS = {"byte-bpe": _byte_bpe}


def _template(spec: dict[str, Any]) -> dict[str, Any] | None:
    """The post-processor that adds `[CLS]`, `[SEP]`, `<s>` ... as `spec["template"]` lists them: `["[CLS]", "$A", "[SEP]"]`."""
    if not spec.get("template"):
        return None

    def item(token: str, kind: int) -> dict[str, Any]:
        if token.startswith("$"):
            return {"Sequence": {"id": token[1], "type_id": kind}}
        return {"SpecialToken": {"id": token, "type_id": kind}}

    single = [item(token, 0) for token in spec["template"]]
    pair, kind = [], 0
    for token in spec.get("pair") or [*spec["template"], *(t.replace("$A", "$B") for t in spec["template"])]:
        kind = int(token.startswith("$B")) if spec.get("token_types") and not kind else kind
        pair.append(item(token, kind))
    used = [token for token in spec["template"] if not token.startswith("$")]
    special = {token: {"id": token, "ids": [spec["special"][token]], "tokens": [token]} for token in used}
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}


def _vocabulary_text(tokens: list[str]) -> str:
    """A JSON object from token to id; written by hand because the general encoder takes ten times as long."""
    quoted = [f'"{token}":{index}' if token.isalnum() else f"{json.dumps(token)}:{index}" for index, token in enumerate(tokens)]
    return "{" + ",".join(quoted) + "}"


@cache
def _built(key: str) -> dict[str, Any]:
    """`tokenizer.json` as an object, but for the vocabulary, which stays a list of tokens in the order of their ids."""
    spec = json.loads(key)
    body = _KINDS[spec["kind"]](spec)
    lstrip = spec.get("lstrip", ())
    added = [
        {"id": index, "content": token, "single_word": False, "lstrip": token in lstrip, "rstrip": False, "normalized": False,
         "special": True}
        for token, index in sorted(spec["special"].items(), key=lambda entry: entry[1])
    ]
    post = _template(spec) or body.pop("post_processor", None)
    head = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None}
    return {**head, **body, "post_processor": post}


def tokenizer_files(spec: dict[str, Any], filename: str) -> str | None:
    """Text of one file of the tokenizer, or `None` where such a tokenizer has no such file.

    Args:
        spec: `kind`, `class`, `size` (ids below it are in the model's vocabulary), `special` (token → id), `roles`
            (`pad_token` ... → token), `max_length`, `template`, `pair`, `options` (further entries of tokenizer_config.json).
        filename: `tokenizer.json`, `tokenizer_config.json`, `vocab.json`, `merges.txt` or `vocab.txt`.
    """
    if filename == "tokenizer_config.json":
        config = {"tokenizer_class": spec["class"], **spec["roles"], **spec.get("options", {})}
        if spec.get("max_length"):
            config["model_max_length"] = spec["max_length"]
        return json.dumps(config)
    wanted = {"byte-bpe": ("tokenizer.json", "vocab.json", "merges.txt"), "word-piece": ("tokenizer.json", "vocab.txt")}
    if filename not in wanted.get(spec["kind"], ("tokenizer.json",)):
        return None
    built = _built(json.dumps(spec, sort_keys=True))
    tokens = built["model"]["vocab"]
    if filename == "tokenizer.json":
        if not isinstance(tokens[0], str):
            return json.dumps(built)
        hole = {**built, "model": {**built["model"], "vocab": "@"}}
        return json.dumps(hole).replace('"vocab": "@"', '"vocab": ' + _vocabulary_text(tokens))
    if filename == "merges.txt":
        return "#version: 0.2\n" + "\n".join(built["model"]["merges"]) + "\n"
    if filename == "vocab.txt":
        return "\n".join(tokens) + "\n"
    return _vocabulary_text(tokens)
