"""`--python`: a script is checked with the packages of an environment that lacks shapewright."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from shapewright.run.process.interpreter import interpreter

SCRIPT = "import torch\nfrom lengths import WIDTH\n\nlayer = torch.nn.Linear(WIDTH, 2)\nlayer(torch.zeros(4, 3))\n"


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A virtual environment that has torch and a package of its own."""
    packages = tmp_path / "theirs" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "theirs" / "bin").mkdir()
    base = Path(sys._base_executable)
    (tmp_path / "theirs" / "bin" / "python").symlink_to(base)
    (tmp_path / "theirs" / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (packages / "lengths.py").write_text("WIDTH = 3 + 4\n")
    return tmp_path / "theirs"


def test_script_is_checked_with_the_packages_of_the_environment(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "shapewright", "check", "--no-fix", "--format", "json", "train.py", "--python"]
    done = subprocess.run([*command, str(environment)], cwd=tmp_path, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert [finding["code"] for finding in found["findings"]] == ["SW102"], found


def test_environment_of_the_project_is_found_where_it_has_torch(environment: Path, tmp_path: Path) -> None:
    assert interpreter(environment={}, folder=str(tmp_path)) == sys.executable
    environment.rename(tmp_path / ".venv")
    assert interpreter(environment={}, folder=str(tmp_path)) == sys.executable, "it has no torch of its own"
    packages = next((tmp_path / ".venv" / "lib").iterdir()) / "site-packages"
    (packages / "torch").mkdir()
    assert interpreter(environment={}, folder=str(tmp_path)) == str(tmp_path / ".venv" / "bin" / "python")
    assert interpreter(environment={"VIRTUAL_ENV": sys.prefix}, folder=os.sep) == sys.executable


def test_a_place_without_python_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no Python at"):
        interpreter(str(tmp_path / "nothing"))
