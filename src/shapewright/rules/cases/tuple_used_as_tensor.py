"""Cases of SW139."""

_TARGET = """
import torch
torch.manual_seed(0)
q = torch.nn.Linear(4, 3)(torch.randn(8, 4)).detach()
done, reward = torch.zeros(8), torch.randn(8)
{}
print((reward + (1 - done) * best).mean())
"""
FAULTY = (
    (
        """
import torch
x = torch.randn(4, 3, 5)
parts = [x.max(dim=2), x.max(dim=2)]
torch.cat(parts, dim=1)
""",
        5,
    ),
    (_TARGET.replace("{}", "best = q.max(dim=1)"), 7),
    (_TARGET.replace("{}", "best = 0.9 * q.max(1)"), 6),
)

SOUND = (
    _TARGET.replace("{}", "best = q.max(dim=1).values"),
    """
import torch
x = torch.randn(4, 3, 5)
values, places = x.max(dim=2)
torch.cat([x.max(dim=2).values, values], dim=1)
""",
)
