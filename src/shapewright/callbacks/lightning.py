"""`Trainer(callbacks=[Preflight()])`: Lightning's first training batch is checked before it is trained on."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

from .preflight import preflight


class Preflight(Callback):
    """Checks `training_step` with the first batch; a fault ends the run before any weight has moved. Options as of
    `check_model`."""

    def __init__(self, **options: Any) -> None:
        self.options, self.diagnosis = options, None

    def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
        """Before the first batch."""
        if self.diagnosis is not None or trainer.global_step:
            return
        for name in ("log", "log_dict"):  # a rehearsal leaves nothing in the logs
            setattr(pl_module, name, lambda *_, **__: None)
        try:
            self.diagnosis = preflight(pl_module, _step, batch, **self.options)
        finally:
            for name in ("log", "log_dict"):
                delattr(pl_module, name)


def _step(module: Any, batch: Any) -> Any:
    made = module.training_step(batch, 0)
    return made["loss"] if isinstance(made, dict) else made
