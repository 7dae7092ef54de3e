"""Calls of other processes are made in this one."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Generic, TypeVar

from ..context import Context

Value = TypeVar("Value")


class Reference(Generic[Value]):
    """A remote reference to what lies here. Generic: torch compiles functions whose arguments are written
    `RRef[...]`.

    >>> Reference([1, 2]).rpc_sync().index(2)
    1
    """

    def __init__(self, value: Any) -> None:
        self._value = value

    def to_here(self, timeout: float = -1.0) -> Any:
        """The value."""
        return self._value

    local_value = to_here

    def owner(self) -> Worker:
        """This process."""
        return Worker("")

    def owner_name(self) -> str:
        """This process."""
        return ""

    def is_owner(self) -> bool:
        """Always."""
        return True

    confirmed_by_owner = is_owner

    def rpc_sync(self, timeout: float = -1.0) -> Any:
        """The value, whose methods can be called."""
        return self._value

    def remote(self, timeout: float = -1.0) -> Any:
        """The value, whose methods give references."""
        return _Calls(self._value, Reference)

    def rpc_async(self, timeout: float = -1.0) -> Any:
        """The value, whose methods give futures."""
        return _Calls(self._value, _future)

    def backward(self, *_: Any, **__: Any) -> None:
        """The gradients of the value."""
        self._value.backward()


class Worker:
    """Where a call is made."""

    def __init__(self, name: str) -> None:
        self.name, self.id = name, 0


class _Calls:
    def __init__(self, value: Any, made: Any) -> None:
        self._value, self._made = value, made

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **options: self._made(getattr(self._value, name)(*args, **options))


def _future(value: object) -> Any:
    import torch

    future: Any = torch.futures.Future()
    future.set_result(value)
    return future


def patch(module: ModuleType, context: Context) -> None:
    """Replace what begins and ends the exchange, and the calls."""

    def init_rpc(name: str, *args: object, **options: object) -> None:
        context.note("single-process", backend="rpc")

    def call(to: Any, func: Any, args: Any = (), kwargs: Any = None, timeout: float = -1.0) -> Any:
        given = func(*(args or ()), **(kwargs or {}))
        return given.wait() if hasattr(func, "_wrapped_async_rpc_function") else given

    module.init_rpc, module.shutdown = init_rpc, lambda *args, **options: None
    module.rpc_sync = call
    module.rpc_async = lambda *args, **options: _future(call(*args, **options))
    module.remote = lambda *args, **options: Reference(call(*args, **options))
    module.RRef = Reference
    module.get_worker_info = lambda name="worker0": Worker(name)
