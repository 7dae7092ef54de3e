"""Text to token ids and back, the same way in training, evaluation, sampling and scoring.

`Codec` hides whether the ids come from the `tokenizers` library alone (our own folders and the tiny model: no import of
transformers) or from an `AutoTokenizer`. It never pads and never looks for ends: sequences are lists with lengths.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

EOS, PAD = "<|endoftext|>", "<|pad|>"


def plain_chat(messages: list[dict[str, Any]], asks: bool = False, tools: list[Any] | None = None) -> str:
    """Chat messages as `Role: content` paragraphs, for tokenizers without a template.

    Args:
        asks: end with the words after which the answer begins.
        tools: JSON schemas of the functions that may be called, written first; calls are written behind the content.

    >>> plain_chat([{"role": "user", "content": "An owl?"}], asks=True)
    '\\n\\nUser: An owl?\\n\\nAssistant:'
    """
    paragraphs = [f"\n\nTools: {json.dumps(tools)}"] if tools else []
    for message in messages:
        parts = [message.get("content") or "", *map(json.dumps, message.get("tool_calls") or ())]
        paragraphs.append(f"\n\n{message['role'].capitalize()}: {' '.join(filter(None, parts))}")
    return "".join(paragraphs) + "\n\nAssistant:" * asks


class Codec:
    """A tokenizer with an end and a pad token that differ.

    Attributes:
        eos_id: ends every answer, in training as in evaluation.
        pad_id: never stands in a text; only other programs, which find ends by looking for it, need it.
        opening: ids that the tokenizer puts before every text (bos, [CLS]); they stay when the beginning of a text is
        cut.
        size: number of ids, so the number of rows an embedding needs.
        added_pad: the tokenizer had no pad token of its own (or it was its eos), so one was appended: embeddings must
        grow to `size`.
    """

    def __init__(self, core, eos_id: int, pad_id: int, *, whole=None, added_pad: bool = False):
        self.core = core
        self.whole = whole
        self.eos_id = eos_id
        self.pad_id = pad_id
        self.size = core.get_vocab_size() if whole is None else len(whole)
        self.added_pad = added_pad
        self.opening: list[int] = []
        if whole is not None:
            marked = whole("x", add_special_tokens=True, return_special_tokens_mask=True)
            plain = marked["special_tokens_mask"].index(0) if 0 in marked["special_tokens_mask"] else 0
            self.opening = list(marked["input_ids"][:plain])

    def encode(self, text: str) -> list[int]:
        """Token ids of a text, with the tokenizer's own opening tokens (bos, [CLS]) where it has them, and nothing at
        the end."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` of several texts in one call of the fast tokenizer."""
        if self.whole is None:
            return [encoding.ids for encoding in self.core.encode_batch(list(texts), add_special_tokens=False)]
        rows = self.whole(list(texts), add_special_tokens=True, verbose=False)["input_ids"]
        start = len(self.opening)
        rows = [row[:-1] if len(row) > start and row[-1] == self.eos_id else row for row in rows]
        # A chat template may have written the opening into the text already.
        return [row[start:] if start and row[start : 2 * start] == self.opening else row for row in rows]

    def shorten(self, ids: list[int], room: int) -> list[int]:
        """Ids without what is beyond `room` tokens, cut from the beginning of the text behind the opening."""
        over = max(len(ids) - room, 0)
        start = len(self.opening) if ids[: len(self.opening)] == self.opening else 0
        return ids[:start] + ids[start + over :]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token ids; special tokens leave no trace."""
        ids = [int(token) for token in ids]
        return (
            self.core.decode(ids, skip_special_tokens=True)
            if self.whole is None
            else self.whole.decode(ids, skip_special_tokens=True)
        )

    def chat(self, messages: list[dict[str, Any]], asks: bool = False, tools: list[Any] | None = None) -> str:
        """Chat messages as one text by the tokenizer's own template, or as `plain_chat` writes them where it has none.

        Args:
            asks: end with what the template writes before an answer (its generation prompt).
            tools: JSON schemas of the functions that may be called.

        Raises:
            ValueError: the template refuses the messages (an unknown role, turns out of order).
        """
        if self.whole is not None and getattr(self.whole, "chat_template", None):
            from jinja2 import TemplateError

            try:
                return self.whole.apply_chat_template(messages, tools=tools, tokenize=False, add_generation_prompt=asks)
            except TemplateError as error:
                raise ValueError(f"the chat template refuses it: {error}") from error
        return plain_chat(messages, asks, tools)

    def same_as(self, other: "Codec") -> bool:
        """Whether both give the same ids, so that sampled ids can be scored without passing through text."""
        alike = (self.size, self.eos_id, self.opening) == (other.size, other.eos_id, other.opening)
        return alike and self.core.get_vocab() == other.core.get_vocab()

    def save(self, folder: Path, limit: int) -> None:
        """Write the files from which `AutoTokenizer` and `Codec.load` build the same tokenizer."""
        if self.whole is not None:
            self.whole.save_pretrained(folder)
            return
        (folder / "tokenizer.json").write_text(self.core.to_str(pretty=True), encoding="utf-8")
        described = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": limit,
            "clean_up_tokenization_spaces": False,
        }
        described |= {"eos_token": self.core.id_to_token(self.eos_id), "pad_token": self.core.id_to_token(self.pad_id)}
        (folder / "tokenizer_config.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def train(cls, texts: Iterable[str], size: int = 1024) -> "Codec":
        """A byte-level BPE learned from texts: every string can be written with it."""
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

        core = Tokenizer(models.BPE())
        core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        core.decoder = decoders.ByteLevel()
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        core.train_from_iterator(
            texts,
            trainers.BpeTrainer(
                vocab_size=size, special_tokens=[EOS, PAD], initial_alphabet=alphabet, show_progress=False
            ),
        )
        return cls(core, core.token_to_id(EOS), core.token_to_id(PAD))

    @classmethod
    def load(cls, name: str) -> "Codec":
        """The tokenizer of a folder or of a model on the hub.

        Raises:
            ValueError: the tokenizer has no vocabulary, or no token that ends a text.
            OSError: there is no such folder, and the hub did not give it.
        """
        own = cls._own(Path(name))
        if own is not None:
            return own
        from transformers import AutoTokenizer

        whole = AutoTokenizer.from_pretrained(name)
        eos_id = whole.eos_token_id if whole.eos_token_id is not None else whole.sep_token_id
        if eos_id is None:
            raise ValueError(f"the tokenizer of {name} has no eos token, so nothing tells where an answer ends")
        if not whole("a b", add_special_tokens=False)["input_ids"]:
            raise ValueError(f"the tokenizer of {name} turns texts into nothing: its vocabulary files are missing")
        added = whole.pad_token_id is None or whole.pad_token_id == eos_id
        if added:
            whole.add_special_tokens({"pad_token": PAD})
        return cls(whole.backend_tokenizer, eos_id, whole.pad_token_id, whole=whole, added_pad=added)

    @classmethod
    def _own(cls, folder: Path) -> "Codec | None":
        """The tokenizer of a folder that `save` wrote, without importing transformers; None where anything in it is
        more than that."""
        described, core_file = folder / "tokenizer_config.json", folder / "tokenizer.json"
        if not described.is_file() or not core_file.is_file() or (folder / "chat_template.jinja").exists():
            return None
        settings = json.loads(described.read_text(encoding="utf-8"))
        ends = settings.get("eos_token"), settings.get("pad_token")
        if (
            settings.get("tokenizer_class") != "PreTrainedTokenizerFast"
            or "chat_template" in settings
            or not all(isinstance(end, str) for end in ends)
        ):
            return None
        from tokenizers import Tokenizer

        content = core_file.read_text(encoding="utf-8")
        if json.loads(content).get("post_processor") is not None:  # It may put bos before every text.
            return None
        core = Tokenizer.from_str(content)
        eos_id, pad_id = map(core.token_to_id, ends)
        return None if eos_id is None or pad_id is None or eos_id == pad_id else cls(core, eos_id, pad_id)
