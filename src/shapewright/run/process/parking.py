"""A run that waits before statements of the script, at its top level or in functions that it called: each request to go
on from one of them is answered by a fork of what waits there, with an edited rest.

What came before the statement has then run once for all of them. A fork goes on only where that is sound: nothing that
the edit changes has run yet. Of a text that was known before, the statements in which it differs stand beside the
script's own (`script/versions`). Of another one, the statements of the top level to come are those of the edited text,
functions that were defined but not entered have their code exchanged, and no line above the place moves. Otherwise the
fork ends as `unresumable`.
"""

from __future__ import annotations

import ast
import gc
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType

from ...trace import Outcome
from ..sandbox.ending import Ended
from ..script.added import NAME
from ..script.marked import FUNCTIONS, begin, flags_of, groups, marked
from ..script.versions import Versions
from .framing import receive
from .request import RunRequest

TOLD = struct.Struct("!cQ")  # what a run that parks says: P and the number of a place, or F and a process id
PARKED, FORKED = b"P", b"F"
UNRESUMABLE = "unresumable"
NONE = -1


class Parking:
    """The child's end of the control sockets, one for each place.

    Args:
        controls: connected to the resident process.
        request: of the run that waits.
        fork: the system's fork.
        begin: called in a fork with its request and the descriptors of its result and its output.
    """

    def __init__(
        self,
        controls: Sequence[socket.socket],
        request: RunRequest,
        fork: Callable[[], int],
        begin: Callable[[RunRequest, int, int], None],
    ) -> None:
        self.controls, self.request, self.fork, self.begin = controls, request, fork, begin

    def wait(self, number: int, more: bool) -> RunRequest | None:
        """Has a run wait at the place of a number. Returns in forks of it, each with the request that it is to go on
        with; where there are `more` places to come to, also at once in this process, with none. What waits ends with
        its resident."""
        if more and self.fork():
            return None
        control = self.controls[number]
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks are reaped by the kernel
        control.sendall(TOLD.pack(PARKED, number))
        while True:
            mark, descriptors, _, _ = socket.recv_fds(control, 1, 2)
            if not mark or len(descriptors) != 2:
                raise Ended(Outcome("incomplete", UNRESUMABLE))
            request = receive(control)
            pid = self.fork()
            if pid == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for each in self.controls:
                    each.close()
                self.begin(request, *descriptors)
                return request
            for descriptor in descriptors:
                os.close(descriptor)
            control.sendall(TOLD.pack(FORKED, pid))


