"""torch itself: no compilation, one process, no downloads."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..checkpoints import absent
from ..context import Context
from ..launcher import one_process
from ..offered import of_the_machine
from ..variables import variables


def patch(module: ModuleType, context: Context) -> None:
    """Replace `torch.compile`, `torch.hub.load*` and what needs other processes."""

    def compile(model: object = None, **options: object) -> Any:
        if model is None:
            return lambda function: function
        if isinstance(model, module.nn.Module):
            object.__setattr__(model, "_orig_mod", model)
        return model

    module.compile = compile
    module.nn.Module.compile = lambda self, *args, **options: None
    _hub(module, context)
    variables(context)
    of_the_machine(context)
    one_process(context)


def _hub(module: ModuleType, context: Context) -> None:
    load = getattr(
        module.hub.load, "__wrapped__", module.hub.load
    )  # torch's own, also in a process that has made a run before

    def load_model(repository: object, model: str, *args: Any, **options: Any) -> Any:
        if options.get("source") == "local":
            return load(repository, model, *args, **options)
        for unused in ("source", "trust_repo", "force_reload", "verbose", "skip_validation"):
            options.pop(unused, None)
        if str(repository).split(":")[0] == "pytorch/vision":
            import torchvision

            context.note("stand-in-model", name=model, width="torchvision")
            return getattr(torchvision.models, model)(*args, **options)
        raise OSError(f"torch.hub: {repository} is not on this machine, and a check downloads nothing")

    def load_state(url: str, *args: object, **options: object) -> Any:
        return absent(url, context)

    load_model.__wrapped__ = load  # type: ignore[attr-defined]
    module.hub.load = load_model
    module.hub.load_state_dict_from_url = load_state  # what `torch.utils.model_zoo` hands on too
