"""The card of a finished model, its way to the hub, and trackers: through a hub and a service put in their places; without being asked nothing is sent."""

import sys
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest

from shapewright.recipes.loop import publish, tracker
from shapewright.recipes.loop.board import Board
from shapewright.recipes.reward import Args
from shapewright.recipes.settings import UsageError


class Hub:
    """Stands for `HfApi`; keeps what it was asked."""

    asked: list = []

    def create_repo(self, name, **how):
        self.asked.append(("create", name, how))
        return f"https://hub/{name}"

    def upload_folder(self, **how):
        self.asked.append(("upload", how["repo_id"], how))


class Closed(Hub):
    def create_repo(self, name, **how):
        raise OSError("no way there\nmore")


@pytest.fixture
def card(tmp_path):
    args = Args(data="pairs.jsonl", lr=1e-5, board=False, shard=True, log_dir=str(tmp_path))
    about = {
        "kind": "AutoModelForSequenceClassification",
        "data": "pairs",
        "base": "own/gpt",
        "figures": {"test_accuracy": 0.61},
    }
    publish.write_card(tmp_path, "reward", args, **about, remarks=["Mind this."])
    return (tmp_path / "README.md").read_text()


def test_a_card_has_head_figures_and_command(card):
    loaded = huggingface_hub.ModelCard(card)
    assert loaded.data.base_model == "own/gpt" and "reward" in loaded.data.tags
    assert "| test accuracy | 0.61 |" in card and "Mind this." in card
    assert "shapewright train reward --no-board --data pairs.jsonl --lr 1e-05 --shard\n" in card


def test_the_hub_gets_the_model_and_nothing_of_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr(huggingface_hub, "HfApi", Hub)
    monkeypatch.setattr(Hub, "asked", [])
    assert publish.push(tmp_path, "me/judge") == "https://hub/me/judge"
    (made, name, how), (sent, _, what) = Hub.asked
    assert (made, name, how["private"], sent) == ("create", "me/judge", True, "upload")
    names = ["README.md", "model.safetensors", "tokenizer.json", "last.safetensors", "best.safetensors", "state.json"]
    kept = [name for name in names if any(Path(name).match(pattern) for pattern in what["allow_patterns"])]
    assert kept == names[:3]


def test_a_refusal_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(huggingface_hub, "HfApi", Closed)
    with pytest.raises(UsageError, match="did not take .* as me/judge: no way there; the model is whole"):
        publish.push(tmp_path, "me/judge")


def test_scalars_reach_a_tracker_that_was_asked_for(tmp_path, monkeypatch):
    seen = []
    service = SimpleNamespace(
        init=lambda **how: seen.append(how), log=lambda values, step: seen.append((values, step)), finish=lambda: None
    )
    monkeypatch.setitem(sys.modules, "trackio", service)
    assert tracker.begun(Args(), "reward") is None and not seen
    begun = tracker.begun(Args(tracker="trackio", log_dir=str(tmp_path / "seven")), "reward")
    board = Board(tmp_path, enabled=False, tracker=begun)
    board.scalars({"train/loss": 0.5}, 3)
    board.close()
    assert seen[0]["project"] == "shapewright-reward" and seen[0]["name"] == "seven"
    assert seen[1] == ({"train/loss": 0.5}, 3)


def test_a_tracker_that_is_not_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(UsageError, match="needs wandb, which is not installed"):
        tracker.begun(Args(tracker="wandb", log_dir=str(tmp_path)), "reward")
