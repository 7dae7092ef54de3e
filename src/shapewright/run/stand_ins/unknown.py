"""What stands for a module that is not installed: it takes what a script does with it, takes the form that its use
demands, and is named when something that learns depends on it.

Nothing of any library is imitated. Attributes, calls, items and sums of it are again unknown; a function given to it
alone comes back (a decorator); it is taken apart into as many parts as the script takes. Each remembers how it came to
be (`How`): where numbers, a length, rows or an array are demanded, they are made up from that (`made`), told, and are
no evidence. What it made out of parameters or tensors with a graph is not known: using that raises
`ModuleNotFoundError` with the module's name. What it does with models and optimizers is passed over, and whether the
script trained them itself is asked at its end (`lent`). The few functions that hand on what they are given are
`declared`.
"""

from __future__ import annotations

import operator
import os
import sys
from abc import ABCMeta
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy
import torch

from .context import current, decorated, user_frame
from .environments import environment
from .expected import accepted, apart, at_constant, kept_as, parts, to_call, valued
from .handed_on import declared
from .how import HELD, NAMED, How, refuse
from .lent import lend, optimizer, passed_through, series
from .records import records

LENT = (torch.nn.Module, torch.optim.Optimizer, torch.utils.data.DataLoader)
LEARNS = (*LENT, Iterator)  # `model.parameters()`
ARRAYS = frozenset(
    {"astype", "to_numpy", "to_list", "tolist", "toarray", "todense", "reshape", "flatten", "ravel", "transpose"}
    | {"fit_transform", "transform", "inverse_transform"}
)
RECORDERS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "record", "")
PICTURED = f"{os.sep}PIL{os.sep}"  # which asks for an array's memory where it makes a picture of it
PARTS = 6  # that lie side by side in a file, at most
dressed: dict[int, str] = {}  # functions and classes that a decorator gave back as they were, and whose it is


def _computed(name: str, swapped: bool = False) -> Callable[..., Any]:
    function: Any = getattr(operator, name)

    def compute(self: Any, *others: Any) -> Any:
        if fed(others):
            return refuse(self)
        if name == "add" and isinstance(others[0], str) and not of_data(self):  # marks of a terminal, part of a text
            return others[0]
        given = (*others, self) if swapped else (self, *others)
        if name == "add" and self._module in HELD and type(others[0]) is list and of_data(self):  # of two lists
            return [entry for part in given for entry in (part if type(part) is list else part.__array__().tolist())]
        return thing_of(self._module, How("computed", function, name, given), self._fed)

    return compute


def _compared(name: str) -> Callable[..., Any]:
    compute = _computed(name)

    def compare(self: Any, other: Any) -> Any:
        wanted = accepted(sys._getframe(1)) if of_data(self) and not fed((other,)) else None
        return compute(self, other) if wanted is None else wanted

    return compare


