"""Cases of SW128."""

FAULTY = (
    (
        """
import torch
a, b = torch.randn(2, 3, 4), torch.randn(2, 5, 6)
torch.einsum("bij,bjk->bik", a, b)
""",
        4,
    ),
    (
        """
import torch
queries = torch.randn(3, 7, 8)
torch.einsum("bhqd,bhkd->bhqk", queries, queries)
""",
        4,
    ),
)

SOUND = (
    """
import torch
a = torch.randn(2, 3, 4)
torch.einsum("bij,bkj->bik", a, a), torch.einsum("...ij->...ji", a), torch.einsum("bij,j", a, torch.randn(4))
""",
)
