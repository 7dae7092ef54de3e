"""Edits, diffs and atomic writing."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from shapewright.diagnosis.model import Edit
from shapewright.repair.patch import Changed, applied, diff, edited, of_project, write
from shapewright.repair.source import Source


def test_edits_apply_from_the_end():
    edits = (Edit("f", 1, 1, 1, 2, "xx"), Edit("f", 2, 3, 2, 4, ""))
    assert applied("a\nbcd\n", edits) == "xx\nbc\n"
    assert edited({"f": "a\nbcd\n"}, edits) == {"f": "xx\nbc\n"}


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError):
        applied("abcd\n", (Edit("f", 1, 1, 1, 3, "x"), Edit("f", 1, 2, 1, 4, "y")))


def test_form_feed_is_no_line_end():
    source = Source("f", "a = 1\n\x0c\nb = g(2)\n")
    place = next(p for p in source.places if source.code(p.node) == "2")
    assert applied(source.text, (source.replace(place, "3"),)) == "a = 1\n\x0c\nb = g(3)\n"


def test_mixed_line_ends_and_byte_order_mark_stay(tmp_path):
    path = tmp_path / "f.py"
    path.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\nc = 3\r\n")
    write({str(path): ("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 2\nc = 4\n")})
    assert path.read_bytes() == b"\xef\xbb\xbfa = 1\r\nb = 2\nc = 4\r\n"


def test_several_files_all_or_none(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("a = 1\n")
    second.write_text("b = 9\n")
    with pytest.raises(Changed) as refused:
        write({str(first): ("a = 1\n", "a = 2\n"), str(second): ("b = 1\n", "b = 2\n")})
    assert refused.value.reason == "changed" and first.read_text() == "a = 1\n"
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]


def test_a_failing_replacement_takes_the_others_back(tmp_path, monkeypatch):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("a = 1\n")
    second.write_text("b = 1\n")
    genuine = os.replace

    def failing(source, target):
        if str(target).endswith("b.py"):
            raise OSError("disk")
        genuine(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(OSError):
        write({str(first): ("a = 1\n", "a = 2\n"), str(second): ("b = 1\n", "b = 2\n")})
    assert first.read_text() == "a = 1\n" and second.read_text() == "b = 1\n"
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]


def test_project_ends_at_its_root(tmp_path):
    (tmp_path / "p" / "scripts").mkdir(parents=True)
    (tmp_path / "p" / "pyproject.toml").write_text("")
    script = str(tmp_path / "p" / "scripts" / "train.py")
    assert of_project(str(tmp_path / "p" / "model.py"), script)
    assert not of_project(str(tmp_path / "other.py"), script)
    assert not of_project(str(tmp_path / "p" / ".venv" / "lib" / "site-packages" / "torch.py"), script)


def test_killed_while_writing_leaves_old_or_new(tmp_path):
    path = tmp_path / "f.py"
    old, new = "a = 1\n" * 20_000, "a = 2\n" + "a = 1\n" * 19_999
    path.write_text(old)
    code = (
        "import sys\nfrom shapewright.repair.patch import write\np, old, new = sys.argv[1], 'a = 1\\n' * 20000, 'a = 2\\n' + 'a = 1\\n' * 19999\n"
        "print('ready', flush=True)\nwhile True:\n    now = open(p).read()\n    write({p: (now, new if now == old else old)})\n"
    )
    for seed in range(3):
        child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(random.Random(seed).uniform(0.05, 0.4))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert path.read_text() in (old, new)


def test_diff_ends_without_newline():
    assert "\\ No newline at end of file" in diff({"f": "a"}, {"f": "b"})
