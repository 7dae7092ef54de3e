"""One process on a CPU loads neither torch's compiler nor its distributed tensors: each takes about a second, and nothing of them is used."""

import os
import subprocess
import sys

SCRIPT = """
import json, sys
from shapewright.recipes import digits, reward
from shapewright.recipes.preference import generated
with open(sys.argv[1] + "/pairs.jsonl", "w") as pairs:  # a few: its own 1,200 teach no more about imports
    pairs.write("\\n".join(map(json.dumps, generated.rows(40))))
quick = {"device": "cpu", "epochs": 1, "progress": False, "board": False}
digits.train(hparams={**quick, "limit": 64}, log_dir=sys.argv[1] + "/digits")
reward.TINY = reward.TINY.__class__(vocab_size=320, n_positions=96, n_embd=16, n_layer=1, n_head=2)
reward.train(hparams={**quick, "preflight": False, "data": pairs.name}, log_dir=sys.argv[1] + "/reward")
names = ("torch.distributed.tensor", "torch._inductor", "torch.onnx", "sympy", "transformers")
print("loaded:", [name for name in names if name in sys.modules])
"""


def test_a_process_alone_loads_neither_the_compiler_nor_distributed_tensors(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert "loaded: []" in done.stdout, done.stdout[-500:] + done.stderr[-2000:]
