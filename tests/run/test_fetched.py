"""Of a very large batch the first samples are followed, and a failure at any of them is known."""

SCRIPT = """
import torch
from torch.utils.data import DataLoader, Dataset
class Windows(Dataset):
    def __len__(self):
        return 400
    def __getitem__(self, index):
        return torch.arange(6 if index < 300 else 7).view(2, 3)
for batch in DataLoader(Windows(), batch_size=400):
    print(batch.shape)
"""


def test_a_failure_past_the_samples_that_are_followed_names_its_call(run):
    trace = run(SCRIPT)
    assert trace.failure is not None and (trace.failure.site.line, trace.failure.event.op) == (8, "view")
    assert trace.failure.event.args[0].shape == (7,)
