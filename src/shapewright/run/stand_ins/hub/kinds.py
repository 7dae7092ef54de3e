"""The bodies of `tokenizer.json`, one function per kind of tokenizer. A kind is looked up by its name with dashes as
underscores.

Each takes the description of a tokenizer (see `vocabulary.tokenizer_files`) and returns `pre_tokenizer`, `decoder`,
`model` and optionally `normalizer` and `post_processor`; `model["vocab"]` is a list of tokens in the order of their
ids, or of `[piece, score]`.
"""

from __future__ import annotations

from typing import Any

from .pieces import byte_symbols, merges, place, words

SPACE = "▁"


def byte_bpe(spec: dict[str, Any]) -> dict[str, Any]:
    """GPT-2's byte-level pairs."""
    pairs = merges()
    tokens = place(byte_symbols() + [left + right for left, right in pairs], spec["special"], spec["size"], "Ġ")
    prefix = bool(spec.get("add_prefix_space", False))
    body = {
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": True},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": _pairs_model(tokens, [" ".join(pair) for pair in pairs]),
    }
    if spec.get("roberta"):
        roles = spec["roles"]
        body["post_processor"] = {
            "type": "RobertaProcessing",
            "trim_offsets": True,
            "add_prefix_space": prefix,
            "sep": [roles["sep_token"], spec["special"][roles["sep_token"]]],
            "cls": [roles["cls_token"], spec["special"][roles["cls_token"]]],
        }
    return body


def sp_bpe(spec: dict[str, Any]) -> dict[str, Any]:
    """SentencePiece pairs with byte fallback, as Llama 2, Mistral and Gemma have them."""
    pairs = [(left.replace("Ġ", SPACE), right.replace("Ġ", SPACE)) for left, right in merges()]
    known = [f"<0x{byte:02X}>" for byte in range(256)] + [SPACE] + [chr(code) for code in range(33, 127)]
    tokens = place(known + [left + right for left, right in pairs], spec["special"], spec["size"], SPACE)
    head = [] if spec.get("gemma") else [{"type": "Prepend", "prepend": SPACE}]
    strip = [] if spec.get("gemma") else [{"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    model = _pairs_model(tokens, [" ".join(pair) for pair in pairs])
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [*head, {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}],
        },
        "pre_tokenizer": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                *strip,
            ],
        },
        "model": {**model, "byte_fallback": True, "fuse_unk": True, "unk_token": spec["roles"]["unk_token"]},
    }


def end_of_word_bpe(spec: dict[str, Any]) -> dict[str, Any]:
    """CLIP's pairs, whose last piece of a word ends in `</w>`."""
    pairs: dict[tuple[str, str], None] = {}
    for word in [word for word in words() if word.isalpha()]:
        parts = [*word[:-1], word[-1] + "</w>"]
        left = parts[0]
        for right in parts[1:]:
            pairs[left, right] = None
            left += right
    known = byte_symbols() + [symbol + "</w>" for symbol in byte_symbols()] + [left + right for left, right in pairs]
    tokens = place(known, spec["special"], spec["size"], "")
    roles = spec["roles"]
    model = {
        **_pairs_model(tokens, [" ".join(pair) for pair in pairs]),
        "end_of_word_suffix": "</w>",
        "unk_token": roles["unk_token"],
    }
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFC"},
                {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
                {"type": "Lowercase"},
            ],
        },
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            ],
        },
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "post_processor": {
            "type": "RobertaProcessing",
            "trim_offsets": False,
            "add_prefix_space": False,
            "sep": [roles["eos_token"], spec["special"][roles["eos_token"]]],
            "cls": [roles["bos_token"], spec["special"][roles["bos_token"]]],
        },
        "model": model,
    }


def word_piece(spec: dict[str, Any]) -> dict[str, Any]:
    """BERT's words and `##` continuations."""
    lower = bool(spec.get("lower"))
    letters = [chr(code) for code in range(33, 127) if not (lower and chr(code).isupper())]
    known = letters + ["##" + letter for letter in letters if letter.isalnum()]
    for left, right in merges():
        token = left + right
        piece = token[1:] if token.startswith("Ġ") else "##" + token
        piece = piece.lower() if lower else piece
        if piece.removeprefix("##").isalnum():
            known.append(piece)
    unknown = spec.get("unk") or spec["roles"]["unk_token"]
    return {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": lower,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": unknown,
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": place(known, spec["special"], spec["size"], ""),
        },
    }


def unigram(spec: dict[str, Any]) -> dict[str, Any]:
    """SentencePiece unigrams, as T5, ALBERT, XLM-R and DeBERTa v3 have them: a longer known piece always scores
    better."""
    known = [SPACE] + [chr(code) for code in range(33, 127)]
    for left, right in merges():
        token = left + right
        known.append(token.replace("Ġ", SPACE))
    inner = {token: index for token, index in spec["special"].items() if index < spec["size"]}
    tokens = place(known, inner, spec["size"], SPACE)
    usable = set(known)
    vocabulary = [
        [
            token,
            0.0
            if token in inner
            else -9.0 - index / len(tokens)
            if token in usable and len(token) > 1
            else -13.0
            if token in usable
            else -99.0,
        ]
        for index, token in enumerate(tokens)
    ]
    lower = [{"type": "Lowercase"}] if spec.get("lower") else []
    metaspace = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True}
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFKC"},
                *lower,
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": metaspace,
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": spec["special"][spec["roles"]["unk_token"]],
            "vocab": vocabulary,
            "byte_fallback": False,
        },
    }


def _pairs_model(tokens: list[str], pairs: list[str]) -> dict[str, Any]:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "vocab": tokens,
        "merges": pairs,
    }
