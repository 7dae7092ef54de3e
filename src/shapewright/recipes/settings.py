"""The settings that every recipe shares, and how a call from Python overrides them.

A recipe's `Args` inherits `CommonArgs` and adds its own fields, each with a docstring: that text is the command's
`--help`. Does not parse the command line: `command.py` does.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

FREE = frozenset(
    {
        "log_dir",
        "resume",
        "overwrite",
        "preflight",
        "board",
        "tracker",
        "push_to",
        "epochs",
        "steps",
        "updates",
        "patience",
        "device",
        "save_every",
        "progress",
        "plot",
    }
)
"""Fields that may differ when a run is resumed; a change of any other one would silently make it another experiment."""


class UsageError(ValueError):
    """What the person asked for cannot be done; the text is one clear sentence for them (exit code 2)."""


@dataclass(frozen=True)
class Bound:
    """What a number may be, written beside a setting's type: from `low` (or `above` it) to `high`; never NaN, and
    infinite only where `high` is."""

    low: float
    high: float = sys.float_info.max
    above: bool = False

    def __str__(self) -> str:
        if self.high not in (sys.float_info.max, math.inf):
            return (
                f"{'above' if self.above else 'from'} {self.low:g} {'and at most' if self.above else 'to'} "
                f"{self.high:g}"
            )
        return f"{'above' if self.above else 'at least'} {self.low:g}"

    def allows(self, value: float) -> bool:
        return (self.low < value if self.above else self.low <= value) and value <= self.high


Count = Annotated[int, Bound(1)]
Natural = Annotated[int, Bound(0)]
Amount = Annotated[float, Bound(0)]
Positive = Annotated[float, Bound(0, above=True)]
Endless = Annotated[float, Bound(0, math.inf)]
Share = Annotated[float, Bound(0, 1)]


@dataclass
class CommonArgs:
    """Settings that all recipes share."""

    log_dir: str = ""
    """Folder of this run: event files, checkpoints, results. Empty: runs/NAME."""
    seed: Annotated[int, Bound(-(2**31), 2**32 - 1)] = 0
    """Seed of weights, sample order and dropout."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """Device to train on. auto uses an accelerator if there is one."""
    precision: Literal["auto", "no", "fp16", "bf16"] = "auto"
    """Mixed precision. auto uses bf16 on a GPU that supports it, and on a CPU with bf16 units if the recipe consists of
    matrix products; otherwise none."""
    accumulate: Count = 1
    """Micro-batches per optimizer step; every sample has the same weight, also in a smaller last step."""
    save_every: Natural = 100
    """Optimizer steps between two checkpoints within an epoch; 0 saves at the end of each epoch only."""
    patience: Natural = 0
    """Stop after this many evaluations without improvement; 0 never stops early."""
    resume: bool = True
    """Continue the run in log_dir from its last checkpoint. --no-resume starts from the beginning."""
    overwrite: bool = False
    """With --no-resume: overwrite a run that already has results."""
    preflight: bool = True
    """Check the model before the first step, with batch size 1, a smaller batch and the full batch."""
    board: bool = True
    """Write TensorBoard event files into log_dir."""
    tracker: Literal["none", "trackio", "wandb"] = "none"
    """Also send scalars to this service, if its package is installed."""
    progress: bool = True
    """Show the progress bar."""


A = TypeVar("A", bound=CommonArgs)


def resolve(
    kind: type[A],
    args: A | None = None,
    *,
    name: str,
    hparams: Mapping[str, Any] | None = None,
    log_dir: str | Path | None = None,
) -> A:
    """The settings of a call: the defaults of `kind`, or `args`, with `hparams` and `log_dir` put over them.

    Raises `UsageError` for a name in `hparams` that is no field, a value of another type than the field's or none of
    its words, a number out of its bounds, or a `log_dir` that cannot be a folder.
    """
    result = dataclasses.replace(args) if args is not None else kind()
    result = overridden(result, hparams or {}, name=name)
    if log_dir is not None:
        result.log_dir = str(log_dir)
    if not result.log_dir:
        result.log_dir = str(Path("runs") / name)
    there = next((path for path in (Path(result.log_dir), *Path(result.log_dir).parents) if path.exists()), Path("."))
    if not there.is_dir():
        raise UsageError(f"log_dir {result.log_dir} cannot be a folder: {there} is a file")
    _guard_finished(result)
    for key, hint in typing.get_type_hints(kind, include_extras=True).items():
        value = getattr(result, key)
        if typing.get_origin(hint) is Literal and value not in typing.get_args(hint):
            raise UsageError(f"{key} is one of {', '.join(map(repr, typing.get_args(hint)))}, not {value!r}")
        for bound in getattr(hint, "__metadata__", ()):
            if isinstance(bound, Bound) and value is not None and not bound.allows(value):
                raise UsageError(f"{key} must be {bound}{' and finite' * (value == math.inf)}, not {value}")
    return result


def overridden(args: A, values: Mapping[str, Any], *, name: str) -> A:
    """A copy of the settings with `values` put over them.

    Raises `UsageError` for a name that is no setting, or a value of another type than the setting's.
    """
    result = dataclasses.replace(args)
    fields = {field.name for field in dataclasses.fields(args)}
    for key, value in values.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(sorted(fields))}"
            raise UsageError(f"the recipe {name} has no setting {key!r}{hint}")
        setattr(result, key, _fitting(key, value, getattr(result, key)))
    return result


def _guard_finished(args: CommonArgs) -> None:
    """`UsageError` where `--no-resume` would overwrite a run that has evaluations to lose."""
    noted = Path(args.log_dir) / "state.json"
    if args.resume or args.overwrite or not noted.is_file():
        return
    saved = json.loads(noted.read_text(encoding="utf-8"))
    if "state" not in saved or saved["state"].get("history"):
        raise UsageError(
            f"{args.log_dir} holds a run of {saved.get('recipe', 'another program')!r} with results: choose another "
            f"--log-dir, or add --overwrite to lose it"
        )


def as_toml(args: CommonArgs) -> str:
    """The settings as a file that `--config` reads back."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain(args).items() if value is not None)


def _fitting(key: str, value: Any, current: Any) -> Any:
    """The value, an int widened where the field holds a float; `UsageError` where the types cannot agree."""
    if (
        current is None
        or value is None
        or (isinstance(value, type(current)) and not (isinstance(value, bool) ^ isinstance(current, bool)))
    ):
        return value
    if isinstance(current, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(current, tuple) and isinstance(value, list):
        return tuple(value)
    if isinstance(current, str) and isinstance(value, Path):
        return str(value)
    raise UsageError(f"the setting {key!r} takes {type(current).__name__}, not {type(value).__name__} ({value!r})")


def differing(old: Mapping[str, Any], new: CommonArgs) -> dict[str, tuple[Any, Any]]:
    """The settings, other than the free ones, that differ between a saved run and this call: name -> (saved, asked)."""
    asked = _plain(dataclasses.asdict(new))
    return {key: (old[key], asked[key]) for key in asked if key in old and key not in FREE and old[key] != asked[key]}


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def plain(args: CommonArgs) -> dict[str, Any]:
    """The settings as JSON would return them."""
    return _plain(dataclasses.asdict(args))