class UnknownClass(ABCMeta):
    """Classes of what is not there give up anything too (`Repo.clone_from`), and may be mixed with abstract ones. What
    is subscripted was a type of arguments (`Float[Tensor, "rows"]`) or, as what has a length, a constant."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return thing_of(cls._module, How("attribute", name=name))

    def __getitem__(cls, key: Any) -> Any:
        return thing_of(cls._module, How(name=cls.__name__))[key]

    def __bool__(cls) -> bool:
        return True

    def __instancecheck__(cls, value: Any) -> bool:
        """What stands for a table or a column of it is one to a script that asks."""
        known = super().__instancecheck__(value)
        return known or (cls is not UnknownThing and type(value) is UnknownThing and forms().is_a(value, cls))

    __len__ = __iter__ = __int__ = __float__ = refuse


class UnknownThing(metaclass=UnknownClass):
    """An attribute, a call or an instance of what is not there. `_module` is to be named; `_fed` is empty, or tells
    what it was made out of: a `tensor`, models, optimizers or loaders (`lent`), a tensor with a `graph`, or what
    `learns` (parameters, classes of models). Only numbers are known of the last three. `_kept` are the items that the
    script put into it."""

    _module = ""
    _fed = ""
    _how = NAMED
    _kind: Any  # the class of what is made of it

    def __new__(cls, *args: Any, **options: Any) -> Any:
        if args or options:
            if cls.__module__ == __name__ and (made := optimizer(cls._module, cls.__name__, args, options)):
                return made
        return super().__new__(cls)

    def __init__(self, *args: Any, **options: Any) -> None:
        how = How("call", name=type(self).__name__, given=args, options=options)
        self.__dict__.update(_fed=fed((args, options)), _how=how)
        if self._module and (context := current()) is not None:
            context.passes_over(self._module)

    def __getattr__(self, name: str) -> Any:
        if name == "__array_interface__" and of_data(self) and PICTURED in sys._getframe(1).f_code.co_filename:
            from .tensors import pictured

            return pictured(self).__array_interface__
        if (name.startswith("__") and name.endswith("__")) or sys._getframe(1).f_code.co_filename.startswith(RECORDERS):
            raise AttributeError(name)  # who records what happened asks nothing of it
        if name in self.__dict__.get("_kept", ()):
            return self._kept[name]
        if name in self._how.options and not forms().is_ranked(self):  # what it was given by that name
            if callable(given := self._how.options[name]) or not to_call(sys._getframe(1)):
                return given
        if (world := environment(self, name)) is not None:
            return getattr(world, name)
        if (known := declared(self._module, name)) is not None:
            return known
        if self._fed == "learns" or name == "backward":
            return refuse(self)
        thing = thing_of(self._module, How("attribute", self, name), self._fed)
        if not of_data(self) or to_call(sys._getframe(1)):
            return thing
        return forms().attribute(self, name, thing)

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and self._module and of_data(self) and forms().names_columns(self, name):
            self[name] = value
        else:
            self.__dict__[name] = value

    def __call__(self, *args: Any, **options: Any) -> Any:
        if self._fed == "learns":
            refuse(self)
        if len(args) == 1 and not options and decorated(args[0]):
            if not (self._how.kind == "attribute" and of_data(self)) or kept_as(args[0], sys._getframe(1)):
                dressed[id(args[0])] = self._module
                return args[0]
        if self._how.name and (replaced := optimizer(self._module, self._how.name, args, options)):
            return replaced
        if self._how.name == "items" and not args and of_data(self):
            return forms().pairs(self._how.of)
        if (
            self._how.kind == "attribute"
            and self._how.name.startswith("set_")
            and len(args) == 1
            and isinstance(of := self._how.of, UnknownThing)
        ):
            of.__dict__[self._how.name[4:]] = args[0]  # what is set is had
        given = fed((args, options))
        if (context := current()) is not None:
            context.passes_over(self._module, any(map(_derived, (*args, *options.values()))))
        self._lend(args, options)
        thing = thing_of(self._module, How("call", self, self._how.name, args, options), self._fed or given)
        if options.get("inplace") is True and isinstance(self._how.of, UnknownThing) and of_data(self):
            from .merged import put_back

            put_back(self._how.of, thing)
        if self._how.name not in ARRAYS or not of_data(self) or forms().stays(self):
            return thing
        made, count = forms().array(thing), apart(sys._getframe(1))
        return thing if count and len(made) != count else made  # what is counted of data has not their length

    def _lend(self, args: Any, options: Any) -> None:
        """Remember what learns where a method of what was made of it is called, or with it."""
        if self._how.kind == "attribute" and isinstance(owner := self._how.of, UnknownThing) and of_call(owner):
            made_of, how = [args, options], owner._how
            while isinstance(how.of, UnknownThing):
                made_of += [how.given, how.options]
                how = how.of._how
            lend([*made_of, how.given, how.options], self._module, self._fed == "lent")

    def __getitem__(self, key: Any) -> Any:
        if self._fed == "learns":
            refuse(self)
        kept = self.__dict__.get("_kept", {})
        key = key.decode() if isinstance(key, bytes) else key
        if isinstance(key, (int, slice)) and is_file(self) and (listed := records(self)) is not None:
            return listed[key]
        if type(key) is int and 0 <= key < PARTS and is_file(self) and at_constant(sys._getframe(1)):
            return self.parted(max(key + 1, 2))[key]
        if isinstance(key, (str, int)) and key in kept and not forms().is_column(self, kept[key]):
            return kept[key]
        thing = thing_of(self._module, How("item", self, given=(key,)), self._fed)
        if isinstance(key, (slice, tuple)) and self._how.kind in ("item", "part") and of_data(self):
            return forms().array(thing) if not forms().is_ranked(self) else thing
        return forms().scalar(thing) if of_data(self) and forms().is_scalar(self, key) else thing

    def keys(self) -> Any:
        """The names that the asking file subscripts with anywhere, where something may hold data by them; numbers where
        it has none."""
        context, frame = current(), user_frame()
        if context is None or frame is None or not of_data(self):
            return self.__getattr__("keys")()
        return context.asked_by(frame) or [str(number) for number in range(len(self))]

    def __setitem__(self, key: object, value: object) -> None:
        if (
            isinstance(key, tuple) and isinstance(key[-1], str) and self._how.kind == "attribute"
        ):  # `table.loc[:, name]`
            self._how.of[key[-1]] = value
        if isinstance(key, list) and of_data(self):  # columns, side by side
            for name, values in zip(key, forms().side_by_side(value, key)):
                self[name] = values
        if isinstance(key, (str, int)):
            kept = self.__dict__.setdefault("_kept", {})
            if key in kept and of_data(self):
                forms().put(self, key, value)
            kept[key] = value

    def __delitem__(self, key: object) -> None:
        """Nothing is kept that could go."""

    def __bool__(self) -> bool:
        return self._fed != "learns" or refuse(self)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{self._module}>"

    def __format__(self, form: str) -> str:
        return repr(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return thing_of, (self._module,)  # what it was made of is of this run alone

    def __fspath__(self) -> str:
        return self._module

    def __iter__(self) -> Iterator[Any]:
        if count := parts(sys._getframe(1)):
            return iter(self.parted(count))
        if (through := series(self._how.given)) is not None:
            passed_through(self._module)
            return iter(through)
        if not of_data(self):
            return refuse(self)
        if is_file(self) and (kept := records(self)) is not None:
            return iter(kept)
        return iter([self[at] if forms().is_scalar(self, at) else self._row(at) for at in range(len(self))])

    def parted(self, count: int) -> list[UnknownThing]:
        """The parts that something is taken apart into."""
        return [thing_of(self._module, How("part", self, given=(at, count)), self._fed) for at in range(count)]

    def _row(self, at: int) -> UnknownThing:
        return thing_of(self._module, How("row", self, given=(at,)), self._fed)

    def __len__(self) -> int:
        if is_file(self) and (kept := records(self)) is not None:
            return len(kept)
        if hasattr(through := series(self._how.given), "__len__"):
            return len(through)
        return forms().count(self) if of_data(self) else refuse(self)

    def __int__(self) -> int:
        return int(forms().number(self))

    def __index__(self) -> int:
        if of_data(self) and self._how.kind != "call" and getattr(forms().array(self), "ndim", 0):
            raise TypeError(f"{type(self).__name__} stands for an array here")
        return int(self)

    def __float__(self) -> float:
        return float(forms().number(self))

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        found = refuse(self) if self._fed in ("graph", "lent", "learns") else forms().array(self)
        return numpy.asarray(found, dtype)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        from .tensors import taken

        return taken(func, args, kwargs or {})

    def __contains__(self, value: Any) -> bool:
        return value in self.__dict__.get("_kept", ())

    def __round__(self, digits: int | None = None) -> Any:
        return round(float(self), digits)

    def __eq__(self, other: object) -> Any:
        return self._told(self._same, other, self is other, sys._getframe(1))

    def __ne__(self, other: object) -> Any:
        return self._told(self._other, other, self is not other, sys._getframe(1))

    def _told(self, compute: Callable[..., Any], other: object, identical: bool, asking: Any) -> Any:
        """What a comparison gives: whether it is the same thing, where it is not one of data that is kept."""
        if not of_data(self):
            return identical
        known = accepted(asking)
        if known is not None:
            return known
        return compute(other) if forms().is_flat(self) or (valued(asking) and forms().is_ranked(self)) else identical

    _same, _other = _computed("eq"), _computed("ne")
    __hash__ = object.__hash__
    __next__ = __matmul__ = refuse
    __add__, __radd__ = _computed("add"), _computed("add", swapped=True)
    __sub__, __rsub__ = _computed("sub"), _computed("sub", swapped=True)
    __mul__, __rmul__ = _computed("mul"), _computed("mul", swapped=True)
    __truediv__, __rtruediv__ = _computed("truediv"), _computed("truediv", swapped=True)
    __neg__, __pow__, __mod__, __floordiv__ = (_computed(name) for name in ("neg", "pow", "mod", "floordiv"))
    __lt__, __le__, __gt__, __ge__ = (_compared(name) for name in ("lt", "le", "gt", "ge"))
    __and__, __or__, __invert__ = (_computed(name) for name in ("and_", "or_", "invert"))


UnknownThing._kind = UnknownThing


def thing_of(module: str, how: How = NAMED, fed: str = "") -> UnknownThing:
    thing = (how.of._kind if isinstance(how.of, UnknownThing) else UnknownThing)()
    thing.__dict__.update(_module=module, _how=how, _fed=fed)
    return thing


def of_file(path: str) -> UnknownThing:
    """What a file that is not there held."""
    HELD.add(path)
    return thing_of(path, How("call", name="load"))


def unknown_name(name: str, owner: str) -> Any:
    """What stands for a name of `owner`, which is to be named: a class where the name begins with a capital."""
    if (known := declared(owner, name)) is not None:
        return known
    kind = type(name, (UnknownThing,), {"_module": owner, "__module__": __name__})
    return kind if name[:1].isupper() else thing_of(owner, How(name=name))


def _derived(value: object) -> bool:
    """Whether something is of a class that the script derived from one that is not there."""
    return isinstance(value, UnknownThing) and type(value).__module__ != __name__


def of_data(thing: UnknownThing) -> bool:
    """Whether something may be data: it came of a call, and not of what learns."""
    return thing._fed != "lent" and of_call(thing)


def is_file(thing: UnknownThing) -> bool:
    """Whether something is all that a file held."""
    return thing._module in HELD and thing._how.kind == "call" and not isinstance(thing._how.of, UnknownThing)


def of_call(thing: UnknownThing) -> bool:
    """Whether something came of a call: a name or a constant of a module did not."""
    how = thing._how
    while how.kind in ("attribute", "name") and isinstance(how.of, UnknownThing):
        how = how.of._how
    return how.kind not in ("attribute", "name")


def fed(values: Any, depth: int = 0) -> str:
    """What of a script's learning is among some values: what `learns`, a tensor with a `graph`, what is `lent`, a
    `tensor`."""
    if isinstance(values, UnknownThing):
        held = [value for value in values.__dict__.values() if isinstance(value, LEARNS)]
        return "learns" if held or "_modules" in values.__dict__ else values._fed
    if isinstance(values, LENT):
        return "lent"
    if isinstance(values, LEARNS) or (isinstance(values, type) and issubclass(values, torch.nn.Module)):
        return "learns"
    if isinstance(values, torch.Tensor):
        return "graph" if values.requires_grad else "tensor"
    if isinstance(values, dict):
        values = tuple(values.values())
    found = {fed(part, depth + 1) for part in values[:64]} if depth < 4 and isinstance(values, (list, tuple)) else set()
    return next((kind for kind in ("learns", "graph", "lent", "tensor") if kind in found), "")


def forms() -> ModuleType:
    """What makes numbers, rows and arrays up: loaded where they are asked for."""
    from . import forms as found

    return found
