"""Worker processes of `multiprocessing`, `concurrent.futures` and torch, run in this process.

The first process of each function that trains runs where it is started, so that what it does is recorded; the others
are threads, as is one that may wait for what its parent does later."""

from __future__ import annotations

import concurrent.futures
import inspect
import itertools
import multiprocessing
import multiprocessing.context
import multiprocessing.process
import os
import queue
import sys
import threading
from collections.abc import Callable
from types import MethodType
from typing import Any

PATIENCE = 4.0  # seconds that a worker is waited for before the next of its kind begins
Tell = Callable[..., None]


class Queue(queue.Queue):
    """`multiprocessing.Queue` between threads."""

    _reader = _writer = None

    def close(self) -> None:
        """Nothing to close."""

    join_thread = cancel_join_thread = close

    def __getstate__(self) -> Any:
        raise TypeError("a queue is not sent to another process during a check")


WAITING = (queue.Queue, threading.Event, threading.Condition, threading.Semaphore, threading.Barrier)


def install(tell: Tell) -> None:
    """Replace the ways of starting workers; nothing is imported that is not loaded already."""
    base = multiprocessing.process.BaseProcess
    base.start = _start(tell)  # type: ignore[method-assign]
    base.join = lambda self, timeout=None: _thread(self).join(timeout)  # type: ignore[method-assign]
    base.is_alive = lambda self: _thread(self).is_alive()  # type: ignore[method-assign]
    base.exitcode = property(
        lambda self: None if not hasattr(self, "_worker") or _thread(self).is_alive() else self._status
    )  # type: ignore
    ident = property(lambda self: _thread(self).ident if hasattr(self, "_worker") else None)
    base.pid = base.ident = ident  # type: ignore[assignment]
    base.terminate = base.kill = base.close = lambda self: None  # type: ignore[method-assign]
    context = multiprocessing.context.BaseContext
    plain = {
        "Lock": threading.Lock,
        "RLock": threading.RLock,
        "Event": threading.Event,
        "Condition": threading.Condition,
        "Semaphore": threading.Semaphore,
        "BoundedSemaphore": threading.BoundedSemaphore,
        "Barrier": threading.Barrier,
        "Queue": Queue,
        "JoinableQueue": Queue,
        "SimpleQueue": Queue,
    }
    made = {name: (lambda self, *args, kind=kind, **given: kind(*args, **given)) for name, kind in plain.items()}
    made |= {"Pool": _pool(tell), "Manager": lambda self: _manager()}
    default = multiprocessing.context._default_context  # type: ignore[attr-defined]
    for name, function in made.items():
        setattr(context, name, function)
    for module in (multiprocessing, sys.modules.get("torch.multiprocessing")):
        for name in made if module is not None else ():
            setattr(module, name, getattr(default, name))
    torch_workers = sys.modules.get("torch.multiprocessing")
    if torch_workers is not None:
        torch_workers.spawn = torch_workers.start_processes = _spawn(tell)  # type: ignore[attr-defined]
        inner = sys.modules.get("torch.multiprocessing.spawn")
        if inner is not None:
            inner.spawn = inner.start_processes = torch_workers.spawn  # type: ignore[attr-defined]
        _hand_over(sys.modules["torch"])
    futures = _futures(tell)
    concurrent.futures.ProcessPoolExecutor = futures  # type: ignore[misc]
    process = sys.modules.get("concurrent.futures.process")
    if process is not None:
        process.ProcessPoolExecutor = futures  # type: ignore[attr-defined]


def _hand_over(torch: Any) -> None:
    """Let a tensor that is sent to another process be there what it is here: both hold the same numbers, as in memory
    that they share, which the sandbox does not give."""
    from multiprocessing.reduction import ForkingPickler

    reductions = sys.modules["torch.multiprocessing.reductions"]

    def reduced(tensor: Any) -> Any:
        if tensor.requires_grad and not tensor.is_leaf:
            return reductions.reduce_tensor(tensor)  # refuses
        _sent[number := next(_numbers)] = tensor
        return _received, (number,)

    for kind in (*torch._tensor_classes, torch.Tensor, torch.nn.Parameter):
        ForkingPickler.register(kind, reduced)


_sent: dict[int, Any] = {}
_numbers = itertools.count()


def _received(number: int) -> Any:
    tensor = _sent.pop(number)
    held, kind = tensor.detach(), sys.modules["torch"].nn.Parameter
    if isinstance(tensor, kind):
        return kind(held, tensor.requires_grad)
    return held.requires_grad_(tensor.requires_grad)


_at = threading.local()


def within() -> bool:
    """Whether what runs is the work of a process that the script started."""
    return getattr(_at, "work", False)


def _thread(process: Any) -> threading.Thread:
    if not hasattr(process, "_worker"):
        raise AssertionError("can only join a started process")
    return process._worker


