"""Rules whose own faulty scripts must be repaired, with the text that a careful person's edit leaves."""

import pytest

from shapewright.rules import find_rule

WANTED = {
    "SW210": 'reduction="none") * weight).mean()',
    "SW224": "y = y[order]",
    "SW213": "F.kl_div(s.log_softmax(1), t.softmax(1)",
    "SW214": "torch.cat((h[-2], h[-1]), dim=-1)",
    "SW215": "torch.arange(8)",
    "SW216": "target = (r + 0.9 * net(s2).max(1).values).detach()",
    "SW217": "out.transpose(0, 1).reshape(-1, 4)",
    "SW218": "(per_step * mask).sum() / mask.sum()",
    "SW235": "nn.CosineEmbeddingLoss()(u, v, 2 * same - 1)",
    "SW237": "WeightedRandomSampler(share[y], 20)",
    "SW238": "batch_size=8, shuffle=True)",
    "SW239": "row = self.rows[i].copy()",
    "SW243": "val_set.dataset = copy.copy(val_set.dataset)\nval_set.dataset.transform = None",
    "SW262": ".squeeze(-1)",
    "SW265": "x.mean(dim=2)",
    "SW290": "-torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()",
    "SW291": "loss = (-log_prob * reward).mean()",
    "SW292": "loss = loss - 0.01 * dist.entropy().mean()",
    "SW293": "kl = -0.5 * torch.sum(1 + log_var",
    "SW294": "std = torch.exp(0.5 * log_var)",
    "SW295": "loss = -dist.log_prob(y).mean()",
    "SW296": "score = 1 - (2 * hit + 1) / (p.sum(1) + t.sum(1) + 1)",
    "SW298": "labels = ids.clone()",
    "SW324": "    loss.backward()\n    nn.utils.clip_grad_norm_(model.parameters(), 0.1)\n    opt.step()",
    "SW325": "kept = copy.deepcopy(model.state_dict())",
    "SW326": "target = copy.deepcopy(policy)",
    "SW327": "    opt.zero_grad()\n",
    "SW328": "        opt.step()\n        opt.zero_grad()\n",
    "SW330": "100 * total / len(loader.dataset))",
    "SW331": "for x, y in val_loader:",
    "SW332": "        opt.step()\n    plan.step()\n",
    "SW333": "model[0].requires_grad_(False)",
    "SW334": "    model = nn.Linear(3, 1)\n    opt = torch.optim.SGD(model.parameters(), lr=0.1)\n    pass\n",
    "SW335": "[nn.Linear(5, 5) for _ in range(3)]",
    "SW336": 'name.removeprefix("module.")',
    "SW337": 'best_loss = float("inf")',
    "SW338": 'mode="max"',
    "SW320": "        opt.zero_grad()\n        loss.backward()\n        opt.step()\n    print(total)",
    "SW321": "0.2 + neg - pos",
}
CASES = {"SW324": 2}  # which of the rule's faulty scripts, where it is not the first


@pytest.mark.parametrize("code", WANTED)
def test_faulty_script_of_the_rule_is_repaired(code, repaired):
    assert WANTED[code] in repaired(find_rule(code).faulty[CASES.get(code, 0)][0])
