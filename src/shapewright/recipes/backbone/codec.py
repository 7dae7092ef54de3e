"""Text to token ids and back, the same way in training, evaluation, sampling and scoring.

`Codec` hides whether the ids come from the `tokenizers` library alone (our own folders and the tiny model: no import of transformers) or from
an `AutoTokenizer`. It never pads and never looks for ends: sequences are lists with lengths.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

EOS, PAD = "<|endoftext|>", "<|pad|>"


def plain_chat(messages: list[dict[str, str]]) -> str:
    """Chat messages as `Role: content` paragraphs, for tokenizers without a template."""
    return "".join(f"\n\n{message['role'].capitalize()}: {message['content']}" for message in messages)


class Codec:
    """A tokenizer with an end and a pad token that differ.

    Attributes:
        eos_id: ends every answer, in training as in evaluation.
        pad_id: never stands in a text; only other programs, which find ends by looking for it, need it.
        size: number of ids, so the number of rows an embedding needs.
        added_pad: the tokenizer had no pad token of its own (or it was its eos), so one was appended: embeddings must grow to `size`.
    """

    def __init__(self, core, eos_id: int, pad_id: int, *, whole=None, added_pad: bool = False):
        self.core = core
        self.whole = whole
        self.eos_id = eos_id
        self.pad_id = pad_id
        self.size = core.get_vocab_size() if whole is None else len(whole)
        self.added_pad = added_pad

    def encode(self, text: str) -> list[int]:
        """Token ids of a text, with the tokenizer's own opening tokens (bos, [CLS]) where it has them, and nothing at the end."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` of several texts in one call of the fast tokenizer."""
        if self.whole is None:
            return [encoding.ids for encoding in self.core.encode_batch(list(texts), add_special_tokens=False)]
        rows = self.whole(list(texts), add_special_tokens=True, verbose=False)["input_ids"]
        return [row[:-1] if row and row[-1] == self.eos_id else row for row in rows]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token ids; special tokens leave no trace."""
        ids = [int(token) for token in ids]
        return self.core.decode(ids, skip_special_tokens=True) if self.whole is None else self.whole.decode(ids, skip_special_tokens=True)

    def chat(self, messages: list[dict[str, str]]) -> str:
        """Chat messages as one text by the tokenizer's own template, or as `Role: content` paragraphs where it has none."""
        if self.whole is not None and getattr(self.whole, "chat_template", None):
            return self.whole.apply_chat_template(messages, tokenize=False)
        return plain_chat(messages)

    def same_as(self, other: "Codec") -> bool:
        """Whether both give the same ids, so that sampled ids can be scored without passing through text."""
        return self.size == other.size and self.eos_id == other.eos_id and self.core.get_vocab() == other.core.get_vocab()

    def save(self, folder: Path, limit: int) -> None:
        """Write the files from which `AutoTokenizer` and `Codec.load` build the same tokenizer."""
        if self.whole is not None:
            self.whole.save_pretrained(folder)
            return
        (folder / "tokenizer.json").write_text(self.core.to_str(pretty=True), encoding="utf-8")
        described = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": limit, "clean_up_tokenization_spaces": False}
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
            texts, trainers.BpeTrainer(vocab_size=size, special_tokens=[EOS, PAD], initial_alphabet=alphabet, show_progress=False)
        )
        return cls(core, core.token_to_id(EOS), core.token_to_id(PAD))

    @classmethod
    def load(cls, name: str) -> "Codec":
        """The tokenizer of a folder or of a model on the hub.

        Raises:
            ValueError: the tokenizer has no token that ends a text.
        """
        described = Path(name) / "tokenizer_config.json"
        if described.is_file() and json.loads(described.read_text(encoding="utf-8")).get("tokenizer_class") == "PreTrainedTokenizerFast":
            settings = json.loads(described.read_text(encoding="utf-8"))
            if (
                (Path(name) / "tokenizer.json").is_file()
                and {"eos_token", "pad_token"} <= set(settings)
                and "chat_template" not in settings
            ):
                from tokenizers import Tokenizer

                core = Tokenizer.from_str((Path(name) / "tokenizer.json").read_text(encoding="utf-8"))
                eos_id, pad_id = core.token_to_id(settings["eos_token"]), core.token_to_id(settings["pad_token"])
                if eos_id is not None and pad_id is not None and eos_id != pad_id:
                    return cls(core, eos_id, pad_id)
        from transformers import AutoTokenizer

        whole = AutoTokenizer.from_pretrained(name)
        eos_id = whole.eos_token_id if whole.eos_token_id is not None else whole.sep_token_id
        if eos_id is None:
            raise ValueError(f"the tokenizer of {name} has no eos token, so nothing tells where an answer ends")
        added = whole.pad_token_id is None or whole.pad_token_id == eos_id
        if added:
            whole.add_special_tokens({"pad_token": PAD})
        return cls(whole.backend_tokenizer, eos_id, whole.pad_token_id, whole=whole, added_pad=added)
