"""Cases of SW199."""

FAULTY = (
    (
        """
import torch
a = torch.randn(3, 4)
torch.linalg.cholesky(a)
""",
        4,
    ),
)

SOUND = (
    """
import torch
torch.linalg.cholesky(torch.eye(3))
""",
    """
try:
    open("there-is-no-such-file")
except OSError:
    pass
""",
)
