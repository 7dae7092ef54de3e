"""Calls a module's steps and hooks in the order in which Lightning does: one epoch, and an evaluation after it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ..context import current
from ..silence import Silent

_LATE = frozenset({"ReduceLROnPlateau"})
BATCHES = 2  # before the last one


EVERY = {"check_val_every_n_epoch": 1, "log_every_n_steps": 50, "val_check_interval": 1.0, "limit_train_batches": 1.0}
EVERY |= {"limit_val_batches": 1.0, "limit_test_batches": 1.0, "precision": 32, "fast_dev_run": False, "min_epochs": 1}


class Trainer:
    """One process; `fit`, `validate`, `test` and `predict`. What concerns machines, files and progress is left out."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.options = options
        self.max_epochs, self.max_steps = options.get("max_epochs") or 1000, options.get("max_steps") or -1
        self.callbacks = _listed(options.get("callbacks"))
        self.accumulate_grad_batches = options.get("accumulate_grad_batches") or 1
        self.gradient_clip_val = options.get("gradient_clip_val")
        self.logger, self.checkpoint_callback, self.strategy = (
            Silent("logger"),
            Silent("checkpoint"),
            Silent("strategy"),
        )
        self.loggers: list[Any] = [self.logger]
        self.progress_bar_callback = Silent("progress")
        self.default_root_dir = options.get("default_root_dir") or "."
        self.current_epoch = self.global_step = self.global_rank = self.local_rank = self.node_rank = 0
        self.world_size = self.num_devices = self.num_nodes = 1
        self.is_global_zero, self.sanity_checking, self.should_stop = True, False, False
        self.training = self.validating = self.testing = False
        self.callback_metrics: dict[str, Any] = {}
        self.logged_metrics = self.progress_bar_metrics = self.callback_metrics
        self.optimizers: list[Any] = []
        self.schedulers: list[Any] = []
        self._each: list[Any] = []  # of them: those that go on after every step
        self.model: Any = None
        self.datamodule: Any = None
        self.train_dataloader: Any = None
        self.val_dataloaders: Any = None
        self.test_dataloaders: Any = None

    def __getattr__(self, name: str) -> Any:
        """What it was told to do, or does by itself."""
        if name.startswith("_") or name not in EVERY:
            raise AttributeError(name)
        given = self.__dict__.get("options", {}).get(name)
        return EVERY[name] if given is None else given

    @classmethod
    def from_argparse_args(cls, args: Any, **options: Any) -> Any:
        """With the arguments of a command line."""
        return cls(**{**(vars(args) if not isinstance(args, dict) else args), **options})

    @classmethod
    def add_argparse_args(cls, parent_parser: Any, **_: Any) -> Any:
        """The parser as it was, with what trainers are most often given."""
        known = {action.dest for action in parent_parser._actions}
        for name, default in (("max_epochs", 1), ("gpus", None), ("gradient_clip_val", None), ("precision", 32)):
            if name not in known:
                parent_parser.add_argument(f"--{name}", default=default)
        return parent_parser

    @property
    def lightning_module(self) -> Any:
        """The module that is trained."""
        return self.model

    @property
    def num_training_batches(self) -> int:
        """The batches of an epoch."""
        return len(self.train_dataloader)

    @property
    def num_val_batches(self) -> list[int]:
        """The batches of each evaluation."""
        return [len(loader) for loader in _listed(self.val_dataloaders)]

    @property
    def estimated_stepping_batches(self) -> int:
        """The steps of the whole training, as the arguments state it."""
        if self.max_steps > 0:
            return self.max_steps
        if self.train_dataloader is None:
            self.train_dataloader = self._loader("train_dataloader")
        return max(1, self.num_training_batches // self.accumulate_grad_batches) * self.max_epochs

    def remember(self, name: str, value: Any) -> None:
        """The last value that was logged under a name."""
        with torch._C.DisableTorchFunction():  # a log is no use of it
            kept = value.detach().clone() if isinstance(value, torch.Tensor) else value
            self.callback_metrics[name] = torch.tensor(kept) if isinstance(kept, (int, float)) else kept

    def fit(
        self,
        model: Any,
        train_dataloaders: Any = None,
        val_dataloaders: Any = None,
        datamodule: Any = None,
        train_dataloader: Any = None,
        **_: Any,
    ) -> None:
        """Train an epoch and evaluate."""
        self._attach(model, train_dataloaders if train_dataloaders is not None else train_dataloader, datamodule)
        self._prepare("fit")
        train = train_dataloaders if train_dataloaders is not None else train_dataloader
        train = None if train is self.datamodule else train
        self.train_dataloader = train if train is not None else self._loader("train_dataloader")
        self.val_dataloaders = val_dataloaders if val_dataloaders is not None else self._loader("val_dataloader")
        if (context := current()) is not None:
            context.fitted[type(model)] = model
            context.note("library-loop", loop="Trainer.fit")
            if hasattr(self.train_dataloader, "__len__"):
                context.fits = (max(0, self.max_epochs), self.num_training_batches // self.accumulate_grad_batches)
        self._configured()
        self._hook("on_fit_start")
        self._hook("on_train_start")
        self._epoch()
        self._hook("on_train_end")
        self._hook("on_fit_end")
        _asked(model, "teardown", "fit")

    def _attach(self, model: Any, data: Any, datamodule: Any) -> None:
        self.model = model if model is not None else self.model
        given = datamodule if datamodule is not None else data if hasattr(data, "train_dataloader") else None
        self.datamodule = given if given is not None else self.datamodule
        self.model.trainer = self
        if self.datamodule is not None:
            self.datamodule.trainer = self

    def _prepare(self, stage: str) -> None:
        for owner in (self.datamodule, self.model):
            if owner is not None:
                _asked(owner, "prepare_data")
                _asked(owner, "setup", stage)

    def _loader(self, name: str) -> Any:
        for owner in (self.datamodule, self.model):
            if owner is not None and hasattr(owner, name):
                return getattr(owner, name)()
        return None

    def _configured(self) -> None:
        """The optimizers and schedulers of every form in which a module may give them."""
        given, plans = self.model.configure_optimizers(), []
        if isinstance(given, (list, tuple)) and len(given) == 2 and isinstance(given[0], (list, tuple)):
            self.optimizers, plans = list(given[0]), _listed(given[1])
        else:
            every = [one if isinstance(one, dict) else {"optimizer": one} for one in _listed(given)]
            self.optimizers = [one["optimizer"] for one in every]
            plans = [one["lr_scheduler"] for one in every if one.get("lr_scheduler") is not None]
        told = [one if isinstance(one, dict) else {"scheduler": one} for one in plans]
        self.schedulers = [one["scheduler"] for one in told]
        self._each = [one["scheduler"] for one in told if one.get("interval") == "step"]

    def _hook(self, name: str, *given: Any) -> Any:
        for callback in self.callbacks:
            if not isinstance(callback, Silent) and callable(hook := getattr(callback, name, None)):
                _fitting(hook, self, self.model, *given)
        return _asked(self.model, name, *given)

    def _epoch(self) -> None:
        model = self.model
        model.train()
        self.training = True
        self._hook("on_train_epoch_start")
        kept: list[Any] = []
        for number, batch in enumerate(_batches(self.train_dataloader)):
            self._hook("on_train_batch_start", batch, number)
            made = self._step(batch, number)
            if model.automatic_optimization and (number + 1) % self.accumulate_grad_batches == 0:
                for scheduler in self._each:
                    scheduler.step()
            kept.append(made)
            self._hook("on_train_batch_end", made, batch, number)
            self.global_step += 1
        self.training = False
        self._evaluate(self.val_dataloaders, "validation")
        model.train()
        _asked(model, "training_epoch_end", kept)
        self._hook("on_train_epoch_end")
        if model.automatic_optimization:
            for scheduler in self.schedulers:
                if type(scheduler).__name__ not in _LATE and scheduler not in self._each:
                    scheduler.step()
        self.current_epoch += 1

    def _step(self, batch: Any, number: int) -> Any:
        model, made = self.model, None
        several = "optimizer_idx" in inspect.signature(model.training_step).parameters
        if not model.automatic_optimization:
            return _fitting(model.training_step, batch, number)
        for at, optimizer in enumerate(self.optimizers if several else self.optimizers[:1]):
            if several:
                model.toggle_optimizer(optimizer)
            made = self._optimized(optimizer, at, batch, number, several)
            if several:
                model.untoggle_optimizer()
        return made

    def _optimized(self, optimizer: Any, at: int, batch: Any, number: int, several: bool) -> Any:
        model, found = self.model, []

        def closure() -> Any:
            made = _fitting(model.training_step, batch, number, *([at] if several else []))
            found.append(made)
            loss = made.get("loss") if isinstance(made, dict) else made
            if loss is None:
                return None
            if number % self.accumulate_grad_batches == 0:
                optimizer.zero_grad()
            model.backward(loss / self.accumulate_grad_batches if self.accumulate_grad_batches > 1 else loss)
            self._hook("on_after_backward")
            model.clip_gradients(optimizer, self.gradient_clip_val)
            return loss

        if "optimizer_step" in dir(type(model)):
            given = {"epoch": self.current_epoch, "batch_idx": number, "optimizer": optimizer, "optimizer_idx": at}
            names = list(inspect.signature(model.optimizer_step).parameters)
            called = {name: value for name, value in given.items() if name in names}
            called[next((name for name in names if "closure" in name), "optimizer_closure")] = closure
            model.optimizer_step(**called)
        elif isinstance(optimizer, torch.optim.LBFGS):
            optimizer.step(closure)
        elif closure() is not None and (number + 1) % self.accumulate_grad_batches == 0:
            self._hook("on_before_optimizer_step", optimizer)
            optimizer.step()
        return found[-1] if found else None

    def _evaluate(self, loaders: Any, kind: str) -> list[Any]:
        model = self.model
        step = getattr(model, f"{kind}_step", None)
        if step is None or loaders is None:
            return []
        model.eval()
        setattr(self, "validating" if kind == "validation" else "testing", True)
        kept: list[Any] = []
        with torch.no_grad():
            self._hook(f"on_{kind}_start")
            self._hook(f"on_{kind}_epoch_start")
            every = loaders if isinstance(loaders, (list, tuple)) else [loaders]
            for place, loader in enumerate(every):
                of_loader = []
                for number, batch in enumerate(_few(loader)):
                    self._hook(f"on_{kind}_batch_start", batch, number, place)
                    made = _fitting(step, batch, number, *([place] if len(every) > 1 else []))
                    of_loader.append(made)
                    self._hook(f"on_{kind}_batch_end", made, batch, number, place)
                kept.append(of_loader)
            _asked(model, f"{kind}_epoch_end", kept[0] if len(kept) == 1 else kept)
            self._hook(f"on_{kind}_epoch_end")
            self._hook(f"on_{kind}_end")
        self.validating = self.testing = False
        return kept

    def _judged(self, model: Any, loaders: Any, datamodule: Any, stage: str, kind: str) -> Any:
        self._attach(model, loaders, datamodule)
        self._prepare(stage)
        name = {"validate": "val_dataloader", "test": "test_dataloader", "predict": "predict_dataloader"}[stage]
        found = loaders if loaders is not None and loaders is not self.datamodule else self._loader(name)
        kept = self._evaluate(found, kind)
        return kept if kind == "predict" else [dict(self.callback_metrics)]

    def validate(self, model: Any = None, dataloaders: Any = None, *_: Any, datamodule: Any = None, **__: Any) -> Any:
        """Evaluate on the validation loaders."""
        return self._judged(model, dataloaders, datamodule, "validate", "validation")

    def test(self, model: Any = None, dataloaders: Any = None, *_: Any, datamodule: Any = None, **options: Any) -> Any:
        """Evaluate on the test loaders."""
        loaders = dataloaders if dataloaders is not None else options.get("test_dataloaders")
        return self._judged(model, loaders, datamodule, "test", "test")

    def predict(self, model: Any = None, dataloaders: Any = None, datamodule: Any = None, **_: Any) -> Any:
        """The outputs of each batch."""
        kept = self._judged(model, dataloaders, datamodule, "predict", "predict")
        return kept[0] if len(kept) == 1 else kept

    def tune(self, *args: object, **options: object) -> Any:
        """Nothing is searched for."""
        return {}

    def save_checkpoint(self, *args: object, **options: object) -> None:
        """Nothing is written."""


class LightningCLI:
    """A module and its data made with the defaults of their constructors, and fitted."""

    def __init__(self, model_class: Any = None, datamodule_class: Any = None, *args: Any, **options: Any) -> None:
        self.trainer = Trainer(**(options.get("trainer_defaults") or {}))
        self.model = model_class() if model_class else None
        self.datamodule = datamodule_class() if datamodule_class else None
        if options.get("run", True) and self.model is not None:
            self.trainer.fit(self.model, datamodule=self.datamodule)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _asked(owner: Any, name: str, *given: Any) -> Any:
    hook = getattr(owner, name, None)
    return _fitting(hook, *given) if callable(hook) else None


def _fitting(function: Callable[..., Any], *given: Any) -> Any:
    """Call with as many of the arguments as it takes: the hooks of several releases take fewer."""
    parameters = list(inspect.signature(function).parameters.values())
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return function(*given)
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return function(*given[: len(places)])


def _batches(loaders: Any) -> Iterator[Any]:
    """A few of one loader, or of several beside each other."""
    if isinstance(loaders, dict):
        return (dict(zip(loaders, parts)) for parts in zip(*map(_few, loaders.values())))
    if isinstance(loaders, (list, tuple)):
        return (list(parts) for parts in zip(*map(_few, loaders)))
    return _few(loaders)


def _few(loader: Any) -> Iterator[Any]:
    """The first batches of a loader and its last one; of anything else the first ones."""
    batches = iter(loader)
    for number, batch in enumerate(batches, 1):
        yield batch
        if number == BATCHES:
            if not hasattr(batches, "hurry"):
                return
            batches.hurry(0)
