"""Baselines, exit codes, jobs and the formats of code-scanning services, on prepared traces."""

import json

import pytest
from report.first_diagnosis import TRACE
from test_cli import Answering

from shapewright.commands.check import main as check
from shapewright.diagnosis import diagnose
from shapewright.diagnosis.fingerprint import fingerprints
from shapewright.report import gitlab, sarif
from shapewright.settings import Settings


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("import torch\n\nfor step in range(2):\n    torch.ones(step)\n")
    (tmp_path / "layers.py").write_text("import torch\n\n\nclass Net(torch.nn.Module):\n    pass\n")
    return tmp_path


def test_known_findings_are_left_out_and_new_ones_fail(scripts, capsys):
    resident = Answering(a=TRACE)
    assert check(["a.py", "--no-fix", "--baseline", "known.json", "--update-baseline"], resident) == 0
    (listed,) = json.loads((scripts / "known.json").read_text())["findings"]
    assert listed["code"].startswith("SW") and len(listed["fingerprint"]) == 32
    assert check(["a.py", "--no-fix", "--baseline", "known.json"], resident) in (0, 2)
    (scripts / "known.json").write_text('{"version": 1, "findings": []}')
    assert check(["a.py", "--no-fix", "--baseline", "known.json"], resident) == 1
    assert check(["a.py", "--no-fix", "--exit-zero"], resident) == 0
    with pytest.raises(ValueError, match="--update-baseline creates it"):
        check(["a.py", "--baseline", "none.json"], resident)


def test_only_training_scripts_are_run_where_that_is_asked_for(scripts):
    resident = Answering()
    assert check(["a.py", "layers.py", "--training-only"], resident) == 0
    assert [request.script for request in resident.requests] == ["a.py"]
    assert check(["layers.py", "--training-only"], resident) == 0 and len(resident.requests) == 1


def test_a_fingerprint_outlives_other_lines_and_tells_twins_apart():
    diagnosis = diagnose(TRACE, Settings(lang="en"))
    ((finding, name),) = fingerprints([diagnosis])
    twice = fingerprints([diagnosis.with_findings((finding, finding))])
    assert twice[0][1] == name != twice[1][1]


def test_services_get_fingerprints_and_addresses(monkeypatch):
    monkeypatch.setenv("SHAPEWRIGHT_PAGES", "https://example.org/rules/")
    diagnosis = diagnose(TRACE, Settings(lang="en"))
    (run,) = json.loads(sarif.render([diagnosis]))["runs"]
    (rule,), (result,) = run["tool"]["driver"]["rules"], run["results"]
    assert rule["helpUri"] == f"https://example.org/rules/{rule['id']}-{rule['name']}.md"
    assert len(result["partialFingerprints"]["shapewright/v1"]) == 32
    quality = json.loads(gitlab.render([diagnosis]))
    assert quality[0]["fingerprint"] == result["partialFingerprints"]["shapewright/v1"]
    assert set(quality[0]) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert quality[0]["location"]["lines"]["begin"] == result["locations"][0]["physicalLocation"]["region"]["startLine"]
