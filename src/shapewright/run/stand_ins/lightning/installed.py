"""Lightning's `Trainer`: one epoch, few validation batches, CPU, no loggers, no checkpoints on disk. Under both of its
names."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ..context import Context, current

_FIXED: dict[str, Any] = {
    "accelerator": "cpu",
    "devices": 1,
    "num_nodes": 1,
    "strategy": "auto",
    "enable_progress_bar": False,
    "enable_model_summary": False,
    "profiler": None,
    "benchmark": None,
    "min_epochs": None,
    "max_epochs": 1,
    "min_steps": None,
    "max_time": None,
    "plugins": None,
}
_PRECISIONS = {
    "16": "32-true",
    "16-mixed": "32-true",
    "16-true": "32-true",
    "bf16": "bf16-mixed",
    "transformer-engine": "32-true",
}
_BATCHES = 3


def patch_trainer(module: ModuleType, context: Context) -> None:
    """Wrap `Trainer.__init__`, `fit`, `test`, `validate`, `predict` of the trainer's module."""
    kind = module.Trainer
    make = kind.__init__
    names = list(inspect.signature(make).parameters)[1:]
    root = module.__name__.rsplit(".trainer.", 1)[0]

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        options.update(zip(names, args))
        self._shapewright_epochs = options.get("max_epochs") or 0
        options.update({name: value for name, value in _FIXED.items() if name in names})
        options.pop("fast_dev_run", None)
        options["precision"] = _PRECISIONS.get(str(options.get("precision")), options.get("precision"))
        options["logger"] = _silent_logger(root) if options.get("logger") is not False else False
        options["callbacks"] = [*_listed(options.get("callbacks")), _shortener(root)]
        for name in ("limit_train_batches", "limit_val_batches", "limit_test_batches"):
            given = options.get(name)
            options[name] = given if given is not None and given in (0, 0.0) else _BATCHES
        make(
            self,
            **{name: value for name, value in options.items() if value is not None or name in ("precision", "logger")},
        )
        context.note("library-loop", loop="Trainer.fit")

    kind.__init__ = __init__
    for name in ("fit", "test", "validate", "predict"):
        setattr(kind, name, _without_checkpoint(getattr(kind, name), name, context))
    kind.save_checkpoint = lambda self, *args, **options: None


class Ends:
    """The first two batches of a batch sampler and its last, ragged one."""

    def __init__(self, sampler: Any) -> None:
        self.sampler = sampler

    def __iter__(self) -> Iterator[Any]:
        last = None
        for number, batch in enumerate(self.sampler):
            if number < _BATCHES - 1:
                yield batch
            else:
                last = batch
        if last is not None:
            yield last

    def __len__(self) -> int:
        return min(len(self.sampler), _BATCHES)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["sampler"], name)


def _listed(callbacks: object) -> list[Any]:
    if callbacks is None:
        return []
    return list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]


def _shortener(root: str) -> Any:
    """A callback that shortens the training loaders before they are iterated."""
    base = importlib.import_module(f"{root}.callbacks.callback").Callback

    def on_train_start(self: Any, trainer: Any, model: object) -> None:
        loaders, context = _loaders(trainer.train_dataloader), current()
        if context is not None and len(loaders) == 1 and hasattr(loaders[0], "__len__"):
            steps = len(loaders[0]) // max(1, trainer.accumulate_grad_batches)
            context.fits = (max(0, trainer._shapewright_epochs), steps)
        for loader in loaders:
            if getattr(loader, "batch_sampler", None) is not None and not isinstance(loader.batch_sampler, Ends):
                object.__setattr__(loader, "batch_sampler", Ends(loader.batch_sampler))

    return type("Shortener", (base,), {"on_train_start": on_train_start})()


def _loaders(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [loader for part in value for loader in _loaders(part)]
    return [value]


def _without_checkpoint(method: Any, name: str, context: Context) -> Any:
    def call(self: Any, model: Any = None, *args: Any, **options: Any) -> Any:
        if options.pop("ckpt_path", None) is not None and model is None:
            model = getattr(self, "_shapewright_model", None)
        if model is not None:
            self._shapewright_model = model
            context.fitted[type(model)] = model
        elif name != "fit":
            model = getattr(self, "_shapewright_model", None)
        return method(self, model, *args, **options)

    return call


def _silent_logger(root: str) -> Any:
    """Lightning's own logger that drops everything."""
    return importlib.import_module(f"{root}.loggers.logger").DummyLogger()


def patch_module(module: ModuleType, context: Context) -> None:
    """`load_from_checkpoint` of a checkpoint that was never written answers with the model that was fitted."""
    kind = module.LightningModule
    load = kind.load_from_checkpoint

    def load_from_checkpoint(cls: Any, checkpoint_path: Any = "", *args: Any, **options: Any) -> Any:
        if not checkpoint_path or not os.path.exists(str(checkpoint_path)):
            fitted = context.fitted.get(cls)
            if fitted is not None:
                return fitted
        return (
            load.__func__(cls, checkpoint_path, *args, **options)
            if hasattr(load, "__func__")
            else load(checkpoint_path, *args, **options)
        )

    kind.load_from_checkpoint = classmethod(load_from_checkpoint)
