"""Cases of SW275."""

from . import filled
from .ranks_call_different_collectives import TRAINED

_SCRIPT = (
    TRAINED
    + """\
{save}
dist.destroy_process_group()
"""
)


FAULTY = ((filled(_SCRIPT, save='torch.save(net.module.state_dict(), "model.pt")'), 16),)

SOUND = (
    filled(_SCRIPT, save='if rank == 0: torch.save(net.module.state_dict(), "model.pt")'),
    filled(_SCRIPT, save='torch.save(net.module.state_dict(), f"model{rank}.pt")'),
)
