"""A small editor: speaks the protocol with a real `shapewright lsp` and writes down what was said."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

PATIENCE = 240.0  # seconds, on a machine that others use


class Editor:
    """One client with its server. `log` lists each message as (direction, method)."""

    def __init__(self, client: LanguageClient) -> None:
        self.client, self.log = client, []
        self.diagnostics: dict[str, list] = {}
        self.versions: dict[str, int] = {}
        self.progress: list[str] = []
        self.messages: list[str] = []
        self._news = asyncio.Event()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.log.append(("in", "publishDiagnostics", len(params.diagnostics)))
            self.diagnostics[params.uri] = params.diagnostics
            self._news.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def said(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @client.feature(types.PROGRESS)
        def progressed(params: types.ProgressParams) -> None:
            kind = params.value["kind"] if isinstance(params.value, dict) else params.value.kind
            self.progress.append(kind)
            self._news.set()

        @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            self.progress.append("create")

        @client.feature(types.WORKSPACE_CONFIGURATION)
        def configuration(params: types.ConfigurationParams) -> list:
            return [self.settings for _ in params.items]

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def edited(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            self._news.set()
            return types.ApplyWorkspaceEditResult(True)

        self.settings: dict = {}
        self.edits: list = []

    def open(self, path: Path) -> str:
        uri = from_fs_path(str(path))
        self.versions[uri] = 1
        self.log.append(("out", "didOpen", path.name))
        document = types.TextDocumentItem(uri, "python", 1, path.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return uri

    def change(self, uri: str, text: str) -> None:
        self.versions[uri] += 1
        self.log.append(("out", "didChange", self.versions[uri]))
        identifier = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))

    def save(self, uri: str) -> None:
        self.log.append(("out", "didSave", ""))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.log.append(("out", "didClose", ""))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def until(self, true, patience: float = PATIENCE):
        """Wait until `true()` is so."""
        try:
            async with asyncio.timeout(patience):
                while not true():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            shown = {uri: [item.message for item in found] for uri, found in self.diagnostics.items()}
            raise AssertionError(f"{self.log}\n{self.progress}\n{self.messages}\n{shown}") from None

    async def actions(self, uri: str, line: int, kinds: list | None = None) -> list:
        here = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 1))
        context = types.CodeActionContext(self.diagnostics.get(uri, []), kinds)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), here, context)
        )
        # this client takes an action that has a command for a bare command
        return [action for action in found if isinstance(action, types.CodeAction)]

    async def command(self, name: str, *arguments: object) -> object:
        params = types.ExecuteCommandParams(name, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def hover(self, uri: str, line: int, column: int) -> str:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line - 1, column - 1))
        answer = await self.client.text_document_hover_async(params)
        return answer.contents.value if answer is not None else ""

    async def hints(self, uri: str) -> dict[int, str]:
        everything = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        found = await self.client.text_document_inlay_hint_async(
            types.InlayHintParams(types.TextDocumentIdentifier(uri), everything)
        )
        return {hint.position.line + 1: hint.label for hint in found or []}


@asynccontextmanager
async def editor(folder: Path, settings: dict | None = None, locale: str = "en"):
    """A running server in `folder` and an editor that speaks with it."""
    client = LanguageClient("small-editor", "1")
    made = Editor(client)
    made.settings = settings or {}
    environment = {**os.environ, "LANG": "en_US.UTF-8"}
    await client.start_io(sys.executable, "-m", "shapewright", "lsp", "--stdio", env=environment, cwd=str(folder))
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(configuration=True),
        window=types.WindowClientCapabilities(work_done_progress=True),
    )
    uri = from_fs_path(str(folder))
    answer = await client.initialize_async(
        types.InitializeParams(
            capabilities=capabilities,
            locale=locale,
            root_uri=uri,
            workspace_folders=[types.WorkspaceFolder(uri, folder.name)],
        )
    )
    made.capabilities = answer.capabilities
    client.initialized(types.InitializedParams())
    try:
        yield made
    finally:
        async with asyncio.timeout(PATIENCE):
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()


def applied(text: str, edit: types.WorkspaceEdit) -> str:
    """A text after the edits of one document, as an editor applies them: from the end to the beginning."""
    (change,) = edit.document_changes
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(position) -> int:
        line = lines[position.line] if position.line < len(lines) else ""
        units = line.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
        return starts[min(position.line, len(lines))] + len(units)

    for item in sorted(change.edits, key=lambda item: offset(item.range.start), reverse=True):
        text = text[: offset(item.range.start)] + item.new_text + text[offset(item.range.end) :]
    return text
