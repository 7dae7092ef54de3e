"""The recipe `rlhf` end to end: every method runs, stops when it strays, resumes exactly, and its folder is plain transformers'."""

import json

import pytest
import torch

from shapewright.recipes import rlhf
from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.packed import pack
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.loop.run import Diverged
from shapewright.recipes.policy import clipped_steps, pair_training
from shapewright.recipes.policy.language_model import LanguageModel, load_policy
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.reward_model import RewardModel
from shapewright.recipes.settings import UsageError

from .ranks import SMALL, ended

QUICK = {
    "board": False,
    "progress": False,
    "device": "cpu",
    "preflight": False,
    "warm_up": 3,
    "updates": 3,
    "evaluate_every": 2,
}
QUICK |= {
    "batch_size": 4,
    "max_new": 6,
    "held_out": 4,
    "answers": 2,
    "inner_epochs": 2,
    "save_every": 1,
    "kl_stop": 1e6,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A reward model that likes some texts more than others, for no reason: these tests are about the recipe."""
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("reward")
    codec = Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(60)], 320)
    RewardModel(Body.tiny(SMALL)).save(path, codec)
    (path / "pairs.jsonl").write_text("\n".join(json.dumps(row) for row in generated.rows(60)))
    return path


@pytest.fixture(autouse=True)
def smaller(monkeypatch):
    monkeypatch.setattr(rlhf, "TINY", SMALL)


def run(folder, log_dir, **settings):
    return rlhf.train(
        hparams={**QUICK, "reward_model": str(folder), "data": str(folder / "pairs.jsonl"), **settings}, log_dir=log_dir
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "ppo"},
        {"method": "ppo", "critic": "head", "minibatches": 2},
        {"method": "rloo"},
        {"method": "grpo"},
        {"method": "dpo", "batch_size": 8},
    ],
)
def test_every_method_runs_and_its_policy_loads_in_plain_transformers(folder, tmp_path, settings):
    transformers = pytest.importorskip("transformers")
    metrics = run(folder, tmp_path, **settings)
    assert 0 <= metrics["win_rate"] <= 1 and metrics["low"] <= metrics["win_rate"] <= metrics["high"]
    assert "before" in (tmp_path / "report.md").read_text()
    policy, codec = load_policy(str(tmp_path))
    plain = transformers.AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    row = codec.encode("\n\nHuman: Tell me something about a fox.\n\nAssistant:")
    with torch.no_grad():
        torch.testing.assert_close(
            policy(pack([((), (row,))]).all_wanted()), plain(torch.tensor([row])).logits[0], atol=1e-5, rtol=1e-5
        )
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert tokenizer("a fox")["input_ids"] == codec.encode("a fox")
    start, _ = load_policy(str(tmp_path / "start"))
    assert any(not torch.equal(one, other) for one, other in zip(policy.parameters(), start.parameters()))


def test_a_pretrained_policy_of_another_family_and_tokenizer_is_improved_too(folder, tmp_path):
    """A Llama with its own tokenizer: sampled with left padding and positions, scored through text, adapted by LoRA."""
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("peft")
    torch.manual_seed(0)
    codec = Codec.train([row["prompt"] + row["rejected"] for row in generated.rows(60)], 300)
    sizes = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
    }
    config = transformers.LlamaConfig(
        vocab_size=codec.size, max_position_embeddings=96, eos_token_id=codec.eos_id, pad_token_id=codec.pad_id, **sizes
    )
    transformers.LlamaForCausalLM(config).save_pretrained(tmp_path / "llama")
    codec.save(tmp_path / "llama", 96)
    metrics = run(folder, tmp_path / "run", policy=str(tmp_path / "llama"), lora=2, updates=2)
    assert metrics["step"] == 2
    saved = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "run")
    assert not any("lora" in name for name in saved.state_dict())


def test_the_best_policy_is_what_is_kept(folder, tmp_path):
    run(folder, tmp_path / "near", updates=4, evaluate_every=1)
    best, _ = checkpoint.read(tmp_path / "near" / "best.safetensors")
    saved, _ = load_policy(str(tmp_path / "near"))
    kept = {key.removeprefix("policy."): value for key, value in best.items() if key.startswith("policy.")}
    assert kept and all(torch.equal(value, kept[key]) for key, value in saved.state_dict().items())
    history = checkpoint.read_state(tmp_path / "near" / "last.safetensors")["state"]["history"]
    assert (
        max(row["test_score"] for row in history)
        == checkpoint.read_state(tmp_path / "near" / "best.safetensors")["metrics"]["test_score"]
    )


def test_where_no_evaluation_is_near_the_last_policy_is_kept_not_a_former_runs_best(
    folder, tmp_path, capsys, monkeypatch
):
    figures = rlhf.before_after.figures
    monkeypatch.setattr(rlhf.before_after, "figures", lambda *answers: figures(*answers) | {"test_kl": 13.0})
    (tmp_path / "best.safetensors").write_bytes(b"of the run that this one overwrites")
    run(folder, tmp_path, updates=1, overwrite=True, resume=False)  # 13 nats are beyond twice kl_target
    last, _ = checkpoint.read(tmp_path / "last.safetensors")
    saved, _ = load_policy(str(tmp_path))
    assert "the last policy is kept" in capsys.readouterr().err
    assert all(torch.equal(value, last[f"module.actor.policy.{key}"]) for key, value in saved.state_dict().items())


def test_dpos_beta_is_the_price_of_kl(folder, tmp_path, monkeypatch):
    original, betas = pair_training.pair_loss, set()
    monkeypatch.setattr(
        pair_training,
        "pair_loss",
        lambda model, reference, pairs, beta: betas.add(beta) or original(model, reference, pairs, beta),
    )
    run(folder, tmp_path, method="dpo", batch_size=8, kl_coefficient=0.5)
    assert betas == {0.5}


def test_the_same_run_twice_is_the_same_run(folder, tmp_path):
    assert run(folder, tmp_path / "one") == run(folder, tmp_path / "two")


@pytest.mark.parametrize("method", ["ppo", "dpo"])
def test_cut_off_and_resumed_it_ends_as_if_nothing_had_happened(folder, tmp_path, monkeypatch, method):
    settings = {"method": method} | ({"batch_size": 8} if method == "dpo" else {"updates": 4})
    whole = run(folder, tmp_path / "whole", **settings)
    place = pair_training if method == "dpo" else clipped_steps
    original, calls = place.update, []

    def power_cut(*arguments, **options):
        calls.append(1)
        if len(calls) == (3 if method == "dpo" else 6):  # Within the third step: two checkpoints stand.
            raise OSError("power cut")
        return original(*arguments, **options)

    monkeypatch.setattr(place, "update", power_cut)
    with pytest.raises(OSError, match="power cut"):
        run(folder, tmp_path / "cut", **settings)
    monkeypatch.setattr(place, "update", original)
    assert run(folder, tmp_path / "cut", **settings) == whole
    one, other = (checkpoint.read(tmp_path / name / "last.safetensors")[0] for name in ("whole", "cut"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_an_exploding_kl_stops_with_the_last_good_checkpoint(folder, tmp_path):
    with pytest.raises(Diverged, match="left its start: .* last good checkpoint is .*last.safetensors"):
        run(folder, tmp_path, lr=0.1, clip=0.0, kl_stop=1.0, updates=20)
    tensors, saved = checkpoint.read(tmp_path / "last.safetensors")
    assert saved["state"]["step"] >= 1 and all(torch.isfinite(tensor.float()).all() for tensor in tensors.values())


def test_weights_that_are_no_longer_numbers_stop_it(folder, tmp_path):
    with pytest.raises(Diverged, match="nan|inf"):
        run(folder, tmp_path, lr=1e30, clip=0.0, updates=20, kl_stop=float("inf"))


@pytest.mark.parametrize(
    "settings, reason",
    [
        ({"temperature": 0.0}, "temperature"),
        ({"method": "rloo", "answers": 1}, "at least 2"),
        ({"max_new": 96}, "no room"),
        ({"prompts": "absent.jsonl"}, "no file"),
        ({"min_new": 7}, "min_new"),
        ({"minibatches": 5}, "minibatches"),
        ({"lora": 2}, "LoRA"),
        ({"reward_model": "runs/absent"}, "shapewright train reward"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(folder, tmp_path, settings, reason):
    with pytest.raises(UsageError, match=reason):
        run(folder, tmp_path, **settings)


def test_a_policy_is_no_reward_model_and_what_reads_both_ways_is_no_policy(folder, tmp_path):
    transformers = pytest.importorskip("transformers")
    codec = Codec.load(str(folder))
    torch.manual_seed(0)
    LanguageModel(Body.tiny(SMALL)).save(tmp_path / "policy", codec)
    with pytest.raises(UsageError, match="no score head"):
        run(folder, tmp_path / "run", reward_model=str(tmp_path / "policy"))
    sizes = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 1,
        "vocab_size": codec.size,
    }
    transformers.BertForMaskedLM(transformers.BertConfig(**sizes)).save_pretrained(tmp_path / "bert")
    codec.save(tmp_path / "bert", 96)
    with pytest.raises(UsageError, match="cannot write an answer"):
        run(folder, tmp_path / "run", policy=str(tmp_path / "bert"))


def test_prompts_come_from_a_file_and_bad_ones_are_told(folder, tmp_path, capsys):
    path = tmp_path / "prompts.jsonl"
    rows = [
        '{"prompt": "Tell me of a cat."}',
        '"Tell me of a dog."',
        "{broken",
        '{"prompt": ""}',
        '{"prompt": [{"role": "user", "content": "An owl?"}]}',
    ]
    path.write_text(
        "\n".join(rows + [json.dumps({"prompt": f"Number {number} of " + "many " * number}) for number in range(40)])
    )
    run(folder, tmp_path / "run", prompts=str(path), updates=1)
    told = capsys.readouterr().out
    assert "(line 3)" in told and "(line 4)" in told and "beginning of the prompt cut" in told


def test_tensorboard_has_the_curves(folder, tmp_path):
    event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    run(folder, tmp_path, board=True, min_new=6)
    accumulator = event_accumulator.EventAccumulator(str(tmp_path))
    accumulator.Reload()
    tags = accumulator.Tags()
    wanted = {
        "score",
        "kl",
        "entropy",
        "clip_fraction",
        "value_clip_fraction",
        "explained_variance",
        "approx_kl",
        "policy_loss",
        "value_loss",
        "length",
        "ended",
    }
    assert {f"train/{tag}" for tag in wanted} <= set(tags["scalars"])
    assert len(accumulator.Scalars("train/kl")) == 3
    assert {event.value for event in accumulator.Scalars("train/ended")} == {
        0.0
    }  # No eos is allowed before the sixth token, the last.
    assert {event.value for event in accumulator.Scalars("train/length")} == {6.0}
    assert accumulator.Scalars("train/first_distance")[0].value < 1e-5
    assert "rewards/after" in tags["histograms"] and any(tag.startswith("answers") for tag in tags["tensors"])


def test_two_processes_give_the_policy_of_one_with_twice_the_batch(folder, tmp_path):
    settings = [
        "--reward-model",
        str(folder),
        "--data",
        str(folder / "pairs.jsonl"),
        "--warm-up",
        "3",
        "--updates",
        "2",
    ]
    settings += ["--max-new", "6", "--held-out", "4", "--inner-epochs", "2", "--kl-stop", "1e6", "--batch-size"]
    ended(tmp_path / "one", 1, "rlhf", *settings, "8")
    ended(tmp_path / "two", 2, "rlhf", *settings, "4")
    one, other = (checkpoint.read(tmp_path / name / "last.safetensors")[0] for name in ("one", "two"))
    for name in one:
        if name.startswith("module."):
            torch.testing.assert_close(one[name], other[name], atol=2e-4, rtol=2e-3)
