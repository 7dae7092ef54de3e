"""Scores that can be trusted: at every batch size, in any company, at either padding side, for every kind of backbone; and after saving."""

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.encoding import EncodedPair, encode_pairs, pack_pairs, pack_rows, unpad
from shapewright.recipes.preference.reward_model import RewardModel, load_reward
from shapewright.recipes.preference.rows import Complaints, Pair
from shapewright.recipes.settings import UsageError

transformers = pytest.importorskip("transformers")
TEXTS = [
    "Write a story about a cat. Once upon a time there was a cat who lived by the sea.",
    "A cat story.",
    "The end. <|endoftext|> And more after it.",
    "x",
]


@pytest.fixture(scope="module")
def codec():
    return Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(100)], 400)


@pytest.fixture(scope="module")
def model(codec):
    torch.manual_seed(0)
    made = RewardModel(Body.tiny(GPT2Shape(vocab_size=codec.size, n_positions=64, n_embd=32, n_layer=2, n_head=4)))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.3)
    return made


def folder_of(kind, path, codec, *, pad=True):
    """A folder as a hub model is: transformers' own configuration and weights, random, with a tokenizer."""
    torch.manual_seed(1)
    ids = {"pad_token_id": codec.pad_id if pad else None, "eos_token_id": codec.eos_id, "bos_token_id": codec.eos_id}
    small = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        "vocab_size": codec.size,
    }
    configs = {
        "gpt2": lambda: transformers.GPT2Config(
            vocab_size=codec.size, n_positions=64, n_embd=32, n_layer=2, n_head=4, **ids
        ),
        "llama": lambda: transformers.LlamaConfig(num_key_value_heads=2, **small, **ids),
        "qwen2": lambda: transformers.Qwen2Config(num_key_value_heads=2, **small, **ids),
        "bert": lambda: transformers.BertConfig(**small, **ids),
        "roberta": lambda: transformers.RobertaConfig(**small, **ids),
        "opt": lambda: transformers.OPTConfig(
            ffn_dim=64,
            word_embed_proj_dim=32,
            dropout=0.5,
            layerdrop=0.5,
            **{key: small[key] for key in small if key != "intermediate_size"},
            **ids,
        ),
    }
    base = transformers.AutoModelForMaskedLM if "bert" in kind else transformers.AutoModelForCausalLM
    base.from_config(configs[kind]()).save_pretrained(path)
    codec.save(path, 64)
    if not pad:
        settings_path = path / "tokenizer_config.json"
        content = json.loads(settings_path.read_text())
        del content["pad_token"]
        settings_path.write_text(json.dumps(content))
    return str(path)


def rows_of(codec, texts=TEXTS):
    return [[*codec.encode(text), codec.eos_id] for text in texts]


def padded(rows, side, pad):
    longest = max(map(len, rows))
    blanks = [[pad] * (longest - len(row)) for row in rows]
    ids = [blank + row if side == "left" else row + blank for row, blank in zip(rows, blanks)]
    keep = [
        [False] * len(blank) + [True] * len(row) if side == "left" else [True] * len(row) + [False] * len(blank)
        for row, blank in zip(rows, blanks)
    ]
    return torch.tensor(ids), torch.tensor(keep)


