"""A tokenizer of word pieces for texts that come without one."""

from __future__ import annotations

from collections import Counter

from transformers import PreTrainedTokenizerFast


def small_tokenizer(texts: list[str], size: int = 4000) -> PreTrainedTokenizerFast:
    """A WordPiece tokenizer of the texts' characters and their `size` most frequent words; rarer words are spelled.

    Not trained: the library's WordPiece trainer breaks ties differently at every call, and weights learned under one
    numbering mean nothing under another.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    normalizer, splitter = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    counts = Counter(word for text in texts for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    characters = sorted({character for word in counts for character in word})
    words = sorted((word for word in counts if len(word) > 1), key=lambda word: (-counts[word], word))[:size]
    pieces = [*special, *characters, *(f"##{character}" for character in characters), *words]
    inner = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    inner.normalizer, inner.pre_tokenizer = normalizer, splitter
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    return PreTrainedTokenizerFast(tokenizer_object=inner, model_input_names=["input_ids", "attention_mask"], **names)
