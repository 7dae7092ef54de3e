"""Functions of libraries that are not installed which only hand on what they are given, and the plain facts of one
process: one table, by package and name."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import torch

from .attributes import NAMES
from .console import GAMES, Console


def same(*given: Any, **options: Any) -> Any:
    """What it is given; several as a tuple.

    >>> same(3, rate=2), same(1, 2)
    (3, (1, 2))
    """
    values = given or tuple(options.values())
    return values[0] if len(values) == 1 else values


def first(value: object, *given: object, **options: object) -> Any:
    """The first of what it is given."""
    return value


def split(*arrays: Any, test_size: Any = None, train_size: Any = None, **_: Any) -> list[Any]:
    """Each of some tables of equal length in two parts.

    >>> split([1, 2, 3, 4], test_size=0.25)
    [[1, 2, 3], [4]]
    """
    from .unknown import forms

    found: list[Any] = []
    for value in arrays:
        array = value.__array__() if hasattr(value, "_how") and not forms().is_kept(value) else value
        count = len(array)
        share = test_size if test_size is not None else 0.25 if train_size is None else None
        held = share if isinstance(share, int) else round(count * share) if share is not None else None
        if held is None:
            held = count - (train_size if isinstance(train_size, int) else round(count * train_size))
        held = min(max(held, 1), count - 1)
        found += [array[: count - held], array[count - held :]]
    return found


class Folds:
    """Places of rows to train on and of rows held out, as often as asked.

    >>> [(len(trained), held.tolist()) for trained, held in Folds(2).split([5, 6, 7])]
    [(1, [0, 2]), (2, [1])]
    """

    def __init__(self, n_splits: int = 5, *_: object, **__: object) -> None:
        self.n_splits = n_splits

    def get_n_splits(self, *_: object) -> int:
        """How often."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        """The places, pair by pair; every so manieth row is held out."""
        import numpy

        places = numpy.arange(len(X))
        held = max(self.n_splits, 2)
        for at in range(self.n_splits):
            yield places[places % held != at], places[places % held == at]


def _backward(loss: torch.Tensor, **options: Any) -> None:
    loss.backward(**options)


def _device() -> torch.device:
    from torch.overrides import _get_current_function_mode_stack

    from ..device.simulated import Devices

    simulated = (mode.kind for mode in _get_current_function_mode_stack() if isinstance(mode, Devices))
    return torch.device(next(simulated, "") or "cpu")


def _placed(value: Any) -> Any:
    """A model, or batches, on the accelerator that there is."""
    if isinstance(value, torch.utils.data.DataLoader):
        collate = value.collate_fn
        value.collate_fn, value._shapewright_pins = lambda samples: _placed(collate(samples)), False
    elif callable(getattr(value, "to", None)):  # a tensor, a model, what a tokenizer gives
        return value.to(_device())
    elif isinstance(value, (list, tuple)):
        return [_placed(part) for part in value]
    elif isinstance(value, dict):
        return {key: _placed(part) for key, part in value.items()}
    return value


def _prepared(*given: Any, **options: Any) -> Any:
    if _device().type != "cpu":
        given = tuple(_placed(value) if isinstance(value, PLACED) else value for value in given)
    return same(*given)


def _within(*_: object, **__: object) -> Any:
    return contextlib.nullcontext()


def _scaled(loss: object, *_: object, **__: object) -> Any:
    return contextlib.nullcontext(loss)


def _picture(file: Any, flags: Any = 1) -> Any:
    """A picture as it lies in a file, blue first, or grey."""
    import numpy
    from PIL import Image

    with open(file, "rb") as stream, Image.open(stream) as picture:
        named = getattr(flags, "_how", None)  # a constant of the library's
        if named.name.endswith("GRAYSCALE") if named is not None else flags == 0:
            return numpy.asarray(picture.convert("L"))
        return numpy.ascontiguousarray(numpy.asarray(picture.convert("RGB"))[..., ::-1])


def _resized(picture: Any, dsize: Any, *_: Any, **__: Any) -> Any:
    import numpy

    width, height = dsize
    rows = numpy.arange(height) * picture.shape[0] // height
    return picture[rows][:, numpy.arange(width) * picture.shape[1] // width]


def _colours(picture: Any, code: Any, *_: object) -> Any:
    name = code.__name__ if isinstance(code, type) else code._how.name  # of the constant
    if name.endswith("GRAY"):
        return picture.mean(-1).astype(picture.dtype)
    if not name.startswith("COLOR_GRAY"):
        return picture[..., ::-1]
    grey = picture[..., 0] if picture.ndim == 3 else picture
    return grey[..., None].repeat(3, -1)


def _heard(file: Any, sr: Any = 22050, *_: object, **__: object) -> Any:
    """Sound between -1 and 1, and its rate; noise where no file tells it."""
    import wave

    import numpy

    from .context import current
    from .files.documents import LENGTH

    try:
        with wave.open(file) as sound:
            rate = sound.getframerate()
            heard = numpy.frombuffer(sound.readframes(-1), "<i2").reshape(-1, sound.getnchannels()).mean(1) / 32768
    except (wave.Error, EOFError, OSError, ValueError):
        rate, heard = 16000, numpy.random.RandomState(0).uniform(-0.1, 0.1, LENGTH)
        current().made_up(file)
    return heard.astype("float32"), sr or rate


def _solved(func: Any, y0: Any, t: Any, *_: object, **__: object) -> Any:
    """The states at some times, from one call of the script's own function between each two of them."""
    from .context import tell

    tell("stand-in-values", module="torchdiffeq")
    state, states = y0, [y0]
    for before, after in itertools.pairwise(t):
        slope, length = func(before, state), after - before
        if isinstance(state, tuple):
            state = tuple(part + length * change for part, change in zip(state, slope))
        else:
            state = state + length * slope
        states.append(state)
    return tuple(map(torch.stack, zip(*states))) if isinstance(y0, tuple) else torch.stack(states)


