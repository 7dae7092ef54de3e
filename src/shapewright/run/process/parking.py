"""A run that stops before a statement of the script, at its top level or in a function that it called, and waits: each
request to go on is answered by a fork of it, with an edited rest.

What came before the statement has then run once for all of them. A fork goes on only where that is sound: nothing that
the edit changes has run yet (functions that were defined but not entered have their code exchanged; one that waits in
the middle has been entered), and no line above the statement moves. Otherwise it ends as `unresumable`.
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
    """What runs before the place to park, with note of the functions that were entered.

    Args:
        line: where the statement begins before which to wait: one of the top level, or one in a function of the text,
            when control first comes to it.
    """

    def __init__(self, text: str, path: str, line: int, sizes: tuple[Size, ...] = ()) -> None:
        self.text, self.path, self.line, self.sizes = text, path, line, sizes
        self.statements = ast.parse(text, path).body
        self.function, self.last = _inside(self.statements, line)
        self.codes: list[CodeType] = []
        self.entered: set[CodeType] = set()
        self.flags = 0
        self.resumed: Callable[[], str] = str
        self.after: CodeType | None = None

    def run(self, space: dict[str, object], resumed: Callable[[], str]) -> CodeType:
        """Run it in the module's namespace, wait at the place, and go on to the end of the statement of the top level.

        Args:
            space: the names of the module.
            resumed: waits, and returns the edited text in each run that goes on.

        Returns:
            The code of the rest of the edited text.

        Raises:
            Ended: control never came to the place, or the edit cannot take effect any more.
        """
        self.resumed = resumed
        for statement in self.statements:
            if self.function is None and _begin(statement) >= self.line:
                return self.rest(resumed())
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for alias in statement.names:
                    self.flags |= getattr(__future__, alias.name).compiler_flag
            self.codes.append(self._compiled([statement]))
            sys.settrace(self._enter)
            try:
                exec(self.codes[-1], space)
            finally:
                sys.settrace(None)
            if self.after is not None:
                return self.after
        raise Ended(Outcome("incomplete", UNRESUMABLE))

    def _enter(self, frame: FrameType, _: str, __: object) -> Callable[..., object] | None:
        code = frame.f_code
        if code.co_filename != self.path:
            return None
        self.entered.add(code)
        return self._step if (code.co_name, code.co_firstlineno) == self.function else None

    def _step(self, frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        if event != "line" or not self.line <= frame.f_lineno <= self.last or self.after is not None:
            return self._step
        sys.settrace(None)
        self.after = self.rest(self.resumed())
        return None

    def _compiled(self, statements: list[ast.stmt]) -> CodeType:
        return compile(
            instrumented(statements, self.text, self.sizes), self.path, "exec", flags=self.flags, dont_inherit=True
        )

    def rest(self, text: str) -> CodeType:
        """The code of an edited text after the statements that have begun, once functions that were not entered yet
        have their edited code.

        Raises:
            Ended: the edit changes what has run, or moves lines above the place.
        """
        statements, count = ast.parse(text, self.path).body, len(self.codes)
        if len(statements) < count or any(
            old.end_lineno != new.end_lineno for old, new in zip(self.statements[:count], statements)
        ):
            raise Ended(Outcome("incomplete", UNRESUMABLE))
        for old, new, code in zip(self.statements[:count], statements, self.codes):
            if ast.dump(old) != ast.dump(new):
                if ast.dump(_shell(old)) != ast.dump(_shell(new)):
                    raise Ended(Outcome("incomplete", UNRESUMABLE))
                self._exchange(code, self._compiled([new]))
        return self._compiled(statements[count:])

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


def _begin(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def _inside(statements: list[ast.stmt], line: int) -> tuple[tuple[str, int] | None, int]:
    """Name and first line of the innermost function whose body has a statement that begins at a line, and the last line
    of that statement, of a compound one that of its head; no function for one of the top level."""
    function, last = None, line
    for outer in (node for statement in statements for node in ast.walk(statement) if isinstance(node, FUNCTIONS)):
        for node in (inner for part in outer.body for inner in ast.walk(part) if isinstance(inner, ast.stmt)):
            if node.lineno == line:
                function = (outer.name, _begin(outer))
                body = getattr(node, "body", None)
                last = max(line, body[0].lineno - 1) if body else node.end_lineno or line
    return function, last


def _inner(code: CodeType) -> list[CodeType]:
    return [part for part in code.co_consts if isinstance(part, CodeType)]


def _shell(node: ast.stmt) -> ast.AST:
    """A definition without the bodies of its functions; any other statement as it is."""
    if isinstance(node, FUNCTIONS):
        return type(node)(**{**dict(ast.iter_fields(node)), "body": [ast.Pass()]})
    if isinstance(node, ast.ClassDef):
        return ast.ClassDef(**{**dict(ast.iter_fields(node)), "body": [_shell(part) for part in node.body]})
    return node