def _start(tell: Tell) -> Callable[[Any], None]:
    earlier: dict[Any, threading.Thread] = {}  # by function: its worker that was started last

    def start(self: Any) -> None:
        tell("process-in-thread", action=type(self).__name__)
        self._status = 0
        copies = _copied(self)

        def work() -> None:
            _at.work = True
            try:
                self.run()
            except SystemExit as stop:
                self._status = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
            except BaseException:
                self._status = 1
                raise
            finally:
                _at.work = False
                for end in copies:  # a process that ends lets go of what it holds
                    if not end.closed:
                        end.close()

        function = getattr(self, "_target", None) or type(self)
        first = function not in earlier and threading.current_thread() is threading.main_thread()
        called = (self.run, function, *getattr(self, "_args", ()))
        here = first and _reaches("backward", *called) and not _waits(self, called)
        self._worker = threading.Thread(target=_nothing if here else work, name=self.name, daemon=self.daemon)
        if here:
            work()
        if function in earlier and not copies:  # workers of one function would mix their steps in what is recorded
            earlier[function].join(PATIENCE)
        earlier[function] = self._worker
        self._worker.start()

    return start


def _waits(process: Any, called: tuple[Any, ...]) -> bool:
    """Whether a process is given something on which one waits for another; a queue without a limit that it only puts
    into is none."""
    given = [*getattr(process, "_args", ()), *getattr(process, "_kwargs", {}).values(), *vars(process).values()]
    waiting = [value for value in given if isinstance(value, WAITING) or hasattr(value, "recv")]  # the end of a pipe
    filled = all(isinstance(value, queue.Queue) and value.maxsize <= 0 for value in waiting)
    return bool(waiting) and not (filled and not _reaches("get", *called))


def _copied(process: Any) -> list[Any]:
    """Give a process its own copies of the ends of pipes it was given: what it closes stays open for its parent."""
    from multiprocessing.connection import Connection

    copies: dict[int, Any] = {}

    def own(value: Any) -> Any:
        if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
            return type(value)(map(own, value))
        if not isinstance(value, Connection) or value.closed:
            return value
        if id(value) not in copies:
            copies[id(value)] = Connection(os.dup(value.fileno()), value.readable, value.writable)
        return copies[id(value)]

    for name, value in vars(process).items():
        given = {key: own(part) for key, part in value.items()} if name == "_kwargs" else own(value)
        if given is not value:
            vars(process)[name] = given
    return list(copies.values())


def _reaches(name: str, *called: Any) -> bool:
    """Whether one of these functions, or one that they call by its name or of their own object, asks for something of a
    name."""
    waiting, seen = list(called), set()
    while waiting:
        function = inspect.unwrap(one) if callable(one := waiting.pop()) else one
        code = getattr(function, "__code__", None)
        if code is None or code in seen:
            continue
        if name in code.co_names:
            return True
        seen.add(code)
        owner = getattr(function, "__self__", None)
        methods = (getattr(type(owner), other, None) for other in code.co_names if owner is not None)
        waiting += [MethodType(method, owner) for method in methods if inspect.isfunction(method)]
        waiting += [value for other in code.co_names if (value := function.__globals__.get(other)) is not None]
    return False


def _nothing() -> None:
    """What is left to a thread whose work is done."""


def _pool(tell: Tell) -> Callable[..., Any]:
    context = multiprocessing.context.BaseContext
    piped = context.SimpleQueue  # a pool waits on the pipe of its own queue

    def make(
        self: Any, processes: int | None = None, initializer: Any = None, initargs: Any = (), *_: Any, **__: Any
    ) -> Any:
        from multiprocessing.pool import ThreadPool

        tell("process-in-thread", action="multiprocessing.Pool")
        ours, context.SimpleQueue = context.SimpleQueue, piped  # type: ignore[method-assign]
        try:
            return ThreadPool(min(processes or 2, 4), initializer, initargs)
        finally:
            context.SimpleQueue = ours  # type: ignore[method-assign]

    return make


def _manager() -> Any:
    import multiprocessing.dummy

    manager = multiprocessing.dummy.Manager()

    class Manager:
        def __getattr__(self, name: str) -> Any:
            return getattr(manager, name)

        def __enter__(self) -> Manager:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing was started."""

    return Manager()


def _spawn(tell: Tell) -> Callable[..., Any]:
    def spawn(fn: Callable[..., Any], args: tuple = (), nprocs: int = 1, *_: Any, **__: Any) -> None:
        tell("process-in-thread", action=f"torch.multiprocessing.spawn(nprocs={nprocs})")
        fn(0, *args)

    return spawn


def _futures(tell: Tell) -> type:
    class ProcessPoolExecutor(concurrent.futures.ThreadPoolExecutor):
        def __init__(
            self,
            max_workers: int | None = None,
            mp_context: Any = None,
            initializer: Any = None,
            initargs: tuple = (),
            **_: Any,
        ) -> None:
            tell("process-in-thread", action="ProcessPoolExecutor")
            super().__init__(min(max_workers or 2, 4), "worker", initializer, initargs)

        def map(self, fn: Any, *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Any:
            return super().map(fn, *iterables, timeout=timeout)

    return ProcessPoolExecutor
