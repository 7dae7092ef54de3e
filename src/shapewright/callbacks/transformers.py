"""`Trainer(callbacks=[Preflight()])`: the first batch of transformers' Trainer is checked before it is trained on."""

from __future__ import annotations

from typing import Any

from transformers import TrainerCallback

from .preflight import preflight


class Preflight(TrainerCallback):
    """Checks the model's own loss with the first batch; a fault ends the run before any weight has moved. Options as of
    `check_model`."""

    def __init__(self, **options: Any) -> None:
        self.options, self.diagnosis = options, None

    def on_train_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Before the first batch."""
        model, loader = given["model"], given["train_dataloader"]
        batch = {name: part for name, part in next(iter(loader)).items() if hasattr(part, "to")}
        device = next(model.parameters()).device
        batch = {name: part.to(device) for name, part in batch.items()}
        self.diagnosis = preflight(model, _step, batch, **self.options)


def _step(model: Any, batch: Any) -> Any:
    outputs = model(**batch)
    return outputs["loss"] if isinstance(outputs, dict) else outputs[0]
