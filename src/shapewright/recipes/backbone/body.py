"""A transformer without its head behind one call: `body(packed)` gives the hidden state of the wanted tokens.

GPT-2 goes through `gpt2.hidden`; any other causal `AutoModel` is given right-padded rows with explicit positions.
Encoders (BERT kinds) read both ways, so their hidden states depend on the whole row and no prefix may be shared: they
are scored whole (`preference.reward_model`).
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from shapewright.recipes.backbone import gpt2
from shapewright.recipes.backbone.packed import Packed
from shapewright.recipes.loop import sharding

TINY = gpt2.GPT2Shape(vocab_size=1024, n_positions=256, n_embd=128, n_layer=4, n_head=4)
_LORA_TARGETS = {
    "gpt2": ["c_attn"],
    "llama": ["q_proj", "v_proj"],
    "qwen2": ["q_proj", "v_proj"],
    "qwen3": ["q_proj", "v_proj"],
}


class Body(nn.Module):
    """A causal transformer over packed tokens.

    Attributes:
        model: the module that holds the parameters, named as transformers names them.
        shape: sizes when it is a GPT-2, else None.
        width: size of a hidden state.
        limit: the longest row it can read, in tokens.
        whole: transformers' model around `model` (its head included), for saving; None for a GPT-2.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        shape: gpt2.GPT2Shape | None,
        width: int,
        limit: int,
        kind: str,
        whole: nn.Module | None = None,
    ):
        super().__init__()
        self.model = model
        self.shape = shape
        self.width = width
        self.limit = limit
        self.kind = kind
        self._whole = (whole,)  # In a tuple, so that its parameters are not registered twice.

    @property
    def whole(self) -> nn.Module | None:
        return self._whole[0]

    def forward(self, packed: Packed) -> Tensor:
        """Hidden states of the wanted tokens. Shape: (wanted, hidden)."""
        longest = packed.rows_RT.shape[1]
        if longest > self.limit:
            raise ValueError(f"a row has {longest} tokens, the model has positions for {self.limit}")
        if self.shape is not None:
            return gpt2.hidden(self.model, packed, self.shape.n_head)
        hidden_RTH = padded_hidden(self.model, packed)
        return hidden_RTH.flatten(0, 1).index_select(0, packed.homes_KN[0].index_select(0, packed.wanted_S))

    def units(self) -> list[nn.Module]:
        """The modules that may be divided over processes each by itself, since they are called as modules: the blocks,
        but not where a GPT-2's adapters make transformers' own blocks be read part by part."""
        if self.shape is not None:
            return [block for block in self.model.h if isinstance(block, gpt2.Block)]
        return sharding.blocks(self.model)

    def recompute(self) -> None:
        """From now on compute activations again in the backward pass, to save memory (gradient checkpointing).

        Raises:
            ValueError: this kind cannot.
        """
        if self.shape is None:
            self.model.gradient_checkpointing_enable({"use_reentrant": False})
            return
        blocks = self.units()
        if not blocks:
            raise ValueError("a GPT-2 with LoRA adapters keeps its activations: leave --gradient-checkpointing out")
        for block in blocks:
            block.recompute = True

    @classmethod
    def tiny(cls, shape: gpt2.GPT2Shape = TINY) -> "Body":
        """A GPT-2 with random weights."""
        return cls(gpt2.GPT2(shape), shape=shape, width=shape.n_embd, limit=shape.n_positions, kind="gpt2")


def padded_hidden(model: nn.Module, packed: Packed) -> Tensor:
    """Rows through a transformers model, right-padded, with explicit mask and positions. Shape: (rows, longest,
    hidden)."""
    ids_RT = packed.ids_N[packed.rows_RT]
    position_RT = torch.arange(ids_RT.shape[1], device=ids_RT.device).expand_as(ids_RT)
    keep_mask_RT = position_RT < packed.lengths_R.unsqueeze(-1)
    return model(
        input_ids=ids_RT, attention_mask=keep_mask_RT.long(), position_ids=position_RT, use_cache=False
    ).last_hidden_state


