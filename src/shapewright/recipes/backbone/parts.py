"""A model that no process ever holds whole: built without weights, and filled from its files part by part.

Does not decide who keeps what (`loop/sharding.py` does): once the model is divided, each process reads the rows that it
keeps of each tensor. Where the files name their tensors otherwise than the model does, it is loaded whole, as ever.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from shapewright.recipes.backbone import gpt2
from shapewright.recipes.backbone.body import Body, longest, plain_gpt2, silence_dropout

Sources = dict[str, tuple[Path, str]]
"""For each parameter its file, and the name of its tensor there."""


def empty_body(name: str, size: int) -> tuple[Body, nn.Module | None, Sources] | None:
    """As `load_body` for a reward, but every parameter of the body is on the meta device; and where each is to be read.

    Args:
        size: rows that the embedding must have at least.

    Returns:
        None where the model can only be loaded whole.
    """
    from accelerate import init_empty_weights
    from transformers import AutoConfig, AutoModelForSequenceClassification

    files, config = tensors_of(name), AutoConfig.from_pretrained(name)
    if config.is_encoder_decoder or not hasattr(config, "vocab_size"):
        return None
    config.vocab_size, config.num_labels = max(config.vocab_size, size), 1
    with init_empty_weights(include_buffers=False):
        whole = AutoModelForSequenceClassification.from_config(config, dtype=torch.float32)
        shape = plain_gpt2(config)
        model = whole.base_model if shape is None else gpt2.GPT2(shape)
    if not hasattr(whole, "score"):  # BERT kinds are scored by a head of transformers' own.
        return None
    silence_dropout(whole)
    whole.score = nn.Linear(whole.score.in_features, 1, bias=False)
    sources = {}
    for parameter, _ in model.named_parameters():
        key = next((key for key in (f"{whole.base_model_prefix}.{parameter}", parameter) if key in files), None)
        if key is None:
            return None
        sources[parameter] = files[key], key
    head = None
    if any("SequenceClassification" in str(architecture) for architecture in config.architectures or []):
        head = whole.score
        head.load_state_dict({"weight": rows_of(files["score.weight"], "score.weight", 0, 1)})
    limit, kind, width = longest(whole.base_model, config), config.model_type, whole.score.in_features
    body = Body(model, shape=shape, width=width, limit=limit, kind=kind, whole=None if shape else whole)
    return body, head, sources


def tensors_of(name: str) -> dict[str, Path]:
    """The tensors in the safetensors files of a folder or of a model on the hub, each with its file."""
    from safetensors import safe_open

    folder = Path(name)
    if not folder.is_dir():
        from huggingface_hub import snapshot_download

        folder = Path(snapshot_download(name, allow_patterns=["*.safetensors", "*.json"]))
    found = {}
    for path in sorted(folder.glob("model*.safetensors")):
        with safe_open(path, framework="pt") as file:
            found |= dict.fromkeys(file.keys(), path)
    return found


def rows_of(path: Path, key: str, first: int, end: int) -> Tensor:
    """Some rows of a tensor; nothing else of the file is read. Fewer where the tensor ends before."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        part = file.get_slice(key)
        rows = part.get_shape()[0]
        return part[min(first, rows) : min(end, rows)]


def fill(model: nn.Module, body: Body, sources: Sources, device: torch.device) -> None:
    """Give a model memory and what this process keeps of its weights, divided or not.

    Args:
        model: the module that `sharding.shard` divided; `body` is in it.
        sources: as `empty_body` gave them. Rows that the file does not have (a pad token's embedding) become zero.
    """
    model._apply(lambda tensor: torch.empty_like(tensor, device=device) if tensor.device.type == "meta" else tensor)
    with torch.no_grad():
        for name, parameter in body.model.named_parameters():
            here, first = parameter, 0
            if mesh := getattr(parameter, "device_mesh", None):
                here, first = parameter.to_local(), mesh.get_local_rank() * -(-len(parameter) // mesh.size())
            rows = rows_of(*sources[name], first, first + len(here))
            here[: len(rows)] = rows.to(here)
            here[len(rows) :] = 0.0
