"""A run that stops before a statement of the script and waits: each request to go on is answered by a fork of it, with
an edited rest.

What stands above the statement has then run once for all of them. A fork goes on only where that is sound: nothing that
the edit changes has run yet (functions that were defined but not entered have their code exchanged), and no line above
the statement moves. Otherwise it ends as `unresumable`.
"""

from __future__ import annotations
import __future__

import ast
import gc
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType

from ...trace import Outcome
from ..sandbox.ending import Ended
from ..script.instrument import instrumented
from .framing import receive
from .request import RunRequest, Size

TOLD = struct.Struct("!cQ")  # what a parked run says: P (it waits) or F and a process id
PARKED, FORKED = b"P", b"F"
UNRESUMABLE = "unresumable"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Parking:
    """The child's end of the control socket.

    Args:
        control: connected to the resident process.
        fork: the system's fork.
        begin: called in a fork with its request and the descriptors of its result and its output.
    """

    def __init__(
        self, control: socket.socket, fork: Callable[[], int], begin: Callable[[RunRequest, int, int], None]
    ) -> None:
        self.control, self.fork, self.begin = control, fork, begin

    def wait(self) -> RunRequest:
        """Returns only in forks, each with the request that it is to go on with; the run that waits ends with its
        resident."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks are reaped by the kernel
        self.control.sendall(TOLD.pack(PARKED, 0))
        while True:
            mark, descriptors, _, _ = socket.recv_fds(self.control, 1, 2)
            if not mark or len(descriptors) != 2:
                raise Ended(Outcome("incomplete", UNRESUMABLE))
            request = receive(self.control)
            pid = self.fork()
            if pid == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self.control.close()
                self.begin(request, *descriptors)
                return request
            for descriptor in descriptors:
                os.close(descriptor)
            self.control.sendall(TOLD.pack(FORKED, pid))


class Head:
    """The statements above the place to park: run one by one, with note of the functions that were entered."""

    def __init__(self, text: str, path: str, count: int, sizes: tuple[Size, ...] = ()) -> None:
        self.text, self.path, self.sizes = text, path, sizes
        self.statements = ast.parse(text, path).body
        self.count = min(count, len(self.statements))
        self.codes: list[CodeType] = []
        self.entered: set[CodeType] = set()
        self.flags = 0

    def run(self, space: dict[str, object]) -> None:
        """Run them in the module's namespace."""
        for statement in self.statements[: self.count]:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for alias in statement.names:
                    self.flags |= getattr(__future__, alias.name).compiler_flag
            self.codes.append(self._compiled([statement]))
            sys.setprofile(self._note)
            try:
                exec(self.codes[-1], space)
            finally:
                sys.setprofile(None)

    def _note(self, frame: FrameType, kind: str, _: object) -> None:
        if kind == "call" and frame.f_code.co_filename == self.path:
            self.entered.add(frame.f_code)

    def _compiled(self, statements: list[ast.stmt]) -> CodeType:
        return compile(
            instrumented(statements, self.text, self.sizes), self.path, "exec", flags=self.flags, dont_inherit=True
        )

    def rest(self, text: str) -> CodeType:
        """The code of an edited text from the place on, after functions above it were given their edited code.

        Raises:
            Ended: the edit changes what has run, or moves lines above the place.
        """
        statements = ast.parse(text, self.path).body
        if len(statements) < self.count or any(
            old.end_lineno != new.end_lineno for old, new in zip(self.statements[: self.count], statements)
        ):
            raise Ended(Outcome("incomplete", UNRESUMABLE))
        for old, new, code in zip(self.statements[: self.count], statements, self.codes):
            if ast.dump(old) != ast.dump(new):
                if ast.dump(_shell(old)) != ast.dump(_shell(new)):
                    raise Ended(Outcome("incomplete", UNRESUMABLE))
                self._exchange(code, self._compiled([new]))
        return self._compiled(statements[self.count :])

    def _exchange(self, old: CodeType, new: CodeType) -> None:
        """Give functions defined by one code object what the other says; classes and the module itself are gone
        through."""
        before, after = _inner(old), _inner(new)
        if [code.co_name for code in before] != [code.co_name for code in after]:
            raise Ended(Outcome("incomplete", UNRESUMABLE))
        for was, now in zip(before, after):
            if was == now:
                continue
            if "__qualname__" in was.co_names and not was.co_flags & 2:  # a class body: no locals of its own
                self._exchange(was, now)
            elif was in self.entered or was.co_freevars != now.co_freevars:
                raise Ended(Outcome("incomplete", UNRESUMABLE))
            else:
                for holder in gc.get_referrers(was):
                    if isinstance(holder, FunctionType) and holder.__code__ is was:
                        holder.__code__ = now


def _inner(code: CodeType) -> list[CodeType]:
    return [part for part in code.co_consts if isinstance(part, CodeType)]


def _shell(node: ast.stmt) -> ast.AST:
    """A definition without the bodies of its functions; any other statement as it is."""
    if isinstance(node, FUNCTIONS):
        return type(node)(**{**dict(ast.iter_fields(node)), "body": [ast.Pass()]})
    if isinstance(node, ast.ClassDef):
        return ast.ClassDef(**{**dict(ast.iter_fields(node)), "body": [_shell(part) for part in node.body]})
    return node
