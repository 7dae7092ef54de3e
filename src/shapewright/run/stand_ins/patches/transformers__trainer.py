"""Hugging Face `Trainer` (TRL's trainers derive from it): one epoch, no checkpoints, evaluation on a few batches.

Its training loop is cut by the DataLoader hooks like any loop of a library; what runs here is only what those cannot
know.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context
from ..one_process import supply

_STREAM_STEPS = 3


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `train`, `evaluate`, `predict` and what writes."""
    supply(module, context)
    kind = module.Trainer
    train, evaluate, predict = kind.train, kind.evaluate, kind.predict

    def short_train(self: Any, *args: Any, **options: Any) -> Any:
        if not context.active:
            return train(self, *args, **options)
        arguments = self.args
        context.note("library-loop", loop=f"{type(self).__name__}.train")
        if hasattr(self.train_dataset, "__len__"):
            arguments.num_train_epochs = 1
            if arguments.max_steps > 0:
                arguments.max_steps = -1
        else:
            arguments.max_steps = min(_STREAM_STEPS, arguments.max_steps) if arguments.max_steps > 0 else _STREAM_STEPS
        for name in ("save_strategy",):
            setattr(arguments, name, type(getattr(arguments, name))("no"))
        options.pop("resume_from_checkpoint", None)
        return train(self, **options)

    def short_evaluate(self: Any, eval_dataset: object = None, *args: Any, **options: Any) -> Any:
        if not context.active:
            return evaluate(self, eval_dataset, *args, **options)
        given = eval_dataset if eval_dataset is not None else self.eval_dataset
        return evaluate(self, _few(given, self.args.eval_batch_size), *args, **options)

    def short_predict(self: Any, test_dataset: object, *args: Any, **options: Any) -> Any:
        if not context.active:
            return predict(self, test_dataset, *args, **options)
        size = len(test_dataset) if hasattr(test_dataset, "__len__") else 0
        few = _few(test_dataset, self.args.eval_batch_size)
        output = predict(self, few, *args, **options)
        if few is test_dataset:
            return output
        return output._replace(predictions=_tiled(output.predictions, size), label_ids=_tiled(output.label_ids, size))

    kind.train, kind.evaluate, kind.predict = short_train, short_evaluate, short_predict
    kind.push_to_hub = lambda self, *args, **options: None
    kind.create_model_card = lambda self, *args, **options: None


def _few(dataset: Any, size: int) -> Any:
    """One batch and the ragged rest of a data set that knows its length."""
    if isinstance(dataset, dict):
        return {name: _few(part, size) for name, part in dataset.items()}
    if not hasattr(dataset, "__len__") or len(dataset) <= 2 * size:
        return dataset
    return _first(dataset, size + len(dataset) % size)


def _first(dataset: Any, count: int) -> Any:
    if hasattr(dataset, "select"):
        return dataset.select(range(count))
    from torch.utils.data import Subset

    return Subset(dataset, range(count))


def _tiled(values: Any, size: int) -> Any:
    """Repeat along the first axis to the length that the script expects."""
    import numpy

    if isinstance(values, tuple):
        return tuple(_tiled(part, size) for part in values)
    return values if values is None else values[numpy.arange(size) % len(values)]
