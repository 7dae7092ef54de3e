"""Cases of SW110."""

FAULTY = (
    (
        """
import torch
pad_mask = torch.zeros(4, 7, dtype=torch.bool)
mask = pad_mask.unsqueeze(1).expand(4, 2, 7, 7)
""",
        4,
    ),
    (
        """
import torch
query = torch.randn(5, 16)
query.expand(3, 9, 16)
""",
        4,
    ),
    (
        """
import torch
torch.randn(2, 3, 4).repeat(1, 2)
""",
        3,
    ),
)

SOUND = (
    """
import torch
torch.zeros(4, 7)[:, None, None, :].expand(4, 2, 7, 7)
torch.zeros(3).expand(2, -1), torch.zeros(3).repeat(2, 2)
""",
)
