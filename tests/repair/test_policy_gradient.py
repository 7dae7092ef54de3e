"""A loss that is only the reward of what was drawn becomes a policy gradient where the drawing is written out."""

import pytest

import shapewright

SCRIPT = """import torch
from torch import nn
torch.manual_seed(0)
policy, judge = nn.Linear(8, 20), nn.Embedding(20, 1).requires_grad_(False)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(6):
    logits = policy(torch.randn(4, 8))
    {draw}
    reward = judge(answer).squeeze(1).requires_grad_()
    loss = -reward.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    "draw, wanted",
    [
        (
            "answer = torch.multinomial(logits.softmax(-1), 1).squeeze(1)",
            "-(logits.softmax(-1).log().gather(-1, answer.view(-1, 1)).squeeze(-1) * reward.detach()).mean()",
        ),
        (
            "dist = torch.distributions.Categorical(logits=logits)\n    answer = dist.sample()",
            "-(dist.log_prob(answer) * reward.detach()).mean()",
        ),
    ],
)
def test_reward_of_a_drawing_weights_its_log_probability(draw, wanted, tmp_path, resident):
    path = tmp_path / "train.py"
    path.write_text(SCRIPT.replace("{draw}", draw))
    found = shapewright.check(path, resident=resident, repair=False).findings
    assert [finding.code for finding in found] == ["SW302"] and "log-probabilities" in found[0].why
    assert wanted in next(iter(shapewright.fix(path, resident=resident).values()))
