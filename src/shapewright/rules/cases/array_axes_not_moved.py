"""Cases of SW266."""

_SCRIPT = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
rng = np.random.default_rng(0)
X = rng.random((12, 10, 3)).astype("float32")
X = {X}
net = nn.Sequential(nn.Conv1d(3, 4, 3), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(4, 2))
loss = nn.functional.cross_entropy(net(torch.from_numpy(X)), torch.randint(0, 2, (12,)))
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{X}", "X.reshape(X.shape[0], X.shape[2], X.shape[1])"), 8),
    (_SCRIPT.replace("{X}", "np.reshape(X, (-1, 3, 10))"), 8),
)

SOUND = (
    _SCRIPT.replace("{X}", "X.transpose(0, 2, 1).copy()"),
    _SCRIPT.replace("{X}", "X.reshape(12, -1).reshape(12, 10, 3).swapaxes(1, 2)"),
    _SCRIPT.replace("{X}", "X.reshape(-1, 3).reshape(12, 10, 3).transpose(0, 2, 1)"),
    _SCRIPT.replace("{X}", "rng.random(360).reshape(12, 3, 10).astype('float32')"),
    """
import numpy as np
pairs = np.arange(6).reshape(2, 3)
print(pairs.reshape(3, 2), pairs.T)
""",
)
