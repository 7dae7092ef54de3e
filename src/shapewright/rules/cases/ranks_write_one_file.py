"""Cases of SW275."""

from .ranks_call_different_collectives import TRAINED

_SCRIPT = (
    TRAINED
    + """\
{save}
dist.destroy_process_group()
"""
)


def _script(save: str) -> str:
    return _SCRIPT.replace("{save}", save)


FAULTY = ((_script('torch.save(net.module.state_dict(), "model.pt")'), 16),)

SOUND = (
    _script('if rank == 0: torch.save(net.module.state_dict(), "model.pt")'),
    _script('torch.save(net.module.state_dict(), f"model{rank}.pt")'),
)
