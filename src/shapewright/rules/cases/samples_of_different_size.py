"""Cases of SW129."""

FAULTY = (
    (
        """
import torch
from torch.utils.data import DataLoader, Dataset
class Sentences(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, i):
        return torch.randint(0, 9, (3 + i % 4,)), i % 2
loader = DataLoader(Sentences(), batch_size=4)
for words, label in loader:
    print(words.shape)
""",
        10,
    ),
    (
        """
from torch.utils.data import DataLoader
rows = [[1, 2, 3], [4, 5], [6]]
for batch in DataLoader(rows, batch_size=3):
    print(batch)
""",
        4,
    ),
)

SOUND = (
    """
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
rows = [torch.arange(n) for n in (3, 5, 2)]
for batch in DataLoader(rows, batch_size=3, collate_fn=lambda rows: pad_sequence(rows, batch_first=True)):
    print(batch.shape)
""",
)
