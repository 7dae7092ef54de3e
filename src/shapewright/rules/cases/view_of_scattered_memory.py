"""Cases of SW107."""

FAULTY = (
    (
        """
import torch
heads = torch.randn(2, 4, 5, 8)
out = heads.transpose(1, 2)
out = out.view(2, 5, 32)
""",
        5,
    ),
    (
        """
import torch
frames = torch.randn(3, 6, 6, 2).permute(0, 3, 1, 2)
flat = frames.view(frames.size(0), -1)
""",
        4,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(2, 4, 5, 8).transpose(1, 2)
x.contiguous().view(2, 5, 32), x.reshape(2, 5, 32), x.view(2, 5, 4, 8)
""",
)
