"""Writing a model as a folder that plain transformers reads: config.json, model.safetensors, tokenizer files.

Weights tied to the embedding are written once: safetensors refuses shared memory, and a second copy could drift.
"""

import json
from pathlib import Path
from typing import Any

from torch import Tensor

from shapewright.recipes.backbone.body import Body, plain_tensors
from shapewright.recipes.backbone.codec import Codec

_ARCHITECTURES = {"score": "GPT2ForSequenceClassification", "lm": "GPT2LMHeadModel"}


def save_folder(
    folder: Path, body: Body, codec: Codec, head: str, extra_tensors: dict[str, Tensor], notes: dict[str, Any]
) -> None:
    """Write body, head and tokenizer.

    Args:
        folder: made where it is absent; files of the same names are replaced.
        head: `"score"` or `"lm"`, as in `load_body`.
        extra_tensors: the head's tensors under transformers' names (`score.weight`); none for a tied head.
        notes: what transformers need not know (pooling, mean and standard deviation of the rewards), kept in
        config.json under `shapewright`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if body.shape is None:
        tensors = plain_tensors(body.whole)
        body.whole.config.pad_token_id = codec.pad_id
        body.whole.save_pretrained(folder, state_dict=tensors)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(
            json.dumps(config | {"shapewright": notes}, indent=1) + "\n", encoding="utf-8"
        )
    else:
        from safetensors.torch import save_file

        ids = {"eos_token_id": codec.eos_id, "bos_token_id": codec.eos_id, "pad_token_id": codec.pad_id}
        more = {"num_labels": 1, "id2label": {"0": "reward"}, "label2id": {"reward": 0}} if head == "score" else {}
        config = body.shape.config(
            architectures=[_ARCHITECTURES[head]], dtype="float32", shapewright=notes, **ids, **more
        )
        (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        tensors = {f"transformer.{key}": value.contiguous().cpu() for key, value in plain_tensors(body.model).items()}
        tensors |= {key: value.detach().contiguous().cpu() for key, value in extra_tensors.items()}
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    codec.save(folder, body.limit)


def read_notes(name: str) -> dict[str, Any]:
    """What `save_folder` noted beside a model; empty for a model that was not written by it."""
    path = Path(name) / "config.json"
    return json.loads(path.read_text(encoding="utf-8")).get("shapewright") or {} if path.is_file() else {}
