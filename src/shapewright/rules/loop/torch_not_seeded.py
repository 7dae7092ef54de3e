"""Another library's random numbers are seeded, torch's are not.

## What it finds
`np.random.seed` or `random.seed` in a script that trains, and no `torch.manual_seed` (nor a function that seeds
everything). Advice, no fault.

## Why it hurts
The data repeat and the weights do not: two runs differ, and a difference that looks like an improvement may be the
seed's.

## Example
    np.random.seed(42)

## Instead
    np.random.seed(42)
    torch.manual_seed(42)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.calls import calls, mentions
from ...trace import Trace
from ..facts import Facts

code = "SW390"
slug = "torch-not-seeded"
order = 90
SEEDS = ("np.random.seed", "numpy.random.seed", "random.seed", "np.random.default_rng", "numpy.random.default_rng")


def check(trace: Trace) -> Iterator[Facts]:
    """The first seed of another library, where torch is never seeded."""
    if mentions(trace, "manual_seed", "seed_everything", "set_seed", "seed_all") or not mentions(trace, ".backward("):
        return
    for name, call, site in calls(trace):
        if name in SEEDS and call.args:
            yield Facts(site, fields={"call": name}, severity="remark", cause="torch-not-seeded")
            return


MESSAGES = {
    "en": {
        "message": "{call} is called, torch.manual_seed is not",
        "why": (
            "the data repeat from run to run, the model's weights and dropout do not; torch.manual_seed(…) beside it "
            "settles that"
        ),
    },
    "es": {
        "message": "se llama a {call}, pero no a torch.manual_seed",
        "why": (
            "los datos se repiten de una ejecución a otra, pero no los pesos ni el dropout; basta torch.manual_seed(…) "
            "al lado"
        ),
    },
    "ja": {
        "message": "{call} はありますが torch.manual_seed がありません",
        "why": (
            "データは毎回同じでも、重みの初期値や dropout は実行のたびに変わります。隣に torch.manual_seed(…) "
            "を置けば揃います"
        ),
    },
}
