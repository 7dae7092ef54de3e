"""What a cut loop may have caused is asked of a run with whole loops, each rule alone."""

from shapewright.checking import check

TWO_NETWORKS = """
import torch
from torch import nn
torch.manual_seed(0)
maker, critic = nn.Linear(4, 2), nn.Linear(2, 1)
opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
opt_c = torch.optim.Adam({held}.parameters(), lr=1e-3)
for step in range(60):
    for _ in range(4):
        real, fake = torch.randn(16, 2) + 2, maker(torch.randn(16, 4)).detach()
        loss_c = critic(fake).mean() - critic(real).mean() + 0.1 * critic.weight.pow(2).sum()
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    loss_m = -critic(maker(torch.randn(16, 4))).mean()
    opt_m.zero_grad()
    loss_m.backward()
    opt_m.step()
"""


def test_a_finding_stays_where_another_rule_explains_the_whole_run(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(TWO_NETWORKS.format(held="maker"))
    (finding,) = check(str(script), resident=resident, repair=False).findings
    assert (finding.code, finding.site.line) == ("SW302", 7)


def test_two_optimizers_of_their_own_networks_are_sound(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(TWO_NETWORKS.format(held="critic"))
    assert not check(str(script), resident=resident, repair=False).findings