class Head:
    """What runs before the places, with note of the functions that were entered.

    Args:
        text, path: the script's.
        lines: where the statements begin before which to wait: each of the top level, or in a function of the text,
            when control first comes to it.
        made: the instrumented tree of a text.
        versions: edited texts that are known, of those with which runs go on.
    """

    def __init__(
        self,
        text: str,
        path: str,
        lines: Sequence[int],
        made: Callable[[str], ast.Module],
        versions: Sequence[str] = (),
    ) -> None:
        self.path, self.made, self.lines = path, made, tuple(lines)
        self.statements = (tree := ast.parse(text, path)).body
        self.versions, self.number = Versions(text, tree, versions), NONE
        self.begun: set[int] = set()  # of the statements that have versions, those that were come to
        self.plain = groups(self.statements, made(text))
        self.flags = flags_of(self.statements)
        self.codes: list[CodeType] = []
        self.entered: set[CodeType] = set()
        self.left = set(self.lines)
        self.text = text
        self.resumed: Callable[[int, bool], str | None] = lambda *_: None
        self.after: CodeType | None = None

    def run(self, space: dict[str, object], resumed: Callable[[int, bool], str | None]) -> CodeType:
        """Run it in the module's namespace, wait at the places, and go on to the end of the statement of the top level.

        Args:
            space: the names of the module.
            resumed: waits at the place of a number, and returns the edited text in each run that goes on, none in one
                that goes to other places.

        Returns:
            The code of the rest of the edited text.

        Raises:
            Ended: control never came to one of the places, or the edit cannot take effect any more.
        """
        self.resumed, hooks = resumed, space[NAME]
        hooks.began, hooks.reached, hooks.version = self._began, self.reached, self._is  # type: ignore[attr-defined]
        inside = self.left - {begin(statement) for statement in self.statements}
        marks = groups(self.statements, marked(self.versions.put(self.made(self.text)), inside))
        for statement, group in zip(self.statements, marks):
            self.reached(begin(statement))
            if self.after is not None:
                return self.after
            self.codes.append(self._compiled(group))
            exec(self.codes[-1], space)
            if self.after is not None:
                return self.after
        if self.number == NONE:
            raise Ended(Outcome("incomplete", UNRESUMABLE))
        return self._compiled([])

    def _is(self, line: int, number: int) -> bool:
        """Whether the statement of a line is to be run as a version has it."""
        self.begun.add(line)
        return number == self.number

    def _began(self) -> None:
        """A function of the text was entered."""
        self.entered.add(sys._getframe(1).f_code)

    def reached(self, line: int) -> None:
        """Control comes to a statement: where it is one to wait at, runs go on from here."""
        if line not in self.left:
            return
        self.left.discard(line)
        text = self.resumed(self.lines.index(line), bool(self.left))
        if text is None:
            return
        self.left = set()
        number = self.versions.known.get(text, NONE)
        if number != NONE and self.begun.isdisjoint(self.versions.found[number]):
            self.number = number
        else:
            self.after = self.rest(text)

    def _compiled(self, group: list[ast.stmt]) -> CodeType:
        return compile(ast.Module(group, []), self.path, "exec", flags=self.flags, dont_inherit=True)

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
        edited = groups(statements, self.made(text))
        for at, (old, new) in enumerate(zip(self.statements[:count], statements)):
            if ast.dump(old) != ast.dump(new):
                if ast.dump(_shell(old)) != ast.dump(_shell(new)):
                    raise Ended(Outcome("incomplete", UNRESUMABLE))
                self._exchange(self.codes[at], self._compiled(self.plain[at]), self._compiled(edited[at]))
        return self._compiled([node for group in edited[count:] for node in group])

    def _exchange(self, running: CodeType, old: CodeType, new: CodeType) -> None:
        """Give functions defined by one code object, `old` before it was marked, what the other says; classes and the
        module itself are gone through."""
        now, before, after = _inner(running), _inner(old), _inner(new)
        names = [[code.co_name for code in codes] for codes in (now, before, after)]
        if names[0] != names[1] or names[1] != names[2]:
            raise Ended(Outcome("incomplete", UNRESUMABLE))
        for runs, was, becomes in zip(now, before, after):
            if was == becomes:
                continue
            if "__qualname__" in was.co_names and not was.co_flags & 2:  # a class body: no locals of its own
                self._exchange(runs, was, becomes)
            elif runs in self.entered or was.co_freevars != becomes.co_freevars:
                raise Ended(Outcome("incomplete", UNRESUMABLE))
            else:
                for holder in gc.get_referrers(runs):
                    if isinstance(holder, FunctionType) and holder.__code__ is runs:
                        holder.__code__ = becomes


def _inner(code: CodeType) -> list[CodeType]:
    return [part for part in code.co_consts if isinstance(part, CodeType)]


def _shell(node: ast.stmt) -> ast.AST:
    """A definition without the bodies of its functions; any other statement as it is."""
    if isinstance(node, FUNCTIONS):
        return type(node)(**{**dict(ast.iter_fields(node)), "body": [ast.Pass()]})
    if isinstance(node, ast.ClassDef):
        return ast.ClassDef(**{**dict(ast.iter_fields(node)), "body": [_shell(part) for part in node.body]})
    return node