def _seen(file: Any, *_: object, as_gray: bool = False, **__: object) -> Any:
    """A picture as it lies in a file, red first, or grey between 0 and 1."""
    picture = _picture(file, 0 if as_gray else 1)
    return picture / 255 if as_gray else picture[..., ::-1].copy()


def _fitted(image: Any, output_shape: Any, *_: object, **__: object) -> Any:
    """A picture of another height and width, between 0 and 1."""
    made = _resized(image, tuple(output_shape[1::-1]))
    return made / 255 if made.dtype.kind in "ui" else made


def _augmented(*given: Any, **options: Any) -> Any:
    from .augmented import Augmented

    return Augmented(*given, **options)


def _merged(name: str) -> Any:
    def merge(*given: Any, **options: Any) -> Any:
        from . import merged

        return getattr(merged, name)(*given, **options)

    return merge


def _in_order(seq: Any, key: Any = None, reverse: bool = False, *_: object, **__: object) -> list[Any]:
    """A list of names in their order.

    >>> _in_order(["b", "a"], reverse=True)
    ['b', 'a']
    """
    return sorted(seq, key=key, reverse=reverse)


def _words(sentence: str, *_: object, **__: object) -> list[str]:
    """A sentence without spaces in words of two characters.

    >>> _words("abcde")
    ['ab', 'cd', 'e']
    """
    return [sentence[at : at + 2] for at in range(0, len(sentence), 2)]


FOLDS = ("KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit", "GroupKFold", "RepeatedKFold")
BARS = ("track", "prog_bar", "prog_percent", "progressbar")  # show how far something has come that they go through
PLACED = (torch.nn.Module, torch.utils.data.DataLoader)
_PROCESS: dict[str, Any] = {
    **{name: _prepared for name in ("prepare", "prepare_model", "prepare_data_loader", "prepare_optimizer")},
    "gather": same,
    **{name: first for name in ("gather_for_metrics", "reduce", "unwrap_model", "pad_across_processes")},
    **{
        name: _within
        for name in ("accumulate", "autocast", "no_sync", "main_process_first", "local_main_process_first")
    },
    "backward": _backward,
    "clip_grad_norm_": torch.nn.utils.clip_grad_norm_,
    "clip_grad_value_": torch.nn.utils.clip_grad_value_,
    "num_processes": 1,
    "process_index": 0,
    "local_process_index": 0,
    "gradient_accumulation_steps": 1,
    "sync_gradients": True,
    "optimizer_step_was_skipped": False,
}
_TABLE: dict[str, dict[str, Any]] = {
    **NAMES,
    "accelerate": _PROCESS,
    "cv2": {"imread": _picture, "resize": _resized, "cvtColor": _colours},
    "skimage": {"imread": _seen, "resize": _fitted},
    "imageio": {"imread": _seen},
    "albumentations": {"Compose": _augmented},
    "librosa": {"load": _heard},
    "apex": {"initialize": lambda *given, **_: same(*given[:2]), "scale_loss": _scaled},
    "pandas": {"to_numeric": first, "concat": _merged("concat"), "get_dummies": _merged("get_dummies")},
    "torchdiffeq": dict.fromkeys(("odeint", "odeint_adjoint"), _solved),
    **{package: {"ALEInterface": Console, "list_games": lambda: GAMES} for package in ("atari_py", "ale_py")},
    **dict.fromkeys(("unidecode", "ftfy", "contractions"), dict.fromkeys(("unidecode", "fix_text", "fix"), first)),
    **dict.fromkeys(("rich", "pyprind", "progressbar"), dict.fromkeys(BARS, first)),
    "natsort": dict.fromkeys(("natsorted", "os_sorted", "humansorted", "realsorted"), _in_order),
    "jieba": {"cut": _words, "lcut": _words, "cut_for_search": _words, "lcut_for_search": _words},
    "sklearn": {"train_test_split": split, "shuffle": same, **dict.fromkeys(FOLDS, Folds)},
}


def declared(package: str, name: str) -> Any:
    """What is known of a name of an absent package; `None` of nearly all."""
    if (package, name) == ("accelerate", "device"):
        return _device()
    return _TABLE.get(package, {}).get(name)
