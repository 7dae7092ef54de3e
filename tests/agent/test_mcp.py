"""The tools through a client of the official SDK: listed, used to repair a script, and confined to their folder."""

import asyncio
import os
import sys

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

FAULTY = """\
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(12, 8), torch.randn(12)
for step in range(3):
    predicted = model(inputs)
    loss = nn.functional.mse_loss(predicted, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_client_lists_the_tools_repairs_a_script_and_is_kept_inside(tmp_path):
    inner = tmp_path / "project"
    inner.mkdir()
    script, secret = inner / "train.py", tmp_path / "secret.py"
    script.write_text(FAULTY)
    secret.write_text("print(1)\n")
    (inner / "link.py").symlink_to(secret)
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "shapewright", "mcp", "--lang", "en", str(inner)], env=dict(os.environ)
    )

    async def conversation():
        async with Client(command) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(listed) == {"check", "fix", "walk", "explain", "rule"}
            assert listed["check"].output_schema["properties"]["faults"] and listed["check"].annotations.read_only_hint

            found = (await client.call_tool("check", {"script": "train.py"})).structured_content
            (fault,) = found["faults"]
            assert fault["repairs"][0]["safe"] and "randn(12, 1)" in fault["repairs"][0]["diff"]
            assert fault["code"] == "SW201" and fault["line"] == 9 and found["outcome"] == "complete"

            shown = (await client.call_tool("fix", {"script": str(script)})).structured_content
            assert "+" in shown["diff"] and shown["written"] == [] and script.read_text() == FAULTY
            done = (await client.call_tool("fix", {"script": str(script), "save": True})).structured_content
            assert done["written"] == [str(script)] and done["left"] == 0 and script.read_text() != FAULTY
            clean = (await client.call_tool("check", {"script": "train.py"})).structured_content
            assert clean["faults"] == [] and clean["outcome"] == "complete"

            walked = (await client.call_tool("walk", {"script": "train.py"})).structured_content
            assert any(line["shapes"].startswith("predicted (") for line in walked["lines"])
            told = await client.call_tool(
                "explain", {"text": "mat1 and mat2 shapes cannot be multiplied (4x8 and 5x3)"}
            )
            assert told.structured_content["known"] and "4" in told.structured_content["text"]
            assert (await client.call_tool("rule", {"code": "SW201"})).structured_content["known"]

            for path in (str(secret), "../secret.py", "link.py", "/etc/passwd"):
                for tool in ("check", "fix", "walk"):
                    refused = await client.call_tool(tool, {"script": path})
                    assert refused.is_error and "outside" in refused.content[0].text

    asyncio.run(conversation())
