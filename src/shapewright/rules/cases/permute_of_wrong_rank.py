"""Cases of SW109."""

FAULTY = (
    (
        """
import torch
import numpy as np
picture = np.zeros((12, 10), dtype=np.float32)
image = torch.from_numpy(picture)
x = image.permute(2, 0, 1)
""",
        6,
    ),
    (
        """
import torch
x = torch.randn(2, 5, 6)
x.permute(0, 2, 2)
""",
        4,
    ),
)

SOUND = (
    """
import torch
torch.randn(2, 3, 5).permute(2, 0, 1).permute((0, -1, 1))
""",
)
