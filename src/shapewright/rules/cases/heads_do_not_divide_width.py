"""Cases of SW121."""

FAULTY = (
    (
        """
from torch import nn
WIDTH = 50
def build(heads=6):
    return nn.TransformerEncoderLayer(d_model=WIDTH, nhead=heads)
build()
""",
        5,
    ),
    (
        """
from torch import nn
class Config:
    channels = 20
    groups = 8
norm = nn.GroupNorm(Config.groups, Config.channels)
""",
        6,
    ),
    (
        """
from torch import nn
nn.Conv2d(6, 16, 3, groups=4)
""",
        3,
    ),
)

SOUND = (
    """
from torch import nn
nn.MultiheadAttention(48, 6), nn.GroupNorm(4, 20), nn.Conv2d(8, 16, 3, groups=4)
""",
)
