"""What a message says of lines in a notebook is said in cells, as the place of the finding is."""

import json

from shapewright.checking import examine

CELLS = (
    "import torch\nfrom torch import nn\ntorch.manual_seed(0)",
    "net = nn.Linear(3, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)",
    "for turn in range(4):\n    x = torch.randn(8, 3)\n    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()\n"
    "    loss.backward()\n    opt.step()",
)


def test_lines_in_words_are_cells_and_their_lines(resident, tmp_path):
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in CELLS]
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    for lang, words in (("en", "on line 3:5"), ("es", "línea 3:5"), ("ja", "3:5 行目")):
        _, diagnosis = examine(str(tmp_path / "train.ipynb"), resident=resident, lang=lang)
        assert [finding.code for finding in diagnosis.findings] == ["SW301"]
        assert words in diagnosis.findings[0].why, diagnosis.findings[0].why
