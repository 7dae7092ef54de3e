"""A real notebook, executed by nbclient."""

import os

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

CELLS = [
    "import os; os.environ['LANG'] = 'en_US.UTF-8'",
    "%load_ext shapewright",
    "import torch\nfrom torch import nn\nmodel = nn.Linear(8, 1)\nx, y = torch.randn(12, 8), torch.randn(12)",
    "%%shapewright\nran = 1\nloss = nn.functional.mse_loss(model(x), y)\nloss.backward()",
    "print('ran' in globals())",
    "%%shapewright\nran = 2\nloss = nn.functional.mse_loss(model(x).squeeze(-1), y)\nloss.backward()",
    "print(ran, tuple(loss.shape))",
    "%shapewright notebook",
]


def test_a_cell_is_rehearsed_before_it_runs_and_the_notebook_checked(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    kernel = nbclient.NotebookClient(
        notebook, timeout=240, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    kernel.execute(env=dict(os.environ))
    outputs = [cell["outputs"] for cell in notebook.cells]
    page = outputs[3][0]["data"]
    assert "SW201" in page["text/plain"] and "cell 4, line 3" in page["text/plain"] and "<iframe" in page["text/html"]
    assert outputs[4][0]["text"] == "False\n", "a cell with a fault was run"
    assert outputs[5] == [] and outputs[6][0]["text"] == "2 ()\n"
    assert "SW201" in outputs[7][0]["data"]["text/plain"], (
        "the cell that was held back is among those that were entered"
    )
