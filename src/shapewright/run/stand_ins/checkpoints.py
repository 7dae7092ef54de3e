"""Checkpoints that are not on this machine: what is loaded from them leaves weights, optimisers and counters as they
were made.

A checkpoint's weights have the shapes of the model that they are loaded into, so nothing is lost by going on without
them. What else it may hold (a whole pickled model, a configuration, a vocabulary) is not guessed: asking for it ends
the run with the file's name. Where the script itself is prepared for a missing file (`try`), it finds none.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import errno
import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

import torch
from torch import nn
from torch.utils.data._utils import collate as _collate

from ..script.reading import Script, read
from .context import Context, current, is_own_file, is_user_file
from .elsewhere import sought
from .expected import parts
from .standing import Standing, asked_of_tensors

OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
COUNTERS = re.compile(r"(\w+_)?(epochs?|steps?|iters?|iterations?|episodes?|batch_idx)")
MEASURES = re.compile(r"\w*(loss|acc|accuracy|score|metric|f1|auc|dice|iou|bleu|mse|mae|rmse|ppl|perplexity)|best")
RECORDS = re.compile(r"\w*(losses|history|accs|accuracies|metrics|logs)")
SETTINGS = re.compile(
    r"(\w+_)?(args|arguments|cfg|config|configs|configuration|conf|hparams|hyper_parameters|opt|opts|options|"
    r"settings|vocab\w*|"
    r"classes|class_names|class_to_idx|tokenizer|scaler_mean|mean|std)"
)

LEAVING = frozenset({"exit", "quit", "_exit", "abort"})


class AbsentCheckpoint(Standing, dict):
    """Answers for what a checkpoint that is not there would hold: empty weights, counters at their beginning; data
    where the script uses it as a tensor. `names` tell which part of it this is.

    >>> kept = AbsentCheckpoint("last.pt")
    >>> kept["epoch"] + 1, "model" in kept, list(kept["model"].items())
    (1, True, [])
    """

    last = ""  # the file that was asked for last: errors name the class alone

    def __init__(
        self,
        path: str,
        names: tuple[object, ...] = (),
        moves: tuple[tuple[str, tuple, dict], ...] = (),
    ) -> None:
        super().__init__()
        self.path = AbsentCheckpoint.last = path
        self.names, self.moves = names, moves

    def __getattr__(self, name: str) -> Any:
        if name == "state_dict":  # of a whole model that was saved
            return lambda *args, **options: AbsentCheckpoint(self.path, (*self.names, name))
        if not asked_of_tensors(name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self.__dict__.get("names") or not hasattr(nn.Module, name):
            return getattr(self._tensor(), name)
        # modules move too, and a whole one may have been saved
        return lambda *args, **options: AbsentCheckpoint(self.path, self.names, (*self.moves, (name, args, options)))

    def __getitem__(self, key: object) -> Any:
        if isinstance(key, (slice, tuple, torch.Tensor)) or (self.names and isinstance(key, int)):  # data, not weights
            return self._tensor()[key] if self.moves else self._data()[key]
        if dict.__contains__(self, key):
            return dict.__getitem__(self, key)
        if isinstance(key, str) and COUNTERS.fullmatch(key):
            return 0
        if isinstance(key, str) and MEASURES.fullmatch(key):
            return 0.0
        if isinstance(key, str) and RECORDS.fullmatch(key):
            return []
        if isinstance(key, str) and SETTINGS.fullmatch(key):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        return AbsentCheckpoint(self.path, (*self.names, key), self.moves)

    def __iter__(self) -> Iterator[Any]:
        if count := parts(sys._getframe(1)):  # data that were saved side by side
            return iter(self._data().parted(count))
        return super().__iter__()

    def __len__(self) -> int:
        return super().__len__() or len(self._data())  # nobody counts weights

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        return self._data().__array__(dtype)

    def __index__(self) -> int:
        """A size that was saved: more than any number that is made up."""
        from .files.contents import ROWS

        self._data()
        return ROWS

    __int__ = __index__

    def _data(self) -> Any:
        """What stands for data that were saved so."""
        from .saved import saved_in

        if (context := current()) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        context.made_up(self.path)
        context.loosen(tried=True)
        if "_thing" not in self.__dict__:
            self._thing: Any = saved_in(self.path)
            for name in self.names:
                self._thing = self._thing[name]
        return self._thing

    def _tensor(self) -> torch.Tensor:
        found = self._data()
        made = found._tensor() if isinstance(found, Standing) else torch.as_tensor(found)
        for name, args, options in self.moves:
            made = getattr(made, name)(*args, **options)
        return made

    def get(self, key: object, default: object = None) -> Any:
        return self[key] if default is None else default

    def pop(self, key: object, *default: Any) -> Any:
        return dict.pop(self, key) if dict.__contains__(self, key) else default[0] if default else self[key]

    def __contains__(self, key: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True

    def __delitem__(self, key: object) -> None:
        dict.pop(self, key, None)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__name__", "") == "copy_" and not isinstance(args[0], AbsentCheckpoint):
            return args[0]  # weights that were copied one by one
        return super().__torch_function__(func, types, args, kwargs)

    def copy(self) -> AbsentCheckpoint:
        return AbsentCheckpoint(self.path, self.names, self.moves)

    def __deepcopy__(self, memory: dict) -> AbsentCheckpoint:
        return self.copy()

    def __reduce__(self) -> tuple:
        return AbsentCheckpoint, (self.path, self.names, self.moves)


_collate.default_collate_fn_map[AbsentCheckpoint] = lambda batch, *, collate_fn_map=None: torch.stack(
    [torch.as_tensor(one._tensor() if isinstance(one, Standing) else one) for one in batch]
)


def absent(path: object, context: Context) -> AbsentCheckpoint:
    """What stands for the checkpoint at `path`, told to the reader."""
    context.note("checkpoint-absent", file=path)
    context.absent.append(str(path))
    context.stands()
    return AbsentCheckpoint(str(path))


def stands_in(path: object, frame: FrameType) -> bool:
    """Whether the user's code at `frame` itself asks for a file that is not there and goes nowhere without it."""
    asking: FrameType | None = frame
    while asking is not None and asking.f_code.co_filename.startswith(OWN):  # other wrappers of ours
        asking = asking.f_back
    if (
        asking is None
        or not isinstance(path, (str, os.PathLike))
        or not os.fspath(path)
        or (os.path.exists(path) and not _is_made_up(path))
        or not is_own_file(asking.f_code.co_filename)
    ):
        return False
    if _prepared(asking):
        return False
    sought(path)
    context = current()
    return context is None or not context.whole


