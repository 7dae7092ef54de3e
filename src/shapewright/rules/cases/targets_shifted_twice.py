"""Cases of SW261."""

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
)

SOUND = (
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
