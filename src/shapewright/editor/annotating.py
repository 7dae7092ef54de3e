"""Observed shapes written into the code, as code actions: comments at once, jaxtyping annotations after a run of the
new text."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ..annotate import comments
from ..checking import Examined
from ..diagnosis import Edit
from ..graph.bound import Reading
from .actions import EditsOf, asked_for, workspace_edit
from .positions import Lines, uri_of
from .words import say
from .worker import Task

if TYPE_CHECKING:
    from .server import Server

KIND = "refactor.rewrite.shapewright"
ANNOTATE = "shapewright.annotate"


def shape_actions(
    path: str, reading: Reading, lines_of: Callable[[str], Lines], only: Sequence[str], edits_of: EditsOf, lang: str
) -> list[types.CodeAction]:
    """The actions that write the shapes of one file, whose text is the one that ran."""
    if not asked_for(KIND, only) or not reading.bound or path.endswith(".ipynb"):
        return []
    made = []
    text = comments.annotated(reading)
    if text != reading.text and ast.dump(ast.parse(text)) == ast.dump(ast.parse(reading.text)):
        edit = workspace_edit(changes(path, reading.text, text), lines_of, edits_of)
        made.append(types.CodeAction(title=say("annotate", lang), kind=KIND, edit=edit))
    title = say("annotate-types", lang)
    made.append(
        types.CodeAction(title=title, kind=KIND, command=types.Command(title, ANNOTATE, arguments=[uri_of(path)]))
    )
    return made


def changes(path: str, before: str, after: str) -> tuple[Edit, ...]:
    """The edits, by whole lines, from one text of a file to another."""
    from ..repair.search import between  # LibCST is loaded where there is something to write

    file = os.path.abspath(path)
    return between({file: before}, {file: after})


def annotated(ls: Server, path: str) -> bool:
    """Run a file's script with annotations on the file's signatures, and write them where it runs as before."""
    known = ls.reading(path)
    if known is None or known[1].text != ls.text_of(path):
        return False
    from ..annotate import jaxtyping

    checked, reading = known
    text, name = jaxtyping.annotated(reading), os.path.basename(path)
    if text == reading.text:
        ls.say(types.MessageType.Info, say("annotated", ls.lang, name=name))
        return True

    def written(found: Examined) -> None:
        outcome = found.trace.outcome
        if outcome.state != checked.diagnosis.outcome:
            reason = found.diagnosis.reason or outcome.state
            ls.say(types.MessageType.Warning, say("annotate-fails", ls.lang, name=name, reason=reason))
        elif ls.text_of(path) == reading.text:
            edit = workspace_edit(changes(path, reading.text, text), ls.lines_of, ls.edits_of)
            ls.workspace_apply_edit(
                types.ApplyWorkspaceEditParams(edit, say("annotate-types", ls.lang)), lambda _: None
            )

    def ran(found: Examined) -> None:
        ls.soon(lambda: written(found))

    script = checked.diagnosis.script
    ls.ask(
        Task(
            script,
            checked.arguments,
            {**ls.unsaved(script), path: text},
            ls.root_of(script),
            False,
            ls.chosen,
            then=ran,
        )
    )
    return True
