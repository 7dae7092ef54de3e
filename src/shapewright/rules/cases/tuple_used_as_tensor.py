"""Cases of SW139."""

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
)

SOUND = (
    """
import torch
x = torch.randn(4, 3, 5)
values, places = x.max(dim=2)
torch.cat([x.max(dim=2).values, values], dim=1)
""",
)
