"""The language server's features: what the protocol asks, put to the server's state; and `serve`."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from lsprotocol import types

from ..run.script.training import trains
from .actions import FIX_ALL, actions
from .annotating import ANNOTATE, KIND, annotated, shape_actions
from .options import Options, split
from .positions import path_of, within
from .server import Server
from .shapes import hints, hover
from .words import say

CHECK = "shapewright.check"
CLEAR = "shapewright.clear"


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
    _add_commands(server)
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
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL, KIND]),
    )
    def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of(params.text_document.uri)
        made: list[types.CodeAction] = []
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
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
                only,
                ls.edits_of,
            )
        known = ls.reading(path)
        if known is not None and known[1].text == ls.text_of(path):
            made += shape_actions(path, known[1], ls.lines_of, only, ls.edits_of, ls.lang)
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


def _add_commands(server: Server) -> None:
    """The commands that an editor can ask for."""

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

    @server.command(ANNOTATE)
    def annotate(ls: Server, uri: str) -> bool:
        return annotated(ls, path_of(uri))


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
