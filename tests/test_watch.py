"""`shapewright watch`, started for real: a page as it begins, and another when the script is saved."""

import os
import subprocess
import sys
import threading
import time

FAULTY = "import torch\n\nfor step in range(2):\n    torch.nn.Linear(8, 4)(torch.randn(2, 9))\n"


def test_a_save_brings_a_new_page(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(FAULTY)
    command = [sys.executable, "-m", "shapewright", "watch", "train.py", "--no-fix"]
    environment = {**os.environ, "LANG": "en_US.UTF-8"}
    watching = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    lines: list[str] = []

    def read():
        for line in watching.stdout:
            lines.append(line)

    threading.Thread(target=read, daemon=True).start()

    def seen(word):
        until = time.monotonic() + 240
        while time.monotonic() < until and not any(word in line for line in list(lines)):
            time.sleep(0.05)
        return any(word in line for line in lines)

    try:
        assert seen("SW102") and not any("nothing found" in line for line in lines)
        script.write_text(FAULTY.replace("9", "8"))
        assert seen("nothing found")
    finally:
        watching.terminate()
        watching.wait(10)
