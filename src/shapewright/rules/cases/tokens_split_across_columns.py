"""Cases of SW230."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
tokens = torch.tensor([(3 * i + i // 7) % 30 for i in range(241)])
data = {data}
words, rnn, out = nn.Embedding(30, 8), nn.LSTM(8, 12), nn.Linear(12, 30)
for i in range(0, data.size(0) - 5, 4):
    x, y = data[i:i + 4], data[i + 1:i + 5]
    logits = out(rnn(words(x))[0])
    nn.functional.cross_entropy(logits.reshape(-1, 30), y.reshape(-1)).backward()
"""

FAULTY = (
    (_SCRIPT.replace("{data}", "tokens[:240].view(-1, 10)"), 6),
    (_SCRIPT.replace("{data}", "tokens.narrow(0, 0, 240).reshape(24, 10).contiguous()"), 6),
)

SOUND = (
    _SCRIPT.replace("{data}", "tokens[:240].view(10, -1).t().contiguous()"),
    _SCRIPT.replace("{data}", "tokens[:240].view(10, -1).t().reshape(-1).view(24, 10)"),
    _SCRIPT.replace("{data}", "tokens[:240].view(-1, 10)").replace(
        "nn.LSTM(8, 12)", "nn.LSTM(8, 12, batch_first=True)"
    ),
)
