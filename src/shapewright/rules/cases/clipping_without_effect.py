"""Cases of SW324."""

from . import filled

CLIP, BACKWARD, STEP = "nn.utils.clip_grad_norm_(model.parameters(), 0.1)", "loss.backward()", "opt.step()"

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    {lines}
"""


def _script(*lines: str) -> str:
    return _SCRIPT.replace("{lines}", "\n    ".join(lines))


_TWO = """
import torch
from torch import nn
torch.manual_seed(0)
maker, judge = nn.Linear(4, 6), nn.Linear(6, 1)
one = torch.optim.RMSprop(maker.parameters(), lr=0.01)
two = torch.optim.RMSprop(judge.parameters(), lr=0.01)
for step in range(4):
    two.zero_grad()
    fake = maker(torch.randn(9, 4))
    (judge(fake).mean() - judge(torch.randn(9, 6)).mean()).backward()
    {clip}
    two.step()
    {clamp}
    one.zero_grad()
    (-judge(maker(torch.randn(9, 4))).mean()).backward()
    one.step()
"""


_CLAMP = "for p in {}.parameters(): p.data.clamp_(-0.01, 0.01)"
_NORM = "nn.utils.clip_grad_norm_({}.parameters(), 1.0)"

_SCALED = (
    _SCRIPT.replace(
        "for step in range(6)", 'scaler = torch.amp.GradScaler("cpu", init_scale=256.0)\nfor step in range(6)'
    )
    .replace("{lines}", "scaler.scale(loss).backward()\n    {lines}\n    scaler.step(opt)\n    scaler.update()")
    .replace("((model(x)", "((model(x).float()")
)

FAULTY = (
    (filled(_TWO, clip=_NORM.format("maker"), clamp="pass"), 12),
    (filled(_TWO, clip="pass", clamp=_CLAMP.format("maker")), 14),
    (_script(CLIP, BACKWARD, STEP), 11),
    (_script(BACKWARD, STEP, CLIP), 13),
    (
        _script(BACKWARD, CLIP, STEP)
        .replace("opt = torch", "held = model.parameters()\nopt = torch")
        .replace("SGD(model.parameters()", "SGD(held")
        .replace(CLIP, "nn.utils.clip_grad_norm_(held, 0.1)"),
        13,
    ),
    (_SCALED.replace("{lines}", CLIP), 13),
)

SOUND = (
    _SCALED.replace("{lines}", "scaler.unscale_(opt)\n    " + CLIP),
    filled(_TWO, clip=_NORM.format("judge"), clamp=_CLAMP.format("judge")),
    filled(
        _TWO,
        clip=_NORM.format("judge") + "; " + _NORM.format("maker"),
        clamp=_CLAMP.format("nn.ModuleList([maker, judge])"),
    ),
    _script(BACKWARD, CLIP, STEP),
    _script(
        "if step % 2:",
        "    loss.backward()",
        "    torch.nn.utils.clip_grad_value_(model.parameters(), 0.5)",
        "    opt.step()",
    ),
    """
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
torch.manual_seed(0)
body, head = nn.Linear(3, 4).requires_grad_(False), nn.Linear(4, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)

def update(loss):
    loss.backward()
    clip_grad_norm_(body.parameters(), 1.0)  # frozen for now
    clip_grad_norm_(head.parameters(), 1.0)
    opt.step()
    opt.zero_grad()

for step in range(4):
    x = torch.randn(8, 3)
    update((head(body(x)) - x.sum(1, keepdim=True)).pow(2).mean())
""",
)