def test_scores_are_one_number_a_text_at_every_batch_size(model, codec):
    """The batch of one that broke the first script: `[1, 1]` scores, then `.squeeze()` down to no axis at all."""
    for count in (1, 2, 3, 4):
        assert model(pack_rows(rows_of(codec)[:count])).shape == (count,)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.integers(2, 250), min_size=1, max_size=30), min_size=1, max_size=6),
    st.sampled_from(["left", "right"]),
    st.integers(0, 250),
)
def test_the_same_text_scores_the_same_alone_in_company_and_padded(model, rows, side, pad):
    """Any pad id may be used, the eos too, and it may stand inside the texts: ends are never inferred from ids."""
    with torch.no_grad():
        alone = torch.cat([model(pack_rows([row])) for row in rows])
        torch.testing.assert_close(model(pack_rows(rows)), alone, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(model.score_padded(*padded(rows, side, pad)), alone, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(model.score_rows(rows, batch_size=2), alone, atol=1e-5, rtol=1e-5)


def test_pad_equal_to_eos_still_reads_the_eos(model, codec):
    """With "the last token that is not a pad" an appended eos is never read: score(x + eos) would equal score(x)."""
    rows = [codec.encode("A cat."), [*codec.encode("A cat."), codec.eos_id]]
    with torch.no_grad():
        scores = model.score_padded(*padded(rows, "right", codec.eos_id))
    assert abs(scores[0] - scores[1]) > 1e-3
    torch.testing.assert_close(scores, model.score_rows(rows))


def test_an_eos_inside_the_text_does_not_end_it(model, codec):
    whole = codec.encode("The end. <|endoftext|> And more after it.")
    assert codec.eos_id in whole[:-1]
    with torch.no_grad():
        up_to_eos, to_the_end = model(pack_rows([whole[: whole.index(codec.eos_id) + 1], whole]))
    assert abs(up_to_eos - to_the_end) > 1e-3


def test_the_last_column_is_not_the_last_token(model, codec):
    """What `[:, -1]` would have read on a right-padded batch differs, so the test can tell the two apart."""
    ids, keep = padded(rows_of(codec), "right", codec.pad_id)
    with torch.no_grad():
        wrong = model(pack_rows(ids.tolist()))
        right = model.score_padded(ids, keep)
    assert abs(wrong[1] - right[1]) > 1e-3
    torch.testing.assert_close(right, model.score_rows(rows_of(codec)), atol=1e-5, rtol=1e-5)


def test_left_padding_without_positions_would_move_the_scores(model, codec, tmp_path):
    """transformers' own model, left-padded and told no positions, disagrees; ours, and it with positions, do not."""
    model.save(tmp_path, codec)
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    ids, keep = padded(rows_of(codec), "left", codec.pad_id)
    with torch.no_grad():
        ours = model.score_padded(ids, keep)
        told = plain(
            input_ids=ids, attention_mask=keep.long(), position_ids=(keep.cumsum(-1) - 1).clamp_min(0)
        ).logits.squeeze(-1)
        untold = plain(
            input_ids=ids, attention_mask=keep.long(), position_ids=torch.arange(ids.shape[1]).expand_as(ids)
        ).logits.squeeze(-1)
    torch.testing.assert_close(ours, told, atol=1e-5, rtol=1e-5)
    assert (ours - untold).abs().max() > 1e-2


def test_sharing_the_prompt_changes_no_score_and_no_gradient(model, codec):
    pairs = [Pair(row["prompt"], row["chosen"], row["rejected"]) for row in generated.rows(6, seed=5)]
    encoded = encode_pairs(pairs, codec, 64, Complaints())
    gradients = []
    for share in (True, False):
        model.zero_grad()
        scores = model(pack_pairs(encoded, share=share))
        scores.square().sum().backward()
        gradients.append([scores.detach()] + [parameter.grad.clone() for parameter in model.parameters()])
    for one, other in zip(*gradients):
        torch.testing.assert_close(one, other, atol=2e-3, rtol=2e-4)
    assert sum(len(pair.prefix) for pair in encoded) > 20


def test_mean_pooling_reads_real_tokens_only_and_is_noted(model, codec, tmp_path):
    mean = RewardModel(model.body, "mean", model.v_head)
    rows = rows_of(codec)
    with torch.no_grad():
        states = [model.body(pack_rows([row]).all_wanted()) for row in rows]
        expected = torch.cat([model.v_head(state.mean(0)) for state in states])
        torch.testing.assert_close(mean(pack_rows(rows)), expected, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(mean.score_padded(*padded(rows, "left", 3)), expected, atol=1e-5, rtol=1e-5)
        pair = EncodedPair(tuple(rows[0][:5]), (7, 8), (9,), (2, 1))
        torch.testing.assert_close(
            mean(pack_pairs([pair])), mean(pack_pairs([pair], share=False)), atol=1e-5, rtol=1e-5
        )
        mean.save(tmp_path, codec)
        again, _ = load_reward(str(tmp_path), trained=True)
        torch.testing.assert_close(again(pack_rows(rows)), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["gpt2", "llama", "qwen2", "bert", "roberta"])
def test_any_backbone_is_batch_invariant_and_loads_in_plain_transformers(kind, codec, tmp_path):
    loaded, its_codec = load_reward(folder_of(kind, tmp_path / "base", codec))
    loaded.eval()
    rows = rows_of(its_codec)
    with torch.no_grad():
        alone = torch.cat([loaded(pack_rows([row])) for row in rows])
        torch.testing.assert_close(loaded(pack_rows(rows)), alone, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(
            loaded.score_padded(*padded(rows, "left", its_codec.pad_id)), alone, atol=1e-5, rtol=1e-5
        )
    loaded.save(tmp_path / "saved", its_codec)
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "saved").eval()
    ids, keep = padded(rows, "right", its_codec.pad_id)
    with torch.no_grad():
        found = plain(input_ids=ids, attention_mask=keep.long()).logits.squeeze(-1)
    torch.testing.assert_close(found, alone, atol=1e-5, rtol=1e-5)
    again, _ = load_reward(str(tmp_path / "saved"))
    again.eval()
    with torch.no_grad():
        torch.testing.assert_close(again(pack_rows(rows)), alone, atol=1e-5, rtol=1e-5)


def test_a_missing_pad_token_is_added_and_the_embedding_grows(codec, tmp_path):
    """GPT-2 has no pad token. With eos in its place plain transformers would look past the eos; so a new one is appended."""
    loaded, its_codec = load_reward(folder_of("gpt2", tmp_path / "base", codec, pad=False))
    assert its_codec.added_pad or its_codec.pad_id != its_codec.eos_id
    assert loaded.body.model.wte.num_embeddings >= its_codec.size
    loaded.save(tmp_path / "saved", its_codec)
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "saved").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "saved")
    assert tokenizer.pad_token_id == plain.config.pad_token_id != tokenizer.eos_token_id
    batch = tokenizer([text + tokenizer.eos_token for text in TEXTS[:2]], padding=True, return_tensors="pt")
    with torch.no_grad():
        found = plain(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits.squeeze(-1)
    torch.testing.assert_close(found, loaded.score_texts(TEXTS[:2], its_codec), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_lora_trains_adapters_only_and_saves_a_merged_plain_model(kind, codec, tmp_path):
    pytest.importorskip("peft")
    adapted, its_codec = load_reward(folder_of(kind, tmp_path / "base", codec), lora=4)
    trained = [name for name, parameter in adapted.named_parameters() if parameter.requires_grad]
    assert trained and all("lora_" in name or name.startswith("v_head") for name in trained)
    rows = rows_of(its_codec)
    optimizer = torch.optim.SGD([parameter for parameter in adapted.parameters() if parameter.requires_grad], lr=0.5)
    before = adapted(pack_rows(rows)).detach()
    for _ in range(3):
        optimizer.zero_grad()
        adapted(pack_rows(rows)).sum().backward()
        optimizer.step()
    after = adapted(pack_rows(rows)).detach()
    assert (after - before).abs().max() > 1e-3
    adapted.save(tmp_path / "saved", its_codec)
    torch.testing.assert_close(adapted(pack_rows(rows)).detach(), after, atol=1e-6, rtol=1e-6)
    assert not any(
        getattr(module, "merged", False) for module in adapted.modules()
    )  # Merged for saving only: training can go on.
    plain, _ = load_reward(str(tmp_path / "saved"))
    with torch.no_grad():
        torch.testing.assert_close(plain(pack_rows(rows)), after, atol=1e-4, rtol=1e-4)


def test_no_dropout_is_left_wherever_a_family_keeps_its_rate(codec, tmp_path):
    """OPT calls the function with a number of its own, and leaves whole layers out."""
    loaded, its_codec = load_reward(folder_of("opt", tmp_path, codec))
    loaded.train()
    rows = pack_rows(rows_of(its_codec))
    assert torch.equal(loaded(rows), loaded(rows))


def test_positions_that_begin_behind_the_pad_shorten_the_limit(codec, tmp_path):
    loaded, its_codec = load_reward(folder_of("roberta", tmp_path, codec))
    assert loaded.body.limit == 64 - its_codec.pad_id - 1
    assert loaded(pack_rows([[5] * loaded.body.limit])).shape == (1,)


@pytest.mark.parametrize(
    "spoil, reason",
    [
        (lambda path: (path / "config.json").unlink(), "no config.json"),
        (lambda path: (path / "model.safetensors").unlink(), "model.safetensors"),
        (
            lambda path: (path / "model.safetensors").write_bytes((path / "model.safetensors").read_bytes()[:5000]),
            "header|metadata",
        ),
        (lambda path: [file.unlink() for file in path.glob("token*")], "vocabulary files are missing"),
        (lambda path: (path / "tokenizer.json").write_text("{"), "cannot be loaded"),
        (lambda path: (path / "config.json").write_text('{"model_type": "t5"}'), "encoder with a decoder"),
        (lambda path: pickled(path), "unpickling runs code"),
        (lambda path: None, "no score head"),
    ],
)
def test_what_is_no_reward_model_is_refused_in_a_sentence(spoil, reason, codec, tmp_path):
    folder = folder_of("gpt2", tmp_path, codec)
    spoil(tmp_path)
    with pytest.raises(UsageError, match=reason) as caught:
        load_reward(folder, trained=True)
    assert "\n" not in str(caught.value)


def pickled(path):
    """A whole model in place of weights, as `torch.save(model)` writes it."""
    whole = transformers.AutoModelForCausalLM.from_pretrained(path)
    (path / "model.safetensors").unlink()
    torch.save(whole, path / "pytorch_model.bin")


def test_what_reads_both_ways_takes_no_pooling_of_ours(codec, tmp_path):
    with pytest.raises(UsageError, match="transformers' own pooling"):
        load_reward(folder_of("bert", tmp_path, codec), pooling="mean")


def test_tied_weights_are_stored_once(model, codec, tmp_path):
    from safetensors import safe_open

    model.save(tmp_path, codec)
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        names = list(file.keys())
    assert "score.weight" in names and "transformer.wte.weight" in names and "lm_head.weight" not in names


def test_head_starts_as_summarize_from_feedback_has_it():
    torch.manual_seed(0)
    head = RewardModel(Body.tiny(GPT2Shape(vocab_size=8, n_positions=8, n_embd=4096, n_layer=1, n_head=4))).v_head
    assert head.bias is None
    assert abs(head.weight.std().item() * (4096 + 1) ** 0.5 - 1) < 0.05


def test_a_row_beyond_the_models_positions_is_refused(model):
    with pytest.raises(ValueError, match="positions for 64"):
        model(pack_rows([[3] * 65]))


@pytest.mark.parametrize(
    "ids, keep, reason",
    [
        (torch.ones(1, 3).long(), torch.tensor([[1, 0, 1]]), "between real"),
        (torch.ones(1, 2).long(), torch.zeros(1, 2), "no real"),
        (torch.ones(2).long(), torch.ones(2), r"\(batch, time\)"),
    ],
)
def test_masks_that_say_nothing_are_refused(ids, keep, reason):
    with pytest.raises(ValueError, match=reason):
        unpad(ids, keep)


def test_every_fast_variant_gives_the_same_scores():
    """Padded transformers, packed, packed with shared prompts: from one freshly initialised model, equal to 5e-7."""
    torch.manual_seed(0)
    made = RewardModel(Body.tiny(GPT2Shape(vocab_size=200, n_positions=128, n_embd=64, n_layer=3, n_head=4)))
    reference = transformers.GPT2Model(
        transformers.GPT2Config(**made.body.shape.config(bos_token_id=0, eos_token_id=0))
    ).eval()
    reference.load_state_dict(made.body.model.state_dict())
    generator = torch.Generator().manual_seed(1)

    def row(length):
        return tuple(torch.randint(2, 200, (length,), generator=generator).tolist())

    pairs = [
        EncodedPair(row(20 + 3 * number), row(60 - 4 * number), row(5 + 2 * number), (1, 1)) for number in range(8)
    ]
    rows = [list(pair.prefix + tail) for pair in pairs for tail in (pair.chosen, pair.rejected)]
    ids, keep = padded(rows, "right", 0)
    with torch.no_grad():
        states = reference(ids, attention_mask=keep.long()).last_hidden_state[torch.arange(len(rows)), keep.sum(1) - 1]
        plain = made.v_head(states).squeeze(-1)
        for variant in (
            made(pack_pairs(pairs)),
            made(pack_pairs(pairs, share=False)),
            made.score_rows(rows),
            made.score_padded(ids, keep),
        ):
            torch.testing.assert_close(variant, plain, atol=5e-7, rtol=1e-6)


def test_eos_is_read_in_training_and_in_scoring_alike(model, codec):
    """Trained with eos and judged without it, scores would differ (trl#5813); both ways through here give the same one."""
    pair = encode_pairs([Pair("Q: tell me", " a story", " nothing")], codec, 64, Complaints())[0]
    with torch.no_grad():
        trained = model(pack_pairs([pair]))
        torch.testing.assert_close(
            model.score_texts(["Q: tell me a story", "Q: tell me nothing"], codec), trained, atol=1e-5, rtol=1e-5
        )
        without = model(pack_rows([codec.encode("Q: tell me a story")]))
    assert abs(without[0] - trained[0]) > 1e-3
