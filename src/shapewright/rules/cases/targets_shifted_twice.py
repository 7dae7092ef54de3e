"""Cases of SW261."""

from .later_tokens_seen import _OWN, _WHOLE

_AGAIN = "logits[:, :-1].reshape(-1, V), wanted[:, 1:].reshape(-1)"

FAULTY = (
    (
        """
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=30, n_positions=16, n_embd=8, n_layer=1, n_head=2))
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, 30, (4, 13))
    out = model(input_ids=text[:, :-1], labels=text[:, 1:])
    opt.zero_grad()
    out.loss.backward()
    opt.step()
""",
        10,
    ),
    (_OWN.format(ahead=0, pair=_AGAIN), 20),
)

SOUND = (
    _OWN.format(ahead=0, pair=_WHOLE),
    _OWN.format(ahead=0, pair=_AGAIN).replace("by in (0, 1)", "by in (0, 0)"),
    """
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=30, n_positions=16, n_embd=8, n_layer=1, n_head=2))
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, 30, (4, 13))
    out = model(input_ids=text, labels=text)
    opt.zero_grad()
    out.loss.backward()
    opt.step()
""",
)
