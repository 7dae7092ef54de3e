"""The language server: documents and settings come in, diagnostics, hints, hovers and actions go out.

Checks run in the worker's thread; everything that touches the documents happens in the protocol's own loop. A run that
hangs or crashes ends in its own process and never here."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import uuid
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..report.language import language
from ..run.script.training import trains
from .actions import FIX_ALL, actions
from .documents import Checked
from .options import Options, split
from .pages import Pages
from .positions import Lines, path_of, uri_of, within
from .published import diagnostics
from .shapes import hints, hover
from .words import say
from .worker import Found, Task, Worker

CHECK = "shapewright.check"
CLEAR = "shapewright.clear"


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
        self._progress: dict[str, str] = {}
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
        python = os.path.expanduser(self.options.interpreter) or self._python
        if self._worker is not None and self._worker_python != python:
            threading.Thread(target=self._worker.close, daemon=True).start()
            self._worker = None
        if self._worker is None:
            self._worker, self._worker_python = Worker(python, self._on_begin, self._on_found, self._on_failed), python
            self._pages = Pages(self._worker.folder)
        return self._worker

    def end(self) -> None:
        """End the worker and its process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    @property
    def lang(self) -> str:
        """The language to answer in: the settings', else the client's, else this process's."""
        return language(self.options.chosen(self.client_locale).get("lang", ""))

    @property
    def folders(self) -> list[str]:
        """The workspace's folders."""
        return [path for uri in self.workspace.folders if (path := path_of(uri))]

    # checks ----------------------------------------------------------------------------------------------------------
    def check(self, path: str, arguments: tuple[str, ...] | None = None, unsaved: bool = False) -> None:
        """Have a script checked. `unsaved` takes the editor's text instead of the file's, and looks for no repairs."""
        self._pause_over(path)
        known = self.checked.get(path)
        if arguments is None:
            arguments = self.options.arguments_of(path, self.folders) or (known.arguments if known else ())
        root = next((folder for folder in self.folders if path.startswith(folder + os.sep)), os.path.dirname(path))
        self._started().ask(
            Task(
                path,
                arguments,
                self.text_of(path) if unsaved or not os.path.exists(path) else None,
                root,
                self.options.repair and not unsaved,
                self.options.chosen(self.client_locale),
            )
        )

    def changed(self, path: str) -> None:
        """A document was typed in: check it again after a pause, where it was checked before."""
        self._pause_over(path)
        if path in self.checked and self.options.onChange and self._loop is not None:
            self._pauses[path] = self._loop.call_later(self.options.pause, lambda: self.check(path, unsaved=True))

    def saved(self, path: str) -> None:
        """A document was saved: check it, and every open script that imported it."""
        users = [script for script, known in self.checked.items() if path in known.texts and script != path]
        if path in self.checked or trains(self.text_of(path)):
            self.check(path)
        for script in users:
            self.check(script)

    def closed(self, path: str) -> None:
        """A document was closed: forget what was found in it."""
        self._pause_over(path)
        if self._worker is not None:
            self._worker.drop(path)
        self.checked.pop(path, None)
        self._publish(path, {})
        self.shown.pop(path, None)

    def _pause_over(self, path: str) -> None:
        pause = self._pauses.pop(path, None)
        if pause is not None:
            pause.cancel()

    # from the worker's thread ----------------------------------------------------------------------------------------
    def _on_begin(self, task: Task) -> None:
        self._soon(
            lambda: self._show_progress(task.script, say("checking", self.lang, name=os.path.basename(task.script)))
        )

    def _on_found(self, found: Found) -> None:
        checked = Checked.of(found.trace, found.diagnosis, found.task.arguments, found.final, found.early)
        self._soon(lambda: self._take(found.task, checked))

    def _on_failed(self, task: Task, error: Exception) -> None:
        text = f"shapewright: {os.path.basename(task.script)}: {error}"
        self._soon(lambda: self._tell_failure(task.script, text))

    def _soon(self, call: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    # in the loop again -----------------------------------------------------------------------------------------------
    def _take(self, task: Task, checked: Checked) -> None:
        if uri_of(task.script) not in self.workspace.text_documents:
            return self._end_progress(task.script)  # closed meanwhile
        checked = self.checked[task.script] = checked.after(self.checked.get(task.script))
        self._publish(
            task.script,
            diagnostics(checked.diagnosis, self.lines_of, self._pages.address, self.options.remarks),
        )
        if checked.final:
            self._end_progress(task.script)
        elif not checked.early:
            text = say("repairing", self.lang, name=os.path.basename(task.script))
            self._show_progress(task.script, text)
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
        self._end_progress(script)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    def _show_progress(self, script: str, text: str) -> None:
        window = self.client_capabilities.window
        if not window or not window.work_done_progress:
            return
        if script in self._progress:
            return self.work_done_progress.report(self._progress[script], types.WorkDoneProgressReport(message=text))
        token = str(uuid.uuid4())
        self._progress[script] = token
        self.work_done_progress.create(token)
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title="shapewright", message=text))

    def _end_progress(self, script: str) -> None:
        token = self._progress.pop(script, None)
        if token is not None:
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())

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
            return self.workspace.get_text_document(self._uri(path)).source
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


