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
SEEDS = ("np.random.seed", "numpy.random.seed", "random.seed", "np.random.default_rng", "numpy.random.default_rng")


def check(trace: Trace) -> Iterator[Facts]:
    """The first seed of another library, where torch is never seeded."""
    if mentions(trace, "manual_seed", "seed_everything", "set_seed", "seed_all") or not mentions(trace, ".backward("):
        return
    for name, call, site in calls(trace):
        if name in SEEDS and call.args:
            yield Facts(site, fields={"call": name}, severity="remark")
            return


MESSAGES = {
    "en": {
        "message": "{call} is called, but torch.manual_seed is not",
        "why": (
            "{call} does not seed torch: initial weights, dropout and other random numbers of torch differ from run to "
            "run; call torch.manual_seed(…) as well"
        ),
    },
    "es": {
        "message": "se llama a {call}, pero no a torch.manual_seed",
        "why": (
            "{call} no fija la semilla de torch: los pesos iniciales, el dropout y otros números aleatorios de torch "
            "cambian de una ejecución a otra; hay que llamar también a torch.manual_seed(…)"
        ),
    },
    "ja": {
        "message": "{call} はありますが torch.manual_seed がありません",
        "why": (
            "{call} では torch のシードは設定されません。初期の重みや dropout など、torch "
            "の乱数は実行のたびに変わります。torch.manual_seed(…) も呼んでください"
        ),
    },
}
