"""The worker without the protocol: what comes first, what follows, and what is not done twice."""

import os
import queue

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.workspace import Workspace

from shapewright.diagnosis import Diagnosis, Finding
from shapewright.editor.documents import Checked
from shapewright.editor.positions import uri_of
from shapewright.editor.server import Server
from shapewright.editor.worker import Task, Worker
from shapewright.trace import Site

from .test_exchange import FAULTY


def test_findings_come_before_the_probes_then_repairs_once(tmp_path):
    script, found = tmp_path / "train.py", queue.Queue()
    script.write_text(FAULTY)
    worker = Worker(None, lambda task: None, found.put, lambda task, error: found.put(error))

    def told():
        worker.ask(Task(str(script), cwd=str(tmp_path), options={"lang": "en"}))
        while True:
            one = found.get(timeout=240)
            (finding,) = one.diagnosis.findings
            yield one.early, one.final, [fix.safe for fix in finding.fixes]
            if one.final:
                return

    try:
        assert list(told()) == [(True, False, []), (False, False, []), (False, True, [True])]
        assert list(told()) == [(True, False, []), (False, True, [True])], "nothing changed: the repairs are known"
    finally:
        worker.close()


def _checked(text: str, early: bool, **lines: int) -> Checked:
    """A check of a text with a finding of each code on its line."""
    findings = tuple(Finding(code, "a", "error", "", "", Site("a.py", line)) for code, line in lines.items())
    return Checked(Diagnosis("a.py", "complete", findings=findings), {os.path.abspath("a.py"): text}, early=early)


def test_what_only_probes_told_stays_until_they_are_asked_again():
    def lines(checked):
        return {finding.code: finding.site.line for finding in checked.diagnosis.findings}

    first = _checked("a\nb\nc\n", True, SW201=1).after(None)
    whole = _checked("a\nb\nc\n", False, SW201=1, SW241=3).after(first)
    assert lines(whole) == {"SW201": 1, "SW241": 3}
    assert lines(_checked("a\nx\nb\nc\n", True).after(whole)) == {"SW241": 4}, "it moved with its line"
    assert lines(_checked("a\nb\nd\n", True).after(whole)) == {}, "its line was changed"
    assert lines(_checked("a\nb\nc\n", True, SW241=3).after(whole)) == {"SW241": 3}, "told once"


def test_a_check_that_begins_when_its_script_was_closed_shows_no_progress(tmp_path):
    server, shown = Server(), []
    server.protocol._workspace = Workspace("")
    server.soon = lambda call: call()
    server._progress.show = lambda script, text: shown.append((script, text))
    script = str(tmp_path / "train.py")
    server._on_begin(Task(script))
    assert shown == [], "nobody would end it"
    server.workspace.put_text_document(types.TextDocumentItem(uri_of(script), "python", 1, ""))
    server._on_begin(Task(script))
    assert [name for name, _ in shown] == [script]