def make_server(python: str | None = None) -> Server:
    """A server with its features, not yet listening."""
    server = Server(python)

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.meet(params)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        await _configure(ls)
        ls.begin()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        ls.options = Options.of(params.settings, ls.options)
        await _configure(ls)
        for path in list(ls.checked):
            ls.check(path)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, *_: Any) -> None:
        ls.end()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path and ls.options.onOpen and trains(params.text_document.text):
            ls.check(path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        if path := path_of(params.text_document.uri):
            ls.saved(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        if path := path_of(params.text_document.uri):
            ls.changed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        if path := path_of(params.text_document.uri):
            ls.closed(path)

    _add_answers(server)
    return server


async def _configure(ls: Server) -> None:
    """Take the settings of a client that can be asked for them."""
    workspace = ls.client_capabilities.workspace
    if not workspace or not workspace.configuration:
        return
    asked = types.ConfigurationParams([types.ConfigurationItem(section="shapewright")])
    answers = await ls.workspace_configuration_async(asked)
    ls.options = Options.of(answers[0] if answers else None, ls.options)


def _add_answers(server: Server) -> None:
    """The features that answer a request from what is known."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        path = path_of(params.text_document.uri)
        known = ls.reading(path)
        if known is None or not ls.options.inlayHints:
            return []
        return hints(known[1], ls.text_of(path), ls.lines_of(path), params.range, ls.lang)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        path = path_of(params.text_document.uri)
        known = ls.reading(path)
        if known is None:
            return None
        checked, reading = known
        return hover(reading, checked.diagnosis, ls.text_of(path), ls.lines_of(path), params.position, ls.lang)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of(params.text_document.uri)
        made: list[types.CodeAction] = []
        for script, checked in ls.checked.items():
            texts = checked.texts
            there = [item for item in ls.shown.get(script, {}).get(path, []) if within(item.range, params.range)]
            if not there and script != path:
                continue
            made += actions(
                checked.diagnosis,
                there,
                ls.lines_of,
                lambda file, texts=texts: texts.get(file) == ls.text_of(file),
                [str(kind) for kind in params.context.only or ()],
                ls.edits_of,
            )
        return made

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        path = path_of(params.text_document.uri)
        known = ls.checked.get(path)
        if known is None and not trains(ls.text_of(path)):
            return []
        if known is None:
            title = say("check", ls.lang)
        else:
            count = len(known.diagnosis.findings)
            told = say("nothing" if not count else "one" if count == 1 else "many", ls.lang, count=count)
            title = f"shapewright: {told} · {say('again', ls.lang)}"
        start = types.Position(0, 0)
        return [
            types.CodeLens(types.Range(start, start), types.Command(title, CHECK, arguments=[params.text_document.uri]))
        ]

    @server.command(CHECK)
    def check(ls: Server, uri: str, arguments: Any = None) -> bool:
        path = path_of(uri)
        if path:
            ls.check(path, split(arguments) if arguments is not None else None)
        return bool(path)

    @server.command(CLEAR)
    def clear(ls: Server, uri: str) -> None:
        if path := path_of(uri):
            ls.closed(path)


def serve(python: str | None = None) -> int:
    """Speak on standard input and output until the client goes away."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    server = make_server(python)
    try:
        server.start_io()
    finally:
        server.end()
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (the protocol has closed it)
    return 0
