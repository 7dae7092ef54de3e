"""Writes the files of a tokenizer that has the true special tokens, ids and size, and a small real vocabulary in
between.

Ids beyond the pieces are filled with pronounceable names, so that every id below `size` decodes.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from . import kinds

_CHAT = Path(__file__).parent / "chat"
_FILES = {
    "byte-bpe": ("vocab.json", "merges.txt"),
    "end-of-word-bpe": ("vocab.json", "merges.txt"),
    "word-piece": ("vocab.txt",),
}


def tokenizer_files(spec: dict[str, Any], filename: str) -> str | None:
    """Text of one file of the tokenizer, or `None` where such a tokenizer has no such file.

    Args:
        spec: `kind` (a function of `kinds`), `class`, `size` (the vocabulary without what was added to it), `special`
        (token →
            id), `roles` (`pad_token` ... → token), `max_length`, `template` and `pair` (`["[CLS]", "$A", "[SEP]"]`),
            `extra` and
            `names` (numbered special tokens), `chat` (a file of `chat/`), `options` (further entries of
            tokenizer_config.json).
        filename: `tokenizer.json`, `tokenizer_config.json`, `vocab.json`, `merges.txt` or `vocab.txt`.
    """
    if filename == "tokenizer_config.json":
        return json.dumps(_configuration(spec))
    if filename != "tokenizer.json" and filename not in _FILES.get(spec["kind"], ()):
        return None
    built = _built(json.dumps(spec, sort_keys=True))
    tokens = built["model"]["vocab"]
    if filename == "merges.txt":
        return "#version: 0.2\n" + "\n".join(built["model"]["merges"]) + "\n"
    if filename == "vocab.txt":
        return "\n".join(tokens) + "\n"
    if filename == "vocab.json":
        return _vocabulary_text(tokens)
    if not isinstance(tokens[0], str):
        return json.dumps(built)
    hole = {**built, "model": {**built["model"], "vocab": "@"}}
    return json.dumps(hole).replace('"vocab": "@"', '"vocab": ' + _vocabulary_text(tokens))


def _configuration(spec: dict[str, Any]) -> dict[str, Any]:
    config = {"tokenizer_class": spec["class"], **spec["roles"], **spec.get("options", {})}
    if "lower" in spec:
        config["do_lower_case"] = spec["lower"]
    if spec.get("max_length"):
        config["model_max_length"] = spec["max_length"]
    if spec.get("chat"):
        config["chat_template"] = (_CHAT / f"{spec['chat']}.jinja").read_text(encoding="utf-8").strip()
    return config


def _vocabulary_text(tokens: list[str]) -> str:
    """A JSON object from token to id; written by hand because the general encoder takes ten times as long."""
    quoted = [
        f'"{token}":{index}' if token.isalnum() else f"{json.dumps(token)}:{index}"
        for index, token in enumerate(tokens)
    ]
    return "{" + ",".join(quoted) + "}"


def _special(spec: dict[str, Any]) -> dict[str, int]:
    """Every special token and its id, the numbered ones too."""
    special = dict(spec["special"])
    extra, names = spec.get("extra"), spec.get("names")
    if extra:
        for index in range(extra["count"]):
            special[extra["name"].format(extra.get("start", 0) + index)] = extra["first"] + index * extra["step"]
    if names:
        special.update({f"<|{name}|>": names["first"] + index for index, name in enumerate(names["tokens"])})
    return special


@cache
def _built(key: str) -> dict[str, Any]:
    """`tokenizer.json` as an object, but for the vocabulary, which stays a list of tokens in the order of their ids."""
    spec = json.loads(key)
    spec["special"] = _special(spec)
    body = getattr(kinds, spec["kind"].replace("-", "_"))(spec)
    lstrip = spec.get("lstrip", ())
    added = [
        {
            "id": index,
            "content": token,
            "single_word": False,
            "lstrip": token in lstrip,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for token, index in sorted(spec["special"].items(), key=lambda entry: entry[1])
    ]
    post = body.pop("post_processor", None) or _template(spec)
    head = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None}
    return {**head, **body, "post_processor": post}


def _template(spec: dict[str, Any]) -> dict[str, Any] | None:
    """The post-processor that adds `[CLS]`, `[SEP]`, `<s>` ... around one text and around a pair."""
    if not spec.get("template"):
        return None

    def item(token: str, kind: int) -> dict[str, Any]:
        if token.startswith("$"):
            return {"Sequence": {"id": token[1], "type_id": kind}}
        return {"SpecialToken": {"id": token, "type_id": kind}}

    single = [item(token, 0) for token in spec["template"]]
    pair, kind = [], 0
    for token in spec.get("pair") or [*spec["template"], *(token.replace("$A", "$B") for token in spec["template"])]:
        kind = 1 if spec.get("token_types") and (kind or token == "$B") else 0
        pair.append(item(token, kind))
    used = [token for token in spec["template"] if not token.startswith("$")]
    special = {token: {"id": token, "ids": [spec["special"][token]], "tokens": [token]} for token in used}
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}
