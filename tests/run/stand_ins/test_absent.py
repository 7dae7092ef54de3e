"""Libraries that are not installed: einops patterns, a logger, an environment; a library that is not known stays missing."""

from __future__ import annotations

import json

SCRIPT = """
import json
import torch
facts = {}
import gymnasium as gym
import wandb
from einops import EinopsError, rearrange, reduce, repeat
from einops.layers.torch import Rearrange

x = torch.arange(2 * 3 * 8 * 8).reshape(2, 3, 8, 8)
patches = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)
expected = x.reshape(2, 3, 2, 4, 2, 4).permute(0, 2, 4, 3, 5, 1).reshape(2, 4, 48)
facts["patches"] = bool((patches == expected).all()) and list(patches.shape)
facts["module"] = bool((Rearrange("b ... -> b (...)")(x) == x.flatten(1)).all())
facts["mean"] = bool((reduce(x.float(), "b c h w -> b c", "mean") == x.float().mean((2, 3))).all())
facts["repeat"] = list(repeat(torch.zeros(1, 1, 5), "1 n d -> b n d", b=7).shape)
try:
    rearrange(x, "b c (h p) w -> b c h p w", p=3)
except EinopsError as error:
    facts["error"] = str(error).splitlines()[-1].strip()
run = wandb.init(project="p", config={"lr": 0.5})
wandb.log({"loss": 1.0})
facts["lr"] = wandb.config.lr * 2
env = gym.make("CartPole-v1")
seen, _ = env.reset(seed=0)
facts["seen"], facts["answers"], facts["actions"] = list(seen.shape), len(env.step(env.action_space.sample())), int(env.action_space.n)
try:
    import surely_not_installed
except ModuleNotFoundError as error:
    facts["missing"] = str(error)
print(json.dumps(facts))
"""


def test_stand_ins_of_missing_libraries(under_stand_ins):
    printed, _ = under_stand_ins(SCRIPT)
    facts = json.loads(printed.strip().splitlines()[-1])
    assert facts["patches"] == [2, 4, 48] and facts["module"] and facts["mean"] and facts["repeat"] == [7, 1, 5]
    assert facts["error"] == "Shape mismatch, can't divide axis of length 8 in chunks of 3"
    assert facts["lr"] == 1.0
    assert facts["seen"] == [4] and facts["answers"] == 5 and facts["actions"] == 2
    assert facts["missing"] == "No module named 'surely_not_installed'"
