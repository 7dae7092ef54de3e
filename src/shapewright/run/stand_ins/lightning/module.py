"""What a script derives its module and its data from."""

from __future__ import annotations

import inspect
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from ..context import current
from ..silence import Silent


class Settings(dict[str, Any]):
    """Hyperparameters: entries that are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__


class Hyperparameters:
    """Keeps what its constructor was given."""

    _hparams: Settings | None = None

    @property
    def hparams(self) -> Any:
        """What `save_hyperparameters` kept."""
        if self._hparams is None:
            object.__setattr__(self, "_hparams", Settings())
        return self._hparams

    @hparams.setter
    def hparams(self, value: Any) -> None:
        given = vars(value) if isinstance(value, Namespace) else value
        object.__setattr__(self, "_hparams", Settings(given) if isinstance(given, dict) else value)

    def save_hyperparameters(self, *names: Any, ignore: Any = (), frame: Any = None, logger: bool = True) -> None:
        """Keep the arguments of the constructor that calls this, those of some names, or the entries of a mapping."""
        frame = frame or sys._getframe(1)
        places = inspect.getargvalues(frame)
        given = {name: places.locals[name] for name in places.args[1:]}
        given.update(places.locals.get(places.keywords or "", {}))
        left = {ignore} if isinstance(ignore, str) else set(ignore or ())
        if names and not all(isinstance(name, str) for name in names):
            for part in names:
                entries = vars(part) if hasattr(part, "__dict__") and not isinstance(part, dict) else part
                self.hparams.update(entries)
            return
        self.hparams.update(
            {name: value for name, value in given.items() if name not in left and (not names or name in names)}
        )


class LightningDataModule(Hyperparameters):
    """Loaders and what prepares them; a hook that a script does not define does nothing."""

    trainer: Any = None

    def prepare_data(self) -> None:
        """Nothing to prepare."""

    def setup(self, stage: Any = None) -> None:
        """Nothing to set up."""

    def teardown(self, stage: Any = None) -> None:
        """Nothing to leave."""


class LightningModule(Hyperparameters, torch.nn.Module):
    """A module with its own steps and optimizers."""

    automatic_optimization = True
    example_input_array: Any = None
    trainer: Any = None
    logger: Any = Silent("logger")
    loggers: Any = ()
    use_amp = on_gpu = False
    global_rank = local_rank = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        torch.nn.Module.__init__(self)

    @property
    def device(self) -> Any:
        """Where the parameters lie."""
        return next((parameter.device for parameter in self.parameters()), torch.device("cpu"))

    @property
    def dtype(self) -> Any:
        """Of the parameters."""
        return next((parameter.dtype for parameter in self.parameters()), torch.get_default_dtype())

    @property
    def current_epoch(self) -> int:
        """The trainer's epoch, 0 without one."""
        return self.trainer.current_epoch if self.trainer else 0

    @property
    def global_step(self) -> int:
        """The steps of the optimizers so far."""
        return self.trainer.global_step if self.trainer else 0

    def log(self, name: str, value: Any, *args: object, **options: object) -> None:
        """The trainer remembers the last value of each name."""
        if self.trainer:
            self.trainer.remember(name, value)

    def log_dict(self, dictionary: Any, *args: object, **options: object) -> None:
        """Several values by name."""
        for name, value in dictionary.items():
            self.log(name, value)

    def print(self, *args: object, **options: object) -> None:
        """Nothing is printed."""

    def optimizers(self, use_pl_optimizer: bool = True) -> Any:
        """One optimizer, or all as a list."""
        made = self.trainer.optimizers
        return made[0] if len(made) == 1 else made

    def lr_schedulers(self) -> Any:
        """One scheduler, all as a list, or `None`."""
        made = self.trainer.schedulers
        return (made[0] if len(made) == 1 else made) if made else None

    def manual_backward(self, loss: torch.Tensor, *args: Any, **options: Any) -> None:
        """Backward, where the step does its own optimization."""
        loss.backward(*args, **options)

    def backward(self, loss: torch.Tensor, *args: Any, **options: Any) -> None:
        """Backward of an automatic step."""
        loss.backward()

    def clip_gradients(self, optimizer: Any, gradient_clip_val: Any = None, *_: Any, **__: Any) -> None:
        """Clip what an optimizer holds."""
        if gradient_clip_val:
            held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
            torch.nn.utils.clip_grad_norm_(held, float(gradient_clip_val))

    def toggle_optimizer(self, optimizer: Any, *_: object) -> None:
        """Only the parameters of one optimizer get gradients."""
        held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        self._kept = [(parameter, parameter.requires_grad) for parameter in self.parameters()]
        for parameter, asked in self._kept:
            parameter.requires_grad_(asked and id(parameter) in held)

    def untoggle_optimizer(self, *_: object) -> None:
        """All get gradients again."""
        for parameter, asked in self._kept:
            parameter.requires_grad_(asked)

    @contextmanager
    def toggled_optimizer(self, optimizer: Any, *_: object) -> Iterator[None]:
        """Within it, only the parameters of one optimizer get gradients."""
        self.toggle_optimizer(optimizer)
        yield
        self.untoggle_optimizer()

    def freeze(self) -> None:
        """No parameter learns, and the module evaluates."""
        self.requires_grad_(False)
        self.eval()

    def unfreeze(self) -> None:
        """Every parameter learns."""
        self.requires_grad_(True)
        self.train()

    def all_gather(self, data: Any, *args: object, **options: object) -> Any:
        """One process has all."""
        return data

    def predict_step(self, batch: Any, *_: object) -> Any:
        """The module's own output."""
        return self(batch)

    def configure_optimizers(self) -> Any:
        """None by default."""

    @classmethod
    def load_from_checkpoint(cls, checkpoint_path: Any = "", *args: Any, **options: Any) -> Any:
        """The model of that class that was fitted, or one made anew: no checkpoint was written."""
        context = current()
        fitted = context.fitted.get(cls) if context is not None else None
        if fitted is not None:
            return fitted
        taken = inspect.signature(cls.__init__).parameters
        return cls(**{name: value for name, value in options.items() if name in taken})
