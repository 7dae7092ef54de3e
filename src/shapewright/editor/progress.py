"""What the client shows while a script is checked."""

from __future__ import annotations

import uuid

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class Progress:
    """One progress report a script, where the client can show any."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._tokens: dict[str, str] = {}

    def show(self, script: str, text: str) -> None:
        """Begin a report, or go on with it."""
        window = self._server.client_capabilities.window
        if not window or not window.work_done_progress:
            return
        if script in self._tokens:
            step = types.WorkDoneProgressReport(message=text)
            return self._server.work_done_progress.report(self._tokens[script], step)
        token = self._tokens[script] = str(uuid.uuid4())
        self._server.work_done_progress.create(token)
        self._server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title="shapewright", message=text))

    def end(self, script: str) -> None:
        """End a report."""
        token = self._tokens.pop(script, None)
        if token is not None:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())
