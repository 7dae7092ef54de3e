"""A run that failed for want of how its author starts the script is made again so: from the folder that its files are
named from, with the arguments and variables that it cannot do without, read as what it is, Python 2.

Such a run counts where it comes further. No torch here.
"""

from __future__ import annotations

import ast
import dataclasses
import os
from collections.abc import Callable, Iterator

from ...trace import Outcome, Trace
from ..process.request import ASKED, Guess, RunRequest
from ..script.commands import commands, positional
from ..script.reading import Script, read
from ..script.spelling import present
from ..stand_ins.filling import MADE, value
from .older import of_python_2

UNGIVEN = frozenset(
    {"UnboundLocalError", "NameError", "TypeError", "AttributeError", "KeyError", "ValueError"}
)  # what an argument left out causes
UNBOUND = frozenset({"UnboundLocalError", "NameError"})  # of what only a branch for it binds
SECOND = frozenset({"NameError", "TypeError", "AttributeError", "ModuleNotFoundError"})
REFUSED = frozenset(
    {"exit", "exit-message", "missing-environment", "nothing-computed"}
)  # how a script ends that does not accept what it was given
ARGUED = REFUSED | {"arguments", "missing-data", "exception", "exception-mute"}  # what other arguments may mend
UNTAKEN = REFUSED | {"exception", "exception-mute"}  # what a word that `sys.argv` lacks causes
FILE = "data.bin"
SHOWN = 2  # of the commands that a project shows
MANY = "10000"  # of what is counted
TRIED = 4  # of the words that a setting is held against
NAMED = frozenset({"missing-module", "missing-data", "missing-environment", "timeout"})


