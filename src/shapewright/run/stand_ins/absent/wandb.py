"""Stands for wandb where it is not installed: keeps the configuration, drops what is logged."""

from __future__ import annotations

from typing import Any

from shapewright.run.stand_ins.silence import Silent, silent_getattr


class Config(dict):
    """A dictionary whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__

    def update(self, other: Any = (), allow_val_change: bool = False, **more: Any) -> None:
        """Take over entries, of a namespace too."""
        super().update(vars(other) if hasattr(other, "__dict__") and not isinstance(other, dict) else other, **more)


config = Config()
run: Any = None
_sweeps: list[dict[str, Any]] = []


def init(*args: object, config: object = None, **options: Any) -> Any:
    """Begin a run that goes nowhere."""
    globals()["config"].update(config or {})
    for name, entry in (_sweeps[-1].get("parameters", {}) if _sweeps else {}).items():
        globals()["config"].setdefault(name, entry.get("value", (entry.get("values") or [entry.get("min", 0)])[0]))
    globals()["run"] = Silent("wandb.run")
    run.config = globals()["config"]
    run.name = options.get("name") or "stand-in"
    run.summary = {}
    return run


def sweep(sweep: object = None, *args: object, **options: object) -> str:
    """Remember a sweep."""
    _sweeps.append(sweep if isinstance(sweep, dict) else {})
    return "stand-in"


def agent(sweep_id: object = None, function: Any = None, *args: object, **options: object) -> None:
    """Run the sweep's function once, with the first value of each parameter."""
    if function is not None:
        function()


def log(*args: object, **options: object) -> None:
    """Drop it."""


def login(*args: object, **options: object) -> bool:
    """Nobody to log in to."""
    return True


def watch(*args: object, **options: object) -> list[Any]:
    """Nothing is watched."""
    return []


def finish(*args: object, **options: object) -> None:
    """Nothing to finish."""


__getattr__ = silent_getattr("wandb")