_contents: set[bytes] = set()  # what addresses answered in this process


def fetched(content: bytes) -> None:
    """Note what an address answered: a file that holds it is not really there."""
    _contents.add(content)


def _is_made_up(path: str | os.PathLike) -> bool:
    if not _contents or not os.path.isfile(path) or os.path.getsize(path) not in {len(one) for one in _contents}:
        return False
    held = os.open(path, os.O_RDONLY)  # `open` asks this very question
    try:
        return os.read(held, os.path.getsize(path)) in _contents
    finally:
        os.close(held)


def _prepared(frame: FrameType | None) -> bool:
    """Whether a user's `try` around any of the calls under way catches that a file is not there."""
    while frame is not None:
        if is_user_file(frame.f_code.co_filename) and prepared_at(frame):
            return True
        frame = frame.f_back
    return False


def prepared_at(frame: FrameType, lacking: type[Exception] = FileNotFoundError) -> bool:
    """Whether the line that a frame is at stands in a `try` that goes on after what is `lacking`."""
    tries = _tries(frame.f_code.co_filename)
    around = (names for first, last, names in tries if first <= frame.f_lineno <= last)
    return any(_catches(tuple(one for one in names if not _is_absent(one, frame)), lacking) for names in around)


def _is_absent(name: str, frame: FrameType) -> bool:
    """Whether a handler names an error of a library that is not installed: nothing raises it."""
    first, *parts = name.split(".")
    value = frame.f_locals.get(first, frame.f_globals.get(first))
    for part in parts:
        value = getattr(value, part, None)
    return hasattr(value, "_how")


def _catches(names: tuple[str, ...], lacking: type[Exception]) -> bool:
    """Whether handlers of these names catch an error: of a name that is not Python's own it is not known.

    >>> _catches(("KeyboardInterrupt",), OSError), _catches(("URLError",), OSError), _catches(("",), ImportError)
    (False, True, True)
    """
    known = [getattr(builtins, name.rpartition(".")[2], lacking) if name else BaseException for name in names]
    return any(isinstance(one, type) and (issubclass(lacking, one) or issubclass(one, lacking)) for one in known)


@functools.lru_cache(maxsize=64)
def _tries(file: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """The first and last line of the body of every `try` of a file with handlers after which the script goes on, which
    do not raise, and the names of what these catch."""
    found = read(file)
    if not isinstance(found, Script):
        return ()
    with contextlib.suppress(SyntaxError):
        return tuple(
            (node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno, names)
            for node in ast.walk(ast.parse(found.text))
            if isinstance(node, ast.Try)
            and (names := tuple(name for one in node.handlers if _goes_on(one) for name in _caught(one.type)))
        )
    return ()


def _goes_on(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    call = last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    leaves = call is not None and getattr(call.func, "attr", getattr(call.func, "id", "")) in LEAVING
    denied = isinstance(last, ast.Assert) and isinstance(last.test, ast.Constant) and not last.test.value
    return not (leaves or denied or isinstance(last, ast.Raise))


def _caught(kind: ast.expr | None) -> list[str]:
    """The names of what a handler catches; an empty one where that is everything."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return ["" if one is None else ast.unparse(one) for one in kinds]


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent checkpoints while the body runs; everything is put back after it, so that no run wraps
    another's wrapper."""
    from torch.amp.grad_scaler import GradScaler

    load = torch.load
    places = (
        (nn.Module, torch.nn.modules.module._IncompatibleKeys([], [])),
        (torch.optim.Optimizer, None),
        (GradScaler, None),
    )
    kept = [owner.load_state_dict for owner, _ in places]

    @functools.wraps(load)
    def load_file(f: Any, *args: Any, **options: Any) -> Any:
        f = "''" if f == "" else f  # of an argument that is empty where nobody gives it
        return absent(f, context) if stands_in(f, sys._getframe(1)) else load(f, *args, **options)

    torch.load = load_file
    for owner, answer in places:
        owner.load_state_dict = _unless_absent(owner.load_state_dict, answer, context)
    try:
        yield
    finally:
        torch.load = load
        for (owner, _), original in zip(places, kept):
            owner.load_state_dict = original


def _unless_absent(original: Callable[..., Any], answer: object, context: Context) -> Callable[..., Any]:
    @functools.wraps(original)
    def load_state_dict(self: Any, state_dict: object, *args: Any, **options: Any) -> Any:
        # nothing at all: what was picked from the weights of an absent checkpoint
        if isinstance(state_dict, AbsentCheckpoint) or (
            context.absent and isinstance(state_dict, Mapping) and not state_dict
        ):
            return answer
        return original(self, state_dict, *args, **options)

    return load_state_dict
