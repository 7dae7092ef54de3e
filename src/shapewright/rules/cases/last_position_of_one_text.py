"""Cases of SW394."""

_MODEL = """
import torch
from torch import nn
torch.manual_seed(0)

def tokenizer(text):
    return torch.tensor([[ord(c) % 50 for c in text]])

embed, head = nn.Embedding(50, 8), nn.Linear(8, 1)
def score(text):
    hidden = torch.tanh(embed(tokenizer(text)))
    return head({read})

print(score("a cat story") - score("the end"))
"""

FAULTY = ((_MODEL.replace("{read}", "hidden[:, -1]"), 12),)

SOUND = (_MODEL.replace("{read}", "hidden.mean(1)"),)
