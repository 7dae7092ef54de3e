"""pytest itself, started with the plugin on a small project."""

import os
import subprocess
import sys
from importlib.metadata import entry_points

SOUND = """\
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 8), torch.randn(12, 1)
for step in range(3):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
TESTS = """\
import torch
from torch import nn


def test_script(shapewright):
    assert shapewright.check("sound.py").exit_code == 0


def test_model(shapewright):
    shapewright.assert_sound(nn.Linear(8, 1), (torch.randn(6, 8), torch.randn(6, 1)), nn.MSELoss())


def test_faulty_model(shapewright):
    shapewright.assert_sound(nn.Linear(8, 1), (torch.randn(6, 8), torch.randn(6)), nn.MSELoss())
"""


def test_scripts_become_items_and_the_fixture_checks_models(tmp_path):
    (tmp_path / "sound.py").write_text(SOUND)
    (tmp_path / "faulty.py").write_text(SOUND.replace("12, 1)", "12)"))
    (tmp_path / "test_it.py").write_text(TESTS)
    installed = any(point.name == "shapewright" for point in entry_points(group="pytest11"))
    # by its entry point, without the plugins of other packages, whose every module pytest would rewrite for its asserts
    plugin = "shapewright" if installed else "shapewright.pytest_plugin"  # installed before it had one
    command = [sys.executable, "-m", "pytest", "-p", plugin, "-p", "no:cacheprovider", "-v"]
    command += ["--shapewright", "sound.py", "--shapewright", "faulty.py"]
    environment = {**os.environ, "LANG": "en_US.UTF-8", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    out = ran.stdout
    assert ran.returncode == 1 and "3 passed, 2 failed" in out.replace("2 failed, 3 passed", "3 passed, 2 failed"), out
    assert "shapewright::sound.py PASSED" in out and "shapewright::faulty.py FAILED" in out
    assert out.count("SW201") >= 2 and "mse_loss" in out and "test_faulty_model FAILED" in out
