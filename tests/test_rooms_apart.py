"""What `check` imports: none of the rooms for editors, agents, notebooks and test suites."""

import subprocess
import sys

ROOMS = ("editor", "agent", "notebook", "pytest_plugin", "annotate", "watch", "commands.lsp", "commands.mcp")
ASKED = """
import sys
from shapewright import cli
from shapewright.commands import check
from shapewright import checking
from shapewright.repair import search
from shapewright.run.process import supervisor
import shapewright.report.terminal
print(" ".join(sorted(sys.modules)))
"""


def test_a_check_imports_no_room_of_an_editor_an_agent_or_a_notebook():
    loaded = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True).stdout.split()
    ours = [name.removeprefix("shapewright.") for name in loaded if name.startswith("shapewright.")]
    assert "checking" in ours and "repair.search" in ours
    assert not [name for name in ours if any(name == room or name.startswith(room + ".") for room in ROOMS)]
    assert not {"pygls", "lsprotocol", "mcp", "IPython", "pytest", "nbclient", "jaxtyping", "torch"} & set(loaded)
