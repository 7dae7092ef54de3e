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
    (
        """
import torch
from torch.autograd import Variable
counts = torch.tensor([1, 2, 3])
x = Variable(counts, requires_grad=True)
""",
        5,
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
