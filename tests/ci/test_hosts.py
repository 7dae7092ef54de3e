"""pre-commit itself, and the steps of the action as a runner would start them, on a small repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FAULTY = """\
import torch
from torch import nn

model = nn.Linear(8, 4)
for step in range(3):
    model(torch.randn(2, 9)).sum().backward()
"""
ENVIRONMENT = {
    **os.environ,
    "LANG": "en_US.UTF-8",
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def _run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        words, cwd=folder, env={**ENVIRONMENT, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_pre_commit_runs_the_hook_on_changed_training_scripts(tmp_path):
    hooks, project = tmp_path / "hooks", tmp_path / "project"
    for folder in (hooks, project):
        folder.mkdir()
        _run(folder, "git", "init", "-q")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    _run(hooks, "git", "add", "-A")
    _run(hooks, "git", "commit", "-qm", "hooks")
    _run(hooks, "git", "tag", "v1")
    config = {
        "repos": [
            {"repo": str(hooks), "rev": "v1", "hooks": [{"id": "shapewright"}, {"id": "shapewright-annotations"}]}
        ]
    }
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (project / "train.py").write_text(FAULTY)
    (project / "layers.py").write_text("import torch\n\n\nclass Net(torch.nn.Module):\n    pass\n")
    _run(project, "git", "add", "-A")
    home = {"PRE_COMMIT_HOME": str(tmp_path / "cache")}
    command = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    failed = _run(project, *command, "shapewright", **home)
    assert failed.returncode == 1 and "SW102" in failed.stdout and "train.py:6" in failed.stdout, failed.stdout
    (project / "train.py").write_text(FAULTY.replace("9", "8") + "given = torch.zeros(2, 8)  # (2, 9)\n")
    _run(project, "git", "add", "-A")
    passed = _run(project, *command, **home)
    assert re.search(r"shapewright\.+Passed", passed.stdout), passed.stdout
    assert passed.returncode == 1 and "train.py:7: # (2, 9) -> # (2, 8)" in passed.stdout, passed.stdout


def test_the_action_s_step_writes_annotations_and_a_report_and_fails(tmp_path):
    """No runner of GitHub's can be installed here: bash runs the step with the inputs filled in as a runner does."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    (check,) = [step for step in action["runs"]["steps"] if step["name"] == "Check"]
    (tmp_path / "train.py").write_text(FAULTY)
    given = {"scripts": "train.py", "options": "--training-only --no-fix", "output": "report.sarif", "format": "sarif"}
    inputs = {name: str(given.get(name, about.get("default", ""))) for name, about in action["inputs"].items()}
    github = {"server_url": "https://example.org", "action_repository": "a/b", "action_ref": "v1"}
    known = {f"inputs.{name}": text for name, text in inputs.items()} | {
        f"github.{name}": text for name, text in github.items()
    }
    environment = {
        name: re.sub(r"\$\{\{\s*([\w.]+)\s*\}\}", lambda found: known[found.group(1)], text)
        for name, text in check["env"].items()
    }
    ran = _run(tmp_path, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", check["run"], **environment)
    assert ran.returncode == 1, ran.stderr
    (log,) = json.loads((tmp_path / "report.sarif").read_text())["runs"]
    assert log["results"][0]["ruleId"] == "SW102"
    assert log["tool"]["driver"]["rules"][0]["helpUri"].startswith("https://example.org/a/b/blob/v1/docs/rules/SW102-")
    environment |= {"FORMAT": "github", "OUTPUT": "", "FAIL": "false"}
    ran = _run(tmp_path, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", check["run"], **environment)
    assert ran.returncode == 0 and ran.stdout.startswith("::error file=train.py,line=6"), ran.stdout + ran.stderr
