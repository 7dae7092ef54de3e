"""The language server: documents and settings come in, diagnostics, hints, hovers and actions go out.

Checks run in the worker's thread; everything that touches the documents happens in the protocol's own loop. A run that
hangs or crashes ends in its own process and never here."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..report.language import language
from ..run.process.interpreter import interpreter
from ..run.script.reading import on_disk
from ..run.script.training import trains
from .documents import Checked
from .options import Options
from .pages import Pages
from .positions import Lines, path_of, uri_of
from .progress import Progress
from .published import diagnostics
from .words import say
from .worker import Found, Task, Worker


class Server(LanguageServer):
    """The server's state: the settings, the worker, and what is known of each script.

    Args:
        python: the interpreter that runs the scripts where the settings name none.
    """

    def __init__(self, python: str | None = None) -> None:
        super().__init__(
            "shapewright", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental, max_workers=2
        )
        self.options, self._python = Options(), python
        self.checked: dict[str, Checked] = {}  # by script
        self.shown: dict[str, dict[str, list[types.Diagnostic]]] = {}  # by script, then by file
        self._worker: Worker | None = None
        self._worker_python: str | None = None
        self._pages = Pages("")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        self._progress = Progress(self)
        self.client_locale = ""

    def meet(self, params: types.InitializeParams) -> None:
        """What the client tells of itself, in the loop that is to run from now on."""
        self._loop = asyncio.get_running_loop()
        self.client_locale = params.locale or ""
        self.options = Options.of(params.initialization_options)

    # beginning and end -----------------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Start the resident process, so that it is warm by the first check."""
        self._started()

    def _started(self) -> Worker:
        python = self._interpreter()
        if self._worker is not None and self._worker_python != python:
            threading.Thread(target=self._worker.close, daemon=True).start()
            self._worker = None
        if self._worker is None:
            self._worker, self._worker_python = Worker(python, self._on_begin, self._on_found, self._on_failed), python
            self._pages = Pages(self._worker.folder)
        return self._worker

    def _interpreter(self) -> str:
        """The Python of the settings, else that of the command line, else the project's own, else the server's."""
        asked = self.options.interpreter or self._python or ""
        try:
            return interpreter(asked, folder=self.folders[0] if self.folders else "")
        except ValueError:
            if self._worker is None:
                self.say(types.MessageType.Warning, say("no-python", self.lang, python=asked))
            return sys.executable

    def end(self) -> None:
        """End the worker and its process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    @property
    def lang(self) -> str:
        """The language to answer in: the settings', else the client's, else this process's."""
        return language(self.chosen.get("lang", ""))

    @property
    def folders(self) -> list[str]:
        """The workspace's folders."""
        return [path for uri in self.workspace.folders if (path := path_of(uri))]

    # checks ----------------------------------------------------------------------------------------------------------
    def check(self, path: str, arguments: tuple[str, ...] | None = None, unsaved: bool = False) -> None:
        """Have a script checked, as the editor holds it; while it is `unsaved`, no repairs are looked for."""
        self._pause_over(path)
        known = self.checked.get(path)
        if arguments is None:
            arguments = self.options.arguments_of(path, self.folders) or (known.arguments if known else ())
        repair = self.options.repair and not unsaved
        self.ask(Task(path, arguments, self.unsaved(path), self.root_of(path), repair, self.chosen))

    def unsaved(self, path: str) -> dict[str, str]:
        """The texts that the editor holds of a script, and of the files that it imported, where the disk has others. A
        notebook comes from JupyterLab as the Python text of its cells."""
        known = self.checked.get(path)
        files = {path, *known.texts} if known is not None else {path}
        held = {file: self.text_of(file) for file in files if self._uri(file) in self.workspace.text_documents}
        return {file: text for file, text in held.items() if text != on_disk(file) or file.endswith(".ipynb")}

    def root_of(self, path: str) -> str:
        """The folder that a script runs in: the workspace's, else its own."""
        return next((folder for folder in self.folders if path.startswith(folder + os.sep)), os.path.dirname(path))

    @property
    def chosen(self) -> dict[str, Any]:
        """The options of a check."""
        return self.options.chosen(self.client_locale)

    def ask(self, task: Task) -> None:
        """Have the worker do a task."""
        self._started().ask(task)

    def changed(self, path: str) -> None:
        """A document was typed in: check again after a pause what was checked before and read it."""
        for script in self._users(path):
            self._pause_over(script)
            if self.options.onChange and self._loop is not None:
                again = functools.partial(self.check, script, unsaved=True)
                self._pauses[script] = self._loop.call_later(self.options.pause, again)

    def _users(self, path: str) -> list[str]:
        """The scripts that were checked and read a file, itself first."""
        users = [script for script, known in self.checked.items() if script == path or path in known.texts]
        return sorted(users, key=lambda script: script != path)

    def saved(self, path: str) -> None:
        """A document was saved: check it, and every open script that imported it."""
        users = self._users(path)
        if path not in users and trains(self.text_of(path)):
            users = [path, *users]
        for script in reversed(users):  # what is asked last is checked first
            self.check(script)

    def closed(self, path: str) -> None:
        """A document was closed: forget what was found in it."""
        self._pause_over(path)
        if self._worker is not None:
            self._worker.drop(path)
        self._progress.end(path)
        self.checked.pop(path, None)
        self._publish(path, {})
        self.shown.pop(path, None)

    def _pause_over(self, path: str) -> None:
        pause = self._pauses.pop(path, None)
        if pause is not None:
            pause.cancel()

    # from the worker's thread ----------------------------------------------------------------------------------------
    def _on_begin(self, task: Task) -> None:
        self.soon(lambda: self._show(task.script, "checking"))

    def _on_found(self, found: Found) -> None:
        checked = Checked.of(found.trace, found.diagnosis, found.task.arguments, found.final, found.early)
        self.soon(lambda: self._take(found.task, checked))

    def _on_failed(self, task: Task, error: Exception) -> None:
        text = f"shapewright: {os.path.basename(task.script)}: {error}"
        self.soon(lambda: self._tell_failure(task.script, text))

    def soon(self, call: Callable[[], object]) -> None:
        """Have the protocol's loop do something, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    # in the loop again -----------------------------------------------------------------------------------------------
    def _is_open(self, script: str) -> bool:
        return self._uri(script) in self.workspace.text_documents

    def _show(self, script: str, key: str) -> None:
        """Show what is being done with a script, unless it was closed meanwhile: nobody would end it."""
        if self._is_open(script):
            self._progress.show(script, say(key, self.lang, name=os.path.basename(script)))

    def _take(self, task: Task, checked: Checked) -> None:
        if not self._is_open(task.script):
            return self._progress.end(task.script)  # closed meanwhile
        checked = self.checked[task.script] = checked.after(self.checked.get(task.script))
        self._publish(
            task.script,
            diagnostics(checked.diagnosis, self.lines_of, self._pages.address, self.options.remarks),
        )
        if checked.final:
            self._progress.end(task.script)
        elif not checked.early:
            self._show(task.script, "repairing")
        self._refresh()

    def _publish(self, script: str, found: dict[str, list[types.Diagnostic]]) -> None:
        """Show the diagnostics of one script beside those that other scripts put into the same files."""
        before = self.shown.get(script, {})
        self.shown[script] = found
        for file in {*before, *found}:
            everything = [item for by_file in self.shown.values() for item in by_file.get(file, ())]
            uri = self._uri(file)
            document = self.workspace.text_documents.get(uri)
            version = document.version if document is not None else None
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, everything, version))

    def _refresh(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _tell_failure(self, script: str, text: str) -> None:
        self._progress.end(script)
        self.say(types.MessageType.Warning, text)

    def say(self, kind: types.MessageType, text: str) -> None:
        """Show a message."""
        self.window_show_message(types.ShowMessageParams(kind, text))

    # texts -----------------------------------------------------------------------------------------------------------
    def _uri(self, path: str) -> str:
        """The URI by which the client knows a file, which may be spelled otherwise than ours."""
        ours = uri_of(path)
        if ours in self.workspace.text_documents:
            return ours
        return next((uri for uri in self.workspace.text_documents if path_of(uri) == path), ours)

    def text_of(self, path: str) -> str:
        """A file's text, the editor's where it is open; empty where it cannot be read."""
        try:
            return self.workspace.get_text_document(self._uri(path)).source.replace("\r\n", "\n")
        except (OSError, UnicodeError):
            return ""

    def lines_of(self, path: str) -> Lines:
        """A file's lines as the client counts them."""
        return Lines(self.text_of(path), self.workspace.position_codec.client_num_units)

    def edits_of(self, uri: str, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
        """Edits of one file, bound to the version that the client has open."""
        uri = self._uri(path_of(uri))
        document = self.workspace.text_documents.get(uri)
        version = document.version if document is not None else None
        return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits))

    def reading(self, path: str) -> tuple[Checked, Any] | None:
        """The check that ran a file, and what it read there: the file's own, else that of a script which imported
        it."""
        own = self.checked.get(path)
        for known in (own, *self.checked.values()):
            if known is not None and path in known.readings:
                return known, known.readings[path]
        return None
