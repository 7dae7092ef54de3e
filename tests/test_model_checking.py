"""`check_model` in this process: sound and faulty steps, and nothing left changed."""

import pytest
import torch
from torch import nn

import shapewright

SQUARE = nn.functional.mse_loss


class Scorer(nn.Module):
    def __init__(self, squeeze=True):
        super().__init__()
        self.body, self.norm, self.head, self.squeeze = nn.Linear(6, 8), nn.LayerNorm(8), nn.Linear(8, 1), squeeze

    def forward(self, x):
        score = self.head(self.norm(self.body(x)))
        return score.squeeze(-1) if self.squeeze is True else score.squeeze() if self.squeeze else score


def loss_of(model, batch):
    return SQUARE(model(batch["x"]), batch["y"])


def compared(model, batch):
    scores = model(batch["x"])
    labels = torch.ones(scores.size(0))
    return nn.functional.margin_ranking_loss(scores, scores.detach().flip(0), labels)


@pytest.fixture
def batch():
    torch.manual_seed(0)
    return {"x": torch.randn(7, 6), "y": torch.randn(7)}


def test_a_sound_model_gives_nothing_and_is_left_as_it_was(batch):
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 1), nn.Flatten(0))
    model.train()
    before, state = {name: value.clone() for name, value in model.state_dict().items()}, torch.get_rng_state()
    made = shapewright.check_model(model, loss_of, batch, sizes=(2, None))
    assert (made.outcome, made.findings, made.exit_code) == ("complete", (), 0)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items()) and torch.equal(
        torch.get_rng_state(), state
    )
    assert model.training and all(parameter.grad is None for parameter in model.parameters())


def test_scores_that_lose_the_batch_at_one_stop_there(batch):
    made = shapewright.check_model(Scorer(squeeze="all"), compared, batch)
    assert made.outcome == "stopped" and made.findings and made.findings[0].code.startswith("SW1")
    assert shapewright.check_model(Scorer(), compared, batch).findings == ()


def test_a_loss_that_broadcasts_is_found_at_its_line(batch):
    made = shapewright.check_model(Scorer(squeeze=False), loss_of, batch)
    assert [finding.code for finding in made.findings][:1] == ["SW201"]
    assert "loss_of" in made.findings[0].site.function or made.findings[0].excerpt.lines


def test_a_linear_layer_of_another_width_is_named(batch):
    made = shapewright.check_model(Scorer(), lambda model, b: SQUARE(model(b["x"][:, :5]), b["y"]), batch, lang="ja")
    assert made.outcome == "stopped" and made.findings[0].code == "SW102" and made.lang == "ja"
