"""Rules whose own faulty scripts must be repaired, with the text that a careful person's edit leaves."""

import pytest

from shapewright.rules import find_rule

WANTED = {
    "SW210": 'reduction="none") * weight).mean()',
    "SW211": "y = y[order]",
    "SW213": "F.kl_div(s.log_softmax(1), t.softmax(1)",
    "SW214": "torch.cat((h[-2], h[-1]), dim=-1)",
    "SW215": "torch.arange(8)",
    "SW216": "target = (r + 0.9 * net(s2).max(1).values).detach()",
    "SW217": "out.transpose(0, 1).reshape(-1, 4)",
    "SW218": "(per_step * mask).sum() / mask.sum()",
    "SW262": ".squeeze(-1)",
    "SW265": "x.mean(dim=2)",
    "SW320": "        opt.zero_grad()\n        loss.backward()\n        opt.step()\n    print(total)",
    "SW321": "0.2 + neg - pos",
}


@pytest.mark.parametrize("code", WANTED)
def test_faulty_script_of_the_rule_is_repaired(code, repaired):
    assert WANTED[code] in repaired(find_rule(code).module.FAULTY[0][0])
