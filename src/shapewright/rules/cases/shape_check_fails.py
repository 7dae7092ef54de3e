"""Cases of SW143."""

FAULTY = (
    (
        """
import torch
class Patches(torch.nn.Module):
    def forward(self, x):
        assert x.shape[-1] == 32, "pictures must be 32 wide"
        return x
Patches()(torch.randn(2, 3, 28, 28))
""",
        5,
    ),
    (
        """
import torch
from torch.utils.data import TensorDataset
x, y = torch.randn(20, 3), torch.zeros(19)
data = TensorDataset(x, y)
""",
        5,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(2, 3)
assert x.shape == (2, 3)
""",
)