def as_started(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[RunRequest, Trace]:
    """The request as its author would make it, and its trace; both as they are where no other way comes further."""
    if request.brief:  # an edit is tried of what has been started
        return request, trace
    trace = _computing(trace)
    tried: set[Guess] = {request.guess}
    while (guess := next((one for one in _ways(request, trace) if one not in tried), None)) is not None:
        tried.add(guess)
        again = _computing(run_once(dataclasses.replace(request, guess=guess)))
        moved = guess.folder != request.guess.folder and guess.argv == request.guess.argv
        if moved or _further(again, trace, guess):
            request = dataclasses.replace(request, guess=guess)
            trace = dataclasses.replace(again, seconds=again.seconds + trace.seconds)
    return request, trace


def _words(script: str) -> tuple[str, ...]:
    """Words for those that a script takes from `sys.argv` by their places."""
    found = read(script)
    places = positional(found.text) if isinstance(found, Script) else ()
    return tuple(value(name, kind, choices) for name, kind, choices in places)


def _computing(trace: Trace) -> Trace:
    """A trace; where the script trains and came to its end without any tensor, as one that ended before."""
    if trace.outcome.state != "complete" or trace.events or not _should(trace):
        return trace
    return dataclasses.replace(trace, outcome=Outcome("incomplete", "nothing-computed"))


def _should(trace: Trace) -> bool:
    """Whether a script trains, or was given arguments that were made up."""
    filled = any(one.kind == "argument-filled" for one in trace.assumptions)
    return filled or any(map(trains, trace.data.files))


def trains(file: str) -> bool:
    """Whether a file computes gradients."""
    try:
        with open(file, encoding="utf-8", errors="ignore") as text:
            return ".backward(" in text.read()
    except OSError:
        return False


def _ways(request: RunRequest, trace: Trace) -> Iterator[Guess]:
    guess, failure = request.guess, trace.failure
    if (folder := trace.outcome.fields.get("folder")) and not guess.folder and request.cwd:
        yield dataclasses.replace(guess, folder=folder)
    site = trace.outcome.site if trace.outcome.reason == "excerpt" else failure and failure.site
    ended = trace.outcome.state == "incomplete"  # of a call of torch's that failed the rules speak
    if not guess.second and of_python_2(trace):
        yield dataclasses.replace(guess, second=True)
    if not guess.second and ended and site is not None and (failure is None or failure.kind in SECOND):
        text = trace.sources.get(site.file, "")
        lines, place = text.splitlines(), site.line - 1
        if 0 <= place < len(lines) and present(text, second=True).splitlines()[place] != lines[place]:
            yield dataclasses.replace(guess, second=True)
    if trace.data.gone and trace.data.gone not in guess.gone:
        yield dataclasses.replace(guess, gone=(*guess.gone, trace.data.gone))
    trained = any(step.kind == "backward" for step in trace.steps)
    idle = trace.outcome.state == "complete" or trace.outcome.reason == "nothing-computed"
    idle |= failure is not None and failure.kind in UNBOUND
    if trace.data.switch and idle and not (trained or guess.words or request.arguments or guess.argv):
        if any(map(trains, trace.data.files)):
            yield dataclasses.replace(guess, words=((trace.data.switch, ""),))
    if failure.event is not None if failure is not None else trace.outcome.reason not in ARGUED:
        return
    if not (trained or request.argv):
        for folder, argv in list(commands(os.path.join(request.cwd, request.script)))[:SHOWN]:
            beside = os.path.realpath(request.cwd or os.getcwd()) == folder
            yield dataclasses.replace(guess, folder="" if beside else folder, argv=argv)
        if trace.outcome.reason in UNTAKEN and (argv := _words(os.path.join(request.cwd, request.script))):
            yield dataclasses.replace(guess, argv=argv, chosen=True)
    if failure is None and trace.outcome.reason not in REFUSED:
        return
    free = not (trained or request.arguments)
    if trace.data.worded and not guess.words and free:
        yield dataclasses.replace(guess, words=(ASKED,))
    if failure is not None and failure.kind == "ZeroDivisionError" and not request.arguments:
        small = [one.fields for one in trace.assumptions if one.kind == "argument-filled"]
        words = tuple((one["name"].strip("-").replace("-", "_"), MANY) for one in small if one["value"].isdigit())
        if words and not guess.words:  # shares of a number that is too small to have any
            yield dataclasses.replace(guess, words=words)
    if failure is not None and failure.kind == "IsADirectoryError" and free and not guess.words:
        filled = [one.fields for one in trace.assumptions if one.kind == "argument-filled"]
        words = tuple((one["name"].strip("-").replace("-", "_"), FILE) for one in filled if one["value"] == MADE)
        if words:  # a folder of the name that was made up is there
            yield dataclasses.replace(guess, words=words)
    refused = failure.site if failure is not None else trace.outcome.site
    if refused is not None and free:
        for name in unset(trace.sources.get(refused.file, ""), refused.line):
            if all(name != known for known, _ in guess.words):
                yield dataclasses.replace(guess, words=(*guess.words, (name, "")))
    if trace.data.offered and free:  # what the script's last check holds a setting against
        name, words = trace.data.offered[-1]
        for word in words[:TRIED]:
            yield dataclasses.replace(guess, words=(*(one for one in guess.words if one[0] != name), (name, word)))
    if failure is None:
        return
    if not (guess.chosen or request.arguments) and failure.kind in UNGIVEN:
        if trace.data.left_out:
            yield dataclasses.replace(guess, chosen=True)


def unset(text: str, line: int) -> Iterator[str]:
    """The attributes that have to be set for a check that refuses at a line.

    >>> list(unset("if a.kind and not a.masked:\\n    raise KeyError", 2)), list(unset("assert a.n is not None", 1))
    (['masked'], ['n'])
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            yield from _asked(node.test, True)
        elif isinstance(node, ast.If) and any(part.lineno <= line <= (part.end_lineno or 0) for part in node.body):
            if isinstance(node.body[-1], (ast.Raise, ast.Expr)):
                yield from _asked(node.test, False)


def _asked(test: ast.expr, wanted: bool) -> Iterator[str]:
    """The attributes of which a test asks whether they are set, or are not where that is not `wanted`."""
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _asked(part, wanted)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _asked(test.operand, not wanted)
    elif isinstance(test, ast.Attribute) and wanted:
        yield test.attr
    elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Attribute):
        none = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        if none and isinstance(test.ops[0], ast.IsNot if wanted else ast.Is):
            yield test.left.attr


def _further(again: Trace, trace: Trace, guess: Guess) -> bool:
    """Whether a run came further than another: to its end, to what is missing, or to more calls of tensors."""
    if guess.argv and trace.outcome.reason in NAMED and again.outcome.state != "complete":
        return len(again.events) > len(trace.events)
    told = len(again.data.offered) > len(trace.data.offered) and again.outcome == trace.outcome
    told = told or again.outcome.state == "complete" or again.outcome.reason in NAMED
    told = told or (again.outcome.reason == "excerpt" != trace.outcome.reason)
    given = (
        guess.second or bool(guess.words or guess.gone) or (bool(guess.argv) and not guess.chosen)
    )  # as its author starts it
    beyond = given and again.outcome.site != trace.outcome.site and len(again.events) >= len(trace.events)
    beyond = beyond or (guess.chosen and again.data.made is not None and trace.data.made is None)  # it reads files
    return told or beyond or len(again.events) > len(trace.events)
