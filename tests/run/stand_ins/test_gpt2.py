"""GPT-2 by name with nothing cached: true widths, the real tokenizer's habits, no weights."""

from __future__ import annotations

import json

import pytest

SCRIPT = """
import json
import torch
from transformers import AutoTokenizer, GPT2LMHeadModel, GPT2Tokenizer

tokenizer = GPT2Tokenizer.from_pretrained("gpt2")
model = GPT2LMHeadModel.from_pretrained("gpt2")
auto = AutoTokenizer.from_pretrained("openai-community/gpt2")
sentence = "Write a story about a cat. The end."
try:
    tokenizer(["a", "much longer one"], padding=True, return_tensors="pt")
    padding = "padded"
except ValueError as error:
    padding = str(error)
batch = tokenizer(sentence, return_tensors="pt", truncation=True, max_length=128)
outputs = model(**batch, labels=batch["input_ids"])
outputs.loss.backward()
tokenizer.pad_token = tokenizer.eos_token
padded = tokenizer(["a", "much longer one"], padding=True, return_tensors="pt")
print(json.dumps({
    "class": type(tokenizer).__name__, "padding": padding, "round": tokenizer.decode(batch["input_ids"][0]), "size": len(auto),
    "eos": tokenizer.eos_token_id, "tokens": batch["input_ids"].size(1), "max": tokenizer.model_max_length,
    "logits": list(outputs.logits.shape), "mask": padded["attention_mask"].sum(1).tolist(), "same": auto(sentence)["input_ids"] == batch["input_ids"][0].tolist(),
    "positions": list(model.transformer.wpe.weight.shape), "heads": model.config.n_head, "tied": model.lm_head.weight is model.transformer.wte.weight,
    "finite": all(bool(p.isfinite().all()) for p in model.parameters()), "varied": bool(outputs.logits.std() > 0),
    "gradient": all(p.grad is not None and bool(p.grad.any()) for p in model.parameters()), "training": model.training,
}))
"""


@pytest.fixture(scope="module")
def seen(under_stand_ins):
    printed, notes = under_stand_ins(SCRIPT)
    return json.loads(printed.strip().splitlines()[-1]), notes


def test_tokenizer_behaves_as_the_real_one(seen):
    facts, _ = seen
    assert facts["class"].startswith("GPT2Tokenizer")
    assert "does not have a padding token" in facts["padding"]
    assert facts["round"] == "Write a story about a cat. The end."
    assert facts["size"] == 50257 and facts["eos"] == 50256 and facts["max"] == 1024
    assert 8 <= facts["tokens"] <= 14
    assert facts["same"]
    assert facts["mask"][0] < facts["mask"][1]


def test_model_has_the_true_widths_and_trains(seen):
    facts, _ = seen
    assert facts["logits"][-1] == 50257
    assert facts["positions"] == [1024, 768] and facts["heads"] == 12
    assert facts["tied"] and facts["finite"] and facts["varied"] and facts["gradient"]
    assert facts["training"] is False


def test_every_stand_in_is_told_with_its_line(seen):
    _, notes = seen
    kinds = {(kind, line) for kind, _, line in notes}
    assert {("stand-in-tokenizer", 6), ("stand-in-model", 7), ("fewer-layers", 7), ("stand-in-tokenizer", 8)} <= kinds
