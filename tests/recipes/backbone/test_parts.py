"""A model built without weights and filled from its files: the same tensors, and nobody read more than its part."""

import json

import pytest
import torch
from torch import nn

from shapewright.recipes.backbone import parts
from shapewright.recipes.backbone.body import load_body

GPT2 = {"n_positions": 32, "n_embd": 16, "n_layer": 2, "n_head": 2}
LLAMA = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 32,
}


@pytest.fixture(params=["gpt2", "llama"])
def folder(request, tmp_path):
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    if request.param == "gpt2":
        model = transformers.GPT2ForSequenceClassification(transformers.GPT2Config(vocab_size=50, num_labels=1, **GPT2))
    else:
        config = transformers.LlamaConfig(vocab_size=50, num_labels=1, **LLAMA)
        model = transformers.LlamaForSequenceClassification(config)
    model.save_pretrained(tmp_path, max_shard_size="4KB")
    return tmp_path


def test_what_is_filled_is_what_is_loaded(folder):
    body, head, sources = parts.empty_body(str(folder), 50)
    assert all(parameter.is_meta for parameter in body.parameters())
    assert not any(buffer.is_meta for buffer in body.buffers())
    parts.fill(body, body, sources, torch.device("cpu"))
    whole, score = load_body(str(folder), "score", size=50)
    same = whole.model.state_dict()
    assert same.keys() == body.model.state_dict().keys()
    assert all(torch.equal(tensor, same[name]) for name, tensor in body.model.state_dict().items())
    assert torch.equal(head.weight, score.weight) and len({path for path, _ in sources.values()}) > 1
    assert (body.limit, body.kind, body.width, body.shape) == (whole.limit, whole.kind, whole.width, whole.shape)


def test_a_token_that_the_file_does_not_know_gets_a_row(folder):
    body, _, sources = parts.empty_body(str(folder), 51)
    parts.fill(body, body, sources, torch.device("cpu"))
    (embedding,) = [m for m in body.model.modules() if isinstance(m, nn.Embedding) and m.num_embeddings == 51]
    assert not embedding.weight[50].any() and embedding.weight[:50].any(1).all()


def test_rows_are_read_alone_and_end_with_the_tensor(folder):
    _, _, sources = parts.empty_body(str(folder), 50)
    name = next(name for name in sources if name.endswith(("wte.weight", "embed_tokens.weight")))
    whole = parts.rows_of(*sources[name], 0, 50)
    halves = [parts.rows_of(*sources[name], first, first + 17) for first in (0, 17, 34, 51)]
    assert [len(half) for half in halves] == [17, 17, 16, 0] and torch.equal(torch.cat(halves), whole)


def test_a_model_whose_files_name_other_tensors_is_loaded_whole(folder):
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    (folder / next(iter(index["weight_map"].values()))).unlink()
    assert parts.empty_body(str(folder), 50) is None
