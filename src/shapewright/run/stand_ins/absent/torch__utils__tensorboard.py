"""Stands for `torch.utils.tensorboard` where tensorboard is not installed."""

from shapewright.run.stand_ins.silence import Silent

NEEDS = "tensorboard"


class SummaryWriter(Silent):
    """Drops what is written."""

    def __init__(self, log_dir: object = None, *args: object, **options: object) -> None:
        super().__init__("SummaryWriter")
        self.log_dir = log_dir or "runs"


FileWriter = SummaryWriter
