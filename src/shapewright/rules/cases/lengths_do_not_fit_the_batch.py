"""Cases of SW120."""

FAULTY = (
    (
        """
import torch
from torch.nn.utils.rnn import pack_padded_sequence
x = torch.randn(3, 6, 4)
lengths = torch.tensor([6, 5, 2])
pack_padded_sequence(x, lengths)
""",
        6,
    ),
    (
        """
import torch
from torch.nn.utils.rnn import pack_padded_sequence
lengths = torch.tensor([4, 6, 2])
pack_padded_sequence(torch.randn(3, 6, 4), lengths, batch_first=True)
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch.nn.utils.rnn import pack_padded_sequence
pack_padded_sequence(torch.randn(3, 6, 4), torch.tensor([4, 6, 2]), batch_first=True, enforce_sorted=False)
pack_padded_sequence(torch.randn(6, 3, 4), torch.tensor([6, 5, 2]))
""",
)