def load_body(name: str, head: str, *, size: int | None = None, lora: int = 0) -> tuple[Body, nn.Module | None]:
    """A body and its head from a folder or the hub, through transformers' own loading code (own GPT-2 folders:
    safetensors alone).

    Args:
        name: folder or hub name.
        head: `"score"` for a reward (one label), `"lm"` for next tokens.
        size: rows the embedding must have; grown where the tokenizer got a pad token that the model does not know.
        lora: rank of the LoRA adapters; 0 trains every weight.

    Returns:
        The body, and the head as a module: None means the head is tied to the embedding or must be made new.
    """
    own = _own_folder(name, head) if not lora else None
    if own is not None:
        return own
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    config = AutoConfig.from_pretrained(name)
    if config.is_encoder_decoder:
        raise ValueError(
            f"{config.model_type} is an encoder with a decoder; a decoder (GPT-2, Llama, Qwen) or an encoder (BERT) is "
            f"needed"
        )
    if head == "lm" and config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES and not config.is_decoder:
        raise ValueError(
            f"{config.model_type} reads both ways and cannot write an answer; a decoder (GPT-2, Llama, Qwen) is needed"
        )
    family = AutoModelForSequenceClassification if head == "score" else AutoModelForCausalLM
    options = {"num_labels": 1} if head == "score" else {}
    whole = family.from_pretrained(name, dtype=torch.float32, **options)
    if size is not None and size > whole.get_input_embeddings().num_embeddings:
        whole.resize_token_embeddings(size)
    silence_dropout(whole)
    base = whole.base_model
    scored = any(
        type(architecture) is str and "SequenceClassification" in architecture
        for architecture in config.architectures or []
    )
    last = whole.get_output_embeddings() if head == "lm" else getattr(whole, "score", None) if scored else None
    if lora:
        add_lora(base, config.model_type, lora)
    shape, limit = plain_gpt2(config), longest(base, config)
    if shape is not None:
        shape = replace(shape, vocab_size=whole.config.vocab_size)
        model = base
        if not lora:
            model = gpt2.GPT2(shape)
            model.load_state_dict(base.state_dict())
        tied = head == "lm"
        return Body(model, shape=shape, width=shape.n_embd, limit=limit, kind="gpt2"), None if tied else last
    width = whole.config.hidden_size
    return Body(base, shape=None, width=width, limit=limit, kind=config.model_type, whole=whole), last


def longest(base: nn.Module, config: Any) -> int:
    """The longest row that a transformers model reads, in tokens."""
    positions = getattr(getattr(base, "embeddings", None), "position_embeddings", None)
    first = getattr(positions, "padding_idx", None)  # RoBERTa's first position stands behind its pad's.
    return int(getattr(config, "max_position_embeddings", 0) or 2**31) - (0 if first is None else first + 1)


def plain_gpt2(config: Any) -> gpt2.GPT2Shape | None:
    """The sizes of a GPT-2 that `gpt2.hidden` computes; None for any other model."""
    standard = (
        config.model_type == "gpt2"
        and config.activation_function in ("gelu_new", "gelu_pytorch_tanh")
        and config.scale_attn_weights
        and config.n_inner in (None, 4 * config.n_embd)
        and config.tie_word_embeddings
        and not config.scale_attn_by_inverse_layer_idx
    )
    fields = gpt2.GPT2Shape.__dataclass_fields__
    return gpt2.GPT2Shape(**{field: getattr(config, field) for field in fields}) if standard else None


def silence_dropout(whole: nn.Module) -> None:
    """Take all dropout out of a transformers model: modules, and the rates that some families keep as plain numbers
    (OPT's `dropout`, `layerdrop`)."""
    for module in whole.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for rate in [key for key, value in vars(module).items() if "drop" in key and isinstance(value, float)]:
            setattr(module, rate, 0.0)


def _own_folder(name: str, head: str) -> tuple[Body, nn.Module | None] | None:
    """A GPT-2 folder of one safetensors file, read without importing transformers; None where it is anything else."""
    import json

    folder = Path(name)
    if not (folder / "config.json").is_file() or not (folder / "model.safetensors").is_file():
        return None
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("shapewright") is None or config.get("model_type") != "gpt2":
        return None
    from safetensors.torch import load_file

    tensors = load_file(folder / "model.safetensors")
    shape = gpt2.GPT2Shape(**{field: config[field] for field in gpt2.GPT2Shape.__dataclass_fields__})
    body = Body.tiny(shape)
    body.model.load_state_dict(
        {key.removeprefix("transformer."): value for key, value in tensors.items() if key.startswith("transformer.")}
    )
    last = None
    if head == "score" and "score.weight" in tensors:
        last = nn.Linear(shape.n_embd, 1, bias=False)
        last.load_state_dict({"weight": tensors["score.weight"]})
    return body, last


def add_lora(base: nn.Module, kind: str, rank: int) -> None:
    """Freeze a model and put LoRA adapters (peft) into its attention, in place."""
    from peft import LoraConfig, inject_adapter_in_model

    base.requires_grad_(False)
    inject_adapter_in_model(
        LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=_LORA_TARGETS.get(kind), fan_in_fan_out=kind == "gpt2"),
        base,
    )


def plain_tensors(model: nn.Module) -> dict[str, Tensor]:
    """A model's tensors with LoRA adapters merged into the weights they stand beside, under the names of the plain
    model."""
    layers = [module for module in model.modules() if hasattr(module, "lora_A") and hasattr(module, "merge")]
    for layer in layers:
        layer.merge()
    tensors = {
        key.replace(".base_layer.", "."): value.detach().clone()
        for key, value in model.state_dict().items()
        if "lora_" not in key
    }
    for layer in layers:
        layer.unmerge()
    return tensors
